package runtime

import (
	"context"
	"io"
	"iter"
	"sync"
	"sync/atomic"

	"github.com/resgen-go/resgen/runtime/policy"
)

// puller runs an iterator step by step. Its end may come from another goroutine than its steps: then the one that takes a step ends it, as
// an iterator is one goroutine at a time.
type puller[T any] struct {
	next func() (T, bool)
	stop func()

	steps sync.Mutex // held while the iterator runs
	over  atomic.Bool
	late  latePanic // of what the iterator did at its end
}

// step returns the next item; false after the last.
func (p *puller[T]) step() (item T, ok bool) {
	p.steps.Lock()
	defer p.settle()
	defer p.steps.Unlock()
	if p.over.Load() {
		return item, false
	}
	return p.next()
}

// Close ends the iterator: now, or after the step that is under way. It is called once.
func (p *puller[T]) Close() error {
	p.over.Store(true)
	p.settle()
	return nil
}

// settle ends an iterator that is over and takes no step.
func (p *puller[T]) settle() {
	if !p.over.Load() || !p.steps.TryLock() {
		return
	}
	defer p.steps.Unlock()
	defer p.late.keep()
	p.stop()
}

// pair is one item of an iter.Seq2.
type pair[K, V any] struct {
	key   K
	value V
}

// seqFlow is the flow of an iterator.
type seqFlow[T any] struct {
	*flow[T]

	puller *puller[T]
}

// openSeq opens the flow of the iterator that made returns. fault says what an item tells of.
//
//nolint:contextcheck // what a stream holds is released with the contexts that it was made with
func openSeq[T any](
	ctx context.Context, at Attempt, fault func(T) error, made func(ctx context.Context) (iter.Seq[T], error),
) (*seqFlow[T], error) {
	c := newFlowCore(ctx, at, false)
	came := false
	defer c.abort(&came)
	seq, f, err := flawedFlow(c.ctx, at, made, nil)
	if err != nil {
		return nil, c.never(err)
	}
	if seq == nil {
		came = true
		c.finish(io.EOF, policy.Success)
		return &seqFlow[T]{flow: &flow[T]{c: c}}, nil
	}
	p := new(puller[T])
	p.next, p.stop = iter.Pull(seq)
	c.body = p
	opened, err := openFlow(c, pulled(c.ctx, f, func() (T, error) {
		item, ok := p.step()
		switch {
		case ok:
			return item, fault(item)
		case context.Cause(c.ctx) != nil: // it may have ended for that
			return item, context.Cause(c.ctx)
		}
		return item, io.EOF
	}))
	came = err == nil
	if err != nil {
		p.late.raise()
		return nil, err
	}
	return &seqFlow[T]{flow: opened, puller: p}, nil
}

// isNil reports whether the method gave no iterator at all, and no error.
func (f *seqFlow[T]) isNil() bool { return f.puller == nil }

// each gives the items that are left to yield, until that has enough. What the iterator does at its end is done when it returns.
func (f *seqFlow[T]) each(yield func(item T, err error) bool) {
	failed := true
	defer func() {
		if failed { // the iterator panicked, or ended the goroutine; so may the consumer have
			f.end()
		}
	}()
	for {
		item, err, over := f.take()
		if isEnd(err) || !yield(item, err) || over {
			break
		}
	}
	failed = false
	f.end()
	f.puller.late.raise()
}

// noFault is of items that tell of no errors.
func noFault[T any](T) error { return nil }

// OpenSeq is Open for a method that returns an iterator and an error. The call is answered when the iterator has its first item, or has
// ended: until then it is tried again, hedged, and taken to other rungs; from then on, never. The iterator that it returns is for one range.
// It ends with the context of the call, with the last item, and when the range ends early; what the call holds is given back then, once.
//
// Items are waited for as the plan says: to the first one, between two, and from the first to the last. The method's own iterator learns
// of that by its context, and one that ignores it is waited for. That it was cut off is told by Meta.Broke, and to observers.
func OpenSeq[T any](
	ctx context.Context, op *Operation, run func(context.Context, Attempt) (iter.Seq[T], error), in ...Input,
) (iter.Seq[T], error) {
	res, err := OpenSeqResult(ctx, op, run, in...)
	return res.Value, err
}

