package codec

import (
	"reflect"
	"slices"
	"sync"
)

// encoder is what writing one value needs. Values that it is given can be addressed, always: what comes in an interface or a map is copied
// first. So methods with pointer receivers are called as those of values are, and optional values can be looked into.
type encoder struct {
	buf   []byte
	depth int
	spare []byte // for members of maps while they are put in order, and texts before they are quoted
}

// kept is the largest buffer that an encoder in the pool holds on to.
const keptBuffer = 64 << 10

// encoders holds encoders between their uses: memory, and nothing else.
var encoders = sync.Pool{New: func() any { return new(encoder) }}

// Append appends v as JSON to dst: compact, in UTF-8, without HTML escaping. After an error it returns dst as it was. The error is an
// *Error with the place in v.
//
// What encoding/json does is done, with these differences: lists and maps that are nil are empty ones, not null; methods with pointer
// receivers are called for all values; text that is not UTF-8 is an error, and so are two keys of a map that read alike.
func Append(dst []byte, v any) ([]byte, error) {
	e := encoders.Get().(*encoder) //nolint:forcetypeassert // nothing else is in the pool
	own := e.buf
	e.buf = dst
	err := e.value(v)
	out := e.buf
	e.buf = own
	e.release()
	if err != nil {
		return dst, err
	}
	return out, nil
}

// Marshal is Append to a buffer of the right size.
func Marshal(v any) ([]byte, error) {
	e := encoders.Get().(*encoder) //nolint:forcetypeassert // nothing else is in the pool
	defer e.release()
	e.buf = e.buf[:0]
	var s *shape
	if v != nil {
		s = shapeOf(reflect.TypeOf(v))
		if size := int(s.size.Load()); size > cap(e.buf) {
			e.buf = make([]byte, 0, size+size/8)
		}
	}
	if err := e.value(v); err != nil {
		return nil, err
	}
	if s != nil {
		s.size.Store(int64(len(e.buf)))
	}
	if len(e.buf) <= keptBuffer || len(e.buf) < cap(e.buf)/2 {
		return slices.Clone(e.buf), nil
	}
	out := e.buf
	e.buf = nil
	return slices.Clip(out), nil
}

func (e *encoder) release() {
	if cap(e.buf) > keptBuffer {
		e.buf = nil
	}
	if cap(e.spare) > keptBuffer {
		e.spare = nil
	}
	e.depth = 0
	encoders.Put(e)
}

// value appends what an interface holds.
func (e *encoder) value(v any) error {
	switch v := v.(type) {
	case nil:
		e.buf = append(e.buf, "null"...)
		return nil
	case string:
		return e.text(v)
	case bool:
		e.bool(v)
		return nil
	case float64:
		return e.float(v, 64)
	case int:
		e.int(int64(v))
		return nil
	case map[string]any:
		return e.object(v)
	case []any:
		return e.list(v)
	}
	r := reflect.ValueOf(v)
	if r.Kind() != reflect.Pointer {
		held := reflect.New(r.Type()).Elem()
		held.Set(r)
		r = held
	}
	return e.write(shapeOf(r.Type()), r)
}

// write appends a value that can be addressed, or is a pointer.
func (e *encoder) write(s *shape, v reflect.Value) error { return s.write(e, s, v) }

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
