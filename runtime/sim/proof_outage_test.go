package sim_test

import (
	"testing"
	"time"

	"github.com/resgen-go/resgen/runtime/policy"
	"github.com/resgen-go/resgen/runtime/sim"
)

func saving(p *policy.Plan) { p.Budget = policy.BudgetConfig{Ratio: 0.1, MinPerSecond: 1} }

func tryOnce(p *policy.Plan) { p.Retry = policy.Retry{} }

// quick is the recommended breaker with an open time of 500 ms, which does not grow.
func quick(p *policy.Plan) {
	p.Breaker = policy.Recommended(false).Breaker
	p.Breaker.OpenFor, p.Breaker.OpenMax = 500*time.Millisecond, 500*time.Millisecond
}

// outages are the two kinds of an outage, by name, with what the breaker may cost in points of ok.
func outages() map[string]struct {
	hanging bool
	cost    float64
} {
	return map[string]struct {
		hanging bool
		cost    float64
	}{"fast": {false, 1}, "hanging": {true, 1.5}}
}

// TestBudgetInAnOutage: a budget alone keeps the load on a target that is down near what is asked of it, and on one that has just come
// back too.
func TestBudgetInAnOutage(t *testing.T) {
	t.Parallel()
	const runs, rate = 20, 80
	for name, kind := range outages() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			all := play(t, runs, sim.Outage(15*time.Second, kind.hanging), guarded(saving))
			all.most(t, "amplification", 1.15, amplification)
			all.most(t, "the worst second, of the load", 1.3, func(r *sim.Report) float64 { return float64(r.Peak) / rate })
			all.most(t, "load after the outage", 1.2, loadAfter)
		})
	}
}

// TestRetriesWithoutABudgetInAnOutage shows what the budget is for: the scenario is one in which retries alone do harm.
func TestRetriesWithoutABudgetInAnOutage(t *testing.T) {
	t.Parallel()
	for _, r := range play(t, 3, sim.Outage(15*time.Second, true), guarded()) {
		if r.Amplification < 3 || r.LoadAfter < 2 || r.OKPercent() > 50 {
			t.Errorf("seed %d: want a target that does not recover\n%s", r.Seed, &r)
		}
	}
}

// TestBreakerInAnOutage: with a breaker the target is left alone while it is down, and found again soon after.
func TestBreakerInAnOutage(t *testing.T) {
	t.Parallel()
	const runs = 40
	for name, kind := range outages() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			outage := func(seed uint64) sim.Scenario {
				long := 12*time.Second + time.Duration(seed)*6*time.Second/(runs-1)
				return sim.Outage(long, kind.hanging)
			}
			with := playEach(t, runs, outage, guarded(saving, quick))
			without := playEach(t, runs, outage, guarded(tryOnce))
			with.most(t, "amplification", 0.2, amplification)
			costs := make([]float64, len(with))
			for i := range costs {
				costs[i] = without[i].OKPercent() - with[i].OKPercent()
			}
			if cost := median(costs); cost > kind.cost && !brief() {
				t.Errorf("%.2f points of ok lost in the median, want at most %.2f", cost, kind.cost)
			}
		})
	}
}
