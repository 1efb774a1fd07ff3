package codec

import (
	"encoding"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"reflect"
	"strconv"
	"time"
)

type writer = func(e *encoder, s *shape, v reflect.Value) error

var (
	jsonMarshaler = reflect.TypeFor[json.Marshaler]()
	textMarshaler = reflect.TypeFor[encoding.TextMarshaler]()
	textAppender  = reflect.TypeFor[encoding.TextAppender]()
)

// writerOf returns what writes values of a type: as what this package knows, else with the methods that the type has, else by its kind.
func writerOf(t reflect.Type) writer {
	switch {
	case t.Kind() == reflect.Pointer:
		return writePointer
	case t.Kind() == reflect.Interface:
		return writeInterface
	case t == rawType:
		return writeRaw
	case t == numberType:
		return writeNumber
	case t == timeType:
		return writeTime
	case isOptional(t):
		return writeOptional
	case isKept(t):
		return writeKept
	case t.Kind() == reflect.Struct && isNative(t):
		return writeStruct
	}
	switch p := reflect.PointerTo(t); {
	case p.Implements(jsonMarshaler):
		return writeMarshaler
	case p.Implements(textAppender) && p.Implements(textMarshaler):
		return writeTextAppender
	case p.Implements(textMarshaler):
		return writeTextMarshaler
	}
	return writerOfKind(t)
}

func writerOfKind(t reflect.Type) writer {
	switch t.Kind() {
	case reflect.Bool:
		return writeBool
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return writeInt
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		return writeUint
	case reflect.Float32, reflect.Float64:
		return writeFloat
	case reflect.String:
		return writeString
	case reflect.Struct:
		return writeStruct
	case reflect.Map:
		return writerOfMap(t)
	case reflect.Slice:
		return writerOfSlice(t)
	case reflect.Array:
		return writeArray
	default:
		return writeUnsupported
	}
}

func writeUnsupported(_ *encoder, s *shape, _ reflect.Value) error {
	return &Error{Err: fmt.Errorf("JSON has no values of the type %s", s.typ)}
}

func writePointer(e *encoder, s *shape, v reflect.Value) error {
	if v.IsNil() {
		return e.null()
	}
	if err := e.enter(); err != nil {
		return err
	}
	defer e.leave()
	return e.write(s.elem.get(), v.Elem())
}

func writeInterface(e *encoder, _ *shape, v reflect.Value) error {
	if v.IsNil() {
		return e.null()
	}
	if err := e.enter(); err != nil {
		return err
	}
	defer e.leave()
	return e.value(v.Elem().Interface())
}

func (e *encoder) null() error {
	e.buf = append(e.buf, "null"...)
	return nil
}

func writeBool(e *encoder, _ *shape, v reflect.Value) error {
	e.bool(v.Bool())
	return nil
}

func (e *encoder) bool(v bool) { e.buf = strconv.AppendBool(e.buf, v) }

func writeInt(e *encoder, _ *shape, v reflect.Value) error {
	e.int(v.Int())
	return nil
}

func (e *encoder) int(v int64) { e.buf = strconv.AppendInt(e.buf, v, 10) }

func writeUint(e *encoder, _ *shape, v reflect.Value) error {
	e.buf = strconv.AppendUint(e.buf, v.Uint(), 10)
	return nil
}

func writeFloat(e *encoder, s *shape, v reflect.Value) error { return e.float(v.Float(), s.typ.Bits()) }

func (e *encoder) float(f float64, bits int) error {
	out, ok := appendFloat(e.buf, f, bits)
	if !ok {
		return &Error{Err: fmt.Errorf("JSON has no number %v", f)}
	}
	e.buf = out
	return nil
}

func writeString(e *encoder, _ *shape, v reflect.Value) error { return e.text(v.String()) }

func (e *encoder) text(s string) error {
	out, bad := appendText(e.buf, s)
	if bad >= 0 {
		return &Error{Err: fmt.Errorf("text that is not UTF-8: byte 0x%02x at %d of %d", s[bad], bad, len(s))}
	}
	e.buf = out
	return nil
}

