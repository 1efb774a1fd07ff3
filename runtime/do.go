package runtime

import (
	"context"
	"reflect"
)

// Do calls an operation that has no fallback ladder: run makes one attempt, and Do decides when and how often. It returns the answer of
// the attempt that succeeded, or an *Error. run is called on the caller's goroutine, one attempt after the other, and nothing of the
// call outlives it; a panic in run, and runtime.Goexit, go on to the caller after everything was released.
//
// Where the plan hedges, and a hedge is known to be worth it, run is called on goroutines of its own, at the same time, and what it uses
// must be safe for that. Do returns with the first answer, or when the caller's context ends; the contexts of the others end then, and
// they return when they do. A panic in one that Do waits for is raised again on the caller's goroutine.
//
// The context that run is given ends with the caller's, or when the attempt's time is over. A function that ignores it is waited for:
// then its answer counts, as a slow one. Where the plan says Abandon it is left behind instead, and so runs on a goroutine of its own.
//
// in is what the call asks, at most one: see Input.
func Do[T any](ctx context.Context, op *Operation, run func(context.Context, Attempt) (T, error), in ...Input) (T, error) {
	if op.chaos != nil {
		run = flawedBy(run, nil)
	}
	if op.abandoned != nil {
		run = leaving(op, run, nil)
	}
	op = op.of(in)
	var s straight
	value, err, ended := goStraight(ctx, &s, op, run, in)
	if ended {
		return value, err
	}
	res, err := drive(ctx, &s, op, run, in, value, err)
	return res.Value, err
}

// DoResult is Do for an operation with a fallback ladder: run makes the attempt of the rung that it is given, and the result says by
// which rung, and how good, the answer is. Rung 0 is the operation itself.
func DoResult[T any](ctx context.Context, op *Operation, run func(context.Context, Attempt) (T, error), in ...Input) (Result[T], error) {
	if op.chaos != nil {
		run = flawedBy(run, nil)
	}
	if op.abandoned != nil {
		run = leaving(op, run, nil)
	}
	op = op.of(in)
	s := straight{result: true}
	value, err, ended := goStraight(ctx, &s, op, run, in)
	switch {
	case !ended:
		return drive(ctx, &s, op, run, in, value, err)
	case err != nil:
		return Result[T]{}, err
	default:
		return Result[T]{Value: value, Attempts: 1}, nil
	}
}

// drive makes a call, or what is left of one that could not go straight: then value and err are what its first attempt returned.
func drive[T any](
	ctx context.Context, s *straight, op *Operation, run func(context.Context, Attempt) (T, error), in []Input, value T, err error,
) (Result[T], error) {
	var d driver
	defer d.close()
	for more := s.goOn(ctx, &d, op, in, err); more; {
		if d.hedges() {
			value, more = compete(&d, run, nil)
			continue
		}
		if err = d.first.skipped; err == nil {
			value, err = run(d.first.ctx, d.first.at) //nolint:contextcheck // it is made of ctx
		}
		if err == nil && d.op.asksFunc(d.first.at.Rung) && isNothing(value) {
			err = errNoAnswer
		}
		more = d.done(err) //nolint:contextcheck // it asks the attempt's own
	}
	if d.shadow > 0 && d.err == nil && d.served == 0 {
		exercise(&d, run)
	}
	if d.err != nil {
		return Result[T]{}, d.err
	}
	return result(&d, answerOf(&d, value)), d.partial
}

// asksFunc reports whether a rung asks a function, or another operation, in place of a target. One that stands in for a request has to answer,
// as a target would; what the methods of a wrapped value mean by nil is theirs to say.
func (op *Operation) asksFunc(rung int) bool { return op.sends && op.sort(rung).Calls() }

// isNothing reports whether an answer is a nil pointer, or a nil interface. A nil slice is an empty list, and an answer.
func isNothing(v any) bool {
	if v == nil {
		return true
	}
	r := reflect.ValueOf(v)
	return r.Kind() == reflect.Pointer && r.IsNil()
}

// result returns the answer with what the driver knows of it.
func result[T any](d *driver, value T) Result[T] {
	return Result[T]{
		Value: value, Degraded: d.level != 0, Rung: d.op.names[d.served], Level: d.level,
		Reason: d.call.Reason(), Age: d.age(), Similarity: d.similarity(), Exercised: d.call.Exercised(), Attempts: d.call.Attempts(), Cause: d.cause(),
	}
}

// cause returns the failures of the rungs before the one that answered; nil where the operation itself did.
func (d *driver) cause() error {
	cause := d.before(d.served)
	if cause == nil && d.served > 0 { // the caller's deadline had passed before anything was tried
		cause = contextError(d.call.Reason())
	}
	return cause
}
