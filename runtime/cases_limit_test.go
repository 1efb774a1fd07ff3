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

// limit bounds the requests of a plan.
func limit(amount float64, per time.Duration, burst int) func(*policy.Plan) {
	return func(p *policy.Plan) {
		p.Limit.Requests, p.Limit.Burst = policy.Rate{Amount: amount, Per: per}, burst
	}
}

func TestC049_APreCanceledCallUsesUpNothing(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		op, _ := operation(t, once(limit(1, time.Second, 5)))
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		script := play(step{})
		for range 50 {
			if _, err := runtime.Do(ctx, op, script.Run); !errors.Is(err, context.Canceled) {
				t.Fatalf("got %v, want context.Canceled", err)
			}
		}
		if n := len(script.Seen()); n != 0 {
			t.Errorf("%d hits, want none", n)
		}
		start := time.Now()
		var wg sync.WaitGroup
		for range 5 {
			wg.Go(func() {
				if _, err := runtime.Do(t.Context(), op, script.Run); err != nil || time.Since(start) != 0 {
					t.Errorf("%v after %v, want an answer without a wait", err, time.Since(start))
				}
			})
		}
		wg.Wait()
	})
}

func TestC050_AWaitBeyondTheDeadlineLeavesNoDebt(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		op, _ := operation(t, once(limit(10, time.Second, 1)))
		script := play(step{})
		if _, err := runtime.Do(t.Context(), op, script.Run); err != nil {
			t.Fatal(err)
		}
		start := time.Now()
		ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
		defer cancel()
		var wg sync.WaitGroup
		for range 100 {
			wg.Go(func() {
				_, err := runtime.Do(ctx, op, script.Run)
				if !errors.Is(err, runtime.ErrRateLimited) || !errors.Is(err, context.DeadlineExceeded) || time.Since(start) >= 20*time.Millisecond {
					t.Errorf("%v after %v; want a rejection by the limit at once, because of the deadline", err, time.Since(start))
				}
			})
		}
		wg.Wait()
		sleep(300*time.Millisecond - time.Since(start))
		before := time.Now()
		if _, err := runtime.Do(t.Context(), op, script.Run); err != nil || time.Since(before) >= 150*time.Millisecond {
			t.Errorf("%v after %v, want an answer soon", err, time.Since(before))
		}
		if n := len(script.Seen()); n != 2 {
			t.Errorf("%d hits, want 2", n)
		}
	})
}

func TestC050_NoWindowHoldsMoreThanTheLimit(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		op, _ := operation(t, once(limit(10, time.Second, 1)))
		script := play(step{})
		var wg sync.WaitGroup
		for i := range 60 {
			wg.Go(func() { // some have no time, some give up
				sleep(time.Duration(i) * 7 * time.Millisecond)
				ctx, cancel := context.WithTimeout(t.Context(), time.Duration(i%5)*700*time.Millisecond+50*time.Millisecond)
				defer cancel()
				if i%7 == 0 {
					time.AfterFunc(80*time.Millisecond, cancel)
				}
				_, _ = runtime.Do(ctx, op, script.Run)
			})
		}
		wg.Wait()
		seen := script.Seen()
		for i, j := 0, 0; i < len(seen); i++ {
			for ; seen[i].At.Sub(seen[j].At) >= time.Second; j++ {
			}
			if n := i - j + 1; n > 11 {
				t.Fatalf("%d hits within a second, want at most 11", n)
			}
		}
		if len(seen) < 20 {
			t.Errorf("%d hits, want the limit used", len(seen))
		}
	})
}
