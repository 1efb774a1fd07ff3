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
	// The token buckets hold a whole Per: a single call may use that much.
	Burst int
	// Per says who has a limit of their own.
	Per Partition
	// Headers says which response headers lower the limit until they say otherwise.
	Headers LimitHeaders
	// Replicas is the number of processes that share the limit; each takes an equal part. 0 means 1.
	Replicas int
}

// LimitHeaders names the response headers from which a limit learns. The zero value is LimitHeadersNone.
type LimitHeaders uint8

// The families.
const (
	// LimitHeadersNone learns nothing.
	LimitHeadersNone LimitHeaders = iota
	// LimitHeadersX are X-RateLimit-Limit, -Remaining and -Reset, with the suffixes -Requests and -Tokens or without one, and those of the
	// same meaning that begin with Anthropic-RateLimit: see ReadLimits.
	LimitHeadersX
	// LimitHeadersDraft are RateLimit and RateLimit-Policy (draft-ietf-httpapi-ratelimit-headers).
	LimitHeadersDraft
)

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

// Tokens says where requests and answers hold what token limits count: JSON pointers (RFC 6901). Empty ones are not read.
type Tokens struct {
	// Max points into the request, at the most that the answer may cost in output.
	Max string
	// Input, Cached, CacheWrite, Output and Reasoning point into the answer, and into each item of a stream: the last value that
	// is not null counts.
	Input, Cached, CacheWrite, Output, Reasoning string
}
