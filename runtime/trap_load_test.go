package runtime_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/resgen-go/resgen/runtime"
	"github.com/resgen-go/resgen/runtime/policy"
)

// shed gives a plan the throttle that resgen recommends.
func shed(p *policy.Plan) {
	p.Shed = policy.ShedConfig{Factor: 2, Window: 2 * time.Minute, MaxReject: 0.9, MinPerSecond: 5}
}

// outage has an operation call a target that takes nothing, for a minute, ten times a second.
func outage(t *testing.T, ctx context.Context, op *runtime.Operation, calls int) (sent, rejected int) {
	t.Helper()
	for range calls {
		run := func(context.Context, runtime.Attempt) (string, error) { sent++; return "", status(503) }
		switch _, err := runtime.Do(ctx, op, run); {
		case errors.Is(err, runtime.ErrShed):
			rejected++
		case err == nil:
			t.Error("no error in an outage")
		}
		sleep(100 * time.Millisecond)
	}
	return sent, rejected
}

func TestT36_CallsToATargetThatTakesNoneAreShed(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		g := runtime.NewGroup(runtime.WithRand(lcg()))
		op := operationIn(t, g, once(shed), nil)
		sent, rejected := outage(t, t.Context(), op, 600)
		if sent+rejected != 600 || rejected < 400 || sent < 60 {
			t.Errorf("%d sent and %d shed of 600; want most of them shed, and a trickle sent", sent, rejected)
		}
		if s := g.Snapshot()[0].Shed; s.Requests != 600 || s.Rejected != rejected || s.Accepted != 0 || math.Abs(s.Share-0.9) > 1e-9 {
			t.Errorf("got %+v, want 600 requests, the %d that were shed among them", s, rejected)
		}
		// Soon after it all is well, and what the target called wrong was an answer.
		for range 400 {
			_, _ = runtime.Do(t.Context(), op, play(step{Err: status(404)}).Run)
			sleep(100 * time.Millisecond)
		}
		if s := g.Snapshot()[0].Shed; s.Share != 0 || s.Rejected != 0 {
			t.Errorf("40 s after the outage: %+v, want nothing shed", s)
		}
	})
}

// lcg returns a source of randomness that repeats itself.
func lcg() func() float64 {
	var state atomic.Uint64
	return func() float64 {
		const a, c, shift = 6364136223846793005, 1442695040888963407, 11
		for {
			old := state.Load()
			next := old*a + c
			if state.CompareAndSwap(old, next) {
				return float64(next>>shift) / (1 << 53)
			}
		}
	}
}

func TestT36_ACallCountsOnceHoweverOftenItIsTried(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		g := still()
		op := operationIn(t, g, plan(shed), nil)
		if _, err := runtime.Do(t.Context(), op, play(step{Err: status(503)}, step{Err: status(503)}, step{}).Run); err != nil {
			t.Fatal(err)
		}
		if s := g.Snapshot()[0].Shed; s.Requests != 1 || s.Accepted != 1 {
			t.Errorf("after a call of three attempts: %+v, want one request that was accepted", s)
		}
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(500*time.Millisecond, cancel)
		if _, err := runtime.Do(ctx, op, play(step{After: time.Minute}).Run); !errors.Is(err, runtime.ErrCanceled) {
			t.Fatal(err)
		}
		if s := g.Snapshot()[0].Shed; s.Requests != 1 {
			t.Errorf("after a call that its caller canceled: %+v, want it not to count", s)
		}
		func() {
			defer func() { _ = recover() }()
			_, _ = runtime.Do(t.Context(), op, func(context.Context, runtime.Attempt) (int, error) { panic("oh") })
		}()
		if s := g.Snapshot()[0].Shed; s.Requests != 1 {
			t.Errorf("after a call that panicked: %+v, want it not to count", s)
		}
	})
}

func TestT36_WhatOtherMachinesRejectDoesNotCount(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		g := still()
		op := operationIn(t, g, once(shed, withBreaker(3)), nil)
		for range 3 {
			_, _ = runtime.Do(t.Context(), op, play(step{Err: status(503)}).Run)
		}
		for range 100 {
			if _, err := runtime.Do(t.Context(), op, play(step{}).Run); !errors.Is(err, runtime.ErrBreakerOpen) {
				t.Fatal(err)
			}
		}
		if s := g.Snapshot()[0].Shed; s.Requests != 3 {
			t.Errorf("got %+v, want the three calls that were sent", s)
		}
	})
}

