package policy_test

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/resgen-go/resgen/runtime/policy"
)

func TestT16_WindowKeepsTheNewest(t *testing.T) {
	t.Parallel()
	w := policy.NewWindow(3, 10*time.Second)
	check := func(now time.Duration, want policy.Counts) {
		t.Helper()
		if diff := cmp.Diff(want, w.Counts(at(now))); diff != "" {
			t.Errorf("at %v (-want +got):\n%s", now, diff)
		}
	}
	check(0, policy.Counts{})
	w.Record(at(0), true, false)
	w.Record(at(time.Second), true, true)
	w.Record(at(2*time.Second), false, true)
	check(2*time.Second, policy.Counts{Calls: 3, Failures: 2, Slow: 2})
	w.Record(at(3*time.Second), false, false) // the first goes: three are kept
	check(3*time.Second, policy.Counts{Calls: 3, Failures: 1, Slow: 2})
	check(11*time.Second, policy.Counts{Calls: 3, Failures: 1, Slow: 2})
	check(11*time.Second+1, policy.Counts{Calls: 2, Slow: 1}) // older than 10 s
	check(time.Hour, policy.Counts{})                         // a long silence takes all
	w.Record(at(time.Hour), true, false)
	check(time.Hour, policy.Counts{Calls: 1, Failures: 1})
}

func TestT15_WindowWhenTimeStepsBack(t *testing.T) {
	t.Parallel()
	w := policy.NewWindow(10, 10*time.Second)
	w.Record(at(time.Minute), true, false)
	w.Record(at(0), true, false)
	if diff := cmp.Diff(policy.Counts{Calls: 2, Failures: 2}, w.Counts(at(time.Minute+10*time.Second))); diff != "" {
		t.Errorf("both count as of the latest time seen (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(policy.Counts{}, w.Counts(at(time.Minute+11*time.Second))); diff != "" {
		t.Errorf("and both age (-want +got):\n%s", diff)
	}
}

func TestWindowBounds(t *testing.T) {
	t.Parallel()
	for _, n := range []int{0, -1} {
		w := policy.NewWindow(n, time.Second)
		w.Record(at(0), true, true)
		if got := w.Counts(at(0)); got != (policy.Counts{}) {
			t.Errorf("a window of %d holds %+v", n, got)
		}
	}
	w := policy.NewWindow(2, 0)
	w.Record(at(0), true, true)
	if got := w.Counts(at(1000 * time.Hour)); got.Calls != 1 {
		t.Errorf("without an age nothing ages: %+v", got)
	}
}

// The ring holds what a plain slice would.
func TestWindowAgainstSlice(t *testing.T) {
	t.Parallel()
	type entry struct {
		at           time.Time
		failed, slow bool
	}
	random := rand.New(rand.NewPCG(5, 6))
	for range 50 {
		size, age := 1+random.IntN(20), time.Duration(1+random.IntN(50))*ms
		w := policy.NewWindow(size, age)
		var all []entry
		now := at(0)
		for range 300 {
			now = now.Add(time.Duration(random.IntN(10)) * ms)
			e := entry{now, random.IntN(2) == 0, random.IntN(3) == 0}
			all = append(all, e)
			w.Record(now, e.failed, e.slow)
			if random.IntN(20) == 0 {
				now = now.Add(age)
			}
			var want policy.Counts
			for _, e := range all[max(0, len(all)-size):] {
				if now.Sub(e.at) > age {
					continue
				}
				want.Calls++
				if e.failed {
					want.Failures++
				}
				if e.slow {
					want.Slow++
				}
			}
			if diff := cmp.Diff(want, w.Counts(now)); diff != "" {
				t.Fatalf("window of %d, %v (-want +got):\n%s", size, age, diff)
			}
		}
	}
}
