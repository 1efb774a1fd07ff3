package sim

import (
	"fmt"
	"time"

	"github.com/resgen-go/resgen/runtime/policy"
)

// Line is one line of a trace: what happened to a call, and when. Fields that its What does not name are zero. A live driver tells
// its observers of the same things, so a trace can be compared with what it does.
type Line struct {
	// At is when, since the run began.
	At time.Duration
	// Call is the number of the call, in the order of arrival, from 1.
	Call int
	// Operation is the place of its operation among those of the run.
	Operation int
	// What says what happened.
	What What
	// Rung is the rung concerned; 0 is the operation itself.
	Rung int
	// Target is the member of the rung's target that an attempt reaches; empty where the target has none.
	Target string
	// Attempt is the number of the attempt on its rung, from 1.
	Attempt int
	// Hedge says that the attempt is a copy, sent beside the first one.
	Hedge bool
	// Attempts is the number of attempts of the call so far, on all rungs.
	Attempts int
	// Kind is why, or how something ended.
	Kind policy.Kind
	// Wait is how long a retry waits, or how long an attempt had run when it was hedged.
	Wait time.Duration
	// Until is when a rejection, a pause or an open breaker ends, since the run began; Forever where that is not known.
	Until time.Duration
	// From and To are the states of a breaker.
	From, To policy.State
	// Verdict is what the end of a stream says.
	Verdict policy.Verdict
}

// Forever is an end that is not known.
const Forever = time.Duration(never)

// What says what a line tells of.
type What uint8

// What happens to a call.
const (
	// CallStarts is the start of the call.
	CallStarts What = iota
	// CallEnds is its end: Kind, and Rung if it is KindNone; Attempts.
	CallEnds
	// StreamEnds is the end of an answer that outlived the call: Verdict.
	StreamEnds
	// AttemptStarts is the start of an attempt: Rung, Attempt, Hedge.
	AttemptStarts
	// AttemptEnds is its end: Rung, Attempt, Hedge, Kind.
	AttemptEnds
	// RetryPlanned is a retry after Wait, because of Kind.
	RetryPlanned
	// RungTaken is a step down to Rung, because of Kind.
	RungTaken
	// RungUnfit is a Rung that could not take the request: Kind.
	RungUnfit
	// Rejected is an attempt on Rung that was not let through: Kind, Until.
	Rejected
	// BudgetDenied is a retry on Rung that the budget did not pay for, after Kind.
	BudgetDenied
	// BreakerChanged is a breaker that went From one state To another; Until, where it opened.
	BreakerChanged
	// Hedged is a copy of an attempt on Rung that is sent because it has run for Wait.
	Hedged
	// Exercised is a Rung that was exercised and failed: Kind.
	Exercised
	// Paused is a target, that of Rung, which asked for no requests Until then.
	Paused
)

// String returns the line as trace files hold it.
func (l Line) String() string {
	return fmt.Sprintf("%-12v call %-3d %s", l.At, l.Call, l.text())
}

// text says what happened.
func (l Line) text() string {
	switch l.What {
	case CallStarts:
		return "starts"
	case CallEnds:
		if l.Kind == policy.KindNone {
			return fmt.Sprintf("ends: answered by %s, attempts: %d", rungName(l.Rung), l.Attempts)
		}
		return fmt.Sprintf("ends: %v, attempts: %d", l.Kind, l.Attempts)
	case StreamEnds:
		return fmt.Sprintf("stream ends: %v", l.Verdict)
	case AttemptStarts:
		return l.attempt() + " starts"
	case AttemptEnds:
		if l.Kind == policy.KindNone {
			return l.attempt() + " ends: answered"
		}
		return fmt.Sprintf("%s ends: %v", l.attempt(), l.Kind)
	case RetryPlanned:
		return fmt.Sprintf("retries in %v after %v", l.Wait, l.Kind)
	case RungTaken:
		return fmt.Sprintf("takes %s after %v", rungName(l.Rung), l.Kind)
	case RungUnfit:
		return fmt.Sprintf("%s cannot take it: %v", rungName(l.Rung), l.Kind)
	case Rejected:
		return fmt.Sprintf("%s rejected: %v%s", rungName(l.Rung), l.Kind, until(l.Until))
	case BudgetDenied:
		return fmt.Sprintf("no budget for a retry after %v", l.Kind)
	case BreakerChanged:
		if l.To == policy.StateOpen {
			return fmt.Sprintf("breaker %v > %v%s", l.From, l.To, until(l.Until))
		}
		return fmt.Sprintf("breaker %v > %v", l.From, l.To)
	case Hedged:
		return fmt.Sprintf("hedges after %v", l.Wait)
	case Exercised:
		return fmt.Sprintf("exercise of %s failed: %v", rungName(l.Rung), l.Kind)
	case Paused:
		return fmt.Sprintf("%s paused%s after %v", rungName(l.Rung), until(l.Until), l.Kind)
	default:
		return fmt.Sprintf("what %d", l.What)
	}
}

// attempt says which attempt it is.
func (l Line) attempt() string {
	if l.Hedge {
		return fmt.Sprintf("%s attempt %d, hedge", rungName(l.Rung), l.Attempt)
	}
	return fmt.Sprintf("%s attempt %d", rungName(l.Rung), l.Attempt)
}

func rungName(n int) string { return fmt.Sprintf("rung %d", n) }

func until(t time.Duration) string {
	if t == Forever {
		return ""
	}
	return " until " + t.String()
}

// say adds a line of a call to the trace, if somebody wants it.
func (r *run) say(c *call, l Line) {
	if r.tell == nil {
		return
	}
	l.At, l.Call, l.Operation = time.Duration(r.now), c.number, c.op.number
	r.tell(l)
}

// note takes what a machine tells observers.
func (r *run) note(c *call, n policy.Note) {
	r.count.noted(c, n)
	if r.tell == nil {
		return
	}
	l := Line{Rung: n.Rung, Kind: n.Kind, Wait: n.Wait, Until: r.since(n.Until)}
	switch n.What {
	case policy.NoteRetry:
		l.What = RetryPlanned
	case policy.NoteRung:
		l.What = RungTaken
	case policy.NoteUnfit:
		l.What = RungUnfit
	case policy.NoteRejected:
		l.What = Rejected
	case policy.NoteBudget:
		l.What = BudgetDenied
	case policy.NotePause:
		l.What = Paused
	case policy.NoteHedge:
		l.What = Hedged
	case policy.NoteExercise:
		l.What = Exercised
	case policy.NoteBreaker: // it may have come about earlier than it was noticed
		r.tell(Line{
			At: r.since(n.Change.At), Call: c.number, Operation: c.op.number, What: BreakerChanged, Rung: n.Rung,
			From: n.Change.From, To: n.Change.To, Until: r.since(n.Change.NotBefore),
		})
		return
	}
	r.say(c, l)
}

// since returns an instant as lines hold it.
func (r *run) since(t time.Time) time.Duration {
	if t.IsZero() {
		return Forever
	}
	return t.Sub(r.base)
}
