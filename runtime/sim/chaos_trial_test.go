package sim

import (
	"math"
	"time"

	"github.com/resgen-go/resgen/runtime/policy"
)

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
	if n.Change.To == policy.StateHalfOpen && c.run.nanosOf(n.Change.At) < t.until {
		c.errorf("a breaker is half-open at %v, and was to be open until %d", n.Change.At, t.until)
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
		if d := c.run.ops[0].plan.Timeout.Attempt; d > 0 {
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
func (c *checker) unprobe(cl *call, f flown) {
	if f.machines.Breaker != nil && f.Copy == 0 {
		delete(c.trial(f.machines.Breaker).probes, cl.number)
	}
}

// probesOf returns how many probes the machines' breaker lets out at once.
func (c *checker) probesOf(m *policy.Machines) int {
	return policy.TargetOf(&c.run.ops[0].plan, m.Target).Breaker.Probes
}
