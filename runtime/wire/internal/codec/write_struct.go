package codec

import (
	"fmt"
	"reflect"
	"strings"
)

func writeStruct(e *encoder, dst []byte, s *shape, v reflect.Value) ([]byte, error) {
	if err := e.enter(); err != nil {
		return dst, err
	}
	t := s.table()
	dst = append(dst, '{')
	begin, long, noted := len(dst), e.long, 0
	e.long = nil
	base := address(v)
	for _, f := range t.list {
		if f.in.absent(base) {
			continue
		}
		name := f.written
		if len(dst) == begin {
			name = name[len(","):]
		}
		from := len(dst) + len(name)
		var err error
		if text, ok := f.in.text(base); ok {
			if text == "" && f.in.omitNoText {
				continue
			}
			var bad int
			if dst, bad = appendText(dst, name, text); bad >= 0 {
				err = notUTF8(text, bad)
			}
		} else {
			of, ok := f.held(v)
			if !ok || f.omits(of) {
				continue
			}
			dst, err = e.member(append(dst, name...), f, of)
		}
		if err != nil {
			return dst, within(err, f.name)
		}
		if long != nil && len(dst)-from >= longValue && noted < len(long) {
			long[noted] = [2]int{from, len(dst)}
			noted++
		}
	}
	if t.extra != nil {
		var err error
		if dst, err = e.additional(dst, t, v, begin); err != nil {
			return dst, err
		}
	}
	e.leave()
	return append(dst, '}'), nil
}

// member writes what a field holds.
func (e *encoder) member(dst []byte, f *field, v reflect.Value) ([]byte, error) {
	if f.quoted {
		return e.quoted(dst, f, v)
	}
	return e.write(dst, f.of.get(), v)
}

// held returns the field of a struct; false where an embedded pointer on the way to it is nil.
func (f *field) held(v reflect.Value) (reflect.Value, bool) {
	v = v.Field(f.index[0])
	if len(f.index) == 1 {
		return v, true
	}
	for _, at := range f.index[1:] {
		if v.Kind() == reflect.Pointer {
			if v.IsNil() {
				return v, false
			}
			v = v.Elem()
		}
		v = v.Field(at)
	}
	return v, true
}

// omits reports whether the field is left out for what it holds.
func (f *field) omits(v reflect.Value) bool {
	return f.omitZero && f.isZero(v) || f.omitEmpty && isEmpty(v)
}

// isEmpty reports what `omitempty` asks.
func isEmpty(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.Array, reflect.Map, reflect.Slice, reflect.String:
		return v.Len() == 0
	case reflect.Struct:
		return false
	default:
		return v.IsZero()
	}
}

var zeroer = reflect.TypeFor[interface{ IsZero() bool }]()

// zeroTest returns how values of a type are tested for `omitzero`: with the method IsZero where there is one.
func zeroTest(t reflect.Type) func(reflect.Value) bool {
	ask := func(v any) bool {
		z, ok := v.(interface{ IsZero() bool })
		return ok && z.IsZero()
	}
	switch {
	case isOptional(t):
		return func(v reflect.Value) bool { return v.Field(0).Uint() == Absent }
	case (t.Kind() == reflect.Interface || t.Kind() == reflect.Pointer) && t.Implements(zeroer):
		return func(v reflect.Value) bool {
			return v.IsNil() || v.Kind() == reflect.Interface && v.Elem().Kind() == reflect.Pointer && v.Elem().IsNil() || ask(v.Interface())
		}
	case reflect.PointerTo(t).Implements(zeroer):
		return func(v reflect.Value) bool { return ask(v.Addr().Interface()) }
	default:
		return reflect.Value.IsZero
	}
}

// quoted writes a field's value in a string, as its tag says.
func (e *encoder) quoted(dst []byte, f *field, v reflect.Value) ([]byte, error) {
	from := len(dst)
	dst, err := e.write(dst, f.of.get(), v)
	if text := string(dst[from:]); err == nil && text != "null" {
		return appendString(dst[:from], text)
	}
	return dst, err
}

// additional writes the members that have no field, sorted. Where the members of the object begin in dst is given.
func (e *encoder) additional(dst []byte, t *fields, v reflect.Value, begin int) ([]byte, error) {
	m, ok := t.extra.held(v)
	if !ok || m.Len() == 0 {
		return dst, nil
	}
	for key := range m.Seq() {
		if f := t.find([]byte(key.String())); f != nil {
			return dst, &Error{Err: fmt.Errorf("additional member %q is a field of its own", f.name)}
		}
	}
	from := len(dst)
	if from == begin {
		from-- // the map writes the brace
	}
	dst, err := e.write(dst[:from], t.extra.of.get(), m)
	if err != nil {
		return dst, err
	}
	if from >= begin {
		dst[from] = ','
	}
	return dst[:len(dst)-1], nil // without the brace that ends the map, and will end the object
}

// writtenName returns a name as it is written between two values. Go's own compiler has seen to it that a tag is UTF-8; where it is not all the
// same, U+FFFD stands in place of what is not.
func writtenName(name string) string {
	text, _ := appendText(nil, ",", strings.ToValidUTF8(name, "\ufffd"))
	return string(append(text, ':'))
}
