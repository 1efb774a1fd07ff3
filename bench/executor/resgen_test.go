package executor

import (
	"context"
	"testing"
	"time"

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

func resgenArms() []arm {
	return []arm{
		{"resgen/full", func(tb testing.TB) call { return guarded(tb, fullPlan()) }},
		{"resgen/full-no-deadline", func(tb testing.TB) call { return guarded(tb, withoutTimeout(fullPlan())) }},
		{"resgen/full+budget", func(tb testing.TB) call { return guarded(tb, withBudget(fullPlan())) }},
		{"resgen/full+child", func(tb testing.TB) call {
			op := operation(tb, fullPlan())
			run := func(ctx context.Context, _ runtime.Attempt) (*answer, error) { // what net/http does with its context
				child, cancel := context.WithCancel(ctx)
				defer cancel()
				return work(child)
			}
			return func(ctx context.Context) (*answer, error) { return runtime.Do(ctx, op, run) }
		}},
	}
}

// resgenOpenArms has a breaker that opened by itself, and stays open for as long as the benchmark runs.
func resgenOpenArms() []arm {
	return []arm{{"resgen", func(tb testing.TB) call {
		p := fullPlan()
		p.Breaker.OpenFor, p.Breaker.OpenMax = time.Hour, time.Hour
		p.Retry = policy.Retry{}
		op := operation(tb, p)
		for range minCalls {
			_, _ = runtime.Do(tb.Context(), op, func(context.Context, runtime.Attempt) (*answer, error) { return nil, errBroken })
		}
		return do(op)
	}}}
}

func guarded(tb testing.TB, p policy.Plan) call { return do(operation(tb, p)) }

func do(op *runtime.Operation) call {
	run := func(ctx context.Context, _ runtime.Attempt) (*answer, error) { return work(ctx) }
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
