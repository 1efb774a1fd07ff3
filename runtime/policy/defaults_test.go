package policy_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/resgen-go/resgen/runtime/policy"
)

// What is recommended must pass our own rules, with the timeouts that nobody annotated and whatever the idempotency is.
func TestRecommendedIsValid(t *testing.T) {
	t.Parallel()
	for _, llm := range []bool{false, true} {
		for _, i := range []policy.Idempotency{policy.None, policy.Keyed, policy.Idempotent, policy.Safe} {
			p := policy.Recommended(llm)
			p.Idempotency, p.Retry.On = i, policy.RetryOn(i)
			p.Timeout = policy.BuiltIn(llm)
			p.Timeout.Attempt = policy.AttemptOf(p.Timeout.Total, p.Retry.Attempts, 0)
			if problems := p.Validate(); problems != nil {
				t.Errorf("llm %v, %v: %v", llm, i, problems)
			}
		}
	}
}

// The numbers are a contract: product.md section 3.
func TestRecommendedNumbers(t *testing.T) {
	t.Parallel()
	plain, llm := policy.Recommended(false), policy.Recommended(true)
	want := policy.Retry{
		Attempts:      3,
		Backoff:       policy.Backoff{Base: 100 * ms, Max: 2 * time.Second, Multiplier: 2},
		RetryAfterMax: 30 * time.Second,
	}
	if diff := cmp.Diff(want, plain.Retry); diff != "" {
		t.Errorf("retry (-want +got):\n%s", diff)
	}
	want = policy.Retry{
		Attempts:      2,
		Backoff:       policy.Backoff{Base: 500 * ms, Max: 8 * time.Second, Multiplier: 2},
		RetryAfterMax: 60 * time.Second,
	}
	if diff := cmp.Diff(want, llm.Retry); diff != "" {
		t.Errorf("retry of an LLM (-want +got):\n%s", diff)
	}
	if plain.Budget != (policy.BudgetConfig{Ratio: 0.2, MinPerSecond: 1}) || llm.Budget != (policy.BudgetConfig{Ratio: 0.1, MinPerSecond: 1}) {
		t.Errorf("budgets: %+v, %+v", plain.Budget, llm.Budget)
	}
	breaker := policy.BreakerConfig{
		Mode: policy.BreakerOn, WindowCalls: 200, WindowAge: 10 * time.Second, MinCalls: 20, FailureRate: 0.5, Consecutive: 5,
		SlowRate: 0.8, OpenFor: 5 * time.Second, OpenMax: 15 * time.Second, Probes: 3, CloseAfter: 3,
	}
	bulkhead := policy.BulkheadConfig{MaxConcurrent: 64, MaxQueue: 64, MaxWait: 50 * ms}
	for _, p := range []policy.Plan{plain, llm} {
		if p.Breaker != breaker || p.Bulkhead != bulkhead {
			t.Errorf("breaker %+v, bulkhead %+v", p.Breaker, p.Bulkhead)
		}
	}
	unary := policy.Timeout{Connect: 5 * time.Second, Attempt: time.Minute, Total: time.Minute}
	if diff := cmp.Diff(unary, policy.BuiltIn(false)); diff != "" {
		t.Errorf("built-in timeouts (-want +got):\n%s", diff)
	}
	stream := policy.Timeout{
		Connect: 5 * time.Second, Attempt: time.Minute, Total: time.Minute, FirstByte: 15 * time.Second, FirstItem: 30 * time.Second,
		Idle: 30 * time.Second, ItemGap: time.Minute, MaxStream: 10 * time.Minute,
	}
	if diff := cmp.Diff(stream, policy.BuiltIn(true)); diff != "" {
		t.Errorf("built-in timeouts of a stream (-want +got):\n%s", diff)
	}
}

func TestAttemptOf(t *testing.T) {
	t.Parallel()
	tests := []struct {
		total           time.Duration
		attempts, rungs int
		want            time.Duration
	}{
		{time.Minute, 3, 0, 20 * time.Second},
		{time.Minute, 3, 2, 12 * time.Second},
		{time.Minute, 0, 0, time.Minute},
		{2 * time.Second, 3, 0, time.Second},
		{0, 3, 2, 0},
	}
	for _, tt := range tests {
		if got := policy.AttemptOf(tt.total, tt.attempts, tt.rungs); got != tt.want {
			t.Errorf("AttemptOf(%v, %d, %d) = %v, want %v", tt.total, tt.attempts, tt.rungs, got, tt.want)
		}
	}
}

func TestRetryOn(t *testing.T) {
	t.Parallel()
	all := []policy.Kind{
		policy.KindThrottle, policy.KindTransient, policy.KindTimeout, policy.KindConnect, policy.KindReset, policy.KindDecode,
	}
	if diff := cmp.Diff(all, policy.RetryOn(policy.Safe)); diff != "" {
		t.Errorf("safe (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]policy.Kind{policy.KindThrottle, policy.KindConnect}, policy.RetryOn(policy.None)); diff != "" {
		t.Errorf("none retries what was never executed (-want +got):\n%s", diff)
	}
}

// What is written in part passes our rules where it may be written at all. The numbers are a contract.
func TestWrittenInPart(t *testing.T) {
	t.Parallel()
	p := validPlan()
	part := policy.WrittenInPart()
	p.Hedge, p.Hedgeable, p.Shed, p.Exercise = part.Hedge, true, part.Shed, part.Exercise
	if problems := p.Validate(); problems != nil {
		t.Error(problems)
	}
	want := policy.Plan{
		Hedge:    policy.HedgeConfig{Max: 1, ExtraLoad: 0.05},
		Shed:     policy.ShedConfig{Factor: 2, Window: 2 * time.Minute, MaxReject: 0.9, MinPerSecond: 5},
		Exercise: policy.ExerciseConfig{Share: 0.01},
	}
	if diff := cmp.Diff(want, part); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
