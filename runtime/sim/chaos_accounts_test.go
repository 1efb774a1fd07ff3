package sim

import (
	"time"

	"github.com/resgen-go/resgen/runtime/policy"
)

// account is what a budget may hold at most, reckoned apart from it: where the capacity follows the traffic it is taken to be that of
// the busiest second so far.
type account struct {
	cfg    policy.BudgetConfig
	tokens float64
	at     int64
	second int64
	first  float64 // first attempts in that second
	most   float64 // in any
}

// startTokens is what a budget holds at first, and the least capacity that none names.
const startTokens = 10

func (c *checker) account(b *policy.Budget) *account {
	if a, ok := c.targets[b]; ok {
		return a
	}
	a := &account{cfg: c.configOf(b), at: c.run.now} // a budget's time begins with its first use
	a.tokens = min(startTokens, a.capacity())
	c.targets[b] = a
	return a
}

// configOf finds the configuration of a budget.
func (c *checker) configOf(b *policy.Budget) policy.BudgetConfig {
	for i := range c.run.ops[0].machines {
		for m := &c.run.ops[0].machines[i]; m != nil; m = m.Hedge {
			if m.Budget == b {
				return policy.TargetOf(&c.run.ops[0].plan, m.Target).Budget
			}
		}
	}
	return policy.BudgetConfig{}
}

func (a *account) capacity() float64 {
	if a.cfg.Cap > 0 {
		return a.cfg.Cap
	}
	return max(startTokens, a.cfg.Ratio*a.most)
}

func (a *account) advance(now int64) {
	a.tokens = min(a.tokens+a.cfg.MinPerSecond*float64(now-a.at)/float64(time.Second), a.capacity())
	a.at = now
	if s := now / int64(time.Second); s != a.second {
		a.second, a.first = s, 0
	}
}

func (a *account) deposit(now int64) {
	a.advance(now)
	a.first++
	a.most = max(a.most, 2*a.first) // its seconds may begin elsewhere
	a.tokens = min(a.tokens+a.cfg.Ratio, a.capacity())
}

func (a *account) balance(now int64) float64 {
	a.advance(now)
	return a.tokens
}

// exact reports whether the capacity was the same all the time, so that the account is no bound but the truth.
func (a *account) exact() bool { return a.cfg.Cap > 0 || a.cfg.Ratio*a.most <= startTokens }

// settled checks what a budget holds at the end.
func (c *checker) settled(rung int, b *policy.Budget) {
	const rounding = 0.001
	a := c.account(b)
	if a.cfg == (policy.BudgetConfig{}) {
		return
	}
	got, want := b.Balance(c.run.time(c.run.now)), a.balance(c.run.now)
	if got > want+rounding || a.exact() && got < want-rounding {
		c.errorf("rung %d: the budget holds %.3f, by our account %.3f", rung, got, want)
	}
}

// pay takes the price of a retry, and reports whether there was enough.
func (a *account) pay(now int64, price float64) bool {
	a.advance(now)
	a.tokens -= price
	return a.tokens > -1e-6
}

// noted takes what machines tell: retries are paid for, breakers change.
func (c *checker) noted(r *record, n policy.Note) {
	m := &c.run.ops[0].machines[n.Rung]
	switch n.What {
	case policy.NoteRetry:
		if m.Budget == nil {
			return
		}
		price := 1.0
		switch {
		case r.told.Kind == policy.KindTimeout:
			price = 2
		case r.told.Kind == policy.KindConnect && !r.told.MayHaveActed:
			price = 0
		}
		r.paid, r.payer = price, c.account(m.Budget)
		if !r.payer.pay(c.run.now, price) {
			c.errorf("a retry is made outside the budget, which holds %.3f", r.payer.tokens)
		}
	case policy.NoteRejected:
		c.refund(r)
	case policy.NoteHedge:
		if to := m.OfCopy(1); to.Budget != nil && !c.account(to.Budget).pay(c.run.now, 1) {
			c.errorf("a hedge is sent outside the budget")
		}
		c.hedges(m.Hedger).sent++
		c.paidHedges(n.Rung, m.Hedger)
	case policy.NoteBreaker:
		c.changed(n)
	default:
	}
}

// tellingOf returns what the machine is to make of the failures of two copies: an answer tells more than silence, silence more than our own
// end; where both tell as much, the later one.
func tellingOf(before, res policy.Result) policy.Result {
	weight := func(k policy.Kind) int {
		switch k {
		case policy.KindNone:
			return 0
		case policy.KindCanceled, policy.KindDeadline:
			return 1
		case policy.KindTimeout:
			return 2
		default:
			return 3
		}
	}
	acted := before.MayHaveActed || res.MayHaveActed
	if weight(before.Kind) > weight(res.Kind) {
		res = before
	}
	res.MayHaveActed = acted
	return res
}

