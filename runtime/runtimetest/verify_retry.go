package runtimetest

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"strconv"
	"time"

	"github.com/resgen-go/resgen/runtime"
	"github.com/resgen-go/resgen/runtime/policy"
)

// answers checks that a right answer is one: the call succeeds by its first and only request, and is not degraded.
func answers(r *trial) {
	r.bubble(func(ctx context.Context, st *stage, do call) {
		o := do(ctx)
		if o.err != nil {
			r.errorf("a right answer is an error to the client: %v", o.err)
		}
		if seen := st.requests(); len(seen) != 1 {
			r.errorf("%d requests for one right answer, want 1", len(seen))
		} else {
			r.request, r.owned = seen[0].body, o.owned
		}
		r.expectTag(&o, tag{})
		if r.plan.Stream.Format.Streams() && o.err == nil && o.items == 0 {
			r.errorf("the stream has no items")
		}
	})
}

// retries checks each kind of failure that a target can bring about: that it is retried as often as the plan says, after such waits as it
// says, or not at all. The ladder is left out of it.
func retries(r *trial) {
	for _, f := range r.faults() {
		if f.kind == policy.KindUnusable && hasMembers(r.plan) { // a member's trouble: another one may do
			continue
		}
		tries, waited := 0, time.Duration(0)
		r.bubble(func(ctx context.Context, st *stage, do call) {
			st.play = func(*asked) reply { return f.does }
			o := do(runtime.WithoutFallback(ctx))
			least, most := r.tries(f)
			tries = len(st.requests())
			switch {
			case o.err == nil:
				r.errorf("%v: the call succeeds although every attempt fails", f.kind)
			case o.kind() != f.kind:
				r.errorf("%v: the call fails as %v: %v", f.kind, o.kind(), o.err)
			case tries < least || tries > most:
				r.errorf("%v: %d attempts, the plan makes %s", f.kind, tries, between(least, most))
			}
			waited = r.waits(f, st.requests())
		})
		if r.jitters() && tries > 1 && waited == 0 {
			r.errorf("%v: retried without a wait, the plan waits from %v up to %v", f.kind, 0, r.plan.Retry.Backoff.Max)
		}
	}
}

// jitters reports whether waits of the plan's are hardly ever nothing.
func (e *exam) jitters() bool { return e.plan.Retry.Backoff.Base >= time.Millisecond }

func between(least, most int) string {
	if least == most {
		return strconv.Itoa(least)
	}
	return strconv.Itoa(least) + " to " + strconv.Itoa(most)
}

// retried reports whether the plan retries failures of that kind. What is repeatable only where the request names what it writes is retried
// for certain only where nothing was executed.
func (e *exam) retried(k policy.Kind) bool {
	p := e.plan
	return p.Retry.Attempts > 1 && slices.Contains(p.Retry.On, k) && (p.Idempotency.Repeatable() && len(p.IDs) == 0 || !k.InDoubt())
}

// tries returns how many attempts a call makes all of which fail so: fewer than the plan's where waits, the budget or the breaker cut it.
func (e *exam) tries(f fault) (least, most int) {
	p := e.plan
	if !e.retried(f.kind) {
		if len(p.IDs) > 0 && p.Retry.Attempts > 1 && slices.Contains(p.Retry.On, f.kind) {
			return 1, p.Retry.Attempts
		}
		return 1, 1
	}
	most = p.Retry.Attempts
	if n := e.opensAfter(); n > 0 && f.fails {
		most = min(most, n)
	}
	least = most
	if b := p.Budget; (b.Ratio > 0 || b.MinPerSecond > 0) && f.cost > 0 {
		const held = 10 // by a budget that nobody has used
		tokens := float64(held)
		if b.Cap > 0 {
			tokens = min(tokens, b.Cap)
		}
		least = min(least, 1+int(tokens/f.cost))
	}
	return min(least, e.inTime(f, true)), min(most, e.inTime(f, false))
}

// inTime returns how many attempts there is time for, with the longest waits that jitter can draw, or with the shortest.
func (e *exam) inTime(f fault, longest bool) int {
	total, ttl := e.plan.Timeout.Total, e.plan.Key.TTL
	var at, prev time.Duration
	for n := 1; n < e.plan.Retry.Attempts; n++ {
		low, high := e.backoff(n, prev)
		wait := low
		if longest {
			wait = high
		}
		at, prev = at+f.lasts+wait, wait
		if total > 0 && at+e.useful() > total || ttl > 0 && e.plan.Idempotency == policy.Keyed && at > ttl {
			return n
		}
	}
	return e.plan.Retry.Attempts
}

