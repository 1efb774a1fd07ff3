package annot

import (
	"time"

	"github.com/resgen-go/resgen/runtime/policy"
)

var breakerEntry = Entry{
	Sort:  Policy,
	Title: "Circuit breaker",
	Text: "Stops calls to a target that fails or is slow, and probes it until it is well. It opens by the rates of a window of the " +
		"newest calls, or by failures in a row while the window holds fewer than `min-calls`; half-open it admits `probes` calls at once.",
	Example: "breaker: {window: {calls: 200, age: 10s}, min-calls: 20, failure-rate: 50%, open-for: 5s, open-max: 15s, probes: 3}",
	Since:   "0.1",
	field:   object("breaker", "", breakerKeys, func(s *Settings) *policy.BreakerConfig { return &s.Plan.Breaker }),
}

type breaker = policy.BreakerConfig

var breakerKeys = record[breaker]{
	oneOf("mode", "What a verdict does: `shadow` decides and reports, and rejects nothing; `forced-open` rejects everything, "+
		"`forced-closed` admits everything and keeps counting.", []policy.BreakerMode{
		policy.BreakerOn, policy.BreakerShadow, policy.BreakerForcedOpen, policy.BreakerForcedClosed,
	}, func(b *breaker) *policy.BreakerMode { return &b.Mode }),
	scopeField("Who shares the breaker: all operations that call the target with the same settings, or each for itself.",
		func(b *breaker) *policy.Scope { return &b.Scope }),
	object("window", "Which results are judged.", record[breaker]{
		count("calls", "The number of newest results.", 1, func(b *breaker) *int { return &b.WindowCalls }),
		duration("age", "The age beyond which a result no longer counts.", func(b *breaker) *time.Duration { return &b.WindowAge }),
	}, func(b *breaker) *breaker { return b }),
	count("min-calls", "The number of results below which rates are not judged.", 1, func(b *breaker) *int { return &b.MinCalls }),
	share("failure-rate", "The share of failures that opens.", func(b *breaker) *float64 { return &b.FailureRate }),
	count("consecutive", "Failures in a row that open, below `min-calls` only; 0 is off.", 0,
		func(b *breaker) *int { return &b.Consecutive }),
	duration("slow-call", "From when a call is slow. Without it: 0.8 × the attempt timeout, or 3 × the p99 of healthy calls if that is less.",
		func(b *breaker) *time.Duration { return &b.SlowCall }),
	share("slow-rate", "The share of slow calls that opens; 0 is off.", func(b *breaker) *float64 { return &b.SlowRate }),
	duration("open-for", "How long it stays open, before jitter.", func(b *breaker) *time.Duration { return &b.OpenFor }),
	duration("open-max", "The longest open time: it grows from the third reopening in a row.",
		func(b *breaker) *time.Duration { return &b.OpenMax }),
	count("probes", "Calls that half-open admits at once.", 0, func(b *breaker) *int { return &b.Probes }),
	count("close-after", "Results that half-open needs to close.", 1, func(b *breaker) *int { return &b.CloseAfter }),
}

func scopeField[T any](doc string, at func(*T) *policy.Scope) field[T] {
	return oneOf("scope", doc, []policy.Scope{policy.ScopeTarget, policy.ScopeOperation}, at)
}
