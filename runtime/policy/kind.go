package policy

import "fmt"

// Kind says what became of an attempt, in the one vocabulary that retries (Retry.On), rungs (Rung.When), the breaker,
// runtime.Error and every metric share. The zero value is KindNone: nothing went wrong.
type Kind uint8

// The kinds. "Retried here" means: on the same target, by the retry policy.
const (
	// KindNone is no failure.
	KindNone Kind = iota
	// KindThrottle is the dependency asking for fewer requests: 429 (RFC 6585) and 529. Retried here after Retry-After.
	KindThrottle
	// KindTransient is a failure that the dependency calls temporary: 408, 500, 502, 503, 504, 520, 522, 524.
	KindTransient
	// KindTimeout is our own attempt timeout, or the operation's own total, running out.
	KindTimeout
	// KindConnect is a connection that was never made, or a request that is proven not to have been processed.
	KindConnect
	// KindReset is a connection that broke with the request under way.
	KindReset
	// KindDecode is an answer that cannot be understood: malformed or truncated JSON, HTML on a JSON route.
	KindDecode
	// KindUnusable is our side of the contract broken: credentials, quota, a model or deployment that is gone.
	KindUnusable
	// KindCaller is a request that the dependency rejects as wrong: 400, 404, 413, 422.
	KindCaller
	// KindRefused is a content policy's no.
	KindRefused
	// KindContextTooLong is a request that exceeds the model's context window.
	KindContextTooLong
	// KindBreakerOpen is a local rejection: the breaker is open.
	KindBreakerOpen
	// KindBulkheadFull is a local rejection: no permit and no room, or no time, to wait for one.
	KindBulkheadFull
	// KindRateLimited is a local rejection by a rate limit, or by a pause that the dependency asked for.
	KindRateLimited
	// KindShed is a local rejection by load shedding.
	KindShed
	// KindBudget is a local rejection: the retry budget is empty.
	KindBudget
	// KindUnfit is a local rejection: the request exceeds or uses what a rung states that it cannot take.
	KindUnfit
	// KindDeadline is the caller's own deadline.
	KindDeadline
	// KindCanceled is the caller's own cancellation.
	KindCanceled
	// KindPermanent is every other failure.
	KindPermanent

	kindCount
)

var kindNames = [kindCount]string{
	KindNone: "none", KindThrottle: "throttle", KindTransient: "transient", KindTimeout: "timeout", KindConnect: "connect",
	KindReset: "reset", KindDecode: "decode", KindUnusable: "unusable", KindCaller: "caller", KindRefused: "refused",
	KindContextTooLong: "context-too-long", KindBreakerOpen: "breaker-open", KindBulkheadFull: "bulkhead-full",
	KindRateLimited: "rate-limited", KindShed: "shed", KindBudget: "budget", KindUnfit: "unfit", KindDeadline: "deadline",
	KindCanceled: "canceled", KindPermanent: "permanent",
}

// String returns the kind's name as annotations, errors and metrics spell it.
func (k Kind) String() string {
	if int(k) < len(kindNames) {
		return kindNames[k]
	}
	return fmt.Sprintf("kind(%d)", uint8(k))
}

// Kinds returns every kind but KindNone, in the order of their declaration.
func Kinds() []Kind {
	all := make([]Kind, 0, kindCount-1)
	for k := KindNone + 1; k < kindCount; k++ {
		all = append(all, k)
	}
	return all
}

// ParseKind returns the kind of that name, as String spells it, and whether there is one.
func ParseKind(name string) (Kind, bool) {
	for k, n := range kindNames {
		if n == name && Kind(k) != KindNone {
			return Kind(k), true
		}
	}
	return KindNone, false
}

// Local reports whether the kind is our own rejection: the dependency was not asked.
func (k Kind) Local() bool {
	switch k {
	case KindBreakerOpen, KindBulkheadFull, KindRateLimited, KindShed, KindBudget, KindUnfit:
		return true
	default:
		return false
	}
}

// RetriedHere reports whether the retry policy may try the same target again after a failure of this kind, where the
// operation's idempotency allows it.
func (k Kind) RetriedHere() bool {
	switch k {
	case KindThrottle, KindTransient, KindTimeout, KindConnect, KindReset, KindDecode:
		return true
	default:
		return false
	}
}

// InDoubt reports whether a failure of this kind leaves open if the dependency executed the request. A KindTransient answer
// is in doubt because a gateway may send it after its upstream has acted.
func (k Kind) InDoubt() bool {
	switch k {
	case KindTransient, KindTimeout, KindReset, KindDecode:
		return true
	default:
		return false
	}
}

// Any reports whether the kind is among those that `when: [any]` of a rung means: all but KindCaller, KindCanceled, KindRefused and
// KindContextTooLong. These are of the caller's own making, so that logs and the status page do not count them as failures either.
func (k Kind) Any() bool {
	switch k {
	case KindNone, KindCaller, KindCanceled, KindRefused, KindContextTooLong:
		return false
	default:
		return true
	}
}

// KindSet is a set of kinds. The zero value is empty.
type KindSet uint32

// SetOf returns the set of the given kinds.
func SetOf(kinds ...Kind) KindSet {
	var s KindSet
	for _, k := range kinds {
		s |= 1 << k
	}
	return s
}

// Has reports whether the set holds the kind.
func (s KindSet) Has(k Kind) bool { return s&(1<<k) != 0 }
