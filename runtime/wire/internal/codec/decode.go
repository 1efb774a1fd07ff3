package codec

import (
	"encoding/json"
	"reflect"
)

type decoder struct{}

func readerOf(reflect.Type) func(d *decoder, s *shape, v reflect.Value) error { return nil }

// Decode reads one JSON text into what v points to.
func Decode(data []byte, v any) error {
	return json.Unmarshal(data, v)
}
