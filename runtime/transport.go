package runtime

import (
	"time"

	"github.com/resgen-go/resgen/runtime/policy"
)

// maxSendPing is the longest silence after which an HTTP/2 connection is pinged.
const maxSendPing = 15 * time.Second

// idleWithoutBulkhead is how many idle connections are kept for operations whose calls nothing bounds.
const idleWithoutBulkhead = 64

// need sizes the connections to the target for one more operation: as many idle ones as calls may be in flight, and pings that find a
// dead connection within half of the shortest attempt.
func (t *httpTarget) need(plan *policy.Plan) { t.needs(plan, policy.TargetOf(plan, t.Name).Bulkhead) }

// needs is need for calls that the given bulkhead bounds.
func (t *httpTarget) needs(plan *policy.Plan, b policy.BulkheadConfig) {
	t.used = true
	t.streams = t.streams || plan.Stream.Format.Streams()
	switch {
	case b.MaxConcurrent <= 0:
		t.shared = max(t.shared, idleWithoutBulkhead)
	case b.Scope == policy.ScopeOperation:
		t.apart += b.MaxConcurrent
	default:
		t.shared = max(t.shared, b.MaxConcurrent)
	}
	tuning := &t.config.Tuning
	tuning.MaxIdle = t.shared + t.apart
	ping := maxSendPing
	if plan.Timeout.Attempt > 0 {
		ping = min(ping, plan.Timeout.Attempt/2) //nolint:mnd // half
	}
	if tuning.SendPing == 0 || ping < tuning.SendPing {
		tuning.SendPing = ping
	}
}
