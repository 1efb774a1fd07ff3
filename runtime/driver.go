package runtime

import (
	"cmp"
	"context"
	"errors"
	"time"

	"github.com/resgen-go/resgen/runtime/policy"
	"github.com/resgen-go/resgen/runtime/wire"
)

// driver runs one call on its caller's goroutine: it tells the machine what happens and does what the machine says. It decides
// nothing. Only attempts that may be hedged run on goroutines of their own: see race. The zero value is ready for begin.
type driver struct {
	ctx      context.Context //nolint:containedctx // a driver lives as long as its call
	op       *Operation
	scope    *scope
	call     policy.Call
	actions  [2]policy.Action // room for nearly every answer of the machine
	started  time.Time
	deadline time.Time // of ctx; zero is none
	hold     bool      // the answer outlives the call
	result   bool      // the caller is told how good the answer is
	input    Input
	unfit    []policy.Misfit // which rungs cannot take it; nil for none
	over     bool            // the call has finished, or was aborted
	failed   []AttemptError
	replays  int // what was sent again although no policy said so

	batch   *batch      // what it knows of the items that it sends; nil where answers tell nothing of them
	nested  error       // the PartialError of a call inside, whose answer is this call's
	partial error       // that the answer is one to a part of the items
	memory  *remembered // what the cache has for the call; nil without one
	shadow  int         // the rung that runs beside the call once it is answered; 0 is none

	first    flight   // the attempt that runs, or the first copy of it
	copies   []flight // the copies beside it
	racer    *race    // runs the copies; nil where the attempt runs on this goroutine
	won      int      // the copy that answered
	panicked int      // the copy whose function did not return, if it was not none; valid with a racer
	why      error    // how it did not

	// the idempotency key, and the rung it is for
	key     string
	keyRung int
	keyed   bool

	// what is waited for
	timer   *time.Timer
	due     [policy.Timers]time.Time // zero is not set
	granted chan struct{}
	waitKey waitKey

	// how it ended
	err    error
	served int // the rung that answered
	level  Level
	// whole says that no call inside told of an answer that is none, or was cut.
	whole bool
	// substituted says that the answer is of another than was asked for.
	substituted bool
	// injected is the last fault that was made up for an attempt of the call; empty for none.
	injected string
}

// noContext is what a call without a context panics with: it could not be ended.
const noContext = "runtime: the context of a call is nil"

// begin starts a call, and reports whether an attempt is to be made.
func (d *driver) begin(ctx context.Context, op *Operation, hold bool, in Input) bool {
	if ctx == nil {
		d.over = true // there is nothing to give back
		panic(noContext)
	}
	now := op.now()
	d.ctx, d.op, d.scope, d.started, d.hold, d.input = ctx, op, scopeOf(ctx), now, hold, in
	d.deadline, _ = ctx.Deadline()
	req := d.request(in)
	if d.scope.over != nil {
		d.scope.over.tellLayers(ctx, now, op)
	}
	if d.watched() {
		d.ctx = d.tellBegin(d.ctx, now, Event{What: CallStart})
	}
	if op.isNameless {
		op.tell(ctx, now, Event{What: NotRepeatable})
	}
	if op.answers != nil {
		now = d.recall(now, &req)
	}
	if op.exercise != nil {
		d.pick(now, &req)
	}
	if !hold {
		d.batch = op.newBatch()
	}
	d.call.Init(&op.plan, op.rungs, &req, op.group.rand)
	return d.next(now, policy.Event{What: policy.CallStarted, Ended: d.ended(now)}) //nolint:contextcheck // it asks the attempt's own
}

// request returns what the call asks of the machine beside its plan.
func (d *driver) request(in Input) policy.Request {
	req := policy.Request{
		Deadline:   d.deadline,
		OneAttempt: d.scope.retried && !d.scope.nested,
		NoFallback: d.scope.noFallback,
		Worst:      policy.Canned,
		Tenant:     d.scope.tenant,
		Size:       d.op.sizeOf(in),
		Hold:       d.hold,
		NoWait:     d.op.beside,
	}
	req.Criticality = d.scope.criticality
	if d.op.fits != nil {
		req.Unfit = d.op.misfits(in, req.Size)
		d.unfit = req.Unfit
	}
	if of := d.op.affinity; of != nil {
		req.Affinity = policy.AffinityOf(of(d.ctx))
	}
	if d.scope.bounded {
		req.Worst = d.scope.worst
	}
	return req
}

// done takes the end of the attempt that this goroutine ran, and reports whether another is to be made.
func (d *driver) done(err error) bool {
	now := d.op.now()
	if err != nil {
		now = time.Now() // servers speak of the wall clock's time
	}
	return d.next(now, d.landed(now, 0, &d.first, err))
}

