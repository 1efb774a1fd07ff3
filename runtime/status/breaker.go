package status

import (
	"fmt"
	"time"

	"github.com/resgen-go/resgen/runtime/policy"
)

// breaker shows the breaker of a row.
func (a *row) breaker() {
	b := &a.m.Breaker
	if b.Mode == policy.BreakerOff {
		return
	}
	a.t.Breaker = &Breaker{
		State: b.State.String(), Mode: b.Mode.String(), Since: utc(b.Since), OpenedAt: utc(b.Tripped), NotBefore: utc(b.NotBefore),
		Calls: b.Calls, Failures: b.Failures, Slow: b.Slow,
	}
	a.t.Text.Breaker = b.State.String()
	if b.Mode != policy.BreakerOn {
		a.t.Text.Breaker += " (" + b.Mode.String() + ")"
	}
	if !b.Since.IsZero() {
		a.t.Text.Breaker += since(b.Since, a.now)
	}
	switch {
	case b.Mode == policy.BreakerForcedOpen:
		a.breakerProblem(Degraded, time.Time{}, "is not called: its breaker is forced open")
	case b.Mode == policy.BreakerOn && b.State == policy.StateOpen:
		a.t.Text.Breaker += ", " + a.probes()
		a.breakerProblem(Degraded, b.Tripped, fmt.Sprintf("is not called%s: its breaker is open, %s; %s",
			since(b.Tripped, a.now), judged(b, "call"), a.probes()))
	case b.Mode == policy.BreakerOn && b.State == policy.StateHalfOpen:
		a.breakerProblem(Degraded, b.Tripped, fmt.Sprintf("is only probed: its breaker is half-open; it was closed until %s, %s ago",
			clock(b.Tripped, a.now), span(a.now.Sub(b.Tripped))))
	case b.State != policy.StateClosed:
		a.breakerProblem(Notice, b.Tripped, fmt.Sprintf("is called although its breaker is %s%s, %s: its mode is %s",
			b.State, since(b.Since, a.now), judged(b, "call"), b.Mode))
	case !b.Since.IsZero() && a.now.Sub(b.Since) <= recent && !a.m.Repeats.Breaker:
		a.report.Recovered = append(a.report.Recovered, Recovery{
			What: "breaker", Client: a.t.Client, Target: a.t.Target, Operation: a.breakerOf(), Since: utc(b.Tripped), Until: utc(b.Since),
			Text: fmt.Sprintf("%s is called again%s: its breaker closed after %s.", a.where, since(b.Since, a.now), span(b.Since.Sub(b.Tripped))),
		})
	}
	if b.Mode == policy.BreakerOn && b.State == policy.StateClosed && b.Calls > 0 && b.Failures > 0 {
		a.t.Text.Breaker += ", " + judged(b, "call")
	}
}

// breakerOf returns the operation whose own the breaker is.
func (a *row) breakerOf() string {
	if a.m.OwnBreaker {
		return a.t.Operation
	}
	return ""
}

func (a *row) breakerProblem(s State, began time.Time, text string) {
	if a.m.OwnBreaker {
		text = "of " + a.t.Operation + " " + text
	}
	a.problemf(a.m.Repeats.Breaker, Problem{State: s, What: "breaker", Operation: a.breakerOf(), Since: began}, "%s.", text)
}

// probes says when the next probe may go.
func (a *row) probes() string {
	left := a.m.Breaker.NotBefore.Sub(a.now)
	if left <= 0 {
		return "the next call probes it"
	}
	return "probes in " + span(left+time.Second-time.Nanosecond) // rounded up: nothing is due in 0s
}

// judged says what a breaker judges.
func judged(b *policy.BreakerSnapshot, one string) string {
	text := fmt.Sprintf("%d of %s failed", b.Failures, counted(b.Calls, one))
	if b.Slow > 0 {
		text += fmt.Sprintf(", %d slow", b.Slow)
	}
	return text
}
