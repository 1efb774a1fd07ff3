package simulate

import (
	"strings"
	"testing"

	"github.com/resgen-go/resgen/generator/internal/diag"
	"github.com/resgen-go/resgen/runtime/policy"
)

// file reads a scenario of a minute with 20 calls a second and what is given beside that.
func file(t *testing.T, lines ...string) Scenario {
	t.Helper()
	var list diag.List
	s, ok := Read("x", []byte("scenario own length=1m\nclient users rate=20/s\n"+strings.Join(lines, "\n")), &list)
	if !ok {
		t.Fatalf("%+v", list.Sorted())
	}
	return s
}

func played(t *testing.T, s Scenario, change ...func(*policy.Plan)) Run {
	t.Helper()
	return run(t, "", plain(change...), func(o *Options) { o.Names, o.Files = nil, []Scenario{s} })
}

// TestWhatIsJudged: a fault that does not end lasts until the calls do, and where there is none the whole run is judged.
func TestWhatIsJudged(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		lines    []string
		fault    *Window
		rule     string // that fails or notes
		recovers string
	}{
		"a fault that ends":        {[]string{"server primary", "fault primary answer from=10s to=25s status=503"}, &Window{10, 25}, "lost", "0s"},
		"one that does not end":    {[]string{"server primary", "fault primary answer from=10s status=503"}, &Window{10, 60}, "lost", "-"},
		"one that ends after that": {[]string{"server primary", "fault primary answer from=10s to=2m status=503"}, &Window{10, 60}, "lost", "-"},
		"one that ends just then":  {[]string{"server primary", "fault primary answer from=10s to=57s status=503"}, &Window{10, 57}, "lost", "-"},
		"a script":                 {[]string{"server primary", "script primary status=503"}, &Window{0, 60}, "lost", "-"},
		"too little capacity":      {[]string{"server primary capacity=10"}, nil, "lost", "-"},
		"nothing":                  {nil, nil, "", "-"},
		"a fault of no target":     {[]string{"server primry", "fault primry answer from=10s to=25s status=503"}, &Window{10, 25}, "no-effect", "0s"},
		"a fault after the calls":  {[]string{"server primary", "fault primary answer from=60s to=70s status=503"}, nil, "no-effect", "-"},
	} {
		r := played(t, file(t, append(test.lines, "expect lost=5%")...))
		if (r.Fault == nil) != (test.fault == nil) || r.Fault != nil && *r.Fault != *test.fault {
			t.Errorf("%s: the fault is %v, want %v", name, r.Fault, test.fault)
		}
		if test.rule != "" && verdict(&r, test.rule) == nil || test.rule == "" && len(r.Verdicts) > 0 {
			t.Errorf("%s: %+v, want %q", name, r.Verdicts, test.rule)
		}
		if got := r.recovery(&r.Operations[0].Policies); got != test.recovers {
			t.Errorf("%s: recovered after %s, want %s", name, got, test.recovers)
		}
	}
	r := played(t, file(t, "server primry", "fault primry stall from=1s"))
	if v := verdict(&r, "no-effect"); v == nil || v.Fix != `did you mean "primary"?` {
		t.Errorf("got %+v", r.Verdicts)
	}
}

// TestServersThatAreReached: those of rungs, of their members, and func rungs are no mistakes, and a target whose members answer is none itself.
func TestServersThatAreReached(t *testing.T) {
	t.Parallel()
	s := file(t, "server primary", "server east", "server west", "server own")
	r := played(t, s, func(p *policy.Plan) {
		p.Targets = []policy.Target{{Name: policy.PrimaryTarget}, {Name: "group", AnyOf: []string{"east", "west"}}, {Name: "east"}, {Name: "west"}}
		p.Fallback.Rungs = []policy.Rung{
			{Name: "other", Sort: policy.RungTarget, Target: "group", When: anyKind(), Level: policy.Alternate},
			{Name: "own", Sort: policy.RungFunc, When: anyKind(), Level: policy.Alternate},
		}
	})
	if v := verdict(&r, "no-effect"); v != nil {
		t.Errorf("got %+v", *v)
	}
	r = played(t, file(t, "server group"), func(p *policy.Plan) {
		p.Targets = []policy.Target{{Name: policy.PrimaryTarget, AnyOf: []string{"east", "west"}}, {Name: "east"}, {Name: "west"}}
	})
	if v := verdict(&r, "no-effect"); v == nil || !strings.Contains(v.Fix, "there are east, west") {
		t.Errorf("got %+v", r.Verdicts)
	}
}

// TestTooFewCalls are told of, and not taken for what is expected.
func TestTooFewCalls(t *testing.T) {
	t.Parallel()
	for rate, want := range map[float64]bool{1e-300: true, 0.01: true, 1: false} {
		r := run(t, "outage", plain(retried), func(o *Options) { o.Rate = rate })
		if got := verdict(&r, "too-few-calls") != nil; got != want {
			t.Errorf("%v calls a second: told %v, want %v: %+v", rate, got, want, r.Verdicts)
		}
	}
	s := file(t)
	s.Clients[0].Operation = "b"
	ops := []Operation{{Name: "a", Plan: plain()}, {Name: "b", Plan: plain(retried)}}
	ops[0].Plan.Operation, ops[1].Plan.Operation = "a", "b"
	runs, err := Client(ops, &Options{Files: []Scenario{s}})
	if err != nil || len(runs) != 1 || len(runs[0].Verdicts) > 0 {
		t.Errorf("an operation that nobody was to call: %+v, %v", runs, err)
	}
	if runs, err = Client(ops[:1], &Options{Files: []Scenario{s}}); err != nil || len(runs) > 0 {
		t.Errorf("a scenario of another client's operation: %+v, %v", runs, err)
	}
}

// TestAFullBulkheadIsNoTargetThatStaysBusy: what keeps calls from a target that is well again is what the verdict says.
func TestAFullBulkheadIsNoTargetThatStaysBusy(t *testing.T) {
	t.Parallel()
	r := run(t, "outage", plain(func(p *policy.Plan) { p.Bulkhead.MaxConcurrent = 1 }), func(o *Options) { o.Rate = 50 })
	if v := verdict(&r, "not-recovered"); v == nil || !strings.Contains(v.Fix, "raise `bulkhead.max-concurrent`") {
		t.Errorf("got %+v", r.Verdicts)
	}
}
