package chaos_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/resgen-go/resgen/runtime"
	"github.com/resgen-go/resgen/runtime/chaos"
	"github.com/resgen-go/resgen/runtime/policy"
)

// Code alone switches nothing on, nor does the environment with another plan's name.
func TestOffUnlessTheEnvironmentNamesThePlan(t *testing.T) {
	plan := chaos.Plan{Name: name, Rules: []chaos.Rule{always(chaos.Status(503))}}
	for value, on := range map[string]bool{
		"": false, "1": false, "true": false, "*": false, "all": false, "tes": false, "test2": false, "other": false,
		"test": true, "other,test": true, "test other": true,
	} {
		t.Setenv(chaos.Variable, value)
		c, err := chaos.New(plan)
		must(t, err)
		if c.IsOn() != on || (c == nil) == on {
			t.Errorf("%q: on %v, want %v", value, c.IsOn(), on)
		}
	}
	t.Setenv(chaos.Variable, "")
	c, err := chaos.New(plan)
	must(t, err)
	calls := 0
	op, err := runtime.NewOperation(nil, "c", policy.Plan{Operation: "get", Idempotency: policy.Safe}, runtime.Wiring{Chaos: nil})
	must(t, err)
	_, err = runtime.Do(t.Context(), op, func(context.Context, runtime.Attempt) (int, error) { calls++; return calls, nil })
	if err != nil || calls != 1 {
		t.Errorf("%d calls, %v", calls, err)
	}
	c.Stop()
	c.Restart()
	if c.Report() != nil || c.Fault(runtime.ChaosAttempt{Operation: "c.get"}) != nil {
		t.Error("what is off has a fault")
	}
	if _, err := chaos.New(chaos.Plan{Name: name}); err == nil {
		t.Error("a plan without rules is no error while it is off")
	}
}

func TestPlansThatContradictThemselves(t *testing.T) {
	t.Parallel()
	with := func(change func(*chaos.Rule)) chaos.Plan {
		r := always(chaos.Status(503))
		change(&r)
		return chaos.Plan{Name: name, Rules: []chaos.Rule{r}}
	}
	for want, plan := range map[string]chaos.Plan{
		"the name":                  {Rules: []chaos.Rule{always(chaos.Status(503))}},
		"neither commas nor spaces": {Name: "a b", Rules: []chaos.Rule{always(chaos.Status(503))}},
		"no rules":                  {Name: name},
		"it lasts":                  {Name: name, Lasts: -1, Rules: []chaos.Rule{always(chaos.Status(503))}},
		"names no operations":       with(func(r *chaos.Rule) { r.Operations = nil }),
		"is no pattern":             with(func(r *chaos.Rule) { r.Targets = []string{"["} }),
		"rule 1: the share 0":       with(func(r *chaos.Rule) { r.Share = 0 }),
		"the share 1.5":             with(func(r *chaos.Rule) { r.Share = 1.5 }),
		"no fault":                  with(func(r *chaos.Rule) { r.Fault = chaos.Fault{} }),
		"from 2s until 1s":          with(func(r *chaos.Rule) { r.From, r.Until = 2*time.Second, time.Second }),
		"faults at most":            with(func(r *chaos.Rule) { r.Most = -1 }),
		"a script, and":             with(func(r *chaos.Rule) { r.Script = []chaos.Fault{chaos.Status(500)} }),
		"fault 2: status 200": with(func(r *chaos.Rule) {
			*r = chaos.Rule{Operations: []string{"*"}, Script: []chaos.Fault{{}, chaos.Status(200)}}
		}),
		"only an Answer":    with(func(r *chaos.Rule) { r.Fault = chaos.Fault{Effect: chaos.Hang, Status: 500} }),
		"below zero":        with(func(r *chaos.Rule) { r.Fault = chaos.Latency(-1) }),
		"no latency":        with(func(r *chaos.Rule) { r.Fault = chaos.SlowFirstItem(0) }),
		"without an Err":    with(func(r *chaos.Rule) { r.Fault = chaos.Failed(nil) }),
		"only Fail":         with(func(r *chaos.Rule) { r.Fault.Err = errors.New("x") }),
		"after items":       with(func(r *chaos.Rule) { r.Fault.After = 1 }),
		"no effect has":     with(func(r *chaos.Rule) { r.Fault.Effect = 99 }),
		`plan "test": rule`: with(func(r *chaos.Rule) { r.Share = -1 }),
	} {
		if c, err := chaos.New(plan); err == nil || !strings.Contains(err.Error(), want) || c != nil {
			t.Errorf("%v, want %q", err, want)
		}
	}
}

