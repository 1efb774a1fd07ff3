package policy

// The status codes that have a meaning of their own here. net/http is not imported: this package does no IO, and four of them are
// not in its list.
const (
	statusUnauthorized        = 401
	statusPaymentRequired     = 402
	statusForbidden           = 403
	statusOK                  = 200
	statusBadRequest          = 400
	statusNotFound            = 404
	statusRequestTimeout      = 408
	statusConflict            = 409
	statusContentTooLarge     = 413
	statusUnprocessable       = 422
	statusTooManyRequests     = 429
	statusInternalServerError = 500
	statusBadGateway          = 502
	statusUnavailable         = 503
	statusGatewayTimeout      = 504
	statusOriginUnknown       = 520 // Cloudflare: the origin answered something unexpected
	statusOriginTimedOut      = 522 // Cloudflare: no connection to the origin
	statusOriginTooSlow       = 524 // Cloudflare: the origin did not answer
	statusOverloaded          = 529 // overloaded, by several providers
)

// ClassifyStatus returns what a status code means where nothing in the body says otherwise: the generic preset. idempotency and
// attempt (1 is the first) settle 409: on a later attempt of a keyed call it is our own earlier one, still in
// progress, and so transient; otherwise it is the caller's. Every 2xx is KindNone; what is in no list is permanent.
func ClassifyStatus(status int, idempotency Idempotency, attempt int) Kind {
	switch status {
	case statusTooManyRequests, statusOverloaded:
		return KindThrottle
	case statusRequestTimeout, statusInternalServerError, statusBadGateway, statusUnavailable, statusGatewayTimeout,
		statusOriginUnknown, statusOriginTimedOut, statusOriginTooSlow:
		return KindTransient
	case statusUnauthorized, statusPaymentRequired, statusForbidden:
		return KindUnusable
	case statusBadRequest, statusNotFound, statusContentTooLarge, statusUnprocessable:
		return KindCaller
	case statusConflict:
		if idempotency == Keyed && attempt > 1 {
			return KindTransient
		}
		return KindCaller
	default:
		if status >= 200 && status <= 299 {
			return KindNone
		}
		return KindPermanent
	}
}

// VerdictOfStatus returns what an answer of that status and kind says about the dependency. It is VerdictOf the kind, but for 529: a
// dependency that is overloaded fails, while one that answers 429 works and asks us to slow down. And but for the other codes from 400
// to 499 of KindPermanent (405, 410, 412, 415, 423 ...): a dependency that turns a request down works.
func VerdictOfStatus(status int, k Kind) Verdict {
	switch {
	case status == statusOverloaded && k == KindThrottle:
		return Failure
	case status >= statusBadRequest && status < statusInternalServerError && k == KindPermanent:
		return Answered
	default:
		return VerdictOf(k)
	}
}

// InDoubtAfter reports whether an answer of that status and kind leaves open if the dependency executed the request. It is
// Kind.InDoubt, but for 529: of the throttling answers only 429 proves that nothing was done. status is 0 where there was no answer.
func InDoubtAfter(status int, k Kind) bool {
	return k.InDoubt() || k == KindThrottle && status == statusOverloaded
}
