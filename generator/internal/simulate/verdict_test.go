package simulate

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/resgen-go/resgen/runtime/policy"
)

// plain is a plan without any policy but a timeout.
func plain(change ...func(*policy.Plan)) policy.Plan {
	p := policy.Plan{
		Operation: "get", Idempotency: policy.Safe, Hedgeable: true,
		Timeout: policy.Timeout{Connect: time.Second, Attempt: 600 * time.Millisecond, Total: 3 * time.Second},
	}
	for _, c := range change {
		c(&p)
	}
	return p
}

func retried(p *policy.Plan) {
	p.Retry = policy.Recommended(false).Retry
	p.Retry.Attempts, p.Retry.On = 4, policy.RetryOn(p.Idempotency)
}

func saving(p *policy.Plan) { p.Budget = policy.Recommended(false).Budget }

func broken(p *policy.Plan) { p.Breaker = policy.Recommended(false).Breaker }

func patient(p *policy.Plan) { p.Timeout.Total = 10 * time.Second }

// replica adds a rung that other kinds than those of an outage lead to, or all of them.
func replica(when ...policy.Kind) func(*policy.Plan) {
	return func(p *policy.Plan) {
		p.Fallback.Rungs = []policy.Rung{{Name: "replica", Sort: policy.RungTarget, Target: "replica", When: when, Level: policy.Alternate}}
	}
}

func anyKind() []policy.Kind {
	return slices.DeleteFunc(policy.Kinds(), func(k policy.Kind) bool { return !k.Any() })
}

func streamed(idle time.Duration) func(*policy.Plan) {
	return func(p *policy.Plan) {
		p.Stream.Format = policy.SSE
		p.Timeout = policy.BuiltIn(true)
		p.Timeout.Idle, p.Timeout.ItemGap = idle, idle
	}
}

// run plays a scenario for one plan.
func run(t *testing.T, scenario string, p policy.Plan, change ...func(*Options)) Run {
	t.Helper()
	o := Options{Names: []string{scenario}, Seed: 1, Expect: Expect{}}
	for _, c := range change {
		c(&o)
	}
	runs, err := Client([]Operation{{Name: p.Operation, Plan: p}}, &o)
	if err != nil || len(runs) != 1 {
		t.Fatalf("%d runs, %v", len(runs), err)
	}
	return runs[0]
}

func verdict(r *Run, rule string) *Verdict {
	for i := range r.Verdicts {
		if r.Verdicts[i].Rule == rule {
			return &r.Verdicts[i]
		}
	}
	return nil
}

// deserved are verdicts, with a policy that deserves each and the fix that it names.
var deserved = map[string]struct {
	rule, scenario string
	plan           []func(*policy.Plan)
	fix            func(*policy.Plan)
	result         string
	what, says     string // parts of What and of Fix
	options        func(*Options)
}{
	"retries without a budget": {
		rule: "retry-storm", scenario: "outage", plan: []func(*policy.Plan){retried}, fix: saving, result: fails,
		what: "attempts for each call in the fault", says: "turn the budget on for get: `budget: {ratio: 20%, min-per-second: 1}`",
	},
	"a budget that is too large": {
		rule: "retry-storm", scenario: "outage", result: fails, plan: []func(*policy.Plan){retried, func(p *policy.Plan) { p.Budget.Ratio = 0.9 }},
		fix: broken, what: "retry storm", says: "`breaker: {}`",
	},
	"a budget that is too large, and a breaker that only watches": {
		rule: "retry-storm", scenario: "outage", result: fails,
		plan: []func(*policy.Plan){retried, broken, func(p *policy.Plan) { p.Budget.Ratio, p.Breaker.Mode = 0.9, policy.BreakerShadow }},
		fix:  func(p *policy.Plan) { p.Budget.Ratio = 0.2 }, what: "retry storm", says: "`budget.ratio` (now 90 %)",
	},
	"no timeout": {
		rule: "long-wait", scenario: "failover", result: fails, plan: []func(*policy.Plan){func(p *policy.Plan) { p.Timeout = policy.BuiltIn(false) }},
		fix:  func(p *policy.Plan) { p.Timeout.Total, p.Timeout.Attempt = 10*time.Second, 2500*time.Millisecond },
		what: "users wait 1m0s", says: "{total: 10s, attempt: 2.5s}",
	},
	"a ladder that the outage does not lead to": {
		rule: "ladder-unused", scenario: "outage", result: fails, plan: []func(*policy.Plan){replica(policy.KindTimeout)},
		fix: replica(anyKind()...), what: "most of them by transient", says: "add transient to `when` of rung \"replica\"",
	},
	"a breaker that stays open": {
		rule: "not-recovered", scenario: "outage", result: fails,
		plan: []func(*policy.Plan){broken, func(p *policy.Plan) { p.Breaker.OpenFor, p.Breaker.OpenMax = time.Minute, time.Minute }},
		fix:  broken, what: "does not answer again in the 35s after the fault", says: "lower `breaker.open-max` (now 1m0s)",
	},
	"one attempt in a blip": {
		rule: "lost", scenario: "blip", result: fails, fix: func(p *policy.Plan) { retried(p); saving(p) },
		what: "by transient", says: "`retry: {attempts: 3}`",
	},
	"a kind that is not retried": {
		rule: "lost", scenario: "blip", result: fails,
		plan: []func(*policy.Plan){retried, saving, func(p *policy.Plan) { p.Retry.On = []policy.Kind{policy.KindThrottle} }},
		fix:  func(p *policy.Plan) { p.Retry.On = policy.RetryOn(policy.Safe) }, what: "by transient", says: "add transient to `retry.on`",
	},
	"what may not be repeated": {
		rule: "lost", scenario: "blip", result: notes, plan: []func(*policy.Plan){func(p *policy.Plan) { p.Idempotency = policy.None }, retried},
		fix:  func(p *policy.Plan) { p.Idempotency = policy.Idempotent; retried(p) },
		what: "by transient", says: "`idempotency: keyed`",
	},
	"one attempt at a rate limit": {
		rule: "lost", scenario: "rate-limit", result: fails, fix: func(p *policy.Plan) { retried(p); saving(p); patient(p) },
		what: "although a Retry-After was given", says: "`retry: {attempts: 3}`",
	},
	"a bulkhead for one": {
		rule: "refused", scenario: "blip", result: fails, plan: []func(*policy.Plan){func(p *policy.Plan) { p.Bulkhead.MaxConcurrent = 1 }},
		fix:  func(p *policy.Plan) { p.Bulkhead.MaxConcurrent = 64 },
		what: "turned away as bulkhead-full", says: "raise `bulkhead.max-concurrent` (now 1)", options: func(o *Options) { o.Rate = 50 },
	},
	"a limit below the load": {
		rule: "refused", scenario: "blip", result: fails,
		plan: []func(*policy.Plan){func(p *policy.Plan) { p.Limit.Requests = policy.Rate{Amount: 10, Per: time.Second} }},
		fix:  func(p *policy.Plan) { p.Limit = policy.LimitConfig{} },
		what: "turned away as rate-limited", says: "raise `limit`", options: func(o *Options) { o.Rate = 50 },
	},
	"a stream that may be silent": {
		rule: "silent-stream", scenario: "stalled-stream", result: fails, plan: []func(*policy.Plan){streamed(time.Minute)},
		fix: streamed(15 * time.Second), what: "a silent stream for 1m0s", says: "`idle: 15s`",
	},
	"no ladder": {
		rule: "no-ladder", scenario: "outage", result: notes, fix: replica(anyKind()...), what: "100.0 % of the calls", says: "add a ladder",
	},
}

