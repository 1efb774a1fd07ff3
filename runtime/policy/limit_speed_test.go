package policy_test

import (
	"testing"
	"time"

	"github.com/resgen-go/resgen/runtime/policy"
)

func BenchmarkLimiter(b *testing.B) {
	minute := func(amount float64) policy.Rate { return policy.Rate{Amount: amount, Per: time.Minute} }
	for name, cfg := range map[string]policy.LimitConfig{
		"requests": {Requests: minute(1e12)},
		"tokens":   {Requests: minute(1e12), Tokens: minute(1e14)},
		"tenant":   {Requests: minute(1e12), Per: policy.PerTenant},
	} {
		b.Run(name, func(b *testing.B) {
			l := policy.NewLimiter(cfg)
			now, cost := at(0), policy.Cost{Input: 10, Output: 10}
			b.ReportAllocs()
			for b.Loop() {
				now = now.Add(100)
				r, a := l.Reserve(now, "tenant", cost, time.Time{}, true)
				if a.Verdict != policy.LimitGranted {
					b.Fatal(a)
				}
				if cfg.CountsTokens() {
					l.Settle(now, &r, policy.Usage{Input: 10, Output: 5})
				}
			}
		})
	}
}

func TestALimitAllocatesNothing(t *testing.T) { //nolint:paralleltest // it counts allocations
	l := policy.NewLimiter(policy.LimitConfig{Requests: policy.Rate{Amount: 1e6, Per: time.Second}, Per: policy.PerTenant})
	now := at(0)
	if n := testing.AllocsPerRun(100, func() {
		now = now.Add(time.Millisecond)
		r, _ := l.Reserve(now, "tenant", policy.Cost{}, time.Time{}, true)
		l.Refund(now, &r)
		w, _ := l.Reserve(now, "tenant", policy.Cost{Input: 1}, now, true)
		l.Settle(now, &w, policy.Usage{})
	}); n != 0 {
		t.Errorf("%v allocations, want none", n)
	}
}
