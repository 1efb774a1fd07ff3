package runtime_test

import (
	"context"
	"errors"
	"io"
	"math"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/resgen-go/resgen/runtime"
	"github.com/resgen-go/resgen/runtime/policy"
	"github.com/resgen-go/resgen/runtime/runtimetest"
	"github.com/resgen-go/resgen/runtime/wire"
)

// withBudget gives a plan a budget without a floor; it starts with 10 tokens.
func withBudget(p *policy.Plan) { p.Budget = policy.BudgetConfig{Ratio: 0.1} }

// balance returns what the group's first budget pays for.
func balance(g *runtime.Group) float64 { return math.Round(g.Snapshot()[0].Budget*1000) / 1000 }

func TestT25_TheBudgetIsAskedBeforeTheSleep(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		g := still()
		op := operationIn(t, g, plan(withBudget, func(p *policy.Plan) { p.Retry.Attempts = 11 }), nil)
		_, _ = runtime.Do(t.Context(), op, play(step{Err: status(503)}).Run) // ten retries
		start, script := time.Now(), play(step{Err: status(503)})
		_, err := runtime.Do(t.Context(), op, script.Run)
		if n := len(script.Seen()); n != 1 || time.Since(start) != 0 {
			t.Errorf("%d attempts in %v, want one, and no wait for a retry that is not paid", n, time.Since(start))
		}
		var response *wire.StatusError
		if !errors.Is(err, runtime.ErrBudget) || !errors.Is(err, runtime.ErrTransient) || !errors.As(err, &response) {
			t.Errorf("got %v; want the 503, and that the budget is empty", err)
		}
	})
}

func TestT25_AnEmptyBudgetLeadsToTheNextRung(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		rung := static("sorry")
		rung.When = []policy.Kind{policy.KindBudget}
		op, seen := operation(t, plan(withBudget, func(p *policy.Plan) { p.Retry.Attempts = 11 }, ladder(rung)))
		_, _ = runtime.Do(t.Context(), op, play(step{Err: status(503)}).Run)
		res, err := runtime.DoResult(t.Context(), op, play(step{Err: status(503)}, step{}).Run)
		if err != nil || res.Rung != "sorry" || res.Reason != policy.KindTransient {
			t.Errorf("got %+v, %v; want the rung that names the budget", res, err)
		}
		if n := len(seen.Events(runtime.BudgetDenied)); n != 1 {
			t.Errorf("%d denials told, want 1", n)
		}
	})
}

func TestT26_FirstAttemptsRefillTheBudget(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		g := still()
		op := operationIn(t, g, plan(withBudget, func(p *policy.Plan) { p.Retry.Attempts = 11 }), nil)
		_, _ = runtime.Do(t.Context(), op, play(step{Err: status(503)}).Run)
		for range 20 {
			_, _ = runtime.Do(t.Context(), op, play(step{}).Run)
		}
		script := play(step{Err: status(503)}, step{})
		if _, err := runtime.Do(t.Context(), op, script.Run); err != nil || len(script.Seen()) != 2 {
			t.Errorf("%d attempts, %v; want a retry, paid by 20 successes", len(script.Seen()), err)
		}
	})
}

func TestC010_ABudgetBoundsAnOutage(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		op := operationIn(t, still(), plan(withBudget, func(p *policy.Plan) { p.Retry.Attempts = 4 }), nil)
		hits := 0
		for range 100 {
			script := play(step{Err: status(503)})
			_, err := runtime.Do(t.Context(), op, script.Run)
			hits += len(script.Seen())
			if !errors.Is(err, runtime.ErrTransient) {
				t.Fatalf("got %v, want the 503", err)
			}
		}
		if most := 100 + 10 + 10; hits > most || hits < 110 {
			t.Errorf("%d hits for 100 calls, want 110 to %d", hits, most)
		}
	})
}

func TestT28_WhatDrainsTheBudget(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		first step
		want  float64 // of 10, after one deposit that does not fit
	}{
		"a caller's mistake": {step{Err: status(404)}, 10},
		"never executed":     {step{Err: &wire.TransportError{Stage: wire.StageDial, Refused: true, Err: errors.New("no")}}, 10},
		"429":                {step{Err: status(429)}, 9},
		"503":                {step{Err: status(503)}, 9},
		"an attempt timeout": {step{Hang: true}, 8},
		"do not retry":       {step{Err: status(503, "X-Should-Retry", "false")}, 10},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				g := still()
				op := operationIn(t, g, plan(withBudget), nil)
				_, _ = runtime.Do(t.Context(), op, play(c.first, step{}).Run)
				if got := balance(g); got != c.want {
					t.Errorf("balance %v, want %v", got, c.want)
				}
			})
		})
	}
}

