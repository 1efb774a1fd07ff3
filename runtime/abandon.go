package runtime

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"sync/atomic"
	"time"

	"github.com/resgen-go/resgen/runtime/policy"
)

const (
	// abandonedMost is how many attempts of an operation that abandons may run at once, those that were left behind among them.
	abandonedMost = 1000
	// abandonedAfter is how long a function goes on after the end of its context before it counts as one that ignores it: one that does
	// not takes a moment to return too.
	abandonedAfter = 10 * time.Millisecond
)

// AbandonedSnapshot is what was left behind of an operation whose plan says Abandon.
type AbandonedSnapshot struct {
	// Running is how many attempts run although nobody waits for them any more.
	Running int64
	// Total is how many were left behind so far, and did not return within 10 ms of the end of their contexts.
	Total int64
	// Refused is how many attempts were not made because 1,000 ran.
	Refused int64
}

// abandoned counts what runs of an operation that abandons, for all clients that share the group. The zero value is ready.
type abandoned struct{ made, left, total, refused atomic.Int64 }

// enter takes a place for an attempt, if there is one.
func (a *abandoned) enter() bool {
	if a.made.Add(1) <= abandonedMost {
		return true
	}
	a.made.Add(-1)
	a.refused.Add(1)
	return false
}

func (a *abandoned) snapshot() AbandonedSnapshot {
	return AbandonedSnapshot{Running: a.left.Load(), Total: a.total.Load(), Refused: a.refused.Load()}
}

var errManyAbandoned = errors.New("1,000 attempts of the operation run, those that were left behind among them")

// leaving returns run for an operation that abandons: its function runs on a goroutine of its own, and is left behind when its context ends.
// end ends an answer that comes when nobody takes it; nil if answers own nothing.
//
//nolint:contextcheck // it has that of the attempt
func leaving[T any](
	op *Operation, run func(context.Context, Attempt) (T, error), end func(T) error,
) func(context.Context, Attempt) (T, error) {
	return func(ctx context.Context, at Attempt) (T, error) {
		if ctx.Done() == nil || at.recalls() {
			return run(ctx, at)
		}
		l := &left{op: op, ctx: ctx, rung: at.Rung, done: make(chan struct{})}
		if !op.abandoned.enter() {
			var none T
			return none, &Error{Operation: op.name, Kind: policy.KindBulkheadFull, Cause: errManyAbandoned}
		}
		var value T
		meta := at.captured
		if meta != nil { // the caller's is theirs again when it is not waited for this attempt any more
			at.captured = new(Meta)
		}
		go l.run(func() (err error) {
			value, err = run(ctx, at)
			return err
		}, func() {
			if end != nil && !isNoAnswer(value) {
				_ = end(value) // nobody is left to be told
			}
		})
		if !l.wait() {
			var none T
			return none, &abandonedError{context.Cause(ctx)}
		}
		if meta != nil && at.captured.Status != 0 {
			meta.respond(at.captured)
		}
		return value, l.land()
	}
}

// abandonedError is an attempt that was not waited for.
type abandonedError struct{ why error }

// Error says so, and why.
func (e *abandonedError) Error() string {
	return fmt.Sprintf("the function did not return when its context ended, and was left behind: %v", e.why)
}

// Unwrap returns why its context ended.
func (e *abandonedError) Unwrap() error { return e.why }

// The states of an attempt that may be left behind.
const (
	leftNot int32 = iota
	leftReturned
	leftBehind
)

// left is an attempt that may be left behind.
type left struct {
	landing

	op    *Operation
	ctx   context.Context //nolint:containedctx // of the attempt
	rung  int
	done  chan struct{} // closed when the function has returned, or never will
	state atomic.Int32
}

// run runs the function. Where it was left behind, drop ends its answer.
func (l *left) run(f func() error, drop func()) {
	l.exited = true
	defer l.finish(drop)
	defer func() {
		if !l.exited {
			return
		}
		if v := recover(); v != nil {
			l.panicked, l.exited = &PanicError{Value: v, Stack: debug.Stack()}, false
		}
	}()
	l.err = f()
	l.exited = false
}

// finish tells the end of the function to whoever waits, or settles it.
func (l *left) finish(drop func()) {
	defer l.op.abandoned.made.Add(-1)
	behind := !l.state.CompareAndSwap(leftNot, leftReturned)
	close(l.done)
	if !behind {
		return
	}
	l.op.abandoned.left.Add(-1)
	defer func() {
		if v := recover(); v != nil {
			l.tell(&PanicError{Value: v, Stack: debug.Stack()})
		}
	}()
	switch {
	case l.panicked != nil:
		l.tell(l.panicked)
	case !l.exited && l.err == nil:
		drop()
	}
}

// wait waits for the function, or for the end of its context, and reports whether the function has returned.
func (l *left) wait() bool {
	select {
	case <-l.done:
		return true
	case <-l.ctx.Done():
	}
	l.op.abandoned.left.Add(1)
	if !l.state.CompareAndSwap(leftNot, leftBehind) { // it has just returned
		l.op.abandoned.left.Add(-1)
		<-l.done
		return true
	}
	op, done, ctx, rung := l.op, l.done, context.WithoutCancel(l.ctx), l.rung
	time.AfterFunc(abandonedAfter, func() {
		select {
		case <-done:
		default:
			op.abandoned.total.Add(1)
			op.tell(ctx, time.Now(), Event{What: AttemptAbandoned, Rung: rung, Kind: policy.KindTimeout})
		}
	})
	return false
}

// land returns the error of a function that has returned. A panic is raised again on this goroutine, and the end of a goroutine ends this one.
func (l *left) land() error {
	if l.panicked != nil {
		panic(l.panicked.Value)
	}
	if l.exited {
		goexit()
	}
	return l.err
}

// tell tells observers of a panic that has nobody to go on to.
func (l *left) tell(p *PanicError) {
	l.op.tell(context.WithoutCancel(l.ctx), time.Now(), Event{What: LoserPanicked, Rung: l.rung, Kind: policy.KindPermanent, Err: p})
}
