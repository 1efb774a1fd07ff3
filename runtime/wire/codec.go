package wire

import "github.com/resgen-go/resgen/runtime/wire/internal/codec"

// Unmarshal reads one JSON text into what v points to: encoding/json's rules, stricter where that loses data in silence and wider where
// servers do not keep to their schemas (docs/reference/json.md). The UnmarshalJSON methods of generated types call it, so that
// encoding/json reads them alike. The error is a *JSONError. After an error what v points to may hold a part of the text. Nothing of v
// aliases data.
func Unmarshal(data []byte, v any) error { return codec.Decode(data, v) }

// Marshal returns v as JSON: compact, without HTML escaping or a line end, and with lists and maps that are nil as empty ones. The
// MarshalJSON methods of generated types call it.
func Marshal(v any) ([]byte, error) { return codec.Marshal(v) }

// Append is Marshal that appends to dst, for those who keep their buffers: what the result is written to costs as much as the writing. After an
// error it returns dst as it was.
func Append(dst []byte, v any) ([]byte, error) { return codec.Append(dst, v) }

// JSONError is a JSON text that Unmarshal cannot read, or a value that Marshal cannot write. Its method Path returns where that lies, as a
// JSON pointer (RFC 6901). A text that ends too early is io.ErrUnexpectedEOF. For the body of an answer a *DecodeError says the same.
type JSONError = codec.Error
