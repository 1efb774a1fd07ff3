package sim

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/resgen-go/resgen/runtime/policy"
)

// straightPlan draws a plan whose calls may go straight.
func (f fortune) straightPlan() policy.Plan {
	for {
		p := f.plan()
		p.Hedge, p.Cache, p.Exercise = policy.HedgeConfig{}, policy.CacheConfig{}, policy.ExerciseConfig{}
		p.Shed, p.Stream = policy.ShedConfig{}, policy.Stream{}
		if p.Idempotency != policy.Keyed {
			return p
		}
	}
}

// within lets instants differ by so much: a limit that is asked once more rounds once more.
func within(tolerance time.Duration) cmp.Option {
	return cmp.Comparer(func(a, b time.Duration) bool { return max(a-b, b-a) <= tolerance })
}

// TestStraightCallsGoTheSameWay: what policy.Straight does for a call is what policy.Call would have done, to the nanosecond and whatever
// happens; to the microsecond where there is a limit.
func TestStraightCallsGoTheSameWay(t *testing.T) {
	t.Parallel()
	histories := 300
	if testing.Short() || raceEnabled {
		histories = 30
	}
	straight := 0
	for seed := range uint64(histories) {
		f := fortuneOf(seed)
		plan, s := f.straightPlan(), f.scenario(historyCalls)
		play := func(goes bool) (lines []Line, report Report, went int) {
			r := newRun(s, []Operation{{Plan: plan}}, seed, []Option{WithTrace(func(l Line) { lines = append(lines, l) })})
			if goes {
				r.straighten()
			}
			for {
				e, ok := r.agenda.next()
				if !ok {
					return lines, r.count.report(r), went
				}
				if e.call != nil && !e.call.expects(&e) {
					continue
				}
				if e.call != nil && e.call.goes {
					went++
				}
				r.now = e.at
				r.happen(&e)
			}
		}
		want, before, _ := play(false)
		got, after, went := play(true)
		straight += went
		tolerance := time.Duration(0)
		if !policy.TargetOf(&plan, policy.PrimaryTarget).Limit.IsOff() {
			tolerance = time.Microsecond
		}
		if diff := cmp.Diff(want, got, within(tolerance)); diff != "" {
			t.Fatalf("seed %d: straight calls go another way (-machine +straight):\n%s\nplan: %+v\n%s", seed, diff, plan, s)
		}
		if diff := cmp.Diff(before, after, within(tolerance)); diff != "" {
			t.Fatalf("seed %d: another report (-machine +straight):\n%s", seed, diff)
		}
	}
	if straight < 10*histories {
		t.Errorf("only %d calls went straight in %d histories", straight, histories)
	}
}
