package runtime

import (
	"context"
	"errors"
	"time"

	"github.com/resgen-go/resgen/runtime/policy"
)

// watched reports whether there is somebody to be told. It is asked where an event is made that nearly nobody wants.
func (d *driver) watched() bool { return d.op.observer != nil }

// tell gives an event to the operation's observer, with what every event of the call has in common.
func (d *driver) tell(now time.Time, e Event) {
	if d.op.observer == nil {
		return
	}
	d.op.fill(now, &e)
	tell(d.ctx, d.op.observer, e)
}

// tellBegin tells the operation's observer of what begins, and returns the context for it, made of the given one.
func (d *driver) tellBegin(ctx context.Context, now time.Time, e Event) context.Context {
	d.op.fill(now, &e)
	return tellBegin(ctx, d.op.observer, e)
}

// tellAttempt tells an event of an attempt. A fixed answer is none.
func (d *driver) tellAttempt(now time.Time, f *flight, e Event) {
	if d.op.observer == nil || d.op.sort(f.at.Rung).IsAtHand() {
		return
	}
	d.mark(f, &e)
	d.op.fill(now, &e)
	tell(f.told, d.op.observer, e)
}

// tellStart tells the start of an attempt. Where the observer gives it a context, the attempt has that.
func (d *driver) tellStart(now time.Time, f *flight) {
	if d.op.sort(f.at.Rung).IsAtHand() {
		return
	}
	e := Event{What: AttemptStart}
	d.mark(f, &e)
	f.ctx = d.tellBegin(f.ctx, now, e)
	f.told = f.ctx
}

// mark says in an event of an attempt which one it is.
func (d *driver) mark(f *flight, e *Event) {
	e.Rung, e.Attempt, e.Hedge, e.Target = f.at.Rung, f.at.Number, f.at.Hedge, f.at.Target
	e.Exercised, e.Injected = d.call.Exercised(), f.injected.name()
}

// tell tells observers of something that is not of a driver, if there are any.
func (op *Operation) tell(ctx context.Context, now time.Time, e Event) {
	if op.observer == nil {
		return
	}
	op.fill(now, &e)
	tell(ctx, op.observer, e)
}

// fill adds what every event of an operation has in common.
func (op *Operation) fill(now time.Time, e *Event) {
	e.Time, e.Client, e.Operation = now, op.client, op.name
	e.RungName, e.Level = op.names[e.Rung], max(e.Level, op.level(e.Rung))
	if e.Target == "" {
		e.Target = op.rungs[e.Rung].Target
	}
}

// note tells what the machine noted, and keeps the rejections for the error.
func (d *driver) note(now time.Time, n *policy.Note) {
	e := Event{Rung: n.Rung, Kind: n.Kind, Wait: n.Wait, Until: n.Until}
	switch n.What {
	case policy.NoteRetry:
		e.What = RetryScheduled
	case policy.NoteHedge:
		e.What, e.Hedge, e.Target = Hedged, true, d.op.rungs[n.Rung].OfCopy(1).Target
	case policy.NoteRung:
		e.What = RungTaken
	case policy.NoteUnfit:
		if e.What = RungUnfit; n.Kind == policy.KindUnfit {
			d.reject(now, n)
		}
	case policy.NoteRejected:
		e.What, e.Exercised = Rejected, d.call.Exercised()
		d.reject(now, n)
	case policy.NoteBudget:
		e.What = BudgetDenied
	case policy.NotePause:
		e.What = Paused
	case policy.NoteExercise:
		e.What, e.Exercised, e.Err, e.Injected = ExerciseFailed, true, d.last(n.Rung), d.injected
	case policy.NoteBreaker:
		d.op.tellChange(d.ctx, n)
		return
	}
	if n.To != nil {
		e.Target = n.To.Target
	}
	d.tell(now, e)
}

// tellChange tells the change of a breaker in its turn, although nobody may be listening to this operation: others share the breaker.
func (op *Operation) tellChange(ctx context.Context, n *policy.Note) {
	e := Event{
		What: BreakerChanged, Rung: n.Rung, From: n.Change.From.String(), To: n.Change.To.String(), Until: n.Change.NotBefore,
	}
	var b *sharedBreaker
	b, e.Target = op.breakerOf(n)
	op.fill(n.Change.At, &e)
	b.order.tell(told{ctx: ctx, observer: op.observer, event: e, change: *n.Change})
}

// reject records an attempt that was not let through.
func (d *driver) reject(now time.Time, n *policy.Note) {
	if n.Kind == policy.KindBreakerOpen && len(d.op.rungs) == 1 && len(d.failed) == 0 {
		return // the operation's open error says it all
	}
	d.fail(d.op.machinesAt(n.Rung, n.To).Target, AttemptError{Rung: n.Rung, Kind: n.Kind, Err: d.rejectionOf(now, n)})
}

