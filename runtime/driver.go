package runtime

import (
	"context"
	"errors"
	"time"

	"github.com/resgen-go/resgen/runtime/policy"
	"github.com/resgen-go/resgen/runtime/wire"
)

// driver runs one call on its caller's goroutine: it tells the machine what happens and does what the machine says. It decides
// nothing. The zero value is ready for begin.
type driver struct {
	ctx     context.Context //nolint:containedctx // a driver lives as long as its call
	op      *Operation
	scope   *scope
	call    policy.Call
	actions [4]policy.Action
	started time.Time
	hold    bool // the answer outlives the call
	input   Input
	over    bool // the call has finished, or was aborted
	failed  []AttemptError

	// the attempt that runs
	attemptCtx context.Context //nolint:containedctx // as ctx
	at         Attempt
	cancel     context.CancelFunc
	cause      *attemptTimeoutError
	limit      *time.Timer // ends the attempt where its context must not
	began      time.Time
	flying     bool
	skipped    error // why the attempt is not to be run

	// the idempotency key, and the rung it is for
	key     string
	keyRung int
	keyed   bool

	// what is waited for
	timer   *time.Timer
	due     [2]time.Time // by policy.Timer; zero is not set
	granted chan struct{}
	waitKey waitKey

	// how it ended
	err    error
	served int // the rung that answered
	level  Level
}

// begin starts a call, and reports whether an attempt is to be made.
func (d *driver) begin(ctx context.Context, op *Operation, hold bool, in Input) bool {
	now := time.Now()
	d.ctx, d.op, d.scope, d.started, d.hold, d.input = ctx, op, scopeOf(ctx), now, hold, in
	req := policy.Request{
		OneAttempt: d.scope.retried && !d.scope.nested,
		NoFallback: d.scope.noFallback,
		Worst:      policy.Canned,
		Hold:       hold,
	}
	if d.scope.bounded {
		req.Worst = d.scope.worst
	}
	req.Deadline, _ = ctx.Deadline()
	d.call = policy.NewCall(&op.plan, op.rungs, req, op.group.rand)
	d.tell(now, Event{What: CallStart})
	return d.next(now, policy.Event{What: policy.CallStarted, Ended: d.ended(now)})
}

// done takes the end of an attempt, and reports whether another is to be made.
func (d *driver) done(err error) bool {
	now := time.Now()
	d.flying = false
	if d.limit != nil {
		d.limit.Stop()
		d.limit = nil
	}
	ev := policy.Event{What: policy.AttemptDone, Result: policy.Result{Verdict: policy.Success}}
	status := 0
	if err != nil {
		ev.Result, status = d.judge(now, err)
		ev.Ended = d.ended(now)
		d.fail(AttemptError{Number: d.at.Number, Rung: d.at.Rung, Kind: ev.Result.Kind, Elapsed: now.Sub(d.began), Err: err})
	}
	ev.Result.Replays = d.replays(err)
	if d.cancel != nil && (err != nil || !d.hold) {
		d.cancel()
		d.cancel = nil
	}
	d.tellAttempt(now, Event{What: AttemptEnd, Kind: ev.Result.Kind, Status: status, Replays: ev.Result.Replays, Elapsed: now.Sub(d.began), Err: err})
	return d.next(now, ev)
}

// replays returns how often net/http sent the request of the attempt again on its own.
func (d *driver) replays(err error) int {
	sends := 0
	if d.at.sends != nil {
		sends = int(d.at.sends.Load())
	}
	if t, ok := errors.AsType[*wire.TransportError](err); ok {
		sends = max(sends, t.Sends)
	}
	return max(sends-1, 0)
}

// judge says what an attempt's error means. Whose time was over is told by the contexts, never by the error alone: transports wrap
// and replace what a context says (trap T1). A whole answer of the target stays what it is.
func (d *driver) judge(now time.Time, err error) (policy.Result, int) {
	r, status, answered := classify(&d.op.plan, d.at.Number, now, err)
	if answered {
		return r, status
	}
	if d.cause != nil && context.Cause(d.attemptCtx) == error(d.cause) { //nolint:errorlint // this very attempt's, not another layer's
		r.Kind, r.Verdict, r.Expired = policy.KindTimeout, policy.Failure, true
	} else if ended := d.ended(now); ended != policy.KindNone {
		r.Kind, r.Verdict = ended, policy.Neutral
	}
	return r, status
}

