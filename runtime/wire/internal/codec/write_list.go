package codec

import (
	"encoding/base64"
	"reflect"
	"strconv"
)

func writerOfSlice(t reflect.Type) writer {
	switch elem := reflect.PointerTo(t.Elem()); {
	case t.Elem().Kind() == reflect.Uint8 && !elem.Implements(jsonMarshaler) && !elem.Implements(textMarshaler):
		return writeBytes
	case t.Elem() == reflect.TypeFor[float32]():
		return writeFloats[float32]
	case t.Elem() == reflect.TypeFor[float64]():
		return writeFloats[float64]
	default:
		return writeSlice
	}
}

func writeBytes(_ *encoder, dst []byte, _ *shape, v reflect.Value) ([]byte, error) {
	dst = base64.StdEncoding.AppendEncode(append(dst, '"'), v.Bytes())
	return append(dst, '"'), nil
}

func writeSlice(e *encoder, dst []byte, s *shape, v reflect.Value) ([]byte, error) {
	if v.Len() == 0 {
		return append(dst, "[]"...), nil
	}
	return writeArray(e, dst, s, v)
}

func writeArray(e *encoder, dst []byte, s *shape, v reflect.Value) ([]byte, error) {
	if err := e.enter(); err != nil {
		return dst, err
	}
	elem := s.elem.get()
	dst = append(dst, '[')
	for i := range v.Len() {
		if i > 0 {
			dst = append(dst, ',')
		}
		var err error
		if dst, err = e.write(dst, elem, v.Index(i)); err != nil {
			return dst, within(err, strconv.Itoa(i))
		}
	}
	e.leave()
	return append(dst, ']'), nil
}

// list writes a list of values of any type.
func (e *encoder) list(dst []byte, v []any) ([]byte, error) {
	if err := e.enter(); err != nil {
		return dst, err
	}
	dst = append(dst, '[')
	for i := range v {
		if i > 0 {
			dst = append(dst, ',')
		}
		var err error
		if dst, err = e.value(dst, v[i]); err != nil {
			return dst, within(err, strconv.Itoa(i))
		}
	}
	e.leave()
	return append(dst, ']'), nil
}

// writeFloats writes a vector.
func writeFloats[F float32 | float64](_ *encoder, dst []byte, s *shape, v reflect.Value) ([]byte, error) {
	vector := *v.Addr().Convert(reflect.TypeFor[*[]F]()).Interface().(*[]F) //nolint:forcetypeassert // it was made one
	bits := s.elem.typ.Bits()
	dst = append(dst, '[')
	for i, f := range vector {
		if i > 0 {
			dst = append(dst, ',')
		}
		var err error
		if dst, err = appendNumber(dst, float64(f), bits); err != nil {
			return dst, within(err, strconv.Itoa(i))
		}
	}
	return append(dst, ']'), nil
}
