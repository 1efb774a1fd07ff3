package runtimetest

import (
	"context"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/resgen-go/resgen/runtime"
	"github.com/resgen-go/resgen/runtime/policy"
)

// hasLadder reports whether there is a rung.
func hasLadder(p *policy.Plan) bool { return len(p.Fallback.Rungs) > 0 }

// ladder checks that each rung is reached when those before it fail, in their order, and that its answer is marked as its own; and that what is
// the caller's own mistake reaches none.
func ladder(r *trial) {
	for i := range r.plan.Fallback.Rungs {
		rung := &r.plan.Fallback.Rungs[i]
		f, ok := r.leads(i)
		if slices.Contains(r.unwired, rung.Name) {
			r.logf("the rung %q needs what only its author can wire", rung.Name)
			continue
		}
		if !r.fits(rung) {
			r.logf("the rung %q does not take the sample", rung.Name)
			continue
		}
		if !ok {
			r.logf("no fault that can be made here leads to the rung %q", rung.Name)
			continue
		}
		r.climb(i, f)
	}
	if f, ok := r.faultOf(policy.KindCaller); ok {
		r.bubble(func(ctx context.Context, st *stage, do call) {
			st.play = func(*asked) reply { return f.does }
			if o := do(ctx); o.kind() != policy.KindCaller || len(st.requests()) != 1 || len(st.called()) > 0 {
				r.errorf("what the target says is wrong with the request leads to %d requests, the functions %q and %v; want one, none and its error",
					len(st.requests()), st.called(), o.err)
			}
		})
	}
}

// leads returns a fault that leads to a rung, past those before it.
func (e *exam) leads(to int) (fault, bool) {
	for _, k := range []policy.Kind{policy.KindTransient, policy.KindConnect, policy.KindThrottle, policy.KindUnusable, policy.KindReset} {
		if f, ok := e.faultOf(k); ok && e.allows(to, k) && !slices.ContainsFunc(e.plan.Fallback.Rungs[:to], func(r policy.Rung) bool {
			return r.Sort == policy.RungStatic && slices.Contains(r.When, k)
		}) {
			return f, true
		}
	}
	return fault{}, false
}

// allows reports whether failures of a kind lead to a rung: what must not be executed twice is not sent again in doubt.
func (e *exam) allows(i int, k policy.Kind) bool {
	r := &e.plan.Fallback.Rungs[i]
	once := e.plan.Idempotency == policy.None || e.plan.Idempotency == policy.Keyed || len(e.plan.IDs) > 0
	return slices.Contains(r.When, k) && (!once || !k.InDoubt() || !r.Sort.Sends() || r.MayDuplicate != "")
}

// climb has the operation and all rungs before one fail, and checks who answers.
func (r *trial) climb(to int, f fault) {
	rung := &r.plan.Fallback.Rungs[to]
	way := r.way(to, f.kind)
	r.bubble(func(ctx context.Context, st *stage, do call) {
		if rung.Sort == policy.RungCache {
			st.remember()
			if o := do(ctx); o.err != nil { // an answer to remember
				r.errorf("a right answer is an error to the client: %v", o.err)
				return
			}
			pass(r.plan.Cache.TTL + time.Millisecond)
		}
		before := len(st.requests())
		st.fails(before, f, way)
		o := do(runtime.WithoutRetries(ctx))
		if o.err != nil {
			r.errorf("%v does not lead to the rung %q: %v", f.kind, rung.Name, o.err)
			return
		}
		r.expectTag(&o, tag{rung.Name, rung.Level, f.kind})
		r.expectWay(st, before, way)
	})
}

// way returns the rungs that are asked, or that answer, up to one.
func (e *exam) way(to int, k policy.Kind) []*policy.Rung {
	var way []*policy.Rung
	for i := range e.plan.Fallback.Rungs[:to+1] {
		if r := &e.plan.Fallback.Rungs[i]; e.allows(i, k) && e.fits(r) {
			way = append(way, r)
		}
	}
	return way
}

