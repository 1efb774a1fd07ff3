package runtime

import (
	"encoding/json"
	"net/http"
	"testing"

	"github.com/resgen-go/resgen/runtime/policy"
	"github.com/resgen-go/resgen/runtime/wire"
)

// A request may ask for numbers in another form, and the lists of an answer have another length then; in the same form they keep it.
func TestVectorsOfAnotherForm(t *testing.T) {
	t.Parallel()
	s := newSpace(&policy.Plan{Space: policy.Space{Model: "/model", Dimensions: "/dimensions", Vectors: []string{"/data/*/embedding"}}})
	for _, c := range []struct {
		request string
		length  int
		right   bool
	}{
		{`{"model":"m"}`, 1024, true},
		{`{"model":"m","output_dtype":"ubinary"}`, 128, true},
		{`{"model":"m","embedding_type":"binary"}`, 128, true},
		{`{"model":"m"}`, 128, false},
		{`{"model":"m","output_dtype":"ubinary"}`, 64, false},
		{`{"model":"m","output_dtype":"ubinary","dimensions":256}`, 32, true},
		{`{"model":"m","output_dtype":"ubinary","dimensions":256}`, 16, false},
		{`{"model":"m","output_dtype":"int8","dimensions":256}`, 32, false},
	} {
		req := wire.NewRequest(http.MethodPost, "/embeddings")
		req.JSON(json.RawMessage(c.request))
		check := &spaceCheck{space: s, req: req}
		err := check.accept(wire.Vector{Length: c.length})
		if err == nil {
			check.remember()
		}
		if (err == nil) != c.right {
			t.Errorf("%s, %d numbers: %v", c.request, c.length, err)
		}
	}
}
