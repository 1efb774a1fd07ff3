package handcodec

import (
	"encoding/base64"
	"unicode/utf8"
	"unsafe"

	"github.com/resgen-go/resgen/bench/internal/payload"
)

// firstSize is how many values the first vector gets room for; others get what the one before took.
const firstSize = 256

// Embeddings32 reads vectors of 32 bits, as text or as base64.
func Embeddings32(b []byte, v *payload.Embeddings32) error {
	return embeddings(b, v, func(c *cursor, hint int) []float32 {
		if c.space() == '"' {
			return c.base64()
		}
		return c.floats32(hint)
	})
}

// Embeddings64 reads vectors of 64 bits.
func Embeddings64(b []byte, v *payload.Embeddings64) error {
	return embeddings(b, v, func(c *cursor, hint int) []float64 { return c.floats64(hint) })
}

func embeddings[F float32 | float64](b []byte, v *payload.EmbeddingList[F], vector func(c *cursor, hint int) []F) error {
	c := &cursor{b: b}
	for ok := c.open('{', '}'); ok; ok = c.more('}') {
		switch string(c.key()) {
		case "object":
			v.Object = c.str()
		case "data":
			hint := firstSize
			for ok := c.open('[', ']'); ok; ok = c.more(']') {
				v.Data = append(v.Data, payload.Embedding[F]{})
				e := &v.Data[len(v.Data)-1]
				embedding(c, e, hint, vector)
				hint = len(e.Embedding)
			}
		case "model":
			v.Model = c.str()
		case "usage":
			v.Usage = c.usage()
		default:
			c.skip()
		}
	}
	return c.err()
}

func embedding[F float32 | float64](c *cursor, v *payload.Embedding[F], hint int, vector func(c *cursor, hint int) []F) {
	for ok := c.open('{', '}'); ok; ok = c.more('}') {
		switch string(c.key()) {
		case "object":
			v.Object = c.str()
		case "index":
			v.Index = c.integer()
		case "embedding":
			v.Embedding = vector(c, hint)
		default:
			c.skip()
		}
	}
}

// base64 reads the bytes of little-endian float32 into place: on such hosts only.
func (c *cursor) base64() []float32 {
	from, to, _ := c.span()
	text := c.b[from:to]
	out := make([]float32, (base64.StdEncoding.DecodedLen(len(text))+3)/4)
	if len(out) == 0 {
		return out
	}
	raw := unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(out))), 4*len(out))
	n, err := base64.StdEncoding.Decode(raw, text)
	if err != nil || n%4 != 0 {
		c.bad = true
	}
	return out[:n/4]
}

// Query reads what a vector store found. Each string is copied by itself, so that none keeps the text.
func Query(b []byte, v *payload.QueryResponse) error {
	if !utf8.Valid(b) {
		return ErrSyntax
	}
	c := &cursor{b: b}
	for ok := c.open('{', '}'); ok; ok = c.more('}') {
		switch string(c.key()) {
		case "result":
			c.result(&v.Result)
		case "status":
			v.Status = c.str()
		case "time":
			v.Time = c.float()
		default:
			c.skip()
		}
	}
	return c.err()
}

func (c *cursor) result(v *payload.QueryResult) {
	hint := firstSize
	for ok := c.open('{', '}'); ok; ok = c.more('}') {
		if string(c.key()) != "points" {
			c.skip()
			continue
		}
		for ok := c.open('[', ']'); ok; ok = c.more(']') {
			v.Points = append(v.Points, payload.Hit{})
			hit := &v.Points[len(v.Points)-1]
			c.hit(hit, hint)
			hint = len(hit.Vector)
		}
	}
}

func (c *cursor) hit(v *payload.Hit, hint int) {
	for ok := c.open('{', '}'); ok; ok = c.more('}') {
		switch string(c.key()) {
		case "id":
			v.ID = c.integer()
		case "version":
			v.Version = c.integer()
		case "score":
			v.Score = c.float()
		case "payload":
			c.payload(&v.Payload)
		case "vector":
			v.Vector = c.floats32(hint)
		default:
			c.skip()
		}
	}
}

func (c *cursor) payload(v *payload.Payload) {
	for ok := c.open('{', '}'); ok; ok = c.more('}') {
		switch string(c.key()) {
		case "title":
			v.Title = c.str()
		case "url":
			v.URL = c.str()
		case "chunk":
			v.Chunk = c.integer()
		case "lang":
			v.Lang = c.str()
		case "published":
			v.Published = c.boolean()
		case "text":
			v.Text = c.str()
		default:
			c.skip()
		}
	}
}
