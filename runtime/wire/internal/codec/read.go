package codec

import (
	"encoding"
	"encoding/base64"
	"encoding/json"
	"errors"
	"reflect"
)

type reader = func(d *decoder, s *shape, v reflect.Value) error

// readerOf returns what reads a type: what is known of it, its own method, or what its kind says.
func readerOf(t reflect.Type) reader {
	p := reflect.PointerTo(t)
	switch {
	case t == rawType:
		return readRaw
	case t == numberType:
		return readNumber
	case t == timeType:
		return readTime
	case isOptional(t):
		return readOptional
	case t.Kind() == reflect.Struct && isNative(t):
		return readStruct
	case t.Kind() == reflect.Pointer, t.Kind() == reflect.Interface:
	case p.Implements(jsonUnmarshaler):
		return readMethod
	case p.Implements(textUnmarshaler):
		return readTextMethod
	}
	return kindReader(t)
}

func kindReader(t reflect.Type) reader {
	switch t.Kind() {
	case reflect.Bool:
		return readBool
	case reflect.String:
		return readString
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return readInt
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		return readUint
	case reflect.Float32:
		return readFloat32
	case reflect.Float64:
		return readFloat64
	case reflect.Pointer:
		return readPointer
	case reflect.Interface:
		return readInterface
	case reflect.Struct:
		return readStruct
	case reflect.Map:
		return mapReader(t)
	case reflect.Slice:
		return sliceReader(t)
	case reflect.Array:
		return readArray
	default:
		return readNothing
	}
}

// readNothing is for types that JSON has nothing for: channels, functions, complex numbers.
func readNothing(d *decoder, s *shape, _ reflect.Value) error {
	return misfit(d.at, "JSON has no value for the type %s", s.typ)
}

func readBool(d *decoder, _ *shape, v reflect.Value) error {
	c := d.sign()
	if c != 't' && c != 'f' {
		return d.other("a boolean")
	}
	v.SetBool(c == 't')
	return d.boolean()
}

// boolean passes over true or false.
func (d *decoder) boolean() error {
	if d.sign() == 't' {
		return d.literal("true")
	}
	return d.literal("false")
}

func readString(d *decoder, _ *shape, v reflect.Value) error {
	if d.sign() != '"' {
		return d.other("a string")
	}
	text, err := d.text()
	if err != nil {
		return err
	}
	v.SetString(text)
	return nil
}

// readRaw keeps the value as it is written.
func readRaw(d *decoder, _ *shape, v reflect.Value) error {
	text, err := d.skip()
	if err != nil {
		return err
	}
	v.SetBytes(append([]byte(nil), text...))
	return nil
}

// readNumber keeps the digits of a number, and those of a string that holds one.
func readNumber(d *decoder, _ *shape, v reflect.Value) error {
	from := d.at
	var text []byte
	var err error
	switch c := d.sign(); {
	case c == '"':
		if text, err = d.span(); err != nil {
			return err
		}
		if end, f := scanNumber(text, 0); f != fine || end != len(text) {
			return misfit(from, "expected a number, found a string that is none")
		}
	case isNumber(c):
		if text, err = d.skip(); err != nil {
			return err
		}
	default:
		return d.other("a number")
	}
	v.SetString(string(text))
	return nil
}

func readPointer(d *decoder, s *shape, v reflect.Value) error {
	if d.sign() == 'n' {
		v.SetZero()
		return d.literal("null")
	}
	if v.IsNil() {
		v.Set(reflect.New(s.elem.typ))
	}
	of := s.elem.get()
	return of.read(d, of, v.Elem())
}

// readMethod has the type read its value itself.
func readMethod(d *decoder, _ *shape, v reflect.Value) error {
	from := d.at
	text, err := d.skip()
	if err != nil {
		return err
	}
	own, _ := reflect.TypeAssert[json.Unmarshaler](v.Addr())
	if err := own.UnmarshalJSON(text); err != nil {
		return inside(err, from)
	}
	return nil
}

// readTextMethod has the type read the text of a string itself.
func readTextMethod(d *decoder, _ *shape, v reflect.Value) error {
	if d.sign() != '"' {
		return d.other("a string")
	}
	from := d.at
	text, err := d.span()
	if err != nil {
		return err
	}
	own, _ := reflect.TypeAssert[encoding.TextUnmarshaler](v.Addr())
	if err := own.UnmarshalText(text); err != nil {
		return inside(err, from)
	}
	return nil
}

// inside makes an error of a method, whose value begins at an offset, one of the whole text.
func inside(err error, from int) error {
	if e, ok := err.(*Error); ok { //nolint:errorlint // a wrapped one is the next case
		e.Offset += from
		return e
	}
	if e, ok := errors.AsType[*Error](err); ok {
		return &Error{Offset: from + e.Offset, Err: err, tokens: append([]string(nil), e.tokens...)}
	}
	return &Error{Offset: from, Err: err}
}

// readBytes reads base64, and an array of numbers, as encoding/json does.
func readBytes(d *decoder, s *shape, v reflect.Value) error {
	if d.sign() != '"' {
		return readSlice(d, s, v)
	}
	from := d.at
	text, err := d.span()
	if err != nil {
		return err
	}
	out := make([]byte, base64.StdEncoding.DecodedLen(len(text)))
	n, err := base64.StdEncoding.Decode(out, text)
	if err != nil {
		return &Error{Offset: from, Err: err}
	}
	v.SetBytes(out[:n:n])
	return nil
}

// readOptional reads a value that may be absent or null.
func readOptional(d *decoder, s *shape, v reflect.Value) error {
	if d.sign() == 'n' {
		state, value := open(v, s.elem.typ)
		value.SetZero()
		*state = s.null
		return d.literal("null")
	}
	if s.scalar != noScalar {
		return d.optionalScalar(s, v)
	}
	state, value := open(v, s.elem.typ)
	if *state == Present {
		switch value.Kind() {
		case reflect.Map, reflect.Slice, reflect.Array, reflect.Struct, reflect.Pointer, reflect.Interface:
			value.SetZero() // it is a new value, not more of the old one
		default: // it is replaced as a whole
		}
	}
	of := s.elem.get()
	if err := of.read(d, of, value); err != nil {
		return err
	}
	*state = Present
	return nil
}
