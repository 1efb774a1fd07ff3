package generator_test

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/resgen-go/resgen/runtime"
	"github.com/resgen-go/resgen/runtime/cache"
	"github.com/resgen-go/resgen/runtime/policy"
	"github.com/resgen-go/resgen/runtime/wire"
	vec "github.com/resgen-go/resgen/testdata/specs/vectors/want"
)

// vectorsServer is a client of testdata/specs/vectors whose targets are functions, with what they were sent.
type vectorsServer struct {
	*vec.Client

	// answer and replica are what the targets answer; the empty text is a 503.
	answer, replica answering
	// sent are the bodies that came to the primary target, there to the replica.
	sent, there []string
	keys        []string // the idempotency keys that came with them
}

// newVectors makes the client. It must be called in a bubble.
func newVectors(t *testing.T, opts ...vec.Option) *vectorsServer {
	t.Helper()
	s := &vectorsServer{}
	target := func(sent *[]string, answer *answering) *http.Client {
		return &http.Client{Transport: roundTrip(func(r *http.Request) (*http.Response, error) {
			body, err := io.ReadAll(r.Body)
			if err != nil {
				t.Error(err)
			}
			*sent = append(*sent, string(body))
			s.keys = append(s.keys, r.Header.Get("Idempotency-Key"))
			return responseOf(r, (*answer)(r)), nil
		})}
	}
	opts = append(opts,
		vec.WithHTTPClient(target(&s.sent, &s.answer)), vec.WithStore(cache.New(cache.Config{})),
		vec.WithTarget("replica", vec.WithHTTPClient(target(&s.there, &s.replica))),
	)
	client, err := vec.New(opts...)
	if err != nil {
		t.Fatal(err)
	}
	s.Client = client
	return s
}

// embeddings is the answer with vectors of some lengths.
func embeddings(lengths ...int) string {
	type item struct {
		Index     int       `json:"index"`
		Embedding []float64 `json:"embedding"`
	}
	list := struct {
		Model string `json:"model"`
		Data  []item `json:"data"`
	}{Model: "m", Data: []item{}}
	for i, n := range lengths {
		list.Data = append(list.Data, item{i, make([]float64, n)})
	}
	text, err := json.Marshal(list)
	if err != nil {
		panic(err)
	}
	return string(text)
}

// embeddings64 is the answer with vectors of some lengths, in base64.
func embeddings64(lengths ...int) string {
	var items []string
	for _, n := range lengths {
		items = append(items, `{"index":0,"embedding":"`+base64.StdEncoding.EncodeToString(make([]byte, 4*n))+`"}`)
	}
	return `{"model":"m","data":[` + strings.Join(items, ",") + `]}`
}

// TestVectorLengths takes a vector of another length than was asked for, or than the same model had before, for no answer.
func TestVectorLengths(t *testing.T) {
	t.Parallel()
	type asked struct {
		model      string
		dimensions int64
		answer     string
		fault      string // of the error; empty for an answer
		at         string // where the fault is
	}
	for name, calls := range map[string][]asked{
		"asked for":           {{"m", 3, embeddings(3, 3), "", ""}, {"m", 3, embeddings(3, 4), "4 numbers, and 3 numbers were asked for", "/data/1/embedding"}},
		"asked for, base64":   {{"m", 3, embeddings64(3), "", ""}, {"m", 3, embeddings64(4), "16 bytes, and 3 numbers were asked for", "/data/0/embedding"}},
		"as before":           {{"m", 0, embeddings(5), "", ""}, {"m", 0, embeddings(5, 5), "", ""}, {"m", 0, embeddings(5, 6), "6 numbers, and those before had 5", "/data/1/embedding"}},
		"as before, base64":   {{"m", 0, embeddings64(5), "", ""}, {"m", 0, embeddings64(6), "24 bytes, and those before had 20", "/data/0/embedding"}},
		"of each model":       {{"m", 0, embeddings(5), "", ""}, {"n", 0, embeddings(6), "", ""}, {"n", 0, embeddings(5), "those before had 6", "/data/0/embedding"}},
		"asked for is no use": {{"m", 2, embeddings(2), "", ""}, {"m", 0, embeddings(5), "", ""}},
		"within an answer":    {{"m", 0, embeddings(5, 6), "those before had 5", "/data/1/embedding"}, {"m", 0, embeddings(6), "", ""}},
		"none at all":         {{"m", 0, embeddings(), "", ""}, {"m", 0, embeddings(7), "", ""}},
		"empty":               {{"m", 0, embeddings(0), "a vector without numbers", "/data/0/embedding"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				s := newVectors(t)
				for i, c := range calls {
					s.answer = fixed(c.answer)
					s.replica = s.answer
					req := &vec.EmbeddingOrder{Model: c.model, Input: []string{string(rune('a' + i))}}
					if c.dimensions > 0 {
						req.Dimensions = wire.Some(c.dimensions)
					}
					_, err := s.CreateEmbedding(t.Context(), req)
					if c.fault == "" {
						if err != nil {
							t.Errorf("call %d: %v", i+1, err)
						}
						continue
					}
					var decode *wire.DecodeError
					var e *runtime.Error
					if !errors.As(err, &e) || e.Kind != policy.KindDecode || !errors.As(err, &decode) || !strings.Contains(err.Error(), c.fault) || decode.Path != c.at {
						t.Errorf("call %d: got %v, want kind decode, %q at %s", i+1, err, c.fault, c.at)
					}
				}
			})
		})
	}
}

// TestVectorOfThePath tells models apart that the path names.
func TestVectorOfThePath(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newVectors(t)
		ask := func(model, values string) error {
			s.answer = fixed(`{"embedding":{"values":` + values + `}}`)
			_, err := s.EmbedContent(t.Context(), &vec.EmbedContentRequest{Model: model})
			return err
		}
		if err := errors.Join(ask("small", `[1,2]`), ask("large", `[1,2,3]`), ask("small", `[3,4]`)); err != nil {
			t.Error(err)
		}
		if err := ask("small", `[1,2,3]`); err == nil {
			t.Error("a vector of another length was taken for an answer")
		}
	})
}

// TestVectorOfARung has the answers of all targets live in one space, and keeps nothing of another.
func TestVectorOfARung(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newVectors(t)
		s.answer, s.replica = fixed(embeddings(3)), fixed(embeddings(4))
		ask := func(input string) (runtime.Result[*vec.EmbeddingList], error) {
			return s.CreateEmbedding(t.Context(), &vec.EmbeddingOrder{Model: "m", Input: []string{input}})
		}
		if _, err := ask("a"); err != nil {
			t.Fatal(err)
		}
		s.answer = fixed("")
		if res, err := ask("b"); err == nil {
			t.Errorf("got %+v of the replica, whose vectors have another length", res)
		}
		s.replica = fixed(embeddings(3))
		for range 2 {
			if res, err := ask("b"); err != nil || res.Rung != "replica" {
				t.Errorf("got %+v, %v", res, err)
			}
		}
		// a wrong answer of the primary target is tried again, and not kept
		s.answer = fixed(embeddings(9))
		if res, err := ask("c"); err != nil || res.Rung != "replica" || res.Reason != policy.KindDecode {
			t.Errorf("got %+v, %v, want the replica because of decode", res, err)
		}
		s.answer = fixed(embeddings(3))
		if res, err := ask("c"); err != nil || res.Degraded || res.Age != 0 {
			t.Errorf("got %+v, %v, want an answer of the target itself", res, err)
		}
	})
}