// fail records a failure at a target.
func (d *driver) fail(target string, e AttemptError) {
	e.RungName, e.Target = d.op.names[e.Rung], target
	d.failed = append(d.failed, e)
}

// rejectionOf returns why an attempt was not let through.
func (d *driver) rejectionOf(now time.Time, n *policy.Note) error {
	if n.Limit != nil {
		return d.limitError(now, n)
	}
	if n.Purse != nil {
		return d.purseError(now, n)
	}
	if n.Kind == policy.KindUnfit {
		return d.unfitError(n.Rung)
	}
	if n.Kind == policy.KindShed {
		return d.shedError(now, n.Rung, n.Throttle)
	}
	return d.rejection(now, n.Rung, n.To, n.Kind, n.Until)
}

// rejection returns why a local policy did not let an attempt through.
func (d *driver) rejection(now time.Time, rung int, member *policy.Machines, k Kind, until time.Time) error {
	m := d.op.machinesAt(rung, member)
	switch k {
	case policy.KindBreakerOpen:
		if m.Members != nil {
			return &membersError{name: d.op.machineName(rung, nil), members: m.Members.Len(), until: until}
		}
		b := d.op.breakers[rung]
		if member != nil {
			b = d.op.members[m.Breaker]
		}
		return &breakerError{name: b.name, until: until, state: m.Breaker.State(now)}
	case policy.KindBulkheadFull:
		return &bulkheadError{name: d.op.machineName(rung, member), state: m.Bulkhead.Snapshot(now), tenant: m.Bulkhead.PerTenant()}
	case policy.KindRateLimited:
		return &pauseError{name: d.op.machineName(rung, member), until: until}
	default:
		return kindError(k)
	}
}

// before joins the last failure of each rung above the given one; nil if there was none.
func (d *driver) before(rung int) error {
	var all []error
	for i := range d.failed {
		if e := &d.failed[i]; e.Rung < rung && (i+1 == len(d.failed) || d.failed[i+1].Rung != e.Rung) {
			all = append(all, e)
		}
	}
	return errors.Join(all...)
}

// failure makes the error of the call.
func (d *driver) failure(now time.Time, fall policy.Fall) error {
	if fall.Kind == policy.KindBreakerOpen && len(d.failed) == 0 {
		return d.openError(now, fall)
	}
	e := &Error{
		Operation: d.op.name, Kind: fall.Kind, Attempts: d.call.Attempts(), MayHaveActed: d.call.MayHaveActed(),
		NotBefore: fall.NotBefore, Elapsed: now.Sub(d.started), attempts: d.failed, stop: fall.Stop, stopKind: fall.Local,
	}
	decided := false // of copies that failed, the most telling one says why
	for i := range d.failed {
		f := &d.failed[i]
		switch last := i+1 == len(d.failed) || d.failed[i+1].Rung != f.Rung; {
		case f.Rung == 0 && (e.Cause == nil || isReal(f) && (f.Kind == fall.Kind || !decided)):
			e.Cause, e.said, decided = f.Err, f.said, f.Kind == fall.Kind
		case f.Rung > 0 && last:
			e.rungs = append(e.rungs, f)
		}
	}
	e.Status = statusOf(e.Cause)
	switch ended := d.ended(now); {
	case ended != policy.KindNone:
		e.also = d.callerError(ended)
	case fall.Stop == policy.StopDeadline || fall.Kind == policy.KindTimeout:
		e.also = contextError(policy.KindTimeout)
	}
	return e
}

// isReal reports whether a failure tells of the target, rather than of the end of our patience with it.
func isReal(f *AttemptError) bool {
	return f.Number > 0 && f.Kind != policy.KindDeadline && f.Kind != policy.KindCanceled
}

// openError returns the error of a call that the open breaker rejected at once: one for each opening, since there may be very many
// such calls.
func (d *driver) openError(now time.Time, fall policy.Fall) error {
	if r := d.op.refused.Load(); r != nil && r.err.NotBefore.Equal(fall.NotBefore) {
		return r.err
	}
	e := &Error{
		Operation: d.op.name, Kind: fall.Kind, NotBefore: fall.NotBefore, stopKind: fall.Local,
		Cause: d.rejection(now, 0, nil, fall.Kind, fall.NotBefore),
	}
	r := &refusal{err: e, until: fall.NotBefore.Sub(d.op.epoch)}
	if b := d.op.rungs[0].Breaker; b == nil { // each member has its own
		return e
	}
	if why := d.op.rungs[0].Breaker.Refusal(); why != nil && why.NotBefore.Equal(fall.NotBefore) {
		r.why = why
	}
	d.op.refused.Store(r)
	return e
}
