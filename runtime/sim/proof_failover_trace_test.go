package sim_test

import (
	"time"

	"github.com/resgen-go/resgen/runtime/policy"
	"github.com/resgen-go/resgen/runtime/sim"
)

// played is what the trace of a failover shows.
type played struct {
	row   *failover
	calls map[int]*playedCall
	state policy.State // of the primary's breaker

	probes     map[int]bool // attempts at the primary that began while its breaker was not closed
	mostProbes int          // of them at once
	openUntil  time.Duration
	closed     time.Duration // for good

	inHole, answered         int
	late, skipped            int // of those that came when the breaker could have opened
	afterRecovery, onPrimary int
	overdue                  int // calls that ended after their deadline
	failures                 map[policy.Kind]int
}

type playedCall struct {
	at      time.Duration
	touched bool // it made an attempt at the primary
}

func (p *played) add(l sim.Line) {
	switch c := p.calls[l.Call]; l.What {
	case sim.CallStarts:
		p.calls[l.Call] = &playedCall{at: l.At}
	case sim.AttemptStarts:
		if l.Rung != 0 {
			return
		}
		c.touched = true
		if p.state != policy.StateClosed {
			p.probes[l.Call] = true
			p.mostProbes = max(p.mostProbes, len(p.probes))
		}
	case sim.AttemptEnds:
		if l.Rung == 0 {
			delete(p.probes, l.Call)
		}
	case sim.BreakerChanged:
		p.changed(l)
	case sim.CallEnds:
		p.ended(c, l)
	default:
	}
}

// changed notes what the primary's breaker does.
func (p *played) changed(l sim.Line) {
	if l.Rung != 0 {
		return
	}
	p.state = l.To
	switch {
	case l.To == policy.StateOpen && l.At < holeTo+time.Second: // a probe that was under way when the primary came back
		p.openUntil = l.Until
	case l.To == policy.StateClosed:
		p.closed = l.At
	}
}

// recovered is when calls must be back on the primary: the current open time, the timeout of one probe, three answers, and a second.
func (p *played) recovered() time.Duration {
	plan := p.row.plan()
	return max(p.openUntil, holeTo) + plan.Timeout.Attempt + time.Duration(plan.Breaker.CloseAfter)*slowest + time.Second
}

func (p *played) ended(c *playedCall, l sim.Line) {
	if l.At > c.at+p.row.deadline {
		p.overdue++
	}
	answered := l.Kind == policy.KindNone
	switch {
	case c.at >= holeFrom && c.at < holeTo:
		p.inHole++
		if answered && l.Rung == 1 {
			p.answered++
		}
		if !answered {
			p.failures[l.Kind]++
		}
		if c.at >= holeFrom+p.row.plan().Timeout.Attempt+time.Second {
			p.late++
			if !c.touched {
				p.skipped++
			}
		}
	case c.at >= p.recovered():
		p.afterRecovery++
		if answered && l.Rung == 0 {
			p.onPrimary++
		}
	}
}
