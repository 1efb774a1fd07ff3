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
		answer := m.Limit.Ask(now, &f.share, latest)
		return c.obeyLimit(now, m, answer, stop, rouse(m.Limit, answer.Roused, out))
	}
	// Trying comes first: the time that a waiter may spend is dearer to know than what is left.
	cost, stop := c.cost(now, m), StopNone
	share, answer := m.Limit.Reserve(now, c.req.Tenant, cost, time.Time{}, false)
	if answer.Verdict == LimitRefused && c.waits() {
		var latest time.Time
		latest, stop = c.latest(now, now, m)
		share, answer = m.Limit.Reserve(now, c.req.Tenant, cost, latest, true)
	}
	f.share, f.since = share, now
	return c.obeyLimit(now, m, answer, stop, out)
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
	latest, stop := since.Add(c.patience(now, limitWait, SetOf(KindRateLimited))), StopLong
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

// cost estimates what the call costs at a target.
func (c *Call) cost(now time.Time, m *Machines) Cost {
	if m.Estimate == nil {
		return Cost{}
	}
	return m.Estimate.Estimate(now, c.req.Size)
}

// tryLimit takes the share of a copy, if there is one without a wait.
func (c *Call) tryLimit(now time.Time, f *flight, out []Action) ([]Action, bool) {
	l := f.machines.Limit
	if l == nil {
		return out, true
	}
	cost := c.cost(now, f.machines)
	if l.IsLow(now, c.req.Tenant, cost) {
		return out, false
	}
	share, answer := l.Reserve(now, c.req.Tenant, cost, time.Time{}, false)
	f.share = share
	return out, answer.Verdict == LimitGranted
}

// forgo gives back the share of a copy that was not sent, or its place in line.
func (*Call) forgo(now time.Time, m *Machines, f *flight, out []Action) []Action {
	if m.Limit == nil {
		return out
	}
	return rouse(m.Limit, m.Limit.Refund(now, &f.share), out)
}

// spent reconciles the share of a copy that has ended with what it used. Of what was never sent nothing is charged.
func (c *Call) spent(now time.Time, f *flight, r *Result, out []Action) []Action {
	m := f.machines
	if m != nil && m.Limit == nil && m.Estimate != nil && r.Kind == KindNone { // what a request comes to is known all the same
		m.Estimate.Observe(now, c.req.Size, c.cost(now, m), r.Used)
	}
	if m == nil || m.Limit == nil || !f.share.granted {
		return out
	}
	if r.neverSent() {
		return c.forgo(now, m, f, out)
	}
	if r.Kind == KindNone && m.Estimate != nil {
		m.Estimate.Observe(now, c.req.Size, f.share.cost, r.Used)
	}
	return m.reconcile(now, &f.share, r.Used, r.Items, out)
}

// reconcile charges what was used, or gives back what was not. What an answer does not say is taken to be what was expected, or the number
// of its items if that is more.
func (m *Machines) reconcile(now time.Time, share *Reservation, used Usage, items int64, out []Action) []Action {
	if m.Estimate == nil { // nothing is counted but requests
		*share = Reservation{}
		return out
	}
	if used.Input <= 0 {
		used.Input = share.cost.Input
	}
	if used.Output <= 0 {
		used.Output = max(share.cost.Output, items)
	}
	return rouse(m.Limit, m.Limit.Settle(now, share, used), out)
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

// isOwn reports whether it was a limit of the caller's own: then another target is no help, only what sends nothing (trap T60).
func (f *Fall) isOwn() bool { return f.own || f.Limit != nil && f.Limit.PerTenant() }
