package runtimetest

import (
	"context"
	"io"
	"math"
	"strings"
	"testing/synctest"
	"time"

	"github.com/resgen-go/resgen/runtime"
	"github.com/resgen-go/resgen/runtime/policy"
)

// settle waits until all calls wait for something.
func settle() { synctest.Wait() }

// usually is how long calls take while the hedge learns its delay.
const usually = 10 * time.Millisecond

// hedges checks that a slow attempt is copied where the plan hedges, after its delay and to its target, that the answer of the copy is
// given, and that the attempt which lost is canceled and closed; and that no attempt is copied where the plan does not hedge.
func hedges(r *trial) {
	if r.plan.Hedge.Max == 0 {
		r.slowly()
		return
	}
	if hasMembers(r.plan) {
		r.logf("each member has a hedge's delay of its own")
		return
	}
	warm := r.warm()
	if !r.admits(spare) || r.apart() > often {
		r.logf("the limit admits too few calls for what it takes until one may be hedged")
		return
	}
	losers := []reply{{hang: true}}
	if !r.owned {
		losers = append(losers, reply{answer: &r.answer, stall: r.answer.Body != ""})
	}
	for _, lost := range losers {
		r.bubble(func(ctx context.Context, st *stage, do call) { r.race(ctx, st, do, warm, lost) })
	}
}

// slowly checks that an attempt is sent once, however long it takes.
func (r *trial) slowly() {
	r.bubble(func(ctx context.Context, st *stage, do call) {
		if r.admits(spare) && r.apart() <= often && !r.warmUp(ctx, st, do, known+1) { // a hedge would be paid for then
			return
		}
		before := len(st.requests())
		const of, part = 9, 10
		st.play = func(*asked) reply { return reply{answer: st.right, after: r.attempt() * of / part} }
		if o := do(runtime.WithoutFallback(ctx)); o.err != nil || len(st.requests())-before != 1 {
			r.errorf("a slow answer: %d requests and the error %v; the plan hedges nothing", len(st.requests())-before, o.err)
		}
	})
}

// A limit leaves room for a hedge where it admits so many calls at once, and calls so often that what was learned of them is still known.
const (
	spare = 4
	often = 200 * time.Millisecond
)

// known is the number of calls after which the delay of a hedge is known for certain.
const known = 200

// warm is the number of calls after which the plan's share pays for a hedge, and its delay is known.
func (e *exam) warm() int {
	const slack = 1.2
	n := int(math.Ceil(1/(slack*e.plan.Hedge.ExtraLoad))) + 1
	if e.plan.Hedge.Delay == 0 {
		n = max(n, known+1)
	}
	return n
}

// warmUp makes calls that take as long as calls usually do.
func (r *trial) warmUp(ctx context.Context, st *stage, do call, calls int) bool {
	const part = 10
	st.play = func(*asked) reply { return reply{answer: st.right, after: min(usually, r.attempt()/part)} }
	for range calls {
		if o := do(alone(ctx)); o.err != nil {
			r.errorf("a right answer is an error to the client: %v", o.err)
			return false
		}
		if d := r.apart(); d > 0 {
			pass(d)
		}
	}
	r.refill()
	return true
}

// race has the first copy of an attempt lose against the second.
func (r *trial) race(ctx context.Context, st *stage, do call, warm int, lost reply) {
	if !r.warmUp(ctx, st, do, warm) {
		return
	}
	before := len(st.requests())
	st.play = func(a *asked) reply {
		if a.n == before {
			return lost
		}
		return reply{answer: st.right}
	}
	began := time.Now()
	o := do(runtime.WithoutFallback(ctx))
	settle()
	seen := st.requests()[before:]
	if o.err != nil || len(seen) != 2 {
		r.errorf("an attempt that hangs: %d requests and the error %v, want 2 and the answer of the second", len(seen), o.err)
		return
	}
	h := r.plan.Hedge
	switch delay := seen[1].at.Sub(began); {
	case h.Delay > 0 && delay != h.Delay:
		r.errorf("the second copy is sent after %v, the plan says %v", delay, h.Delay)
	case delay <= 0 || delay >= r.attempt():
		r.errorf("the second copy is sent after %v, want a delay within the attempt's %v", delay, r.attempt())
	}
	if other := h.Target != "" && h.Target != policy.PrimaryTarget; other == (seen[0].host == seen[1].host) {
		r.errorf("the copies go to %s and %s, the plan hedges at the target %q", seen[0].host, seen[1].host, h.Target)
	}
	if !seen[1].same(&asked{host: seen[1].host, path: seen[1].path, body: seen[0].body}) {
		r.errorf("the copies are different requests")
	}
	if lost.hang && seen[0].ended.IsZero() {
		r.errorf("the copy that lost is not canceled")
	}
	if n := st.open(); n > 0 {
		r.errorf("%d bodies of copies are left open", n)
	}
}

// isStream reports whether the answer is items.
func isStream(p *policy.Plan) bool { return p.Stream.Format.Streams() }

// streams checks a stream that breaks: before its first item it is tried again as the plan says, and after that never.
func streams(r *trial) {
	none := r.answer
	none.Body = ""
	f := fault{kind: policy.KindReset, does: reply{answer: &none, cut: io.ErrUnexpectedEOF}, cost: policy.RetryCost, fails: true}
	r.bubble(func(ctx context.Context, st *stage, do call) {
		st.play = func(*asked) reply { return f.does }
		o := do(runtime.WithoutFallback(ctx))
		least, most := r.tries(f)
		if n := len(st.requests()); n < least || n > most || o.began || o.kind() != policy.KindReset {
			r.errorf("a stream that breaks before its first item: %d attempts and %v; the plan makes %s", n, o.err, between(least, most))
		}
	})
	r.bubble(func(ctx context.Context, st *stage, do call) {
		begun := r.answer
		begun.Body = withoutEnd(begun.Body, r.plan.Stream.Format)
		st.play = func(*asked) reply { return reply{answer: &begun, cut: io.ErrUnexpectedEOF} }
		o := do(ctx)
		switch n := len(st.requests()); {
		case o.meta.Rung == "" && o.err == nil, o.meta.Rung != "" || !o.began:
			r.logf("the sample has no item of content before its end: a stream that breaks in its middle is not looked at")
		case n != 1 || o.kind() != policy.KindReset:
			r.errorf("a stream that breaks after content: %d attempts, and %v; want one, and the error", n, o.err)
		}
	})
}

// withoutEnd is the text of a stream without its last event, where it has several.
func withoutEnd(body string, format policy.StreamFormat) string {
	end := "\n"
	if format == policy.SSE {
		end = "\n\n"
	}
	events := strings.SplitAfter(body, end)
	if events[len(events)-1] == "" {
		events = events[:len(events)-1]
	}
	if len(events) > 1 {
		events = events[:len(events)-1]
	}
	return strings.Join(events, "")
}
