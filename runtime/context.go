package runtime

import (
	"context"
	"net/http"
	"time"

	"github.com/resgen-go/resgen/runtime/policy"
)

// scope is what a context says about the calls made with it. It is never changed once a context holds it.
type scope struct {
	// of one call: they end with it
	key    string
	header http.Header
	meta   *Meta
	cause  error
	next   string // the URL of the page to be asked for, instead of what the operation asks
	// of a call and of the calls made inside it
	tenant      string
	subject     string
	criticality Criticality
	noFallback  bool
	worst       Level
	bounded     bool       // worst counts
	nested      bool       // AllowNestedRetries
	retried     bool       // an attempt of a layer above, which itself retries
	over        *Operation // the wrapper's in whose attempt the calls are made; nil where nobody watches it
}

// scopeKey is where a context keeps its *scope.
type scopeKey struct{}

// noScope is what a context without any wish says.
var noScope scope

// scopeOf returns what the context says; never nil, never to be written to.
func scopeOf(ctx context.Context) *scope {
	if s, ok := ctx.Value(scopeKey{}).(*scope); ok {
		return s
	}
	return &noScope
}

// inner returns what the calls made inside an attempt of this scope inherit.
func (s *scope) inner() scope {
	return scope{
		tenant: s.tenant, subject: s.subject, criticality: s.criticality, noFallback: s.noFallback, worst: s.worst, bounded: s.bounded,
		nested: s.nested, retried: s.retried, over: s.over,
	}
}

// with returns a context whose scope is that of ctx after change.
func with(ctx context.Context, change func(*scope)) context.Context {
	s := *scopeOf(ctx)
	change(&s)
	return context.WithValue(ctx, scopeKey{}, &s)
}

// WithIdempotencyKey gives the call that is made with the context its idempotency key, instead of a minted one. Make a context for
// each call: two calls with one context send one key, and a server takes the second for a repetition of the first. Use it to keep the
// key over restarts of the process: a rung that sends to another target, or another body, gets a key that is derived from it, always
// the same. It has no effect on operations without a key, and none on calls made inside the call. An empty key takes the wish back.
func WithIdempotencyKey(ctx context.Context, key string) context.Context {
	return with(ctx, func(s *scope) { s.key = key })
}

// attemptKey is where the context of an attempt keeps its idempotency key.
type attemptKey struct{}

// IdempotencyKey returns the idempotency key of the attempt that ctx was given to: the same for all attempts of a call at one target. It is
// for implementations that a generated wrapper calls, to send it on; empty where the method is not keyed.
func IdempotencyKey(ctx context.Context) string {
	key, _ := ctx.Value(attemptKey{}).(string)
	return key
}

// WithHeader adds a header to each request of the calls that are made with the context. It comes after the headers of the operation
// and replaces them; the same name again adds a value. Calls made inside a call do not inherit it.
func WithHeader(ctx context.Context, name, value string) context.Context {
	return with(ctx, func(s *scope) {
		if s.header = s.header.Clone(); s.header == nil {
			s.header = http.Header{}
		}
		s.header.Add(name, value)
	})
}

// WithTenant says for whom the calls are made. Bulkheads and limits that are per tenant have a part for each, and caches give no tenant
// what another was answered. Calls without a tenant, which is what an empty identifier says too, are together as one more. So a cache
// needs it wherever answers depend on who asks: by a credential that is made from the context, by a request editor, by a cookie. Calls
// made inside a call inherit it.
//
// The identifier may be of any length and content; one from 48 bytes on is kept as its beginning and its SHA-256. Take it from what was
// authenticated, never from what a caller may write. It is shown nowhere: it is no metric label, and no target is told.
func WithTenant(ctx context.Context, tenant string) context.Context {
	key := policy.TenantKey(tenant)
	return with(ctx, func(s *scope) { s.tenant = key })
}

// WithSubject says about whom, or for which user of the tenant, the calls are made: who may see what was answered before. Caches give
// no subject what another was answered. Calls without a subject, which is what an empty identifier says too, are together as one more; but those
// that answer what means the same (cache.semantic) are not used by them, and keep nothing of them. Where all users of a tenant may see the same,
// name that group. Calls made inside a call inherit it.
//
// The identifier may be of any length and content; one from 48 bytes on is kept as its beginning and its SHA-256. Take it from what was
// authenticated. It is shown nowhere, and no target is told.
func WithSubject(ctx context.Context, subject string) context.Context {
	key := policy.TenantKey(subject)
	return with(ctx, func(s *scope) { s.subject = key })
}

// Criticality says who is shed first under overload. The zero value leaves it to the operation.
type Criticality = policy.Criticality

// The criticalities, from the one that is shed last.
const (
	Critical  = policy.Critical
	Normal    = policy.Normal
	Sheddable = policy.Sheddable
)

// WithCriticality says how important the calls are, instead of their operations' own; policy.CriticalityUnset takes that back. Targets that
// are internal are told. A critical call exercises no rung. Calls made inside a call inherit it.
func WithCriticality(ctx context.Context, c Criticality) context.Context {
	return with(ctx, func(s *scope) { s.criticality = c })
}

