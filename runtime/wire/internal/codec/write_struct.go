package codec

import (
	"fmt"
	"reflect"
	"strings"
)

func writeStruct(e *encoder, s *shape, v reflect.Value) error {
	if err := e.enter(); err != nil {
		return err
	}
	defer e.leave()
	t := s.table()
	begin := len(e.buf)
	e.buf = append(e.buf, '{')
	for _, f := range t.list {
		of, ok := f.held(v)
		if !ok || f.omits(of) {
			continue
		}
		if len(e.buf) > begin+1 {
			e.buf = append(e.buf, ',')
		}
		e.buf = append(e.buf, f.written...)
		if err := e.field(f, of); err != nil {
			return within(err, f.name)
		}
	}
	if t.extra != nil {
		if err := e.additional(t, v, begin); err != nil {
			return err
		}
	}
	e.buf = append(e.buf, '}')
	return nil
}

// held returns the field of a struct; false where an embedded pointer on the way to it is nil.
func (f *field) held(v reflect.Value) (reflect.Value, bool) {
	v = v.Field(f.index[0])
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

// zeroTest returns how values of a type are tested for `omitzero`: with the method IsZero where there is one.
func zeroTest(t reflect.Type) func(reflect.Value) bool {
	type zeroer interface{ IsZero() bool }
	method := reflect.TypeFor[zeroer]()
	ask := func(v any) bool {
		z, ok := v.(zeroer)
		return ok && z.IsZero()
	}
	switch {
	case isOptional(t):
		return func(v reflect.Value) bool { return v.Field(0).Uint() == uint64(Absent) }
	case (t.Kind() == reflect.Interface || t.Kind() == reflect.Pointer) && t.Implements(method):
		return func(v reflect.Value) bool {
			return v.IsNil() || v.Kind() == reflect.Interface && v.Elem().Kind() == reflect.Pointer && v.Elem().IsNil() || ask(v.Interface())
		}
	case reflect.PointerTo(t).Implements(method):
		return func(v reflect.Value) bool { return ask(v.Addr().Interface()) }
	default:
		return reflect.Value.IsZero
	}
}

// field writes a field's value, in a string where its tag says so.
func (e *encoder) field(f *field, v reflect.Value) error {
	if !f.quoted {
		return e.write(f.of.get(), v)
	}
	from := len(e.buf)
	if err := e.write(f.of.get(), v); err != nil {
		return err
	}
	text := string(e.buf[from:])
	if text == "null" {
		return nil
	}
	e.buf = e.buf[:from]
	return e.text(text)
}

// additional writes the members that have no field, sorted. The object begins at that place of the buffer.
func (e *encoder) additional(t *fields, v reflect.Value, begin int) error {
	m, ok := t.extra.held(v)
	if !ok || m.Len() == 0 {
		return nil
	}
	for key := range m.Seq() {
		if f := t.find([]byte(key.String())); f != nil {
			return &Error{Err: fmt.Errorf("additional member %q is a field of its own", f.name)}
		}
	}
	if len(e.buf) == begin+1 {
		e.buf = e.buf[:begin] // the map writes the brace
	}
	from := len(e.buf)
	if err := e.write(t.extra.of.get(), m); err != nil {
		return err
	}
	if from > begin {
		e.buf[from] = ','
	}
	e.buf = e.buf[:len(e.buf)-1] // the brace that ends the map, and will end the object
	return nil
}

// writtenName returns a name as it is written before a value. Go's own compiler has seen to it that a tag is UTF-8; where it is not all the
// same, U+FFFD stands in place of what is not.
func writtenName(name string) string {
	text, _ := appendText(nil, strings.ToValidUTF8(name, "\ufffd"))
	return string(append(text, ':'))
}
