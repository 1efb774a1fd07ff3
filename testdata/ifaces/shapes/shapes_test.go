package shapes_test

import (
	"context"
	"errors"
	"net/url"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/resgen-go/resgen/runtime"
	"github.com/resgen-go/resgen/testdata/ifaces/shapes"
)

var errOdd = errors.New("odd")

// fake is a Shapes that notes its arguments, and fails as often as fails says.
type fake struct {
	shapes.Shapes

	fails, calls int
	args         []any
}

func (f *fake) call(args ...any) error {
	f.calls++
	f.args = args
	if f.calls <= f.fails {
		return context.DeadlineExceeded
	}
	return nil
}

func (f *fake) Last(s string, ctx context.Context) error { //nolint:revive // that is the case
	_, timed := ctx.Deadline()
	return f.call(s, timed)
}

func (f *fake) Two(ctx, other context.Context) (string, error) {
	_, timed := ctx.Deadline()
	_, otherTimed := other.Deadline()
	return "two", f.call(timed, otherTimed)
}

func (f *fake) ErrFirst(context.Context) (error, int) { return f.call(), 7 } //nolint:revive // that is the case

func (f *fake) ErrTwo(context.Context) (a, b error) { return errOdd, f.call() }

func (f *fake) Several(_ context.Context, n int) (b int, ok bool, _ string, err error) {
	return n + 1, true, "s", f.call(n)
}

func (f *fake) Shadow(_ context.Context, a, b, c, d, e, g, h string, v *shapes.Failure) (*url.URL, time.Duration, error) {
	return &url.URL{Path: a}, time.Second, f.call(a, b, c, d, e, g, h, v.Code)
}

func (f *fake) Names(_ context.Context, a string, b int, c bool, d []int, e any, g error, h, i, j, k int) (string, error) {
	return a, f.call(a, b, c, d, e, g, h, i, j, k)
}

func (f *fake) Unnamed(_ context.Context, s string, n ...int) (int, error) {
	return len(n), f.call(s, n)
}

func (f *fake) Variadic(_ context.Context, query string, args ...any) ([]any, error) {
	err := f.call(query, args)
	got := append([]any(nil), args...)
	for i := range args {
		args[i] = "changed"
	}
	return got, err
}

func (f *fake) Deaf(context.Context) (int, error) {
	time.Sleep(time.Minute)
	return 1, nil
}

func (f *fake) Must(_ context.Context, n int) int     { _ = f.call(n); return n }
func (f *fake) Typed(context.Context) *shapes.Failure { _ = f.call(); return nil }
func (f *fake) Log(args ...any)                       { _ = f.call(args...) }
func (f *fake) Deadline() (time.Time, bool)           { return time.Unix(1, 0), true }

