package sim_test

import (
	"testing"
	"time"

	"github.com/resgen-go/resgen/runtime/policy"
	"github.com/resgen-go/resgen/runtime/sim"
)

// bookPlan is a plan of the textbook's table: four attempts within 6 s.
func bookPlan(change ...func(*policy.Plan)) policy.Plan {
	return plain(append([]func(*policy.Plan){func(p *policy.Plan) {
		p.Timeout.Total = 6 * time.Second
		p.Retry = policy.Retry{Attempts: 4, On: policy.RetryOn(policy.Safe)}
	}}, change...)...)
}

func jittered(p *policy.Plan) {
	p.Retry.Backoff = policy.Backoff{Base: 250 * time.Millisecond, Max: 4 * time.Second, Jitter: policy.FullJitter}
}

func budgeted(p *policy.Plan) { p.Budget = policy.BudgetConfig{Ratio: 0.1, Cap: 20} }

func broken(p *policy.Plan) {
	p.Breaker = policy.BreakerConfig{
		Mode: policy.BreakerOn, WindowCalls: 50, WindowAge: time.Minute, MinCalls: 20, FailureRate: 0.5,
		OpenFor: 5 * time.Second, OpenMax: 5 * time.Second, Probes: 1, CloseAfter: 1,
	}
	p.Fallback.Rungs = []policy.Rung{{Name: "canned", Sort: policy.RungStatic, When: policy.Kinds(), Level: policy.Canned}}
}

// TestTextbook holds the simulator to the field's table: what is measured in the median of 20 seeds, and trips in each. The table's
// breaker draws no jitter.
func TestTextbook(t *testing.T) {
	t.Parallel()
	const runs = 20
	for _, row := range []struct {
		name                          string
		plan                          policy.Plan
		outage                        bool
		attempts, peak, ok, back, bad float64
		trips                         int
	}{
		{"naive, blip", bookPlan(), false, 1.24, 108, 99.9, 0, 0.1, 0},
		{"jitter, blip", bookPlan(jittered), false, 1.24, 111, 99.9, 0, 0.1, 0},
		{"budget, blip", bookPlan(jittered, budgeted), false, 1.10, 90, 88.9, 0, 11.1, 0},
		{"breaker, blip", bookPlan(jittered, broken), false, 1.24, 111, 99.9, 0.1, 0, 0},
		{"naive, outage", bookPlan(), true, 1.75, 320, 75.0, 0, 25.0, 0},
		{"jitter, outage", bookPlan(jittered), true, 1.77, 334, 76.3, 0, 23.7, 0},
		{"budget, outage", bookPlan(jittered, budgeted), true, 1.03, 106, 75.0, 0, 25.0, 0},
		{"breaker, outage", bookPlan(jittered, broken), true, 0.75, 80, 74.6, 25.4, 0, 1},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			all := play(t, runs, sim.Textbook(row.outage), row.plan, sim.WithoutSpread())
			near(t, "attempts per call", all.median(func(r *sim.Report) float64 { return r.AttemptsPerCall() }), row.attempts, 0.03)
			near(t, "peak", all.median(peak), row.peak, 0.15*row.peak)
			near(t, "ok %", all.median(okPercent), row.ok, 1)
			near(t, "fallback %", all.median(func(r *sim.Report) float64 { return r.FallbackPercent() }), row.back, 1)
			near(t, "failed %", all.median(func(r *sim.Report) float64 { return r.FailedPercent() }), row.bad, 1)
			for _, r := range all {
				if r.Trips != row.trips || r.Unfinished != 0 {
					t.Errorf("seed %d: %d trips, want %d\n%s", r.Seed, r.Trips, row.trips, &r)
				}
			}
		})
	}
}

// TestRecommendedBreakerInABlip: where a fifth of the attempts fails, retries answer nearly all calls, and the breaker stays out of it.
func TestRecommendedBreakerInABlip(t *testing.T) {
	t.Parallel()
	const runs = 40
	breaker := func(p *policy.Plan) { p.Breaker = policy.Recommended(false).Breaker }
	for name, s := range map[string]sim.Scenario{"textbook": sim.Textbook(false), "queue": sim.Blip(0.2)} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			all := play(t, runs, s, bookPlan(jittered, breaker))
			if ok := all.median(okPercent); ok < 99 {
				t.Errorf("%.2f %% ok in the median, want 99", ok)
			}
			tripped := 0
			for _, r := range all {
				if r.Trips > 0 {
					tripped++
				}
			}
			if tripped*20 > len(all) {
				t.Errorf("the breaker tripped in %d of %d runs", tripped, len(all))
			}
		})
	}
}