// WithoutFallback makes calls fail where they would take a rung of their ladder. Calls made inside a call inherit it. Inside an operation rung it
// holds unasked: no ladder stands on another.
func WithoutFallback(ctx context.Context) context.Context {
	return with(ctx, func(s *scope) { s.noFallback = true })
}

// WithMinLevel makes calls skip the rungs whose level is worse: one of policy.Equal to policy.Canned. An answer of another model than was asked
// for, of a target that is layered, is of level policy.Alternate: one that is worse is not taken, and the call goes on as with a request that
// the rung cannot take (policy.KindUnfit). Calls made inside a call inherit it.
func WithMinLevel(ctx context.Context, worst Level) context.Context {
	return with(ctx, func(s *scope) { s.worst, s.bounded = worst, true })
}

// AllowNestedRetries lets the calls made inside a retried attempt retry on their own. Without it they make one attempt: tries
// multiply, three at each of three layers are 27.
func AllowNestedRetries(ctx context.Context) context.Context {
	return with(ctx, func(s *scope) { s.nested = true })
}

// WithoutRetries makes calls make one attempt on each rung, because somebody above retries: package inbound says so where a caller of this
// program does. AllowNestedRetries takes it back. Calls made inside a call inherit it.
func WithoutRetries(ctx context.Context) context.Context {
	return with(ctx, func(s *scope) { s.retried = true })
}

// FallbackCause returns why a func or operation rung runs: the joined errors of the rungs before it. It is nil outside of such a rung, and
// in one that is exercised: nothing has failed.
func FallbackCause(ctx context.Context) error { return scopeOf(ctx).cause }

// Meta is what is known of a call beside its answer; see Capture. The last response is of the last attempt that got one: where a func
// or static rung answered, it is the response of an attempt that failed before.
type Meta struct {
	// Status is the status code of the last response; 0 if there was none, as where a cache answered.
	Status int
	// Header is the header of the last response; nil if there was none.
	Header http.Header
	// RequestID is the id that the target gave the last request.
	RequestID string
	// Attempts is the number of attempts on all rungs, copies of hedged ones among them; what a cache gave is none.
	Attempts int
	// Replays is the number of requests that were sent beside the attempts although no policy said so: by net/http, which sends some
	// again when a connection breaks, and by a wrapped client that tries again.
	Replays int
	// Rung is the name of the rung that answered; empty for the operation itself.
	Rung string
	// Target is the target that the last attempt called; empty for rungs that call none.
	Target string
	// Level is how good the answer is; policy.Equal for the operation's own.
	Level Level
	// Degraded says that the answer is worse than the operation's own: Level is not policy.Equal.
	Degraded bool
	// Reason is the kind of failure that led to the rung that answered; policy.KindNone where the operation itself did.
	Reason Kind
	// Cause joins the failures of the rungs before the one that answered; nil where the operation itself did. Of a call that failed it is
	// the call's error.
	Cause error
	// Exercised says that the rung was used although the operation itself had not failed.
	Exercised bool
	// Incomplete says that the answer is right, and not whole: it ended at the most tokens that were allowed, or for another reason that the
	// target names, which is IncompleteReason ("length", "max_tokens"). No cache keeps such an answer. Of a stream it is written at its end. See
	// policy.Errors.Judge.
	Incomplete       bool
	IncompleteReason string
	// Age is how old the answer is; 0 unless it was remembered, by a cache.
	Age time.Duration
	// Similarity is how similar the question was that the answer was given to, by cosine, where a semantic cache gave it; 0 where it was this one.
	Similarity float64
	// Elapsed is the duration of the call, waits included.
	Elapsed time.Duration
	// Served is who gave the answer, as it says itself, where the plan says where: the model. That of a stream is known with its first items.
	Served string
	// Substituted says that this is another than was asked for, of a target that is layered: then the answer is degraded, to policy.Alternate.
	Substituted bool
	// Usage is what the answer said that it used, as far as the plan knows where. That of a stream grows as its items are read.
	Usage policy.Usage
	// Counting says how the numbers of Usage are to be read: whether cached and reasoning tokens are a part of the others.
	Counting policy.Counting
	// Cost is what Usage costs at the price of the rung that answered, in the unit of the prices; 0 where there is no price, and where the answer
	// does not say what it used. Other attempts of the call are not in it. That of a stream grows as its items are read.
	Cost float64
	// Broke is why an answer that outlives the call (a stream) ended before its end: nil for a whole one, and for one that the caller
	// closed. It is written when the answer ends, before that is seen, and must not be read earlier. An iterator or a channel whose items
	// are no errors tells it nowhere else.
	Broke error
}

// respond takes what another Meta says of a response.
func (m *Meta) respond(from *Meta) {
	m.Status, m.Header, m.RequestID = from.Status, from.Header, from.RequestID
	m.Incomplete, m.IncompleteReason = from.Incomplete, from.IncompleteReason
}

// Capture has the call that is made with the context write what is known of it to meta, when it returns and whether it fails or not.
// The next call with the same context writes over it, and calls that run at the same time need a Meta each. Calls made inside the
// call do not write to it.
func Capture(ctx context.Context, meta *Meta) context.Context {
	return with(ctx, func(s *scope) { s.meta = meta })
}
