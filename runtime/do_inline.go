package runtime

import (
	"context"
	"errors"

	"github.com/resgen-go/resgen/runtime/policy"
)

// errNotInline is a plan by which attempts run beside each other, or beside the call.
var errNotInline = errors.New("DoInline cannot hedge, exercise rungs or abandon attempts, and the plan does: use Do")

// DoInline is Do for an operation whose plan neither hedges nor exercises rungs nor abandons attempts: run is called on the caller's
// goroutine only, and nothing of it is left when DoInline returns, so that a closure costs no allocation. Calls of another operation fail.
func DoInline[T any](ctx context.Context, op *Operation, run func(context.Context, Attempt) (T, error), in ...Input) (T, error) {
	if !policy.RunsInline(&op.plan) {
		var none T
		return none, op.Refuse(errNotInline)
	}
	if op.chaos != nil {
		run = flawedBy(run, nil)
	}
	op = op.of(in)
	var s straight
	value, err, ended := goStraight(ctx, &s, op, run, in)
	if ended {
		return value, err
	}
	return driveInline(ctx, &s, op, run, in, value, err)
}

// driveInline is drive without what lets run outlive the call: the compiler sees that it does not.
func driveInline[T any](
	ctx context.Context, s *straight, op *Operation, run func(context.Context, Attempt) (T, error), in []Input, value T, err error,
) (T, error) {
	var none T
	var d driver
	defer d.close()
	for more := s.goOn(ctx, &d, op, in, err); more; {
		if err = d.first.skipped; err == nil {
			value, err = run(d.first.ctx, d.first.at) //nolint:contextcheck // it is made of ctx
		}
		more = d.done(err) //nolint:contextcheck // it asks the attempt's own
	}
	if d.err != nil {
		return none, d.err
	}
	return answerOf(&d, value), d.partial
}
