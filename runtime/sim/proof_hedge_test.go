package sim_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/resgen-go/resgen/runtime/policy"
	"github.com/resgen-go/resgen/runtime/sim"
)

// tail is a target of which a share of the answers takes 20 times as long: 20,000 calls at 200 a second, log-normal around 10 ms.
func tail(slow float64) sim.Scenario {
	return sim.Scenario{
		Name: "tail", Length: 100 * time.Second, Clients: []sim.Client{{Name: "load", Rate: 200}},
		Servers: []sim.Server{{
			Target:  policy.PrimaryTarget,
			Latency: sim.Latency{Median: 10 * time.Millisecond, Sigma: 0.2, SlowShare: slow, SlowFactor: 20},
		}},
	}
}

// hedging lets a plan send one copy, after a delay that it finds itself.
func hedging(extra float64) func(*policy.Plan) {
	return func(p *policy.Plan) { p.Hedgeable, p.Hedge = true, policy.HedgeConfig{Max: 1, ExtraLoad: extra} }
}

func p99(r *sim.Report) float64 { return float64(r.Answered.P99) }

// TestHedgesCutTheTail: where up to a twentieth of the answers is slow, the slowest hundredth falls to a seventh, for a load that stays
// within what was allowed. Where more are slow than may be copied, hedges do not make it worse.
func TestHedgesCutTheTail(t *testing.T) {
	t.Parallel()
	const runs, extra = 20, 0.05
	for _, test := range []struct{ slow, middle, each float64 }{
		{0.02, 1.0 / 7, 1.0 / 5}, {0.04, 1.0 / 7, 1.0 / 5}, {0.05, 1.0 / 7, 1.0 / 5}, {0.08, 1, 1}, {0.20, 1, 1},
	} {
		t.Run(fmt.Sprintf("%.0f%%", 100*test.slow), func(t *testing.T) {
			t.Parallel()
			without, with := play(t, runs, tail(test.slow), plain()), play(t, runs, tail(test.slow), plain(hedging(extra)))
			with.most(t, "load", 1+1.2*extra, func(r *sim.Report) float64 { return r.AttemptsPerCall() })
			base := without.of(p99)
			ratios := with.of(func(r *sim.Report) float64 { return p99(r) / base[r.Seed] })
			if m := median(ratios); m > test.middle {
				t.Errorf("p99 is 1/%.2f of that without hedges in the median, want 1/%.2f", 1/m, 1/test.middle)
			}
			for seed, x := range ratios {
				if x > test.each {
					t.Errorf("seed %d: p99 is 1/%.2f of that without hedges, want 1/%.2f", seed, 1/x, 1/test.each)
				}
			}
		})
	}
}
