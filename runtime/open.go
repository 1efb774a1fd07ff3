package runtime

import (
	"context"
	"errors"
	"io"
	"reflect"
	"sync"
	"time"

	"github.com/resgen-go/resgen/runtime/policy"
)

// Open is Do for answers that own something: a stream, a download. What the attempt holds (a permit of the bulkhead, its context) goes
// to the answer and is given back once, when the answer ends. The time that the call may take ends with Open. Close the answer, or read
// it to its end.
//
// An answer that has a method OnEnd(f func(error)) says when it ends: it calls f once, on its Close, at its end, or when reading it
// fails, with the error, which is nil for an end that is none. What the call holds is kept until then, or until the context of the
// call ends. Any other answer gives it back when Open returns, and its context lasts until the caller's ends.
func Open[T io.Closer](ctx context.Context, op *Operation, run func(context.Context, Attempt) (T, error), in ...Input) (T, error) {
	res, err := OpenResult(ctx, op, run, in...)
	return res.Value, err
}

// OpenResult is Open for an operation with a fallback ladder.
func OpenResult[T io.Closer](ctx context.Context, op *Operation, run func(context.Context, Attempt) (T, error), in ...Input) (Result[T], error) {
	if op.chaos != nil {
		run = flawedBy(run, T.Close)
	}
	return openResult(ctx, op, run, in...)
}

// openResult is OpenResult for functions whose answers are made of what others gave, and which have those meet what faults there are.
func openResult[T io.Closer](ctx context.Context, op *Operation, run func(context.Context, Attempt) (T, error), in ...Input) (Result[T], error) {
	if op.abandoned != nil {
		run = leaving(op, run, T.Close)
	}
	op = op.of(in)
	var d driver
	defer d.close()
	var value T
	var err error
	var l *lease
	opened, given := false, false
	defer func() { //nolint:contextcheck // after a panic, or the end of the goroutine: there is nobody left to be told
		if !opened || given {
			return
		}
		defer value.Close() //nolint:errcheck // nobody is left to be told
		if l == nil && d.over {
			l = d.lease()
		}
		if l != nil {
			l.release(policy.Success)
		}
	}()
	d.result = true
	for more := d.begin(ctx, op, true, inputOf(in)); more; {
		if d.hedges() {
			value, more = compete(&d, run, T.Close)
			opened = !more && d.err == nil
			continue
		}
		if err = d.first.skipped; err == nil {
			value, err = run(d.first.ctx, d.first.at) //nolint:contextcheck // it is made of ctx
		}
		if err == nil && isNoAnswer(value) {
			err = errNoAnswer
		}
		if opened = err == nil; opened && d.first.tooLate() {
			_ = value.Close() // it came too late: its context has ended
			opened, err = false, d.first.cause
		}
		more = d.done(err) //nolint:contextcheck // it asks the attempt's own
	}
	if d.err != nil {
		return Result[T]{}, d.err
	}
	l = d.lease()
	l.give(value) //nolint:contextcheck // it tells with the call's own
	given = true
	if d.shadow > 0 && d.served == 0 {
		exercise(&d, run)
	}
	return result(&d, value), nil
}

// errNoAnswer is an answer that owns something, or one of a function in place of a target, and is none.
var errNoAnswer = errors.New("the function returned neither an answer nor an error")

// isNoAnswer reports whether an answer is a nil pointer, or a nil of another sort.
func isNoAnswer(v any) bool {
	if v == nil {
		return true
	}
	switch r := reflect.ValueOf(v); r.Kind() {
	case reflect.Pointer, reflect.Map, reflect.Slice, reflect.Func, reflect.Chan:
		return r.IsNil()
	default:
		return false
	}
}

// ender is an answer that says when it ends: see Open.
type ender interface {
	OnEnd(f func(err error))
}

// keeper is an answer in something that can be closed.
type keeper interface{ kept() any }

// holder is an answer that takes care of its lease itself.
type holder interface{ hold(l *lease) }

// lease is what an answer holds of the call that it outlives. It is given back once. Safe for concurrent use.
type lease struct {
	op       *Operation
	ctx      context.Context //nolint:containedctx // the caller's
	cancel   context.CancelFunc
	attempts int
	rung     int
	target   string
	injected string // the fault that was made up for it, or for an attempt before; empty for none
	opened   time.Time
	memo     *memo       // which the answer makes an entry of, at its end; nil where it is not to be remembered
	asked    *remembered // what the entry answers

	mu     sync.Mutex
	held   policy.Held
	used   *meter
	meta   *Meta // where the caller wants to know how it ended; nil where not
	noted  bool  // meta knows
	over   bool
	detach func() bool // from the end of the caller's context; nil where it is not followed
}

