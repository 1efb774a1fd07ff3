package sim

import (
	"math"
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
	a := &account{cfg: c.configOf(b)}
	a.tokens = min(startTokens, a.capacity())
	c.targets[b] = a
	return a
}

// configOf finds the configuration of a budget.
func (c *checker) configOf(b *policy.Budget) policy.BudgetConfig {
	for i := range c.run.machines {
		if c.run.machines[i].Budget != b {
			continue
		}
		for _, t := range c.run.plan.Targets {
			if t.Name == c.run.machines[i].Target && t.Budget != (policy.BudgetConfig{}) {
				return t.Budget
			}
		}
	}
	return c.run.plan.Budget
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

// pay takes the price of a retry, and reports whether there was enough.
func (a *account) pay(now int64, price float64) bool {
	a.advance(now)
	a.tokens -= price
	return a.tokens > -1e-6
}

// noted takes what machines tell: retries are paid for, breakers change.
func (c *checker) noted(r *record, n policy.Note) {
	m := &c.run.machines[n.Rung]
	switch n.What {
	case policy.NoteRetry:
		if m.Budget == nil {
			return
		}
		price := policy.RetryCost
		switch {
		case r.failed.Kind == policy.KindTimeout:
			price = policy.TimeoutCost
		case r.failed.Kind == policy.KindConnect && !r.failed.MayHaveActed:
			price = policy.FreeCost
		}
		r.paid, r.payer = price, c.account(m.Budget)
		if off := m.Budget != nil && c.configOf(m.Budget) == (policy.BudgetConfig{}); !off && !r.payer.pay(c.run.now, price) {
			c.errorf("a retry is made outside the budget, which holds %.3f", r.payer.tokens)
		}
	case policy.NoteRejected:
		c.refund(r)
	case policy.NoteBreaker:
		c.changed(n)
	default:
	}
}

// refund gives back what was paid for a retry that was not sent.
func (c *checker) refund(r *record) {
	if r.payer != nil {
		r.payer.advance(c.run.now)
		r.payer.tokens = min(r.payer.tokens+r.paid, r.payer.capacity())
	}
	r.paid, r.payer = 0, nil
}

// trial is what a breaker may do, by what it told.
type trial struct {
	state  policy.State
	until  int64         // while open
	probes map[int]int64 // by call: when its lease ends
}

func (c *checker) trial(b *policy.Breaker) *trial {
	t, ok := c.trials[b]
	if !ok {
		t = &trial{probes: map[int]int64{}}
		c.trials[b] = t
	}
	return t
}

// changed takes the change of a breaker.
func (c *checker) changed(n policy.Note) {
	t := c.trial(n.Breaker)
	if n.Change.From != t.state {
		c.errorf("a breaker goes from %v to %v, and was %v", n.Change.From, n.Change.To, t.state)
	}
	t.state, t.until = n.Change.To, c.run.nanosOf(n.Change.NotBefore)
	clear(t.probes)
}

// longestLease is the longest lease of a probe without a report.
const longestLease = int64(10 * time.Second)

// probe checks an attempt that a breaker let through.
func (c *checker) probe(cl *call, m *policy.Machines, a policy.Action) {
	if m.Breaker == nil || m.Breaker.State(c.run.time(c.run.now)).Mode != policy.BreakerOn {
		return
	}
	t := c.trial(m.Breaker)
	switch t.state {
	case policy.StateOpen:
		c.errorf("call %d: an attempt begins while the breaker is open until %d", cl.number, t.until)
	case policy.StateHalfOpen:
		lease := longestLease
		if d := c.run.plan.Timeout.Attempt; d > 0 {
			lease = min(lease, int64(d))
		}
		if a.Until.IsZero() {
			lease = math.MaxInt64 - c.run.now
		}
		t.probes[cl.number] = c.run.now + lease
		out := 0
		for _, ends := range t.probes {
			if ends > c.run.now {
				out++
			}
		}
		if most := c.probesOf(m); out > most {
			c.errorf("call %d: %d probes are out, at most %d may be", cl.number, out, most)
		}
	case policy.StateClosed:
	}
}

// unprobe takes the end of a probe, if it was one.
func (c *checker) unprobe(cl *call, m *policy.Machines) {
	if m.Breaker != nil {
		delete(c.trial(m.Breaker).probes, cl.number)
	}
}

// probesOf returns how many probes the machines' breaker lets out at once.
func (c *checker) probesOf(m *policy.Machines) int {
	for _, t := range c.run.plan.Targets {
		if t.Name == m.Target && t.Breaker != (policy.BreakerConfig{}) {
			return t.Breaker.Probes
		}
	}
	return c.run.plan.Breaker.Probes
}
