package sim

import (
	"math"
	"slices"
	"time"

	"github.com/resgen-go/resgen/runtime/policy"
)

// counter counts what becomes of a run's calls.
type counter struct {
	total   Report
	clients []tally
	from    int64 // of the fault
	to      int64
	during  load
	after   load
	recent  []int64 // when the attempts of the last second reached the primary target
	old     int     // those at its beginning that are older
}

// tally is what is counted for one client.
type tally struct {
	report   ClientReport
	answered []time.Duration
	failed   []time.Duration
}

// load is what was asked for, and what reached the primary target.
type load struct{ calls, attempts int }

// ratio returns how many attempts reached the target for each call; 0 without calls.
func (l load) ratio() float64 {
	if l.calls == 0 {
		return 0
	}
	return float64(l.attempts) / float64(l.calls)
}

// compactFrom is how many old attempts are kept before their memory is used again.
const compactFrom = 1024

// aftermath is how long after a fault the load is measured.
const aftermath = 5 * time.Second

func newCounter(s Scenario) counter {
	from, to := s.fault()
	c := counter{total: Report{Reached: map[string]int{}}, from: int64(from), to: int64(to), clients: make([]tally, len(s.Clients))}
	for i, cl := range s.Clients {
		c.clients[i].report.Name = cl.Name
	}
	return c
}

// at returns what the instant belongs to, nil if to neither.
func (c *counter) at(now int64) *load {
	switch {
	case now >= c.from && now < c.to:
		return &c.during
	case c.to > 0 && now >= c.to && now < c.to+int64(aftermath):
		return &c.after
	default:
		return nil
	}
}

// arrived counts a call.
func (c *counter) arrived(r *run, cl *call) {
	c.clients[cl.client].report.Calls++
	if l := c.at(r.now); l != nil {
		l.calls++
	}
}

// sent counts an attempt.
func (c *counter) sent(r *run, cl *call, to *server) {
	c.clients[cl.client].report.Attempts++
	c.total.Reached[to.cfg.Target]++
	if !cl.op.rungs[0].reaches(to) {
		return
	}
	if l := c.at(r.now); l != nil {
		l.attempts++
	}
	c.recent = append(c.recent, r.now)
	for r.now-c.recent[c.old] >= int64(time.Second) {
		c.old++
	}
	c.total.Peak = max(c.total.Peak, len(c.recent)-c.old)
	if c.old > compactFrom && c.old > len(c.recent)/2 {
		c.recent = append(c.recent[:0], c.recent[c.old:]...)
		c.old = 0
	}
}

// noted counts what machines tell.
func (c *counter) noted(cl *call, n policy.Note) {
	switch n.What {
	case policy.NoteBudget:
		c.total.Denied++
	case policy.NoteBreaker:
		if n.Change.To == policy.StateOpen {
			if n.Change.From == policy.StateClosed {
				c.total.Trips++
			} else {
				c.total.Reopened++
			}
		}
	case policy.NotePause:
		c.total.Pauses++
	case policy.NoteHedge:
		c.total.Hedges++
	case policy.NoteRejected:
		c.clients[cl.client].report.Rejected++
	case policy.NoteRetry, policy.NoteRung, policy.NoteUnfit, policy.NoteExercise:
	}
}

// finished counts the end of a call.
func (c *counter) finished(r *run, cl *call, a policy.Action) {
	t := &c.clients[cl.client]
	took := time.Duration(r.now - cl.arrived)
	switch {
	case a.Fall.Kind != policy.KindNone:
		t.report.Failed++
		if t.report.Failures == nil {
			t.report.Failures = map[string]int{}
		}
		t.report.Failures[a.Fall.Kind.String()]++
		t.failed = append(t.failed, took)
	case a.Rung > 0:
		t.report.Fallback++
		t.answered = append(t.answered, took)
	default:
		t.report.OK++
		t.answered = append(t.answered, took)
	}
}

// streamed counts the end of an answer that outlived its call.
func (c *counter) streamed(v policy.Verdict) {
	c.total.Streams++
	if v == policy.Failure {
		c.total.BrokenStreams++
	}
}

// report returns what was counted.
func (c *counter) report(r *run) Report {
	out := c.total
	out.Scenario, out.Seed = r.scenario.Name, r.seed
	out.Amplification, out.LoadAfter = c.during.ratio(), c.after.ratio()
	var answered, failed []time.Duration
	for i := range c.clients {
		t := &c.clients[i]
		answered, failed = append(answered, t.answered...), append(failed, t.failed...)
		t.report.settle(t.answered, t.failed)
		out.Clients = append(out.Clients, t.report)
		out.add(&t.report)
	}
	out.settle(answered, failed)
	return out
}

// add adds the counts of another.
func (c *ClientReport) add(o *ClientReport) {
	c.Calls += o.Calls
	c.OK += o.OK
	c.Fallback += o.Fallback
	c.Failed += o.Failed
	c.Attempts += o.Attempts
	c.Rejected += o.Rejected
	for k, n := range o.Failures {
		if c.Failures == nil {
			c.Failures = map[string]int{}
		}
		c.Failures[k] += n
	}
}

// settle works out what follows from the counts.
func (c *ClientReport) settle(answered, failed []time.Duration) {
	c.Unfinished = c.Calls - c.OK - c.Fallback - c.Failed
	c.Answered, c.Failing = spreadOf(answered), spreadOf(failed)
}

// spreadOf sorts durations and returns their percentiles.
func spreadOf(all []time.Duration) Spread {
	if len(all) == 0 {
		return Spread{}
	}
	slices.Sort(all)
	at := func(q float64) time.Duration {
		return all[max(int(math.Ceil(q*float64(len(all))))-1, 0)]
	}
	return Spread{P50: at(.5), P90: at(.9), P95: at(.95), P99: at(.99), P999: at(.999), Max: all[len(all)-1]}
}
