package runtime_test

import (
	"context"
	"errors"
	"io"
	"iter"
	goruntime "runtime"
	"strings"
	"testing"
	"testing/iotest"
	"testing/synctest"

	"github.com/resgen-go/resgen/runtime"
)

// badCloser is a body whose Close panics.
type badCloser struct{ io.Reader }

func (badCloser) Close() error { panic("oh") }

// TestPanicsOfClose has the Close of a body panic, whoever closes it: the goroutine of the caller gets that, once, and no other.
func TestPanicsOfClose(t *testing.T) {
	t.Parallel()
	for name, end := range map[string]func(r io.ReadCloser, cancel context.CancelFunc){
		"closed":            func(r io.ReadCloser, _ context.CancelFunc) { _ = r.Close() },
		"read to its end":   func(r io.ReadCloser, _ context.CancelFunc) { _, _ = io.ReadAll(r) },
		"its context ended": func(r io.ReadCloser, cancel context.CancelFunc) { cancel(); synctest.Wait(); _ = r.Close() },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				s := newFlowTest(t, flowPlan(), flowScript{})
				ctx, cancel := context.WithCancel(t.Context())
				defer cancel()
				r, err := runtime.OpenReader(ctx, s.op, func(context.Context, runtime.Attempt) (io.ReadCloser, error) {
					s.next()
					return badCloser{strings.NewReader("text")}, nil
				})
				if err != nil {
					t.Fatal(err)
				}
				if got := outcomeOf(func() { end(r, cancel) }); got != "panic" {
					t.Errorf("the caller's goroutine saw %q, want a panic", got)
				}
				if got := outcomeOf(func() { _ = r.Close() }); got != "return" {
					t.Errorf("closing once more: the caller's goroutine saw %q", got)
				}
				synctest.Wait()
				s.check(t, 1)
			})
		})
	}
}

// TestPanicsBeforeTheFirstItem has what a method left panic at its end where its attempt has failed: its first read, or its first item.
func TestPanicsBeforeTheFirstItem(t *testing.T) {
	t.Parallel()
	for name, open := range map[string]func(ctx context.Context, s *flowTest) error{
		"reader": func(ctx context.Context, s *flowTest) error {
			_, err := runtime.OpenReader(ctx, s.op, func(context.Context, runtime.Attempt) (io.ReadCloser, error) {
				s.next()
				return badCloser{iotest.ErrReader(errGone)}, nil
			})
			return err
		},
		"iterator": func(ctx context.Context, s *flowTest) error {
			_, err := runtime.OpenSeq2(ctx, s.op, func(context.Context, runtime.Attempt) (iter.Seq2[string, error], error) {
				s.next()
				return func(yield func(string, error) bool) {
					defer panic("oh")
					yield("", errGone)
				}, nil
			})
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				s := newFlowTest(t, flowPlan(), flowScript{})
				if got := outcomeOf(func() { t.Error(open(t.Context(), s)) }); got != "panic" {
					t.Errorf("the caller's goroutine saw %q, want a panic", got)
				}
				s.check(t, 1)
			})
		})
	}
}

// TestAClosedReaderGivesNothing reads after Close, where the beginning was read ahead.
func TestAClosedReaderGivesNothing(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newFlowTest(t, flowPlan(), flowScript{})
		r, err := runtime.OpenReader(t.Context(), s.op, func(context.Context, runtime.Attempt) (io.ReadCloser, error) {
			s.next()
			return io.NopCloser(strings.NewReader("text")), nil
		})
		if err != nil {
			t.Fatal(err)
		}
		_ = r.Close()
		if n, err := r.Read(make([]byte, 1)); n != 0 || !errors.Is(err, runtime.ErrStreamClosed) {
			t.Errorf("got %d bytes and %v, want none and ErrStreamClosed", n, err)
		}
		s.check(t, 1)
	})
}

// endingReader is a body whose reads end otherwise than by returning.
type endingReader func()

func (e endingReader) Read([]byte) (int, error) { e(); return 0, nil }

// TestPanicsOfRead has a later read of a body panic, or end its goroutine, whose reader does not close it: everything is given back.
func TestPanicsOfRead(t *testing.T) {
	t.Parallel()
	for want, end := range map[string]func(){"panic": func() { panic("oh") }, "Goexit": goruntime.Goexit} {
		t.Run(want, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				s := newFlowTest(t, flowPlan(), flowScript{})
				r, err := runtime.OpenReader(t.Context(), s.op, func(context.Context, runtime.Attempt) (io.ReadCloser, error) {
					s.next()
					return io.NopCloser(io.MultiReader(strings.NewReader("text"), endingReader(end))), nil
				})
				if err != nil {
					t.Fatal(err)
				}
				if got := outcomeOf(func() { _, _ = io.ReadAll(r) }); got != want {
					t.Errorf("the caller's goroutine saw %q, want %q", got, want)
				}
				synctest.Wait()
				s.check(t, 1)
			})
		})
	}
}
