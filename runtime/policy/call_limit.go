package policy

import "time"

// limitWait is the longest that a call waits for its turn where no deadline says less.
const limitWait = time.Minute

// limited asks the target's limit, or asks again for a call in line. It reports whether the call may go on; if not, it waits in line holding
// nothing but its place, or out says what becomes of it.
func (c *Call) limited(now time.Time, m *Machines, out []Action) ([]Action, bool) {
	f := &c.flight
	if f.share.place != (Permit{}) {
		latest, stop := c.latest(now, f.since, m)
		share := f.share
		answer := m.Limit.Ask(now, &f.share, latest)
		return c.obeyLimit(now, m, answer, stop, stock(now, m.Limit, share, rouse(m.Limit, answer.Roused, out)))
	}
	// Trying comes first: the time that a waiter may spend is dearer to know than what is left.
	if !f.stake.held {
		f.cost = c.cost(now, m)
	}
	cost, stop := f.cost.Cost, StopNone
	share, answer := m.Limit.Reserve(now, c.req.Tenant, cost, time.Time{}, false)
	if answer.Verdict == LimitRefused && c.waits() {
		var latest time.Time
		latest, stop = c.latest(now, now, m)
		share, answer = m.Limit.Reserve(now, c.req.Tenant, cost, latest, true)
	}
	f.share, f.since = share, now
	out, ok := c.obeyLimit(now, m, answer, stop, out)
	return stock(now, m.Limit, share, out), ok
}

// obeyLimit does what a limit answers. stop says why a call that it refuses cannot wait for longer.
func (c *Call) obeyLimit(now time.Time, m *Machines, answer LimitAnswer, stop Stop, out []Action) ([]Action, bool) {
	switch answer.Verdict {
	case LimitGranted:
		return out, true
	case LimitWaiting:
		c.phase = lined
		return append(out,
			Action{Do: AwaitGrant, Limiter: m.Limit, Permit: c.flight.share.place},
			Action{Do: SetTimer, Timer: QueueTimer, Until: answer.At}), false
	case LimitNever:
		return c.turnAway(now, Fall{Kind: KindPermanent, Limit: m.Limit, Bucket: answer.Bucket}, out), false
	case LimitRefused:
		fallthrough
	default:
		return c.turnAway(now, Fall{Kind: KindRateLimited, Stop: stop, NotBefore: answer.At, Limit: m.Limit, Bucket: answer.Bucket}, out), false
	}
}

// latest returns the last instant at which a call that is in line since then can still use its turn, and why not later. Where another
// rung can answer meanwhile, the wait is brief.
func (c *Call) latest(now, since time.Time, m *Machines) (time.Time, Stop) {
	own := c.own
	c.own = own || m.Limit.PerTenant() // which rungs there will be
	patience, stop := c.patience(now, limitWait, SetOf(KindRateLimited)), StopLong
	if m.Limit.IsShared() { // who would not wait for a turn waits for the answer of the store
		patience = max(patience, 2*LimitStoreWait) //nolint:mnd // a timer that is due with the answer asks once more
	}
	latest := since.Add(patience)
	c.own = own
	if bound := c.bound(now); !bound.IsZero() {
		if last := bound.Add(-c.ample(bound.Sub(since))); !last.After(latest) {
			return last, StopDeadline
		}
	}
	return latest, stop
}

// ampleTimes is by how much a call in line is left more than the useful time. The useful time is at most a quarter of an attempt's, so that
// this is never more than an attempt gets.
const ampleTimes = 4

// ample returns the time that a call which comes with so much left keeps for its attempt. In a line that is always full everyone's turn comes
// at the last instant at which it may: were only the useful time left then, the median of answers, half of the attempts would be for
// nothing; and those that are quick enough would pass for what is usual, so that the next are left even less.
func (c *Call) ample(left time.Duration) time.Duration {
	useful := c.useful(c.rung)
	return min(ampleTimes*useful, max(useful, left/2))
}

// tryLimit takes the stake and the share of a copy, if there is one without a wait.
func (c *Call) tryLimit(now time.Time, f *flight, out []Action) ([]Action, bool) {
	if _, ok := c.afford(now, f.machines, f); !ok {
		return out, false
	}
	l := f.machines.Limit
	if l == nil {
		return out, true
	}
	if !f.stake.held {
		f.cost = c.cost(now, f.machines)
	}
	if l.IsLow(now, c.req.Tenant, f.cost.Cost) {
		return out, false
	}
	share, answer := l.Reserve(now, c.req.Tenant, f.cost.Cost, time.Time{}, false)
	f.share = share
	return stock(now, l, share, out), answer.Verdict == LimitGranted
}

// neverSent reports whether the end of an attempt proves that the target never saw the request.
func (r *Result) neverSent() bool {
	if r.MayHaveActed {
		return false
	}
	switch r.Kind {
	case KindConnect:
		return true
	case KindCaller, KindUnusable: // a request, or a credential, that could not be made
		return r.Verdict == Neutral
	default:
		return r.Kind.Local()
	}
}

// rouse tells a call in line to ask again.
func rouse(l *Limiter, p Permit, out []Action) []Action {
	if p == (Permit{}) {
		return out
	}
	return append(out, Action{Do: WakeCall, Limiter: l, Permit: p})
}

// stock has the store of a shared limit asked, where the quota of a reservation needs something of it, or owes it something.
func stock(now time.Time, l *Limiter, share Reservation, out []Action) []Action {
	if !l.IsShared() {
		return out
	}
	tenant, short := l.short(now, &share)
	if !short {
		return out
	}
	return append(out, Action{Do: AskStore, Limiter: l, Tenant: tenant})
}

// isOwn reports whether it was a limit of the caller's own: then another target is no help, only what sends nothing (trap T60).
func (f *Fall) isOwn() bool { return f.own || f.Limit != nil && f.Limit.PerTenant() }
