package main

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"net/http/httptest"
	"sync"
	"time"

	"github.com/resgen-go/resgen/runtime"
	"github.com/resgen-go/resgen/runtime/policy"
	"github.com/resgen-go/resgen/runtime/wire"
)

// Calls arrive for length; from holeFrom to holeTo the primary is away.
const (
	holeFrom = 20 * time.Second
	holeTo   = 60 * time.Second
	length   = 95 * time.Second
)

const attemptTimeout = time.Second

// row is one world.
type row struct {
	name     string
	rate     float64
	deadline time.Duration
	reserve  time.Duration
	pooled   bool // not the primary is away, but the connections to it that are there are dead

	// In percent, at least; 0 promises nothing.
	answered, skipped, onPrimary float64
}

// outcome is what a row came to.
type outcome struct {
	answered, skipped, onPrimary float64
	probes                       int
	slowest                      time.Duration
	overdue                      int
	failed                       map[runtime.Kind]int // calls, at any time
}

var errPromise = errors.New("not what is promised")

// holds fails where the outcome is not what the row promises. A call is overdue that ended a tenth of a second after its deadline.
func (r *row) holds(o *outcome) error {
	if o.answered < r.answered || o.skipped < r.skipped || o.onPrimary < r.onPrimary || o.overdue > 0 ||
		!r.pooled && o.probes > policy.Recommended(false).Breaker.Probes {
		return fmt.Errorf("%s: %w: %+v", r.name, errPromise, *o)
	}
	return nil
}

// plan is that of the simulated failover.
func (r *row) plan() policy.Plan {
	p := policy.Recommended(false)
	p.Operation, p.Idempotency, p.Retry.On = "Chat", policy.Safe, policy.RetryOn(policy.Safe)
	p.Timeout = policy.Timeout{Attempt: attemptTimeout, Total: 3 * time.Second}
	p.Bulkhead.MaxConcurrent = 128
	var after []policy.Kind
	for _, k := range policy.Kinds() {
		if k.Any() {
			after = append(after, k)
		}
	}
	p.Fallback.Rungs = []policy.Rung{{
		Name: "eu", Sort: policy.RungTarget, Target: "eu", When: after, Level: policy.Alternate, Reserve: r.reserve,
	}}
	return p
}

// play plays the row.
func (r *row) play(ctx context.Context) (outcome, error) {
	server, between, err := r.primary()
	if err != nil {
		return outcome{}, err
	}
	defer server.Close()
	defer between.close()
	second := httptest.NewServer(capped(150, answer))
	defer second.Close()
	scheme := map[bool]string{false: "http://", true: "https://"}[r.pooled]
	w := &watcher{row: r, begun: time.Now(), calls: map[int]*call{}, failed: map[runtime.Kind]int{}}
	h := runtime.NewHTTP( //nolint:contextcheck // it dials nothing
		runtime.HTTPSpec{Name: "llm", Targets: []policy.Target{{Name: "eu", BaseURL: second.URL}}},
		runtime.WithBaseURL(scheme+between.address()), runtime.WithObserver(w),
	)
	op := h.Operation(r.plan())
	if err := h.Err(); err != nil {
		return outcome{}, err
	}
	defer h.CloseIdleConnections()
	if err := r.drive(ctx, w, between, func(ctx context.Context) (int, error) {
		call := wire.NewRequest("POST", "/chat")
		call.JSON(map[string]string{"question": "who are you?"})
		res, err := runtime.DoResult(ctx, op, func(ctx context.Context, at runtime.Attempt) (*map[string]string, error) {
			if at.Rung == 0 {
				touched(ctx)
			}
			return runtime.Send(ctx, h, at, call, wire.JSON[map[string]string])
		}, call)
		if err != nil {
			return -1, err
		}
		return map[string]int{"": 0, "eu": 1}[res.Rung], nil
	}); err != nil {
		return outcome{}, err
	}
	return w.outcome(), nil
}

// drive has calls arrive at random, without waiting for answers.
func (r *row) drive(ctx context.Context, w *watcher, between hole, ask func(context.Context) (int, error)) error {
	var wg sync.WaitGroup
	defer wg.Wait()
	var next time.Duration
	for n, away, back := 0, false, false; next < length; n++ {
		next += time.Duration(-math.Log(1-rand.Float64()) / r.rate * float64(time.Second))
		for _, change := range []struct {
			at   time.Duration
			done *bool
			do   func() error
		}{{holeFrom, &away, between.open}, {holeTo, &back, func() error { return between.shut(ctx) }}} {
			if next < change.at || *change.done {
				continue
			}
			if err := until(ctx, w.begun.Add(change.at)); err != nil {
				return err
			}
			if err := change.do(); err != nil {
				return err
			}
			*change.done = true
		}
		if err := until(ctx, w.begun.Add(next)); err != nil {
			return err
		}
		c := w.start(n)
		wg.Go(func() {
			ctx, cancel := context.WithTimeout(context.WithValue(ctx, callKey{}, c), r.deadline)
			defer cancel()
			rung, err := ask(ctx)
			w.end(c, rung, err)
		})
	}
	return nil
}

// until waits for an instant.
func until(ctx context.Context, at time.Time) error {
	timer := time.NewTimer(time.Until(at))
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err() //nolint:wrapcheck // the program ends
	}
}
