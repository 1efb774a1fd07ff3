package runtime

import (
	"context"
	"sync/atomic"
	"time"

	"github.com/resgen-go/resgen/runtime/internal/requests"
	"github.com/resgen-go/resgen/runtime/policy"
)

// copyContext is the context of one copy of an attempt. Its driver ends it: when the copy's time is over, or when it has lost. What it takes
// to be ended is made when somebody asks for Done, as for attemptContext.
type copyContext struct {
	context.Context //nolint:containedctx // the caller's

	inner *scope
	epoch *time.Time    // what until counts from; nil is that the deadline that is told is the caller's
	until time.Duration // the deadline that is told, after epoch
	cause attemptTimeoutError
	state atomic.Uint32 // copyRuns, copyCanceled or copyExpired
	made  atomic.Pointer[copyCancel]
	sends atomic.Int32

	watched bool // its function may have a client of its own
	watch   atomic.Pointer[requests.Watch]
	meter   *meter // of the attempt; nil where nothing is counted
}

// The states of a copyContext.
const (
	copyRuns = iota
	copyCanceled
	copyExpired
)

// copyCancel is what it takes to be ended.
type copyCancel struct {
	context.Context //nolint:containedctx // it is a context

	cancel context.CancelCauseFunc
}

// copyContext makes the context of a copy. The deadline of one whose answer outlives the call is not told: it ends with Open.
func (d *driver) copyContext(now time.Time, f *flight, a *policy.Action) {
	c := &copyContext{Context: d.ctx, inner: d.attemptScope(a.Rung), watched: d.op.watches(a.Rung)}
	f.ctx, f.copied, f.own, f.watched, f.at.sends, f.cause = c, c, nil, nil, &c.sends, nil
	if !isTimed(a.Until, d.deadline) {
		return
	}
	c.cause.after = a.Until.Sub(now)
	f.cause, f.until = &c.cause, a.Until
	if !d.hold {
		c.epoch, c.until = &d.op.epoch, now.Sub(d.op.epoch)+c.cause.after
	}
}

// Deadline returns when the copy's time is over.
func (c *copyContext) Deadline() (time.Time, bool) {
	if c.epoch != nil {
		return c.epoch.Add(c.until), true
	}
	return c.Context.Deadline()
}

// Done returns a channel that is closed when the context has ended.
func (c *copyContext) Done() <-chan struct{} { return c.make().Done() }

// Err returns why the context ended.
func (c *copyContext) Err() error {
	if c.made.Load() == nil && c.state.Load() == copyRuns && c.Context.Err() == nil {
		return nil
	}
	m := c.make()
	err := m.Err()
	if err != nil && c.epoch != nil && c.isCauseOf(m) {
		return context.DeadlineExceeded
	}
	return err //nolint:wrapcheck // it is the context's own
}

// Value returns the inner scope, and else what the caller's context holds, or what the standard library looks for after it has asked for
// Done.
func (c *copyContext) Value(key any) any {
	if _, ok := key.(scopeKey); ok {
		return c.inner
	}
	if c.watched && requests.TraceKey != nil && key == requests.TraceKey {
		return watchOf(&c.watch, c.Context, &c.sends).Trace()
	}
	if _, ok := key.(meterKey); ok && c.watched {
		return c.meter
	}
	if m := c.made.Load(); m != nil {
		return m.Value(key)
	}
	return c.Context.Value(key)
}

// make returns what it takes to be ended, made if there is none. Of make and end, each writes what the other reads before it reads what the
// other writes, so that what is made while the copy ends is ended by at least one of them.
func (c *copyContext) make() *copyCancel {
	if m := c.made.Load(); m != nil {
		return m
	}
	m := new(copyCancel)
	m.Context, m.cancel = context.WithCancelCause(c.Context)
	if !c.made.CompareAndSwap(nil, m) {
		m.cancel(nil)
		return c.made.Load()
	}
	if s := c.state.Load(); s != copyRuns {
		m.cancel(c.why(s))
	}
	return m
}

// end ends the context, once.
func (c *copyContext) end(state uint32) {
	if !c.state.CompareAndSwap(copyRuns, state) {
		return
	}
	if m := c.made.Load(); m != nil {
		m.cancel(c.why(state))
	}
}

// cancel ends the context of a copy that has lost, or whose answer has ended.
func (c *copyContext) cancel() { c.end(copyCanceled) }

// why returns the cause of a state.
func (c *copyContext) why(state uint32) error {
	if state == copyExpired {
		return &c.cause
	}
	return context.Canceled
}

// isExpired reports whether the context ended because its time was over.
func (c *copyContext) isExpired() bool {
	m := c.made.Load()
	return c.state.Load() == copyExpired && (m == nil || c.isCauseOf(m))
}

func (c *copyContext) isCauseOf(m *copyCancel) bool {
	return context.Cause(m) == error(&c.cause) //nolint:errorlint // this very attempt's, not another layer's
}
