package runtime_test

import (
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/resgen-go/resgen/runtime"
	"github.com/resgen-go/resgen/runtime/policy"
	"github.com/resgen-go/resgen/runtime/wire"
)

func TestT55_WaitersThatGiveUpLeaveNothing(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		op, _ := operation(t, once(limit(10, time.Second, 1)))
		script := play(step{})
		_, _ = runtime.Do(t.Context(), op, script.Run)
		start := time.Now()
		ctx, cancel := context.WithCancel(t.Context())
		var wg sync.WaitGroup
		for range 10 {
			wg.Go(func() {
				if _, err := runtime.Do(ctx, op, script.Run); !errors.Is(err, context.Canceled) {
					t.Errorf("got %v, want the cancel", err)
				}
			})
		}
		sleep(time.Millisecond)
		cancel()
		wg.Wait()
		if _, err := runtime.Do(t.Context(), op, script.Run); err != nil || time.Since(start) > 100*time.Millisecond {
			t.Errorf("%v after %v, want the next turn within 100ms", err, time.Since(start))
		}
	})
}

func TestT55_ThoseBehindMoveUpWhenOthersGiveUp(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		op, _ := operation(t, once(limit(1, time.Second, 1)))
		script := play(step{})
		_, _ = runtime.Do(t.Context(), op, script.Run)
		start := time.Now()
		ctx, cancel := context.WithCancel(t.Context())
		var wg sync.WaitGroup
		for range 20 {
			wg.Go(func() { _, _ = runtime.Do(ctx, op, script.Run) })
		}
		synctest.Wait()
		for range 3 {
			wg.Go(func() { _, _ = runtime.Do(t.Context(), op, script.Run) })
		}
		sleep(500 * time.Millisecond)
		cancel()
		wg.Wait()
		if took := time.Since(start); took != 3*time.Second {
			t.Errorf("the last of three had its turn after %v, want 3s", took)
		}
	})
}

func TestT55_WhoWaitsHoldsNothing(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		g := still()
		op := operationIn(t, g, plan(limit(1, time.Second, 1), withBreaker(5), withBudget, func(p *policy.Plan) {
			p.Bulkhead = policy.BulkheadConfig{MaxConcurrent: 2}
		}), nil)
		var wg sync.WaitGroup
		for range 5 {
			wg.Go(func() {
				if _, err := runtime.Do(t.Context(), op, play(step{}).Run); err != nil {
					t.Error(err)
				}
			})
		}
		sleep(500 * time.Millisecond)
		if m := g.Snapshot()[0]; m.Bulkhead.InFlight != 0 || m.Breaker.InFlight != 0 || m.Limit.Waiting != 4 {
			t.Errorf("%+v; want four in line that hold nothing", m)
		}
		wg.Wait()
		if m := g.Snapshot()[0]; m.Limit.Waiting != 0 {
			t.Errorf("%d wait after the end", m.Limit.Waiting)
		}
	})
}

func TestT55_ARefusalAfterTheLimitRefunds(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		g := still()
		op := operationIn(t, g, once(limit(10, time.Second, 10), func(p *policy.Plan) { p.Bulkhead = policy.BulkheadConfig{MaxConcurrent: 1} }), nil)
		first := make(chan error)
		go func() {
			_, err := runtime.Do(t.Context(), op, play(step{After: time.Millisecond}).Run)
			first <- err
		}()
		synctest.Wait()
		for range 5 {
			if _, err := runtime.Do(t.Context(), op, play(step{}).Run); !errors.Is(err, runtime.ErrBulkheadFull) {
				t.Fatalf("got %v, want a full bulkhead", err)
			}
		}
		if got := math.Round(g.Snapshot()[0].Limit.Requests.Balance); got != 9 {
			t.Errorf("balance %v, want 9: only one was sent", got)
		}
		if err := <-first; err != nil {
			t.Error(err)
		}
	})
}

func TestT55_ACallThatPanicsInLineIsNoMore(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		g := still()
		op := operationIn(t, g, once(limit(1, time.Second, 1)), nil)
		func() {
			defer func() { _ = recover() }()
			_, _ = runtime.Do(t.Context(), op, play(step{Then: func(context.Context, runtime.Attempt) (string, error) { panic("boom") }}).Run)
		}()
		if got := g.Snapshot()[0].Limit; got.Waiting != 0 || math.Round(got.Requests.Balance) != 0 {
			t.Errorf("got %+v; want what was sent to be counted", got)
		}
	})
}

