package runtime

import (
	"context"
	"io"
)

// kept is an answer that is used when the call is over.
type kept[T any] struct{ value T }

// Close ends an answer that nobody takes.
func (k kept[T]) Close() error {
	if c, ok := any(k.value).(io.Closer); ok && !isNoAnswer(k.value) {
		return c.Close() //nolint:wrapcheck // it is what the answer says
	}
	return nil
}

// kept returns the answer: it may say when it ends.
func (k kept[T]) kept() any { return k.value }

// Keep is Do for answers that need the context of their attempt when the call is over: rows, a function, a channel to send to, several values
// with one of these. That context lasts until the caller's ends, and with it what was made of it; the time of an attempt is over with
// the call. A permit is given back when Keep returns, or, where the answer has a method OnEnd, as Open says. An answer that comes when
// nobody takes it is closed, if it can be.
func Keep[T any](ctx context.Context, op *Operation, run func(context.Context, Attempt) (T, error), in ...Input) (T, error) {
	res, err := KeepResult(ctx, op, run, in...)
	return res.Value, err
}

// KeepResult is Keep for an operation with a fallback ladder.
func KeepResult[T any](ctx context.Context, op *Operation, run func(context.Context, Attempt) (T, error), in ...Input) (Result[T], error) {
	res, err := OpenResult(ctx, op, func(ctx context.Context, at Attempt) (kept[T], error) {
		value, err := run(ctx, at)
		return kept[T]{value}, err
	}, in...)
	return resultAs(res, res.Value.value), err
}
