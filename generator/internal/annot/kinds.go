package annot

import "github.com/resgen-go/resgen/runtime/policy"

// KindDoc is one kind of failure, for readers.
type KindDoc struct {
	// Kind is the kind, and Doc says in a sentence what it is.
	Kind policy.Kind
	Doc  string
	// Statuses are the status codes that mean it where no rule and no preset says otherwise; none for kinds that no status means.
	Statuses []int
}

var kindDocs = map[policy.Kind]string{
	policy.KindThrottle:       "The target asks for fewer requests.",
	policy.KindTransient:      "The target fails, and calls it temporary.",
	policy.KindTimeout:        "The attempt's time, or the call's own total, is over.",
	policy.KindConnect:        "There was no connection, or the request is proven not to have been processed.",
	policy.KindReset:          "The connection broke with the request under way.",
	policy.KindDecode:         "The answer cannot be understood.",
	policy.KindUnusable:       "Our side of the contract is broken: credentials, quota, a model that is gone.",
	policy.KindCaller:         "The target rejects the request as wrong, or it could not be built.",
	policy.KindRefused:        "A content policy says no.",
	policy.KindContextTooLong: "The request exceeds the model's context window.",
	policy.KindBreakerOpen:    "The breaker is open.",
	policy.KindBulkheadFull:   "The bulkhead has no permit, and no room or time to wait for one.",
	policy.KindRateLimited:    "The limit is used up, or the target has asked for a pause.",
	policy.KindShed:           "The call was shed under load.",
	policy.KindBudget:         "The retry budget is empty.",
	policy.KindUnfit:          "The rung cannot take the request.",
	policy.KindDeadline:       "The caller's own deadline has passed.",
	policy.KindCanceled:       "The caller has canceled.",
	policy.KindPermanent:      "Every other failure.",
}

// KindDocs describes all kinds, in the order of their declaration.
func KindDocs() []KindDoc {
	const first, last = 400, 599
	kinds := policy.Kinds()
	docs := make([]KindDoc, 0, len(kinds))
	for _, k := range kinds {
		d := KindDoc{Kind: k, Doc: kindDocs[k]}
		for status := first; status <= last && k != policy.KindPermanent; status++ {
			if policy.ClassifyStatus(status, policy.None, 1) == k {
				d.Statuses = append(d.Statuses, status)
			}
		}
		docs = append(docs, d)
	}
	return docs
}

// Against reports whether such a failure counts against the target, in its breaker.
func (d *KindDoc) Against() bool { return policy.VerdictOf(d.Kind) == policy.Failure }