// tooLate reports whether the time of the attempt was over when its answer came.
func (f *flight) tooLate() bool { return f.limit != nil && !f.limit.Stop() }

// lease hands over what the call holds.
func (d *driver) lease() *lease {
	f := d.copy(d.won)
	l := &lease{
		op: d.op, ctx: d.ctx, cancel: f.leave(), attempts: d.call.Attempts(), rung: d.served, target: f.at.Target, opened: d.started, held: d.call.Held(),
		injected: d.injected, used: f.at.meter, meta: d.scope.meta,
	}
	if d.keeps() {
		l.memo, l.asked = f.at.memo, d.memory
	}
	l.used.hand(d.scope.meta)
	return l
}

// give leaves the lease to the answer, if that says when it ends.
func (l *lease) give(answer any) {
	if k, ok := answer.(keeper); ok {
		answer = k.kept()
	}
	switch v := answer.(type) {
	case holder:
		v.hold(l)
	case ender:
		v.OnEnd(l.closed)
		l.follow()
	default:
		l.cancel = nil // nobody says when it may end
		l.release(policy.Success)
	}
}

// follow ends the answer of an ender with the caller's context, also while nobody reads it.
func (l *lease) follow() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.over {
		l.detach = context.AfterFunc(l.ctx, func() { l.closed(context.Cause(l.ctx)) })
	}
}

// closed ends the answer of an ender with an error, or with none.
func (l *lease) closed(err error) {
	switch ended := l.ctx.Err(); {
	case err == nil:
		l.tell(policy.Success, policy.KindNone, nil)
	case errors.Is(ended, context.DeadlineExceeded):
		l.tell(policy.Neutral, policy.KindDeadline, err)
	case ended != nil:
		l.tell(policy.Neutral, policy.KindCanceled, err)
	default:
		r, _, _ := l.op.classified(l.target, 1, time.Now(), err)
		l.tell(r.Verdict, r.Kind, err)
	}
}

// isSlow says that the answer came slowly.
func (l *lease) isSlow() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.held.Slow()
}

// end ends a stream with what reading it gives from then on.
func (l *lease) end(v policy.Verdict, err error) {
	if err == nil || isEnd(err) || errors.Is(err, ErrStreamClosed) {
		l.tell(v, policy.KindNone, nil)
		return
	}
	l.tell(v, KindOf(err), err)
}

// broke notes for the caller why the answer ended, where that is no proper end, before anybody sees it.
func (l *lease) broke(err error) {
	l.noted = true
	if l.meta != nil && err != nil && !isEnd(err) && !errors.Is(err, ErrStreamClosed) {
		l.meta.Broke = err
	}
}

// cut notes for the caller why an answer that has come to its end is not whole.
func (l *lease) cut(why string) {
	if l.meta != nil && why != "" {
		l.meta.Incomplete, l.meta.IncompleteReason = true, why
	}
}

// tell gives back what is held, and tells observers of the end, once.
func (l *lease) tell(v policy.Verdict, k Kind, err error) {
	if !l.release(v) {
		return
	}
	if !l.noted {
		l.broke(err)
	}
	e := Event{
		What: StreamEnd, Elapsed: time.Since(l.opened), Rung: l.rung, Attempts: l.attempts, Kind: k, Injected: l.injected, Err: err,
	}
	e.Usage, e.Cost = l.used.bill()
	l.op.fill(time.Now(), &e)
	tell(context.WithoutCancel(l.ctx), l.op.observer, e)
}

// release gives back what is held, with what the end says about the dependency, and reports whether it was still to be given back.
func (l *lease) release(v policy.Verdict) bool {
	l.mu.Lock()
	held, detach, first := l.held, l.detach, !l.over
	l.held, l.over = policy.Held{}, true
	l.mu.Unlock()
	if detach != nil {
		detach()
	}
	if l.cancel != nil {
		l.cancel()
	}
	l.op.release(context.WithoutCancel(l.ctx), &held, v, l.used)
	return first
}