// landed takes the end of a copy of an attempt, and returns what the machine is told.
func (d *driver) landed(now time.Time, n int, f *flight, err error) policy.Event {
	f.flying = false
	d.injected = cmp.Or(f.injected.name(), d.injected)
	if f.at.recalls() {
		return d.recalled(now, err)
	}
	if f.limit != nil {
		f.limit.Stop()
		f.limit = nil
	}
	ev := policy.Event{What: policy.AttemptDone, Copy: n, Result: policy.Result{Verdict: policy.Success}}
	status := 0
	if err != nil {
		ev.Result, status = d.judge(now, f, err)
		ev.Ended = d.ended(now)
		d.judgePart(f, err, &ev.Result)
		d.fail(f.at.Target, AttemptError{
			Number: f.at.Number, Rung: f.at.Rung, Hedge: f.at.Hedge, Kind: ev.Result.Kind, Elapsed: now.Sub(f.began), Err: err,
			said: evidenceOf(&ev.Result),
		})
	}
	ev.Result.Replays = f.replays(err)
	d.replays += ev.Result.Replays
	watch := f.watch()
	ev.Result.Used, ev.Result.Items = f.at.meter.total()
	if err != nil || !d.hold {
		f.release()
	}
	if d.watched() {
		d.tellAttempt(now, f, Event{
			What: AttemptEnd, Kind: ev.Result.Kind, Status: status, Replays: ev.Result.Replays, Elapsed: now.Sub(f.began), Err: err,
		})
	}
	d.tellInner(now, f, watch, ev.Result.Replays)
	return ev
}

// replays returns how often the request of the attempt was sent again on somebody's own: net/http's, or that of the client that is wrapped.
func (f *flight) replays(err error) int {
	sends := 0
	if f.at.sends != nil {
		sends = int(f.at.sends.Load())
	}
	if t, ok := errors.AsType[*wire.TransportError](err); ok {
		sends = max(sends, t.Sends)
	}
	return max(sends-1, 0)
}

// judge says what an attempt's error means. Whose time was over is told by the contexts, never by the error alone: transports wrap
// and replace what a context says (trap T1). A whole answer of the target stays what it is.
func (d *driver) judge(now time.Time, f *flight, err error) (policy.Result, int) {
	r, status, answered := d.op.classified(f.at.Target, f.at.Number, now, err)
	if answered {
		return r, status
	}
	if f.isExpired(now) {
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
		if !d.deadline.IsZero() && !now.Before(d.deadline) {
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
// Where the attempt may be hedged, its first copy is to be given to race.
func (d *driver) next(now time.Time, ev policy.Event) bool {
	for {
		todo := d.call.Step(now, ev, d.actions[:0])
		for i := range todo {
			switch a := &todo[i]; {
			case a.Do == policy.StartAttempt && a.Copy == 0:
				d.start(now, a)
				return true
			case a.Do == policy.FinishCall:
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
func (d *driver) obey(now time.Time, a *policy.Action) {
	switch a.Do {
	case policy.SetTimer:
		d.due[a.Timer] = a.Until
	case policy.StopTimer:
		d.due[a.Timer] = time.Time{}
	case policy.AwaitGrant:
		d.waitKey = keyOf(a)
		d.granted = d.op.group.waits.await(d.waitKey)
	case policy.WakeCall:
		d.op.group.waits.wake(keyOf(a))
	case policy.AskStore:
		d.op.askStore(d.ctx, a)
	case policy.TellNote:
		d.note(now, &a.Note)
	case policy.StartAttempt:
		d.startCopy(now, a)
	case policy.CancelAttempt:
		d.lose(now, a)
	case policy.FinishCall:
	}
}

// start prepares an attempt, or the first copy of one.
func (d *driver) start(now time.Time, a *policy.Action) {
	d.copies = d.copies[:0]
	f := &d.first
	f.ctx, f.told, f.own, f.watched, f.copied, f.until = d.ctx, d.ctx, nil, nil, nil, time.Time{}
	f.at.sends = nil
	if a.Remembered {
		d.read(f, a.Rung)
		return
	}
	switch {
	case d.op.sort(a.Rung).IsAtHand():
	case d.hedges():
		d.copyContext(now, f, a)
	default:
		d.attemptContext(now, f, a)
	}
	d.depart(now, f, a)
}

// depart tells an attempt, or a copy of one, what it is.
func (d *driver) depart(now time.Time, f *flight, a *policy.Action) {
	f.began, f.flying = now, true
	f.at = Attempt{
		Number: a.Number, Rung: a.Rung, Hedge: a.Copy > 0, Target: d.op.rungs[a.Rung].OfCopy(a.Copy).Target, member: a.To,
		op: d.op, scope: d.scope, sends: f.at.sends, captured: d.scope.meta,
	}
	if a.To != nil {
		f.at.Target = a.To.Target
	}
	if d.op.chaos != nil {
		f.ctx, f.injected = notes(f.ctx)
	}
	f.at.meter = d.newMeter(a.Rung, f.at.Target)
	f.hearReports()
	if f.at.meter != nil {
		f.at.meter.price = f.at.price()
	}
	if d.memory != nil && a.Rung == 0 {
		f.at.memo = new(memo)
	}
	if f.at.batch = d.batch; d.op.sort(a.Rung) != 0 && !d.op.sort(a.Rung).Resends() {
		f.at.batch = nil
	}
	f.at.Key, f.skipped = d.keyFor(f.ctx, now, a.Rung)
	if d.op.tellsKey && f.at.Key != "" {
		f.ctx = context.WithValue(f.ctx, attemptKey{}, f.at.Key)
	}
	if f.told = d.ctx; d.watched() {
		d.tellStart(now, f)
	}
}
