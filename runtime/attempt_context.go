package runtime

import (
	"context"
	"sync/atomic"
	"time"

	"github.com/resgen-go/resgen/runtime/policy"
)

// attemptTimeoutError is the cause of a context that one attempt's time ended. Its address tells one attempt from every other, also from one
// of a layer above.
type attemptTimeoutError struct{ after time.Duration }

// Error says that the time of an attempt is over.
func (c *attemptTimeoutError) Error() string { return "attempt timed out after " + c.after.String() }

// Is makes the cause a context.DeadlineExceeded, as that of any other timeout.
func (*attemptTimeoutError) Is(target error) bool { return target == context.DeadlineExceeded }

// attemptContext is the context of one attempt. It ends with the caller's, or when the time of the attempt is over, and it hides
// from the calls made inside what the caller asked of this one.
//
// Its deadline is lazy: what one costs (a timer, a channel, a place among the children of the caller's context) is made when somebody
// asks for Done, with which every way to wait for the end of a context begins. A function that does not wait does not pay.
type attemptContext struct {
	context.Context //nolint:containedctx // the caller's, or one made of it that the driver ends

	inner *scope
	epoch *time.Time    // what until counts from; nil is that there is no deadline but that of the embedded context
	until time.Duration // the deadline, after epoch: a time.Time would make the context too large for 64 bytes
	after time.Duration // the deadline, from the start of the attempt
	timer atomic.Pointer[attemptTimer]
	ended atomic.Bool // the attempt is over
	sends atomic.Int32
}

// attemptTimer is what a deadline costs.
type attemptTimer struct {
	context.Context //nolint:containedctx // it is a context

	cancel context.CancelFunc
	cause  attemptTimeoutError
}

// Deadline returns when the attempt's time is over.
func (c *attemptContext) Deadline() (time.Time, bool) {
	if c.isTimed() {
		return c.deadline(), true
	}
	return c.Context.Deadline()
}

// isTimed reports whether the context has a deadline of its own.
func (c *attemptContext) isTimed() bool { return c.epoch != nil }

// deadline returns the deadline of a context that has one of its own.
func (c *attemptContext) deadline() time.Time { return c.epoch.Add(c.until) }

// Done returns a channel that is closed when the context has ended.
func (c *attemptContext) Done() <-chan struct{} {
	if c.isTimed() {
		return c.timed().Done()
	}
	return c.Context.Done()
}

// Err returns why the context ended. Without a timer the clock says it, and then there is one, so that what is said once holds for ever.
func (c *attemptContext) Err() error {
	if !c.isTimed() {
		return c.Context.Err() //nolint:wrapcheck // it is the context's own
	}
	if t := c.timer.Load(); t != nil {
		return t.Err() //nolint:wrapcheck // as above
	}
	if !c.ended.Load() && c.Context.Err() == nil && time.Since(*c.epoch) < c.until {
		return nil
	}
	return c.timed().Err() //nolint:wrapcheck // as above
}

// Value returns the inner scope, and else what the caller's context holds. Once there is a timer it is asked: it is the standard
// library's own, which contexts that are made of this one look for after they have asked for Done.
func (c *attemptContext) Value(key any) any {
	if _, ok := key.(scopeKey); ok {
		return c.inner
	}
	if t := c.timer.Load(); t != nil {
		return t.Value(key)
	}
	return c.Context.Value(key)
}

// timed returns the timer, made if there is none. Of timed and end, each writes what the other reads before it reads what the other
// writes, so that a timer which is made while the attempt ends is canceled by at least one of them.
func (c *attemptContext) timed() *attemptTimer {
	if t := c.timer.Load(); t != nil {
		return t
	}
	t := &attemptTimer{cause: attemptTimeoutError{after: c.after}}
	t.Context, t.cancel = context.WithDeadlineCause(c.Context, c.deadline(), &t.cause)
	if !c.timer.CompareAndSwap(nil, t) {
		t.cancel()
		return c.timer.Load()
	}
	if c.ended.Load() {
		t.cancel()
	}
	return t
}

