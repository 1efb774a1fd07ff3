package runtimetest

import (
	"net"
	"net/http"
	"slices"
	"syscall"
	"time"

	"github.com/resgen-go/resgen/runtime/policy"
)

// fault is what a target does such that an attempt fails as one of a kind.
type fault struct {
	kind policy.Kind
	does reply
	// lasts is how long the attempt takes by the plan.
	lasts time.Duration
	// cost is what a retry of it takes from the budget.
	cost float64
	// fails says that it counts against the target.
	fails bool
}

// refusedDial is a connection that was never made.
func refusedDial() error { return &net.OpError{Op: "dial", Net: "tcp", Err: syscall.ECONNREFUSED} }

// brokenRead is a connection that breaks with the request under way.
func brokenRead() error { return &net.OpError{Op: "read", Net: "tcp", Err: syscall.ECONNRESET} }

// faultOf returns a fault of that kind, and whether there is one: where the author's own rules give the usual signs another meaning there is
// none.
func (e *exam) faultOf(k policy.Kind) (fault, bool) {
	f := fault{kind: k, cost: policy.RetryCost, fails: true}
	switch k {
	case policy.KindConnect:
		f.does.err, f.cost = refusedDial(), policy.FreeCost
	case policy.KindReset:
		f.does.err = brokenRead()
	case policy.KindTimeout:
		f.does.hang, f.lasts, f.cost = true, e.attempt(), policy.TimeoutCost
		return f, f.lasts > 0
	case policy.KindDecode:
		f.does.answer = e.answer.half()
		return f, e.answer.isJSON() && !e.owned && !e.plan.Stream.Format.Streams()
	case policy.KindThrottle:
		f.fails = false
		return e.answered(f, http.StatusTooManyRequests)
	case policy.KindTransient:
		return e.answered(f, http.StatusServiceUnavailable, http.StatusBadGateway, http.StatusInternalServerError)
	case policy.KindCaller:
		f.fails = false
		return e.answered(f, http.StatusUnprocessableEntity, http.StatusBadRequest)
	case policy.KindUnusable:
		return e.answered(f, http.StatusUnauthorized)
	default:
		return f, false
	}
	return f, true
}

// answered is a fault that is an answer with the first of the statuses of which the author has said nothing.
func (e *exam) answered(f fault, statuses ...int) (fault, bool) {
	for _, status := range statuses {
		said := slices.ContainsFunc(e.plan.Errors.Rules, func(r policy.ErrorRule) bool {
			return r.Pointer == "" && (r.Status == status || r.Status == 0)
		})
		if !said {
			f.does.answer = &Answer{Status: status}
			return f, true
		}
	}
	return f, false
}

// faults are those that can be made, of the kinds that a target can be the reason of.
func (e *exam) faults() []fault {
	var all []fault
	for _, k := range []policy.Kind{
		policy.KindConnect, policy.KindThrottle, policy.KindTransient, policy.KindReset, policy.KindDecode, policy.KindTimeout,
		policy.KindUnusable, policy.KindCaller,
	} {
		if f, ok := e.faultOf(k); ok {
			all = append(all, f)
		}
	}
	return all
}

// attempt is the longest that an attempt may take without an answer; 0 is without a bound.
func (e *exam) attempt() time.Duration {
	t := e.plan.Timeout
	bounds := []time.Duration{t.Attempt, t.Total}
	if e.plan.Stream.Format.Streams() {
		bounds = append(bounds, t.FirstByte, t.FirstItem)
	}
	least := time.Duration(0)
	for _, b := range bounds {
		if b > 0 && (least == 0 || b < least) {
			least = b
		}
	}
	return least
}

// useful is the time that an attempt must have before it is worth starting, of a target that was never asked: a tenth of what it gets.
func (e *exam) useful() time.Duration {
	const parts = 10
	if t := e.plan.Timeout; t.Attempt > 0 {
		return t.Attempt / parts
	}
	return e.plan.Timeout.Total / parts
}

// opensAfter is the number of failures, and nothing else, after which the breaker opens; 0 is never.
func (e *exam) opensAfter() int {
	switch b := e.plan.Breaker; {
	case b.Mode != policy.BreakerOn:
		return 0
	case b.Consecutive > 0 && b.Consecutive < b.MinCalls:
		return b.Consecutive
	case b.FailureRate > 0:
		return max(b.MinCalls, 1)
	default:
		return 0
	}
}
