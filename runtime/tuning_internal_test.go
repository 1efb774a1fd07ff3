package runtime

import (
	"testing"
	"time"

	"github.com/resgen-go/resgen/runtime/policy"
	"github.com/resgen-go/resgen/runtime/wire"
)

// Connections are sized by what the operations may do at once, and pinged within half of their shortest attempt.
func TestTuning(t *testing.T) {
	t.Parallel()
	op := func(calls int, scope policy.Scope, attempt time.Duration) policy.Plan {
		return policy.Plan{
			Bulkhead: policy.BulkheadConfig{MaxConcurrent: calls, Scope: scope}, Timeout: policy.Timeout{Attempt: attempt},
		}
	}
	own := op(7, policy.ScopeTarget, time.Minute)
	own.Targets = []policy.Target{{Name: "t", Bulkhead: policy.BulkheadConfig{MaxConcurrent: 30}}, {Name: "other", Bulkhead: policy.BulkheadConfig{MaxConcurrent: 99}}}
	tests := map[string]struct {
		plans []policy.Plan
		want  wire.Tuning
	}{
		"no bulkhead, no timeout": {[]policy.Plan{{}}, wire.Tuning{MaxIdle: 64, SendPing: 15 * time.Second}},
		"shared bulkhead":         {[]policy.Plan{op(64, policy.ScopeTarget, 10*time.Second), op(64, policy.ScopeTarget, time.Minute)}, wire.Tuning{MaxIdle: 64, SendPing: 5 * time.Second}},
		"own bulkheads":           {[]policy.Plan{op(10, policy.ScopeOperation, time.Minute), op(20, policy.ScopeOperation, 2*time.Second)}, wire.Tuning{MaxIdle: 30, SendPing: time.Second}},
		"own and shared":          {[]policy.Plan{op(10, policy.ScopeOperation, time.Minute), op(64, policy.ScopeTarget, time.Minute), op(20, policy.ScopeOperation, time.Minute)}, wire.Tuning{MaxIdle: 94, SendPing: 15 * time.Second}},
		"one without a bulkhead":  {[]policy.Plan{op(5, policy.ScopeTarget, time.Minute), {}}, wire.Tuning{MaxIdle: 64, SendPing: 15 * time.Second}},
		"the target's bulkhead":   {[]policy.Plan{own}, wire.Tuning{MaxIdle: 30, SendPing: 15 * time.Second}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			target := httpTarget{Target: policy.Target{Name: "t"}}
			for i := range tt.plans {
				target.need(&tt.plans[i])
			}
			if got := target.config.Tuning; got != tt.want || !target.used {
				t.Errorf("tuning %+v, want %+v", got, tt.want)
			}
		})
	}
}
