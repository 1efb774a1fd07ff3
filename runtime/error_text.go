package runtime

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/resgen-go/resgen/runtime/policy"
	"github.com/resgen-go/resgen/runtime/wire"
)

// Error says which operation, what, and why: `llm.CreateChat: transient after 3 attempts: status 503 Service Unavailable`. It holds no
// credentials as far as their form gives them away.
func (e *Error) Error() string {
	var b strings.Builder
	b.WriteString(e.Operation)
	b.WriteString(": ")
	if !e.Kind.Local() || e.Cause == nil {
		b.WriteString(e.Kind.String())
		switch {
		case e.Attempts == 1:
			b.WriteString(" after 1 attempt")
		case e.Attempts > 1:
			fmt.Fprintf(&b, " after %d attempts", e.Attempts)
		}
		if why := e.why(); why != "" {
			b.WriteString(", " + why)
		}
		if e.Cause != nil {
			b.WriteString(": ")
		}
	}
	if e.Cause != nil {
		b.WriteString(e.Cause.Error())
	}
	switch {
	case e.also == nil || errors.Is(e.Cause, e.also):
	case e.Kind.Local() && e.stop == policy.StopDeadline:
		b.WriteString(", and the deadline is sooner") // it need not have passed
	default:
		b.WriteString(": " + e.also.Error())
	}
	if len(e.rungs) > 0 {
		b.WriteString(" (then")
		for i, r := range e.rungs {
			if i > 0 {
				b.WriteString("; ")
			}
			b.WriteString(" " + r.Error())
		}
		b.WriteString(")")
	}
	return Redact(b.String())
}

// why says why it was not tried again, where that is not plain.
func (e *Error) why() string {
	switch e.stop {
	case policy.StopDoubt:
		return "not retried because the request may have been processed"
	case policy.StopDeadline:
		return "no time for another attempt"
	case policy.StopLong:
		if !e.NotBefore.IsZero() {
			return "told to wait for longer than the policy waits"
		}
		return ""
	case policy.StopBudget:
		return "retry budget empty"
	case policy.StopRejected:
		return "retry rejected: " + e.stopKind.String()
	case policy.StopNested:
		return "not retried because somebody above retries"
	case policy.StopLayered:
		return "not retried because the target retries"
	case policy.StopKey:
		return "not retried because the idempotency key would have expired"
	case policy.StopAdvised:
		return "not retried because the target asked not to"
	case policy.StopNone, policy.StopAttempts:
		return ""
	default:
		return ""
	}
}

// Error says which attempt of which rung failed, and how.
func (e *AttemptError) Error() string {
	where := "operation"
	if e.RungName != "" {
		where = fmt.Sprintf("rung %q", e.RungName)
	}
	if e.Number > 0 {
		where = fmt.Sprintf("%s, attempt %d", where, e.Number)
	}
	return Redact(where + ": " + e.Err.Error())
}

// breakerError is a rejection by an open breaker.
type breakerError struct {
	name  string
	until time.Time
	state policy.BreakerSnapshot
}

// Error names the breaker, says for how long it stays open from now on, and what opened it.
func (e *breakerError) Error() string {
	text := fmt.Sprintf("breaker %q ", e.name)
	switch left := time.Until(e.until); {
	case e.until.IsZero():
		return text + "forced open"
	case left > 0:
		text += "open for another " + brief(left)
	default:
		text += "half-open, all probes out"
	}
	if e.state.Slow > e.state.Failures {
		return fmt.Sprintf("%s (%d of %d calls slow)", text, e.state.Slow, e.state.Calls)
	}
	return fmt.Sprintf("%s (%d of %d calls failed)", text, e.state.Failures, e.state.Calls)
}

// bulkheadError is a rejection by a full bulkhead.
type bulkheadError struct {
	name   string
	state  policy.BulkheadSnapshot
	tenant bool // each tenant has its own
}

// Error names the bulkhead and says how full it was; where each tenant has its own, how full that may be, and nothing of the others.
func (e *bulkheadError) Error() string {
	if e.tenant {
		return fmt.Sprintf("bulkhead %q full for this tenant (%d in flight and %d waiting at most)", e.name, e.state.Limit, e.state.MaxQueue)
	}
	return fmt.Sprintf("bulkhead %q full (%d of %d in flight, %d of %d waiting)",
		e.name, e.state.InFlight, e.state.Limit, e.state.Queued, e.state.MaxQueue)
}

// shedError is a rejection to keep load from a target.
type shedError struct {
	name        string
	criticality Criticality
	state       policy.ThrottleSnapshot
	window      time.Duration
}

// Error names the target and says why the call is not worth sending: how little the target takes, or that the rest of the bulkhead's queue
// is for calls that matter more.
func (e *shedError) Error() string {
	if e.window == 0 {
		return fmt.Sprintf("%s call shed: the part of the queue of bulkhead %q that is open to it is full", e.criticality, e.name)
	}
	sent := e.state.Requests - e.state.Rejected
	return fmt.Sprintf("%s call shed: target %q took %d of the %d calls sent to it in the last %s",
		e.criticality, e.name, min(e.state.Accepted, sent), sent, brief(e.window))
}

// shedError returns why a call was shed: by the target's throttle, or, where that is nil, by its bulkhead.
func (d *driver) shedError(now time.Time, rung int, by *policy.Throttle) error {
	e := &shedError{name: d.op.machineName(rung, nil), criticality: d.scope.criticality}
	if e.criticality == policy.CriticalityUnset {
		e.criticality = d.op.plan.Criticality
	}
	if e.criticality == policy.CriticalityUnset {
		e.criticality = Normal
	}
	if by != nil {
		e.state, e.window = by.Snapshot(now), d.op.plan.Shed.Window
	}
	return e
}

// pauseError is a rejection because the target asked for a pause.
type pauseError struct {
	name  string
	until time.Time
}

// Error names the target and says for how long it is paused from now on.
func (e *pauseError) Error() string {
	return fmt.Sprintf("target %q asked for a pause of another %s", e.name, brief(max(time.Until(e.until), 0)))
}

// brief rounds a duration to what a reader wants to know.
func brief(d time.Duration) string {
	switch {
	case d >= 10*time.Second: //nolint:mnd // two digits are enough
		return d.Round(time.Second).String()
	case d >= time.Second:
		return d.Round(100 * time.Millisecond).String() //nolint:mnd // as above
	default:
		return d.Round(time.Millisecond).String()
	}
}

// statusOf returns the status code of the response that an error tells of; 0 if there was none.
func statusOf(err error) int {
	var (
		nested    *Error
		response  *wire.StatusError
		event     *wire.EventError
		decode    *wire.DecodeError
		transport *wire.TransportError
	)
	switch {
	case errors.As(err, &nested):
		return nested.Status
	case errors.As(err, &response):
		return response.Status
	case errors.As(err, &event):
		return event.Status
	case errors.As(err, &transport):
		return transport.Status
	case errors.As(err, &decode):
		return decode.Status
	case err == nil:
		return 0
	default:
		return statusOfSDK(err)
	}
}

// callerError returns the error of the caller's context, with the cause that it gives where it gives one.
func (d *driver) callerError(ended Kind) error {
	err := contextError(ended)
	if cause := context.Cause(d.ctx); cause != nil && !errors.Is(cause, err) {
		return fmt.Errorf("%w: %w", err, cause)
	}
	return err
}
