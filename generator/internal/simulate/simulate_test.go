package simulate

import (
	"bytes"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/resgen-go/resgen/generator/internal/diag"
	"github.com/resgen-go/resgen/runtime/policy"
)

// TestExpectationsHaveATextForm: what Set reads, String writes.
func TestExpectationsHaveATextForm(t *testing.T) {
	t.Parallel()
	e := Expect{}
	for _, text := range []string{"lost=0.05", "wait=1m", "amplification=1.25", "recovery=off", "refused=100%"} {
		if err := e.Set(text); err != nil {
			t.Error(err)
		}
	}
	const want = "amplification=1.25 wait=1m0s recovery=off lost=5% refused=100%"
	if got := e.String(); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	for text, want := range map[string]string{
		"lost": "NAME=VALUE", "loss=1%": `nothing called "loss"`, "lost=101%": "not a share", "lost=-1%": "not a share", "wait=10": "not a duration",
		"wait=-1s": "not a duration", "amplification=x": "not a number", "amplification=NaN": "not a number", "lost=2": "not a share",
	} {
		if err := e.Set(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
}

// TestBuiltinsHaveATextForm: the text of a scenario that a report shows, read as a file, is the same scenario.
func TestBuiltinsHaveATextForm(t *testing.T) {
	t.Parallel()
	for _, s := range builtinsOf(Names(), []Operation{{Plan: plain()}}, 37) {
		var list diag.List
		got, ok := Read("x", []byte(s.text()), &list)
		if !ok {
			t.Errorf("%s: %+v\n%s", s.Name, list.Sorted(), s.text())
			continue
		}
		if got.About, got.Expect = s.About, s.Expect.over(got.Expect); cmp.Diff(s.Scenario, got.Scenario) != "" || got.text() != s.text() {
			t.Errorf("%s is another one after its text form:\n%s%s", s.Name, s.text(), got.text())
		}
	}
	var list diag.List
	if _, ok := Read("x", []byte(example), &list); !ok {
		t.Errorf("the example that diagnostics show: %+v", list.Sorted())
	}
}

// TestFilesAreBounded: a file that is too long, or has too many calls, is refused before anything is played.
func TestFilesAreBounded(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"scenario a length=4h\nclient c rate=1000":                      "about 14400000 calls arrive",
		strings.Repeat("# and so on\n", MaxFile/10):                     "longer than 65536 bytes",
		"scenario a length=1s\nclient c rate=1\nserver primary busy=1s": `"busy" means nothing here`,
		"scenario a length=2562047h\nclient c rate=0.00001":             "a simulation is at most 4h0m0s",
		"scenario \xff\xfea length=1s\nclient c rate=1":                 "not UTF-8",
	} {
		var list diag.List
		if _, ok := Read("x", []byte(text), &list); ok || !list.HasErrors() || !strings.Contains(list.Sorted()[0].What, want) {
			t.Errorf("%.40q: %v, %+v", text, ok, list.Sorted())
		}
	}
}

// TestFilesOfOtherSystems: the mark of UTF-8 and the ends of lines that Windows writes change nothing.
func TestFilesOfOtherSystems(t *testing.T) {
	t.Parallel()
	var list diag.List
	want, _ := Read("x", []byte(example), &list)
	got, ok := Read("x", []byte("\ufeff"+strings.ReplaceAll(strings.TrimSpace(example), "\n", "\r\n")), &list)
	if diff := cmp.Diff(want, got); !ok || diff != "" {
		t.Errorf("%+v\n%s", list.Sorted(), diff)
	}
}

func FuzzRead(f *testing.F) {
	f.Add(example)
	f.Add("scenario a length=1s\nclient c rate=1\nexpect lost=1% wait=off # why\nexpect")
	f.Fuzz(func(t *testing.T, text string) {
		var list diag.List
		s, ok := Read("x", []byte(text), &list)
		if ok == list.HasErrors() {
			t.Fatalf("%v, and %+v", ok, list.Sorted())
		}
		for _, d := range list.Sorted() {
			if lines := strings.Count(text, "\n") + 1; d.Span.Line < 1 || d.Span.Line > lines || d.Span.Column < 1 {
				t.Errorf("%v lies outside of %d lines", d.Span.Pos, lines)
			}
		}
		if ok {
			if _, again := Read("x", []byte(s.text()), &list); !again {
				t.Errorf("its text form is refused: %+v\n%s", list.Sorted(), s.text())
			}
		}
	})
}

// TestTheLoadFollowsThePlan: without --rate, no operation gets more than its limits and its bulkhead let through.
func TestTheLoadFollowsThePlan(t *testing.T) {
	t.Parallel()
	limited := func(l policy.LimitConfig) func(*policy.Plan) { return func(p *policy.Plan) { p.Limit = l } }
	perMinute := func(n float64) policy.Rate { return policy.Rate{Amount: n, Per: time.Minute} }
	for name, test := range map[string]struct {
		plan policy.Plan
		want float64
	}{
		"nothing":         {plain(), 50},
		"requests":        {plain(limited(policy.LimitConfig{Requests: perMinute(600)})), 8},
		"replicas":        {plain(limited(policy.LimitConfig{Requests: perMinute(600), Replicas: 2})), 4},
		"tokens":          {plain(limited(policy.LimitConfig{InputTokens: perMinute(300_000)})), 4},
		"bulkhead":        {plain(func(p *policy.Plan) { p.Bulkhead.MaxConcurrent = 2 }), 20},
		"a model":         {plain(streamed(time.Minute)), 10},
		"little":          {plain(limited(policy.LimitConfig{Requests: perMinute(15)})), 0.2},
		"next to nothing": {plain(limited(policy.LimitConfig{Requests: perMinute(1)})), 0.1},
	} {
		if got := rateOf([]Operation{{Plan: plain()}, {Plan: test.plan}}, 0); got != test.want {
			t.Errorf("%s: %v calls a second, want %v", name, got, test.want)
		}
	}
}

// TestEqualPoliciesAreOneRow: operations of equal policies are told together, and each policy has its row.
func TestEqualPoliciesAreOneRow(t *testing.T) {
	t.Parallel()
	var ops []Operation
	for _, name := range []string{"a", "b", "c"} {
		p := plain()
		if p.Operation = name; name == "b" {
			broken(&p)
		}
		ops = append(ops, Operation{Name: name, Plan: p})
	}
	runs, err := Client(ops, &Options{Names: []string{"blip"}})
	if err != nil || len(runs) != 1 || len(runs[0].Operations) != 2 {
		t.Fatalf("%+v, %v", runs, err)
	}
	rows := runs[0].Operations
	if rows[0].Operation != "a" || !slices.Equal(rows[0].More, []string{"c"}) || rows[1].Operation != "b" || len(rows[1].More) > 0 {
		t.Errorf("got %+v", rows)
	}
	if both, one := rows[0].Policies.Calls, rows[1].Policies.Calls; math.Abs(both-2*one) > 0.1*both {
		t.Errorf("%v calls of two operations, and %v of one", both, one)
	}
}

// TestRecovery looks for the end of the last five seconds of which too few calls are answered by the operation itself.
func TestRecovery(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]time.Duration{ // a letter for a second, from the fault's end on: good, bad, or nobody calls
		"gggggggggg": 0, "bggggggggg": time.Second, "gbgggggggg": 2 * time.Second, "bbbbb---gg": 5 * time.Second, "gggggbgggggggggg": 6 * time.Second,
		"----------": 0, "gggggggggb": -1, "bbbbbbbbbb": -1,
	} {
		tl := newTally(time.Duration(len(text)) * time.Second)
		for i, c := range text {
			switch c {
			case 'g':
				tl.seconds[i].ok = 10
			case 'b':
				tl.seconds[i].failed, tl.seconds[i].ok = 5, 5
			}
		}
		got, back := tl.recovery(0)
		if !back {
			got = -1
		}
		if got != want {
			t.Errorf("%s: recovered after %v, want %v", text, got, want)
		}
	}
}

