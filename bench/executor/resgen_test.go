package executor

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/resgen-go/resgen/bench/executor/guarded"
	"github.com/resgen-go/resgen/runtime"
	"github.com/resgen-go/resgen/runtime/policy"
)

// fullPlan has exactly the parts of the floor: a deadline, a bulkhead, a breaker over a window, the latency record that every operation
// has, and retries.
func fullPlan() policy.Plan {
	return policy.Plan{
		Operation:   "Get",
		Idempotency: policy.Safe,
		Timeout:     policy.Timeout{Attempt: callTimeout, Total: maxAttempts * callTimeout},
		Retry: policy.Retry{
			Attempts: maxAttempts,
			Backoff:  policy.Backoff{Base: backoffBase, Max: backoffMax, Multiplier: 2},
			On:       policy.RetryOn(policy.Safe),
		},
		Breaker: policy.BreakerConfig{
			Mode:        policy.BreakerOn,
			WindowCalls: 200, WindowAge: window, MinCalls: minCalls, FailureRate: failureRate,
			OpenFor: openFor, OpenMax: openFor, Probes: 3, CloseAfter: 3,
		},
		Bulkhead: policy.BulkheadConfig{MaxConcurrent: maxInFlight},
	}
}

// withoutTimeout leaves the deadline to the caller.
func withoutTimeout(p policy.Plan) policy.Plan {
	p.Timeout = policy.Timeout{}
	return p
}

func withBudget(p policy.Plan) policy.Plan {
	p.Budget = policy.BudgetConfig{Ratio: .2, MinPerSecond: 1}
	return p
}

// withLimit has a limit that is never reached, and a bulkhead that follows the latency.
func withLimit(p policy.Plan) policy.Plan {
	p.Limit = policy.LimitConfig{Requests: policy.Rate{Amount: 1e9, Per: time.Second}, Burst: 1e9}
	p.Bulkhead.Adaptive = true
	return p
}

func withHedge(p policy.Plan, after time.Duration) policy.Plan {
	p.Hedgeable = true
	p.Hedge = policy.HedgeConfig{Max: 1, Delay: after, ExtraLoad: .05}
	return p
}

// needLimit skips an arm whose limit would limit nothing.
func needLimit(tb testing.TB) {
	tb.Helper()
	p := fullPlan()
	p.Limit = policy.LimitConfig{Requests: policy.Rate{Amount: 1, Per: time.Hour}, Burst: 1}
	limited := do(operation(tb, p), work)
	_, _ = limited(tb.Context())
	ctx, cancel := context.WithTimeout(tb.Context(), time.Second)
	defer cancel()
	if _, err := limited(ctx); !errors.Is(err, runtime.ErrRateLimited) {
		tb.Skipf("the limit is not in force: %v", err)
	}
}

// needAdaptive skips an arm whose bulkhead has its largest size from the first.
func needAdaptive(tb testing.TB) {
	tb.Helper()
	group := runtime.NewGroup()
	if _, err := runtime.NewOperation(group, "bench", withLimit(fullPlan()), runtime.Wiring{}); err != nil {
		tb.Fatal(err)
	}
	if b := group.Snapshot()[0].Bulkhead; b.Limit >= b.MaxConcurrent {
		tb.Skipf("the bulkhead does not adapt: its limit is %d of %d", b.Limit, b.MaxConcurrent)
	}
}

// needHedge skips an arm whose hedge would never fire.
func needHedge(tb testing.TB) {
	tb.Helper()
	p := withHedge(fullPlan(), time.Millisecond)
	p.Hedge.ExtraLoad = 1
	op := operation(tb, p)
	ctx, cancel := context.WithTimeout(tb.Context(), time.Second)
	defer cancel()
	for plain := range 20 { // a budget may have to fill first
		if _, err := do(op, work)(ctx); err != nil {
			tb.Fatal(plain, err)
		}
	}
	_, err := runtime.Do(ctx, op, func(ctx context.Context, at runtime.Attempt) (*answer, error) {
		if !at.Hedge {
			<-ctx.Done()
		}
		return theAnswer, ctx.Err()
	})
	if err != nil {
		tb.Skipf("the hedge does not fire: %v", err)
	}
}

func resgenArms() []arm {
	one := func(name string, p policy.Plan, needs ...func(testing.TB)) arm {
		return arm{"resgen/" + name, func(tb testing.TB) call {
			tb.Helper()
			for _, need := range needs {
				need(tb)
			}
			return do(operation(tb, p), work)
		}}
	}
	return []arm{
		one("full", fullPlan()),
		one("full-no-deadline", withoutTimeout(fullPlan())),
		one("full+budget", withBudget(fullPlan())),
		{"resgen/full+observer", func(tb testing.TB) call {
			tb.Helper()
			op, err := runtime.NewOperation(nil, "bench", fullPlan(), runtime.Wiring{
				Observer: runtime.ObserverFunc(func(context.Context, runtime.Event) {}),
			})
			if err != nil {
				tb.Fatal(err)
			}
			return do(op, work)
		}},
		one("full+limit+budget+adaptive", withLimit(withBudget(fullPlan())), needLimit, needAdaptive),
		one("full+hedge", withHedge(fullPlan(), time.Second), needHedge),
		{"resgen/wrapper", wrapped},
		{"resgen/full+child", func(tb testing.TB) call {
			tb.Helper()
			return do(operation(tb, fullPlan()), withChild)
		}},
	}
}

// getter is what the generated wrapper calls.
type getter struct{}

func (getter) Get(ctx context.Context, _ string) (*guarded.Answer, error) {
	_, err := work(ctx)
	return nil, err
}

// wrapped calls a generated wrapper with the plan of resgen/full.
func wrapped(tb testing.TB) call {
	tb.Helper()
	w, err := guarded.NewResilientGetter(getter{})
	if err != nil {
		tb.Fatal(err)
	}
	return func(ctx context.Context) (*answer, error) {
		_, err := w.Get(ctx, "key")
		return theAnswer, err
	}
}

// resgenOpenArms has a breaker that opened by itself, and stays open for as long as the benchmark runs.
func resgenOpenArms() []arm {
	return []arm{{"resgen", func(tb testing.TB) call {
		tb.Helper()
		p := fullPlan()
		p.Breaker.OpenFor, p.Breaker.OpenMax = time.Hour, time.Hour
		p.Retry = policy.Retry{}
		op := operation(tb, p)
		broken := do(op, func(context.Context) (*answer, error) { return nil, errBroken })
		for range minCalls {
			_, _ = broken(tb.Context())
		}
		return do(op, work)
	}}}
}

// do guards fn.
func do(op *runtime.Operation, fn call) call {
	run := func(ctx context.Context, _ runtime.Attempt) (*answer, error) { return fn(ctx) }
	return func(ctx context.Context) (*answer, error) { return runtime.Do(ctx, op, run) }
}

func operation(tb testing.TB, p policy.Plan) *runtime.Operation {
	tb.Helper()
	op, err := runtime.NewOperation(nil, "bench", p, runtime.Wiring{})
	if err != nil {
		tb.Fatal(err)
	}
	return op
}
