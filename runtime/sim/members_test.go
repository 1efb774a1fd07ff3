package sim_test

import (
	"testing"
	"time"

	"github.com/resgen-go/resgen/runtime/policy"
	"github.com/resgen-go/resgen/runtime/sim"
)

// TestRetriesGoElsewhere: an attempt after a failure, of whatever kind, goes to a member that the call has not tried, as long as there is
// one whose breaker is closed; the first after a connection that was refused too.
func TestRetriesGoElsewhere(t *testing.T) {
	t.Parallel()
	for name, death := range deaths() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := members(map[string][]sim.Fault{
				"a":   {{What: sim.FaultAnswer, Share: 0.2, Answer: death}},
				"bb":  {{What: sim.FaultAnswer, Share: 0.2, Answer: death}},
				"ccc": {{What: sim.FaultAnswer, Share: 0.2, Answer: death}},
			})
			p := spread([]string{"a", "bb", "ccc"}, func(p *policy.Plan) {
				p.Breaker, p.Budget = policy.BreakerConfig{}, policy.BudgetConfig{}
			})
			before, retries := map[int]map[string]bool{}, 0
			r, err := sim.Run(s, p, 1, sim.WithTrace(func(l sim.Line) {
				if l.What != sim.AttemptStarts {
					return
				}
				been := before[l.Call]
				if been == nil {
					been = map[string]bool{}
					before[l.Call] = been
				}
				if l.Attempt > 1 {
					retries++
				}
				if been[l.Target] {
					t.Errorf("call %d tries %s again, after %v", l.Call, l.Target, been)
				}
				been[l.Target] = true
			}))
			if err != nil {
				t.Fatal(err)
			}
			if retries < 1000 || r.OKPercent() < 98 {
				t.Errorf("%d retries, %.2f %% ok", retries, r.OKPercent())
			}
		})
	}
}

// TestKeyedStaysInDoubt: what a member may have executed under an idempotency key is sent to no other, unless they share keys; what it
// certainly has not, is.
func TestKeyedStaysInDoubt(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name      string
		death     sim.Answer
		shared    bool
		elsewhere bool
	}{
		{"in doubt", sim.Answer{What: sim.Broken, After: time.Millisecond}, false, false},
		{"in doubt, shared keys", sim.Answer{What: sim.Broken, After: time.Millisecond}, true, true},
		{"not executed", sim.Answer{What: sim.Refused, After: time.Millisecond}, false, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s := members(map[string][]sim.Fault{
				"a": {{What: sim.FaultAnswer, Share: 0.1, Answer: c.death}}, "bb": {{What: sim.FaultAnswer, Share: 0.1, Answer: c.death}},
			})
			p := spread([]string{"a", "bb"}, func(p *policy.Plan) {
				p.Idempotency, p.Key = policy.Keyed, policy.Key{Header: "Idempotency-Key"}
				p.Retry.On = policy.RetryOn(policy.Keyed)
				p.Targets[0].SharedKeys = c.shared
				p.Breaker, p.Budget = policy.BreakerConfig{}, policy.BudgetConfig{}
			})
			last, same, other := map[int]string{}, 0, 0
			if _, err := sim.Run(s, p, 1, sim.WithTrace(func(l sim.Line) {
				switch {
				case l.What != sim.AttemptStarts:
				case l.Attempt > 1 && last[l.Call] == l.Target:
					same++
				case l.Attempt == 2:
					other++
				}
				if l.What == sim.AttemptStarts {
					last[l.Call] = l.Target
				}
			})); err != nil {
				t.Fatal(err)
			}
			if c.elsewhere && (other < 100 || same > other/5) || !c.elsewhere && (same < 100 || other > 0) {
				t.Errorf("%d retries at the same member, %d at the other", same, other)
			}
		})
	}
}

// TestAllMembersOut: where every member is out, the target is: the next rung answers at once.
func TestAllMembersOut(t *testing.T) {
	t.Parallel()
	dead := []sim.Fault{{What: sim.FaultAnswer, Answer: sim.Answer{Status: 503, After: time.Millisecond}}}
	p := spread([]string{"a", "bb"}, func(p *policy.Plan) {
		p.Fallback.Rungs = []policy.Rung{{Name: "canned", Sort: policy.RungStatic, Level: policy.Canned, When: []policy.Kind{policy.KindTransient, policy.KindBreakerOpen}}}
	})
	r, err := sim.Run(members(map[string][]sim.Fault{"a": dead, "bb": dead}), p, 1)
	if err != nil {
		t.Fatal(err)
	}
	if r.Failed > 0 || r.Fallback != r.Calls {
		t.Errorf("want every call answered by the rung below\n%s", &r)
	}
	if got, want := r.Reached["a"]+r.Reached["bb"], 2*probesOf(&r); got > want {
		t.Errorf("%d attempts reached two dead members, want at most %d\n%s", got, want, &r)
	}
}

// TestPausedMember: a wait that one member asks for is no wait of the call's, as long as another can serve.
func TestPausedMember(t *testing.T) {
	t.Parallel()
	s := members(map[string][]sim.Fault{
		"a": nil,
		"bb": {{What: sim.FaultAnswer, From: 5 * time.Second, Answer: sim.Answer{
			Status: 429, After: time.Millisecond, Pushback: true, RetryAfter: 20 * time.Second,
		}}},
	})
	r, err := sim.Run(s, spread([]string{"a", "bb"}), 1)
	if err != nil {
		t.Fatal(err)
	}
	// Until the pause is known, as many calls are under way as come in its first millisecond.
	if after := r.Reached["bb"]; r.OK != r.Calls || r.Pauses > 6 || after > 600 {
		t.Errorf("bb was reached %d times\n%s", after, &r)
	}
	if r.Answered.P999 > time.Second {
		t.Errorf("p99.9 is %v: a call waited for the member that is paused\n%s", r.Answered.P999, &r)
	}
}
