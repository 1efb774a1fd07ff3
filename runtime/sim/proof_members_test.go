package sim_test

import (
	"math"
	"slices"
	"testing"
	"time"

	"github.com/resgen-go/resgen/runtime/policy"
	"github.com/resgen-go/resgen/runtime/sim"
)

// spread is a plan whose primary target has those members, with the recommended policies.
func spread(names []string, change ...func(*policy.Plan)) policy.Plan {
	p := guarded(saving)
	p.Breaker, p.Bulkhead = policy.Recommended(false).Breaker, policy.BulkheadConfig{MaxConcurrent: 64}
	p.Retry.Attempts = 3
	p.Targets = []policy.Target{{Name: policy.PrimaryTarget, AnyOf: names}}
	for _, f := range change {
		f(&p)
	}
	return p
}

const usually = 20 * time.Millisecond

// members is a minute of 200 calls a second, to members with those faults.
func members(faults map[string][]sim.Fault) sim.Scenario {
	s := sim.Scenario{Name: "members", Length: time.Minute, Clients: []sim.Client{{Name: "web", Rate: 200, Poisson: true}}}
	for name, f := range faults {
		s.Servers = append(s.Servers, sim.Server{Target: name, Latency: sim.Latency{Median: usually, Sigma: 0.3}, Faults: f})
	}
	slices.SortFunc(s.Servers, func(a, b sim.Server) int { return len(a.Target) - len(b.Target) })
	return s
}

// deaths are the ways of a member to be dead.
func deaths() map[string]sim.Answer {
	return map[string]sim.Answer{
		"refuses":  {What: sim.Refused, After: time.Millisecond},
		"hangs":    {What: sim.Hanging},
		"fails":    {Status: 503, After: time.Millisecond},
		"breaks":   {What: sim.Broken, After: 5 * time.Millisecond},
		"no money": {Status: 402, After: time.Millisecond},
	}
}

// TestOneDeadOneSlow is what equal members are for: with one of three dead and another ten times slower, nearly every call is answered, as
// quickly as two healthy ones alone would have answered it, and the dead one gets nothing but what finds out that it is.
func TestOneDeadOneSlow(t *testing.T) {
	t.Parallel()
	const runs = 10
	healthy := members(map[string][]sim.Fault{"a": nil, "bb": nil})
	alone := play(t, runs, healthy, spread([]string{"a", "bb"}))
	for name, death := range deaths() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := members(map[string][]sim.Fault{
				"a":   nil,
				"bb":  {{What: sim.FaultSlow, Factor: 10}},
				"ccc": {{What: sim.FaultAnswer, Answer: death}},
			})
			for i, r := range play(t, runs, s, spread([]string{"a", "bb", "ccc"})) {
				if ok := r.OKPercent(); ok < 99 {
					t.Errorf("seed %d: %.2f %% answered, want 99\n%s", i, ok, &r)
				}
				if got, want := r.Answered.P99, time.Duration(1.5*float64(alone[i].Answered.P99)); got > want {
					t.Errorf("seed %d: p99 %v, want at most %v\n%s", i, got, want, &r)
				}
				if got := r.Reached["ccc"]; got > probesOf(&r) {
					t.Errorf("seed %d: %d attempts reached the dead one, want at most %d\n%s", i, got, probesOf(&r), &r)
				}
			}
		})
	}
}

// probesOf is the most that a dead member may get: what is in flight or fails until its breaker opens, and the probes of each half-open.
func probesOf(r *sim.Report) int {
	b := policy.Recommended(false).Breaker
	return b.MinCalls + (r.Reopened+1)*b.Probes
}

// TestWeights: where all members are well, each gets its share.
func TestWeights(t *testing.T) {
	t.Parallel()
	weights := map[string]float64{"a": 1, "bb": 2, "ccc": 5}
	s := members(map[string][]sim.Fault{"a": nil, "bb": nil, "ccc": nil})
	p := spread([]string{"a", "bb", "ccc"}, func(p *policy.Plan) {
		for name, w := range weights {
			p.Targets = append(p.Targets, policy.Target{Name: name, Weight: w})
		}
	})
	for _, r := range play(t, 5, s, p) {
		total := float64(r.Reached["a"] + r.Reached["bb"] + r.Reached["ccc"])
		for name, w := range weights {
			if got, want := float64(r.Reached[name])/total, w/8; math.Abs(got-want) > 0.12*want {
				t.Errorf("seed %d: %s got %.3f of the calls, want %.3f", r.Seed, name, got, want)
			}
		}
	}
}

// TestFailback: a member that is back gets its share again, little by little.
func TestFailback(t *testing.T) {
	t.Parallel()
	s := members(map[string][]sim.Fault{
		"a": nil, "bb": nil,
		"ccc": {{What: sim.FaultAnswer, To: 20 * time.Second, Answer: sim.Answer{What: sim.Refused, After: time.Millisecond}}},
	})
	for seed := range uint64(5) {
		perSecond := map[int64]int{}
		_, err := sim.Run(s, spread([]string{"a", "bb", "ccc"}), seed, sim.WithTrace(func(l sim.Line) {
			if l.What == sim.AttemptStarts && l.Target == "ccc" {
				perSecond[int64(l.At/time.Second)]++
			}
		}))
		if err != nil {
			t.Fatal(err)
		}
		back := int64(20)
		for perSecond[back] < 5 {
			back++
		}
		for second, n := range perSecond {
			if second < back && second > 0 && n > 5 {
				t.Errorf("seed %d: %d calls in second %d, while it is dead", seed, n, second)
			}
		}
		// 200 calls a second, a third of which is its share: it begins with a tenth of that, and has all of it after ten seconds.
		if n := perSecond[back] + perSecond[back+1]; n > 60 {
			t.Errorf("seed %d: a flood of %d calls in the first two seconds", seed, n)
		}
		if n := perSecond[back+15]; n < 40 {
			t.Errorf("seed %d: %d calls a second after 15 s, want about 67", seed, n)
		}
	}
}
