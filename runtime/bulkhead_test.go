package runtime_test

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/resgen-go/resgen/runtime"
	"github.com/resgen-go/resgen/runtime/policy"
)

// five is a bulkhead of five, with a queue.
func five(p *policy.Plan) {
	p.Bulkhead = policy.BulkheadConfig{MaxConcurrent: 5, MaxQueue: 100, MaxWait: 50 * time.Millisecond}
}

func TestC046_WaitersThatGiveUpLeakNoPermit(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		op, _ := operation(t, once(five))
		var inside, most, served, full atomic.Int64
		run := func(context.Context, runtime.Attempt) (int, error) {
			most.Store(max(most.Load(), inside.Add(1)))
			sleep(300 * time.Millisecond)
			inside.Add(-1)
			return 0, nil
		}
		var wg sync.WaitGroup
		for range 100 {
			wg.Go(func() {
				start := time.Now()
				switch _, err := runtime.Do(t.Context(), op, run); {
				case err == nil:
					served.Add(1)
				case errors.Is(err, runtime.ErrBulkheadFull) && time.Since(start) == 50*time.Millisecond:
					full.Add(1)
				default:
					t.Errorf("got %v after %v", err, time.Since(start))
				}
			})
		}
		wg.Wait()
		if served.Load() != 5 || full.Load() != 95 || most.Load() != 5 {
			t.Errorf("%d served, %d rejected, %d at once; want 5, 95 and 5", served.Load(), full.Load(), most.Load())
		}
		start := time.Now()
		for range 5 {
			wg.Go(func() { _, _ = runtime.Do(t.Context(), op, run) })
		}
		wg.Wait()
		if time.Since(start) != 300*time.Millisecond {
			t.Errorf("five calls took %v, want them to run at once", time.Since(start))
		}
	})
}

func TestWaitersAreServedOneAfterTheOther(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		g := still()
		op := operationIn(t, g, once(func(p *policy.Plan) {
			p.Bulkhead = policy.BulkheadConfig{MaxConcurrent: 1, MaxQueue: 4, MaxWait: time.Second}
		}), nil)
		var wg sync.WaitGroup
		var ended []time.Duration
		var mu sync.Mutex
		start := time.Now()
		for range 4 {
			wg.Go(func() {
				if _, err := runtime.Do(t.Context(), op, play(step{After: 100 * time.Millisecond}).Run); err != nil {
					t.Error(err)
				}
				mu.Lock()
				ended = append(ended, time.Since(start))
				mu.Unlock()
			})
		}
		ctx, cancel := context.WithCancel(t.Context())
		wg.Go(func() { // one more, which goes away while it waits
			sleep(time.Millisecond)
			if _, err := runtime.Do(ctx, op, play(step{}).Run); !errors.Is(err, runtime.ErrCanceled) {
				t.Errorf("got %v, want the cancel", err)
			}
		})
		time.AfterFunc(50*time.Millisecond, cancel)
		wg.Wait()
		if last := ended[len(ended)-1]; last != 400*time.Millisecond {
			t.Errorf("ended at %v, want one after the other", ended)
		}
		if m := g.Snapshot()[0].Bulkhead; m.InFlight != 0 || m.Queued != 0 {
			t.Errorf("left behind %+v", m)
		}
	})
}

func TestARetryHoldsNoPermitWhileItWaits(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		g := still()
		op := operationIn(t, g, plan(func(p *policy.Plan) { p.Bulkhead.MaxConcurrent = 1 }), nil)
		go runtime.Do(t.Context(), op, play(step{Err: status(503)}, step{}).Run)
		synctest.Wait()
		if m := g.Snapshot()[0].Bulkhead; m.InFlight != 0 {
			t.Errorf("%d permits held during the backoff, want none", m.InFlight)
		}
		if _, err := runtime.Do(t.Context(), op, play(step{}).Run); err != nil {
			t.Errorf("another call meanwhile: %v", err)
		}
		sleep(time.Second)
	})
}

func TestAWaiterOfACrowdIsNeverForgotten(t *testing.T) {
	t.Parallel()
	// outside of a bubble, so that goroutines really race for grants
	op, _ := operation(t, once(func(p *policy.Plan) {
		p.Bulkhead = policy.BulkheadConfig{MaxConcurrent: 2, MaxQueue: 1000, MaxWait: time.Minute}
	}))
	var wg sync.WaitGroup
	for range 200 {
		wg.Go(func() {
			for range 20 {
				if _, err := runtime.Do(t.Context(), op, answer); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
}

// A permit that came when the breaker had opened says nothing about how long calls take: if it did, callers would be let in to wait for
// what they cannot live to see.
func TestT54_APermitWithoutACallIsNoShortCall(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		op, _ := operation(t, once(withBreaker(1), func(p *policy.Plan) {
			p.Bulkhead = policy.BulkheadConfig{MaxConcurrent: 1, MaxQueue: 10, MaxWait: 10 * time.Second}
		}))
		slow := func(err error) {
			if _, got := runtime.Do(t.Context(), op, play(step{After: time.Second, Err: err}).Run); (got == nil) != (err == nil) {
				t.Errorf("got %v, want %v", got, err)
			}
		}
		slow(nil)
		go slow(status(500))
		synctest.Wait()
		for range 5 {
			go func() { _, _ = runtime.Do(t.Context(), op, play(step{}).Run) }()
		}
		sleep(7 * time.Second) // they were granted a permit, and met the open breaker
		slow(nil)              // which closes it
		go func() { _, _ = runtime.Do(t.Context(), op, play(step{After: time.Second}).Run) }()
		synctest.Wait()
		ctx, cancel := context.WithTimeout(t.Context(), 500*time.Millisecond)
		defer cancel()
		start := time.Now()
		if _, err := runtime.Do(ctx, op, play(step{}).Run); !errors.Is(err, runtime.ErrBulkheadFull) || time.Since(start) != 0 {
			t.Errorf("%v after %v; want a rejection on arrival: a call takes a second", err, time.Since(start))
		}
		sleep(time.Second) // the last call ends before the test does
	})
}
