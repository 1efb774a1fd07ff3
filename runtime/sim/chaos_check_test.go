package sim

import (
	"slices"
	"testing"

	"github.com/resgen-go/resgen/runtime/policy"
)

// checker holds a run to what must hold whatever happens. It keeps accounts of its own, from what the driver is told to do.
type checker struct {
	t       *testing.T
	run     *run
	calls   map[int]*record
	targets map[*policy.Budget]*account
	permits map[holder]int
	trials  map[*policy.Breaker]*trial
	hedgers map[*policy.Hedger]*hedges
	limits  map[quota]*bucket
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
	told    policy.Result // the most telling failure of the attempt's copies
	flying  []flown
	losing  []holder // whose permits copies hold that lost
	streams holder   // whose permit the answer holds
}

// holder is who may hold so many permits at once: a bulkhead, or each of its tenants. The zero holder is nobody.
type holder struct {
	bulkhead *policy.Bulkhead
	tenant   string
}

// holderOf returns who holds the permit of a call.
func (c *checker) holderOf(cl *call, m *policy.Machines) holder {
	switch {
	case m.Bulkhead == nil:
		return holder{}
	case policy.TargetOf(&c.run.ops[0].plan, m.Target).Bulkhead.Per == policy.PerTenant && m.Target != "":
		return holder{m.Bulkhead, c.run.scenario.Clients[cl.client].Name}
	default:
		return holder{bulkhead: m.Bulkhead}
	}
}

// flown is a copy that runs.
type flown struct {
	policy.Action

	machines *policy.Machines
}

func newChecker(t *testing.T, r *run) *checker {
	t.Helper()
	return &checker{
		t: t, run: r, calls: map[int]*record{}, targets: map[*policy.Budget]*account{}, permits: map[holder]int{},
		trials: map[*policy.Breaker]*trial{}, hedgers: map[*policy.Hedger]*hedges{}, limits: map[quota]*bucket{},
	}
}

func (c *checker) errorf(format string, args ...any) {
	c.t.Helper()
	c.t.Errorf("go test ./runtime/sim -run TestChaos -sim.seed=%d: at %d: "+format, append([]any{c.run.seed, c.run.now}, args...)...)
}

// clock checks an entry of the agenda that is about to happen.
func (c *checker) clock(e *entry) {
	if e.at < c.last {
		c.errorf("time goes back from %d to %d", c.last, e.at)
	}
	c.last = e.at
	if e.rank == timerFires && e.call.awaits.bulkhead != nil && e.call.awaits.bulkhead.Holds(e.call.awaits.permit) {
		c.errorf("call %d was granted a permit, and nobody told it", e.call.number)
	}
}

func (c *checker) of(cl *call) *record {
	r, ok := c.calls[cl.number]
	if !ok {
		r = &record{end: never, numbers: make([]int, len(c.run.ops[0].rungs))}
		cfg := c.run.scenario.Clients[cl.client]
		if cfg.Deadline > 0 {
			r.end = cl.arrived + int64(cfg.Deadline)
		}
		if total := c.run.ops[0].plan.Timeout.Total; total > 0 {
			r.end = min(r.end, cl.arrived+int64(total))
		}
		c.calls[cl.number] = r
	}
	return r
}

// acted checks what a machine says.
func (c *checker) acted(_ *run, cl *call, a policy.Action) {
	r := c.of(cl)
	if r.over && (a.Do != policy.WakeCall && a.Do != policy.TellNote || !cl.lost && !cl.holds) {
		c.errorf("call %d: action %d after its end", cl.number, a.Do)
	}
	switch a.Do {
	case policy.StartAttempt:
		c.started(cl, r, a)
	case policy.CancelAttempt:
		c.lost(cl, r, a)
	case policy.SetTimer:
		if until := c.run.nanosOf(a.Until); until > r.end && a.Timer != policy.HedgeTimer { // which nobody waits for
			c.errorf("call %d waits until %d, after its end %d", cl.number, until, r.end)
		}
	case policy.FinishCall:
		c.finished(cl, r, a)
	case policy.TellNote:
		c.noted(r, a.Note)
	case policy.AwaitGrant, policy.StopTimer, policy.WakeCall, policy.AskStore:
	}
}

// started checks an attempt, or a copy of one.
func (c *checker) started(cl *call, r *record, a policy.Action) {
	if a.Remembered {
		r.numbers[a.Rung]++
		if sort := c.run.ops[0].rungs[a.Rung].sort; sort != policy.RungCache {
			c.errorf("call %d: rung %d answers with what is remembered", cl.number, a.Rung)
		}
		return
	}
	if a.Copy == 0 {
		r.numbers[a.Rung]++
		r.told = policy.Result{}
	}
	most := max(c.run.ops[0].plan.Retry.Attempts, 1)
	if n := r.numbers[a.Rung]; n > most || n != a.Number {
		c.errorf("call %d: attempt %d is number %d of %d on rung %d", cl.number, n, a.Number, most, a.Rung)
	}
	if a.Remembered || c.run.ops[0].rungs[a.Rung].sort == policy.RungStatic {
		return
	}
	if c.run.now > r.end {
		c.errorf("call %d: an attempt begins after its end %d", cl.number, r.end)
	}
	if until := c.run.nanosOf(a.Until); r.end != never && (a.Until.IsZero() || until > r.end) {
		c.errorf("call %d: an attempt may last until %d, after its end %d", cl.number, until, r.end)
	}
	sends := a.Rung == 0 || c.run.ops[0].plan.Fallback.Rungs[a.Rung-1].Sort.Sends()
	if sends && r.doubt && !c.mayRepeat(a) {
		c.errorf("call %d: what must not be executed twice is sent again, attempt %d on rung %d", cl.number, a.Number, a.Rung)
	}
	if a.Copy > 0 {
		c.hedged(cl, r, a)
	}
	c.take(cl, r, a)
}

