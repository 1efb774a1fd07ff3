//go:build ogen

package codec

import (
	"bytes"
	"encoding/json"

	"github.com/go-faster/jx"

	"github.com/resgen-go/resgen/bench/internal/ogenapi"
)

// ogenReads leaves ogen's Validate out, which its client calls as well.
func ogenReads(name string, text []byte) []arm {
	var read func(d *jx.Decoder) error
	switch name {
	case "chat-response":
		read = func(d *jx.Decoder) error { return new(ogenapi.ChatCompletion).Decode(d) }
	case "embeddings-float32":
		read = func(d *jx.Decoder) error { return new(ogenapi.EmbeddingsResponse).Decode(d) }
	case "embeddings-float64":
		read = func(d *jx.Decoder) error { return new(ogenapi.Embeddings64).Decode(d) }
	case "query", "query-with-vectors":
		read = func(d *jx.Decoder) error { return new(ogenapi.QueryResponse).Decode(d) }
	default:
		return nil
	}
	return []arm{{name: "ogen", run: func() error { return byJX(text, read) }}}
}

// ogenWrites writes v, a plain struct, as ogen's type of the same JSON.
func ogenWrites(name string, v any) []writer {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	var same interface {
		json.Unmarshaler
		Encode(e *jx.Encoder)
	}
	switch name {
	case "chat-request":
		same = new(ogenapi.ChatRequest)
	case "upsert":
		same = new(ogenapi.Upsert)
	default:
		return nil
	}
	if err := same.UnmarshalJSON(text); err != nil {
		panic(err)
	}
	return []writer{{name: "ogen", write: func() ([]byte, error) {
		e := jx.GetEncoder()
		defer jx.PutEncoder(e)
		same.Encode(e)
		return bytes.Clone(e.Bytes()), nil
	}}}
}
