package runtime

import (
	"context"
	"time"

	"github.com/resgen-go/resgen/runtime/policy"
)

// straight drives a call with which nothing is the matter: see policy.Straight. What it cannot do it leaves to a driver, before the
// first attempt or after it. The zero value is ready for begin.
type straight struct {
	way      policy.Straight
	op       *Operation
	scope    *scope
	ctx      context.Context //nolint:containedctx // the caller's: a call is no longer
	deadline time.Time       // of ctx; zero is none
	own      *attemptContext // of the attempt; nil is ctx
	watched  *watchedContext // with own in it; nil where nobody watches
	at       Attempt         // made early: what is copied just after it was written part by part is waited for
	flying   bool            // the attempt holds what it was given
	returned bool            // its function did
	result   bool            // the caller is told how good the answer is
}

// goesStraight reports whether calls of the operation may: nobody watches, and nothing is asked but the machines that policy.Straight knows.
func (op *Operation) goesStraight() bool {
	return op.observer == nil && !op.plan.Errors.Partial.On && op.answers == nil && op.exercise == nil && op.fits == nil &&
		!op.plan.Served.IsOn() && (!op.wraps || !op.sized) && // a call inside may report what it came to
		op.plan.Idempotency != policy.Keyed && policy.IsStraight(&op.plan, &op.rungs[0])
}

// begin starts a call, and reports whether the first attempt is to be made this way.
func (s *straight) begin(ctx context.Context, op *Operation, in []Input) bool {
	if !op.straight {
		return false
	}
	if ctx == nil {
		panic(noContext)
	}
	s.op, s.scope, s.ctx = op, scopeOf(ctx), ctx
	s.at.Number, s.at.Target, s.at.op, s.at.scope = 1, op.rungs[0].Target, op, s.scope
	if s.result && op.wraps { // which a call inside may have degraded
		return false
	}
	if s.scope.meta != nil || s.scope.over != nil || hasEnded(ctx) {
		return false
	}
	now, left := time.Since(op.epoch), time.Duration(0)
	if s.deadline, _ = ctx.Deadline(); !s.deadline.IsZero() {
		if left = s.deadline.Sub(op.epoch.Add(now)); left <= 0 {
			return false
		}
	}
	claim := policy.Claim{Tenant: s.scope.tenant, Criticality: s.scope.criticality}
	if claim.Criticality == policy.CriticalityUnset {
		claim.Criticality = op.plan.Criticality
	}
	if op.sized {
		s.way.Size = op.sizeOf(inputOf(in))
	}
	if !s.way.Enter(&op.epoch, now, left, &op.plan, &op.rungs[0], &claim) {
		op.obey(ctx, s.way.Left(&op.rungs[0]))
		return false
	}
	s.flying = true
	if counted := op.at(s.at.Target).counted; op.sized && counted != nil {
		s.at.meter = &meter{fields: counted} // without a price: nobody asks what a call cost that nobody watches
	}
	inner, lasts := op.attemptScope(s.scope, 0, nil), s.way.Lasts()
	timed := lasts != left // else the caller's deadline will do, or there is none
	if !timed && inner == s.scope && !op.watches(0) {
		return true
	}
	s.own, s.watched = op.newContext(ctx, 0, inner)
	s.at.sends = &s.own.sends
	if timed {
		s.own.last(&op.epoch, now, lasts)
	}
	return true
}

// inner returns the context that the function is given.
func (s *straight) inner() context.Context {
	switch {
	case s.watched != nil:
		return s.watched
	case s.own != nil:
		return s.own
	default:
		return s.ctx
	}
}

// done takes the end of the attempt, and reports whether the call has ended with its answer.
func (s *straight) done(err error) bool {
	if err != nil || s.own != nil && s.own.sends.Load() > 1 {
		return false
	}
	s.flying = false
	if s.own != nil && s.own.isTimed() {
		s.own.end()
	}
	used, texts := s.at.meter.total()
	if todo := s.way.Answer(time.Since(s.op.epoch)-s.way.Began(), used, texts); todo != nil {
		s.op.obey(s.ctx, todo)
	}
	return true
}

// handOver makes a zero driver the one whose first attempt runs.
func (s *straight) handOver(d *driver, in Input) {
	s.flying = false
	d.ctx, d.op, d.scope, d.deadline, d.input, d.started = s.ctx, s.op, s.scope, s.deadline, in, s.way.Since()
	f := &d.first
	f.own, f.watched, f.began, f.flying = s.own, s.watched, d.started, true
	f.ctx, f.at = s.inner(), s.at
	req := d.request(in)
	s.way.Resume(&d.call, &d.op.plan, d.op.rungs, &req, d.op.group.rand)
}

// goOn has a zero driver make the call, or what is left of it: err is what the first attempt returned, if there was one. It reports whether an
// attempt is to be made.
func (s *straight) goOn(ctx context.Context, d *driver, op *Operation, in []Input, err error) (more bool) {
	d.result = s.result
	if !s.flying {
		return d.begin(ctx, op, false, inputOf(in))
	}
	s.handOver(d, inputOf(in))
	return d.done(err) //nolint:contextcheck // it asks the attempt's own
}

// close ends a call whose function panicked, or ended the goroutine, by defer.
func (s *straight) close() {
	if s.returned {
		return
	}
	var d driver
	s.handOver(&d, nil)
	d.close()
}

// goStraight makes a call if it can, and reports whether it has ended. Where it has not, it has not begun, or its first attempt returned
// what is returned here, and s is to hand over.
func goStraight[T any](
	ctx context.Context, s *straight, op *Operation, run func(context.Context, Attempt) (T, error), in []Input,
) (value T, err error, ended bool) {
	if refused := op.refusal(ctx); refused != nil {
		return value, refused, true
	}
	if !s.begin(ctx, op, in) {
		return value, nil, false
	}
	value, err = flyStraight(s, run)
	return value, err, s.done(err)
}

// flyStraight makes the attempt.
func flyStraight[T any](s *straight, run func(context.Context, Attempt) (T, error)) (T, error) {
	defer s.close()
	value, err := run(s.inner(), s.at)
	s.returned = true
	return value, err
}

// refusal is what an operation answers while its breaker is open.
type refusal struct {
	err   *Error
	why   *policy.OpenError // what the breaker answers meanwhile
	until time.Duration     // since the operation's epoch; valid if why has a NotBefore
}

// hasEnded reports whether a context has.
func hasEnded(ctx context.Context) bool { return ctx.Err() != nil }

// refusal returns the error of a call whose only target's breaker is open, where it was made before: there may be very many such calls.
func (op *Operation) refusal(ctx context.Context) error {
	if !op.straight || op.rungs[0].Breaker == nil || len(op.rungs) > 1 {
		return nil
	}
	why, r := op.rungs[0].Breaker.Refusal(), op.refused.Load()
	if why == nil || r == nil || r.why != why || !why.Forced && time.Since(op.epoch) >= r.until {
		return nil
	}
	if hasEnded(ctx) || scopeOf(ctx).meta != nil {
		return nil
	}
	return r.err
}
