package policy

import (
	"math"
	"time"
)

const (
	// trialRate judges half-open where the failure rate is off.
	trialRate = 0.5
	// rounding keeps 0.55 × 20 from being more than 11.
	rounding = 1e-9
)

// judgeInFlight counts the calls of a lane that have been in flight for the slow threshold as slow, and then those of one other
// lane in turn, so that a silent operation is looked after too. Each call is looked at once.
func (b *Breaker) judgeInFlight(t int64, in Lane) *Transition {
	found := b.findSlow(t, &b.lanes[in])
	if len(b.lanes) > 1 {
		if b.turn++; b.turn >= len(b.lanes) {
			b.turn = 0
		}
		found = b.findSlow(t, &b.lanes[b.turn]) || found
	}
	if !found {
		return nil
	}
	return b.judgeWindow(t)
}

// findSlow moves the calls of a lane that have become slow in flight into the window.
func (b *Breaker) findSlow(t int64, l *lane) bool {
	l.age(&b.cfg, t)
	found := false
	for n := l.watch.head; n != 0 && l.slow > 0; n = l.watch.head {
		p := &b.passes.slots[n].value
		if t-p.start < l.slow {
			break
		}
		dropSlot(&b.passes, &l.watch, n)
		p.watched = false
		p.number = b.window.record(t, false, true)
		found = true
	}
	return found
}

// judgeResult counts the result of a call that was admitted by the closed breaker.
func (b *Breaker) judgeResult(t int64, p pass, o Outcome) *Transition {
	l := &b.lanes[p.lane]
	slow := b.cfg.SlowRate > 0 && l.isLate(o)
	switch o.Verdict {
	case Failure:
		b.inRow++
	case Success:
		b.inRow = 0
		if p.number == 0 && !l.isSlow(o.InFlight) {
			l.learn(&b.cfg, t, o.InFlight)
		}
	case Neutral:
		if slow && p.number == 0 {
			b.inRow++
		}
	case Answered:
	}
	failed := o.Verdict == Failure
	switch {
	case p.number != 0: // counted already; a failure is news, even if the window has forgotten that the call was slow
		if !failed {
			return nil
		}
		if !b.window.failLater(t, p.number) {
			b.window.record(t, true, false)
		}
	case o.Verdict == Neutral && !slow:
		return nil
	default:
		b.window.record(t, failed, slow)
	}
	return b.judgeWindow(t)
}

// judgeWindow opens the breaker if the window says so.
func (b *Breaker) judgeWindow(t int64) *Transition {
	if b.cfg.Mode == BreakerForcedClosed {
		return nil
	}
	c := b.window.counts
	if c.Calls < b.cfg.MinCalls {
		if b.cfg.Consecutive > 0 && b.inRow >= b.cfg.Consecutive {
			return b.open(t, c)
		}
		return nil
	}
	if reaches(c.Failures, c.Calls, b.cfg.FailureRate) || reaches(c.Slow, c.Calls, b.cfg.SlowRate) {
		return b.open(t, c)
	}
	return nil
}

// reaches reports whether n of calls is the rate or more. A rate of 0 is off.
func reaches(n, calls int, rate float64) bool {
	return rate > 0 && n > 0 && float64(n) >= rate*float64(calls)-rounding
}

// judgeProbe counts the result of a probe. A neutral end says nothing, unless the probe was in flight for the slow threshold: if
// that said nothing either, a target that hangs while callers give up would be tried for ever.
func (b *Breaker) judgeProbe(t int64, p pass, o Outcome) *Transition {
	slow := b.lanes[p.lane].isLate(o)
	if o.Verdict == Neutral && !slow {
		return nil
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
func (b *Breaker) judgeTrial(t int64) *Transition {
	switch {
	case b.outOfReach(b.trial.Failures, b.trial.Calls):
		b.reopened++
		return b.open(t, b.trial)
	case b.trial.Calls >= b.cfg.CloseAfter:
		return b.close(t)
	default:
		return nil
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
func (b *Breaker) settleLeases(t int64) *Transition {
	for {
		n, end := b.earliestLease()
		if n == 0 || end > t {
			return nil
		}
		dropSlot(&b.passes, &b.probes, n)
		giveSlot(&b.passes, n)
		b.trial.Calls++
		b.trial.Failures++
		if tr := b.judgeTrial(end); tr != nil {
			return tr
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

// peekTrial is Peek in half-open: it plays the leases that will have ended by t without settling them.
func (b *Breaker) peekTrial(t int64) (time.Time, bool) {
	switch b.state {
	case StateClosed:
		return time.Time{}, false
	case StateOpen: // it has opened since Peek looked
		return b.rejected.NotBefore, t < b.notBefore
	case StateHalfOpen:
	}
	calls, failures, out := b.trial.Calls, b.trial.Failures, b.probes.n
	for end, ties := b.leaseAfter(math.MinInt64); ties > 0 && end <= t; end, ties = b.leaseAfter(end) {
		for range ties {
			calls, failures, out = calls+1, failures+1, out-1
			if b.outOfReach(failures, calls) {
				until := end + int64(b.openTime(b.reopened+1, end))
				return b.clock.time(until), t < until
			}
			if calls >= b.cfg.CloseAfter {
				return time.Time{}, false
			}
		}
	}
	return b.rejected.NotBefore, out >= b.cfg.Probes
}

// leaseAfter returns the first instant after the given one at which leases end, and how many do.
func (b *Breaker) leaseAfter(after int64) (end int64, ties int) {
	for i := b.probes.head; i != 0; i = b.passes.slots[i].next {
		switch e := b.passes.slots[i].value.end; {
		case e <= after:
		case ties == 0 || e < end:
			end, ties = e, 1
		case e == end:
			ties++
		}
	}
	return end, ties
}
