package codec

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/go-faster/jx"

	"github.com/resgen-go/resgen/bench/internal/handcodec"
	"github.com/resgen-go/resgen/bench/internal/jxcodec"
	"github.com/resgen-go/resgen/bench/internal/payload"
	"github.com/resgen-go/resgen/bench/llm"
	"github.com/resgen-go/resgen/runtime/wire"
)

// request is a value that is written.
type request struct {
	name    string
	writers []writer
}

// writer returns JSON that is the caller's, unless it says otherwise.
type writer struct {
	name    string
	write   func() ([]byte, error)
	missing string
}

// written makes a request of the plain struct T and the generated type G.
func written[T, G any](name string, v *T, byHand func(b []byte, v *T) []byte, byJX func(w *jx.Writer, v *T)) request {
	generated := new(G)
	if text, err := json.Marshal(v); err != nil {
		panic(err)
	} else if err := json.Unmarshal(text, generated); err != nil {
		panic(err)
	}
	r := request{name: name, writers: []writer{{name: "resgen", write: func() ([]byte, error) { return wire.Marshal(generated) }}}}
	for _, l := range libraries() {
		r.writers = append(r.writers, writer{name: l.name, write: func() ([]byte, error) { return l.marshal(v) }, missing: l.missing})
	}
	r.writers = append(r.writers, ogenWrites(name, v)...)
	var kept []byte
	var buffer bytes.Buffer
	r.writers = append(r.writers,
		writer{name: "jx", write: func() ([]byte, error) {
			w := jx.GetWriter()
			defer jx.PutWriter(w)
			byJX(w, v)
			return bytes.Clone(w.Buf), nil
		}},
		writer{name: "floor", write: func() ([]byte, error) {
			kept = byHand(kept[:0], v)
			return bytes.Clone(kept), nil
		}},
		writer{name: "resgen-kept", write: func() (_ []byte, err error) {
			kept, err = wire.Append(kept[:0], generated)
			return kept, err
		}},
		writer{name: "encoding-json-kept", write: func() ([]byte, error) {
			buffer.Reset()
			err := json.NewEncoder(&buffer).Encode(v)
			return buffer.Bytes(), err
		}},
		writer{name: "floor-kept", write: func() ([]byte, error) {
			kept = byHand(kept[:0], v)
			return kept, nil
		}},
	)
	return r
}

func requests() []request {
	return []request{
		written[payload.ChatRequest, llm.ChatRequest]("chat-request", payload.NewChatRequest(20),
			handcodec.AppendChatRequest, jxcodec.ChatRequest),
		written[payload.Upsert, llm.Upsert]("upsert", payload.NewUpsert(vectors, dim), handcodec.AppendUpsert, jxcodec.Upsert),
	}
}

func TestWritersAgree(t *testing.T) {
	t.Parallel()
	for _, r := range requests() {
		var want any
		for _, w := range r.writers {
			if w.missing != "" {
				t.Logf("%s: %s is left out: %s", r.name, w.name, w.missing)
				continue
			}
			text, err := w.write()
			if err != nil {
				t.Fatalf("%s: %s: %v", r.name, w.name, err)
			}
			var got any
			if err := json.Unmarshal(text, &got); err != nil {
				t.Fatalf("%s: %s: %v", r.name, w.name, err)
			}
			if want == nil {
				want = got
			}
			if diff := difference(want, got); diff != "" {
				t.Errorf("%s (-%s +%s):\n%.2000s", r.name, r.writers[0].name, w.name, diff)
			}
		}
	}
}

// BenchmarkEncode writes each request with each arm. Where a name ends in "kept", the text lies in a buffer that the next one overwrites.
func BenchmarkEncode(b *testing.B) {
	for _, r := range requests() {
		arms := make([]arm, 0, len(r.writers))
		size := 0
		for _, w := range r.writers {
			arms = append(arms, arm{name: w.name, missing: w.missing, run: func() error {
				text, err := w.write()
				size = len(text)
				return err
			}})
		}
		if err := arms[0].run(); err != nil {
			b.Fatal(err)
		}
		measure(b, r.name, size, arms)
	}
}
