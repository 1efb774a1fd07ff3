package annot

import (
	"time"

	"github.com/resgen-go/resgen/generator/internal/source"
	"github.com/resgen-go/resgen/runtime/policy"
)

// BuiltInTimeout is the timeout class of an operation that names none. The figures for streams are from the idle and first-token
// times of public LLM services.
func BuiltInTimeout() policy.Timeout {
	return policy.Timeout{
		Total: time.Minute, Attempt: time.Minute, Connect: 5 * time.Second,
		FirstByte: 15 * time.Second, FirstItem: 30 * time.Second, Idle: 30 * time.Second, ItemGap: time.Minute, MaxStream: 10 * time.Minute,
	}
}

// Recommended returns the built-in policy as an author would write it. A call that generates, as every operation that streams
// does, costs more and takes longer than one that reads: it gets fewer attempts, longer waits and a smaller budget.
//
// The retry figures are those of the AWS SDKs and Google's SRE book (chapter 21), the budget's are Finagle's, the breaker's those that
// Polly, Resilience4j and Hystrix have in common, but with an open time short enough for user traffic.
func Recommended(generates bool) source.Value {
	s := Settings{Plan: policy.Plan{
		Retry: policy.Retry{
			Attempts:      3,
			Backoff:       policy.Backoff{Base: 100 * time.Millisecond, Max: 2 * time.Second, Multiplier: 2, Jitter: policy.FullJitter},
			RetryAfterMax: 30 * time.Second,
		},
		Budget: policy.BudgetConfig{Ratio: 0.2, MinPerSecond: 1},
		Breaker: policy.BreakerConfig{
			Mode: policy.BreakerOn, Scope: policy.ScopeTarget, WindowCalls: 200, WindowAge: 10 * time.Second, MinCalls: 20,
			FailureRate: 0.5, Consecutive: 5, SlowRate: 0.8, OpenFor: 5 * time.Second, OpenMax: 15 * time.Second, Probes: 3, CloseAfter: 3,
		},
		Bulkhead: policy.BulkheadConfig{MaxConcurrent: 64, MaxQueue: 64, MaxWait: 50 * time.Millisecond},
	}}
	if generates {
		s.Plan.Retry.Attempts = 2
		s.Plan.Retry.Backoff.Base, s.Plan.Retry.Backoff.Max = 500*time.Millisecond, 8*time.Second
		s.Plan.Retry.RetryAfterMax = time.Minute
		s.Plan.Budget.Ratio = 0.1
	}
	return s.Print()
}
