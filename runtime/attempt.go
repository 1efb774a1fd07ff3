package runtime

import (
	"context"
	"net/http"
	"sync/atomic"
	"time"

	"github.com/resgen-go/resgen/runtime/policy"
)

// Attempt is what the function that makes an attempt is told about it.
type Attempt struct {
	// Number counts the attempts on the rung from 1.
	Number int
	// Rung is the number of the rung; 0 is the operation itself.
	Rung int
	// Hedge says that the attempt was sent beside another one that takes long.
	Hedge bool
	// Target is the name of the target to call; empty for a rung that calls none.
	Target string
	// Key is the idempotency key to send; empty if there is none.
	Key string

	op    *Operation
	scope *scope
	sends *atomic.Int32 // nil where nobody pays
	// captured is where the last response is told; nil where nobody wants to know.
	captured *Meta
	meter    *meter // nil where nothing is counted
}

// plan returns the plan of the operation; nil for an Attempt that no driver made.
func (at Attempt) plan() *policy.Plan {
	if at.op == nil {
		return nil
	}
	return &at.op.plan
}

// header returns what the caller adds to each request; read only.
func (at Attempt) header() http.Header {
	if at.scope == nil {
		return nil
	}
	return at.scope.header
}

// meta returns where the attempt tells of its response; nil if nobody wants to know.
func (at Attempt) meta() *Meta { return at.captured }

// sent tells how often net/http sent the request of this attempt: it replays some on its own, and those are paid for too.
func (at Attempt) sent(times int) {
	if at.sends != nil {
		at.sends.Store(int32(times))
	}
}

// attempts returns how many attempts the rung may make, for the target to be told.
func (at Attempt) attempts() int {
	if at.op == nil {
		return 1
	}
	return max(at.op.plan.Retry.Attempts, at.Number, 1)
}

// attemptTimeoutError is the cause of a context that one attempt's time ended. Its address tells one attempt from every other, also from one
// of a layer above.
type attemptTimeoutError struct{ after time.Duration }

// Error says that the time of an attempt is over.
func (c *attemptTimeoutError) Error() string { return "attempt timed out after " + c.after.String() }

// Is makes the cause a context.DeadlineExceeded, as that of any other timeout.
func (*attemptTimeoutError) Is(target error) bool { return target == context.DeadlineExceeded }

// attemptContext is the context of one attempt. It ends with the caller's, or when the time of the attempt is over, and it hides
// from the calls made inside what the caller asked of this one.
type attemptContext struct {
	context.Context //nolint:containedctx // it is a context

	inner scope
	cause attemptTimeoutError
	sends atomic.Int32
}

// copyContext is the context of a copy of an attempt. Its driver ends it, so that its deadline is one that nobody else keeps.
type copyContext struct {
	attemptContext

	deadline time.Time // zero is that of the caller's
}

// Deadline returns when the copy's time is over.
func (c *copyContext) Deadline() (time.Time, bool) {
	if !c.deadline.IsZero() {
		return c.deadline, true
	}
	return c.Context.Deadline()
}

// Err returns why the context ended.
func (c *copyContext) Err() error {
	err := c.Context.Err()
	if err != nil && !c.deadline.IsZero() && context.Cause(c.Context) == error(&c.cause) { //nolint:errorlint // this very attempt's
		return context.DeadlineExceeded
	}
	return err //nolint:wrapcheck // it is the context's own
}

// Value returns the inner scope, and else what the caller's context holds.
func (c *attemptContext) Value(key any) any {
	if _, ok := key.(scopeKey); ok {
		return &c.inner
	}
	return c.Context.Value(key)
}

// attemptScope returns what calls made inside an attempt on the rung may know, and if that differs from what the caller's context says.
func (d *driver) attemptScope(rung int) (inner scope, differs bool) {
	s := d.scope
	inner = s.inner()
	sort := d.op.sort(rung)
	inner.retried = s.retried
	if d.op.plan.Retry.Attempts > 1 && sort != policy.RungFunc {
		inner.retried = true
	}
	if sort == policy.RungFunc {
		inner.cause = d.before(rung)
	}
	differs = s.key != "" || s.header != nil || s.meta != nil || s.cause != nil || inner.cause != nil || s.retried != inner.retried
	return inner, differs
}

// attemptContext makes the context of an attempt on the rung that must end by until. It makes none where the caller's will do: where
// there is nothing to hide and the caller's own deadline comes first (trap T72).
func (d *driver) attemptContext(now time.Time, f *flight, a policy.Action) {
	inner, differs := d.attemptScope(a.Rung)
	timed := d.isTimed(a.Until)
	f.ctx, f.cancel, f.cause = d.ctx, nil, nil
	if !differs && !timed {
		return
	}
	c := &attemptContext{Context: d.ctx, inner: inner}
	f.ctx, f.at.sends = c, &c.sends
	if timed {
		c.cause.after = a.Until.Sub(now)
		f.cause = &c.cause
		d.bind(f, c, a.Until)
	}
}

// isTimed reports whether an attempt that must end by until does so before the caller's own deadline.
func (d *driver) isTimed(until time.Time) bool {
	deadline, bounded := d.ctx.Deadline()
	return !until.IsZero() && (!bounded || until.Before(deadline))
}

// bind gives the context of an attempt its end. That of an answer which outlives the call is bounded only until it is there: a
// deadline cannot be taken back, so there it is a timer.
func (d *driver) bind(f *flight, c *attemptContext, until time.Time) {
	if !d.hold {
		c.Context, f.cancel = context.WithDeadlineCause(d.ctx, until, f.cause)
		return
	}
	ctx, cancel := context.WithCancelCause(d.ctx)
	cause := f.cause
	f.limit = time.AfterFunc(time.Until(until), func() { cancel(cause) })
	c.Context, f.cancel = ctx, func() { cancel(context.Canceled) }
}

// copyContext makes the context of a copy of an attempt, which can be canceled at any time. The driver ends it when its time is over, since
// it waits for nothing else meanwhile. As above, that is no deadline of an answer that outlives the call.
func (d *driver) copyContext(now time.Time, f *flight, a policy.Action) {
	ctx, cancel := context.WithCancelCause(d.ctx)
	c := &copyContext{attemptContext: attemptContext{Context: ctx}}
	c.inner, _ = d.attemptScope(a.Rung)
	f.ctx, f.at.sends, f.end, f.cause = c, &c.sends, cancel, nil
	if !d.isTimed(a.Until) {
		return
	}
	c.cause.after = a.Until.Sub(now)
	f.cause, f.until = &c.cause, a.Until
	if !d.hold {
		c.deadline = a.Until
	}
}