// AfterFunc has f called on a goroutine of its own when the context has ended, as context.AfterFunc does, but perhaps twice, and not for the
// reason that the attempt is over, of which it is a part. It costs less: a timer, and a registration where the caller's context can end.
//
// The standard library calls it too, for contexts that are made of this one, where the caller's is of a kind that it does not know. So it is
// never asked about this one in turn.
func (c *attemptContext) AfterFunc(f func()) (stop func() bool) {
	if t := c.timer.Load(); t != nil {
		return context.AfterFunc(t.Context, f)
	}
	if !c.isTimed() {
		return context.AfterFunc(c.Context, f)
	}
	timer := time.AfterFunc(time.Until(c.deadline()), f)
	if c.Context.Done() == nil {
		return timer.Stop
	}
	forget := context.AfterFunc(c.Context, f)
	return func() bool {
		stopped := timer.Stop()
		return forget() && stopped
	}
}

// end ends a context that has a deadline.
func (c *attemptContext) end() {
	c.ended.Store(true)
	if t := c.timer.Load(); t != nil {
		t.cancel()
	}
}

// isExpired reports whether a context that has a deadline ended, by now, because of it. Without a timer the clock says it, unless the
// caller has ended.
func (c *attemptContext) isExpired(now time.Time) bool {
	if t := c.timer.Load(); t != nil {
		return context.Cause(t) == error(&t.cause) //nolint:errorlint // this very attempt's, not another layer's
	}
	return !now.Before(c.deadline()) && c.Context.Err() == nil
}

// retriedScope is what calls made inside a call without any wish may know where that retries. It is never written to.
var retriedScope = scope{retried: true}

// attemptScope returns what calls made inside an attempt on the rung may know.
func (d *driver) attemptScope(rung int) *scope {
	var cause error
	if d.op.sort(rung).Calls() {
		cause = d.before(rung)
	}
	return d.op.attemptScope(d.scope, rung, cause)
}

// attemptScope returns what calls made inside an attempt on the rung may know, of a call with that scope: the same where that hides
// nothing. Another operation has no ladder there: it stands on one.
func (op *Operation) attemptScope(s *scope, rung int, cause error) *scope {
	calls, over := op.sort(rung).Calls(), s.over
	retried := s.retried || op.plan.Retry.Attempts > 1 && !calls
	noFallback := s.noFallback || op.sort(rung) == policy.RungOperation
	if op.within != nil && !calls {
		over = op
	}
	hides := s.key != "" || s.header != nil || s.meta != nil || s.cause != nil || s.next != ""
	switch {
	case noFallback != s.noFallback:
	case !hides && cause == nil && s.retried == retried && s.over == over:
		return s
	case s == &noScope && cause == nil && over == op:
		return op.within
	case s == &noScope && cause == nil:
		return &retriedScope
	}
	inner := s.inner()
	inner.retried, inner.cause, inner.over, inner.noFallback = retried, cause, over, noFallback
	return &inner
}

// attemptContext makes the context of an attempt. It makes none where the caller's will do: where there is nothing to hide and the
// caller's own deadline comes first (trap T72).
func (d *driver) attemptContext(now time.Time, f *flight, a *policy.Action) {
	inner := d.attemptScope(a.Rung)
	timed := isTimed(a.Until, d.deadline)
	f.ctx, f.own, f.watched, f.cancel, f.cause = d.ctx, nil, nil, nil, nil
	if inner == d.scope && !timed && !d.op.watches(a.Rung) {
		return
	}
	c, watched := d.op.newContext(d.ctx, a.Rung, inner)
	f.ctx, f.own, f.watched, f.at.sends = c, c, watched, &c.sends
	if watched != nil {
		f.ctx = watched
	}
	switch {
	case !timed:
	case d.hold:
		d.bind(f, c, a.Until)
	default:
		c.last(&d.op.epoch, now.Sub(d.op.epoch), a.Until.Sub(now))
	}
}

// last gives the context of an attempt that starts now, which is as long after epoch, a deadline of its own.
func (c *attemptContext) last(epoch *time.Time, now, after time.Duration) {
	c.epoch, c.until, c.after = epoch, now+after, after
}

// isTimed reports whether an attempt that must end by until does so before the caller's own deadline.
func isTimed(until, deadline time.Time) bool {
	return !until.IsZero() && (deadline.IsZero() || until.Before(deadline))
}

// bind gives the context of an attempt whose answer outlives the call its end. It is bounded only until the answer is there, and a deadline
// cannot be taken back, so it is a timer.
func (d *driver) bind(f *flight, c *attemptContext, until time.Time) {
	ctx, cancel := context.WithCancelCause(d.ctx)
	after := time.Until(until)
	cause := &attemptTimeoutError{after: after}
	f.cause, f.limit = cause, time.AfterFunc(after, func() { cancel(cause) })
	c.Context, f.cancel = ctx, func() { cancel(context.Canceled) }
}
