package runtime

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"os"
	"syscall"
	"time"

	"github.com/resgen-go/resgen/runtime/policy"
	"github.com/resgen-go/resgen/runtime/wire"
)

// classified says what an error means that an attempt returned, without regard to whose time was over: that is known to the driver.
// answered says that the target has answered, so that what happens afterwards changes nothing. What the operation's own function says
// of an error comes before everything else, also before what a call inside has said; an error of a context is an answer of nobody.
func (op *Operation) classified(target string, number int, now time.Time, err error) (r policy.Result, status int, answered bool) {
	if op == nil {
		return classify(new(policy.Plan), number, now, err)
	}
	if op.classify != nil {
		if k := op.classify(err); k != policy.KindNone {
			return classifyAs(k, now, err), statusOf(err), !isTimeout(err) && !errors.Is(err, context.Canceled)
		}
	}
	p := &op.plan
	if op.dialects[target] != nil {
		p = policy.PlanAt(p, target)
	}
	return classify(p, number, now, err)
}

// classifyAs says what an error means of which somebody has said its kind. What a call inside knows of it stays known.
func classifyAs(k Kind, now time.Time, err error) policy.Result {
	if nested, ok := errors.AsType[*Error](err); ok {
		return nestedAs(k, nested, now)
	}
	return waitOfSDK(failed(k, k != policy.KindThrottle && k != policy.KindConnect), now, err)
}

// classify is classified, without an operation's own function.
func classify(p *policy.Plan, number int, now time.Time, err error) (r policy.Result, status int, answered bool) {
	var (
		noKey     *keyError
		stall     *stallError
		nested    *Error
		response  *wire.StatusError
		decode    *wire.DecodeError
		event     *wire.EventError
		transport *wire.TransportError
		sentinel  kindError
		another   *substituteError
	)
	if e, ok := errors.AsType[*batchError](err); ok {
		return e.result, e.status, true
	}
	switch {
	case errors.As(err, &noKey): // ours, not the target's
		return policy.Result{Kind: policy.KindUnusable}, 0, true
	case errors.As(err, &another): // the target did what it could, and may have acted
		return policy.Result{Kind: policy.KindUnfit, Verdict: policy.Answered, MayHaveActed: true}, http.StatusOK, true
	case errors.As(err, &stall):
		return failed(policy.KindTimeout, !stall.unsent), 0, false
	case errors.As(err, &nested):
		return classifyNested(nested, now), nested.Status, false
	case errors.As(err, &sentinel): // the function says of which kind its failure is
		return classifyNested(&Error{Kind: Kind(sentinel), MayHaveActed: Kind(sentinel).InDoubt()}, now), 0, false
	case errors.As(err, &response):
		return classifyStatus(p, number, now, response), response.Status, true
	case errors.As(err, &event):
		return classifyEvent(p, now, event), event.Status, true
	case errors.As(err, &transport):
		return classifyTransport(transport), transport.Status, false
	case errors.As(err, &decode):
		return failed(policy.KindDecode, true), decode.Status, true
	case errors.Is(err, wire.ErrRequest):
		return policy.Result{Kind: policy.KindCaller}, 0, true // nothing was sent: no evidence
	default:
		return classifySDK(p, number, now, err)
	}
}

// failed returns the result of a failure of that kind.
func failed(k Kind, acted bool) policy.Result {
	return policy.Result{Kind: k, Verdict: policy.VerdictOf(k), MayHaveActed: acted}
}

// classifyNested keeps what another call said. Its cancel was not our caller's, or the driver would know; then it is permanent.
func classifyNested(e *Error, now time.Time) policy.Result {
	k := e.Kind
	switch k {
	case policy.KindCanceled:
		k = policy.KindPermanent
	case policy.KindDeadline:
		k = policy.KindTimeout
	default:
	}
	return nestedAs(k, e, now)
}

// nestedAs is what another call said, under a kind.
func nestedAs(k Kind, e *Error, now time.Time) policy.Result {
	r := failed(k, e.MayHaveActed)
	if e.said.known && k == e.Kind {
		r.Verdict, r.Once, r.Final = e.said.verdict, e.said.once, e.said.final
	}
	if e.said.waits || (k == policy.KindThrottle || k == policy.KindUnusable) && e.NotBefore.After(now) {
		r.Pushback, r.RetryAfter = true, max(e.NotBefore.Sub(now), 0)
	}
	return r
}

