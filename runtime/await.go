package runtime

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"
)

// What calls ask beside their target, a store or an embedder, is code of the user's that they can do without. It is bounded in time, and nothing
// that it does ends a call: it fails, with its own error, or with one of these, or with the cause of the end of its context.
var (
	errPanicked = errors.New("it panicked")
	errExited   = errors.New("it ended its goroutine")
)

// heed calls a function of the user's, and gives end what it comes to: also a panic, and the end of the goroutine, which goes on after end.
func heed[T any](ctx context.Context, f func(context.Context) (T, error), end func(T, error)) {
	var value T
	err := errExited
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("%w: %v", errPanicked, p)
		}
		end(value, err)
	}()
	value, err = f(ctx)
}

// await calls a function of the user's, and waits no longer than its context lasts: then its error is the context's cause, and the function is
// left behind. What goes on although nobody waits for it is counted in left, which may be nil. One that is local answers at once: it is called
// on this goroutine.
func await[T any](ctx context.Context, local bool, left *atomic.Int32, f func(context.Context) (T, error)) (answer T, err error) {
	if local {
		heed(ctx, f, func(value T, failed error) { answer, err = value, failed })
		return answer, err
	}
	type reply struct {
		value T
		err   error
	}
	said := make(chan reply, 1)
	go heed(ctx, f, func(value T, err error) { said <- reply{value, err} })
	select {
	case r := <-said:
		return r.value, r.err
	case <-ctx.Done():
	}
	if left != nil {
		left.Add(1)
		go func() {
			<-said
			left.Add(-1)
		}()
	}
	return answer, context.Cause(ctx) //nolint:wrapcheck // the caller says who did not answer
}

// aloud tells of what a call asks beside its target.
type aloud struct {
	op  *Operation
	ctx context.Context //nolint:containedctx // of the call; it has no end where the call may be over
}

// store counts and tells that a store failed.
func (t *aloud) store(err error) {
	t.op.answers.failed.Add(1)
	t.tell(Event{What: StoreFailed, Err: err})
}

// embedder counts and tells that the embedder did.
func (t *aloud) embedder(err error) {
	t.op.answers.notEmbedded.Add(1)
	t.tell(Event{What: EmbedderFailed, Err: err})
}

func (t *aloud) tell(e Event) {
	t.op.fill(time.Now(), &e)
	tell(t.ctx, t.op.observer, e)
}
