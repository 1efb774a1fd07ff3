package runtime_test

import (
	"context"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/resgen-go/resgen/runtime"
	"github.com/resgen-go/resgen/runtime/policy"
	"github.com/resgen-go/resgen/runtime/runtimetest"
)

// TestTwoLayersAreToldOnce wraps a client that has policies of its own.
func TestTwoLayersAreToldOnce(t *testing.T) {
	t.Parallel()
	breaks := func(p *policy.Plan) { p.Breaker = breaker(9) }
	for name, c := range map[string]struct {
		outer, inner policy.Plan
		want         string // what the advice names; empty for none
	}{
		"a breaker each": {plan(breaks), plan(breaks), "breaker of its own"},
		"a ladder each":  {plan(ladder(static("x"))), plan(ladder(static("x"))), "fallback ladder of its own"},
		"both":           {plan(breaks, ladder(static("x"))), plan(breaks, ladder(static("x"))), "breaker and a fallback ladder of its own"},
		"retries alone":  {plan(), plan(), ""},
		"one breaker":    {plan(breaks), plan(), ""},
		"the other":      {plan(), plan(breaks), ""},
		"once, straight": {once(breaks), once(breaks), "breaker of its own"},
		"nothing at all": {once(), once(), ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				in, err := runtime.NewOperation(nil, "inside", c.inner, runtime.Wiring{})
				if err != nil {
					t.Fatal(err)
				}
				seen := new(runtimetest.Recorder)
				w, err := wrap(getterFunc(func(ctx context.Context, _ string) (string, error) {
					return runtime.Do(ctx, in, func(context.Context, runtime.Attempt) (string, error) { return "a", nil })
				}), c.outer, nil, withRuntime(runtime.WithObserver(seen)))
				if err != nil {
					t.Fatal(err)
				}
				for range 3 {
					if _, err := w.Get(t.Context(), "x"); err != nil {
						t.Fatal(err)
					}
				}
				told := seen.Events(runtime.TwoLayers)
				switch {
				case c.want == "" && len(told) > 0:
					t.Errorf("told %v, want nothing", told)
				case c.want != "" && (len(told) != 1 || !strings.Contains(told[0].Advice, "inside.Get has a "+c.want)):
					t.Errorf("told %v, want once: %q", told, c.want)
				}
			})
		})
	}
}
