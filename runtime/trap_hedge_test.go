package runtime_test

import (
	"context"
	"errors"
	stdruntime "runtime"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/resgen-go/resgen/runtime"
	"github.com/resgen-go/resgen/runtime/policy"
)

// hedged is a plan that hedges once after 20 ms, and does not retry.
func hedged(change ...func(*policy.Plan)) policy.Plan {
	return plan(append([]func(*policy.Plan){func(p *policy.Plan) {
		p.Hedgeable, p.Retry.Attempts = true, 1
		p.Hedge = policy.HedgeConfig{Max: 1, Delay: 20 * time.Millisecond, ExtraLoad: 1}
	}}, change...)...)
}

const fast, long = 5 * time.Millisecond, 500 * time.Millisecond

func TestT44_TheFirstAnswerWins(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		first, hedge step
		want         string
		took         time.Duration
	}{
		"the hedge's":               {step{After: long, Value: "first"}, step{After: fast, Value: "hedge"}, "hedge", 25 * time.Millisecond},
		"the first's":               {step{After: 22 * time.Millisecond, Value: "first"}, step{After: long, Value: "hedge"}, "first", 22 * time.Millisecond},
		"a fast failure loses":      {step{After: long, Value: "first"}, step{Err: status(503)}, "first", long},
		"a failure of the first":    {step{After: 30 * time.Millisecond, Err: status(503)}, step{After: long, Value: "hedge"}, "hedge", 520 * time.Millisecond},
		"before the hedge is fired": {step{After: fast, Value: "first"}, step{Value: "hedge"}, "first", fast},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				op, _ := operation(t, hedged())
				start := time.Now()
				got, err := runtime.Do(t.Context(), op, play(c.first, c.hedge).Run)
				if took := time.Since(start); err != nil || got != c.want || took != c.took {
					t.Errorf("got %q, %v after %v; want %q after %v", got, err, took, c.want, c.took)
				}
			})
		})
	}
}

func TestT47_APanicOfACopyReachesTheCaller(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		g := still()
		op := operationIn(t, g, hedged(withBreaker(5), func(p *policy.Plan) { p.Bulkhead.MaxConcurrent = 8 }), nil)
		script := play(step{After: long}, step{Then: func(context.Context, runtime.Attempt) (string, error) { panic("boom") }})
		func() {
			defer func() {
				if got := recover(); got != "boom" {
					t.Errorf("recovered %v, want the panic of the copy", got)
				}
			}()
			_, _ = runtime.Do(t.Context(), op, script.Run)
			t.Error("the panic was lost")
		}()
		synctest.Wait()
		if m := g.Snapshot()[0]; m.Bulkhead.InFlight != 0 || m.Breaker.InFlight != 0 || m.Breaker.Failures != 1 {
			t.Errorf("%+v after the panic, want one failure and nothing in flight", m)
		}
	})
}

func TestT47_TheEndOfACopysGoroutineEndsTheCallers(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		op, _ := operation(t, hedged())
		script := play(step{Then: func(context.Context, runtime.Attempt) (string, error) { stdruntime.Goexit(); return "", nil }})
		returned, over := false, make(chan struct{})
		go func() {
			defer close(over)
			_, _ = runtime.Do(t.Context(), op, script.Run)
			returned = true
		}()
		if <-over; returned {
			t.Error("Do returned, although the attempt ended its goroutine")
		}
	})
}

func TestT49_NobodyWaitsForALoser(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		g := still()
		op := operationIn(t, g, hedged(withBreaker(5), func(p *policy.Plan) { p.Bulkhead.MaxConcurrent = 8 }), nil)
		start := time.Now()
		got, err := runtime.Do(t.Context(), op, play(step{After: long, Deaf: true, Value: "first"}, step{After: fast, Value: "hedge"}).Run)
		if took := time.Since(start); err != nil || got != "hedge" || took != 25*time.Millisecond {
			t.Errorf("got %q, %v after %v; want the hedge's answer at once", got, err, took)
		}
		if n := g.Snapshot()[0].Bulkhead.InFlight; n != 1 {
			t.Errorf("%d permits held, want that of the loser, which is in flight", n)
		}
		sleep(time.Second)
		if m := g.Snapshot()[0]; m.Bulkhead.InFlight != 0 || m.Breaker.InFlight != 0 || m.Breaker.Calls != 1 {
			t.Errorf("%+v after the loser returned, want one result and nothing in flight", m)
		}
	})
}

func TestT49_TheCallersEndDoesNotWaitForCopies(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		op, _ := operation(t, hedged())
		ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
		defer cancel()
		var returned atomic.Int32
		deaf := step{Then: func(context.Context, runtime.Attempt) (string, error) {
			sleep(long)
			returned.Add(1)
			return "", nil
		}}
		start := time.Now()
		_, err := runtime.Do(ctx, op, play(deaf).Run)
		var e *runtime.Error
		if !errors.As(err, &e) || e.Kind != policy.KindDeadline || e.Attempts != 2 || !e.MayHaveActed || time.Since(start) != 300*time.Millisecond {
			t.Errorf("got %+v after %v, want the deadline at 300 ms", err, time.Since(start))
		}
		sleep(time.Second)
		if n := returned.Load(); n != 2 {
			t.Errorf("%d copies returned, want 2", n)
		}
	})
}
