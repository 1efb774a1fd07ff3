package codec

import (
	"reflect"
	"slices"
	"strconv"
	"sync"
)

// encoder is what writing one value needs. Values that it is given can be addressed, always: what comes in an interface or a map is copied
// first. So methods with pointer receivers are called as those of values are, and optional values can be looked into.
type encoder struct {
	depth int
	long  *LongMembers // where those of the outermost object are noted, until it has begun; nil for nowhere
	spare []byte       // for members of maps while they are put in order, and texts before they are quoted
}

// Append appends v as JSON to dst: compact, in UTF-8, without HTML escaping. After an error it returns dst as it was. The error is an
// *Error with the place in v.
//
// What encoding/json does is done, with these differences: lists and maps that are nil are empty ones, not null; methods with pointer
// receivers are called for all values; text that is not UTF-8 is an error, and so are two keys of a map that read alike.
func Append(dst []byte, v any) ([]byte, error) {
	e := encoders.Get().(*buffered) //nolint:forcetypeassert // nothing else is in the pool
	defer e.release()
	out, err := e.value(dst, v)
	if err != nil {
		return dst, err
	}
	return out, nil
}

// buffered is an encoder with a buffer, kept for their memory only.
type buffered struct {
	encoder

	buf  []byte
	last *shape // of what Marshal wrote last: mostly the next is of its type
}

var encoders = sync.Pool{New: func() any { return new(buffered) }}

// keptBuffer is the largest buffer that is kept.
const keptBuffer = 64 << 10

// LongMembers are where values of members begin and end in an object, in the order of the text: the first ones that are long. What there is
// no value for is zero. A request holds them, and so they are small.
type LongMembers [2][2]int

// Marshal is Append to a slice of its own, which has the right size.
func Marshal(v any) ([]byte, error) { return MarshalNoting(v, nil) }

// MarshalNoting is Marshal that notes where long members are of the object that a struct is written as.
func MarshalNoting(v any, long *LongMembers) ([]byte, error) {
	if v == nil {
		return []byte("null"), nil
	}
	e := encoders.Get().(*buffered) //nolint:forcetypeassert // nothing else is in the pool
	defer e.release()
	out, err := e.into(e.buf, v, long)
	if err != nil {
		return nil, err
	}
	if isGivenAway(out) {
		e.buf = nil // it is the caller's now
		return slices.Clip(out), nil
	}
	e.buf = out
	return owned(out), nil
}

// into writes v into a buffer, or into a larger one.
func (e *buffered) into(buf []byte, v any, long *LongMembers) ([]byte, error) {
	s := e.last
	if t := reflect.TypeOf(v); s == nil || s.typ != t {
		s = shapeOf(t)
		e.last = s
	}
	if size := s.sizes.expected(); size > cap(buf) {
		buf = make([]byte, 0, size+size/8)
	}
	if s.isObject() {
		e.long = long
	}
	out, err := e.write(buf[:0], s, addressable(v))
	if err != nil {
		return nil, err
	}
	s.sizes.note(len(out))
	return out, nil
}

// isGivenAway reports whether a buffer is too large to be kept, and filled well enough to be what it was written for.
func isGivenAway(out []byte) bool { return len(out) > keptBuffer && len(out) >= cap(out)/2 }

// owned returns a copy that has the right size.
func owned(out []byte) []byte {
	own := make([]byte, len(out)) // make and copy: the compiler clears nothing that is copied over
	copy(own, out)
	return own
}

func (e *buffered) release() {
	if cap(e.buf) > keptBuffer {
		e.buf = nil
	}
	if cap(e.spare) > keptBuffer {
		e.spare = nil
	}
	e.depth, e.long = 0, nil
	encoders.Put(e)
}

// addressable returns v as a pointer, or as a value that can be addressed.
func addressable(v any) reflect.Value {
	r := reflect.ValueOf(v)
	if r.Kind() == reflect.Pointer {
		return r
	}
	held := reflect.New(r.Type()).Elem()
	held.Set(r)
	return held
}

// value appends what an interface holds.
func (e *encoder) value(dst []byte, v any) ([]byte, error) {
	switch v := v.(type) {
	case nil:
		return append(dst, "null"...), nil
	case string:
		return appendString(dst, v)
	case bool:
		return strconv.AppendBool(dst, v), nil
	case float64:
		return appendNumber(dst, v, 64)
	case int:
		return strconv.AppendInt(dst, int64(v), 10), nil
	case map[string]any:
		return e.object(dst, v)
	case []any:
		return e.list(dst, v)
	default:
		r := addressable(v)
		return e.write(dst, shapeOf(r.Type()), r)
	}
}

// write appends a value that can be addressed, or is a pointer.
func (e *encoder) write(dst []byte, s *shape, v reflect.Value) ([]byte, error) {
	return s.write(e, dst, s, v)
}

// enter counts how deep the values lie; leave is to be called after it. Values that hold themselves end here.
func (e *encoder) enter() error {
	if e.depth++; e.depth > maxDepth {
		return &Error{Err: errDepth}
	}
	return nil
}

func (e *encoder) leave() { e.depth-- }

// failed returns the error of a method, which has a place already where the method has written with this package.
func failed(err error) error {
	if _, ok := err.(*Error); ok { //nolint:errorlint // a wrapped one has been finished by whoever wrapped it
		return err
	}
	return &Error{Err: err}
}
