package policy

import "time"

// admit takes the present rung's way to an attempt, as far as it goes now: each step either lets it through, or says what becomes of it.
func (c *Call) admit(now time.Time, out []Action) []Action {
	switch c.sort() {
	case RungStatic:
		return c.start(now, out)
	case RungCache:
		return c.recall(append(out, c.note(Note{What: NoteRung, Kind: c.first.Kind})))
	default:
	}
	if c.req.misfits(c.rung) { // the operation itself: other rungs are passed over
		return c.reject(now, Fall{Kind: KindUnfit}, out)
	}
	m := &c.rungs[c.rung]
	if !c.pass(now, m) {
		return c.reject(now, Fall{Kind: KindShed, throttle: m.Throttle}, out)
	}
	if m.Members != nil {
		var ok bool
		if out, ok = c.join(now, m.Members, out); !ok {
			return out
		}
		m = c.member.to
	}
	if why, shut := c.peek(now, m); shut {
		return c.turnAway(now, why, out)
	}
	if until, paused := c.paused(now, m); paused {
		if c.member.to != nil {
			return c.turnAway(now, Fall{Kind: KindRateLimited, Stop: StopLong, NotBefore: until}, out)
		}
		return c.await(now, until, out)
	}
	if why, ok := c.afford(now, m, &c.flight); !ok {
		return c.turnAway(now, why, out)
	}
	if m.Limit != nil {
		var ok bool
		if out, ok = c.limited(now, m, out); !ok {
			return out
		}
	}
	return c.enter(now, m, out)
}

// peek looks at the breaker.
func (*Call) peek(now time.Time, m *Machines) (why Fall, shut bool) {
	if m.Breaker == nil {
		return Fall{}, false
	}
	notBefore, open := m.Breaker.Peek(now)
	return Fall{Kind: KindBreakerOpen, NotBefore: notBefore}, open
}

// paused asks the target's pause. An attempt that goes through all the same probes it.
func (c *Call) paused(now time.Time, m *Machines) (until time.Time, paused bool) {
	if m.Pause == nil || c.flight.lift {
		return time.Time{}, false
	}
	answer := m.Pause.Of(now, c.req.Tenant).Admit(now)
	c.flight.lift = answer.OK && answer.Probe
	return answer.NotBefore, !answer.OK
}

// enter takes a permit and the breaker's ticket, or waits for the permit.
func (c *Call) enter(now time.Time, m *Machines, out []Action) []Action {
	// Trying comes first: the time that a waiter may spend is dearer to know than a free permit.
	var answer Admission
	var verdict BulkheadVerdict
	f := &c.flight
	claim := c.claim()
	f.permit, verdict, f.ticket = m.claim(now, &claim, &answer)
	if verdict == Rejected && !c.hurries() && c.waits() {
		claim = c.patientClaim(now)
		f.permit, verdict, f.ticket = m.claim(now, &claim, &answer)
	}
	switch verdict {
	case Admitted:
		return c.ticketed(now, m, &answer, out)
	case Waiting:
		c.phase = queued
		return append(out,
			Action{Do: AwaitGrant, Bulkhead: m.Bulkhead, Permit: f.permit},
			Action{Do: SetTimer, Timer: QueueTimer, Until: m.Bulkhead.WaitUntil(now, c.bound(now))})
	case Rejected, Shed:
		fallthrough
	default:
		return c.turnAway(now, crowded(m, verdict), out)
	}
}

// hurries reports whether the call waits for nothing before its attempt.
func (c *Call) hurries() bool { return c.exercising || c.req.NoWait }

// await waits for the end of the target's pause, holding nothing, if that is soon enough.
func (c *Call) await(now, until time.Time, out []Action) []Action {
	wait := UpwardJitter(until.Sub(now), c.rand)
	switch {
	case c.hurries(), c.tooLong(now, until.Sub(now), SetOf(KindRateLimited)):
		return c.reject(now, Fall{Kind: KindRateLimited, Stop: StopLong, NotBefore: until}, out)
	case c.late(now, wait):
		return c.reject(now, Fall{Kind: KindRateLimited, Stop: StopDeadline, NotBefore: until}, out)
	default:
		c.phase = waiting
		return append(out, Action{Do: SetTimer, Timer: BackoffTimer, Until: now.Add(wait)})
	}
}

// ticket takes the breaker's ticket for a permit that was waited for.
func (c *Call) ticket(now time.Time, out []Action) []Action {
	m := c.to()
	var answer Admission
	c.flight.ticket = m.ticket(now, &answer)
	return c.ticketed(now, m, &answer, out)
}

// ticketed runs an attempt if the breaker lets it through. It is asked last, because everything before it may be refused or take time.
func (c *Call) ticketed(now time.Time, m *Machines, answer *Admission, out []Action) []Action {
	out = c.changes(m, answer, out)
	if !answer.OK {
		if b := m.Bulkhead; b != nil { // no call was made with it
			out = wake(b, b.Abandon(now, c.flight.permit), out)
		}
		return c.turnAway(now, Fall{Kind: KindBreakerOpen, NotBefore: answer.NotBefore}, out)
	}
	c.flight.probe = answer.Probe
	return c.start(now, out)
}