// ended returns how the caller has ended, KindNone if it has not. A deadline that has passed counts although its context's timer may be
// a moment late.
func (d *driver) ended(now time.Time) Kind {
	err := d.ctx.Err()
	if err == nil {
		if deadline, ok := d.ctx.Deadline(); ok && !now.Before(deadline) {
			return policy.KindDeadline
		}
		return policy.KindNone
	}
	if errors.Is(err, context.DeadlineExceeded) {
		return policy.KindDeadline
	}
	return policy.KindCanceled
}

// next tells the machine what happened, and does what it says, until an attempt is to be made (true) or the call has ended (false).
func (d *driver) next(now time.Time, ev policy.Event) bool {
	for {
		for _, a := range d.call.Step(now, ev, d.actions[:0]) {
			switch a.Do {
			case policy.StartAttempt:
				d.start(now, a)
				return true
			case policy.FinishCall:
				d.finish(now, a)
				return false
			default:
				d.obey(now, a)
			}
		}
		now, ev = d.wait()
	}
}

// obey does what needs no answer.
func (d *driver) obey(now time.Time, a policy.Action) {
	switch a.Do {
	case policy.SetTimer:
		d.due[a.Timer] = a.Until
	case policy.StopTimer:
		d.due[a.Timer] = time.Time{}
	case policy.AwaitGrant:
		d.waitKey = waitKey{a.Bulkhead, a.Permit}
		d.granted = d.op.group.waits.await(d.waitKey)
	case policy.WakeCall:
		d.op.group.waits.wake(waitKey{a.Bulkhead, a.Permit})
	case policy.TellNote:
		d.note(now, a.Note)
	case policy.StartAttempt, policy.FinishCall:
	}
}

// start prepares an attempt.
func (d *driver) start(now time.Time, a policy.Action) {
	d.began, d.flying = now, true
	d.attemptCtx = d.ctx
	if d.op.sort(a.Rung) != policy.RungStatic {
		d.attemptCtx = d.attemptContext(now, a.Rung, a.Until)
	}
	d.at = Attempt{
		Number: a.Number, Rung: a.Rung, Target: d.op.rungs[a.Rung].Target, op: d.op, scope: d.scope,
	}
	if c, ok := d.attemptCtx.(*attemptContext); ok {
		d.at.sends = &c.sends
	}
	d.at.Key, d.skipped = d.keyFor(d.attemptCtx, now, a.Rung)
	d.tellAttempt(now, Event{What: AttemptStart})
}

// finish ends the call.
func (d *driver) finish(now time.Time, a policy.Action) {
	d.over = true
	end := Event{What: CallEnd, Kind: a.Fall.Kind, Attempts: d.call.Attempts(), Elapsed: now.Sub(d.started)}
	if a.Fall.Kind == policy.KindNone {
		d.served, d.level = a.Rung, d.op.level(a.Rung)
		end.Rung = a.Rung
	} else {
		d.err = d.failure(now, a.Fall)
		end.Err = d.err
	}
	d.report(now)
	d.tell(now, end)
}

// report writes what the caller wants to know beside the answer.
func (d *driver) report(now time.Time) {
	m := d.scope.meta
	if m == nil {
		return
	}
	m.Attempts, m.Rung, m.Target, m.Elapsed = d.call.Attempts(), d.op.names[d.served], d.at.Target, now.Sub(d.started)
}

// errAborted is how a call ends for observers whose function panicked, or ended the goroutine.
var errAborted = errors.New("the attempt panicked or ended its goroutine")

// close ends the call whatever happened, by defer: after a panic, or runtime.Goexit, everything is released.
func (d *driver) close() {
	for _, t := range [...]*time.Timer{d.timer, d.limit} {
		if t != nil {
			t.Stop()
		}
	}
	if d.over {
		return
	}
	d.over = true
	now := time.Now()
	for _, a := range d.call.Step(now, policy.Event{What: policy.CallAborted}, d.actions[:0]) {
		d.obey(now, a)
	}
	d.forget()
	if d.cancel != nil {
		d.cancel()
	}
	if d.flying {
		d.tellAttempt(now, Event{What: AttemptEnd, Kind: policy.KindPermanent, Elapsed: now.Sub(d.began), Err: errAborted})
	}
	d.tell(now, Event{What: CallEnd, Kind: policy.KindPermanent, Attempts: d.call.Attempts(), Elapsed: now.Sub(d.started), Err: errAborted})
}
