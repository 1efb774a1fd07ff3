package policy

import "time"

// member is what a call knows of the members of the present rung's target. The zero value is a target without any.
type member struct {
	to      *Machines // where the present attempt goes, or went
	payer   *Machines // whose budget has paid for the retry that is to be sent
	been    memberSet // those that attempts on the rung went to
	last    memberSet // the one that the last attempt went to
	useless memberSet // those whose credential is, for this request
	shunned memberSet // those that did not let the present attempt through
	patient bool      // all were asked once: now the attempt may wait for one
	fall    Fall      // why one of them did not, the one that can be asked again first
}

// to returns the machines of the target that the present attempt goes to: the rung's, or those of a member.
func (c *Call) to() *Machines {
	if c.member.to != nil {
		return c.member.to
	}
	return &c.rungs[c.rung]
}

// asMember returns the machines where they are a member's, else nil.
func (m *Machines) asMember() *Machines {
	if m.Member == nil {
		return nil
	}
	return m
}

// waits reports whether the present attempt may wait for a permit, or its turn of a limit: not before all members were asked.
func (c *Call) waits() bool { return c.member.to == nil || c.member.patient }

// join chooses the member that the present attempt goes to. It reports whether there is one; if not, out says what becomes of the attempt.
func (c *Call) join(now time.Time, g *Members, out []Action) ([]Action, bool) {
	if c.flight.share.place != (Permit{}) {
		return out, true // it is in line there
	}
	for {
		w := c.wanted()
		if p := c.member.payer; p != nil {
			w.prefer = p.Member.bit()
		}
		chosen := g.choose(now, &w, c.rand)
		switch {
		case chosen.member != nil:
			if c.repay(now, &chosen.member.machines) {
				c.member.to = &chosen.member.machines
				return out, true
			}
			c.shun(chosen.member, Fall{Kind: KindBudget, Stop: StopBudget})
		case chosen.shunned && !c.member.patient:
			c.member.patient, c.member.shunned = true, 0
		case chosen.shunned:
			return c.reject(now, c.member.fall, out), false
		case chosen.paused:
			return c.await(now, chosen.notBefore, out), false
		default:
			return c.reject(now, Fall{Kind: KindBreakerOpen, NotBefore: chosen.notBefore}, out), false
		}
	}
}

// wanted says what the call wants of the choice of its present attempt's member.
func (c *Call) wanted() wanted {
	w := wanted{
		tenant: c.req.Tenant, home: c.req.Affinity, shun: c.member.shunned, avoid: c.member.been, last: c.member.last, again: c.number > 0,
	}
	switch {
	case c.isBound():
		w.only, w.again = c.member.last, false
	case c.member.useless != 0:
		w.only = ^c.member.useless
	}
	return w
}

// isBound reports whether the call must stay with the member of its last attempt: that may have executed the request, and no other would
// know its idempotency key again.
func (c *Call) isBound() bool {
	return c.doubt && c.member.last != 0 && c.plan.Idempotency == Keyed && !c.rungs[c.rung].Members.sharedKeys
}

// turnAway ends the way to an attempt that was not let through: where the target has other members, they are asked.
func (c *Call) turnAway(now time.Time, why Fall, out []Action) []Action {
	m := c.member.to
	if m == nil {
		return c.reject(now, why, out)
	}
	out = c.drop(now, out)
	why.at = m
	c.shun(m.Member, why)
	c.phase = entering
	return out
}

// shun leaves a member out of the present attempt's choice. Of those that are left out, the one that can be asked again first says why.
func (c *Call) shun(m *Member, why Fall) {
	first := c.member.shunned == 0 && !c.member.patient
	c.member.shunned |= m.bit()
	if kept := &c.member.fall; first || kept.NotBefore.IsZero() || !why.NotBefore.IsZero() && why.NotBefore.Before(kept.NotBefore) {
		*kept = why
	}
}

// joined says that the present attempt goes to the member that was chosen.
func (c *Call) joined() {
	m := c.member.to
	if m == nil {
		return
	}
	m.Member.began()
	c.member.last = m.Member.bit()
	c.member.been |= c.member.last
	c.member.payer, c.member.shunned, c.member.patient, c.member.fall = nil, 0, false, Fall{}
}

