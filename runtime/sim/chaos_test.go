package sim

import (
	"flag"
	"fmt"
	"math"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
)

var chaosSeed = flag.Uint64("sim.seed", 0, "play this one history of TestChaos, and print it if it fails")

func pow(x, y float64) float64 { return math.Pow(x, y) }

const (
	historyCalls = 500 // about so many calls has a history
	allCalls     = 1_000_000
	fewCalls     = 50_000 // with -short, and with -race
	abortShare   = 0.003
	// straightShare is the share of histories in which calls go straight where the plan lets them.
	straightShare = 0.5
)

// TestChaos plays random plans against random clients and servers, and checks after each thing that a machine says what must hold whatever
// happens: see checker. A history that fails names its seed; -sim.seed plays it alone.
func TestChaos(t *testing.T) {
	t.Parallel()
	if *chaosSeed != 0 {
		playHistory(t, *chaosSeed)
		return
	}
	most := allCalls
	if testing.Short() || raceEnabled {
		most = fewCalls
	}
	var seed atomic.Uint64
	var mu sync.Mutex
	var sum Report
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			for calls := 0; calls < most && !t.Failed(); {
				r := playHistory(t, seed.Add(1))
				mu.Lock()
				addUp(&sum, &r)
				calls = sum.Calls
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	t.Logf("%d histories: %d calls, %d attempts, %d hedges, %d trips, %d reopenings, %d retries denied, %d pauses, %d streams, %v",
		seed.Load(), sum.Calls, sum.Attempts, sum.Hedges, sum.Trips, sum.Reopened, sum.Denied, sum.Pauses, sum.Streams, sum.Failures)
	if most < allCalls {
		return
	}
	for what, n := range map[string]int{
		"hedges": sum.Hedges, "trips": sum.Trips, "reopenings": sum.Reopened, "denied": sum.Denied, "pauses": sum.Pauses,
		"streams": sum.Streams, "broken streams": sum.BrokenStreams, "fallbacks": sum.Fallback, "rejections": sum.Rejected,
		"full bulkheads": sum.Failures["bulkhead-full"], "limits": sum.Failures["rate-limited"], "shed": sum.Failures["shed"],
		"open breakers": sum.Failures["breaker-open"], "cancels": sum.Failures["canceled"], "deadlines": sum.Failures["deadline"],
	} {
		if n*10_000 < sum.Calls {
			t.Errorf("%s: only %d in %d calls: the histories do not reach them", what, n, sum.Calls)
		}
	}
}

// addUp adds the counts of a report to a sum.
func addUp(sum, r *Report) {
	sum.add(&r.ClientReport)
	sum.Hedges += r.Hedges
	sum.Trips += r.Trips
	sum.Reopened += r.Reopened
	sum.Denied += r.Denied
	sum.Pauses += r.Pauses
	sum.Streams += r.Streams
	sum.BrokenStreams += r.BrokenStreams
}

// playHistory plays the history of a seed.
func playHistory(t *testing.T, seed uint64) Report {
	t.Helper()
	f := fortuneOf(seed)
	plan, s := f.plan(), f.scenario(historyCalls)
	var story strings.Builder
	r := newRun(s, []Operation{{Plan: plan}}, seed, []Option{func(r *run) {
		r.apart = f.chance(0.3)
		if *chaosSeed != 0 {
			r.tell = func(l Line) { fmt.Fprintln(&story, l) }
		}
	}})
	if f.chance(straightShare) {
		r.straighten()
	}
	c := newChecker(t, r)
	r.watch = c
	for {
		e, ok := r.agenda.next()
		if !ok {
			break
		}
		if e.call != nil && !e.call.expects(&e) {
			continue
		}
		c.clock(&e)
		r.now = e.at
		if e.rank == attemptEnds && !e.call.holds && !e.call.lost && f.chance(abortShare) {
			c.abort(e.call, int(e.copy))
			continue
		}
		r.happen(&e)
	}
	c.over()
	report := r.count.report(r)
	if *chaosSeed != 0 && t.Failed() {
		t.Logf("plan: %+v\n%s%s", plan, s, story.String())
	}
	return report
}
