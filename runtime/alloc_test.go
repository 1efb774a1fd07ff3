package runtime_test

import (
	"context"
	"testing"
	"time"

	"github.com/resgen-go/resgen/runtime"
	"github.com/resgen-go/resgen/runtime/policy"
)

// answer is the cheapest attempt.
func answer(context.Context, runtime.Attempt) (int, error) { return 1, nil }

// full is every machine, without a timeout of its own.
func full() policy.Plan {
	p := policy.Recommended(false)
	p.Operation, p.Idempotency, p.Retry.On = "Get", policy.Safe, policy.RetryOn(policy.Safe)
	return p
}

// timed gives each attempt a deadline of its own.
func timed(p policy.Plan) policy.Plan {
	p.Timeout.Attempt, p.Timeout.Total = 10*time.Second, time.Minute
	return p
}

func TestPlainSuccessAllocatesAtMostOnce(t *testing.T) {
	for name, c := range map[string]struct {
		plan policy.Plan
		most float64
	}{
		"no retries, so nothing to tell calls inside": {once(), 0},
		"every machine":                 {full(), 1},
		"every machine, and a deadline": {timed(full()), 1},
	} {
		op, err := runtime.NewOperation(nil, "llm", c.plan, runtime.Wiring{})
		if err != nil {
			t.Fatal(err)
		}
		got := testing.AllocsPerRun(1000, func() {
			if _, err := runtime.Do(t.Context(), op, answer); err != nil {
				t.Fatal(err)
			}
		})
		if got > c.most {
			t.Errorf("%s: %v allocations, want at most %v", name, got, c.most)
		}
	}
}
