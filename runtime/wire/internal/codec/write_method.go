package codec

import (
	"encoding"
	"encoding/json"
	"reflect"
)

// writeMarshaler writes what the type's own method returns, checked and compact.
func writeMarshaler(_ *encoder, dst []byte, _ *shape, v reflect.Value) ([]byte, error) {
	text, err := v.Addr().Interface().(json.Marshaler).MarshalJSON() //nolint:forcetypeassert // its shape says so
	if err != nil {
		return dst, failed(err)
	}
	return appendRaw(dst, text)
}

func writeTextMarshaler(_ *encoder, dst []byte, _ *shape, v reflect.Value) ([]byte, error) {
	text, err := v.Addr().Interface().(encoding.TextMarshaler).MarshalText() //nolint:forcetypeassert // its shape says so
	if err != nil {
		return dst, failed(err)
	}
	return appendString(dst, string(text))
}

func writeTextAppender(e *encoder, dst []byte, _ *shape, v reflect.Value) ([]byte, error) {
	text, err := v.Addr().Interface().(encoding.TextAppender).AppendText(e.spare[:0]) //nolint:forcetypeassert // its shape says so
	if err != nil {
		return dst, failed(err)
	}
	e.spare = text
	return appendString(dst, string(text))
}

// writeRaw writes JSON that is there already; none as null.
func writeRaw(_ *encoder, dst []byte, _ *shape, v reflect.Value) ([]byte, error) {
	if v.IsNil() {
		return append(dst, "null"...), nil
	}
	return appendRaw(dst, v.Bytes())
}

// appendRaw appends a JSON text, after it was checked, without its white space.
func appendRaw(dst, text []byte) ([]byte, error) {
	if err := Check(text); err != nil {
		return dst, err
	}
	return appendCompact(dst, text), nil
}

// appendCompact appends a valid JSON text without the white space in it.
func appendCompact(dst, text []byte) []byte {
	from := 0
	for i := 0; i < len(text); {
		switch c := text[i]; {
		case c == '"':
			i, _, _ = scanString(text, i+1)
		case c <= ' ':
			dst = append(dst, text[from:i]...)
			i = space(text, i)
			from = i
		default:
			i++
		}
	}
	return append(dst, text[from:]...)
}

// isKept reports whether a type is a value that keeps its JSON, or a struct that does nothing but embed one.
func isKept(t reflect.Type) bool {
	for t.Kind() == reflect.Struct && t.NumField() == 1 {
		f := t.Field(0)
		if f.Type == keptType {
			return true
		}
		if t = f.Type; !f.Anonymous {
			return false
		}
	}
	return false
}

// writeKept writes a value that keeps its JSON. The type's own method is asked, because a type that embeds one may have another; where it
// returns the text that is kept, and that is known to be compact, nothing of it needs to be looked at.
func writeKept(e *encoder, dst []byte, s *shape, v reflect.Value) ([]byte, error) {
	m, ok := reflect.TypeAssert[json.Marshaler](v.Addr())
	if !ok {
		return writeStruct(e, dst, s, v)
	}
	text, err := m.MarshalJSON()
	if err != nil {
		return dst, failed(err)
	}
	for v.Type() != keptType {
		v = slot(v.Field(0))
	}
	k := v.Addr().Interface().(*Kept) //nolint:forcetypeassert // the loop says so
	if k.Compact && len(text) > 0 && len(text) == len(k.Text) && &text[0] == &k.Text[0] {
		return append(dst, text...), nil
	}
	return appendRaw(dst, text)
}
