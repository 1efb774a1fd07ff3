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

// paused returns an operation whose target has just asked for two seconds.
func paused(t *testing.T, g *runtime.Group, change ...func(*policy.Plan)) *runtime.Operation {
	t.Helper()
	op := operationIn(t, g, plan(change...), nil)
	one := operationIn(t, g, plan(noRetry, func(p *policy.Plan) { p.Operation = "One" }), nil)
	if _, err := runtime.Do(t.Context(), one, play(step{Err: status(429, "Retry-After", "2")}).Run); err == nil {
		t.Fatal("a 429 is no answer")
	}
	return op
}

func TestT55_CallsWaitForAPauseAndHoldNothing(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		g := still()
		op := paused(t, g, func(p *policy.Plan) {
			p.Bulkhead, p.Budget = policy.BulkheadConfig{MaxConcurrent: 5}, policy.BudgetConfig{Ratio: 0.1}
		})
		start := time.Now()
		var wg sync.WaitGroup
		for range 5 {
			wg.Go(func() {
				if _, err := runtime.Do(t.Context(), op, play(step{}).Run); err != nil || time.Since(start) != 2*time.Second {
					t.Errorf("%v after %v; want an answer when the pause ends", err, time.Since(start))
				}
			})
		}
		sleep(time.Second)
		if m := g.Snapshot()[0]; m.Bulkhead.InFlight != 0 || m.Budget != 10 {
			t.Errorf("held while they wait: %d permits, budget %v; want none, and 10", m.Bulkhead.InFlight, m.Budget)
		}
		wg.Wait()
	})
}

func TestT55_AWaitForAPauseThatCannotEndInTimeFailsNow(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		op := paused(t, still())
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		start, script := time.Now(), play(step{})
		_, err := runtime.Do(ctx, op, script.Run)
		var e *runtime.Error
		if !errors.Is(err, runtime.ErrRateLimited) || !errors.Is(err, context.DeadlineExceeded) || !errors.As(err, &e) || !e.NotBefore.Equal(start.Add(2*time.Second)) {
			t.Errorf("got %v; want a rejection that says until when, and that the deadline is why", err)
		}
		if time.Since(start) != 0 || len(script.Seen()) != 0 || e.MayHaveActed || e.Attempts != 0 {
			t.Errorf("%d attempts after %v, %+v; want nothing sent, at once", len(script.Seen()), time.Since(start), e)
		}
	})
}

func TestT55_AWaiterThatGoesAwayLeavesNothing(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		op := paused(t, still())
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(100*time.Millisecond, cancel)
		if _, err := runtime.Do(ctx, op, play(step{}).Run); !errors.Is(err, runtime.ErrCanceled) {
			t.Errorf("got %v, want the cancel", err)
		}
		start := time.Now()
		if _, err := runtime.Do(t.Context(), op, play(step{}).Run); err != nil || time.Since(start) != 1900*time.Millisecond {
			t.Errorf("the next: %v after %v; want it when the pause ends", err, time.Since(start))
		}
	})
}

func TestAPauseLeadsToTheNextRungAtOnce(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		op := paused(t, still(), ladder(static("sorry")))
		start := time.Now()
		res, err := runtime.DoResult(t.Context(), op, play(step{}).Run)
		if err != nil || res.Rung != "sorry" || res.Reason != policy.KindRateLimited || time.Since(start) != 0 {
			t.Errorf("got %+v, %v after %v; want the static rung: two seconds are too long where another rung answers", res, err, time.Since(start))
		}
	})
}

// The wait that a client inside the call was told is the wait of its target, also where a quota or a credential is what is to be waited for.
func TestTheWaitOfANestedCallIsAPause(t *testing.T) {
	t.Parallel()
	for _, kind := range []policy.Kind{policy.KindThrottle, policy.KindUnusable} {
		t.Run(kind.String(), func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				g := still()
				op := operationIn(t, g, plan(ladder(static("sorry"))), nil)
				until := time.Now().Add(time.Hour)
				script := play(step{Err: &runtime.Error{Kind: kind, NotBefore: until}}, step{}) // the rest are the static rung's
				for i, reason := range []policy.Kind{kind, policy.KindRateLimited} {
					res, err := runtime.DoResult(t.Context(), op, script.Run)
					if err != nil || res.Rung != "sorry" || res.Reason != reason || len(script.Seen()) != i+2 {
						t.Errorf("call %d: %+v, %v, %+v; want the static rung after %v, and one attempt of the function", i+1, res, err, script.Seen(), reason)
					}
				}
				if got := g.Snapshot()[0].PausedUntil; !got.Equal(until) {
					t.Errorf("paused until %v, want %v", got, until)
				}
			})
		})
	}
}

// A probe of a long pause that is not sent after all is not used up: the next call makes it.
func TestT18_AProbeThatIsNotSentIsGivenBack(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		bulkhead policy.BulkheadConfig
		want     error
	}{
		"no room":        {policy.BulkheadConfig{MaxConcurrent: 1}, runtime.ErrBulkheadFull},
		"waited in vain": {policy.BulkheadConfig{MaxConcurrent: 1, MaxQueue: 1, MaxWait: time.Second}, runtime.ErrBulkheadFull},
		"caller gone":    {policy.BulkheadConfig{MaxConcurrent: 1, MaxQueue: 1, MaxWait: time.Minute}, runtime.ErrCanceled},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				g := still()
				op := operationIn(t, g, once(func(p *policy.Plan) { p.Bulkhead, p.Retry.RetryAfterMax = c.bulkhead, time.Second }), nil)
				one := operationIn(t, g, once(func(p *policy.Plan) { p.Operation, p.Retry.RetryAfterMax = "One", time.Second }), nil)
				go func() { _, _ = runtime.Do(t.Context(), op, play(step{After: 90 * time.Second}).Run) }()
				synctest.Wait()
				if _, err := runtime.Do(t.Context(), one, play(step{Err: status(429, "Retry-After", "3600")}).Run); err == nil {
					t.Fatal("a 429 is no answer")
				}
				sleep(61 * time.Second)
				ctx, cancel := context.WithCancel(t.Context())
				time.AfterFunc(10*time.Second, cancel)
				if _, err := runtime.Do(ctx, op, play(step{}).Run); !errors.Is(err, c.want) {
					t.Errorf("the probe: %v, want %v", err, c.want)
				}
				sleep(30 * time.Second)
				for range 2 {
					if _, err := runtime.Do(t.Context(), op, play(step{}).Run); err != nil {
						t.Errorf("the next call: %v; want it to be the probe, and to end the pause", err)
					}
				}
			})
		})
	}
}