func TestLimitErrorSaysWhy(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		op, seen := operation(t, once(limit(1, time.Minute, 1), func(p *policy.Plan) { p.Timeout.Total = 10 * time.Second }))
		_, _ = runtime.Do(t.Context(), op, play(step{}).Run)
		start := time.Now()
		_, err := runtime.Do(t.Context(), op, play(step{}).Run)
		const want = `llm.Get: limit "llm" used up: requests for another 60s, and the deadline is sooner`
		var e *runtime.Error
		if !errors.As(err, &e) || !errors.Is(err, context.DeadlineExceeded) || strings.ReplaceAll(err.Error(), "1m0s", "60s") != want || e.Attempts != 0 || e.MayHaveActed || !e.NotBefore.Equal(start.Add(time.Minute)) {
			t.Errorf("got %v, %+v\nwant %v", err, e, want)
		}
		rejected := seen.Events(runtime.Rejected)
		if len(rejected) != 1 || rejected[0].Kind != policy.KindRateLimited || !rejected[0].Until.Equal(start.Add(time.Minute)) {
			t.Errorf("told %+v", rejected)
		}
	})
}

func TestEveryCopyCountsForALimit(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		g := still()
		op := operationIn(t, g, plan(limit(10, time.Minute, 10)), nil)
		script := play(step{Err: status(503)}, step{Err: status(503)}, step{})
		if _, err := runtime.Do(t.Context(), op, script.Run); err != nil {
			t.Fatal(err)
		}
		if got := math.Round(g.Snapshot()[0].Limit.Requests.Balance); got != 7 {
			t.Errorf("balance %v after three attempts, want 7", got)
		}
		refused := &wire.TransportError{Stage: wire.StageDial, Refused: true, Err: errors.New("no")}
		_, _ = runtime.Do(t.Context(), op, play(step{Err: refused}).Run)
		if got := math.Round(g.Snapshot()[0].Limit.Requests.Balance); got != 7 {
			t.Errorf("balance %v, want 7: what never left counts for nothing", got)
		}
	})
}

func TestT51_NoHedgeUnderALowLimit(t *testing.T) {
	t.Parallel()
	for burst, want := range map[int]int{2: 1, 10: 2} {
		synctest.Test(t, func(t *testing.T) {
			op, _ := operation(t, hedged(limit(10, time.Hour, burst)))
			script := play(step{After: long}, step{After: fast})
			if _, err := runtime.Do(t.Context(), op, script.Run); err != nil {
				t.Fatal(err)
			}
			if got := len(script.Seen()); got != want {
				t.Errorf("burst %d: %d attempts, want %d", burst, got, want)
			}
		})
	}
}

func TestARateLimitLeadsToAnotherTarget(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		per  policy.Partition
		rung string
	}{
		"a limit of all":       {policy.PerAll, "eu"},
		"the tenant's own one": {policy.PerTenant, "sorry"}, // T60: nobody may go on elsewhere with what is not theirs
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				op, _ := operation(t, once(limit(1, time.Hour, 1), func(p *policy.Plan) {
					p.Limit.Per = c.per
					p.Targets = []policy.Target{{Name: "eu", Limit: policy.LimitConfig{Requests: policy.Rate{Amount: 1000, Per: time.Second}}}}
				}, ladder(other("eu"), static("sorry"))))
				_, _ = runtime.DoResult(t.Context(), op, play(step{}).Run)
				res, err := runtime.DoResult(t.Context(), op, play(step{}).Run)
				if err != nil || res.Rung != c.rung || res.Reason != policy.KindRateLimited || !errors.Is(res.Cause, runtime.ErrRateLimited) && res.Cause == nil {
					t.Errorf("got %+v, %v; want rung %q", res, err, c.rung)
				}
			})
		})
	}
}

func TestWhoHasAnotherRungWaitsBriefly(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		op, _ := operation(t, once(limit(1, 2*time.Second, 1), ladder(static("sorry"))))
		_, _ = runtime.DoResult(t.Context(), op, play(step{}).Run)
		start := time.Now()
		res, err := runtime.DoResult(t.Context(), op, play(step{}).Run)
		if err != nil || res.Rung != "sorry" || time.Since(start) != 0 {
			t.Errorf("got %+v, %v after %v; want the rung at once", res, err, time.Since(start))
		}
		sleep(1500 * time.Millisecond)
		start = time.Now()
		if res, err := runtime.DoResult(t.Context(), op, play(step{}).Run); err != nil || res.Rung != "" || time.Since(start) != 500*time.Millisecond {
			t.Errorf("got %+v, %v after %v; want the turn, which is near", res, err, time.Since(start))
		}
	})
}

