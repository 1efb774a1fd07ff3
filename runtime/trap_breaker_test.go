package runtime_test

import (
	"context"
	"errors"
	"io"
	stdruntime "runtime"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/resgen-go/resgen/runtime"
	"github.com/resgen-go/resgen/runtime/policy"
)

// state returns the state of the group's first breaker.
func state(g *runtime.Group) policy.State { return g.Snapshot()[0].Breaker.State }

// withBreaker gives a plan a breaker and no retry.
func withBreaker(failures int) func(*policy.Plan) {
	return func(p *policy.Plan) { p.Breaker, p.Retry = breaker(failures), policy.Retry{} }
}

func TestT01_ThreeWayOutcome(t *testing.T) {
	t.Parallel()
	hang := step{Hang: true}
	lost := step{Then: func(ctx context.Context, _ runtime.Attempt) (string, error) {
		<-ctx.Done()
		return "", errors.New("use of closed network connection") // what a transport makes of it
	}}
	cancel := func(t *testing.T) context.Context {
		t.Helper()
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(20*time.Millisecond, cancel)
		return ctx
	}
	deadline := func(t *testing.T) context.Context {
		t.Helper()
		ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
		t.Cleanup(cancel)
		return ctx
	}
	none := func(t *testing.T) context.Context {
		t.Helper()
		return t.Context()
	}
	for name, c := range map[string]struct {
		ctx  func(*testing.T) context.Context
		step step
		kind policy.Kind
		want policy.State
	}{
		"caller's cancel":                       {cancel, hang, policy.KindCanceled, policy.StateClosed},
		"caller's cancel, as a transport error": {cancel, lost, policy.KindCanceled, policy.StateClosed},
		"caller's deadline":                     {deadline, hang, policy.KindDeadline, policy.StateClosed},
		"caller's deadline, as another error":   {deadline, lost, policy.KindDeadline, policy.StateClosed},
		"caller's mistake":                      {none, step{Err: status(404)}, policy.KindCaller, policy.StateClosed},
		"429":                                   {none, step{Err: status(429)}, policy.KindThrottle, policy.StateClosed},
		"our attempt timeout":                   {none, hang, policy.KindTimeout, policy.StateOpen},
		"our attempt timeout, as another error": {none, lost, policy.KindTimeout, policy.StateOpen},
		"503":                                   {none, step{Err: status(503)}, policy.KindTransient, policy.StateOpen},
		"529":                                   {none, step{Err: status(529)}, policy.KindThrottle, policy.StateOpen},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				g := still()
				op := operationIn(t, g, plan(withBreaker(5)), nil)
				for range 5 {
					_, err := runtime.Do(c.ctx(t), op, play(c.step).Run)
					if got := runtime.KindOf(err); got != c.kind {
						t.Errorf("kind %v, want %v: %v", got, c.kind, err)
					}
				}
				if got := state(g); got != c.want {
					t.Errorf("breaker %v, want %v", got, c.want)
				}
			})
		})
	}
}

func TestT01_AnAnswerThatComesInspiteOfTheEndCounts(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		op, _ := operation(t, plan())
		ctx, cancel := context.WithCancel(t.Context())
		got, err := runtime.Do(ctx, op, play(step{Then: func(context.Context, runtime.Attempt) (string, error) {
			cancel()
			return "answer", nil
		}}).Run)
		if got != "answer" || err != nil {
			t.Errorf("got %q, %v; want the answer", got, err)
		}
	})
}

func TestT02_ADeadlineThatWasTooShortIsNotTheRemotesFault(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		g := still()
		op := operationIn(t, g, plan(func(p *policy.Plan) {
			p.Breaker, p.Retry.Attempts, p.Timeout.Total = breaker(2), 2, 1500*time.Millisecond
		}), nil)
		_, err := runtime.Do(t.Context(), op, play(step{Hang: true}).Run)
		if runtime.KindOf(err) != policy.KindTimeout {
			t.Errorf("got %v, want a timeout", err)
		}
		got := g.Snapshot()[0].Breaker
		if got.State != policy.StateClosed || got.Calls != 1 || got.Failures != 1 {
			t.Errorf("breaker %+v, want one failure: the second attempt had 400 ms of its second", got)
		}
	})
}

