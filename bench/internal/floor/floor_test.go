package floor

import (
	"context"
	"errors"
	"testing"
	"time"
)

var errBroken = errors.New("broken")

func answer(context.Context) (int, error) { return 1, nil }

// What is measured must do its work: a floor that forgets something is no floor.
func TestDo(t *testing.T) {
	t.Parallel()
	s := New(time.Minute, 1, 4)
	tries := 0
	got, err := Do(t.Context(), s, func(ctx context.Context) (int, error) {
		if _, ok := ctx.Deadline(); !ok {
			t.Error("no deadline")
		}
		if _, err := Do(ctx, s, answer); !errors.Is(err, ErrFull) {
			t.Errorf("a second call at the same time: %v, want %v", err, ErrFull)
		}
		if tries++; tries < 3 {
			return 0, errBroken
		}
		return 1, nil
	})
	if got != 1 || err != nil || tries != 3 {
		t.Errorf("got %d, %v after %d tries; want 1 after 3", got, err, tries)
	}
	if total, failures := s.window.Totals(Now()); total != 3 || failures != 2 {
		t.Errorf("the window holds %d results, %d failures; want 3, 2", total, failures)
	}
	for range minCalls {
		_, _ = Do(t.Context(), s, func(context.Context) (int, error) { return 0, errBroken })
	}
	if _, err := Do(t.Context(), s, answer); !errors.Is(err, ErrOpen) {
		t.Errorf("after %d failures: %v, want %v", minCalls, err, ErrOpen)
	}
}

func TestVariants(t *testing.T) {
	t.Parallel()
	s := New(time.Minute, 1, 1)
	pooled := New(time.Minute, 1, 1)
	pooled.Pooled = true
	m := &MutexStack{Timeout: time.Minute, MaxInFlight: 1}
	for name, do := range map[string]func() (int, error){
		"pooled":      func() (int, error) { return Do(t.Context(), pooled, answer) },
		"no clock":    func() (int, error) { return DoNoClock(t.Context(), s, answer) },
		"std timeout": func() (int, error) { return DoStdTimeout(t.Context(), s, answer) },
		"mutex":       func() (int, error) { return DoMutex(t.Context(), m, answer) },
	} {
		for range 3 { // permits come back
			if got, err := do(); got != 1 || err != nil {
				t.Errorf("%s: got %d, %v; want 1", name, got, err)
			}
		}
	}
}

func TestLazyContext(t *testing.T) {
	t.Parallel()
	var c LazyContext
	c.Init(t.Context(), Now()+int64(time.Hour))
	if c.Err() != nil {
		t.Errorf("before its end: %v", c.Err())
	}
	child, cancel := context.WithCancel(&c)
	defer cancel()
	c.Finish()
	<-child.Done()
	if !errors.Is(c.Err(), context.Canceled) {
		t.Errorf("after its end: %v, want %v", c.Err(), context.Canceled)
	}
	var late LazyContext
	late.Init(t.Context(), Now()-1)
	if !errors.Is(late.Err(), context.DeadlineExceeded) {
		t.Errorf("after its deadline: %v, want %v", late.Err(), context.DeadlineExceeded)
	}
	<-late.Done()
}
