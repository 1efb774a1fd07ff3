package policy

import "time"

const (
	// openSpread is the most that jitter adds to the open time, as a share.
	openSpread = 0.25
	// openGrowth is the reopening in a row from which the open time doubles.
	openGrowth = 3
	// trialRate judges half-open where the failure rate is off.
	trialRate = 0.5
	// rounding keeps 0.55 × 20 from being more than 11.
	rounding = 1e-9
)

// judgeInFlight counts the calls of a lane that have been in flight for the slow threshold as slow, and then those of one other
// lane in turn, so that a silent operation is looked after too. Each call is looked at once.
func (b *Breaker) judgeInFlight(t int64, in Lane) (Transition, bool) {
	found := b.findSlow(t, &b.lanes[in])
	if len(b.lanes) > 1 {
		if b.turn++; b.turn >= len(b.lanes) {
			b.turn = 0
		}
		found = b.findSlow(t, &b.lanes[b.turn]) || found
	}
	if !found {
		return Transition{}, false
	}
	return b.judgeWindow(t)
}

// findSlow moves the calls of a lane that have become slow in flight into the window.
func (b *Breaker) findSlow(t int64, l *lane) bool {
	l.age(b.cfg, t)
	found := false
	for n := l.watch.head; n != 0 && l.slow > 0; n = l.watch.head {
		p := &b.passes.slots[n].value
		if t-p.start < l.slow {
			break
		}
		b.passes.drop(&l.watch, n)
		p.watched = false
		p.number = b.window.record(t, false, true)
		found = true
	}
	return found
}

// judgeResult counts the result of a call that was admitted by the closed breaker.
func (b *Breaker) judgeResult(t int64, p pass, o Outcome) (Transition, bool) {
	l := &b.lanes[p.lane]
	slow := b.cfg.SlowRate > 0 && l.isSlow(o.InFlight)
	switch o.Verdict {
	case Failure:
		b.inRow++
	case Success:
		b.inRow = 0
		if p.number == 0 && !l.isSlow(o.InFlight) {
			l.learn(b.cfg, t, o.InFlight)
		}
	case Neutral, Answered:
	}
	failed := o.Verdict == Failure
	switch {
	case p.number != 0: // counted already; a failure is news, even if the window has forgotten that the call was slow
		if !failed {
			return Transition{}, false
		}
		if !b.window.failLater(t, p.number) {
			b.window.record(t, true, false)
		}
	case o.Verdict == Neutral && !slow:
		return Transition{}, false
	default:
		b.window.record(t, failed, slow)
	}
	return b.judgeWindow(t)
}

// judgeWindow opens the breaker if the window says so.
func (b *Breaker) judgeWindow(t int64) (Transition, bool) {
	if b.cfg.Mode == BreakerForcedClosed {
		return Transition{}, false
	}
	c := b.window.counts
	if c.Calls < b.cfg.MinCalls {
		if b.cfg.Consecutive > 0 && b.inRow >= b.cfg.Consecutive {
			return b.open(t, c), true
		}
		return Transition{}, false
	}
	if reaches(c.Failures, c.Calls, b.cfg.FailureRate) || reaches(c.Slow, c.Calls, b.cfg.SlowRate) {
		return b.open(t, c), true
	}
	return Transition{}, false
}

// reaches reports whether n of calls is the rate or more. A rate of 0 is off.
func reaches(n, calls int, rate float64) bool {
	return rate > 0 && n > 0 && float64(n) >= rate*float64(calls)-rounding
}

// judgeProbe counts the result of a probe. A neutral end says nothing, unless the probe was in flight for the slow threshold: if
// that said nothing either, a target that hangs while callers give up would be tried for ever.
func (b *Breaker) judgeProbe(t int64, p pass, o Outcome) (Transition, bool) {
	slow := b.lanes[p.lane].isSlow(o.InFlight)
	if o.Verdict == Neutral && !slow {
		return Transition{}, false
	}
	b.trial.Calls++
	if slow {
		b.trial.Slow++
	}
	if o.Verdict == Failure || o.Verdict == Neutral {
		b.trial.Failures++
	}
	return b.judgeTrial(t)
}

// judgeTrial leaves half-open if the results so far decide.
func (b *Breaker) judgeTrial(t int64) (Transition, bool) {
	switch {
	case b.outOfReach(b.trial.Failures, b.trial.Calls):
		b.reopened++
		return b.open(t, b.trial), true
	case b.trial.Calls >= b.cfg.CloseAfter:
		return b.close(t), true
	default:
		return Transition{}, false
	}
}

// outOfReach reports whether half-open cannot close any more, even if every result still wanted is a success.
func (b *Breaker) outOfReach(failures, calls int) bool {
	rate := b.cfg.FailureRate
	if rate <= 0 {
		rate = trialRate
	}
	return reaches(failures, max(calls, b.cfg.CloseAfter), rate)
}

// settleLeases counts the probes whose lease has ended by t as failures, in the order in which they ended, each at that instant.
func (b *Breaker) settleLeases(t int64) (Transition, bool) {
	for {
		n, end := b.earliestLease()
		if n == 0 || end > t {
			return Transition{}, false
		}
		b.passes.drop(&b.probes, n)
		b.passes.give(n)
		b.trial.Calls++
		b.trial.Failures++
		if tr, ok := b.judgeTrial(end); ok {
			return tr, true
		}
	}
}

