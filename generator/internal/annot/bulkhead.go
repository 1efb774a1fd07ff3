package annot

import (
	"time"

	"github.com/resgen-go/resgen/runtime/policy"
)

var bulkheadEntry = Entry{
	Sort:  Policy,
	Title: "Bulkhead",
	Text: "Bounds calls in flight to a target, so that one slow dependency cannot take all of the service. Calls beyond " +
		"`max-concurrent` wait in a queue that is bounded in length and time; the permit of a stream is held to its end. " +
		"With `per: tenant` each tenant (`runtime.WithTenant`) has its own, and calls without a tenant are one more.",
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
	perField("`tenant` gives each tenant a bulkhead of its own.", func(b *policy.BulkheadConfig) *policy.Partition { return &b.Per }),
	flag("adaptive", "The number of calls in flight follows the latency; `max-concurrent` is the most that it grows to.",
		func(b *policy.BulkheadConfig) *bool { return &b.Adaptive }),
}