// refund gives back what was paid for a retry that was not sent.
func (c *checker) refund(r *record) {
	if r.payer != nil {
		r.payer.advance(c.run.now)
		r.payer.tokens = min(r.payer.tokens+r.paid, r.payer.capacity())
	}
	r.paid, r.payer = 0, nil
}

// hedges are what a hedger has paid for.
type hedges struct{ firsts, sent int }

func (c *checker) hedges(h *policy.Hedger) *hedges {
	n, ok := c.hedgers[h]
	if !ok {
		n = new(hedges)
		c.hedgers[h] = n
	}
	return n
}

// hedged checks a copy beside an attempt.
func (c *checker) hedged(cl *call, r *record, a policy.Action) {
	plan, m := &c.run.ops[0].plan, &c.run.ops[0].machines[a.Rung]
	to := m.OfCopy(a.Copy)
	open := to.Breaker != nil && policy.TargetOf(plan, to.Target).Breaker.Mode == policy.BreakerOn &&
		to.Breaker.State(c.run.time(c.run.now)).State != policy.StateClosed
	switch i := plan.Idempotency; {
	case !plan.Hedgeable || a.Copy > plan.Hedge.Max:
		c.errorf("call %d: copy %d of at most %d, hedgeable %t", cl.number, a.Copy, plan.Hedge.Max, plan.Hedgeable)
	case i == policy.None, i == policy.Keyed && (!plan.Key.Concurrent || to != m):
		c.errorf("call %d: what must not be executed twice is hedged", cl.number)
	case a.Number > 1:
		c.errorf("call %d: a retry is hedged", cl.number)
	case open:
		c.errorf("call %d: a hedge is sent to a target whose breaker is not closed", cl.number)
	case len(r.flying) == 0:
		c.errorf("call %d: a hedge has nothing beside it", cl.number)
	}
}

// paidHedges checks that the share of hedges stays below what the hedger pays for.
func (c *checker) paidHedges(rung int, h *policy.Hedger) {
	if h == nil {
		return
	}
	n := c.hedges(h)
	if most := 1.2*c.run.ops[0].plan.Hedge.ExtraLoad*float64(n.firsts) + 1e-6; float64(n.sent) > most {
		c.errorf("rung %d: %d hedges for %d first attempts, at most %.2f are paid for", rung, n.sent, n.firsts, most)
	}
}

// bucket is what a limit may have let through: a bucket that never holds less than nothing.
type bucket struct {
	tokens, at float64
}

// quota is who has a limit: a target, or each tenant at it.
type quota struct {
	limit  *policy.Limiter
	tenant string
}

func (c *checker) quotaOf(cl *call, m *policy.Machines) quota {
	if policy.TargetOf(&c.run.ops[0].plan, m.Target).Limit.Per == policy.PerTenant {
		return quota{m.Limit, c.run.scenario.Clients[cl.client].Name}
	}
	return quota{limit: m.Limit}
}

// spend takes a request out of a limit's bucket.
func (c *checker) spend(cl *call, m *policy.Machines) {
	t := policy.TargetOf(&c.run.ops[0].plan, m.Target)
	rate := t.Limit.Requests.Amount / t.Limit.Requests.Per.Seconds()
	burst := float64(t.Limit.Burst)
	if t.Limit.Burst == 0 {
		burst = max(rate, 1)
	}
	now := float64(c.run.now) / float64(time.Second)
	q := c.quotaOf(cl, m)
	b, ok := c.limits[q]
	if !ok {
		b = &bucket{tokens: burst, at: now}
		c.limits[q] = b
	}
	b.tokens = min(b.tokens+rate*(now-b.at), burst) - 1
	b.at = now
	late := t.Bulkhead.MaxQueue // these may have waited for a permit with what they took
	if b.tokens < -0.001-float64(late) {
		c.errorf("call %d: a request above the limit of %v, by %.3f", cl.number, t.Limit.Requests, -b.tokens)
	}
}

// unspent checks what a limit holds at the end: what was taken for requests that were not made has been given back. It charges earlier than
// we do, when the request is admitted, and so may hold more.
func (c *checker) unspent(rung int, m *policy.Machines) {
	const rounding = 0.001
	s := m.Limit.Snapshot(c.run.time(c.run.now))
	if s.Waiting != 0 {
		c.errorf("rung %d: limit %+v after the end", rung, s)
	}
	b, ok := c.limits[quota{limit: m.Limit}]
	if !ok {
		return // nothing was sent, or each tenant has a limit
	}
	t := policy.TargetOf(&c.run.ops[0].plan, m.Target)
	rate := t.Limit.Requests.Amount / t.Limit.Requests.Per.Seconds()
	left := b.tokens + rate*(float64(c.run.now)/float64(time.Second)-b.at)
	if most := s.Requests.Most; s.Requests.Balance < min(left, most)-rounding {
		c.errorf("rung %d: the limit holds %.3f, by our account %.3f", rung, s.Requests.Balance, min(left, most))
	}
}
