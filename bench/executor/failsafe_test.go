package executor

import (
	"context"
	"testing"
	"time"

	"github.com/failsafe-go/failsafe-go"
	"github.com/failsafe-go/failsafe-go/budget"
	"github.com/failsafe-go/failsafe-go/bulkhead"
	"github.com/failsafe-go/failsafe-go/circuitbreaker"
	"github.com/failsafe-go/failsafe-go/fallback"
	"github.com/failsafe-go/failsafe-go/hedgepolicy"
	"github.com/failsafe-go/failsafe-go/ratelimiter"
	"github.com/failsafe-go/failsafe-go/retrypolicy"
	"github.com/failsafe-go/failsafe-go/timeout"
)

type fsPolicy = failsafe.Policy[*answer]

// fsCall runs policies, the outermost first, in the form that takes a call's context and gives one to the function.
func fsCall(policies ...fsPolicy) call {
	executor := failsafe.With(policies...)
	return func(ctx context.Context) (*answer, error) {
		return executor.WithContext(ctx).GetWithExecution(func(e failsafe.Execution[*answer]) (*answer, error) {
			return work(e.Context())
		})
	}
}

// fsBareCall is the cheapest form: no context of the call, and none for the function.
func fsBareCall(policies ...fsPolicy) call {
	executor := failsafe.With(policies...)
	run := func() (*answer, error) { return work(context.Background()) }
	return func(context.Context) (*answer, error) { return executor.Get(run) }
}

func fsRetryBuilder() retrypolicy.Builder[*answer] {
	return retrypolicy.NewBuilder[*answer]().WithMaxAttempts(maxAttempts).WithBackoff(backoffBase, backoffMax).WithJitterFactor(.25)
}

func fsRetry() fsPolicy         { return fsRetryBuilder().Build() }
func fsRetryBudgeted() fsPolicy { return fsRetryBuilder().WithBudget(budget.New()).Build() }
func fsBulkhead() fsPolicy      { return bulkhead.New[*answer](maxInFlight) }
func fsTimeout() fsPolicy       { return timeout.New[*answer](callTimeout) }
func fsHedge() fsPolicy         { return hedgepolicy.NewWithDelay[*answer](time.Second) }
func fsRate() fsPolicy          { return ratelimiter.NewBursty[*answer](1_000_000_000, time.Second) }
func fsFallback() fsPolicy      { return fallback.NewWithResult(theAnswer) }

func fsBreaker() fsPolicy {
	return circuitbreaker.NewBuilder[*answer]().WithFailureRateThreshold(failureRate, minCalls, window).WithDelay(openFor).Build()
}

func fsCountingBreaker() fsPolicy {
	return circuitbreaker.NewBuilder[*answer]().WithFailureThresholdRatio(50, 100).WithDelay(openFor).Build()
}

// fsFull is the order that its documentation gives.
func fsFull() []fsPolicy {
	return []fsPolicy{fsFallback(), fsRetry(), fsBreaker(), fsTimeout(), fsBulkhead()}
}

func failsafeArms() []arm {
	one := func(name string, policies ...fsPolicy) arm {
		return arm{"failsafe/" + name, func(testing.TB) call { return fsCall(policies...) }}
	}
	return []arm{
		one("retry", fsRetry()),
		one("breaker", fsBreaker()),
		one("breaker-counting", fsCountingBreaker()),
		one("bulkhead", fsBulkhead()),
		one("timeout", fsTimeout()),
		one("hedge", fsHedge()),
		one("rate", fsRate()),
		one("full", fsFull()...),
		{"failsafe/full-bare", func(testing.TB) call { return fsBareCall(fsFull()...) }},
		one("full+budget", fsFallback(), fsRetryBudgeted(), fsBreaker(), fsTimeout(), fsBulkhead()),
		one("full+hedge", fsFallback(), fsRetry(), fsHedge(), fsBreaker(), fsTimeout(), fsBulkhead()),
		one("full+rate+budget", fsFallback(), fsRetryBudgeted(), fsRate(), fsBreaker(), fsTimeout(), fsBulkhead()),
	}
}

func failsafeOpenArms() []arm {
	opened := func() circuitbreaker.CircuitBreaker[*answer] {
		b := circuitbreaker.NewBuilder[*answer]().WithFailureRateThreshold(failureRate, minCalls, window).WithDelay(time.Hour).Build()
		b.Open()
		return b
	}
	return []arm{
		{"failsafe/breaker", func(testing.TB) call { return fsCall(opened()) }},
		{"failsafe/full", func(testing.TB) call {
			return fsCall(fsRetryBuilder().AbortOnErrors(circuitbreaker.ErrOpen).Build(), opened(), fsTimeout(), fsBulkhead())
		}},
		{"failsafe/permit", func(testing.TB) call {
			b := opened()
			return func(context.Context) (*answer, error) {
				if !b.TryAcquirePermit() {
					return nil, circuitbreaker.ErrOpen
				}
				return theAnswer, nil
			}
		}},
	}
}
