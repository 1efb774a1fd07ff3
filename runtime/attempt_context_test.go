package runtime_test

import (
	"context"
	"errors"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/resgen-go/resgen/runtime"
	"github.com/resgen-go/resgen/runtime/policy"
)

// inAttempt runs one attempt of at most a second, without a caller's deadline, in a bubble.
func inAttempt(t *testing.T, ctx func() context.Context, run func(ctx context.Context) error, after func(err error)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		p := once()
		p.Timeout = policy.Timeout{Attempt: time.Second, Total: time.Minute}
		op, err := runtime.NewOperation(nil, "llm", p, runtime.Wiring{})
		if err != nil {
			t.Fatal(err)
		}
		_, err = runtime.Do(ctx(), op, func(ctx context.Context, _ runtime.Attempt) (int, error) { return 1, run(ctx) })
		after(err)
	})
}

// ownAfter is what wire asks the context of an attempt for in place of context.AfterFunc.
func ownAfter(ctx context.Context, f func()) (stop func() bool) {
	return ctx.(interface {
		AfterFunc(f func()) (stop func() bool)
	}).AfterFunc(f)
}

// A function that was to be called at the end of an attempt's context is not, once that was stopped; and stopping says whether it was in time.
func TestAttemptContextCallsNothingThatWasStopped(t *testing.T) {
	t.Parallel()
	for name, caller := range map[string]func() (context.Context, context.CancelFunc){
		"a caller without an end": func() (context.Context, context.CancelFunc) { return context.Background(), func() {} },
		"a caller with an end":    func() (context.Context, context.CancelFunc) { return context.WithCancel(context.Background()) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			cancel := func() {}
			inAttempt(t, func() (ctx context.Context) {
				ctx, cancel = caller()
				return ctx
			}, func(ctx context.Context) error {
				if !ownAfter(ctx, func() { t.Error("what was stopped was called") })() {
					t.Error("stopped in time, and yet not")
				}
				called := make(chan struct{}, 2)
				stop := ownAfter(ctx, func() { called <- struct{}{} })
				if cancel(); ctx.Err() == nil {
					sleep(time.Second)
				}
				<-called
				if stop() {
					t.Error("stopped what was called")
				}
				return nil
			}, func(error) {})
		})
	}
}

// foreign is a caller's context of a kind that the standard library does not know, as frameworks have them. Its end is nearer than that of any
// attempt, so that the attempt has none of its own.
type foreign struct {
	context.Context

	done  chan struct{}
	until time.Time
}

func (f *foreign) Done() <-chan struct{}       { return f.done }
func (f *foreign) Deadline() (time.Time, bool) { return f.until, true }

func (f *foreign) Err() error {
	select {
	case <-f.done:
		return context.Canceled
	default:
		return nil
	}
}

// Whatever kind the caller's context is of, contexts that are made of the attempt's end with it.
func TestAttemptContextOfAForeignOne(t *testing.T) {
	t.Parallel()
	for name, watch := range map[string]func(ctx context.Context) <-chan struct{}{
		"a child": func(ctx context.Context) <-chan struct{} {
			child, cancel := context.WithCancel(ctx)
			context.AfterFunc(child, cancel)
			return child.Done()
		},
		"after": func(ctx context.Context) <-chan struct{} {
			over := make(chan struct{})
			context.AfterFunc(ctx, func() { close(over) })
			return over
		},
		"its own after": func(ctx context.Context) <-chan struct{} {
			over := make(chan struct{})
			ownAfter(ctx, func() { close(over) })
			return over
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				p := once()
				p.Timeout, p.Retry.Attempts = policy.Timeout{Attempt: time.Second, Total: time.Minute}, 2 // which is hidden from calls inside
				op, err := runtime.NewOperation(nil, "llm", p, runtime.Wiring{})
				if err != nil {
					t.Fatal(err)
				}
				caller := &foreign{Context: context.Background(), done: make(chan struct{}), until: time.Now().Add(time.Second / 2)}
				_, err = runtime.Do(caller, op, func(ctx context.Context, _ runtime.Attempt) (int, error) {
					over := watch(ctx)
					select {
					case <-over:
						t.Error("it ended before the caller's")
					default:
					}
					close(caller.done)
					<-over
					return 0, ctx.Err()
				})
				if !errors.Is(err, context.Canceled) {
					t.Errorf("got %v, want canceled", err)
				}
			})
		})
	}
}