// changes tells observers of the changes that asking a breaker brought about.
func (c *Call) changes(m *Machines, answer *Admission, out []Action) []Action {
	for i := range answer.Changed {
		out = append(out, noteOfChange(c.rung, m, &answer.Changed[i]))
	}
	return out
}

// start runs an attempt.
func (c *Call) start(now time.Time, out []Action) []Action {
	m := c.to()
	c.phase = running
	c.number++
	c.paid = 0
	c.told, c.tried, c.copies = Result{}, 0, c.copies[:0]
	f := &c.flight
	f.machines, f.since, f.flying = m, now, true
	c.joined()
	if c.rung > 0 && c.number == 1 && !c.exercising {
		out = append(out, c.note(Note{What: NoteRung, Kind: c.first.Kind}))
	}
	start := Action{Do: StartAttempt, Rung: c.rung, Number: c.number, To: c.member.to}
	if c.sort() == RungStatic {
		return append(out, start)
	}
	c.attempts++
	start.Until, f.full = c.until(now, f)
	if c.number == 1 {
		c.keyed = now
		if m.Budget != nil {
			m.Budget.Deposit(now)
		}
		if c.rungs[c.rung].Hedger != nil && !c.exercising {
			out = c.arm(now, start.Until, out)
		}
	}
	return append(out, start)
}

// until returns by when a copy that starts now must end, and whether that gives it all the time that an attempt gets. Another operation has
// timeouts of its own, for all of its attempts: it gets what is left for it.
func (c *Call) until(now time.Time, f *flight) (time.Time, bool) {
	attempt := c.plan.Timeout.Attempt
	if c.sort() == RungOperation {
		attempt = 0
	}
	if f.probe {
		attempt = f.machines.Breaker.ProbeTimeoutIn(f.machines.Lane, attempt)
	}
	if attempt <= 0 {
		return c.bound(now), c.rung == 0 && c.number == 1 && !c.end.Equal(c.req.Deadline)
	}
	until := now.Add(attempt)
	if c.end.IsZero() || !c.exercising && !until.After(c.end.Add(-mostReserve(c.plan, c.rung+1))) {
		return until, true
	}
	if bound := c.bound(now); bound.Before(until) {
		return bound, false
	}
	return until, true
}

// reject ends the rung because an attempt was not let through. If the rung was tried before, its real failure stands.
func (c *Call) reject(now time.Time, why Fall, out []Action) []Action {
	c.refund(now)
	out = c.drop(now, out)
	out = append(out, c.note(Note{
		What: NoteRejected, Kind: why.Kind, Until: why.NotBefore, Limit: why.Limit, Bucket: why.Bucket, Purse: why.Purse, Throttle: why.throttle,
		To: why.at,
	}))
	why.Local = why.Kind
	if c.number > 0 {
		why.Kind = c.fall.Kind
		if why.Stop == StopNone {
			why.Stop = StopRejected
		}
		if why.NotBefore.Before(c.fall.NotBefore) {
			why.NotBefore = c.fall.NotBefore
		}
	}
	c.fall = why
	return c.leave(now, out)
}

// abandon leaves the queue.
func (c *Call) abandon(now time.Time, out []Action) []Action {
	b := c.to().Bulkhead
	out = wake(b, b.Abandon(now, c.flight.permit), append(out, Action{Do: StopTimer, Timer: QueueTimer}))
	return c.drop(now, out)
}

// drop forgets an attempt that was not made. A pause that it was to probe gets its probe back: the next call may make it. Its share of a
// limit, or its place in line, goes to those behind.
func (c *Call) drop(now time.Time, out []Action) []Action {
	m := c.to()
	if c.flight.lift {
		m.Pause.Of(now, c.req.Tenant).Refund(now)
	}
	out = c.forgo(now, m, &c.flight, out)
	c.flight = flight{}
	return out
}

// giveUp ends a wait that holds nothing, but perhaps a place in line.
func (c *Call) giveUp(now time.Time, out []Action) []Action {
	if c.phase == lined {
		out = append(out, Action{Do: StopTimer, Timer: QueueTimer})
	}
	return c.drop(now, out)
}

// wake tells the calls that were granted a permit.
func wake(b *Bulkhead, granted []Permit, out []Action) []Action {
	for _, p := range granted {
		out = append(out, Action{Do: WakeCall, Bulkhead: b, Permit: p})
	}
	return out
}

// refund gives back what the budget paid for a retry that was not sent.
func (c *Call) refund(now time.Time) {
	if b := c.payer().Budget; b != nil {
		b.Refund(now, c.paid)
	}
	c.paid = 0
}

// note returns an action that tells observers of the present rung.
func (c *Call) note(n Note) Action {
	n.Rung = c.rung
	return Action{Do: TellNote, Note: n}
}

// noteOfChange returns an action that tells observers of a breaker's change.
func noteOfChange(rung int, m *Machines, change *Transition) Action {
	return Action{Do: TellNote, Note: Note{What: NoteBreaker, Rung: rung, Change: change, Breaker: m.Breaker, To: m.asMember()}}
}

// sort returns the sort of the present rung; 0 is the operation itself.
func (c *Call) sort() RungSort {
	if c.rung == 0 {
		return 0
	}
	return c.plan.Fallback.Rungs[c.rung-1].Sort
}
