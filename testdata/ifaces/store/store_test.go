package store_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/resgen-go/resgen/runtime"
	"github.com/resgen-go/resgen/runtime/policy"
	"github.com/resgen-go/resgen/runtime/runtimetest"
	"github.com/resgen-go/resgen/testdata/ifaces/store"
)

// fake is a Store whose calls end with the errors that are left, in order, and then succeed.
type fake struct {
	errs  []error
	calls int
	slow  time.Duration
	last  context.Context
}

func (f *fake) call(ctx context.Context) error {
	f.calls++
	f.last = ctx
	if f.slow > 0 {
		select {
		case <-time.After(f.slow):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	if f.calls <= len(f.errs) {
		return f.errs[f.calls-1]
	}
	return nil
}

func (f *fake) Get(ctx context.Context, key string) (store.Item, error) {
	return store.Item{Name: "item of " + key}, f.call(ctx)
}

func (f *fake) Put(ctx context.Context, _ string, _ store.Item) error { return f.call(ctx) }

func (f *fake) Append(ctx context.Context, key, more string) (int, error) {
	return len(key + more), f.call(ctx)
}

func (f *fake) Close() error { return errClosing }

var (
	errClosing = errors.New("closing")
	errOdd     = errors.New("odd")
)

func wrap(t *testing.T, next store.Store, opts ...store.StoreOption) *store.ResilientStore {
	t.Helper()
	w, err := store.NewResilientStore(next, opts...)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

func TestRetries(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		next := &fake{errs: []error{context.DeadlineExceeded, context.DeadlineExceeded}}
		begin := time.Now()
		got, err := wrap(t, next).Get(t.Context(), "k")
		if err != nil || got.Name != "item of k" || next.calls != 3 {
			t.Errorf("got %v, %v after %d calls; want the item after 3", got, err, next.calls)
		}
		if waited := time.Since(begin); waited != 30*time.Millisecond {
			t.Errorf("it waited %v, want 10ms + 20ms", waited)
		}
	})
}

func TestExhaustedRetriesReturnTheLastErrorAndNoValue(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		next := &fake{errs: []error{context.DeadlineExceeded, context.DeadlineExceeded, context.DeadlineExceeded}}
		got, err := wrap(t, next).Get(t.Context(), "k")
		var e *runtime.Error
		if !errors.As(err, &e) || !errors.Is(err, context.DeadlineExceeded) || got != (store.Item{}) || next.calls != 3 {
			t.Fatalf("got %v, %v after %d calls", got, err, next.calls)
		}
		if e.Operation != "Store.Get" || e.Kind != policy.KindTimeout || e.Attempts != 3 {
			t.Errorf("got %+v", e)
		}
	})
}

func TestTimeoutEndsTheContextOfAnAttempt(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		next := &fake{slow: time.Hour}
		begin := time.Now()
		err := wrap(t, next).Put(t.Context(), "k", store.Item{})
		if took := time.Since(begin); !errors.Is(err, context.DeadlineExceeded) || next.calls != 2 || took != 1010*time.Millisecond {
			t.Errorf("got %v after %d calls and %v, want a timeout after 2 calls of 500ms", err, next.calls, took)
		}
	})
}

func TestWhatMayNotBeRepeatedIsCalledOnce(t *testing.T) {
	t.Parallel()
	next := &fake{errs: []error{errOdd}}
	_, err := wrap(t, next).Append(t.Context(), "a", "b")
	if !errors.Is(err, errOdd) || next.calls != 1 {
		t.Errorf("got %v after %d calls, want the error after 1", err, next.calls)
	}
	if n, err := wrap(t, &fake{}).Append(t.Context(), "ab", "c"); n != 3 || err != nil {
		t.Errorf("got %d, %v; want 3, nil", n, err)
	}
}

func TestPassedThrough(t *testing.T) {
	t.Parallel()
	if err := wrap(t, &fake{}).Close(); err != errClosing { //nolint:errorlint // as it is
		t.Errorf("got %v, want the very error", err)
	}
}

func TestCallersContextAndValues(t *testing.T) {
	t.Parallel()
	type key struct{}
	next := &fake{}
	if _, err := wrap(t, next).Get(context.WithValue(t.Context(), key{}, "v"), "k"); err != nil {
		t.Fatal(err)
	}
	if next.last.Value(key{}) != "v" {
		t.Error("the implementation did not get the values of the caller's context")
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := wrap(t, next).Get(ended, "k"); !errors.Is(err, context.Canceled) || next.calls != 1 {
		t.Errorf("got %v after %d calls, want no further call", err, next.calls)
	}
}

func TestUnwrap(t *testing.T) {
	t.Parallel()
	next := &fake{}
	if got := wrap(t, next).Unwrap(); got != store.Store(next) {
		t.Errorf("got %v, want what was wrapped", got)
	}
}

func TestNilIsRefused(t *testing.T) {
	t.Parallel()
	if w, err := store.NewResilientStore(nil); err == nil || w != nil {
		t.Errorf("got %v, %v; want an error", w, err)
	}
}

func TestRuntimeOptions(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var rec runtimetest.Recorder
		group := runtime.NewGroup()
		next := &fake{}
		for range 9 {
			next.errs = append(next.errs, context.DeadlineExceeded)
		}
		w := wrap(t, next, nil, store.WithStoreRuntime(runtime.WithGroup(group), runtime.WithObserver(&rec), nil))
		for range 3 {
			_, _ = w.Get(t.Context(), "k")
		}
		open := false
		for _, m := range group.Snapshot() {
			open = open || m.Breaker.State == policy.StateOpen
		}
		if !open {
			t.Errorf("no breaker of the group is open after 5 failures: %+v", group.Snapshot())
		}
		if _, err := w.Get(t.Context(), "k"); !errors.Is(err, runtime.ErrBreakerOpen) {
			t.Errorf("got %v, want that the breaker is open", err)
		}
		if len(rec.Events()) == 0 {
			t.Error("the observer was told nothing")
		}
	})
}

func TestAllocations(t *testing.T) {
	w, ctx := wrap(t, &fake{}), t.Context()
	got := map[string]float64{
		"Get": testing.AllocsPerRun(100, func() { _, _ = w.Get(ctx, "k") }) - 1, // of the fake
		"Put": testing.AllocsPerRun(100, func() { _ = w.Put(ctx, "k", store.Item{}) }),
	}
	if diff := cmp.Diff(map[string]float64{"Get": 1, "Put": 1}, got); diff != "" { // the attempt's context
		t.Errorf("(-want +got):\n%s", diff)
	}
}
