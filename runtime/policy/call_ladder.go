package policy

import (
	"math"
	"slices"
	"time"
)

// leave ends the present rung, which failed, and takes the next one that may answer, or gives up.
func (c *Call) leave(now time.Time, out []Action) []Action {
	if c.partial && !c.exercising {
		c.passOn(now, KindNone)
		c.phase, c.won = finished, c.holder
		return append(out, Action{Do: FinishCall, Rung: c.rung, Copy: c.holder})
	}
	c.passOn(now, c.fall.Kind)
	if c.exercising {
		var risen bool
		if out, risen = c.rise(out); risen {
			return out
		}
	}
	led := SetOf(c.fall.Kind, c.fall.Local)
	switch {
	case c.rung == 0:
		c.first, c.via, c.own = c.fall, led, c.fall.isOwn()
	case c.fall.Kind == KindCanceled:
		c.via = led
	case unfit(c.fall.Kind):
		// What the operation itself would have been told matters; that a later rung cannot take the request does not.
		out = append(out, c.note(Note{What: NoteUnfit, Kind: c.fall.Kind}))
	case c.number == 0:
		c.via |= led // skipped: as if it were not there
		c.own = c.own || c.fall.isOwn()
	default:
		c.via, c.own = led, c.fall.isOwn()
	}
	next := c.nextRung(now, c.via)
	out = c.passOver(now, next, out)
	if next == 0 {
		c.phase = finished
		return append(out, Action{Do: FinishCall, Fall: c.verdict()})
	}
	c.turn(next)
	return out
}

// turn begins with a rung.
func (c *Call) turn(rung int) {
	c.rung, c.number, c.replays, c.backoff, c.waited = rung, 0, 0, 0, 0
	c.shared, c.fall, c.flight, c.cut, c.partial = false, Fall{}, flight{}, false, false
	c.member = member{}
	c.phase = entering
}

// verdict returns how the call failed: as rung 0 did, unless the caller canceled meanwhile. A later rung's trouble never hides what
// the operation itself said.
func (c *Call) verdict() Fall {
	if c.fall.Kind == KindCanceled {
		return c.fall
	}
	return c.first
}

// unfit reports whether a failure says that the request, not the dependency, is at fault.
func unfit(k Kind) bool { return k == KindCaller || k == KindRefused || k == KindContextTooLong }

// nextRung returns the next rung that may answer after failures of the kinds in via, and 0 if there is none. What its caller gave up, or asked
// wrongly, no rung answers, whatever it names: the one wants nothing any more, and the other would learn of it only when nothing is wrong.
func (c *Call) nextRung(now time.Time, via KindSet) int {
	if c.req.NoFallback || via.Has(KindCanceled) || via.Has(KindCaller) {
		return 0
	}
	for i := c.rung + 1; i < len(c.rungs); i++ {
		switch {
		case !c.usable(now, i, via):
		case c.req.misfits(i):
			via |= SetOf(KindUnfit)
		default:
			return i
		}
	}
	return 0
}

// usable reports whether rung i may answer after failures of the kinds in via.
func (c *Call) usable(now time.Time, i int, via KindSet) bool {
	r := &c.plan.Fallback.Rungs[i-1]
	if r.Level > c.req.Worst || !leads(r.When, via) || i == c.risen || c.lacks(now, r) {
		return false
	}
	if r.Sort.IsAtHand() {
		return true
	}
	if via.Has(KindDeadline) || c.forbids(r) || r.Sort.Sends() && (c.own || via.Has(KindShed)) {
		return false
	}
	if c.end.IsZero() {
		return true
	}
	// Rung 0 may have left exactly what this rung needs, and its timer was a little late: half of it will do.
	need := c.useful(i)
	if r.Reserve > 0 {
		need = min(need, r.Reserve)
	}
	return c.end.Sub(now) >= need/2
}

// leads reports whether one of the kinds is in via.
func leads(when []Kind, via KindSet) bool {
	return slices.ContainsFunc(when, via.Has)
}

// forbids reports whether a rung could execute a second time what an attempt may have executed.
func (c *Call) forbids(r *Rung) bool {
	once := c.plan.Idempotency == None || c.plan.Idempotency == Keyed
	return c.doubt && once && r.Sort.Sends() && r.MayDuplicate == ""
}

// bound returns the end of the present rung's share of the time: the call's end less what the later rungs need. It is settled once
// for a rung; zero is unbounded.
func (c *Call) bound(now time.Time) time.Time {
	if !c.shared {
		c.share, c.shared = c.shareEnd(now), true
	}
	return c.share
}

// shareEnd computes bound. What authors reserved is left to the later rungs as long as the present one keeps a useful time; what
// nobody reserved is at most half of the rest.
func (c *Call) shareEnd(now time.Time) time.Time {
	if c.exercising && !c.end.IsZero() {
		return now.Add(c.end.Sub(now) / 2) // the rest is for the operation itself
	}
	if c.end.IsZero() || c.req.NoFallback {
		return c.end
	}
	var explicit, implied time.Duration
	for i := c.rung + 1; i < len(c.rungs); i++ {
		r := &c.plan.Fallback.Rungs[i-1]
		switch {
		case r.Level > c.req.Worst || i == c.risen || c.lacks(now, r) || c.req.misfits(i) || c.closed(now, i): // it will be skipped
		case r.Reserve > 0:
			explicit += r.Reserve
		case !r.Sort.IsAtHand():
			implied += c.needed(i)
		}
	}
	left := c.end.Sub(now)
	if left-explicit < c.useful(c.rung) {
		explicit = max(min(explicit, left/2), 0)
	}
	return c.end.Add(-explicit - max(min(implied, (left-explicit)/2), 0))
}

// closed reports whether the rung's breaker is open.
func (c *Call) closed(now time.Time, i int) bool {
	if g := c.rungs[i].Members; g != nil {
		return g.areOut(now, c.req.Tenant)
	}
	if b := c.rungs[i].Breaker; b != nil {
		_, open := b.Peek(now)
		return open
	}
	return false
}

// mostReserve returns the most that the rungs from one on can need, without asking their machines: any time where the plan bounds none.
func mostReserve(p *Plan, from int) time.Duration {
	var most time.Duration
	for i := from; i <= len(p.Fallback.Rungs); i++ {
		switch r := &p.Fallback.Rungs[i-1]; {
		case r.Reserve > 0:
			most += r.Reserve
		case r.Sort.IsAtHand():
		case usual(p) <= 0:
			return math.MaxInt64
		default:
			most += usual(p) // the most that ReservedTime returns
		}
	}
	return most
}

// useful returns the time that an attempt on rung i needs to be worth starting.
func (c *Call) useful(i int) time.Duration {
	if g := c.rungs[i].Members; g != nil {
		return g.useful(usual(c.plan))
	}
	return UsefulTime(c.rungs[i].Latency, usual(c.plan))
}

// needed returns the time that is left to rung i where its author reserved none.
func (c *Call) needed(i int) time.Duration {
	return ReservedTime(c.rungs[i].Latency, c.rungs[0].Latency, usual(c.plan))
}

// usual returns the time that an attempt gets where nothing presses.
func usual(p *Plan) time.Duration {
	if t := p.Timeout.Attempt; t > 0 {
		return t
	}
	return p.Timeout.Total
}
