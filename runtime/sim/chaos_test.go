package sim

import (
	"flag"
	"fmt"
	"math"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/resgen-go/resgen/runtime/policy"
)

var chaosSeed = flag.Uint64("sim.seed", 0, "play this one history of TestChaos, and print it if it fails")

func pow(x, y float64) float64 { return math.Pow(x, y) }

const (
	historyCalls = 500 // about so many calls has a history
	allCalls     = 1_000_000
	fewCalls     = 50_000 // with -short, and with -race
	abortShare   = 0.003
)

// TestChaos plays random plans against random clients and servers, and checks after each thing that a machine says what must hold whatever
// happens: see checker. A history that fails names its seed; -sim.seed plays it alone.
func TestChaos(t *testing.T) {
	t.Parallel()
	if *chaosSeed != 0 {
		playHistory(t, *chaosSeed)
		return
	}
	most := int64(allCalls)
	if testing.Short() || raceEnabled {
		most = fewCalls
	}
	var calls, attempts, seed atomic.Int64
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			for calls.Load() < most && !t.Failed() {
				r := playHistory(t, uint64(seed.Add(1)))
				calls.Add(int64(r.Calls))
				attempts.Add(int64(r.Attempts))
			}
		})
	}
	wg.Wait()
	t.Logf("%d histories, %d calls, %d attempts", seed.Load(), calls.Load(), attempts.Load())
}

