package runtime_test

import (
	"context"
	"errors"
	"io"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/resgen-go/resgen/runtime"
	"github.com/resgen-go/resgen/runtime/policy"
)

// TestHalfOpenUnderTenThousandGoroutines: of ten thousand calls that come at once, half-open lets as many through as it has probes, however
// often and however they end, and the others are rejected at once.
func TestHalfOpenUnderTenThousandGoroutines(t *testing.T) {
	t.Parallel()
	const callers, probes, rounds = 10_000, 3, 2
	synctest.Test(t, func(t *testing.T) {
		cfg := breaker(1)
		cfg.Probes, cfg.CloseAfter, cfg.OpenMax = probes, probes, cfg.OpenFor
		op := operationIn(t, still(), once(func(p *policy.Plan) { p.Breaker = cfg }), nil)
		var running, most, made atomic.Int64
		attempt := func(answer error) func(context.Context, runtime.Attempt) (struct{}, error) {
			return func(context.Context, runtime.Attempt) (struct{}, error) {
				made.Add(1)
				n := running.Add(1)
				for old := most.Load(); n > old && !most.CompareAndSwap(old, n); old = most.Load() {
				}
				sleep(10 * time.Millisecond) // so that all of them have come before the first ends
				running.Add(-1)
				return struct{}{}, answer
			}
		}
		if _, err := runtime.Do(t.Context(), op, attempt(io.ErrUnexpectedEOF)); err == nil {
			t.Fatal("the first call did not fail")
		}
		for round := range rounds {
			sleep(cfg.OpenFor)
			var answer error // of the last round
			if round < rounds-1 {
				answer = io.ErrUnexpectedEOF
			}
			most.Store(0)
			made.Store(0)
			rejected := storm(t, callers, func() error {
				_, err := runtime.Do(t.Context(), op, attempt(answer))
				return err
			})
			if made.Load() != probes || most.Load() != probes || rejected != callers-probes {
				t.Errorf("round %d: %d attempts, %d at once, %d rejected; want %d probes", round, made.Load(), most.Load(), rejected, probes)
			}
		}
		if _, err := runtime.Do(t.Context(), op, attempt(nil)); err != nil {
			t.Errorf("%v after the probes have closed the breaker", err)
		}
	})
}

// storm makes a call on each of n goroutines at once, and returns how many were rejected by an open breaker.
func storm(t *testing.T, n int, call func() error) int {
	t.Helper()
	var rejected atomic.Int64
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() {
			if err := call(); errors.Is(err, runtime.ErrBreakerOpen) {
				rejected.Add(1)
			}
		})
	}
	wg.Wait()
	return int(rejected.Load())
}
