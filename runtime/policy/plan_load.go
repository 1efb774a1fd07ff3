package policy

import "time"

// Partition says whether a machine is one for all calls, or one for each tenant (runtime.WithTenant). The zero value is PerAll.
type Partition uint8

// The partitions.
const (
	// PerAll is one machine for all calls.
	PerAll Partition = iota
	// PerTenant gives each tenant its own share. Calls without a tenant are a tenant of their own.
	PerTenant
)

// BulkheadConfig bounds calls in flight. The zero value is off.
type BulkheadConfig struct {
	// MaxConcurrent is the number of calls in flight. 0 is off. With Adaptive it is the most that the limit grows to.
	MaxConcurrent int
	// MaxQueue is the number of calls that may wait. Sheddable ones join only the first half of the queue, and are served last.
	MaxQueue int
	// MaxWait is the longest wait in the queue, which the call's deadline may make shorter.
	MaxWait time.Duration
	// Scope says who shares the bulkhead.
	Scope Scope
	// Per says who has a bulkhead of their own: with PerTenant, MaxConcurrent and MaxQueue are each tenant's.
	Per Partition
	// Adaptive lets the number of calls in flight follow the latency, between 1 and MaxConcurrent; it begins with 20, or with
	// MaxConcurrent where that is less.
	Adaptive bool
}

// Rate is an amount in a span of time: 500/1m. The zero value is no bound.
type Rate struct {
	// Amount is what may be used in each Per, above 0.
	Amount float64
	// Per is the span.
	Per time.Duration
}

// LimitConfig bounds what is sent to a target in a span of time, as token buckets: requests, and the tokens of language models. Each
// copy of a request counts, retries and hedges too. The zero value is off.
type LimitConfig struct {
	// Requests bounds requests.
	Requests Rate
	// Tokens bounds input and output tokens together, InputTokens and OutputTokens each for itself.
	Tokens, InputTokens, OutputTokens Rate
	// Burst is the number of requests that may go at once after a silence. 0 is what Requests allows in one second, at least 1.
	// The token buckets hold a whole Per, or a Slice of it; a single call may use a whole Per.
	Burst int
	// Per says who has a limit of their own.
	Per Partition
	// Cost bounds what the calls may cost, in the unit of the prices: of all operations of the client that have the same bound, on all rungs
	// together. A call is reserved at the price of the rung that is to serve it, and a rung that is too dear is passed over. See Purse.
	Cost Rate
	// Slice is the span in which the target enforces its limits of tokens, where that is shorter than their Per: Tokens.Counts.Slice. 0 is
	// what the plan's Tokens say.
	Slice time.Duration
	// Headers says which response headers lower the limit until they say otherwise.
	Headers LimitHeaders
	// Replicas is the number of processes that share the limit; each takes an equal part. 0 means 1. Of a shared limit it is how many there are
	// taken to be while the store that it lies in has never said so.
	Replicas int
	// Shared is the name under which the limit lies in a store that several processes ask (runtime.WithLimitStore), so that it holds for all of
	// them together. Empty for a limit that is this process's. See SharedName.
	Shared string
}

// ShedConfig rejects calls to a target that does not accept most of them, before they are sent: the client-side throttling of
// Google's SRE book (chapter 21), by criticality. The zero value is off.
type ShedConfig struct {
	// Factor is K, at least 1: calls are rejected once requests exceed K × what the target accepted. 2 lets through twice what it
	// accepts. 0 is off.
	Factor float64
	// Window is the span that is judged, above 0. It should be longer than the longest attempt, or calls that hang are never counted.
	Window time.Duration
	// MaxReject is the most that is rejected, in (0, 1): a trickle always goes through.
	MaxReject float64
	// MinPerSecond is the rate of requests below which nothing is rejected.
	MinPerSecond float64
}