// OpenSeqResult is OpenSeq for an operation with a fallback ladder.
func OpenSeqResult[T any](
	ctx context.Context, op *Operation, run func(context.Context, Attempt) (iter.Seq[T], error), in ...Input,
) (Result[iter.Seq[T]], error) {
	res, err := openResult(ctx, op, func(ctx context.Context, at Attempt) (*seqFlow[T], error) {
		return openSeq(ctx, at, noFault[T], func(ctx context.Context) (iter.Seq[T], error) { return run(ctx, at) })
	}, in...)
	if err != nil {
		return Result[iter.Seq[T]]{}, err
	}
	f := res.Value
	if f.isNil() {
		return resultAs[*seqFlow[T], iter.Seq[T]](res, nil), nil
	}
	return resultAs(res, iter.Seq[T](func(yield func(T) bool) {
		f.each(func(item T, err error) bool { return err == nil && yield(item) })
	})), nil
}

// OpenSeq2 is OpenSeq for an iterator over pairs. Where the second of a pair is an error, it is one of the stream: in the first pair it
// fails the attempt, and later it is given to the range as an *Error, with the item that came with it; if the range goes on, so does the
// iterator. Ranging over it after it was cut off yields the error again, and ErrStreamClosed after an early end.
func OpenSeq2[K, V any](
	ctx context.Context, op *Operation, run func(context.Context, Attempt) (iter.Seq2[K, V], error), in ...Input,
) (iter.Seq2[K, V], error) {
	res, err := OpenSeq2Result(ctx, op, run, in...)
	return res.Value, err
}

// OpenSeq2Result is OpenSeq2 for an operation with a fallback ladder.
func OpenSeq2Result[K, V any](
	ctx context.Context, op *Operation, run func(context.Context, Attempt) (iter.Seq2[K, V], error), in ...Input,
) (Result[iter.Seq2[K, V]], error) {
	fault := noFault[pair[K, V]]
	_, faults := any((*V)(nil)).(*error) // V is the type error itself
	if faults {
		fault = func(p pair[K, V]) error { err, _ := any(p.value).(error); return err }
	}
	res, err := openResult(ctx, op, func(ctx context.Context, at Attempt) (*seqFlow[pair[K, V]], error) {
		return openSeq(ctx, at, fault, func(ctx context.Context) (iter.Seq[pair[K, V]], error) {
			seq, err := run(ctx, at)
			if err != nil || seq == nil {
				return nil, err
			}
			return func(yield func(pair[K, V]) bool) {
				seq(func(k K, v V) bool { return yield(pair[K, V]{k, v}) })
			}, nil
		})
	}, in...)
	if err != nil {
		return Result[iter.Seq2[K, V]]{}, err
	}
	f := res.Value
	if f.isNil() {
		return resultAs[*seqFlow[pair[K, V]], iter.Seq2[K, V]](res, nil), nil
	}
	return resultAs(res, iter.Seq2[K, V](func(yield func(K, V) bool) {
		f.each(func(p pair[K, V], err error) bool {
			if err != nil {
				if !faults {
					return false
				}
				p.value, _ = any(err).(V)
			}
			return yield(p.key, p.value)
		})
	})), nil
}

// Range is the call of a method that returns an iterator alone, of items and errors: everything happens inside the range, and each range
// is a call of its own. Its failure is the one item of a range that got none.
func Range[T any](
	ctx context.Context, op *Operation, run func(context.Context, Attempt) iter.Seq2[T, error], in ...Input,
) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		seq, err := OpenSeq2(ctx, op, func(ctx context.Context, at Attempt) (iter.Seq2[T, error], error) { return run(ctx, at), nil }, in...)
		if err != nil {
			var none T
			yield(none, err)
			return
		}
		if seq != nil {
			seq(yield)
		}
	}
}

// resultAs returns a result with another value.
func resultAs[T, U any](res Result[T], value U) Result[U] {
	return Result[U]{
		Value: value, Degraded: res.Degraded, Rung: res.Rung, Level: res.Level, Reason: res.Reason, Age: res.Age,
		Similarity: res.Similarity, Exercised: res.Exercised, Attempts: res.Attempts, Cause: res.Cause,
	}
}
