package runtime

import (
	"context"
	"runtime"
	"runtime/debug"
	"sync/atomic"
	"time"

	"github.com/resgen-go/resgen/runtime/policy"
)

// flow is a stream of a Go method, whatever form it has: its items are had from pull, and the first one is there when the flow is. It
// belongs to one goroutine; only Close may be called from another.
type flow[T any] struct {
	c *streamCore
	// pull returns what comes next: io.EOF after the last item. An error may come with an item.
	pull func() (T, error)
	// ahead is the first item, until it is taken; held says that it is there.
	ahead T
	held  bool
	// fault is the first error that came as an item.
	fault error
	// pulling says that pull was called and has not returned.
	pulling bool
}

// openFlow makes the flow of a method that has just answered: it waits for the first item, up to which the attempt may still be repeated,
// or go to another rung. A flow that ends without any is a whole answer.
func openFlow[T any](c *streamCore, pull func() (T, error)) (*flow[T], error) {
	c.clock.reached(awaitFirst)
	c.clock.begin()
	first, err := pull()
	c.clock.end()
	f := &flow[T]{c: c, pull: pull}
	switch {
	case err == nil:
		c.clock.rate.add(0)
		f.ahead, f.held = first, true
	case isEnd(err):
		f.pull = func() (none T, _ error) { return none, err }
	default:
		return nil, c.never(err)
	}
	c.clock.reached(awaitItem)
	c.live()
	collect(f, c)
	return f, nil
}

// hold takes what the call held.
func (f *flow[T]) hold(l *lease) { f.c.take(l) }

// Close ends the flow. One that told of an error is no proof that its target works.
func (f *flow[T]) Close() error {
	f.end()
	return nil
}

// end ends the flow where its consumer has enough, or what makes it panicked.
func (f *flow[T]) end() {
	switch {
	case f.pulling:
		f.c.finish(errAborted, policy.Failure)
	case f.fault != nil:
		f.c.finish(f.fault, f.c.judge(f.fault).Verdict)
	default:
		f.c.finish(ErrStreamClosed, policy.Success)
	}
}

// take returns the next item. io.EOF is the end. Other errors are an *Error, or ErrStreamClosed; over says that nothing comes after one.
func (f *flow[T]) take() (item T, err error, over bool) {
	if err = f.c.failed(); err != nil {
		return item, err, true
	}
	if f.held {
		var none T
		item, f.ahead, f.held = f.ahead, none, false
		return item, nil, false
	}
	f.c.clock.begin()
	f.pulling = true
	item, err = f.pull()
	f.pulling = false
	f.c.clock.end()
	switch {
	case err == nil:
		f.c.clock.rate.add(0)
		return item, nil, false
	case isEnd(err) && f.fault != nil:
		f.end()
		return item, err, true
	case isEnd(err) || f.c.ctx.Err() != nil:
		return item, f.c.broke(err), true
	case f.fault == nil:
		f.fault = err
	}
	return item, f.c.errorOf(err), false
}

// collect has a stream that is dropped give everything back when it is collected. Not in a testing/synctest bubble, which is where times
// have no monotonic reading: cleanups run outside, and must not touch what belongs to it.
func collect[T any](answer *T, c *streamCore) {
	if now := time.Now(); now != now.Round(0) {
		runtime.AddCleanup(answer, func(c *streamCore) { c.finish(ErrStreamClosed, policy.Neutral) }, c)
	}
}

// newFlowCore starts the clock of a flow with its attempt. What has no bytes is not silent for lack of them.
func newFlowCore(ctx context.Context, at Attempt, bytes bool) *streamCore {
	c := newStreamCore(ctx, at)
	if !bytes {
		c.clock.limits.Idle = 0
	}
	if c.clock.rate.limit.Bytes { // of items that are values there are none
		c.clock.rate.limit = policy.MinRate{}
	}
	return c
}

// abort gives everything back of a flow that did not come to be, because the function that makes it panicked or ended its goroutine.
func (c *streamCore) abort(came *bool) {
	if !*came {
		c.finish(ErrStreamClosed, policy.Neutral)
	}
}

// latePanic is the panic of what a method left to be ended, which may happen on a goroutine that is none of the caller's: it is kept until
// the caller comes by. The zero value is none.
type latePanic struct{ kept atomic.Pointer[PanicError] }

// keep is deferred where it may happen.
func (l *latePanic) keep() {
	if v := recover(); v != nil {
		l.kept.Store(&PanicError{Value: v, Stack: debug.Stack()})
	}
}

// raise raises it again, once.
func (l *latePanic) raise() {
	if e := l.kept.Swap(nil); e != nil {
		panic(e.Value)
	}
}