func TestT59_TheCallersWordOnImportanceCounts(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		g := runtime.NewGroup(runtime.WithRand(lcg()))
		op := operationIn(t, g, once(shed, func(p *policy.Plan) { p.Criticality = policy.Sheddable }), nil)
		// A target that takes six calls a second, and is asked for twenty.
		start, taken := time.Now(), 0
		run := func(context.Context, runtime.Attempt) (int, error) {
			if due := 6 * time.Since(start).Seconds(); float64(taken) > due {
				return 0, status(429)
			}
			taken++
			return 0, nil
		}
		rejected := map[runtime.Criticality]int{}
		for i := range 6000 {
			ctx, c := t.Context(), runtime.Sheddable // the operation's own
			if i%2 == 0 {
				c = runtime.Critical
				ctx = runtime.WithCriticality(ctx, c)
			}
			if _, err := runtime.Do(ctx, op, run); errors.Is(err, runtime.ErrShed) {
				rejected[c]++
			}
			sleep(50 * time.Millisecond)
		}
		if rejected[runtime.Critical]*10 > rejected[runtime.Sheddable] || rejected[runtime.Sheddable] < 1000 {
			t.Errorf("shed: %v; want the sheddable ones first", rejected)
		}
	})
}

func TestT60_AShedCallIsNotTriedAgainAndAsksNobodyElse(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		op, rec := operation(t, plan(shed, ladder(other("spare"), static("sorry"))))
		run := func(_ context.Context, at runtime.Attempt) (string, error) {
			if at.Rung == 2 {
				return "sorry", nil
			}
			return "", status(503, "X-Should-Retry", "false")
		}
		var attempts, canned int
		for range 300 {
			rec.Reset()
			start := time.Now()
			res, err := runtime.DoResult(t.Context(), op, run)
			if err != nil {
				t.Fatal(err)
			}
			if res.Reason == policy.KindShed {
				canned++
				attempts += len(rec.Events(runtime.AttemptStart))
				if res.Rung != "sorry" || time.Since(start) != 0 {
					t.Errorf("a shed call was answered by %q after %v, want the fixed answer at once", res.Rung, time.Since(start))
				}
			}
			sleep(50 * time.Millisecond)
		}
		if canned == 0 || attempts != 0 {
			t.Errorf("%d calls were shed, with %d attempts; want some, with none", canned, attempts)
		}
	})
}

func TestT60_TheErrorSaysWhy(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		op, rec := operation(t, plan(shed, noRetry))
		var shedErr error
		for range 200 {
			if _, err := runtime.Do(t.Context(), op, play(step{Err: status(503)}).Run); errors.Is(err, runtime.ErrShed) {
				shedErr = err
				break
			}
			sleep(100 * time.Millisecond)
		}
		var e *runtime.Error
		if !errors.As(shedErr, &e) || e.Kind != policy.KindShed || e.MayHaveActed || e.Attempts != 0 {
			t.Fatalf("got %+v, want a call that was shed and not sent", shedErr)
		}
		if want := `normal call shed: target "llm" took 0 of the `; !strings.Contains(shedErr.Error(), want) {
			t.Errorf("got %q, want it to say %q", shedErr, want)
		}
		events := rec.Events()
		if !slices.ContainsFunc(events, func(e runtime.Event) bool { return e.What == runtime.Rejected && e.Kind == policy.KindShed }) {
			t.Error("no event tells of the rejection")
		}
	})
}

// In a queue that is half full a sheddable call is shed, and a fallback of its own does not send it elsewhere.
func TestT60_ACrowdedQueueShedsWhatMattersLeast(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		op, _ := operation(t, plan(noRetry, ladder(other("spare")), func(p *policy.Plan) {
			p.Bulkhead = policy.BulkheadConfig{MaxConcurrent: 1, MaxQueue: 2, MaxWait: time.Second}
		}))
		slow := play(step{After: 500 * time.Millisecond}, step{}).Run
		var wg sync.WaitGroup
		for range 2 {
			wg.Go(func() { _, _ = runtime.Do(t.Context(), op, slow) })
		}
		synctest.Wait()
		_, err := runtime.Do(runtime.WithCriticality(t.Context(), runtime.Sheddable), op, play(step{}).Run)
		want := `sheddable call shed: the part of the queue of bulkhead "llm" that is open to it is full`
		if !errors.Is(err, runtime.ErrShed) || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q", err, want)
		}
		wg.Wait()
	})
}