// TestVerdicts reaches each verdict by a policy that deserves it, and not with the fix applied that it names.
func TestVerdicts(t *testing.T) {
	t.Parallel()
	rules := map[string]bool{}
	for name, test := range deserved {
		rules[test.rule] = true
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			options := test.options
			if options == nil {
				options = func(*Options) {}
			}
			before := run(t, test.scenario, plain(test.plan...), options)
			v := verdict(&before, test.rule)
			if v == nil {
				t.Fatalf("no %s among %+v", test.rule, before.Verdicts)
			}
			if v.Result != test.result || !strings.Contains(v.What, test.what) || !strings.Contains(v.Fix, test.says) || v.Why == "" {
				t.Errorf("got %+v", *v)
			}
			after := run(t, test.scenario, plain(append(slices.Clone(test.plan), test.fix)...), options)
			if v := verdict(&after, test.rule); v != nil {
				t.Errorf("the fix does not help: %+v", *v)
			}
		})
	}
	for _, rule := range []string{"retry-storm", "long-wait", "ladder-unused", "not-recovered", "lost", "refused", "silent-stream", "no-ladder"} {
		if !rules[rule] {
			t.Errorf("no policy deserves %s", rule)
		}
	}
}

// TestExpectationsAreJudged: each bound may be another, or off, by the options and by the scenario, in this order.
func TestExpectationsAreJudged(t *testing.T) {
	t.Parallel()
	storm := plain(retried)
	for text, want := range map[string]bool{"amplification=1.5": true, "amplification=4": false, "amplification=off": false} {
		r := run(t, "outage", storm, func(o *Options) {
			if err := o.Expect.Set(text); err != nil {
				t.Error(err)
			}
		})
		if got := verdict(&r, "retry-storm") != nil; got != want {
			t.Errorf("%s: judged %v, want %v", text, got, want)
		}
	}
	own := builtinsOf([]string{"outage"}, []Operation{{Plan: storm}}, 50)[0]
	own.Expect = Expect{Amplification: 4, Wait: 0.001}
	r := run(t, "", storm, func(o *Options) { o.Names, o.Files = nil, []Scenario{own} })
	if verdict(&r, "retry-storm") != nil || verdict(&r, "long-wait") == nil {
		t.Errorf("got %+v", r.Verdicts)
	}
	r = run(t, "", storm, func(o *Options) { o.Names, o.Files, o.Expect = nil, []Scenario{own}, Expect{Amplification: 1.5} })
	if verdict(&r, "retry-storm") == nil {
		t.Error("an option does not go before the scenario")
	}
}
