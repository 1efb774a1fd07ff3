package runtime

import (
	"context"
	"io"

	"github.com/resgen-go/resgen/runtime/policy"
)

// chanFlow is the flow of a channel.
type chanFlow[T any] struct {
	*flow[T]

	room int // of the channel
}

// openChan opens the flow of the channel that made returns.
//
//nolint:contextcheck // what a stream holds is released with the contexts that it was made with
func openChan[T any](
	ctx context.Context, at Attempt, made func(ctx context.Context) (<-chan T, error),
) (*chanFlow[T], error) {
	c := newFlowCore(ctx, at, false)
	came := false
	defer c.abort(&came)
	from, fault, err := flawedFlow(c.ctx, at, made, nil)
	if err != nil {
		return nil, c.never(err)
	}
	if from == nil {
		came = true
		c.finish(io.EOF, policy.Success)
		return &chanFlow[T]{flow: &flow[T]{c: c}, room: none}, nil
	}
	f, err := openFlow(c, pulled(c.ctx, fault, func() (item T, err error) {
		select { // what is there comes before the end of the context
		case item, open := <-from:
			return item, endOf(open)
		default:
		}
		select {
		case item, open := <-from:
			return item, endOf(open)
		case <-c.ctx.Done():
			return item, context.Cause(c.ctx)
		}
	}))
	came = err == nil
	if err != nil {
		return nil, err
	}
	return &chanFlow[T]{flow: f, room: cap(from)}, nil
}

// endOf is io.EOF for a channel that is closed.
func endOf(open bool) error {
	if open {
		return nil
	}
	return io.EOF
}

// pass gives the items to a channel, until it has given all, or the flow is over.
func (f *chanFlow[T]) pass(to chan<- T) {
	defer close(to)
	defer f.end()
	for {
		item, err, _ := f.take()
		if err != nil {
			return
		}
		select {
		case to <- item:
		case <-f.c.ctx.Done():
			_ = f.c.broke(context.Cause(f.c.ctx)) // told by Meta.Broke, and to observers
			return
		}
	}
}

// OpenChan is Open for a method that returns a channel and an error. The call is answered when the channel has its first item, or was
// closed: until then it is tried again, hedged, and taken to other rungs; from then on, never. The channel that it returns is closed after
// the last item, and when the context of the call ends: who does not receive from it to its end must end that context, as with every
// channel, or a goroutine waits for ever.
//
// Items are waited for as the plan says: to the first one, between two (while nobody receives, none is waited for), and from the first to
// the last. The method learns of that by its context. That it was cut off is told by Meta.Broke, and to observers.
func OpenChan[T any](
	ctx context.Context, op *Operation, run func(context.Context, Attempt) (<-chan T, error), in ...Input,
) (<-chan T, error) {
	res, err := OpenChanResult(ctx, op, run, in...)
	return res.Value, err
}

// OpenChanResult is OpenChan for an operation with a fallback ladder.
func OpenChanResult[T any](
	ctx context.Context, op *Operation, run func(context.Context, Attempt) (<-chan T, error), in ...Input,
) (Result[<-chan T], error) {
	res, err := openResult(ctx, op, func(ctx context.Context, at Attempt) (*chanFlow[T], error) {
		return openChan(ctx, at, func(ctx context.Context) (<-chan T, error) { return run(ctx, at) })
	}, in...)
	if err != nil {
		return Result[<-chan T]{}, err
	}
	f := res.Value
	if f.room == none {
		return resultAs[*chanFlow[T], <-chan T](res, nil), nil
	}
	to := make(chan T, f.room)
	go f.pass(to) //nolint:contextcheck // it has that of the stream
	return resultAs[*chanFlow[T], <-chan T](res, to), nil
}
