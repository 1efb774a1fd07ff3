package sim_test

import (
	"math"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/resgen-go/resgen/runtime/policy"
	"github.com/resgen-go/resgen/runtime/sim"
)

// The proofs play a scenario with many seeds, and hold what was measured to what the product promises. Each failure names its seed:
// sim.Run with the same three arguments shows it again.

// seeds is a run for each of n seeds.
type seeds []sim.Report

// play plays a scenario with n seeds.
func play(t *testing.T, n int, s sim.Scenario, p policy.Plan, opts ...sim.Option) seeds {
	t.Helper()
	return playEach(t, n, func(uint64) sim.Scenario { return s }, p, opts...)
}

// brief says that a test is to be short, also with the race detector, which has nothing to find in a run.
func brief() bool { return testing.Short() || sim.RaceEnabled }

// playEach plays a scenario of its own for each of n seeds, several at once; only the first where tests are to be brief.
func playEach(t *testing.T, n int, s func(seed uint64) sim.Scenario, p policy.Plan, opts ...sim.Option) seeds {
	t.Helper()
	if brief() {
		n = 1
	}
	all := make(seeds, n)
	var wg sync.WaitGroup
	for i := range all {
		wg.Go(func() {
			r, err := sim.Run(s(uint64(i)), p, uint64(i), opts...)
			if err != nil {
				t.Error(err)
			}
			all[i] = r
		})
	}
	wg.Wait()
	return all
}

// of returns a number of each run.
func (all seeds) of(number func(r *sim.Report) float64) []float64 {
	out := make([]float64, len(all))
	for i := range all {
		out[i] = number(&all[i])
	}
	return out
}

// median returns the middle one of the runs' numbers.
func (all seeds) median(number func(r *sim.Report) float64) float64 { return median(all.of(number)) }

func median(numbers []float64) float64 {
	sorted := slices.Sorted(slices.Values(numbers))
	n := len(sorted)
	return (sorted[(n-1)/2] + sorted[n/2]) / 2
}

// most fails for each seed whose number is above the bound.
func (all seeds) most(t *testing.T, what string, bound float64, number func(r *sim.Report) float64) {
	t.Helper()
	for i, x := range all.of(number) {
		if x > bound {
			t.Errorf("seed %d: %s is %.3f, want at most %.3f\n%s", all[i].Seed, what, x, bound, &all[i])
		}
	}
}

// near fails where a number is further than that from what is wanted.
func near(t *testing.T, what string, got, want, by float64) {
	t.Helper()
	if !(math.Abs(got-want) <= by) {
		t.Errorf("%s: %.3f, want %.3f ± %.3f", what, got, want, by)
	}
}

func okPercent(r *sim.Report) float64     { return r.OKPercent() }
func amplification(r *sim.Report) float64 { return r.Amplification }
func loadAfter(r *sim.Report) float64     { return r.LoadAfter }
func peak(r *sim.Report) float64          { return float64(r.Peak) }

// guarded is what the proofs about outages have in common: four attempts with full jitter from 100 ms to 2 s, an attempt has 1 s.
func guarded(change ...func(*policy.Plan)) policy.Plan {
	return plain(append([]func(*policy.Plan){func(p *policy.Plan) {
		p.Timeout = policy.Timeout{Attempt: time.Second, Total: 10 * time.Second}
		p.Retry = policy.Retry{
			Attempts: 4, On: policy.RetryOn(policy.Safe), RetryAfterMax: 30 * time.Second,
			Backoff: policy.Backoff{Base: 100 * time.Millisecond, Max: 2 * time.Second},
		}
	}}, change...)...)
}
