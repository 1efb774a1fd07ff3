package policy

import (
	"math"
	"time"
)

// Held is what outlives its call: of an answer that does, or of a copy that lost and whose function has not returned. It holds a permit of
// the target's bulkhead, and the breaker's ticket. It is released once, when the answer ends or the function returns. The zero Held
// holds nothing.
type Held struct {
	machines *Machines
	rung     int
	share    Reservation
	stake    Stake
	price    *Price
	cost     expectation
	size     Size
	used     Usage
	items    int64
	permit   Permit
	ticket   Ticket
	since    time.Time
	answered bool
	inFlight time.Duration // valid if answered
}

// hold keeps what a copy holds for its answer. Half-open learns at once, or its probes would last as long as streams do;
// otherwise the breaker is told once, at the end, and until then only that the answer did not come slowly.
func (c *Call) hold(now time.Time, f *flight, o Outcome, out []Action) []Action {
	f.took, f.flying = o.InFlight, false
	if l := f.machines.Latency; l != nil {
		l.Record(now, o.InFlight)
	}
	f.machines.Member.measure(now, o.InFlight, true)
	if b := f.machines.Bulkhead; b != nil {
		b.Sample(now, f.permit, o)
	}
	b := f.machines.Breaker
	if b == nil {
		return out
	}
	if !f.probe {
		b.Commit(now, f.ticket)
		return out
	}
	if change := b.conclude(now, f.ticket, o); change != nil {
		out = append(out, noteOfChange(c.rung, f.machines, change))
	}
	return out
}

// Held returns what the answer of a finished call with Request.Hold holds, and leaves it to its new owner.
func (c *Call) Held() Held {
	f := c.copy(c.won)
	h := c.held(f)
	h.answered, h.inFlight = true, f.took
	*f = flight{}
	return h
}

// held returns what a copy holds.
func (c *Call) held(f *flight) Held {
	return Held{
		machines: f.machines, rung: c.rung, share: f.share, stake: f.stake, price: f.price, cost: f.cost, size: c.req.Size,
		permit: f.permit, ticket: f.ticket, since: f.since,
	}
}

// Count tells what was used up to the end, before Release: what the answer says of it, and the number of its items.
func (h *Held) Count(used Usage, items int64) { h.used, h.items = used, items }

// Slow tells, before Release, that the answer came more slowly than its plan allows: it counts as slow, whatever its end says.
func (h *Held) Slow() {
	if h.machines != nil {
		h.answered, h.inFlight = true, math.MaxInt64
	}
}

// settle reconciles what was reserved of the target's limit and of the purse with what was used.
func (h *Held) settle(now time.Time, v Verdict, out []Action) []Action {
	m := h.machines
	if m.Estimate == nil && !h.share.granted {
		return out
	}
	if h.answered && v == Success {
		m.observe(now, h.size, &h.cost, h.used)
	}
	b := bill{price: h.price, used: h.used, items: h.items, due: true, left: !h.answered}
	return m.reconcile(now, &h.share, &h.stake, &h.cost, &b, out)
}

// Release ends what is held, with what the end says about the dependency, and appends what is to be done to out. A second one does
// nothing. The end of a copy that lost is Neutral, unless its function panicked; whether it was slow is known by the time in flight.
func (h *Held) Release(now time.Time, v Verdict, out []Action) []Action {
	m := h.machines
	if m == nil {
		return out
	}
	o := Outcome{Verdict: v, InFlight: h.inFlight}
	if !h.answered {
		o.InFlight = now.Sub(h.since)
		m.Member.measure(now, o.InFlight, false)
	}
	change, granted := m.settle(now, h.permit, h.ticket, o, false)
	if change != nil {
		out = append(out, noteOfChange(h.rung, m, change))
	}
	out = wake(m.Bulkhead, granted, out)
	out = h.settle(now, v, out)
	*h = Held{}
	return out
}