// classifyStatus says what a response means: the body decides where a rule knows it, else the status.
func classifyStatus(p *policy.Plan, number int, now time.Time, e *wire.StatusError) policy.Result {
	return classifyAnswer(p, number, now, policy.Answer{Status: e.Status, Header: e.Header.Get, Body: e.Body})
}

// classifyAnswer says what an answer means that has a header and a status.
func classifyAnswer(p *policy.Plan, number int, now time.Time, e policy.Answer) policy.Result {
	e.Safe = p.Idempotency == policy.Safe
	f := p.Errors.Classify(now, e, p.Idempotency, number)
	r := policy.Result{Kind: f.Kind, Verdict: f.Verdict}
	r.MayHaveActed = policy.InDoubtAfter(e.Status, f.Kind) || e.Status >= http.StatusInternalServerError || e.Status < http.StatusBadRequest
	h := waitHeader(e.Header, now)
	if f.Kind == policy.KindThrottle {
		h.ResetTokens = e.Header("X-Rate-Limit-Reset-Tokens")
	}
	r.RetryAfter, r.Pushback = policy.ParseRetryAfter(h)
	r.Final = h.Advice() == policy.AdviseStop || e.Header(headerDoNotRetry) == yes
	return asksWait(r, f)
}

// classifyEvent says what an error means that came inside a response.
func classifyEvent(p *policy.Plan, now time.Time, e *wire.EventError) policy.Result {
	f := p.Errors.Classify(now, policy.Answer{
		Body: e.Data, Safe: p.Idempotency == policy.Safe, Otherwise: e.Kind,
	}, p.Idempotency, 1)
	f.Once = f.Once || f.Kind == policy.KindDecode // an answer that is empty
	acted := f.Kind != policy.KindThrottle || f.Verdict == policy.Failure
	return asksWait(policy.Result{Kind: f.Kind, Verdict: f.Verdict, MayHaveActed: acted}, f)
}

// asksWait adds what a body says about trying again: of two waits the longer one holds.
func asksWait(r policy.Result, f policy.Finding) policy.Result {
	r.Once = f.Once
	if f.Waits {
		r.Pushback, r.RetryAfter = true, max(r.RetryAfter, f.Wait)
	}
	return r
}

// classifyTransport says what an attempt means that ended without a whole response.
func classifyTransport(e *wire.TransportError) policy.Result {
	acted := e.Wrote && !e.Refused
	switch e.Stage {
	case wire.StageCredential: // ours, not the target's
		return policy.Result{Kind: policy.KindUnusable}
	case wire.StageConnect: // waiting for a connection is queue time, not the target's
		return policy.Result{Kind: policy.KindConnect, MayHaveActed: acted}
	case wire.StageDial, wire.StageTLS:
		return failed(policy.KindConnect, acted)
	case wire.StageSend, wire.StageWait, wire.StageBody:
	}
	switch {
	case e.Refused:
		return failed(policy.KindConnect, false)
	case isTimeout(e.Err):
		return failed(policy.KindTimeout, acted)
	default:
		return failed(policy.KindReset, acted)
	}
}

// classifyOther says what an error of a function means. What nobody knows is permanent, and may have been executed.
func classifyOther(err error) policy.Result {
	var op *net.OpError
	var dns *net.DNSError
	var syntax *json.SyntaxError
	var malformed *wire.JSONError
	switch {
	case errors.As(err, &malformed): // before what it is inside: a text that was cut is no cut connection
		return failed(policy.KindDecode, true)
	case errors.Is(err, syscall.ECONNREFUSED), errors.As(err, &dns), errors.As(err, &op) && op.Op == "dial":
		return failed(policy.KindConnect, false)
	case isTimeout(err):
		return failed(policy.KindTimeout, true)
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF), errors.Is(err, syscall.ECONNRESET), errors.Is(err, syscall.EPIPE),
		errors.Is(err, net.ErrClosed):
		return failed(policy.KindReset, true)
	case errors.As(err, &syntax):
		return failed(policy.KindDecode, true)
	default:
		return failed(policy.KindPermanent, true)
	}
}

// isTimeout reports whether the error is somebody's timeout.
func isTimeout(err error) bool {
	var timeout net.Error
	return errors.Is(err, context.DeadlineExceeded) || errors.Is(err, os.ErrDeadlineExceeded) ||
		errors.As(err, &timeout) && timeout.Timeout()
}
