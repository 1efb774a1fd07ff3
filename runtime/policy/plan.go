package policy

import "time"

// Plan is everything decided about one operation: its facts and its policies. The planner resolves annotations into it, the
// emitter prints it as a Go literal, drivers execute it. It is read only once it is made. The zero value of each part means
// that the part is off; the zero Plan is one attempt of a non-idempotent operation without a timeout.
type Plan struct {
	// Operation is the operation's name: its operationId, or Interface.Method.
	Operation string
	// Idempotency says whether the operation may be executed more than once.
	Idempotency Idempotency
	// IDs are JSON pointers into the request's body (RFC 6901, where a segment `*` stands for every item of a list and every member of an
	// object) at what names the things that it writes. Where it is not empty, the operation is Idempotent only in calls whose request has
	// something at one of them and lacks nothing below a `*`; other calls are None. Empty: Idempotency holds for all.
	IDs []string
	// Key says how the idempotency key of a Keyed operation travels.
	Key Key
	// Hedgeable says whether the operation may run twice at once.
	Hedgeable bool
	// Abandon says that an attempt whose function ignores its context is left behind when that ends: for Go methods.
	Abandon bool
	// Errors says which failures are of which kind.
	Errors Errors
	// Stream says how the operation's items travel; zero for a unary operation.
	Stream Stream
	// Tokens says where requests and answers hold what token limits count.
	Tokens Tokens
	// Space says that the answer lives in a vector space, and what chooses that.
	Space Space
	// Served says where answers tell who gave them.
	Served Served
	// Data names the classes of what the call carries: all that may see it must accept them.
	Data []string
	// Criticality says who is shed first; CriticalityUnset is Normal.
	Criticality Criticality
	// Timeout bounds the call and its attempts.
	Timeout Timeout
	// Retry says when an attempt is followed by another on the same target.
	Retry Retry
	// Budget bounds retries (and hedges) against a target.
	Budget BudgetConfig
	// Breaker stops calls to a target that fails.
	Breaker BreakerConfig
	// Bulkhead bounds calls in flight.
	Bulkhead BulkheadConfig
	// Limit bounds what is sent to a target in a span of time.
	Limit LimitConfig
	// Shed rejects calls to a target that rejects or fails most of them, the least important first.
	Shed ShedConfig
	// Hedge sends a second copy of a slow call.
	Hedge HedgeConfig
	// Cache answers from what was answered before.
	Cache CacheConfig
	// Exercise uses rungs in normal times, so that they are known to work.
	Exercise ExerciseConfig
	// Fallback is the ladder below the operation itself, which is rung 0.
	Fallback Fallback
	// Targets holds, for each target that a rung of this plan names, the policies of that target where they differ from the
	// operation's own. A target that is not listed takes the operation's.
	Targets []Target
}

// RunsInline reports whether no attempt of an operation runs beside another, or beside the call, or outlives it.
func RunsInline(p *Plan) bool {
	return !p.Abandon && p.Hedge.Max == 0 && (p.Exercise.Share <= 0 || p.Exercise.Mode == ExerciseServe)
}

// PrimaryTarget is the name of the target that rung 0 calls. It always exists.
const PrimaryTarget = "primary"

// Target is one dependency: an address with its own machines.
type Target struct {
	// Name is how rungs and options refer to it.
	Name string
	// BaseURL is the address where no option gives another. Empty: an option must.
	BaseURL string
	// Internal says that the dependency is ours and may be told about deadlines, attempts and criticality.
	Internal bool
	// Layered says that the dependency itself retries or falls back: we must not retry towards it.
	Layered bool
	// AnyOf names the targets that are its members: equal endpoints, or credentials, behind one name. Empty: it is one itself.
	AnyOf []string
	// SharedKeys says that its members know each other's idempotency keys: what one may have executed may be sent to another.
	SharedKeys bool
	// Affinity keeps a conversation on one of its members.
	Affinity AffinityConfig
	// Weight is its share of the calls where it is a member, relative to those of the others; 0 means 1.
	Weight float64
	// Accepts are the classes of data that it may see; of a target with members each says that itself.
	Accepts []string
	// MaxInput and Lacks are what it cannot take: see Fit.
	MaxInput int64
	Lacks    []Match
	// Budget, Breaker, Bulkhead and Limit replace the operation's where they are not zero.
	Budget   BudgetConfig
	Breaker  BreakerConfig
	Bulkhead BulkheadConfig
	Limit    LimitConfig
	// Price is what its tokens cost.
	Price Price
	// Preset names the provider that it is, where that is another than the operation's (Errors.Preset): what its errors and its answers mean, the
	// items of its streams, its numbers of tokens and the headers of its limits. Empty: as the operation says; of a member, as its target says.
	Preset string
}

