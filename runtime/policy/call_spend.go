package policy

import "time"

// afford takes what the attempt is expected to cost from the purse. Where that is too little, the rung is too dear for now.
func (c *Call) afford(now time.Time, m *Machines, f *flight) (why Fall, ok bool) {
	if m.Purse == nil || f.stake.held {
		return Fall{}, true
	}
	f.cost, f.price = c.cost(now, m), PriceOf(c.plan, c.rung, &m.Price)
	expected, most := f.price.expect(&f.cost)
	stake, at, ok := m.Purse.Reserve(now, c.req.Tenant, expected, most)
	f.stake = stake
	return Fall{Kind: KindRateLimited, NotBefore: at, Purse: m.Purse}, ok
}

// expect returns what a call is expected to cost, and what it may cost.
func (p Price) expect(c *expectation) (expected, most float64) {
	return p.AtMost(c.all, c.Output), p.AtMost(c.all, max(c.most, c.Output))
}

// cost estimates what the call costs at a target.
func (c *Call) cost(now time.Time, m *Machines) expectation {
	if m.Estimate == nil {
		return expectation{}
	}
	return m.Estimate.expect(now, c.req.Size)
}

// forgo gives back the share and the stake of a copy that was not sent, or its place in line.
func (*Call) forgo(now time.Time, m *Machines, f *flight, out []Action) []Action {
	if m.Purse != nil {
		m.Purse.Refund(now, &f.stake)
	}
	if m.Limit == nil {
		return out
	}
	share := f.share
	return stock(now, m.Limit, share, rouse(m.Limit, m.Limit.Refund(now, &f.share), out))
}

// spent reconciles the share and the stake of a copy that has ended with what it used. Of what was never sent nothing is charged.
func (c *Call) spent(now time.Time, f *flight, r *Result, out []Action) []Action {
	m := f.machines
	if m == nil || m.Estimate == nil && !f.share.granted {
		return out
	}
	if r.neverSent() {
		return c.forgo(now, m, f, out)
	}
	if r.Kind == KindNone {
		m.observe(now, c.req.Size, &f.cost, r.Used)
	}
	b := bill{price: f.price, used: r.Used, items: r.Items, due: r.isBilled(), left: r.isLeft()}
	return m.reconcile(now, &f.share, &f.stake, &f.cost, &b, out)
}

// observe has the estimate learn from a good answer. Where nothing was reserved, what the request was expected to cost is found now: what
// requests come to is known all the same.
func (m *Machines) observe(now time.Time, size Size, cost *expectation, used Usage) {
	if m.Estimate == nil {
		return
	}
	if m.Limit == nil && m.Purse == nil {
		*cost = m.Estimate.expect(now, size)
	}
	m.Estimate.Observe(now, size, cost.Cost, used)
}

// bill is what a copy that has ended is charged for.
type bill struct {
	price *Price // nil where there is no stake
	used  Usage
	items int64
	due   bool // the target may bill it although it does not say what was used
	left  bool // nobody took its answer
}

// isBilled reports whether the target may bill an attempt that ended like that: it answered, or nobody knows what became of it. An answer that
// is an error costs nothing.
func (r *Result) isBilled() bool {
	switch r.Kind {
	case KindNone, KindTimeout, KindReset, KindDecode, KindCanceled, KindDeadline:
		return true
	default:
		return false
	}
}

// isLeft reports whether the answer of an attempt was no longer waited for.
func (r *Result) isLeft() bool {
	return r.Kind == KindTimeout || r.Kind == KindCanceled || r.Kind == KindDeadline
}

// reconcile charges what was used, or gives back what was not. What an answer does not say is taken to be what was expected, or the number
// of its items if that is more.
func (m *Machines) reconcile(now time.Time, share *Reservation, stake *Stake, cost *expectation, b *bill, out []Action) []Action {
	if m.Estimate == nil { // nothing is counted but requests
		*share = Reservation{}
		return out
	}
	c, used := m.Estimate.counting, b.used
	said := used != Usage{}
	if used.Input <= 0 && used.Cached <= 0 {
		used.Input = cost.all
	}
	if used.Output <= 0 {
		used.Output = max(cost.Output, b.items)
	}
	if stake.held {
		paid := 0.0
		if said || b.due {
			paid = b.price.Of(c, used)
		}
		m.Purse.Settle(now, stake, paid)
	}
	limits := c.counted(used)
	if b.used.Input <= 0 && b.used.Cached <= 0 {
		limits.Input = cost.Input
	}
	if b.left {
		m.Estimate.abandon(limits)
	}
	if !share.granted {
		*share = Reservation{}
		return out
	}
	settled := *share
	return stock(now, m.Limit, settled, rouse(m.Limit, m.Limit.Settle(now, share, limits), out))
}
