package jxcodec

import (
	"github.com/go-faster/jx"

	"github.com/resgen-go/resgen/bench/internal/payload"
)

// Embeddings32 and Embeddings64 read vectors.
func Embeddings32(d *jx.Decoder, v *payload.Embeddings32) error {
	return embeddings(d, v, (*jx.Decoder).Float32)
}

// Embeddings64 is the same for 64 bits.
func Embeddings64(d *jx.Decoder, v *payload.Embeddings64) error {
	return embeddings(d, v, (*jx.Decoder).Float64)
}

func embeddings[F float32 | float64](d *jx.Decoder, v *payload.EmbeddingList[F], read func(*jx.Decoder) (F, error)) error {
	hint := 0
	return d.ObjBytes(func(d *jx.Decoder, key []byte) error {
		switch string(key) {
		case "object":
			return set(&v.Object, d.Str)
		case "data":
			return d.Arr(func(d *jx.Decoder) error {
				v.Data = append(v.Data, payload.Embedding[F]{})
				e := &v.Data[len(v.Data)-1]
				err := embedding(d, e, hint, func() (F, error) { return read(d) })
				hint = len(e.Embedding)
				return err
			})
		case "model":
			return set(&v.Model, d.Str)
		case "usage":
			return usage(d, &v.Usage)
		}
		return d.Skip()
	})
}

func embedding[F float32 | float64](d *jx.Decoder, v *payload.Embedding[F], hint int, read func() (F, error)) error {
	return d.ObjBytes(func(d *jx.Decoder, key []byte) error {
		switch string(key) {
		case "object":
			return set(&v.Object, d.Str)
		case "index":
			return set(&v.Index, d.Int64)
		case "embedding":
			return vector(d, &v.Embedding, hint, read)
		}
		return d.Skip()
	})
}

// Query reads what a vector store found.
func Query(d *jx.Decoder, v *payload.QueryResponse) error {
	return d.ObjBytes(func(d *jx.Decoder, key []byte) error {
		switch string(key) {
		case "result":
			return d.ObjBytes(func(d *jx.Decoder, key []byte) error {
				if string(key) != "points" {
					return d.Skip()
				}
				return points(d, &v.Result.Points)
			})
		case "status":
			return set(&v.Status, d.Str)
		case "time":
			return set(&v.Time, d.Float64)
		}
		return d.Skip()
	})
}

func points(d *jx.Decoder, v *[]payload.Hit) error {
	hint := 0
	return d.Arr(func(d *jx.Decoder) error {
		*v = append(*v, payload.Hit{})
		h := &(*v)[len(*v)-1]
		err := hit(d, h, hint)
		hint = len(h.Vector)
		return err
	})
}

func hit(d *jx.Decoder, v *payload.Hit, hint int) error {
	return d.ObjBytes(func(d *jx.Decoder, key []byte) error {
		switch string(key) {
		case "id":
			return set(&v.ID, d.Int64)
		case "version":
			return set(&v.Version, d.Int64)
		case "score":
			return set(&v.Score, d.Float64)
		case "payload":
			return stored(d, &v.Payload)
		case "vector":
			return vector(d, &v.Vector, hint, d.Float32)
		}
		return d.Skip()
	})
}

func stored(d *jx.Decoder, v *payload.Payload) error {
	return d.ObjBytes(func(d *jx.Decoder, key []byte) error {
		switch string(key) {
		case "title":
			return set(&v.Title, d.Str)
		case "url":
			return set(&v.URL, d.Str)
		case "chunk":
			return set(&v.Chunk, d.Int64)
		case "lang":
			return set(&v.Lang, d.Str)
		case "published":
			return set(&v.Published, d.Bool)
		case "text":
			return set(&v.Text, d.Str)
		}
		return d.Skip()
	})
}
