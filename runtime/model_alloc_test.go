package runtime_test

import (
	"context"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/resgen-go/resgen/runtime"
	"github.com/resgen-go/resgen/runtime/policy"
	"github.com/resgen-go/resgen/runtime/wire"
)

// modelPlan is what one has for a language model: a preset that judges answers and counts their tokens, limits of them, and a ladder.
func modelPlan() policy.Plan {
	const plenty = 1e12
	p := timed(full())
	p.Errors = policy.Errors{Preset: "openai", Judge: true}
	p.Limit = policy.LimitConfig{
		Requests: policy.Rate{Amount: plenty, Per: time.Minute}, Tokens: policy.Rate{Amount: plenty, Per: time.Minute}, Burst: plenty,
	}
	p.Fallback.Rungs = []policy.Rung{{Name: "sorry", Sort: policy.RungStatic, When: []policy.Kind{policy.KindTimeout}, Level: policy.Canned}}
	return p
}

// What a call to a language model takes beside its request and its answer: the context of the attempt, and the meter with what tells it.
func TestModelCallAllocations(t *testing.T) {
	const most = 3
	type completion struct {
		Choices []struct{ Text string } `json:"choices"`
	}
	answer := `{"choices":[{"text":"` + strings.Repeat(`\"word\" `, 100) + `","finish_reason":"stop"}],"usage":{"prompt_tokens":90,"completion_tokens":420}}`
	ask := map[string]string{"model": "small", "prompt": strings.Repeat("word ", 100)}
	group := runtime.NewGroup()
	h := runtime.NewHTTP(
		runtime.HTTPSpec{Name: "llm", BaseURL: "http://h"}, runtime.WithGroup(group),
		runtime.WithHTTPClient(&http.Client{Transport: lean{answer, http.Header{"Content-Type": {"application/json"}}}}),
	)
	count := func(plan policy.Plan) float64 {
		op := h.Operation(plan)
		if err := h.Err(); err != nil {
			t.Fatal(err)
		}
		return testing.AllocsPerRun(500, func() {
			r := wire.NewRequest(http.MethodPost, "/v1/completions")
			r.JSON(ask)
			res, err := runtime.DoResult(t.Context(), op, func(ctx context.Context, at runtime.Attempt) (*completion, error) {
				return runtime.Send(ctx, h, at, r, wire.JSON[completion])
			}, r)
			if err != nil || len(res.Value.Choices) != 1 {
				t.Fatal(res, err)
			}
		})
	}
	bare := count(policy.Plan{Operation: "Bare", Idempotency: policy.Safe})
	if got := count(modelPlan()); got > bare+most+forgotten {
		t.Errorf("%v allocations, want at most %v more than the %v of a bare call", got, most, bare)
	}
	seen := false
	for _, m := range group.Snapshot() {
		for _, e := range m.Estimates {
			seen = seen || e.Observed > 500 && e.Output == 420 && e.PerByte > 0
		}
	}
	if !seen {
		t.Errorf("the tokens of the answers were not counted: %+v", group.Snapshot())
	}
}