// fails has all fail that is asked before the last rung of the way.
func (st *stage) fails(before int, f fault, way []*policy.Rung) {
	sends, calls := 1, 0 // which fail
	for _, rung := range way[:len(way)-1] {
		switch {
		case byFunc(rung):
			calls++
		case rung.Sort.Sends():
			sends++
		}
	}
	st.play = func(a *asked) reply {
		if a.n-before >= sends {
			return reply{answer: st.right}
		}
		return f.does
	}
	st.pretend = func(string) error {
		if len(st.called()) > calls {
			return nil
		}
		return &runtime.Error{Kind: f.kind}
	}
}

// byFunc reports whether a function of the author's answers for the rung.
func byFunc(r *policy.Rung) bool { return r.Sort.Calls() && r.Func != "" }

// expectWay compares what was asked with the rungs of the way.
func (r *trial) expectWay(st *stage, before int, way []*policy.Rung) {
	seen, funcs := st.requests()[before:], st.called()
	if len(seen) == 0 {
		r.errorf("an answer comes without a request")
		return
	}
	first := seen[0]
	seen = seen[1:]
	for _, rung := range way {
		switch {
		case byFunc(rung):
			if len(funcs) == 0 || funcs[0] != rung.Func {
				r.errorf("the functions %q are called, want that of the rung %q: %q", funcs, rung.Name, rung.Func)
				return
			}
			funcs = funcs[1:]
		case rung.Sort.Sends():
			if len(seen) == 0 {
				r.errorf("nothing is sent for the rung %q", rung.Name)
				return
			}
			r.expectSent(rung, first, seen[0])
			seen = seen[1:]
		}
	}
	if len(seen) > 0 || len(funcs) > 0 {
		r.errorf("%d requests are sent, and %d functions called, for no rung", len(seen), len(funcs))
	}
}

// expectSent compares the request of a rung with that of the operation itself.
func (r *trial) expectSent(rung *policy.Rung, first, sent *asked) {
	header := r.plan.Key.Header
	switch rung.Sort {
	case policy.RungTarget:
		if sent.body != first.body || r.plan.Idempotency == policy.Keyed && header != "" && rung.Target != "" && sent.header.Get(header) == first.header.Get(header) {
			r.errorf("the rung %q sends another request, or the key of another target", rung.Name)
		}
		if rung.Target != "" && rung.Target != policy.PrimaryTarget && sent.host == first.host && sent.path == first.path {
			r.errorf("the rung %q of the target %q sends to %s%s, as the operation itself", rung.Name, rung.Target, sent.host, sent.path)
		}
	case policy.RungPatch:
		if sent.host != first.host || sent.path == first.path && sent.body == first.body && sameHeader(sent.header, first.header) {
			r.errorf("the rung %q sends what the operation itself sends", rung.Name)
		}
	case policy.RungStatic, policy.RungFunc, policy.RungCache, policy.RungOperation:
	}
}

func sameHeader(a, b http.Header) bool {
	for name := range a {
		if !strings.EqualFold(a.Get(name), b.Get(name)) {
			return false
		}
	}
	return len(a) == len(b)
}

// isCached reports whether answers are given again while they are fresh.
func isCached(p *policy.Plan) bool { return p.Cache.On && p.Cache.TTL > 0 }

// cached checks that an answer is given again as long as it is fresh, and no longer.
func cached(r *trial) {
	r.bubble(func(ctx context.Context, st *stage, do call) {
		st.remember()
		for i, want := range []int{1, 1, 2} {
			if i == 2 {
				pass(r.plan.Cache.TTL + time.Millisecond)
			}
			if o := do(ctx); o.err != nil || len(st.requests()) != want {
				r.errorf("call %d of the same: %d requests so far and the error %v, want %d requests", i+1, len(st.requests()), o.err, want)
			}
		}
	})
}

// remember has the stage keep what is stored.
func (st *stage) remember() { st.store = &entries{of: map[string]runtime.Entry{}} }
