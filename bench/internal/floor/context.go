package floor

import (
	"context"
	"sync/atomic"
	"time"
)

// LazyContext is a context with a deadline that makes no timer, no channel and no registration with its parent until somebody asks for
// Done. It cannot say when it is done to a child context without that, so where the function makes one (net/http does), it saves nothing.
type LazyContext struct {
	parent   context.Context //nolint:containedctx // it is a context
	deadline int64           // by Now
	child    atomic.Pointer[lazyChild]
	finished atomic.Bool
}

type lazyChild struct {
	ctx    context.Context //nolint:containedctx // as its owner
	cancel context.CancelFunc
}

// Init sets the parent, and the deadline by Now.
func (c *LazyContext) Init(parent context.Context, deadline int64) {
	c.parent, c.deadline = parent, deadline
}

// reset makes a used context ready for Init.
func (c *LazyContext) reset() {
	c.child.Store(nil)
	c.finished.Store(false)
}

// Deadline returns the earlier of its own and its parent's.
func (c *LazyContext) Deadline() (time.Time, bool) {
	d := base.Add(time.Duration(c.deadline))
	if of, ok := c.parent.Deadline(); ok && of.Before(d) {
		return of, true
	}
	return d, true
}

// Done makes the timer, and returns its channel.
func (c *LazyContext) Done() <-chan struct{} { return c.timed().ctx.Done() }

// Err reads the clock where no timer was made.
func (c *LazyContext) Err() error {
	if child := c.child.Load(); child != nil {
		return child.ctx.Err() //nolint:wrapcheck // a context returns its bare error
	}
	if c.finished.Load() {
		return context.Canceled
	}
	if err := c.parent.Err(); err != nil {
		return err //nolint:wrapcheck // as above
	}
	if Now() >= c.deadline {
		return context.DeadlineExceeded
	}
	return nil
}

// Value asks the context that was made, if one was, so that a child made with context.WithCancel finds it and starts no goroutine: it
// asks for Done first.
func (c *LazyContext) Value(key any) any {
	if child := c.child.Load(); child != nil {
		return child.ctx.Value(key)
	}
	return c.parent.Value(key)
}

// AfterFunc is how package context registers children without a goroutine.
func (c *LazyContext) AfterFunc(f func()) func() bool {
	return context.AfterFunc(c.timed().ctx, f)
}

// Finish ends the context.
func (c *LazyContext) Finish() {
	c.finished.Store(true)
	if child := c.child.Load(); child != nil {
		child.cancel()
	}
}

// timed returns the context with a timer, made once.
func (c *LazyContext) timed() *lazyChild {
	if child := c.child.Load(); child != nil {
		return child
	}
	d, _ := c.Deadline()
	ctx, cancel := context.WithDeadline(c.parent, d)
	child := &lazyChild{ctx, cancel}
	if !c.child.CompareAndSwap(nil, child) {
		cancel()
		return c.child.Load()
	}
	if c.finished.Load() {
		cancel()
	}
	return child
}