// Timeout bounds a call in time. Zero fields are unbounded.
type Timeout struct {
	// Total bounds the call with all its attempts and rungs; for a stream, the time to the first content item.
	Total time.Duration
	// Attempt bounds one attempt, from admission to the last byte (for a stream: to its first item).
	Attempt time.Duration
	// Connect bounds waiting for a connection, dialling and the TLS handshake.
	Connect time.Duration
	// FirstByte bounds the time from the request to the response's header, for streams.
	FirstByte time.Duration
	// FirstItem bounds the time from the request to the first content item of a stream.
	FirstItem time.Duration
	// Idle bounds the time without any byte on a stream; comments and pings count as bytes.
	Idle time.Duration
	// ItemGap bounds the time between two decoded items of a stream.
	ItemGap time.Duration
	// MaxStream bounds a stream from its first content item to its end.
	MaxStream time.Duration
	// PerToken bounds a stream in the same way by the length of its answer: this times the most tokens that the request allows, where it
	// says how many (Tokens.Max). The shorter of it and MaxStream counts.
	PerToken time.Duration
	// MinRate is how fast the content of a stream has to come.
	MinRate MinRate
}

// MinRate is the rate of a stream below which it is slow. It is measured over the time in which the target is waited for: a slow consumer
// does not count. Before the first content a stream that is slower is a timeout; after it, a slow call to the breaker. The zero value is off.
type MinRate struct {
	// PerSecond is the least number of content items a second, or of bytes of them.
	PerSecond float64
	// Bytes says that bytes are counted: the data of content items.
	Bytes bool
	// Over is the time over which it is measured.
	Over time.Duration
	// Enforce ends a stream that is slower with an error, also after its first content.
	Enforce bool
}

// Retry says when an attempt is followed by another on the same target. The zero value is one attempt.
type Retry struct {
	// Attempts is the number of tries in all, the first included. 0 and 1 mean no retry.
	Attempts int
	// Backoff is the wait before each retry.
	Backoff Backoff
	// On lists the kinds that are retried, already reduced to what the operation's idempotency allows.
	On []Kind
	// RetryAfterMax is the longest Retry-After that is waited for. A longer one is not shortened: the call takes the next
	// rung, or fails at once.
	RetryAfterMax time.Duration
}

// Backoff is an exponential wait: Base × Multiplierⁿ, at most Max, then jittered.
type Backoff struct {
	// Base is the wait before the first retry, before jitter.
	Base time.Duration
	// Max caps the wait before jitter; jitter never exceeds it.
	Max time.Duration
	// Multiplier is the growth per retry; 0 means 2.
	Multiplier float64
	// Jitter says how the wait is spread.
	Jitter Jitter
}

// Jitter says how waits are spread, so that callers that failed together do not return together. The zero value is FullJitter.
type Jitter uint8

// The forms of jitter (Brooker, "Exponential Backoff And Jitter", AWS Architecture Blog, 2015).
const (
	// FullJitter is uniform in [0, wait].
	FullJitter Jitter = iota
	// EqualJitter is uniform in [wait/2, wait].
	EqualJitter
	// DecorrelatedJitter is uniform in [base, 3 × the previous wait], at most max.
	DecorrelatedJitter
	// NoJitter is the wait itself.
	NoJitter
)

// BudgetConfig bounds retries and hedges against a target to a share of its first attempts (Finagle's RetryBudget). Zero
// is off: no bound.
type BudgetConfig struct {
	// Ratio is the share of a token that each first attempt deposits: 0.2 allows one retry for each five calls.
	Ratio float64
	// MinPerSecond is deposited each second whatever the traffic, so that quiet clients may retry at all.
	MinPerSecond float64
	// Cap is the most tokens that are held. 0 means the greater of 10 and Ratio × one second of first attempts.
	Cap float64
}

// Scope says which calls share a machine.
type Scope uint8

// The scopes. The zero value is ScopeTarget.
const (
	// ScopeTarget shares the machine among the operations of a client that call the same target with the same settings.
	ScopeTarget Scope = iota
	// ScopeOperation gives each operation of a target its own machine.
	ScopeOperation
)

// BreakerMode says what a breaker's verdict does. The zero value is BreakerOff.
type BreakerMode uint8

// The modes.
const (
	// BreakerOff is no breaker.
	BreakerOff BreakerMode = iota
	// BreakerOn rejects while open.
	BreakerOn
	// BreakerShadow decides and reports, and rejects nothing.
	BreakerShadow
	// BreakerForcedOpen rejects everything.
	BreakerForcedOpen
	// BreakerForcedClosed admits everything and keeps counting.
	BreakerForcedClosed
)