// earliestLease returns the probe whose lease ends first, and when. There are few probes.
func (b *Breaker) earliestLease() (n uint32, end int64) {
	for i := b.probes.head; i != 0; i = b.passes.slots[i].next {
		if e := b.passes.slots[i].value.end; n == 0 || e < end {
			n, end = i, e
		}
	}
	return n, end
}

// peekTrial is Peek in half-open.
func (b *Breaker) peekTrial(t int64) (time.Time, bool) {
	if b.state != StateHalfOpen {
		return time.Time{}, false
	}
	lapsed, last := 0, int64(0)
	for i := b.probes.head; i != 0; i = b.passes.slots[i].next {
		if e := b.passes.slots[i].value.end; e <= t {
			lapsed, last = lapsed+1, max(last, e)
		}
	}
	if lapsed > 0 && b.outOfReach(b.trial.Failures+lapsed, b.trial.Calls+lapsed) {
		until := last + int64(b.openTime(b.reopened+1, last))
		return b.clock.time(until), t < until
	}
	if b.probes.n-lapsed >= b.cfg.Probes {
		return b.rejected.NotBefore, true
	}
	return time.Time{}, false
}

// open enters StateOpen.
func (b *Breaker) open(t int64, why Counts) Transition {
	from := b.state
	b.begin(StateOpen)
	b.opened = t
	b.notBefore = t + int64(b.openTime(b.reopened, t))
	b.drawn = true
	b.rejected = &OpenError{
		State: StateOpen, NotBefore: b.clock.time(b.notBefore), Calls: why.Calls, Failures: why.Failures, Slow: why.Slow,
	}
	if b.cfg.Mode == BreakerOn {
		b.rejecting.Store(b.rejected)
	}
	return b.transition(from, t, b.rejected.NotBefore, why)
}

// openTime returns how long a breaker that opens at t stays open, if it is the given reopening in a row.
func (b *Breaker) openTime(reopened int, t int64) time.Duration {
	d := b.cfg.OpenFor
	for n := openGrowth; n <= reopened && d < b.cfg.OpenMax; n++ {
		d += min(d, b.cfg.OpenMax-d)
	}
	d = max(d, time.Duration(b.raised-t))
	return d + time.Duration(openSpread*b.jitter*float64(d))
}

// extend moves the not-before of an open breaker to what Retry-After asked for.
func (b *Breaker) extend() {
	d := time.Duration(min(b.raised-b.opened, int64(b.cfg.OpenMax)))
	d += time.Duration(openSpread * b.jitter * float64(d))
	if b.opened+int64(d) <= b.notBefore {
		return
	}
	b.notBefore = b.opened + int64(d)
	raised := *b.rejected
	raised.NotBefore = b.clock.time(b.notBefore)
	b.rejected = &raised
	if b.cfg.Mode == BreakerOn {
		b.rejecting.Store(b.rejected)
	}
}

// enterHalfOpen enters StateHalfOpen.
func (b *Breaker) enterHalfOpen(t int64) Transition {
	from, why := b.state, Counts{Calls: b.rejected.Calls, Failures: b.rejected.Failures, Slow: b.rejected.Slow}
	b.begin(StateHalfOpen)
	b.trial = Counts{}
	waiting := *b.rejected
	waiting.State = StateHalfOpen
	b.rejected = &waiting
	return b.transition(from, t, time.Time{}, why)
}

// close enters StateClosed with an empty window.
func (b *Breaker) close(t int64) Transition {
	from, why := b.state, b.trial
	b.begin(StateClosed)
	b.window.clear()
	b.inRow, b.reopened = 0, 0
	b.rejected = nil
	return b.transition(from, t, time.Time{}, why)
}

// begin starts a generation: every ticket that is out stops counting.
func (b *Breaker) begin(s State) {
	b.state = s
	b.generation++
	b.passes.reset()
	b.probes = list{}
	for i := range b.lanes {
		b.lanes[i].watch = list{}
	}
	b.trying.Store(s == StateHalfOpen)
	b.rejecting.Store(nil)
}

func (b *Breaker) transition(from State, t int64, notBefore time.Time, why Counts) Transition {
	return Transition{
		From: from, To: b.state, At: b.clock.time(t), NotBefore: notBefore,
		Calls: why.Calls, Failures: why.Failures, Slow: why.Slow,
	}
}

// redraw draws the jitter of the next opening. The source of randomness is somebody else's code: it is asked without the lock.
func (b *Breaker) redraw() {
	j := 0.0
	if b.rand != nil {
		j = min(max(b.rand(), 0), 1)
	}
	b.mu.Lock()
	b.jitter, b.drawn = j, false
	b.mu.Unlock()
}

// State returns what the breaker shows at now. It changes nothing.
func (b *Breaker) State(now time.Time) BreakerSnapshot {
	b.mu.Lock()
	defer b.mu.Unlock()
	s := BreakerSnapshot{State: b.state, Mode: b.cfg.Mode, SlowCall: time.Duration(b.lanes[0].slow)}
	var c Counts
	switch {
	case b.cfg.Mode == BreakerForcedOpen:
		s.State = StateOpen
	case b.state == StateClosed:
		b.window.expire(b.clock.tick(now))
		c = b.window.counts
	case b.state == StateHalfOpen:
		c = b.trial
	default:
		c = Counts{Calls: b.rejected.Calls, Failures: b.rejected.Failures, Slow: b.rejected.Slow}
		s.NotBefore = b.rejected.NotBefore
	}
	s.Calls, s.Failures, s.Slow = c.Calls, c.Failures, c.Slow
	s.InFlight = b.passes.taken
	return s
}