func TestWhoseOwnLimitItIsWaitsWhereNoRungMayHelp(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		op, _ := operation(t, once(limit(1, 5*time.Second, 1), func(p *policy.Plan) {
			p.Limit.Per, p.Targets = policy.PerTenant, []policy.Target{{Name: "eu"}}
		}, ladder(other("eu"))))
		_, _ = runtime.DoResult(t.Context(), op, play(step{}).Run)
		start := time.Now()
		if res, err := runtime.DoResult(t.Context(), op, play(step{}).Run); err != nil || res.Rung != "" || time.Since(start) != 5*time.Second {
			t.Errorf("got %+v, %v after %v; want the turn, for which there is time", res, err, time.Since(start))
		}
	})
}

func TestT60_APauseOfATenantIsNobodyElses(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		op, _ := operation(t, plan(limit(100, time.Second, 100), noRetry, func(p *policy.Plan) { p.Limit.Per = policy.PerTenant }))
		_, _ = runtime.Do(runtime.WithTenant(t.Context(), "a"), op, play(step{Err: status(429, "Retry-After", "2")}).Run)
		for tenant, want := range map[string]time.Duration{"b": 0, "a": 2 * time.Second} {
			start := time.Now()
			if _, err := runtime.Do(runtime.WithTenant(t.Context(), tenant), op, play(step{}).Run); err != nil {
				t.Error(err)
			}
			if took := time.Since(start); tenant == "b" && took != 0 || tenant == "a" && took > want {
				t.Errorf("%s waited %v, want %v", tenant, took, want)
			}
		}
	})
}

// Two tenants share a target that serves 100 requests in a second; one offers ten times that, the other a fifth. Each has half.
func TestT60_ATenantDoesNotFeelAnother(t *testing.T) {
	t.Parallel()
	alone, rejected := tenantLatency(t, false)
	if rejected != 0 {
		t.Fatalf("%d rejections alone", rejected)
	}
	beside, rejected := tenantLatency(t, true)
	if rejected != 0 || float64(beside) > 1.1*float64(alone) {
		t.Errorf("p99 %v and %d rejections beside the other, %v alone", beside, rejected, alone)
	}
}

// tenantLatency returns the p99 of 20 calls in a second of one tenant, and how many were rejected, alone or beside one that floods.
func tenantLatency(t *testing.T, flood bool) (p99 time.Duration, rejected int) {
	t.Helper()
	const span = 10 * time.Second
	synctest.Test(t, func(t *testing.T) {
		op, _ := operation(t, once(limit(50, time.Second, 5), func(p *policy.Plan) {
			p.Limit.Per, p.Timeout.Total = policy.PerTenant, 2*time.Second
		}))
		var mu sync.Mutex
		var free [10]time.Time // ten workers, each of which takes 100 ms
		serve := step{Then: func(context.Context, runtime.Attempt) (string, error) {
			mu.Lock()
			i := 0
			for n := range free {
				if free[n].Before(free[i]) {
					i = n
				}
			}
			begin := time.Now()
			if free[i].After(begin) {
				begin = free[i]
			}
			free[i] = begin.Add(100 * time.Millisecond)
			end := free[i]
			mu.Unlock()
			sleep(time.Until(end))
			return "", nil
		}}
		var wg sync.WaitGroup
		offer := func(tenant string, every time.Duration, done func(time.Duration, error)) {
			ctx := runtime.WithTenant(t.Context(), tenant)
			for range span / every {
				wg.Go(func() {
					start := time.Now()
					_, err := runtime.Do(ctx, op, play(serve).Run)
					done(time.Since(start), err)
				})
				sleep(every)
			}
		}
		if flood {
			wg.Go(func() { offer("a", time.Millisecond, func(time.Duration, error) {}) })
		}
		var took []time.Duration
		var lock sync.Mutex
		offer("b", 50*time.Millisecond, func(d time.Duration, err error) {
			lock.Lock()
			defer lock.Unlock()
			if took = append(took, d); err != nil {
				rejected++
			}
		})
		wg.Wait()
		slices.Sort(took)
		p99 = took[len(took)*99/100]
	})
	return p99, rejected
}

func TestAProbeOfAPauseMayWaitForItsTurn(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		op, _ := operation(t, plan(limit(1, 70*time.Second, 1), noRetry, func(p *policy.Plan) { p.Timeout.Total = 0 }))
		start, script := time.Now(), play(step{Err: status(429, "Retry-After", "600")}, step{})
		_, _ = runtime.Do(t.Context(), op, script.Run)
		sleep(60 * time.Second)
		if _, err := runtime.Do(t.Context(), op, script.Run); err != nil || time.Since(start).Round(time.Second) != 70*time.Second {
			t.Errorf("%v after %v, want the probe when its turn has come", err, time.Since(start))
		}
	})
}
