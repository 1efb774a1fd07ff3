package codec

import (
	"encoding"
	"encoding/json"
	"fmt"
	"reflect"
	"strconv"
	"time"
)

// writer appends a value of a shape to dst. After an error, what it returns beside that means nothing.
type writer = func(e *encoder, dst []byte, s *shape, v reflect.Value) ([]byte, error)

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

func writeUnsupported(_ *encoder, dst []byte, s *shape, _ reflect.Value) ([]byte, error) {
	return dst, &Error{Err: fmt.Errorf("JSON has no values of the type %s", s.typ)}
}

func writePointer(e *encoder, dst []byte, s *shape, v reflect.Value) ([]byte, error) {
	if v.IsNil() {
		return append(dst, "null"...), nil
	}
	if err := e.enter(); err != nil {
		return dst, err
	}
	dst, err := e.write(dst, s.elem.get(), v.Elem())
	e.leave()
	return dst, err
}

func writeInterface(e *encoder, dst []byte, _ *shape, v reflect.Value) ([]byte, error) {
	if v.IsNil() {
		return append(dst, "null"...), nil
	}
	if err := e.enter(); err != nil {
		return dst, err
	}
	dst, err := e.value(dst, v.Elem().Interface())
	e.leave()
	return dst, err
}

func writeBool(_ *encoder, dst []byte, _ *shape, v reflect.Value) ([]byte, error) {
	return strconv.AppendBool(dst, v.Bool()), nil
}

func writeInt(_ *encoder, dst []byte, _ *shape, v reflect.Value) ([]byte, error) {
	return strconv.AppendInt(dst, v.Int(), 10), nil
}

func writeUint(_ *encoder, dst []byte, _ *shape, v reflect.Value) ([]byte, error) {
	return strconv.AppendUint(dst, v.Uint(), 10), nil
}

func writeFloat(_ *encoder, dst []byte, s *shape, v reflect.Value) ([]byte, error) {
	return appendNumber(dst, v.Float(), s.typ.Bits())
}

func appendNumber(dst []byte, f float64, bits int) ([]byte, error) {
	out, ok := appendFloat(dst, f, bits)
	if !ok {
		return dst, &Error{Err: fmt.Errorf("JSON has no number %v", f)}
	}
	return out, nil
}

func writeString(_ *encoder, dst []byte, _ *shape, v reflect.Value) ([]byte, error) {
	return appendString(dst, v.String())
}

func appendString(dst []byte, s string) ([]byte, error) {
	out, bad := appendText(dst, "", s)
	if bad >= 0 {
		return dst, notUTF8(s, bad)
	}
	return out, nil
}

func notUTF8(s string, at int) error {
	return &Error{Err: fmt.Errorf("text that is not UTF-8: byte 0x%02x at %d of %d", s[at], at, len(s))}
}

// writeNumber writes the digits as they are; an empty number is 0, as with encoding/json.
func writeNumber(_ *encoder, dst []byte, _ *shape, v reflect.Value) ([]byte, error) {
	number := v.String()
	if number == "" {
		number = "0"
	}
	if end, f := scanNumber([]byte(number), 0); f != fine || end != len(number) {
		return dst, &Error{Err: fmt.Errorf("%.40q is no number", number)}
	}
	return append(dst, number...), nil
}

func writeTime(_ *encoder, dst []byte, _ *shape, v reflect.Value) ([]byte, error) {
	t := v.Addr().Interface().(*time.Time) //nolint:forcetypeassert // its shape says so
	out, err := t.AppendText(append(dst, '"'))
	if err != nil {
		return dst, &Error{Err: err}
	}
	return append(out, '"'), nil
}

// writeOptional writes an Opt, a Null or an OptNull.
func writeOptional(e *encoder, dst []byte, s *shape, v reflect.Value) ([]byte, error) {
	if v.Field(0).Uint() != Present {
		return append(dst, "null"...), nil
	}
	return e.write(dst, s.elem.get(), slot(v.Field(1)))
}
