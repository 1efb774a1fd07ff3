package runtime

import (
	"time"

	"github.com/resgen-go/resgen/runtime/policy"
)

// maxSendPing is the longest silence after which an HTTP/2 connection is pinged.
const maxSendPing = 15 * time.Second

// need sizes the connections to the target for one more operation: as many idle ones as calls may be in flight, and pings that find a
// dead connection within half of the shortest attempt.
func (t *httpTarget) need(plan *policy.Plan) {
	t.used = true
	t.streams = t.streams || plan.Stream.Format != policy.NoStream
	bulkhead := t.Bulkhead
	for _, own := range plan.Targets {
		if own.Name == t.Name && own.Bulkhead.MaxConcurrent > 0 {
			bulkhead = own.Bulkhead
		}
	}
	if bulkhead.MaxConcurrent == 0 {
		bulkhead = plan.Bulkhead
	}
	tuning := &t.config.Tuning
	if bulkhead.Scope == policy.ScopeOperation {
		tuning.MaxIdle += bulkhead.MaxConcurrent
	} else {
		tuning.MaxIdle = max(tuning.MaxIdle, bulkhead.MaxConcurrent)
	}
	ping := maxSendPing
	if plan.Timeout.Attempt > 0 {
		ping = min(ping, plan.Timeout.Attempt/2) //nolint:mnd // half
	}
	if tuning.SendPing == 0 || ping < tuning.SendPing {
		tuning.SendPing = ping
	}
}
