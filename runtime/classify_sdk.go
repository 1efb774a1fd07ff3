package runtime

import (
	"net/http"
	"time"

	"github.com/resgen-go/resgen/runtime/internal/sdkerror"
	"github.com/resgen-go/resgen/runtime/policy"
)

// classifySDK says what an error means that is none of ours: by the answer that it was made of, where it is of a client whose errors are
// known, as if that had come here; else by what it wraps.
func classifySDK(p *policy.Plan, number int, now time.Time, err error) (r policy.Result, status int, answered bool) {
	other := classifyOther(err)
	a, ok := sdkerror.Read(err)
	switch {
	case !ok:
		return other, 0, false
	case a.Cause != nil && !a.Is(): // it hides what happened in a field
		return classifyOther(a.Cause), 0, false
	}
	if a.Otherwise == policy.KindNone && a.Status == 0 && other.Kind != policy.KindPermanent {
		a.Otherwise = other.Kind
	}
	r = classifyAnswer(p, number, now, policy.Answer{Status: a.Status, Header: a.Header.Get, Body: a.Body, Otherwise: a.Otherwise})
	r = andWait(r, &a)
	if a.Unsent {
		r.MayHaveActed = false
	}
	if a.StandIn {
		return r, 0, !a.Unanswered
	}
	return r, a.Status, !a.Unanswered
}

// andWait adds the wait that an error tells of beside its header and its body: of two, the longer one holds.
func andWait(r policy.Result, a *sdkerror.Answer) policy.Result {
	if a.Waits {
		r.Pushback, r.RetryAfter = true, max(r.RetryAfter, a.Wait)
	}
	return r
}

// waitOfSDK adds the wait that an error of a client tells of, whose kind somebody has said.
func waitOfSDK(r policy.Result, now time.Time, err error) policy.Result {
	a, ok := sdkerror.Read(err)
	if !ok {
		return r
	}
	h := waitHeader(a.Header.Get, now)
	r.RetryAfter, r.Pushback = policy.ParseRetryAfter(h)
	return andWait(r, &a)
}

// waitHeader returns what a header says of waits.
func waitHeader(header func(name string) string, now time.Time) policy.RetryAfterHeader {
	return policy.RetryAfterHeader{
		RetryAfterMS: header("Retry-After-Ms"), MSRetryAfterMS: header("X-Ms-Retry-After-Ms"), PushbackMS: header("Grpc-Retry-Pushback-Ms"),
		RetryAfter: header("Retry-After"), Date: header("Date"), ShouldRetry: header("X-Should-Retry"), Received: now,
	}
}

// statusOfSDK returns the status code that an error of a client tells of; 0 for none.
func statusOfSDK(err error) int {
	if a, ok := sdkerror.Read(err); ok && !a.StandIn && a.Status >= http.StatusBadRequest {
		return a.Status
	}
	return 0
}