func TestT03_ANeutralProbeGivesItsSlotBack(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		g := still()
		op := operationIn(t, g, plan(withBreaker(1)), nil)
		trip(t, op)
		sleep(5 * time.Second)
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Millisecond)
		defer cancel()
		if _, err := runtime.Do(ctx, op, play(step{Hang: true}).Run); runtime.KindOf(err) != policy.KindDeadline {
			t.Errorf("probe: %v, want the caller's deadline", err)
		}
		if _, err := runtime.Do(t.Context(), op, play(step{}).Run); err != nil {
			t.Errorf("next probe: %v, want an answer", err)
		}
		if got := state(g); got != policy.StateClosed {
			t.Errorf("breaker %v, want closed", got)
		}
	})
}

// trip fails once.
func trip(t *testing.T, op *runtime.Operation) {
	t.Helper()
	if _, err := runtime.Do(t.Context(), op, play(step{Err: status(503)}).Run); err == nil {
		t.Fatal("a 503 is no answer")
	}
}

func TestT04_PanicsAndGoexitGiveEverythingBack(t *testing.T) {
	t.Parallel()
	for name, end := range map[string]func(){
		"panic":  func() { panic("boom") },
		"goexit": stdruntime.Goexit,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				g := still()
				op := operationIn(t, g, plan(withBreaker(1), func(p *policy.Plan) { p.Bulkhead.MaxConcurrent = 1 }), nil)
				trip(t, op)
				sleep(5 * time.Second)
				var value any
				within(func() {
					defer func() { value = recover() }()
					_, _ = runtime.Do(t.Context(), op, play(step{Then: func(context.Context, runtime.Attempt) (string, error) {
						end()
						return "", nil
					}}).Run)
				})
				if name == "panic" && value != "boom" {
					t.Errorf("recovered %v, want the panic's own value", value)
				}
				m := g.Snapshot()[0]
				if m.Bulkhead.InFlight != 0 || m.Breaker.InFlight != 0 || m.Breaker.State != policy.StateOpen {
					t.Errorf("left behind %+v %+v, want nothing in flight and a failed probe", m.Bulkhead, m.Breaker)
				}
				sleep(7 * time.Second)
				if _, err := runtime.Do(t.Context(), op, play(step{}).Run); err != nil || state(g) != policy.StateClosed {
					t.Errorf("afterwards: %v, breaker %v; want an answer and closed", err, state(g))
				}
			})
		})
	}
}

// within runs f on a goroutine of its own and waits for its end, however it ends.
func within(f func()) {
	var wg sync.WaitGroup
	wg.Go(f)
	wg.Wait()
}

func TestT05_ALateResultOfAnEarlierGenerationDoesNotCount(t *testing.T) {
	t.Parallel()
	for name, late := range map[string]error{"a success does not close": nil, "a failure does not reopen": status(503)} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				g := still()
				op := operationIn(t, g, plan(withBreaker(1), func(p *policy.Plan) { p.Timeout = policy.Timeout{} }), nil)
				go runtime.Do(t.Context(), op, play(step{After: 6 * time.Second, Err: late}).Run)
				synctest.Wait()
				trip(t, op)
				sleep(5500 * time.Millisecond)
				go runtime.Do(t.Context(), op, play(step{After: 4 * time.Second}).Run) // the probe
				sleep(time.Second)                                                     // the late one has ended
				if got := state(g); got != policy.StateHalfOpen {
					t.Errorf("breaker %v after the late result, want half-open", got)
				}
				sleep(5 * time.Second)
				if got := state(g); got != policy.StateClosed {
					t.Errorf("breaker %v after the probe, want closed", got)
				}
			})
		})
	}
}

func TestT08_LocalRejectionsAreNoEvidenceAndKeepNoSlot(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		g := still()
		one := func(p *policy.Plan) { p.Bulkhead.MaxConcurrent = 1 }
		op := operationIn(t, g, plan(withBreaker(1), one), nil)
		neighbour := operationIn(t, g, once(one), nil)
		trip(t, op)
		sleep(5 * time.Second)
		go runtime.Do(t.Context(), neighbour, play(step{After: time.Second}).Run)
		synctest.Wait()
		for range 10 {
			if _, err := runtime.Do(t.Context(), op, play(step{}).Run); !errors.Is(err, runtime.ErrBulkheadFull) {
				t.Errorf("got %v, want a full bulkhead", err)
			}
		}
		sleep(2 * time.Second)
		if _, err := runtime.Do(t.Context(), op, play(step{}).Run); err != nil || state(g) != policy.StateClosed {
			t.Errorf("probe: %v, breaker %v; want the one slot to be free", err, state(g))
		}
	})
}

