package policy

import "time"

// copy returns the copy of that number.
func (c *Call) copy(n int) *flight {
	if n == 0 {
		return &c.flight
	}
	return &c.copies[n-1]
}

// flies reports whether the copy of that number runs.
func (c *Call) flies(n int) bool { return n >= 0 && n <= len(c.copies) && c.copy(n).flying }

// anyFlies reports whether a copy runs.
func (c *Call) anyFlies() bool {
	for n := range len(c.copies) + 1 {
		if c.copy(n).flying {
			return true
		}
	}
	return false
}

// arm sets the timer of the first hedge of an attempt that must end by until, if it may have one. Each first attempt pays into the
// hedger's own budget, whether it may be copied or not.
func (c *Call) arm(now, until time.Time, out []Action) []Action {
	m := &c.rungs[c.rung]
	delay, ok := m.Hedger.Begin(now)
	if !ok || c.flight.probe || c.flight.lift || !c.mayCopy(m) {
		return out
	}
	if !until.IsZero() && !now.Add(delay).Before(until) {
		return out
	}
	c.armed, c.delay = true, delay
	return append(out, Action{Do: SetTimer, Timer: HedgeTimer, Until: now.Add(delay)})
}

// disarm takes back that another copy may follow.
func (c *Call) disarm(out []Action) []Action {
	if !c.armed {
		return out
	}
	c.armed = false
	return append(out, Action{Do: StopTimer, Timer: HedgeTimer})
}

// mayCopy reports whether the operation may run twice at once, the second time where copies go. A server that knows an idempotency key
// sees to it that it is one execution, but only one that was built for two requests at a time, and no other server.
func (c *Call) mayCopy(m *Machines) bool {
	to := m.OfCopy(1)
	if !c.plan.Hedgeable || c.plan.Hedge.Max <= 0 || c.req.OneAttempt || to.Layered || to != m && c.req.misfits(len(c.rungs)) {
		return false
	}
	switch c.plan.Idempotency {
	case Safe, Idempotent:
		return true
	case Keyed:
		return c.plan.Key.Concurrent && to == m
	case None:
		return false
	default:
		return false
	}
}

// hedge sends a copy of the attempt that runs, if everything lets it through. A refusal changes nothing for the copies that run, and the
// next hedge, if there may be one, is due at its own time: each counted from the start of the attempt (traps T45, T50).
func (c *Call) hedge(now time.Time, out []Action) []Action {
	c.armed = false
	c.tried++
	since := c.flight.since
	if c.tried < c.plan.Hedge.Max {
		c.armed = true
		out = append(out, Action{Do: SetTimer, Timer: HedgeTimer, Until: since.Add(time.Duration(c.tried+1) * c.delay)})
	}
	m := c.copyTo(now)
	if c.late(now, 0) || !c.takesCopies(now, m) || !c.pay(now, m) {
		return out
	}
	f := flight{machines: m, since: now}
	out, ok := c.tryLimit(now, &f, out)
	if ok {
		out, ok = c.tryEnter(now, &f, out)
	}
	if ok {
		out, ok = c.tryTicket(now, &f, out)
	}
	if !ok {
		c.unpay(now, m)
		return c.forgo(now, m, &f, out)
	}
	return c.startCopy(now, f, out)
}

// takesCopies reports whether a target takes copies: its breaker is closed, and it asked for no pause (trap T51).
func (c *Call) takesCopies(now time.Time, m *Machines) bool {
	if b := m.Breaker; b != nil && !b.admits.Load() {
		return false
	}
	return m.Pause == nil || m.Pause.Of(now, c.req.Tenant).Until(now).IsZero()
}

// pay takes the price of a hedge from both budgets, the hedger's own and that of the target's retries, or from none.
func (c *Call) pay(now time.Time, m *Machines) bool {
	h := c.rungs[c.rung].Hedger
	if !h.Withdraw(now) {
		return false
	}
	if m.Budget != nil && !m.Budget.Withdraw(now, RetryCost) {
		h.Refund(now)
		return false
	}
	return true
}

// unpay gives back the price of a hedge that was not sent.
func (c *Call) unpay(now time.Time, m *Machines) {
	c.rungs[c.rung].Hedger.Refund(now)
	if m.Budget != nil {
		m.Budget.Refund(now, RetryCost)
	}
}

// tryEnter takes a permit if one is free.
func (c *Call) tryEnter(now time.Time, f *flight, out []Action) ([]Action, bool) {
	b := f.machines.Bulkhead
	if b == nil {
		return out, true
	}
	permit, verdict := b.Acquire(now, c.claim())
	f.permit = permit
	return out, verdict == Admitted
}

// tryTicket takes the breaker's ticket, unless it would be that of a probe.
func (c *Call) tryTicket(now time.Time, f *flight, out []Action) ([]Action, bool) {
	m := f.machines
	if m.Breaker == nil {
		return out, true
	}
	ticket, answer := m.Breaker.AdmitIn(now, m.Lane)
	out = c.changes(m, &answer, out)
	if answer.OK && !answer.Probe {
		f.ticket = ticket
		return out, true
	}
	if answer.OK {
		if change := m.Breaker.conclude(now, ticket, Outcome{Verdict: Neutral}); change != nil {
			out = append(out, noteOfChange(c.rung, m, change))
		}
	}
	if b := m.Bulkhead; b != nil {
		out = wake(b, b.Abandon(now, f.permit), out)
	}
	return out, false
}

// startCopy runs a copy that was admitted.
func (c *Call) startCopy(now time.Time, f flight, out []Action) []Action {
	c.attempts++
	start := Action{Do: StartAttempt, Rung: c.rung, Number: c.number, To: f.machines.asMember()}
	start.Until, f.full = c.until(now, &f)
	f.flying = true
	c.joinedBeside(f.machines)
	c.copies = append(c.copies, f)
	start.Copy = len(c.copies)
	return append(out, c.note(Note{What: NoteHedge, Wait: now.Sub(c.flight.since), To: f.machines.asMember()}), start)
}

// lose makes losers of the copies that run: because another one has answered, or because the caller ended as why says.
func (c *Call) lose(now time.Time, why Kind, out []Action) []Action {
	for n := range len(c.copies) + 1 {
		f := c.copy(n)
		if !f.flying {
			continue
		}
		switch {
		case why != KindNone:
			c.doubt = c.doubt || c.sort() != RungStatic
		case n == 0:
			c.measure(now, now.Sub(f.since))
		}
		held := c.held(f)
		*f = flight{}
		out = append(out, Action{Do: CancelAttempt, Rung: c.rung, Number: c.number, Copy: n, Fall: Fall{Kind: why}, Lost: &held})
	}
	return out
}

// measure tells the hedger how long the first copy took, or at least took. Copies beside it say nothing new: they were sent because the
// dependency was slow, and end when the first does. Failures say nothing at all: a fast one would pass for a fast answer (trap T42).
func (c *Call) measure(now time.Time, took time.Duration) {
	if h := c.rungs[c.rung].Hedger; h != nil && c.number == 1 {
		h.Record(now, took)
	}
}
