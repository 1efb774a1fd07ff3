package codec

import (
	"bytes"
	"encoding/json"
	"reflect"
)

type encoder struct{}

func writerOf(reflect.Type) func(e *encoder, s *shape, v reflect.Value) error { return nil }

// Append appends v as JSON to dst.
func Append(dst []byte, v any) ([]byte, error) {
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return dst, err //nolint:wrapcheck // it says what is wrong
	}
	return append(dst, bytes.TrimSuffix(buf.Bytes(), []byte("\n"))...), nil
}
