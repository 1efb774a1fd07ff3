package runtime_test

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/resgen-go/resgen/runtime"
	"github.com/resgen-go/resgen/runtime/policy"
)

// machines returns whose machines a group holds: client, target and operation.
func machines(g *runtime.Group) [][3]string {
	var all [][3]string
	for _, m := range g.Snapshot() {
		all = append(all, [3]string{m.Client, m.Target, m.Operation})
	}
	return all
}

func TestOperationsOfATargetShareItsMachines(t *testing.T) {
	t.Parallel()
	named := func(name string, change ...func(*policy.Plan)) policy.Plan {
		return plan(append([]func(*policy.Plan){withBreaker(2), func(p *policy.Plan) { p.Operation = name }}, change...)...)
	}
	g := still()
	get := operationIn(t, g, named("Get"), nil)
	list := operationIn(t, g, named("List", func(p *policy.Plan) { p.Timeout.Attempt = 2 * time.Second }), nil)
	own := operationIn(t, g, named("Own", func(p *policy.Plan) { p.Breaker.Scope = policy.ScopeOperation }), nil)
	trip(t, get)
	trip(t, list)
	for name, c := range map[string]struct {
		op   *runtime.Operation
		want policy.Kind
	}{
		"the one":                           {get, policy.KindBreakerOpen},
		"the other, though it takes longer": {list, policy.KindBreakerOpen},
		"one with a breaker of its own":     {own, policy.KindNone},
	} {
		_, err := runtime.Do(t.Context(), c.op, answer)
		if got := runtime.KindOf(err); got != c.want {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
	if diff := cmp.Diff([][3]string{{"llm", "primary", ""}, {"llm", "primary", "Own"}}, machines(g)); diff != "" {
		t.Errorf("machines (-want +got):\n%s", diff)
	}
}

func TestTargetsAndClientsDoNotShare(t *testing.T) {
	t.Parallel()
	g := still()
	p := plan(withBreaker(1), twoTargets, ladder(other("eu")))
	llm := operationIn(t, g, p, nil)
	vector, err := runtime.NewOperation(g, "vectordb", p, runtime.Wiring{})
	if err != nil {
		t.Fatal(err)
	}
	elsewhere, err := runtime.NewOperation(g, "llm", p, runtime.Wiring{Endpoints: map[string]string{"primary": "https://elsewhere"}})
	if err != nil {
		t.Fatal(err)
	}
	ctx := runtime.WithoutFallback(t.Context())
	if _, err := runtime.Do(ctx, llm, play(step{Err: status(503)}).Run); err == nil {
		t.Fatal("want the 503")
	}
	for name, op := range map[string]*runtime.Operation{"another client": vector, "another address": elsewhere} {
		if _, err := runtime.Do(ctx, op, answer); err != nil {
			t.Errorf("%s: %v; want a breaker of its own", name, err)
		}
	}
	if res, err := runtime.DoResult(t.Context(), llm, answer); err != nil || res.Rung != "eu" {
		t.Errorf("another target: %+v, %v; want a breaker of its own", res, err)
	}
}

func TestClientsOfOneNameShareAGroup(t *testing.T) {
	t.Parallel()
	g := still()
	p := plan(withBreaker(1))
	first, second := operationIn(t, g, p, nil), operationIn(t, g, p, nil)
	trip(t, first)
	if _, err := runtime.Do(t.Context(), second, answer); runtime.KindOf(err) != policy.KindBreakerOpen {
		t.Errorf("got %v, want the breaker that the first client opened", err)
	}
}

func TestSnapshotShowsAPause(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		g := still()
		op := operationIn(t, g, plan(noRetry), nil)
		_, _ = runtime.Do(t.Context(), op, play(step{Err: status(429, "Retry-After", "20")}).Run)
		if left := time.Until(g.Snapshot()[0].PausedUntil); left != 20*time.Second {
			t.Errorf("paused for another %v, want 20s", left)
		}
	})
}

func TestNewOperationRefusesWhatCannotWork(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(*policy.Plan){
		"a breaker without probes":     func(p *policy.Plan) { p.Breaker = breaker(1); p.Breaker.Probes = 0 },
		"an unknown preset of errors":  func(p *policy.Plan) { p.Errors.Preset = "acme" },
		"a rung of an unknown sort":    func(p *policy.Plan) { p.Fallback.Rungs = []policy.Rung{{Name: "x", Sort: 99, When: anyKind()}} },
		"a total without time to wait": func(p *policy.Plan) { p.Timeout.Total = p.Timeout.Attempt },
	} {
		if _, err := runtime.NewOperation(nil, "llm", plan(change), runtime.Wiring{}); err == nil {
			t.Errorf("%s was accepted", name)
		}
	}
}