// backoff returns the shortest and the longest wait before a retry.
func (e *exam) backoff(n int, prev time.Duration) (low, high time.Duration) {
	b := e.plan.Retry.Backoff
	multiplier := b.Multiplier
	if multiplier <= 0 {
		const usual = 2
		multiplier = usual
	}
	full := float64(b.Base)
	for range n - 1 {
		full *= multiplier
	}
	bound := func(d float64) time.Duration {
		if b.Max > 0 {
			d = min(d, float64(b.Max))
		}
		return time.Duration(d)
	}
	high = bound(full)
	switch b.Jitter {
	case policy.NoJitter:
		return high, high
	case policy.EqualJitter:
		return high / 2, high
	case policy.DecorrelatedJitter:
		const growth = 3
		low = bound(float64(b.Base))
		return low, bound(growth * float64(max(prev, low)))
	case policy.FullJitter:
	}
	return 0, high
}

// waits checks the waits between the attempts of a call, and returns their sum.
func (r *trial) waits(f fault, requests []*asked) time.Duration {
	var sum, prev time.Duration
	for n := 1; n < len(requests); n++ {
		waited := requests[n].at.Sub(requests[n-1].ended)
		low, high := r.backoff(n, prev)
		if waited < low || waited > high {
			r.errorf("%v: waited %v before attempt %d, the plan waits from %v up to %v", f.kind, waited, n+1, low, high)
		}
		sum, prev = sum+waited, waited
	}
	return sum
}

// waitsHere reports whether a plan waits for what a target asks: one with members asks another of them.
func waitsHere(p *policy.Plan) bool { return p.Retry.Attempts > 1 && !hasMembers(p) }

// retryAfter checks that a wait that the target asks for is kept where the plan waits as long, and that the call ends at once where it does
// not.
func retryAfter(r *trial) {
	f, ok := r.faultOf(policy.KindThrottle)
	if !ok || !r.retried(policy.KindThrottle) {
		return
	}
	asks := func(d time.Duration) *Answer {
		return &Answer{Status: f.does.answer.Status, Header: http.Header{
			"Retry-After": {strconv.FormatInt(int64(d/time.Second), 10)},
		}}
	}
	most := r.plan.Retry.RetryAfterMax
	if wait := r.longest(most); wait >= time.Second {
		r.bubble(func(ctx context.Context, st *stage, do call) {
			st.play = func(a *asked) reply {
				if a.n == 0 {
					return reply{answer: asks(wait)}
				}
				return reply{answer: st.right}
			}
			o := do(runtime.WithoutFallback(ctx))
			seen := st.requests()
			if o.err != nil || len(seen) != 2 {
				r.errorf("asked to wait for %v: %d attempts and the error %v, want 2 and an answer", wait, len(seen), o.err)
				return
			}
			_, backoff := r.backoff(1, 0)
			const spread = 10 // jitter adds at most a tenth
			if waited := seen[1].at.Sub(seen[0].ended); waited < wait || waited > max(wait+wait/spread, backoff) {
				r.errorf("asked to wait for %v, waited %v", wait, waited)
			}
		})
	}
	long := most.Truncate(time.Second) + time.Minute
	r.bubble(func(ctx context.Context, st *stage, do call) {
		st.play = func(*asked) reply { return reply{answer: asks(long)} }
		began := time.Now()
		o := do(runtime.WithoutFallback(ctx))
		if n, took := len(st.requests()), time.Since(began); n != 1 || took > 0 || o.kind() != policy.KindThrottle {
			r.errorf("asked to wait for %v: %d attempts in %v, and %v; the plan waits for %v at most, so it ends at once", long, n, took, o.err, most)
		}
		var e *runtime.Error
		if errors.As(o.err, &e) && e.NotBefore.Before(began.Add(long)) {
			r.errorf("asked to wait for %v: the error says not before %v from then", long, e.NotBefore.Sub(began))
		}
	})
}

