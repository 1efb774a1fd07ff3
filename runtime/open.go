package runtime

import (
	"context"
	"errors"
	"io"
	"sync"
	"time"

	"github.com/resgen-go/resgen/runtime/policy"
)

// Open is Do for answers that own something: a stream, a download. What the attempt holds (a permit of the bulkhead, its context) goes
// to the answer and is given back once, when the answer ends. The time that the call may take ends with Open. Close the answer, or read
// it to its end.
func Open[T io.Closer](ctx context.Context, op *Operation, run func(context.Context, Attempt) (T, error)) (T, error) {
	res, err := OpenResult(ctx, op, run)
	return res.Value, err
}

// OpenResult is Open for an operation with a fallback ladder.
func OpenResult[T io.Closer](ctx context.Context, op *Operation, run func(context.Context, Attempt) (T, error)) (Result[T], error) {
	var d driver
	defer d.close()
	var value T
	var err error
	opened, given := false, false
	defer func() { // a panic of an observer, or the end of the goroutine, after the answer came
		if opened && !given {
			_ = value.Close() // nobody is left to be told
		}
	}()
	for more := d.begin(ctx, op, true); more; more = d.done(err) {
		if err = d.skipped; err == nil {
			value, err = run(d.attemptCtx, d.at) //nolint:contextcheck // it is made of ctx
		}
		if opened = err == nil; opened && d.expired() {
			_ = value.Close() // it came too late: its context has ended
			opened, err = false, d.cause
		}
	}
	if d.err != nil {
		return Result[T]{}, d.err
	}
	l := d.lease()
	switch v := any(value).(type) {
	case holder:
		v.hold(l)
	case Ender:
		v.OnEnd(l.closed)
	default:
		l.cancel = nil            // nobody says when it may end
		l.release(policy.Success) //nolint:contextcheck // it tells with the call's own
	}
	given = true
	return result(&d, value), nil
}

// Ender is an answer of Open that says when it ends: it calls f once, on its Close, at its end, or when reading it fails, with the
// error, which is nil for an end that is none. What the call holds is kept until then. An answer that is no Ender gives it back when
// Open returns, and its context lasts until the caller's ends.
type Ender interface {
	OnEnd(f func(err error))
}

// holder is an answer that takes care of its lease itself.
type holder interface{ hold(l *lease) }

// lease is what an answer holds of the call that it outlives. It is given back once. Safe for concurrent use.
type lease struct {
	op       *Operation
	ctx      context.Context //nolint:containedctx // the caller's
	cancel   context.CancelFunc
	attempts int
	rung     int
	opened   time.Time

	mu   sync.Mutex
	held policy.Held
}

// expired reports whether the time of the attempt was over when its answer came.
func (d *driver) expired() bool { return d.limit != nil && !d.limit.Stop() }

// lease hands over what the call holds.
func (d *driver) lease() *lease {
	l := &lease{
		op: d.op, ctx: d.ctx, cancel: d.cancel, attempts: d.call.Attempts(), rung: d.at.Rung, opened: d.started, held: d.call.Held(),
	}
	d.cancel = nil
	return l
}

// closed ends the answer of an Ender with an error, or with none.
func (l *lease) closed(err error) {
	switch {
	case err == nil:
		l.end(policy.Success, nil)
	case l.ctx.Err() != nil:
		l.end(policy.Neutral, err)
	default:
		r, _, _ := classify(&l.op.plan, 1, time.Now(), err)
		l.end(r.Verdict, err)
	}
}

// end gives back what is held, and tells observers of the end.
func (l *lease) end(v policy.Verdict, err error) {
	l.release(v)
	e := Event{What: StreamEnd, Elapsed: time.Since(l.opened), Rung: l.rung, Attempts: l.attempts}
	if err != nil && !isEnd(err) && !errors.Is(err, ErrStreamClosed) {
		e.Kind, e.Err = KindOf(err), err
	}
	l.op.fill(time.Now(), &e)
	tell(context.WithoutCancel(l.ctx), l.op.observer, e)
}

// release gives back what is held, with what the end says about the dependency.
func (l *lease) release(v policy.Verdict) {
	now := time.Now()
	l.mu.Lock()
	held := l.held
	l.held = policy.Held{}
	l.mu.Unlock()
	if l.cancel != nil {
		l.cancel()
	}
	for _, a := range held.Release(now, v, nil) {
		switch a.Do {
		case policy.WakeCall:
			l.op.group.waits.wake(waitKey{a.Bulkhead, a.Permit})
		case policy.TellNote:
			l.op.tellChange(context.WithoutCancel(l.ctx), a.Note)
		default:
		}
	}
}