// BreakerConfig says when a breaker opens and how it closes again. The zero value is off.
type BreakerConfig struct {
	// Mode says what the verdict does.
	Mode BreakerMode
	// Scope says who shares the breaker.
	Scope Scope
	// WindowCalls is the number of newest results that are judged.
	WindowCalls int
	// WindowAge is the age beyond which a result is no longer judged.
	WindowAge time.Duration
	// MinCalls is the number of results below which rates are not judged, and only Consecutive is.
	MinCalls int
	// FailureRate opens the breaker when the share of failures in the window reaches it, in (0, 1].
	FailureRate float64
	// Consecutive opens the breaker after that many failures in a row, below MinCalls only. 0 is off.
	Consecutive int
	// SlowCall is the duration from which a call counts as slow. 0 means 0.8 × the attempt timeout, or 3 × the p99 of healthy
	// calls once 100 were seen, whichever is less.
	SlowCall time.Duration
	// SlowRate opens the breaker when the share of slow calls in the window reaches it, in (0, 1]. 0 is off.
	SlowRate float64
	// OpenFor is the time that the breaker stays open, before jitter.
	OpenFor time.Duration
	// OpenMax caps the open time, which grows from the third reopening in a row.
	OpenMax time.Duration
	// Probes is the number of calls that half-open admits at once.
	Probes int
	// CloseAfter is the number of results that half-open needs to close.
	CloseAfter int
}

// KeyFormat says how an idempotency key is written into its header.
type KeyFormat uint8

// The formats. The zero value is KeyBare.
const (
	// KeyBare writes the key as it is.
	KeyBare KeyFormat = iota
	// KeySFString writes it as a structured-field string, in quotes (RFC 9651, section 3.3.3), as the Idempotency-Key draft asks.
	KeySFString
)

// KeySource says where an idempotency key comes from.
type KeySource uint8

// The sources. The zero value is KeyUUIDv7. A key that the caller gives in the context wins over each of them.
const (
	// KeyUUIDv7 mints a UUID version 7 (RFC 9562, section 5.7).
	KeyUUIDv7 KeySource = iota
	// KeyParam takes the value of a parameter of the operation.
	KeyParam
	// KeyFunc asks a function that the client was made with.
	KeyFunc
)

// Key says how the idempotency key of a Keyed operation travels. One key serves all attempts of a logical call against one
// target; another target, or a patched body, gets another.
type Key struct {
	// Header is the name of the request header. Empty: no key is sent.
	Header string
	// Format says how the key is written.
	Format KeyFormat
	// Source says where the key comes from.
	Source KeySource
	// From is the name of the parameter or of the function, for KeyParam and KeyFunc.
	From string
	// TTL is how long the server remembers a key; no retry is sent later than that. 0 means for ever.
	TTL time.Duration
	// Concurrent says that the server handles two requests with one key at the same time.
	Concurrent bool
}

// StreamFormat says how items travel in a body.
type StreamFormat uint8

// The formats. The zero value is no stream.
const (
	// NoStream is a unary operation.
	NoStream StreamFormat = iota
	// SSE is server-sent events (WHATWG HTML, section 9.2).
	SSE
	// JSONL is one JSON text a line.
	JSONL
	// JSONSeq is JSON text sequences (RFC 7464).
	JSONSeq
)

// Streams reports whether the answer is items in such a format, and not a whole.
func (f StreamFormat) Streams() bool { return f != NoStream }

// Errors says which failures are of which kind. The zero value is the generic preset: status codes alone.
type Errors struct {
	// Preset names a built-in table; empty means "generic".
	Preset string
	// Rules come before the preset's; the first that matches counts.
	Rules []ErrorRule
	// Answers make failures of answers with a status of success whose body says that they are none. They come after Rules, and before the
	// preset's.
	Answers []AnswerRule
	// Judge says that an answer is the work that was asked for, so that the preset's rows on answers hold: one that was filtered, has failed or
	// is empty is a failure, and one that was cut is marked. It is false where an answer is the record of some work, as that of a GET mostly
	// is: a job that has failed is a good answer to who asks for the job.
	Judge bool
	// Partial says how the answer to a batch tells which of its items failed.
	Partial Partial
}

// AnswerRule makes a failure of an answer with a status of success.
type AnswerRule struct {
	// Kind is what such an answer means.
	Kind Kind
	// When lists what its body says; all of it.
	When []Match
}

// Match is what a body says at one place.
type Match struct {
	// Pointer is a JSON pointer (RFC 6901) into the body, where a segment "*" stands for every item of a list and every member of an object.
	Pointer string
	// Values are the texts, one of which a value there has; empty for any value but null.
	Values []string
}

// ErrorRule gives one kind of failure its Kind.
type ErrorRule struct {
	// Kind is what a match means.
	Kind Kind
	// Status is the status code to match; 0 matches any but those of success. With one of success and a Pointer, the rule makes a
	// failure of a body that its status calls well.
	Status int
	// Pointer is a JSON pointer (RFC 6901) into the body, where a segment "*" stands for every item of a list and every member of an object;
	// empty matches any body.
	Pointer string
	// Equals is the text that the value at Pointer must have; empty matches any value but null.
	Equals string
}
