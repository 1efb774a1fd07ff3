package policy

import "time"

// Held is what an answer that outlives its call still holds: a permit of the target's bulkhead, and the breaker's ticket. It is
// released once, when the answer ends. The zero Held holds nothing.
type Held struct {
	machines *Machines
	rung     int
	permit   Permit
	ticket   Ticket
	inFlight time.Duration
}

// hold keeps what the attempt holds for the answer. Half-open learns at once, or its probes would last as long as streams do;
// otherwise the breaker is told once, at the end, and until then only that the answer did not come slowly.
func (c *Call) hold(now time.Time, o Outcome, out []Action) []Action {
	m := &c.rungs[c.rung]
	c.flight.took = o.InFlight
	if m.Breaker != nil {
		if c.flight.probe {
			if change, ok := m.Breaker.Report(now, c.flight.ticket, o); ok {
				out = append(out, noteOfChange(c.rung, m.Breaker, change))
			}
		} else {
			m.Breaker.Commit(now, c.flight.ticket)
		}
	}
	return out
}

// Held returns what the answer of a finished call with Request.Hold holds, and leaves it to its new owner.
func (c *Call) Held() Held {
	h := Held{
		machines: &c.rungs[c.rung], rung: c.rung, permit: c.flight.permit, ticket: c.flight.ticket, inFlight: c.flight.took,
	}
	c.flight = flight{}
	return h
}

// Release ends the answer, with what its end says about the dependency, and appends what is to be done to out. A second one does
// nothing.
func (h *Held) Release(now time.Time, v Verdict, out []Action) []Action {
	m := h.machines
	if m == nil {
		return out
	}
	if m.Breaker != nil {
		if change, ok := m.Breaker.Report(now, h.ticket, Outcome{Verdict: v, InFlight: h.inFlight}); ok {
			out = append(out, noteOfChange(h.rung, m.Breaker, change))
		}
	}
	if m.Bulkhead != nil {
		out = wake(m.Bulkhead, m.Bulkhead.Release(now, h.permit), out)
	}
	*h = Held{}
	return out
}