// mayRepeat reports whether an attempt may be made although an earlier one may have been executed.
func (c *checker) mayRepeat(a policy.Action) bool {
	switch i := c.run.ops[0].plan.Idempotency; {
	case i == policy.Safe || i == policy.Idempotent:
		return true
	case a.Rung > 0 && c.run.ops[0].plan.Fallback.Rungs[a.Rung-1].MayDuplicate != "":
		return true
	default:
		return i == policy.Keyed && (a.Number > 1 || a.Copy > 0) // the same key, at the same target
	}
}

// take takes into account what an attempt takes from the machines.
func (c *checker) take(cl *call, r *record, a policy.Action) {
	m := c.run.ops[0].machines[a.Rung].OfCopy(a.Copy)
	r.flying = append(r.flying, flown{a, m})
	h := c.holderOf(cl, m)
	c.permits[h]++
	if n, most := c.permits[h], policy.TargetOf(&c.run.ops[0].plan, m.Target).Bulkhead.MaxConcurrent; n > most && m.Target != "" && m.Bulkhead != nil {
		c.errorf("call %d: %d in flight, at most %d may be", cl.number, n, most)
	}
	if m.Budget != nil && a.Copy == 0 {
		if a.Number == 1 {
			c.account(m.Budget).deposit(c.run.now)
		}
		r.paid, r.payer = 0, nil
	}
	if h := c.run.ops[0].machines[a.Rung].Hedger; h != nil && a.Copy == 0 && a.Number == 1 {
		c.hedges(h).firsts++
	}
	if m.Limit != nil {
		c.spend(cl, m)
	}
	c.probe(cl, m, a)
}

// land takes a copy that no longer runs.
func (c *checker) land(cl *call, r *record, number int) (flown, bool) {
	for i, f := range r.flying {
		if f.Copy == number {
			r.flying = slices.Delete(r.flying, i, i+1)
			c.unprobe(cl, f)
			return f, true
		}
	}
	return flown{}, false
}

// ended takes an attempt's end.
func (c *checker) ended(_ *run, cl *call, number int, res policy.Result) {
	r := c.of(cl)
	f, ok := c.land(cl, r, number)
	if !ok {
		return // a fixed answer
	}
	if c.run.now > r.end {
		c.errorf("call %d: an attempt ends after %d", cl.number, r.end)
	}
	if b := c.limits[c.quotaOf(cl, f.machines)]; b != nil && res.Kind == policy.KindConnect && !res.MayHaveActed {
		b.tokens++ // nothing was sent
	}
	r.doubt = r.doubt || res.MayHaveActed
	r.told = tellingOf(r.told, res)
	holds := c.run.ops[0].plan.Stream.Format != policy.NoStream && res.Kind == policy.KindNone
	if h := c.holderOf(cl, f.machines); holds {
		r.streams = h
	} else {
		c.permits[h]--
	}
}

// lost takes a copy that lost: it holds what it has until its function returns.
func (c *checker) lost(cl *call, r *record, a policy.Action) {
	f, ok := c.land(cl, r, a.Copy)
	switch {
	case !ok && !cl.flights[a.Copy].fixed:
		c.errorf("call %d: copy %d is canceled, and does not run", cl.number, a.Copy)
	case a.Lost == nil:
		c.errorf("call %d: copy %d is canceled, and nobody releases what it holds", cl.number, a.Copy)
	}
	r.doubt = true
	h := holder{}
	if ok {
		h = c.holderOf(cl, f.machines)
	} else {
		c.permits[h]++
	}
	r.losing = append(r.losing, h)
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
	if cl.timers != [policy.Timers]uint64{} || cl.grant != 0 || cl.awaits != (waiting{}) {
		c.errorf("call %d ends and leaves timers %v, grant %d, wait %v", cl.number, cl.timers, cl.grant, cl.awaits)
	}
}

// released takes the end of what outlived a call.
func (c *checker) released(_ *run, cl *call) {
	r := c.of(cl)
	h := r.streams
	if cl.lost {
		h, r.losing = r.losing[0], r.losing[1:]
	}
	c.permits[h]--
}

// abort ends a call as the live driver does after a panic.
func (c *checker) abort(cl *call, number int) {
	r := c.of(cl)
	cl.flights[number].ends = 0
	if f, ok := c.land(cl, r, number); ok {
		c.permits[c.holderOf(cl, f.machines)]--
	}
	c.refund(r)
	c.run.leaveWay(cl)
	c.run.step(cl, policy.Event{What: policy.CallAborted, Copy: number})
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
	for i := range c.run.ops[0].machines {
		m := &c.run.ops[0].machines[i]
		c.paidHedges(i, m.Hedger)
		if m.Limit != nil {
			c.unspent(i, m)
		}
		if b := m.Bulkhead; b != nil {
			if s := b.Snapshot(now); s.InFlight != 0 || s.Queued != 0 {
				c.errorf("rung %d: bulkhead %+v after the end", i, s)
			}
		}
		if m.Breaker != nil {
			if s := m.Breaker.State(now); s.InFlight != 0 {
				c.errorf("rung %d: breaker %+v after the end", i, s)
			}
		}
		if m.Budget != nil {
			c.settled(i, m.Budget)
		}
	}
}