// meets returns what the next attempts of an operation meet, one word each.
func meets(c *chaos.Chaos, n int, at runtime.ChaosAttempt) string {
	var all []string
	for range n {
		f := c.Fault(at)
		if f == nil {
			all = append(all, "-")
			continue
		}
		all = append(all, f.String())
	}
	return strings.Join(all, "; ")
}

func TestScript(t *testing.T) {
	t.Parallel()
	c := begin(t, chaos.Rule{
		Operations: []string{"llm.*"}, Targets: []string{"eu-?"},
		Script: []chaos.Fault{chaos.Status(503), {}, chaos.Throttle(2 * time.Second), chaos.Refused()},
	}, chaos.Rule{Operations: []string{"llm.get"}, Tenants: []string{strings.Repeat("long", 100)}, Share: 1, Most: 2, Fault: chaos.BlackHole()})
	at := runtime.ChaosAttempt{Operation: "llm.get", Target: "eu-1"}
	for _, other := range []runtime.ChaosAttempt{{Operation: "db.get", Target: "eu-1"}, {Operation: "llm.get", Target: "primary"}, {Operation: "llm.get", Target: "primary", Tenant: "short"}} {
		if got := meets(c, 2, other); got != "-; -" {
			t.Errorf("%v meets %s", other, got)
		}
	}
	if got := meets(c, 5, at); got != "status 503; -; status 429, retry after 2s; connection refused; -" {
		t.Error(got)
	}
	at.Tenant = policy.TenantKey(strings.Repeat("long", 100))
	if got := meets(c, 3, at); got != "black hole; black hole; -" {
		t.Error(got)
	}
	if diff := cmp.Diff([]chaos.RuleReport{{Asked: 8, Injected: 3}, {Asked: 3, Injected: 2}}, c.Report()); diff != "" {
		t.Error(diff)
	}
	c.Restart()
	if got := meets(c, 1, at); got != "status 503" {
		t.Errorf("after a restart: %s", got)
	}
}

// A rule holds in its time, and no plan for ever.
func TestTimes(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		late := always(chaos.Refused())
		late.From, late.Until = 10*time.Second, 20*time.Second
		c := begin(t, late, chaos.Rule{Operations: []string{"*"}, From: 15 * time.Second, Share: 1, Fault: chaos.BlackHole()})
		at := runtime.ChaosAttempt{Operation: "a.b", Target: "primary"}
		start := time.Now()
		for _, step := range []struct {
			at   time.Duration
			want string
		}{
			{0, "-"},
			{10*time.Second - 1, "-"},
			{10 * time.Second, "connection refused"},
			{20*time.Second - 1, "connection refused"},
			{20 * time.Second, "black hole"},
			{time.Hour - 1, "black hole"},
			{time.Hour, "-"},
		} {
			time.Sleep(step.at - time.Since(start)) // virtual: synctest
			if got := meets(c, 1, at); got != step.want {
				t.Errorf("after %v: %s, want %s", step.at, got, step.want)
			}
		}
		if c.IsOn() {
			t.Error("it is on after its end")
		}
		c.Restart()
		time.Sleep(15 * time.Second) // virtual: synctest
		if got := meets(c, 1, at); got != "connection refused" {
			t.Errorf("after a restart: %s", got)
		}
		c.Stop()
		if got := meets(c, 1, at); got != "-" || c.IsOn() {
			t.Errorf("after a stop: %s", got)
		}
	})
}

// A share is what it says, the same for the same seed, another for another, and of each rule its own.
func TestShare(t *testing.T) {
	t.Parallel()
	const n = 20_000
	run := func(seed uint64) string {
		a, b := always(chaos.Refused()), always(chaos.BlackHole())
		a.Share, b.Share = 0.2, 0.2
		c, err := chaos.New(chaos.Plan{Name: name, Seed: seed, Rules: []chaos.Rule{a, b}})
		must(t, err)
		text := meets(c, n, runtime.ChaosAttempt{Operation: "a.b", Target: "primary"})
		first, second := strings.Count(text, "refused"), strings.Count(text, "hole")
		if first < n*18/100 || first > n*22/100 || second < n*14/100 || second > n*18/100 { // of the rest
			t.Errorf("seed %d: %d and %d of %d", seed, first, second, n)
		}
		return text
	}
	if one := run(1); one != run(1) || one == run(2) {
		t.Error("shares do not depend on the seed, or not on it alone")
	}
}