func wrap(t *testing.T, next shapes.Shapes) *shapes.ResilientShapes {
	t.Helper()
	w, err := shapes.NewResilientShapes(next)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

func TestEachArgumentArrives(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		call func(context.Context, *shapes.ResilientShapes) (any, error)
		want any
		args []any
	}{
		"Last": {func(ctx context.Context, w *shapes.ResilientShapes) (any, error) { return nil, w.Last("s", ctx) }, nil, []any{"s", true}},
		"Two":  {func(ctx context.Context, w *shapes.ResilientShapes) (any, error) { return w.Two(ctx, ctx) }, "two", []any{true, false}},
		"ErrFirst": {func(ctx context.Context, w *shapes.ResilientShapes) (any, error) {
			err, n := w.ErrFirst(ctx)
			return n, err
		}, 7, nil},
		"ErrTwo": {func(ctx context.Context, w *shapes.ResilientShapes) (any, error) {
			a, err := w.ErrTwo(ctx)
			return a == errOdd, err //nolint:errorlint // the very one
		}, true, nil},
		"Several": {func(ctx context.Context, w *shapes.ResilientShapes) (any, error) {
			b, ok, s, err := w.Several(ctx, 1)
			return []any{b, ok, s}, err
		}, []any{2, true, "s"}, []any{1}},
		"Shadow": {func(ctx context.Context, w *shapes.ResilientShapes) (any, error) {
			u, d, err := w.Shadow(ctx, "1", "2", "3", "4", "5", "6", "7", &shapes.Failure{Code: 8})
			return []any{u.Path, d}, err
		}, []any{"1", time.Second}, []any{"1", "2", "3", "4", "5", "6", "7", 8}},
		"Names": {func(ctx context.Context, w *shapes.ResilientShapes) (any, error) {
			return w.Names(ctx, "1", 2, true, []int{4}, 5, nil, 7, 8, 9, 10)
		}, "1", []any{"1", 2, true, []int{4}, 5, nil, 7, 8, 9, 10}},
		"Unnamed":       {func(ctx context.Context, w *shapes.ResilientShapes) (any, error) { return w.Unnamed(ctx, "s", 1, 2) }, 2, []any{"s", []int{1, 2}}},
		"Unnamed, none": {func(ctx context.Context, w *shapes.ResilientShapes) (any, error) { return w.Unnamed(ctx, "s") }, 0, []any{"s", []int(nil)}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, fails := range []int{0, 2} {
				next := &fake{fails: fails}
				synctest.Test(t, func(t *testing.T) {
					got, err := c.call(t.Context(), wrap(t, next))
					if diff := cmp.Diff(c.want, got); err != nil || diff != "" || next.calls != fails+1 {
						t.Errorf("%v after %d calls (-want +got):\n%s", err, next.calls, diff)
					}
					if diff := cmp.Diff(c.args, next.args); diff != "" {
						t.Errorf("arguments (-want +got):\n%s", diff)
					}
				})
			}
		})
	}
}

func TestValuesAreZeroWhenEveryAttemptFailed(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		next := &fake{fails: 3}
		b, ok, s, err := wrap(t, next).Several(t.Context(), 1)
		var e *runtime.Error
		if b != 0 || ok || s != "" || !errors.As(err, &e) || e.Attempts != 3 {
			t.Errorf("got %v, %v, %q, %v", b, ok, s, err)
		}
	})
}

func TestAttemptsDoNotShareVariadicArguments(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		args := []any{1, "two"}
		got, err := wrap(t, &fake{fails: 2}).Variadic(t.Context(), "q", args...)
		if diff := cmp.Diff([]any{1, "two"}, got); err != nil || diff != "" {
			t.Errorf("%v (-want +got):\n%s", err, diff)
		}
		if diff := cmp.Diff([]any{1, "two"}, args); diff != "" {
			t.Errorf("the caller's slice was changed (-want +got):\n%s", diff)
		}
	})
}

func TestCallThatIgnoresItsContextIsLeftBehind(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		begin := time.Now()
		_, err := wrap(t, &fake{}).Deaf(t.Context())
		if took := time.Since(begin); !errors.Is(err, context.DeadlineExceeded) || took != 1010*time.Millisecond {
			t.Errorf("got %v after %v, want a timeout after two attempts of 500ms", err, took)
		}
		time.Sleep(time.Hour) // what was left behind ends
	})
}

func TestPassedThrough(t *testing.T) {
	t.Parallel()
	next := &fake{fails: 9}
	w := wrap(t, next)
	if got := w.Must(t.Context(), 3); got != 3 {
		t.Errorf("Must: got %d", got)
	}
	if got := w.Typed(t.Context()); got != nil {
		t.Errorf("Typed: got %v", got)
	}
	w.Log(1, 2)
	if diff := cmp.Diff([]any{1, 2}, next.args); diff != "" || next.calls != 3 {
		t.Errorf("after %d calls (-want +got):\n%s", next.calls, diff)
	}
	if at, ok := w.Deadline(); at.Unix() != 1 || !ok {
		t.Errorf("Deadline: got %v, %v", at, ok)
	}
}
