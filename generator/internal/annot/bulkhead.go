package annot

import (
	"time"

	"github.com/resgen-go/resgen/runtime/policy"
)

var bulkheadEntry = Entry{
	Sort:  Policy,
	Title: "Bulkhead",
	Text: "Bounds calls in flight to a target, so that one slow dependency cannot take all of the service. Calls beyond " +
		"`max-concurrent` wait in a queue that is bounded in length and time; the permit of a stream is held to its end.",
	Example: "bulkhead: {max-concurrent: 64, max-queue: 64, max-wait: 50ms}",
	Since:   "0.1",
	field:   object("bulkhead", "", bulkheadKeys, func(s *Settings) *policy.BulkheadConfig { return &s.Plan.Bulkhead }),
}

var bulkheadKeys = record[policy.BulkheadConfig]{
	count("max-concurrent", "Calls in flight.", 1, func(b *policy.BulkheadConfig) *int { return &b.MaxConcurrent }),
	count("max-queue", "Calls that may wait.", 0, func(b *policy.BulkheadConfig) *int { return &b.MaxQueue }),
	durationOrZero("max-wait", "The longest wait.", func(b *policy.BulkheadConfig) *time.Duration { return &b.MaxWait }),
	scopeField("Who shares the bulkhead: all operations that call the target with the same settings, or each for itself.",
		func(b *policy.BulkheadConfig) *policy.Scope { return &b.Scope }),
	later[policy.BulkheadConfig]("per", "A bulkhead for each tenant."),
	later[policy.BulkheadConfig]("adaptive", "A limit that follows the latency."),
}
