package runtime_test

import (
	"context"
	"math"
	"testing"
	"testing/synctest"

	"github.com/resgen-go/resgen/runtime"
	"github.com/resgen-go/resgen/runtime/policy"
)

// billed are what the ends of calls and streams tell of usage and cost.
type billed struct {
	What runtime.EventKind
	Used policy.Usage
	Cost float64
}

// bills keeps them.
func bills(all *[]billed) runtime.Observer {
	return runtime.ObserverFunc(func(_ context.Context, e runtime.Event) {
		if e.What == runtime.CallEnd || e.What == runtime.StreamEnd {
			*all = append(*all, billed{e.What, e.Usage, math.Round(e.Cost*1e9) / 1e9})
		} else if e.Usage != (policy.Usage{}) || e.Cost != 0 {
			panic("an event that ends nothing tells of usage")
		}
	})
}

func TestCostIsWhatTheAnswerUsedAtItsPrice(t *testing.T) {
	t.Parallel()
	price := policy.Price{Input: 2, Cached: 1, Output: 10}
	priced := func(p *policy.Plan) {
		p.Tokens = policy.Tokens{Max: "/max_tokens", Input: "/usage/in", Cached: "/usage/cached", Output: "/usage/out"}
		p.Targets = []policy.Target{{Name: policy.PrimaryTarget, Price: price}, {Name: "cheap", Price: policy.Price{Output: 1}}}
	}
	free := func(p *policy.Plan) { p.Targets[0].Price = policy.Price{Free: true} }
	unpriced := func(p *policy.Plan) { p.Targets[0].Price = policy.Price{} }
	const answer = `{"usage":{"in":1000000,"cached":400000,"out":100000}}`
	used := policy.Usage{Input: 1_000_000, Cached: 400_000, Output: 100_000}
	for name, c := range map[string]struct {
		change []func(*policy.Plan)
		steps  *server
		want   billed
	}{
		"priced":        {[]func(*policy.Plan){priced}, steps(reply(200, answer)), billed{runtime.CallEnd, used, 0.6*2 + 0.4 + 1}},
		"free":          {[]func(*policy.Plan){priced, free}, steps(reply(200, answer)), billed{runtime.CallEnd, used, 0}},
		"without price": {[]func(*policy.Plan){priced, unpriced}, steps(reply(200, answer)), billed{runtime.CallEnd, used, 0}},
		"no usage":      {[]func(*policy.Plan){priced}, steps(reply(200, `{}`)), billed{What: runtime.CallEnd}},
		"another rung":  {[]func(*policy.Plan){priced, ladder(other("cheap"))}, steps(reply(500, `{}`), reply(200, answer)), billed{runtime.CallEnd, used, 0.1}},
		"a fixed one":   {[]func(*policy.Plan){priced, ladder(static("sorry"))}, steps(reply(500, `{}`)), billed{What: runtime.CallEnd}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				var told []billed
				cl := shop(t, once(c.change...), c.steps, runtime.WithObserver(bills(&told)))
				var meta runtime.Meta
				if _, err := cl.askResult(runtime.Capture(t.Context(), &meta), 10); err != nil {
					t.Fatal(err)
				}
				if len(told) != 1 || told[0] != c.want || meta.Usage != c.want.Used || math.Abs(meta.Cost-c.want.Cost) > 1e-9 {
					t.Errorf("told %+v, captured %+v and %v; want %+v", told, meta.Usage, meta.Cost, c.want)
				}
			})
		})
	}
}

func TestCostOfAStreamIsKnownAtItsEnd(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		u := &upstream{}
		u.answers = append(u.answers, u.sse(
			chunk{text: data(`{"text":"a","usage":{"in":1000,"out":1}}`)}, chunk{text: data(`{"text":"b","usage":{"in":1000,"out":500}}`)}, chunk{text: done}))
		s := newStreamer(t, streamPlan(dear(5)), u)
		var meta runtime.Meta
		stream, err := s.chat(runtime.Capture(t.Context(), &meta))
		if err != nil {
			t.Fatal(err)
		}
		for _, err := range stream.All() {
			if err != nil {
				t.Fatal(err)
			}
		}
		var told []billed
		for _, e := range s.seen.Events() {
			bills(&told).Observe(t.Context(), e)
		}
		want := []billed{{What: runtime.CallEnd}, {runtime.StreamEnd, policy.Usage{Input: 1000, Output: 500}, 0.5}}
		if len(told) != 2 || told[0] != want[0] || told[1] != want[1] || math.Abs(meta.Cost-0.5) > 1e-9 {
			t.Errorf("told %+v, captured %v; want %+v", told, meta.Cost, want)
		}
	})
}
