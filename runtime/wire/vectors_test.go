package wire_test

import (
	"encoding/json"
	"errors"
	"net/http"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/resgen-go/resgen/runtime/wire"
)

var errWrong = errors.New("wrong")

// vectorAnswer has vectors in every form that a generated type may have.
type vectorAnswer struct {
	Data   []vectorItem         `json:"data"`
	ByName map[string][]float32 `json:"by_name"`
	Opt    wire.Opt[string]     `json:"opt,omitzero"`
	Raw    json.RawMessage      `json:"raw"`
	Any    any                  `json:"any"`
	Bytes  []byte               `json:"bytes"`
}

type vectorItem struct {
	Values *vectorValues `json:"values"`
	Union  vectorUnion   `json:"union"`
}

type vectorValues struct {
	List []float64 `json:"list"`
}

type vectorUnion struct{ wire.Union }

// TestCheckVectors counts what was decoded, in whatever form.
func TestCheckVectors(t *testing.T) {
	t.Parallel()
	const text = `{"data":[{"values":{"list":[1,2,3]},"union":[1]},{"values":null,"union":"AAAAAA=="},{"values":{"list":null}},{"union":{"list":[1,2]}}],
		"by_name":{"a":[1,2]},"opt":"AAAA","raw":{"x":[[1,2],[3]]},"any":{"y":[[],[7,7]]},"bytes":"AAECAw=="}`
	for pointer, want := range map[string][]wire.Vector{
		"/data/*/values/list": {{Length: 3}},
		"/data/0/values/list": {{Length: 3}},
		"/data/*/union":       {{Length: 1}, {Length: 4, Bytes: true}},
		"/data/*/union/list":  {{Length: 2}},
		"/by_name/*":          {{Length: 2}},
		"/by_name/a":          {{Length: 2}},
		"/by_name/b":          nil,
		"/opt":                {{Length: 3, Bytes: true}},
		"/raw/x/*":            {{Length: 2}, {Length: 1}},
		"/any/y/*":            {{}, {Length: 2}},
		"/bytes":              {{Length: 4, Bytes: true}},
		"/nothing/*":          nil,
		"/data/x":             nil,
		"":                    nil,
	} {
		var got []wire.Vector
		fine := false
		resp := wire.Replay(t.Context(), wire.NewRequest(http.MethodGet, "/"), http.StatusOK, nil, []byte(text), 0)
		resp.CheckVectors(wire.VectorsAt(pointer), func(v wire.Vector) error {
			got = append(got, v)
			return nil
		}, func() { fine = true })
		if _, err := wire.JSON[vectorAnswer](resp); err != nil || !fine {
			t.Errorf("%s: %v, fine %v", pointer, err, fine)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", pointer, diff)
		}
	}
}

// TestCheckVectorsSaysWhere names the vector that is not accepted.
func TestCheckVectorsSaysWhere(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		`{"data":[{"values":{"list":[1]}},{"values":{"list":[1,2]}}]}`: "/data/1/values/list",
		`{"by_name":{"a/b":[1,2]}}`:                                    "/by_name/a~1b",
		`{"raw":{"x":[[1],[1,2]]}}`:                                    "/raw/x/*",
	} {
		resp := wire.Replay(t.Context(), wire.NewRequest(http.MethodGet, "/"), http.StatusOK, nil, []byte(text), 0)
		resp.CheckVectors(wire.VectorsAt("/data/*/values/list", "/by_name/*", "/raw/x/*"), func(v wire.Vector) error {
			if v.Length != 1 {
				return errWrong
			}
			return nil
		}, func() { t.Error("it is not fine") })
		_, err := wire.JSON[vectorAnswer](resp)
		var decode *wire.DecodeError
		if !errors.As(err, &decode) || !errors.Is(err, errWrong) || decode.Path != want {
			t.Errorf("%s: got %v, want it wrong at %s", text, err, want)
		}
	}
}

// BenchmarkVectors reads an answer of 100 vectors of 1,536 numbers, with the lengths checked and without.
func BenchmarkVectors(b *testing.B) {
	type item struct {
		Object    string    `json:"object"`
		Index     int64     `json:"index"`
		Embedding []float32 `json:"embedding"`
	}
	type list struct {
		Model string `json:"model"`
		Data  []item `json:"data"`
	}
	answer := list{Model: "m"}
	for i := range 100 {
		one := item{Object: "embedding", Index: int64(i)}
		for k := range 1536 {
			one.Embedding = append(one.Embedding, float32(k*i%997)/1009)
		}
		answer.Data = append(answer.Data, one)
	}
	text, err := wire.Marshal(&answer)
	if err != nil {
		b.Fatal(err)
	}
	places := wire.VectorsAt("/data/*/embedding")
	for name, check := range map[string]bool{"plain": false, "checked": true} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				resp := wire.Replay(b.Context(), wire.NewRequest(http.MethodGet, "/"), http.StatusOK, nil, text, 0)
				if check {
					resp.CheckVectors(places, func(wire.Vector) error { return nil }, func() {})
				}
				if _, err := wire.JSON[list](resp); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
