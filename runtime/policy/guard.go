package policy

import (
	"sync"
	"time"
)

// Guard is the lock of machines, and the clock under it. A machine has a guard of its own unless Under gives it another. Those of one
// target share one: nearly every call asks its bulkhead and its breaker, and tells them and its latency, one directly after
// the other, and taking one lock three times costs more than what the three do under it. See Machines.enter. The zero value is ready.
//
// Invariant: nobody takes two guards at once, and nobody calls out under one.
type Guard struct {
	mu    sync.Mutex
	clock clock
}

// NewGuard returns a guard for the machines of one target.
func NewGuard() *Guard { return new(Guard) }

// Under gives the breaker a guard, before its first use, and returns it.
func (b *Breaker) Under(g *Guard) *Breaker {
	b.mu, b.clock = &g.mu, &g.clock
	return b
}

// Under gives the bulkhead a guard, before its first use, and returns it.
func (b *Bulkhead) Under(g *Guard) *Bulkhead {
	b.mu, b.clock = &g.mu, &g.clock
	return b
}

// Under gives the estimate a guard, before its first use, and returns it.
func (l *Latency) Under(g *Guard) *Latency {
	l.shared = g
	return l
}

// claim asks the bulkhead for a permit and, where that is admitted, the breaker for a ticket. A machine that is off lets everything
// through. The answer, which is zero, is the breaker's; it is filled in only where the verdict is Admitted.
func (m *Machines) claim(now time.Time, c *Claim, answer *Admission) (p Permit, verdict BulkheadVerdict, ticket Ticket) {
	if m.together() {
		return m.claimBoth(now, c, answer)
	}
	verdict = Admitted
	if m.Bulkhead != nil {
		p, verdict = m.Bulkhead.Acquire(now, *c)
	}
	if verdict == Admitted {
		ticket = m.ticket(now, answer)
	}
	return p, verdict, ticket
}

// ticket asks the breaker for a ticket.
func (m *Machines) ticket(now time.Time, answer *Admission) (t Ticket) {
	if m.Breaker == nil {
		answer.OK = true
		return t
	}
	t, *answer = m.Breaker.AdmitIn(now, m.Lane)
	return t
}

// together reports whether bulkhead and breaker can be asked under one lock: they are on, share it, and the breaker need not be asked
// without it.
func (m *Machines) together() bool {
	b, k := m.Breaker, m.Bulkhead
	return b != nil && k != nil && b.mu == k.mu && k.cfg.MaxConcurrent > 0 && b.cfg.Mode != BreakerOff && b.admits.Load()
}

// claimBoth is claim under one lock.
func (m *Machines) claimBoth(now time.Time, c *Claim, answer *Admission) (p Permit, verdict BulkheadVerdict, ticket Ticket) {
	b, drawn := m.Breaker, false
	b.mu.Lock()
	t := b.clock.tick(now)
	if p, verdict = m.Bulkhead.claim(t, now, c); verdict == Admitted {
		ticket = b.admit(t, m.Lane, answer)
		drawn = b.drawn
	}
	b.mu.Unlock()
	if drawn {
		b.redraw()
	}
	return p, verdict, ticket
}

// settle reports how an attempt went: to the breaker, to the bulkhead, which takes its permit back, and, where it was answered, to the
// latency. It returns the change of the breaker, nil if there is none, and who was granted the permit.
func (m *Machines) settle(now time.Time, p Permit, t Ticket, o Outcome, answered bool) (change *Transition, granted []Permit) {
	m.Member.ended()
	if m.settlesAtOnce(p, t, answered) {
		return m.settleAtOnce(m.Breaker.clock.since(now), p, t, o, answered)
	}
	if answered && m.Latency != nil {
		m.Latency.Record(now, o.InFlight)
	}
	if m.Breaker != nil {
		change = m.Breaker.conclude(now, t, o)
	}
	if m.Bulkhead != nil {
		granted = m.Bulkhead.Release(now, p, o)
	}
	return change, granted
}

// settlesAtOnce reports whether everything that settle tells is under one lock.
func (m *Machines) settlesAtOnce(p Permit, t Ticket, answered bool) bool {
	b := m.Breaker
	return b != nil && t.slot != 0 && p.slot != 0 && b.mu == m.Bulkhead.mu && (!answered || m.Latency.under(b.mu))
}

// settleAtOnce is settle under one lock. at is now, by clock.since.
func (m *Machines) settleAtOnce(at int64, p Permit, ticket Ticket, o Outcome, answered bool) (change *Transition, granted []Permit) {
	b := m.Breaker
	b.mu.Lock()
	t := b.clock.advance(at)
	if answered {
		m.Latency.hist.record(t, o.InFlight)
	}
	change = b.report(t, ticket, o)
	granted = m.Bulkhead.takeBack(t, p, o, true)
	drawn := b.drawn
	b.mu.Unlock()
	if drawn {
		b.redraw()
	}
	return change, granted
}