// A bulkhead of the tenant's own that is full is the tenant's to mind: its calls do not spread to other targets, and the error tells
// nothing of other tenants.
func TestT60_ATenantDoesNotOverflowToOtherTargets(t *testing.T) {
	t.Parallel()
	for per, want := range map[policy.Partition]string{policy.PerAll: "spare", policy.PerTenant: "sorry"} {
		t.Run(per.String(), func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				op, _ := operation(t, plan(noRetry, ladder(other("spare"), static("sorry")), func(p *policy.Plan) {
					p.Bulkhead = policy.BulkheadConfig{MaxConcurrent: 1, Per: per}
					p.Targets = []policy.Target{{Name: "spare", Bulkhead: policy.BulkheadConfig{MaxConcurrent: 10}}}
				}))
				ctx := runtime.WithTenant(t.Context(), "acme")
				run := func(_ context.Context, at runtime.Attempt) (string, error) {
					if at.Rung == 0 {
						sleep(time.Second)
					}
					return []string{"primary", "spare", "sorry"}[at.Rung], nil
				}
				var wg sync.WaitGroup
				wg.Go(func() { _, _ = runtime.Do(ctx, op, run) })
				synctest.Wait()
				if got, err := runtime.Do(ctx, op, run); got != want || err != nil {
					t.Errorf("got %q and %v, want %q", got, err, want)
				}
				wg.Wait()
			})
		})
	}
}

func TestT60_ATenantLearnsNothingOfOthers(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		g := still()
		op := operationIn(t, g, once(func(p *policy.Plan) {
			p.Bulkhead = policy.BulkheadConfig{MaxConcurrent: 2, Per: policy.PerTenant}
		}), nil)
		var wg sync.WaitGroup
		for i := range 6 {
			wg.Go(func() {
				_, _ = runtime.Do(runtime.WithTenant(t.Context(), fmt.Sprint("t", i/2)), op, play(step{After: time.Second}).Run)
			})
		}
		synctest.Wait()
		_, err := runtime.Do(runtime.WithTenant(t.Context(), "t0"), op, play(step{}).Run)
		want := `bulkhead "llm" full for this tenant (2 in flight and 0 waiting at most)`
		if !errors.Is(err, runtime.ErrBulkheadFull) || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q", err, want)
		}
		if s := g.Snapshot()[0].Bulkhead; s.InFlight != 6 || s.Tenants != 3 || s.Limit != 2 {
			t.Errorf("got %+v, want 6 in flight of 3 tenants", s)
		}
		wg.Wait()
	})
}

// Two tenants of a target with a capacity of 100 a second, half of it for each: one offers ten times the capacity, the other 20 a
// second. The modest one does not notice.
func TestT61_AGreedyTenantIsNotNoticedByAnother(t *testing.T) {
	t.Parallel()
	alone, _, _ := modest(t, false)
	together, rejected, greedy := modest(t, true)
	if rejected != 0 {
		t.Errorf("%d calls of the modest tenant were rejected", rejected)
	}
	if float64(together) > 1.1*float64(alone) {
		t.Errorf("the modest tenant's p99 is %v, and %v alone", together, alone)
	}
	if perSecond := float64(greedy) / 20; perSecond < 45 || perSecond > 55 {
		t.Errorf("the greedy tenant got %.0f calls a second, want its half of 100", perSecond)
	}
}