func TestT09_AnOpenBreakerIsNotRetriedButLeadsOn(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		g := still()
		p := plan(func(p *policy.Plan) {
			p.Breaker, p.Budget = breaker(1), policy.BudgetConfig{Ratio: 0.2}
			p.Retry.Attempts = 1
		}, ladder(static("sorry")))
		op := operationIn(t, g, p, nil)
		alone := runtime.WithoutFallback(t.Context())
		_, _ = runtime.Do(alone, op, play(step{Err: status(503)}).Run)
		opened, budget := time.Now(), g.Snapshot()[0].Budget

		script := play(step{})
		_, err := runtime.Do(alone, op, script.Run)
		var e *runtime.Error
		if !errors.Is(err, runtime.ErrBreakerOpen) || !errors.As(err, &e) || !e.NotBefore.Equal(opened.Add(5*time.Second)) {
			t.Errorf("got %v, want an open breaker and its not-before", err)
		}
		if want := `llm.Get: breaker "llm" open for another 5s (1 of 1 calls failed)`; err.Error() != want {
			t.Errorf("text %q, want %q", err, want)
		}
		if n := len(script.Seen()); n != 0 || !time.Now().Equal(opened) {
			t.Errorf("%d attempts, %v later; want none, at once", n, time.Since(opened))
		}
		if got := g.Snapshot()[0].Budget; got != budget {
			t.Errorf("budget %v, want %v", got, budget)
		}
		res, err := runtime.DoResult(t.Context(), op, func(_ context.Context, at runtime.Attempt) (int, error) { return at.Rung, nil })
		if err != nil || res.Value != 1 || res.Reason != policy.KindBreakerOpen || res.Rung != "sorry" {
			t.Errorf("got %+v, %v; want the static rung", res, err)
		}
	})
}

func TestT09_ABreakerThatOpensDuringACallEndsItsRetries(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		op, _ := operation(t, plan(func(p *policy.Plan) { p.Breaker, p.Retry.Attempts = breaker(2), 5 }))
		script := play(step{Err: status(503)})
		start := time.Now()
		_, err := runtime.Do(t.Context(), op, script.Run)
		if n := len(script.Seen()); n != 2 || time.Since(start) != 100*time.Millisecond {
			t.Errorf("%d attempts in %v, want 2 in 100ms", n, time.Since(start))
		}
		if !errors.Is(err, runtime.ErrTransient) || !errors.Is(err, runtime.ErrBreakerOpen) {
			t.Errorf("got %v, want the 503, and that the breaker is open", err)
		}
	})
}

func TestABreakerOpenErrorIsMadeOncePerOpening(t *testing.T) {
	op := operationIn(t, still(), plan(withBreaker(1)), nil)
	trip(t, op)
	ctx := t.Context()
	got := testing.AllocsPerRun(100, func() {
		if _, err := runtime.Do(ctx, op, answer); err == nil {
			t.Fatal("the breaker is open")
		}
	})
	if got != 0 {
		t.Errorf("%v allocations for each rejected call, want none", got)
	}
}

func TestAFunctionThatIgnoresItsTimeoutIsWaitedFor(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		op, _ := operation(t, plan())
		start := time.Now()
		got, err := runtime.Do(t.Context(), op, play(step{After: 3 * time.Second, Deaf: true, Value: "late"}).Run)
		if got != "late" || err != nil || time.Since(start) != 3*time.Second {
			t.Errorf("got %q, %v after %v; want the late answer", got, err, time.Since(start))
		}
		_, err = runtime.Do(t.Context(), op, play(
			step{After: 3 * time.Second, Deaf: true, Err: io.ErrUnexpectedEOF}, step{Value: "second"}).Run)
		if err != nil {
			t.Errorf("got %v; want the late failure to be retried as a timeout", err)
		}
	})
}
