package wire

import "github.com/resgen-go/resgen/runtime/wire/internal/codec"

// encodeJSON writes v as JSON: no HTML escaping, no trailing newline, and lists and maps that are required but nil as empty ones.
func encodeJSON(v any) ([]byte, error) { return codec.Marshal(v) }