// The deadline of an attempt is the same to everybody who asks for it, in whatever way.
func TestAttemptContextEndsHoweverItIsAsked(t *testing.T) {
	t.Parallel()
	for name, wait := range map[string]func(ctx context.Context) error{
		"done": func(ctx context.Context) error {
			<-ctx.Done()
			return ctx.Err()
		},
		"a child": func(ctx context.Context) error {
			child, cancel := context.WithCancel(ctx)
			defer cancel()
			<-child.Done()
			return child.Err()
		},
		"a child of a value": func(ctx context.Context) error {
			child, cancel := context.WithCancel(context.WithValue(ctx, t, 1))
			defer cancel()
			<-child.Done()
			return child.Err()
		},
		"after": func(ctx context.Context) error {
			over := make(chan struct{})
			context.AfterFunc(ctx, func() { close(over) })
			<-over
			return ctx.Err()
		},
		"its own after": func(ctx context.Context) error {
			over := make(chan struct{})
			ownAfter(ctx, func() { close(over) })
			<-over
			return ctx.Err()
		},
		"its own after, beside another": func(ctx context.Context) error {
			over := make(chan struct{})
			ownAfter(ctx, func() { close(over) })
			<-ctx.Done()
			<-over
			return ctx.Err()
		},
		"polling": func(ctx context.Context) error {
			for ctx.Err() == nil {
				sleep(10 * time.Millisecond)
			}
			return ctx.Err()
		},
		"not at all": func(context.Context) error {
			sleep(time.Second)
			return context.DeadlineExceeded
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			inAttempt(t, context.Background, func(ctx context.Context) error {
				start := time.Now()
				until, ok := ctx.Deadline()
				if !ok || until.Sub(start) != time.Second {
					t.Errorf("the deadline is %v, %v, want in a second", until.Sub(start), ok)
				}
				err := wait(ctx)
				if took := time.Since(start); took != time.Second {
					t.Errorf("it ended after %v, want a second", took)
				}
				if !errors.Is(err, context.DeadlineExceeded) || !errors.Is(ctx.Err(), context.DeadlineExceeded) {
					t.Errorf("it ended with %v, and then %v, want an exceeded deadline", err, ctx.Err())
				}
				if cause := context.Cause(ctx); cause.Error() != "attempt timed out after 1s" {
					t.Errorf("the cause is %q", cause)
				}
				return err
			}, func(err error) {
				if !errors.Is(err, runtime.ErrTimeout) {
					t.Errorf("got %v, want a timeout", err)
				}
			})
		})
	}
}

// The caller's end ends the attempt, and is not taken for the attempt's own.
func TestAttemptContextEndsWithTheCaller(t *testing.T) {
	t.Parallel()
	for name, ask := range map[string]bool{"asked before": true, "never asked": false} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			why := errors.New("enough")
			inAttempt(t, func() context.Context {
				ctx, cancel := context.WithCancelCause(context.Background())
				time.AfterFunc(time.Second/2, func() { cancel(why) })
				return ctx
			}, func(ctx context.Context) error {
				if ask {
					ctx.Done()
				}
				sleep(time.Second / 2)
				synctest.Wait()
				if !errors.Is(ctx.Err(), context.Canceled) || !errors.Is(context.Cause(ctx), why) {
					t.Errorf("it ended with %v because of %v, want canceled, as the caller's was", ctx.Err(), context.Cause(ctx))
				}
				sleep(time.Second) // past the attempt's own end
				return ctx.Err()
			}, func(err error) {
				if !errors.Is(err, runtime.ErrCanceled) {
					t.Errorf("got %v, want canceled", err)
				}
			})
		})
	}
}

// What an attempt leaves behind has ended with it, also for those who ask only then.
func TestAttemptContextEndsWithTheAttempt(t *testing.T) {
	t.Parallel()
	for name, ask := range map[string]bool{"asked before": true, "asked after": false} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var kept context.Context
			inAttempt(t, context.Background, func(ctx context.Context) error {
				kept = ctx //nolint:fatcontext // to be looked at
				if ask {
					ctx.Done()
				}
				return nil
			}, func(err error) {
				if err != nil {
					t.Fatal(err)
				}
				select {
				case <-kept.Done():
				default:
					t.Error("it has not ended")
				}
				if !errors.Is(kept.Err(), context.Canceled) {
					t.Errorf("it ended with %v, want canceled", kept.Err())
				}
			})
		})
	}
}

// Many ask at once while the attempt ends: whoever was given a channel sees it closed.
func TestAttemptContextIsAskedWhileItEnds(t *testing.T) {
	t.Parallel()
	p := once()
	p.Timeout = policy.Timeout{Attempt: time.Minute, Total: time.Hour}
	op, err := runtime.NewOperation(nil, "llm", p, runtime.Wiring{})
	if err != nil {
		t.Fatal(err)
	}
	var all sync.WaitGroup
	for range 500 {
		_, err := runtime.Do(t.Context(), op, func(ctx context.Context, _ runtime.Attempt) (int, error) {
			for range 3 {
				all.Go(func() { <-ctx.Done() })
			}
			return 1, nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	all.Wait() // for ever, if one was forgotten
}
