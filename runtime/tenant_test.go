package runtime_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	stdruntime "runtime"
	"testing"
	"time"

	"github.com/resgen-go/resgen/runtime"
	"github.com/resgen-go/resgen/runtime/policy"
)

// Whoever comes, and however many: what all machines of a target remember of tenants together is bounded. policy.TestT61 has a million of
// them for each machine.
func TestT61_TenantsTakeBoundedMemory(t *testing.T) { //nolint:paralleltest // it measures the heap
	const calls, most = 60_000, 8 << 20
	g := still()
	op := operationIn(t, g, plan(noRetry, limit(50, time.Second, 0), func(p *policy.Plan) {
		p.Limit.Per, p.Bulkhead = policy.PerTenant, policy.BulkheadConfig{MaxConcurrent: 5, Per: policy.PerTenant}
	}), nil)
	random := rand.New(rand.NewPCG(1, 2))
	heap := func() int64 {
		stdruntime.GC()
		stdruntime.GC()
		var m stdruntime.MemStats
		stdruntime.ReadMemStats(&m)
		return int64(m.HeapAlloc)
	}
	before, n := heap(), 0
	for range calls {
		n++
		ctx := runtime.WithTenant(t.Context(), fmt.Sprintf("%x-%x", random.Uint64(), random.Uint64()))
		_, _ = runtime.Do(ctx, op, func(context.Context, runtime.Attempt) (int, error) {
			if n%1000 == 7 {
				return 0, status(429, "Retry-After", "1")
			}
			return n, nil
		})
	}
	if grown := heap() - before; grown > most {
		t.Errorf("the heap grew by %d bytes, want at most %d", grown, most)
	}
	if got := g.Snapshot()[0].Limit.Tenants; got != 10_000 {
		t.Errorf("%d tenants are told apart, want 10,000", got)
	}
}