// longest is the longest wait in whole seconds, of at most so long, after which there is time for another attempt.
func (e *exam) longest(most time.Duration) time.Duration {
	if total := e.plan.Timeout.Total; total > 0 {
		const of, with = 10, 11 // jitter adds at most a tenth
		most = min(most, (total-e.useful()-1)*of/with)
	}
	if ttl := e.plan.Key.TTL; ttl > 0 {
		most = min(most, ttl/2)
	}
	return most.Truncate(time.Second)
}

// isKeyed reports whether calls carry an idempotency key in a header.
func isKeyed(p *policy.Plan) bool { return p.Idempotency == policy.Keyed && p.Key.Header != "" }

// oneKey checks that all attempts of a call carry one key, and that calls do not share theirs.
func oneKey(r *trial) {
	r.bubble(func(ctx context.Context, st *stage, do call) {
		f, ok := r.faultOf(policy.KindTransient)
		if ok {
			st.play = func(*asked) reply { return f.does }
		}
		keys := map[string]bool{}
		for range 2 {
			from := len(st.requests())
			do(runtime.WithoutFallback(ctx))
			key := ""
			for i, a := range st.requests()[from:] {
				sent := a.header.Get(r.plan.Key.Header)
				switch {
				case sent == "" && r.plan.Key.Source == policy.KeyParam:
					r.logf("the sample gives no key")
					return
				case sent == "":
					r.errorf("attempt %d has no %s", i+1, r.plan.Key.Header)
				case i > 0 && sent != key:
					r.errorf("attempt %d has the key %s, that before it %s", i+1, sent, key)
				}
				key = sent
			}
			if keys[key] && r.plan.Key.Source == policy.KeyUUIDv7 {
				r.errorf("two calls have the key %s", key)
			}
			keys[key] = true
		}
	})
}

// isBounded reports whether calls end by themselves.
func isBounded(p *policy.Plan) bool { return p.Timeout.Total > 0 }

// deadline checks that no call lasts longer than the plan, or its caller, gives it, and no attempt longer than an attempt may, whatever the
// targets do; and that a call ends when its caller cancels it.
func deadline(r *trial) {
	faults := []fault{{does: reply{hang: true}}}
	if !r.owned {
		faults = append(faults, fault{does: reply{answer: &r.answer, stall: r.answer.Body != ""}})
	}
	for _, f := range faults {
		r.within(f, r.plan.Timeout.Total, func(ctx context.Context) (context.Context, context.CancelFunc) { return ctx, func() {} })
		short := r.attempt() / 2
		r.within(f, short, func(ctx context.Context) (context.Context, context.CancelFunc) {
			return context.WithTimeout(ctx, short)
		})
		r.within(f, short, func(ctx context.Context) (context.Context, context.CancelFunc) {
			ctx, cancel := context.WithCancel(ctx)
			timer := time.AfterFunc(short, cancel)
			return ctx, func() { timer.Stop(); cancel() }
		})
	}
}

// within makes a call that may take so long.
func (r *trial) within(f fault, limit time.Duration, bound func(context.Context) (context.Context, context.CancelFunc)) {
	r.bubble(func(ctx context.Context, st *stage, do call) {
		st.play = func(*asked) reply { return f.does }
		st.pretend = func(string) error { return runtime.ErrTransient }
		ctx, cancel := bound(ctx)
		defer cancel()
		began := time.Now()
		do(ctx)
		if took := time.Since(began); took > limit {
			r.errorf("a target that hangs keeps the call for %v, want %v at most", took, limit)
		}
		for i, a := range st.requests() {
			if took := a.ended.Sub(a.at); f.does.hang && took > r.attempt() {
				r.errorf("attempt %d lasts %v, the plan gives it %v", i+1, took, r.attempt())
			}
		}
	})
}

// expectTag compares how an answer is marked with what it should be marked with.
func (r *trial) expectTag(o *Outcome, want tag) {
	m := &o.meta
	if got := (tag{m.Rung, m.Level, m.Reason}); got != want {
		r.errorf("Meta says rung %q, %v, because of %v; want %q, %v, %v", got.rung, got.level, got.reason, want.rung, want.level, want.reason)
	}
	if m.Degraded != (want.level != policy.Equal) {
		r.errorf("Meta says degraded: %v, of an answer that is %v", m.Degraded, want.level)
	}
	if o.tagged && o.tag != want {
		r.errorf("Result says rung %q, %v, because of %v; want %q, %v, %v",
			o.tag.rung, o.tag.level, o.tag.reason, want.rung, want.level, want.reason)
	}
}
