package annot

import (
	"time"

	"github.com/resgen-go/resgen/generator/internal/source"
	"github.com/resgen-go/resgen/runtime/policy"
)

var retryEntry = Entry{
	Sort:  Policy,
	Title: "Retry",
	Text: "Says when an attempt is followed by another on the same target. Without `on`, every kind is retried that is worth it and that " +
		"the operation's idempotency allows; for `none` that is only what was never executed. Retries are paid for by `budget`; " +
		"without one, nothing bounds them but `attempts`. A wait that a 429 asks for holds for its target: until then calls to it wait, or, " +
		"where that is too long, go on to the next rung or fail with the kind `rate-limited`. A body of bytes that the " +
		"caller gives as a reader which can be read once is sent once, whatever stands here; from memory, from a file and from a function it is " +
		"sent again.",
	Example: "retry: {attempts: 3, backoff: {base: 100ms, max: 2s, multiplier: 2, jitter: full}, on: [throttle, connect], " +
		"respect-retry-after: {max: 30s}}",
	Since: "0.1",
	field: object("retry", "", retryKeys, func(s *Settings) *policy.Retry { return &s.Plan.Retry }),
}

var retryKeys = record[policy.Retry]{
	count("attempts", "Tries in all, the first included.", 1, func(r *policy.Retry) *int { return &r.Attempts }),
	object("backoff", "The wait before each retry.", backoffKeys, func(r *policy.Retry) *policy.Backoff { return &r.Backoff }),
	{
		key: "on", doc: "The kinds of failure that are retried.",
		shape: kindsShape{
			known: kindNames(policy.Kind.RetriedHere),
			why:   "the same request to the same target would fail in the same way, or was ended by the caller",
		},
		put:  func(r *policy.Retry, v *source.Value) { r.On = parseKinds(v) },
		take: func(r *policy.Retry) (source.Value, bool) { return kindsValue(r.On), len(r.On) > 0 },
	},
	object("respect-retry-after", "What the dependency's Retry-After may ask for.", record[policy.Retry]{
		durationOrZero("max", "The longest that is waited for; a longer one is not shortened, the call goes on to the next rung or fails.",
			func(r *policy.Retry) *time.Duration { return &r.RetryAfterMax }),
	}, func(r *policy.Retry) *policy.Retry { return r }),
}

var backoffKeys = record[policy.Backoff]{
	duration("base", "The wait before the first retry, before jitter.", func(b *policy.Backoff) *time.Duration { return &b.Base }),
	duration("max", "The longest wait.", func(b *policy.Backoff) *time.Duration { return &b.Max }),
	number("multiplier", "The growth from one retry to the next.", 1, func(b *policy.Backoff) *float64 { return &b.Multiplier }),
	oneOf("jitter", "How waits are spread.", []policy.Jitter{policy.FullJitter, policy.EqualJitter, policy.DecorrelatedJitter, policy.NoJitter},
		func(b *policy.Backoff) *policy.Jitter { return &b.Jitter }),
}