// joinedBeside says that a copy of the attempt goes to those machines.
func (c *Call) joinedBeside(m *Machines) {
	m.Member.began()
	if own := c.member.to; own != nil && m.Member != nil && own.Member.group == m.Member.group {
		c.member.been |= m.Member.bit()
	}
}

// payer returns the machines whose budget has paid for the retry that is to be sent.
func (c *Call) payer() *Machines {
	if c.member.payer != nil {
		return c.member.payer
	}
	return c.to()
}

// charged says whose budget has paid for the retry that is to be sent.
func (c *Call) charged(m *Machines) {
	if m.Member != nil {
		c.member.payer = m
	}
}

// repay has the budget of the member that gets a retry pay for it, where that is another one than was expected before the wait.
func (c *Call) repay(now time.Time, m *Machines) bool {
	before := c.member.payer
	if before == nil || before == m || c.paid <= 0 {
		return true
	}
	if m.Budget != nil && !m.Budget.Withdraw(now, c.paid) {
		return false
	}
	if before.Budget != nil {
		before.Budget.Refund(now, c.paid)
	}
	c.member.payer = m
	return true
}

// rotates reports whether a failure that says that nothing is wrong but our credential, or what it may use, is followed by an attempt at
// another member: it has another credential. Nobody else's retry would help.
func (c *Call) rotates(k Kind) bool {
	m := c.member.to
	return k == KindUnusable && m != nil && c.plan.Retry.Attempts > 1 && !c.exercising && len(m.Member.group.list) > 1
}

// next returns the machines of the member that a retry would go to; nil if there is none. The wait that the failed one asked for is no matter
// of others.
func (c *Call) next(now time.Time, r *Result) *Machines {
	m := c.member.to
	if r.Kind == KindUnusable {
		c.member.useless |= m.Member.bit()
	}
	w := c.wanted()
	w.again = true
	chosen := m.Member.group.choose(now, &w, c.rand)
	switch {
	case chosen.member == nil && r.Kind == KindUnusable:
		return nil
	case chosen.member == nil:
		return m
	case chosen.member != m.Member:
		r.Pushback, r.RetryAfter = false, 0
	}
	return &chosen.member.machines
}

// copyTo returns the machines of the target, or its member, that the next copy of the attempt goes to: another member than those that the
// copies which run went to, where that is well.
func (c *Call) copyTo(now time.Time) *Machines {
	m := c.rungs[c.rung].OfCopy(1)
	if m.Members == nil {
		return m
	}
	w := wanted{tenant: c.req.Tenant, again: true, avoid: c.member.been, last: c.member.last}
	if own := c.member.to; own != nil && own.Member.group == m.Members && c.plan.Idempotency == Keyed && !m.Members.sharedKeys {
		w.only = own.Member.bit()
	}
	chosen := m.Members.choose(now, &w, c.rand)
	if chosen.member == nil {
		return m.Members.Machines(0) // it is asked, and refuses
	}
	return &chosen.member.machines
}

// areOut reports whether every member is.
func (g *Members) areOut(now time.Time, tenant string) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	t := g.clock.tick(now)
	for i := range g.list {
		if s, _, _ := g.list[i].stand(now, t, tenant); s != isOut {
			return false
		}
	}
	return true
}

// healthy reports whether a member is well enough for a call that need not be made.
func (g *Members) healthy(now time.Time, tenant string) bool {
	for i := range g.list {
		if g.list[i].machines.healthy(now, tenant) {
			return true
		}
	}
	return false
}

// useful returns the time that an attempt at the quickest member needs to be worth starting.
func (g *Members) useful(attempt time.Duration) time.Duration {
	least := UsefulTime(nil, attempt)
	known := false
	for i := range g.list {
		l := g.list[i].machines.Latency
		if l == nil {
			continue
		}
		if _, samples := l.Quantile(half05); samples == 0 {
			continue
		}
		if need := UsefulTime(l, attempt); !known || need < least {
			least, known = need, true
		}
	}
	return least
}