func TestT29_ARetryThatIsNotSentIsRefunded(t *testing.T) {
	t.Parallel()
	t.Run("refused after the wait", func(t *testing.T) {
		t.Parallel()
		synctest.Test(t, func(t *testing.T) {
			g := still()
			op := operationIn(t, g, plan(withBudget, func(p *policy.Plan) { p.Breaker = breaker(3) }), nil)
			script := play(step{Err: status(503)})
			done := make(chan error)
			go func() {
				_, err := runtime.Do(t.Context(), op, script.Run)
				done <- err
			}()
			synctest.Wait() // it waits for its retry
			for range 2 {   // others open the breaker meanwhile
				_, _ = runtime.Do(t.Context(), op, play(step{Err: status(503, "X-Should-Retry", "false")}).Run)
			}
			if err := <-done; !errors.Is(err, runtime.ErrBreakerOpen) || !errors.Is(err, runtime.ErrTransient) || len(script.Seen()) != 1 {
				t.Errorf("%d attempts, %v; want one, and a breaker that refuses the second", len(script.Seen()), err)
			}
			if got := balance(g); got != 10 {
				t.Errorf("balance %v, want 10", got)
			}
		})
	})
	t.Run("the caller goes away in the wait", func(t *testing.T) {
		t.Parallel()
		synctest.Test(t, func(t *testing.T) {
			g := still()
			op := operationIn(t, g, plan(withBudget), nil)
			ctx, cancel := context.WithCancel(t.Context())
			time.AfterFunc(50*time.Millisecond, cancel)
			_, _ = runtime.Do(ctx, op, play(step{Err: status(503)}).Run)
			if got := balance(g); got != 10 {
				t.Errorf("balance %v, want 10", got)
			}
		})
	})
}

func TestReplaysOfTheTransportCountAgainstTheLimit(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		op, _ := operation(t, plan(func(p *policy.Plan) {
			p.Limit = policy.LimitConfig{Requests: policy.Rate{Amount: 1, Per: time.Second}, Burst: 4}
			p.Retry = policy.Retry{}
		}))
		lost := &wire.TransportError{Stage: wire.StageWait, Wrote: true, Sends: 3, Err: errors.New("connection reset")}
		script := play(step{Err: lost}, step{})
		_, _ = runtime.Do(t.Context(), op, script.Run)
		began := time.Now()
		for range 2 {
			if _, err := runtime.Do(t.Context(), op, script.Run); err != nil {
				t.Fatal(err)
			}
		}
		if took := time.Since(began); took != time.Second {
			t.Errorf("two calls took %s, want 1s: three of four requests were gone", took)
		}
	})
}

func TestReplaysOfTheTransportAreChargedAndTold(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		g, seen := still(), new(runtimetest.Recorder)
		op := operationIn(t, g, plan(withBudget), seen)
		lost := &wire.TransportError{Stage: wire.StageWait, Wrote: true, Sends: 3, Err: errors.New("connection reset")}
		op4 := operationIn(t, g, plan(withBudget, func(p *policy.Plan) { p.Retry.Attempts = 4 }), seen)
		if _, err := runtime.Do(t.Context(), op4, play(step{Err: lost}, step{}).Run); err != nil {
			t.Fatal(err)
		}
		if got := balance(g); got != 7 {
			t.Errorf("balance %v, want 7: two replays, and our own retry", got)
		}
		if got := seen.Events(runtime.AttemptEnd)[0].Replays; got != 2 {
			t.Errorf("%d replays told, want 2", got)
		}
		script := play(step{Err: lost})
		if _, err := runtime.Do(t.Context(), op, script.Run); err == nil || len(script.Seen()) != 1 {
			t.Errorf("%d attempts, %v; want one: it was sent three times", len(script.Seen()), err)
		}
	})
}

func TestTheBudgetIsTheTargets(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		g := still()
		op := operationIn(t, g, plan(withBudget, func(p *policy.Plan) {
			p.Targets = []policy.Target{{Name: "eu"}}
		}, ladder(other("eu"))), nil)
		script := play(step{Err: status(503)}, step{Err: status(503)}, step{Err: status(503)}, step{Err: status(502)}, step{})
		if _, err := runtime.DoResult(t.Context(), op, script.Run); err != nil {
			t.Fatal(err)
		}
		for _, m := range g.Snapshot() {
			if want := map[string]float64{"primary": 8, "eu": 9}[m.Target]; m.Operation == "" && m.Budget != want {
				t.Errorf("%s: balance %v, want %v", m.Target, m.Budget, want)
			}
		}
	})
}

func TestAReplayThatSucceedsIsChargedToo(t *testing.T) {
	t.Parallel()
	var hits atomic.Int64
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		if hits.Add(1) == 2 { // net/http sends it again: the connection was used before, and nothing had come back
			panic(http.ErrAbortHandler)
		}
		_, _ = io.WriteString(w, "ok")
	}))
	defer s.Close()
	g := still()
	h := runtime.NewHTTP(runtime.HTTPSpec{Name: "llm", BaseURL: s.URL}, runtime.WithGroup(g))
	op := h.Operation(plan(withBudget, func(p *policy.Plan) { p.Timeout = policy.Timeout{} })) // sockets take what they take
	if err := h.Err(); err != nil {
		t.Fatal(err)
	}
	defer h.CloseIdleConnections()
	for range 2 {
		text, err := runtime.Do(t.Context(), op, func(ctx context.Context, at runtime.Attempt) (string, error) {
			return runtime.Send(ctx, h, at, wire.NewRequest("GET", "/"), wire.Text)
		})
		if text != "ok" || err != nil {
			t.Fatalf("got %q, %v", text, err)
		}
	}
	if got := balance(g); hits.Load() != 3 || got != 9 {
		t.Errorf("%d hits, balance %v; want 3, and the one that net/http added to be paid", hits.Load(), got)
	}
}
