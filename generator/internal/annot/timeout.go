package annot

import (
	"time"

	"github.com/resgen-go/resgen/runtime/policy"
)

var timeoutEntry = Entry{
	Sort:  Policy,
	Title: "Timeout class",
	Text: "Names the timeout class that bounds the operation: one of `timeout-classes`. Without it the built-in class holds: connect 5s, " +
		"attempt and total 60s, and for streams first-byte 15s, first-item 30s, idle 30s, item-gap 60s, max-stream 10m.",
	Example: "timeout: fast",
	Since:   "0.1",
	field:   name("timeout", "", func(s *Settings) *string { return &s.Timeout }),
}

var timeoutClassesEntry = Entry{
	Sort:  Shared,
	Title: "Timeout classes",
	Text: "Gives names to sets of timeouts. A key that a class does not set is the built-in class's, as far as the class leaves room for it; " +
		"where `attempt` is not set and the operation is retried or has a ladder, the total is divided among the attempts.",
	Example: "timeout-classes:\n  fast: {total: 2s, attempt: 700ms, connect: 250ms}\n" +
		"  generate: {total: 90s, attempt: 40s, first-byte: 12s, first-item: 15s, idle: 15s, item-gap: 30s, max-stream: 5m, min-rate: 2/s over 20s}",
	Since: "0.1",
	field: field[Settings]{key: "timeout-classes", shape: named{of: timeoutKeys, form: "timeout classes by name"}},
}

type timeouts = policy.Timeout

var timeoutKeys = record[timeouts]{
	duration("total", "The whole call with all its attempts and rungs; for a stream, until its first content item.",
		func(t *timeouts) *time.Duration { return &t.Total }),
	duration("attempt", "One attempt, to the last byte; for a stream, to its first content item.",
		func(t *timeouts) *time.Duration { return &t.Attempt }),
	duration("connect", "Waiting for a connection, dialling and the TLS handshake.",
		func(t *timeouts) *time.Duration { return &t.Connect }),
	duration("first-byte", "From the request to the response's header, for streams.",
		func(t *timeouts) *time.Duration { return &t.FirstByte }),
	duration("first-item", "From the request to the first content item of a stream.",
		func(t *timeouts) *time.Duration { return &t.FirstItem }),
	duration("idle", "Without any byte on a stream; comments and pings count.", func(t *timeouts) *time.Duration { return &t.Idle }),
	duration("item-gap", "Between two items of a stream.", func(t *timeouts) *time.Duration { return &t.ItemGap }),
	duration("max-stream", "From the first content item of a stream to its end.",
		func(t *timeouts) *time.Duration { return &t.MaxStream }),
	duration("per-token", "From the first content item of a stream to its end, for each token that the request allows the answer (`tokens.max`); "+
		"the shorter of it and max-stream counts.", func(t *timeouts) *time.Duration { return &t.PerToken }),
	minRate(),
}
