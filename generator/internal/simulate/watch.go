package simulate

import (
	"time"

	"github.com/resgen-go/resgen/runtime/policy"
	"github.com/resgen-go/resgen/runtime/sim"
)

// watch takes the traces of the plays of a scenario and counts what their calls come to.
type watch struct {
	plays    int
	ops      []sim.Operation
	of       []int         // the class of each operation
	from, to time.Duration // when calls are judged
	faulty   bool          // because something is wrong
	length   time.Duration

	calls      map[int]*call
	classes    []tally
	targets    map[string]*load
	arrived    int // in the fault
	later      int // in the aftermath
	begun      int // calls whose first attempt was sent in the fault
	begunLater int
}

// aftermath is how long after a fault load still counts as its.
const aftermath = 5 * time.Second

// call is one under way.
type call struct {
	at      time.Duration
	op      int
	ended   time.Duration
	begun   bool      // an attempt was sent
	reached [2]string // the target of the attempt that runs, and of its copy
	rungs   [2]int    // their rungs
}

func newWatch(s *Scenario, ops []sim.Operation, of []int, classes int) *watch {
	w := &watch{ops: ops, of: of, length: s.Length, calls: map[int]*call{}, classes: make([]tally, classes), targets: map[string]*load{}}
	w.from, w.to = s.judged()
	_, to := s.fault()
	w.faulty = to > 0
	for i := range w.classes {
		w.classes[i] = newTally(s.Length)
	}
	return w
}

// inFault reports whether an instant lies within the fault.
func (w *watch) inFault(at time.Duration) bool { return at >= w.from && at < w.to }

func (w *watch) inAftermath(at time.Duration) bool {
	return w.faulty && at >= w.to && at < w.to+aftermath
}

// early reports whether an instant lies before the fault.
func (w *watch) early(at time.Duration) bool { return w.faulty && at < w.from }

// tell takes a line of the trace.
func (w *watch) tell(l sim.Line) {
	if l.What == sim.CallStarts {
		w.starts(l)
		return
	}
	c := w.calls[l.Call]
	if c == nil {
		return
	}
	t := &w.classes[w.of[l.Operation]]
	switch l.What {
	case sim.CallEnds:
		w.ends(c, t, l)
	case sim.StreamEnds:
		t.streams++
		if l.Verdict == policy.Failure {
			t.broken++
			t.silences = append(t.silences, l.At-c.ended-w.ops[c.op].Stream)
		}
		delete(w.calls, l.Call)
	case sim.AttemptStarts:
		w.sent(c, t, l)
	case sim.AttemptEnds:
		if l.Kind == policy.KindNone {
			w.used(c, l)
		}
	case sim.Rejected:
		t.rejected[l.Kind]++
	case sim.BudgetDenied:
		t.denied++
	case sim.BreakerChanged:
		if l.To == policy.StateOpen && l.From == policy.StateClosed {
			w.load(sim.ServerOf(&w.ops[l.Operation].Plan, l.Rung, false)).openings++
		}
	default:
	}
}

func (w *watch) starts(l sim.Line) {
	w.calls[l.Call] = &call{at: l.At, op: l.Operation}
	w.classes[w.of[l.Operation]].calls++
	switch {
	case w.inFault(l.At):
		w.arrived++
	case w.inAftermath(l.At):
		w.later++
	}
}

// ends counts the end of a call.
func (w *watch) ends(c *call, t *tally, l sim.Line) {
	c.ended = l.At
	out := outcome{at: c.at, took: l.At - c.at, kind: l.Kind, inFault: w.inFault(c.at), early: w.early(c.at)}
	plan := &w.ops[c.op].Plan
	if l.Kind == policy.KindNone && l.Rung > 0 {
		r := &plan.Fallback.Rungs[l.Rung-1]
		out.rung, out.level = r.Name, r.Level
	}
	t.ended(&out)
	if l.Kind != policy.KindNone || !plan.Stream.Format.Streams() {
		delete(w.calls, l.Call)
	}
}

// sent counts an attempt.
func (w *watch) sent(c *call, t *tally, l sim.Line) {
	target := l.Target
	if target == "" {
		target = sim.ServerOf(&w.ops[c.op].Plan, l.Rung, l.Hedge)
	}
	copied := 0
	if l.Hedge {
		copied = 1
	}
	c.reached[copied], c.rungs[copied] = target, l.Rung
	t.attempts++
	into := w.load(target)
	into.sent(l.At)
	first := 0
	if !c.begun {
		c.begun, first = true, 1
	}
	switch {
	case w.inFault(l.At):
		into.inFault++
		w.begun += first
	case w.inAftermath(l.At):
		into.after++
		w.begunLater += first
	}
}

// used counts the tokens of an answer, and what they cost.
func (w *watch) used(c *call, l sim.Line) {
	copied := 0
	if l.Hedge {
		copied = 1
	}
	op := &w.ops[c.op]
	if op.Used == (policy.Usage{}) || c.reached[copied] == "" {
		return
	}
	into, name := w.load(c.reached[copied]), c.reached[copied]
	into.input += op.Used.Input
	into.output += op.Used.Output
	at := policy.TargetOf(&op.Plan, name)
	if !at.Price.IsKnown() {
		group := sim.ServerOf(&op.Plan, c.rungs[copied], l.Hedge)
		at = policy.MemberOf(&op.Plan, group, name)
	}
	price := policy.PriceOf(&op.Plan, c.rungs[copied], &at.Price)
	into.cost += price.Of(policy.CountingOf(policy.PlanAt(&op.Plan, name)), op.Used)
}

func (w *watch) load(target string) *load {
	l := w.targets[target]
	if l == nil {
		l = &load{seconds: make([]int, len(w.classes[0].seconds))}
		w.targets[target] = l
	}
	return l
}

// finish ends a play: calls that have not ended never will, because nothing bounds them in time.
func (w *watch) finish() {
	w.plays++
	for _, c := range w.calls {
		if c.ended == 0 {
			w.classes[w.of[c.op]].ended(&outcome{
				at: c.at, took: w.length - c.at, kind: policy.KindNone, lost: true, inFault: w.inFault(c.at), early: w.early(c.at),
			})
		}
	}
	clear(w.calls)
	for _, l := range w.targets {
		l.finish()
	}
}