// TestMembersShareTheFault: where the primary target has members all of them have the faults, but in a failover only the first.
func TestMembersShareTheFault(t *testing.T) {
	t.Parallel()
	p := plain(func(p *policy.Plan) {
		p.Targets = []policy.Target{{Name: policy.PrimaryTarget, AnyOf: []string{"east", "west"}}, {Name: "east"}, {Name: "west"}}
	}, retried, saving)
	down, over := run(t, "outage", p), run(t, "failover", p)
	if ok := down.Operations[0].Policies.FaultFailed; ok < 99 {
		t.Errorf("%v %% of the calls fail while both members are down", ok)
	}
	if ok := over.Operations[0].Policies.FaultFailed; ok > 5 {
		t.Errorf("%v %% of the calls fail while one of two members is down", ok)
	}
	if len(down.Targets) != 2 || down.Targets[0].Target != "east" || down.Targets[1].Policies.Attempts == 0 {
		t.Errorf("targets %+v", down.Targets)
	}
}

// TestTokensAndMoney: answers of models are counted and priced where they come from.
func TestTokensAndMoney(t *testing.T) {
	t.Parallel()
	p := plain(replica(anyKind()...), func(p *policy.Plan) {
		p.Tokens.Input, p.Tokens.Output = "/usage/in", "/usage/out"
		p.Targets = []policy.Target{
			{Name: policy.PrimaryTarget, Price: policy.Price{Input: 2, Output: 10}}, {Name: "replica", Price: policy.Price{Input: 4, Output: 20}},
		}
	})
	r := run(t, "outage", p)
	for i, each := range []float64{(1000*2 + 300*10) / 1e6, (1000*4 + 300*20) / 1e6} {
		l := r.Targets[i].Policies
		if l.Input == 0 || l.Output != 0.3*l.Input || math.Abs(l.Cost-l.Input/1000*each) > 0.01*l.Cost {
			t.Errorf("%s: %+v", r.Targets[i].Target, l)
		}
	}
}

// TestThePageIsSelfContained: it names nothing outside of itself, has no script, and what is in it of a document is text.
func TestThePageIsSelfContained(t *testing.T) {
	t.Parallel()
	const hostile = `"><script>alert(1)</script><img src=x onerror=alert(2)>&` + "\u202e\x1b[2J"
	p := plain(retried)
	p.Operation = hostile
	replica(anyKind()...)(&p)
	p.Fallback.Rungs[0].Name = "</td>" + hostile
	r := Report{Runs: []Run{run(t, "outage", p)}, Failed: true}
	r.Runs[0].Client = hostile
	var b bytes.Buffer
	if err := r.Page(&b); err != nil {
		t.Fatal(err)
	}
	page := b.String()
	for _, bad := range []string{"<script", "<img", "\x1b", "\u202e", "src=", "url(", "http:", "https:", "@import"} {
		if text := strings.ReplaceAll(page, "src=x", ""); strings.Contains(text, bad) {
			t.Errorf("the page has %q", bad)
		}
	}
	for _, want := range []string{"<!doctype html>", "&lt;script&gt;", "<svg ", "<polyline ", "prefers-color-scheme: dark", "retry-storm", "default-src 'none'"} {
		if !strings.Contains(page, want) {
			t.Errorf("the page has no %q", want)
		}
	}
	if strings.Count(page, "<polygon") != 3 || strings.Count(page, "<svg") != 3 || strings.Contains(page, "NaN") {
		t.Error("the charts are not whole")
	}
}
