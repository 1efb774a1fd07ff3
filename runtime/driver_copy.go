package runtime

import (
	"cmp"
	"context"
	"errors"
	"sync"
	"time"

	"github.com/resgen-go/resgen/runtime/policy"
)

// flight is an attempt that runs, or one copy of it.
type flight struct {
	ctx     context.Context //nolint:containedctx // it lives as long as the attempt
	told    context.Context //nolint:containedctx // what observers are told of it with
	at      Attempt
	own     *attemptContext // ctx where it is lazy, or the caller's in disguise; else nil
	watched *watchedContext // ctx, or what is in it, with own in it; nil where nobody watches
	cancel  context.CancelFunc
	copied  *copyContext // ctx of a copy; else nil
	cause   *attemptTimeoutError
	limit   *time.Timer // ends the attempt where its context must not
	until   time.Time   // when the time of a copy is over; zero is never, or that it was ended
	began   time.Time
	flying  bool
	built   chan struct{} // closed when its request is made; nil where nobody waits for that
	skipped error         // why the attempt is not to be run
	// injected is where a fault is noted that is made up; nil where there is no chaos.
	injected *injected
}

// release ends the context of the attempt, so that what it holds is given back.
func (f *flight) release() {
	switch {
	case f.isLazy():
		f.own.end()
	case f.cancel != nil:
		f.cancel()
	case f.copied != nil:
		f.copied.cancel()
	}
	f.cancel, f.copied = nil, nil
}

// isLazy reports whether the context of the attempt has a deadline of its own that it keeps itself.
func (f *flight) isLazy() bool { return f.own != nil && f.own.isTimed() }

// leave hands over what ends the context of the attempt: it goes on until its answer ends.
func (f *flight) leave() context.CancelFunc {
	cancel := f.cancel
	if f.copied != nil {
		cancel = f.copied.cancel
	}
	f.cancel, f.copied = nil, nil
	return cancel
}

// hedges reports whether the attempt that starts may be hedged: then it runs on a goroutine of its own, by compete.
func (d *driver) hedges() bool { return !d.due[policy.HedgeTimer].IsZero() }

// copy returns the copy of that number.
func (d *driver) copy(n int) *flight {
	if n == 0 {
		return &d.first
	}
	return &d.copies[n-1]
}

// startCopy starts a hedge.
func (d *driver) startCopy(now time.Time, a *policy.Action) {
	d.copies = append(d.copies, flight{})
	f := d.copy(a.Copy)
	d.copyContext(now, f, a)
	d.depart(now, f, a)
	d.build(f)
	d.racer.launch(a.Copy, f.ctx, f.at, f.skipped)
}

// build has the request of a copy that is patched be waited for where the copy loses: it is made of the caller's, which is theirs again when
// the call returns.
func (d *driver) build(f *flight) {
	f.built = nil
	if d.op.sends && d.op.sort(f.at.Rung) == policy.RungPatch {
		built := make(chan struct{})
		f.built, f.at.made = built, sync.OnceFunc(func() { close(built) })
	}
}

// expire ends the copies whose time is over.
func (d *driver) expire(now time.Time) {
	for n := range len(d.copies) + 1 {
		if f := d.copy(n); f.flying && !f.until.IsZero() && !now.Before(f.until) {
			f.until = time.Time{}
			f.copied.end(copyExpired)
		}
	}
}

// take takes the end of a copy, and returns what the machine is told. A panic is raised again on this goroutine, and the end of a goroutine
// ends this one too (trap T47).
func (d *driver) take(now time.Time, n int) policy.Event {
	f := d.copy(n)
	var late error
	if d.hold && f.isExpired(now) {
		late = f.cause
	}
	l := d.racer.land(n, late)
	if l.panicked != nil {
		d.panicked, d.why = n, l.panicked
		panic(l.panicked.Value)
	}
	if l.exited {
		d.panicked = n
		goexit()
	}
	if l.meta != nil && l.meta.Status != 0 {
		d.scope.meta.respond(l.meta)
	}
	return d.landed(now, n, f, l.err)
}

// isExpired reports whether the context of the attempt ended because its time was over.
func (f *flight) isExpired(now time.Time) bool {
	if f.isLazy() {
		return f.own.isExpired(now)
	}
	if f.copied != nil {
		return f.copied.isExpired()
	}
	return f.cause != nil && context.Cause(f.ctx) == error(f.cause) //nolint:errorlint // this very attempt's, not another layer's
}

// errSuperseded is how a copy ends because another one has answered.
var errSuperseded = errors.New("another copy of the attempt answered first")

// lose cancels a copy that runs, and leaves to it what it holds. For observers that is its end: nobody waits for more (trap T49).
func (d *driver) lose(now time.Time, a *policy.Action) {
	f := d.copy(a.Copy)
	f.flying = false
	d.injected = cmp.Or(f.injected.name(), d.injected)
	f.release()
	end := AttemptError{
		Number: a.Number, Rung: a.Rung, Hedge: a.Copy > 0, Kind: policy.KindCanceled, Elapsed: now.Sub(f.began), Err: errSuperseded,
	}
	if why := a.Fall.Kind; why != policy.KindNone {
		end.Kind, end.Err = why, context.Cause(d.ctx)
		if end.Err == nil { // the deadline has passed, and the context's timer is late
			end.Err = contextError(why)
		}
		d.fail(f.at.Target, end)
	}
	d.tellAttempt(now, f, Event{What: AttemptEnd, Kind: end.Kind, Elapsed: end.Elapsed, Err: end.Err})
	if d.racer != nil {
		if f.built != nil {
			<-f.built
		}
		d.racer.lose(a.Copy, &loser{op: d.op, ctx: d.ctx, rung: a.Rung, held: *a.Lost, used: f.at.meter})
		return
	}
	d.op.release(d.ctx, a.Lost, policy.Neutral, f.at.meter)
}
