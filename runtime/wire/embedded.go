package wire

import "github.com/resgen-go/resgen/runtime/wire/internal/codec"

// JSONText is a string that holds JSON (contentMediaType: application/json with a contentSchema, JSON Schema 2020-12 section 8). It is sent
// and read as the string that it is, so a text that is no JSON, or no T, is kept and is no error of what it came with. The zero value is
// the empty string.
type JSONText[T any] string

// JSONTextOf returns v as JSON in a string. The error is that of encoding/json for a value that JSON does not have.
func JSONTextOf[T any](v T) (JSONText[T], error) {
	data, err := Marshal(v)
	return JSONText[T](data), err
}

// Decode returns the value that the string holds.
func (s JSONText[T]) Decode() (T, error) {
	var v T
	err := codec.Decode([]byte(s), &v)
	if err != nil {
		var none T
		return none, err
	}
	return v, nil
}