// modest runs a tenant for 20 s, beside a greedy one or not, and returns its p99, its rejections, and what the greedy one got.
func modest(t *testing.T, beside bool) (p99 time.Duration, rejected int, greedy int64) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		op, _ := operation(t, once(func(p *policy.Plan) {
			p.Bulkhead = policy.BulkheadConfig{MaxConcurrent: 5, MaxQueue: 10, MaxWait: 200 * time.Millisecond, Per: policy.PerTenant}
		}))
		server := make(chan struct{}, 10) // ten at once, 100 ms each
		run := func(context.Context, runtime.Attempt) (int, error) {
			server <- struct{}{}
			sleep(100 * time.Millisecond)
			<-server
			return 0, nil
		}
		var mu sync.Mutex
		var took []time.Duration
		var served atomic.Int64
		random := lcg()
		var wg sync.WaitGroup
		offer := func(tenant string, every time.Duration, done func(time.Duration, error)) {
			ctx := runtime.WithTenant(t.Context(), tenant)
			for until := time.Now().Add(20 * time.Second); time.Now().Before(until); {
				wg.Go(func() {
					start := time.Now()
					_, err := runtime.Do(ctx, op, run)
					done(time.Since(start), err)
				})
				sleep(time.Duration((0.5 + random()) * float64(every)))
			}
		}
		wg.Go(func() {
			offer("modest", 50*time.Millisecond, func(d time.Duration, err error) {
				mu.Lock()
				defer mu.Unlock()
				if took = append(took, d); err != nil {
					rejected++
				}
			})
		})
		if beside {
			wg.Go(func() {
				offer("greedy", time.Millisecond, func(_ time.Duration, err error) {
					if err == nil {
						served.Add(1)
					}
				})
			})
		}
		wg.Wait()
		slices.Sort(took)
		p99, greedy = took[len(took)*99/100], served.Load()
	})
	return p99, rejected, greedy
}

// A caller that goes away says nothing about the target, however late; a stream is judged by its first item, however long it goes on.
func TestT58_CallersThatGoAwayDoNotLowerTheLimit(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		g := still()
		op := operationIn(t, g, once(func(p *policy.Plan) {
			p.Bulkhead = policy.BulkheadConfig{MaxConcurrent: 64, Adaptive: true}
		}), nil)
		both := func(cancel bool, each time.Duration) {
			var wg sync.WaitGroup
			for range 16 {
				wg.Go(func() {
					for made := 0; made < 40; {
						ctx, stop := context.WithTimeout(t.Context(), time.Hour)
						if cancel {
							time.AfterFunc(each, stop)
						}
						after := each
						if cancel {
							after = time.Hour
						}
						_, err := runtime.Do(ctx, op, play(step{After: after}).Run)
						stop()
						if errors.Is(err, runtime.ErrBulkheadFull) {
							sleep(each) // while the limit probes: it needs calls to measure
							continue
						}
						made++
					}
				})
			}
			wg.Wait()
		}
		both(false, 10*time.Millisecond)
		before := g.Snapshot()[0].Bulkhead.Limit
		both(true, time.Second)
		if after := g.Snapshot()[0].Bulkhead.Limit; after < before || before < 20 {
			t.Errorf("the limit went from %d to %d because callers went away", before, after)
		}
	})
}

// A critical call takes the place of a sheddable one in a queue that is full; that one gives up when its wait is over.
func TestT59_ACriticalCallTakesAPlaceInAFullQueue(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		g := still()
		op := operationIn(t, g, once(func(p *policy.Plan) {
			p.Bulkhead = policy.BulkheadConfig{MaxConcurrent: 1, MaxQueue: 2, MaxWait: time.Second}
		}), nil)
		var mu sync.Mutex
		ended := map[runtime.Criticality][]string{}
		var wg sync.WaitGroup
		start := time.Now()
		for _, c := range []runtime.Criticality{runtime.Normal, runtime.Sheddable, runtime.Normal, runtime.Critical} {
			wg.Go(func() {
				_, err := runtime.Do(runtime.WithCriticality(t.Context(), c), op, play(step{After: 600 * time.Millisecond}).Run)
				mu.Lock()
				defer mu.Unlock()
				end := fmt.Sprintf("%v ok", time.Since(start))
				if errors.Is(err, runtime.ErrBulkheadFull) {
					end = fmt.Sprintf("%v full", time.Since(start))
				}
				ended[c] = append(ended[c], end)
			})
			synctest.Wait()
		}
		wg.Wait()
		want := map[runtime.Criticality][]string{
			runtime.Normal: {"600ms ok", "1s full"}, runtime.Critical: {"1.2s ok"}, runtime.Sheddable: {"1s full"},
		}
		if fmt.Sprint(ended) != fmt.Sprint(want) {
			t.Errorf("got %v, want %v", ended, want)
		}
		if s := g.Snapshot()[0].Bulkhead; s.InFlight != 0 || s.Queued != 0 {
			t.Errorf("left behind %+v", s)
		}
	})
}
