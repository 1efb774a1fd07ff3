package codec

import (
	"encoding/json"
	"reflect"
	"testing"

	"github.com/go-faster/jx"
	"github.com/google/go-cmp/cmp"

	"github.com/resgen-go/resgen/bench/internal/handcodec"
	"github.com/resgen-go/resgen/bench/internal/jxcodec"
	"github.com/resgen-go/resgen/bench/internal/payload"
	"github.com/resgen-go/resgen/bench/llm"
	"github.com/resgen-go/resgen/runtime/wire"
)

const (
	vectors = 100
	dim     = 1536
)

// document is one that is read.
type document struct {
	name string
	text []byte
	arms []arm
	// same is a test that the arms give equal values.
	same func(t *testing.T)
}

// reader reads a plain struct by code that knows it.
type reader[T any] struct {
	name string
	read func(data []byte, v *T) error
}

// read makes a document with the plain struct T and the generated type G.
func read[T, G any](name string, text []byte, readers ...reader[T]) document {
	d := document{name: name, text: text}
	d.arms = append(d.arms, arm{name: "resgen", run: func() error { return wire.Unmarshal(text, new(G)) }})
	for _, l := range libraries() {
		d.arms = append(d.arms, arm{name: l.name, run: func() error { return l.unmarshal(text, new(T)) }, missing: l.missing})
		readers = append(readers, reader[T]{l.name, func(data []byte, v *T) error { return l.unmarshal(data, v) }})
	}
	d.arms = append(d.arms, ogenReads(name, text)...)
	for _, r := range readers[:len(readers)-len(libraries())] {
		d.arms = append(d.arms, arm{name: r.name, run: func() error { return r.read(text, new(T)) }})
	}
	d.same = func(t *testing.T) {
		t.Helper()
		for _, r := range readers {
			checkSame(t, r, text)
		}
		checkGenerated[T, G](t, text)
	}
	return d
}

// checkSame compares with encoding/json; no float is NaN.
func checkSame[T any](t *testing.T, r reader[T], text []byte) {
	t.Helper()
	var got, want T
	if err := json.Unmarshal(text, &want); err != nil {
		t.Fatal(err)
	}
	if err := r.read(text, &got); err != nil {
		t.Fatalf("%s: %v", r.name, err)
	}
	if diff := difference(want, got); diff != "" {
		t.Errorf("%s (-encoding/json +%s):\n%.2000s", r.name, r.name, diff)
	}
}

// difference asks cmp only where there is one: it takes seconds for vectors.
func difference(want, got any) string {
	if reflect.DeepEqual(want, got) {
		return ""
	}
	return cmp.Diff(want, got)
}

// checkGenerated compares what the generated type says in JSON.
func checkGenerated[T, G any](t *testing.T, text []byte) {
	t.Helper()
	var generated G
	if err := wire.Unmarshal(text, &generated); err != nil {
		t.Fatal(err)
	}
	said, err := wire.Marshal(&generated)
	if err != nil {
		t.Fatal(err)
	}
	checkSame(t, reader[T]{"resgen", func(_ []byte, v *T) error { return json.Unmarshal(said, v) }}, text)
}

func jxReader[T any](read func(d *jx.Decoder, v *T) error) reader[T] {
	return reader[T]{"jx", func(data []byte, v *T) error {
		return byJX(data, func(d *jx.Decoder) error { return read(d, v) })
	}}
}

func documents() []document {
	query := func(name string, dim int) document {
		return read[payload.QueryResponse, llm.QueryResponse](name, payload.Query(vectors, dim),
			jxReader(jxcodec.Query), reader[payload.QueryResponse]{"floor", handcodec.Query})
	}
	return []document{
		read[payload.ChatCompletion, llm.ChatCompletion]("chat-response", payload.ChatResponse(),
			jxReader(jxcodec.Chat),
			reader[payload.ChatCompletion]{"floor", func(data []byte, v *payload.ChatCompletion) error { return handcodec.Chat(data, v, false) }},
		),
		read[payload.Embeddings32, llm.EmbeddingsResponse]("embeddings-float32", payload.Embeddings(vectors, dim, payload.Float32),
			jxReader(jxcodec.Embeddings32), reader[payload.Embeddings32]{"floor", handcodec.Embeddings32}),
		read[payload.Embeddings64, llm.Embeddings64]("embeddings-float64", payload.Embeddings(vectors, dim, payload.Float64),
			jxReader(jxcodec.Embeddings64), reader[payload.Embeddings64]{"floor", handcodec.Embeddings64}),
		base64Vectors(),
		query("query-with-vectors", dim),
		query("query", 0),
	}
}

// base64Vectors is read by nobody else into floats.
func base64Vectors() document {
	text := payload.Embeddings(vectors, dim, payload.Base64)
	resgen := func(data []byte, v *payload.Embeddings32) error { return wire.Unmarshal(data, v) }
	floor := handcodec.Embeddings32
	return document{
		name: "embeddings-base64", text: text,
		arms: []arm{
			{name: "resgen", run: func() error { return wire.Unmarshal(text, new(llm.EmbeddingsResponse)) }},
			{name: "resgen-plain", run: func() error { return resgen(text, new(payload.Embeddings32)) }},
			{name: "floor", run: func() error { return floor(text, new(payload.Embeddings32)) }},
		},
		same: func(t *testing.T) {
			t.Helper()
			var want, got, byHand payload.Embeddings32
			if err := json.Unmarshal(payload.Embeddings(vectors, dim, payload.Float32), &want); err != nil {
				t.Fatal(err)
			}
			if err := resgen(text, &got); err != nil {
				t.Fatal(err)
			}
			if err := floor(text, &byHand); err != nil {
				t.Fatal(err)
			}
			if diff := difference(want, got); diff != "" {
				t.Errorf("resgen (-text +base64):\n%.2000s", diff)
			}
			if diff := difference(want, byHand); diff != "" {
				t.Errorf("floor (-text +base64):\n%.2000s", diff)
			}
		},
	}
}

func TestReadersAgree(t *testing.T) {
	t.Parallel()
	for _, d := range documents() {
		t.Run(d.name, func(t *testing.T) {
			t.Parallel()
			d.same(t)
		})
	}
}

// BenchmarkDecode reads each document with each arm.
func BenchmarkDecode(b *testing.B) {
	for _, d := range documents() {
		measure(b, d.name, len(d.text), d.arms)
	}
}