// writeNumber writes the digits as they are; an empty number is 0, as with encoding/json.
func writeNumber(e *encoder, _ *shape, v reflect.Value) error {
	number := v.String()
	if number == "" {
		number = "0"
	}
	if end, f := scanNumber([]byte(number), 0); f != fine || end != len(number) {
		return &Error{Err: fmt.Errorf("%.40q is no number", number)}
	}
	e.buf = append(e.buf, number...)
	return nil
}

func writeTime(e *encoder, _ *shape, v reflect.Value) error {
	t := v.Addr().Interface().(*time.Time) //nolint:forcetypeassert // its shape says so
	e.buf = append(e.buf, '"')
	out, err := t.AppendText(e.buf)
	if err != nil {
		return &Error{Err: err}
	}
	e.buf = append(out, '"')
	return nil
}

// writeOptional writes an Opt, a Null or an OptNull.
func writeOptional(e *encoder, s *shape, v reflect.Value) error {
	state, value := open(v, s.elem.typ)
	if *state != Present {
		return e.null()
	}
	return e.write(s.elem.get(), value)
}

func writerOfSlice(t reflect.Type) writer {
	elem := reflect.PointerTo(t.Elem())
	switch t.Elem().Kind() {
	case reflect.Uint8:
		if !elem.Implements(jsonMarshaler) && !elem.Implements(textMarshaler) {
			return writeBytes
		}
	case reflect.Float32:
		if t.Elem() == reflect.TypeFor[float32]() {
			return writeFloats[float32]
		}
	case reflect.Float64:
		if t.Elem() == reflect.TypeFor[float64]() {
			return writeFloats[float64]
		}
	default:
	}
	return writeSlice
}

func writeBytes(e *encoder, _ *shape, v reflect.Value) error {
	e.buf = append(e.buf, '"')
	e.buf = base64.StdEncoding.AppendEncode(e.buf, v.Bytes())
	e.buf = append(e.buf, '"')
	return nil
}

func writeSlice(e *encoder, s *shape, v reflect.Value) error {
	if v.Len() == 0 {
		e.buf = append(e.buf, "[]"...)
		return nil
	}
	return writeArray(e, s, v)
}

func writeArray(e *encoder, s *shape, v reflect.Value) error {
	if err := e.enter(); err != nil {
		return err
	}
	defer e.leave()
	elem := s.elem.get()
	e.buf = append(e.buf, '[')
	for i := range v.Len() {
		if i > 0 {
			e.buf = append(e.buf, ',')
		}
		if err := e.write(elem, v.Index(i)); err != nil {
			return within(err, strconv.Itoa(i))
		}
	}
	e.buf = append(e.buf, ']')
	return nil
}

// list writes a list of values of any type.
func (e *encoder) list(v []any) error {
	if err := e.enter(); err != nil {
		return err
	}
	defer e.leave()
	e.buf = append(e.buf, '[')
	for i := range v {
		if i > 0 {
			e.buf = append(e.buf, ',')
		}
		if err := e.value(v[i]); err != nil {
			return within(err, strconv.Itoa(i))
		}
	}
	e.buf = append(e.buf, ']')
	return nil
}

// writeFloats writes a vector.
func writeFloats[F float32 | float64](e *encoder, s *shape, v reflect.Value) error {
	vector := *v.Addr().Convert(reflect.TypeFor[*[]F]()).Interface().(*[]F) //nolint:forcetypeassert // it was made one
	bits := s.typ.Elem().Bits()
	e.buf = append(e.buf, '[')
	for i, f := range vector {
		if i > 0 {
			e.buf = append(e.buf, ',')
		}
		out, ok := appendFloat(e.buf, float64(f), bits)
		if !ok {
			return within(&Error{Err: fmt.Errorf("JSON has no number %v", f)}, strconv.Itoa(i))
		}
		e.buf = out
	}
	e.buf = append(e.buf, ']')
	return nil
}