// playHistory plays the history of a seed.
func playHistory(t *testing.T, seed uint64) Report {
	t.Helper()
	f := fortuneOf(seed)
	plan, s := f.plan(), f.scenario(historyCalls)
	var story strings.Builder
	r := newRun(s, plan, seed, []Option{func(r *run) {
		if *chaosSeed != 0 {
			r.tell = func(l Line) { fmt.Fprintln(&story, l) }
		}
	}})
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
		c.clock(e.at)
		r.now = e.at
		if e.rank == attemptEnds && !e.call.streams && f.chance(abortShare) {
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

// checker holds a run to what must hold whatever happens. It keeps accounts of its own, from what the driver is told to do.
type checker struct {
	t       *testing.T
	run     *run
	calls   map[int]*record
	targets map[*policy.Budget]*account
	permits map[*policy.Bulkhead]int
	trials  map[*policy.Breaker]*trial
	done    int
	last    int64
}

// record is what is known of a call.
type record struct {
	end     int64 // by when it must be over; never is none
	numbers []int // attempts by rung
	doubt   bool  // an attempt may have been executed
	over    bool
	paid    float64 // for the retry that is waited for
	payer   *account
	failed  policy.Result
	flying  []policy.Action
	streams *policy.Bulkhead // whose permit the answer holds
}

func newChecker(t *testing.T, r *run) *checker {
	t.Helper()
	return &checker{
		t: t, run: r, calls: map[int]*record{}, targets: map[*policy.Budget]*account{}, permits: map[*policy.Bulkhead]int{},
		trials: map[*policy.Breaker]*trial{},
	}
}

func (c *checker) errorf(format string, args ...any) {
	c.t.Helper()
	c.t.Errorf("go test ./runtime/sim -run TestChaos -sim.seed=%d: at %d: "+format, append([]any{c.run.seed, c.run.now}, args...)...)
}

// clock checks that time does not go back.
func (c *checker) clock(at int64) {
	if at < c.last {
		c.errorf("time goes back from %d to %d", c.last, at)
	}
	c.last = at
}

func (c *checker) of(cl *call) *record {
	r, ok := c.calls[cl.number]
	if !ok {
		r = &record{end: never, numbers: make([]int, len(c.run.rungs))}
		cfg := c.run.scenario.Clients[cl.client]
		if cfg.Deadline > 0 {
			r.end = cl.arrived + int64(cfg.Deadline)
		}
		if total := c.run.plan.Timeout.Total; total > 0 {
			r.end = min(r.end, cl.arrived+int64(total))
		}
		c.calls[cl.number] = r
	}
	return r
}

// acted checks what a machine says.
func (c *checker) acted(_ *run, cl *call, a policy.Action) {
	r := c.of(cl)
	released := c.run.plan.Stream.Format != policy.NoStream && (a.Do == policy.WakeCall || a.Do == policy.TellNote) // by its answer
	if r.over && !released {
		c.errorf("call %d: action %d after its end", cl.number, a.Do)
	}
	switch a.Do {
	case policy.StartAttempt:
		c.started(cl, r, a)
	case policy.SetTimer:
		if until := c.run.nanosOf(a.Until); until > r.end {
			c.errorf("call %d waits until %d, after its end %d", cl.number, until, r.end)
		}
	case policy.FinishCall:
		c.finished(cl, r, a)
	case policy.TellNote:
		c.noted(r, a.Note)
	case policy.AwaitGrant, policy.StopTimer, policy.WakeCall:
	}
}

// started checks an attempt.
func (c *checker) started(cl *call, r *record, a policy.Action) {
	rung := &c.run.plan.Fallback
	r.numbers[a.Rung]++
	most := max(c.run.plan.Retry.Attempts, 1)
	if n := r.numbers[a.Rung]; n > most || n != a.Number {
		c.errorf("call %d: attempt %d is number %d of %d on rung %d", cl.number, n, a.Number, most, a.Rung)
	}
	if sort := c.run.rungs[a.Rung].sort; sort == policy.RungStatic {
		return
	}
	if c.run.now > r.end {
		c.errorf("call %d: an attempt begins after its end %d", cl.number, r.end)
	}
	if until := c.run.nanosOf(a.Until); r.end != never && (a.Until.IsZero() || until > r.end) {
		c.errorf("call %d: an attempt may last until %d, after its end %d", cl.number, until, r.end)
	}
	sends := a.Rung == 0 || rung.Rungs[a.Rung-1].Sort.Sends()
	if sends && r.doubt && !c.mayRepeat(a) {
		c.errorf("call %d: what must not be executed twice is sent again, attempt %d on rung %d", cl.number, a.Number, a.Rung)
	}
	c.take(cl, r, a)
}

// mayRepeat reports whether an attempt may be made although an earlier one may have been executed.
func (c *checker) mayRepeat(a policy.Action) bool {
	switch i := c.run.plan.Idempotency; {
	case i == policy.Safe || i == policy.Idempotent:
		return true
	case a.Rung > 0 && c.run.plan.Fallback.Rungs[a.Rung-1].MayDuplicate != "":
		return true
	default:
		return i == policy.Keyed && a.Number > 1 // the same key, at the same target
	}
}

// take takes into account what an attempt takes from the machines.
func (c *checker) take(cl *call, r *record, a policy.Action) {
	m := &c.run.machines[a.Rung]
	r.flying = append(r.flying, a)
	if m.Bulkhead != nil {
		c.permits[m.Bulkhead]++
		if n, most := c.permits[m.Bulkhead], m.Bulkhead.Snapshot(c.run.time(c.run.now)).MaxConcurrent; n > most {
			c.errorf("call %d: %d in flight, at most %d may be", cl.number, n, most)
		}
	}
	if m.Budget != nil {
		if a.Number == 1 {
			c.account(m.Budget).deposit(c.run.now)
		}
		r.paid, r.payer = 0, nil
	}
	c.probe(cl, m, a)
}

// ended takes an attempt's end.
func (c *checker) ended(_ *run, cl *call, res policy.Result) {
	r := c.of(cl)
	if len(r.flying) == 0 {
		return // a fixed answer
	}
	a := r.flying[0]
	r.flying = r.flying[1:]
	if c.run.now > r.end {
		c.errorf("call %d: an attempt ends after %d", cl.number, r.end)
	}
	r.doubt, r.failed = r.doubt || res.MayHaveActed, res
	c.unprobe(cl, &c.run.machines[a.Rung])
	holds := c.run.plan.Stream.Format != policy.NoStream && res.Kind == policy.KindNone
	if b := c.run.machines[a.Rung].Bulkhead; b != nil && !holds {
		c.permits[b]--
	}
}

// finished checks the end of a call.
func (c *checker) finished(cl *call, r *record, a policy.Action) {
	r.over = true
	c.done++
	c.refund(r)
	if len(r.flying) > 0 {
		c.errorf("call %d ends while an attempt runs", cl.number)
	}
	if a.Fall.Kind == policy.KindNone && r.numbers[a.Rung] == 0 {
		c.errorf("call %d is answered by rung %d, which was not tried", cl.number, a.Rung)
	}
	if cl.timers != [mostTimers]uint64{} || cl.grant != 0 || cl.awaits != (waiting{}) {
		c.errorf("call %d ends and leaves timers %v, grant %d, wait %v", cl.number, cl.timers, cl.grant, cl.awaits)
	}
	if a.Fall.Kind == policy.KindNone && c.run.plan.Stream.Format != policy.NoStream {
		if b := c.run.machines[a.Rung].Bulkhead; b != nil && c.run.rungs[a.Rung].sort != policy.RungStatic {
			r.streams = b
		}
	}
}

// streamed takes the end of an answer that outlived its call.
func (c *checker) streamed(_ *run, cl *call) {
	if b := c.of(cl).streams; b != nil {
		c.permits[b]--
	}
}

// abort ends a call as the live driver does after a panic.
func (c *checker) abort(cl *call, number int) {
	r := c.of(cl)
	f := &cl.flights[number]
	f.ends = 0
	c.ended(c.run, cl, policy.Result{MayHaveActed: true})
	if b := c.run.machines[f.rung].Bulkhead; b != nil && c.run.plan.Stream.Format != policy.NoStream {
		c.permits[b]--
	}
	c.refund(r)
	c.run.step(cl, policy.Event{What: policy.CallAborted})
	r.over = true
	c.done++
	c.run.dismiss(cl)
}

// over checks that everything was given back.
func (c *checker) over() {
	now := c.run.time(c.run.now)
	if c.done != c.run.calls {
		c.errorf("%d of %d calls have ended", c.done, c.run.calls)
	}
	if len(c.run.waits) > 0 {
		c.errorf("%d calls are still waited for", len(c.run.waits))
	}
	for i := range c.run.machines {
		m := &c.run.machines[i]
		if b := m.Bulkhead; b != nil {
			if s := b.Snapshot(now); s.InFlight != 0 || s.Queued != 0 || c.permits[b] != 0 {
				c.errorf("rung %d: bulkhead %+v after the end, by our account %d", i, s, c.permits[b])
			}
		}
		if m.Breaker != nil {
			if s := m.Breaker.State(now); s.InFlight != 0 {
				c.errorf("rung %d: breaker %+v after the end", i, s)
			}
		}
		if m.Budget != nil {
			if got, want := m.Budget.Balance(now), c.account(m.Budget).balance(c.run.now); got > want+0.001 {
				c.errorf("rung %d: the budget holds %.3f, at most %.3f was left", i, got, want)
			}
		}
	}
}
