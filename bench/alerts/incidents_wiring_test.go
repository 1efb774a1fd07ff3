package alerts_test

import (
	"time"

	"github.com/resgen-go/resgen/runtime"
	"github.com/resgen-go/resgen/runtime/chaos"
	"github.com/resgen-go/resgen/runtime/policy"
)

// told is an incident of events that the calls of these tests do not lead to by themselves: the observer is told one with each.
func told(e runtime.Event, want ...string) incident {
	return incident{
		name: "with each call: " + e.What.String(), lasts: 60 * minute,
		answer: func(time.Duration, int, runtime.Attempt) reply { return fine },
		call: func(s *service) error {
			_, err := runtime.DoResult(s.ctx, s.op, s.attempt)
			s.tell(e)
			return err
		},
		want: want, stay: want,
	}
}

// incidentsOfWiring are of what is set up wrongly, and of what works behind the calls.
var incidentsOfWiring = []incident{
	told(runtime.Event{What: runtime.EmbedderFailed}, "ResgenEmbedderFailing"),
	told(runtime.Event{What: runtime.TwoLayers}, "ResgenTwoLayers"),
	{
		name:  "a gateway asks a smaller model than it is asked for",
		lasts: 60 * minute,
		plan: func(p *policy.Plan) {
			alone(p)
			p.Retry, p.Targets[0].Layered = policy.Retry{}, true
			p.Served = policy.Served{Pointer: "/model", Asked: "/model"}
		},
		call:  callHTTP,
		serve: func(time.Duration, string) page { return page{200, `{"text":"x","model":"small"}`} },
		want:  []string{"ResgenModelSubstituted"},
		stay:  []string{"ResgenModelSubstituted"},
	},
	told(runtime.Event{What: runtime.RungUnfit, Rung: 1, RungName: "second", Target: "second", Kind: policy.KindUnfit}),
	told(runtime.Event{What: runtime.NotRepeatable, Target: policy.PrimaryTarget}),
	{
		name:  "a game day: the first provider is made to be down for half an hour",
		lasts: 70 * minute,
		call:  callHTTP,
		serve: func(time.Duration, string) page { return page{200, `{"text":"x"}`} },
		chaos: &chaos.Plan{Name: "down", Rules: []chaos.Rule{
			{Operations: []string{"*"}, Targets: []string{policy.PrimaryTarget}, From: 5 * minute, Until: 35 * minute, Share: 1, Fault: chaos.Status(503)},
		}},
		want: []string{"ResgenBreakerOpen", "ResgenFaultsInjected"},
	},
	{
		name:  "the store of the cache fails",
		lasts: 30 * minute,
		plan: func(p *policy.Plan) {
			p.Cache = policy.CacheConfig{On: true, StaleIfError: 2 * time.Hour}
			p.Fallback.Rungs = []policy.Rung{{Name: "remembered", Sort: policy.RungCache, When: anyKind(), Level: policy.Stale}}
		},
		call:   callHTTP,
		serve:  func(time.Duration, string) page { return page{200, `{"text":"x"}`} },
		wiring: runtime.Wiring{Store: broken{}},
		want:   []string{"ResgenStoreFailing"},
		stay:   []string{"ResgenStoreFailing"},
	},
	{
		name:  "the second provider is exercised, and works",
		lasts: 60 * minute,
		plan: func(p *policy.Plan) {
			p.Exercise = policy.ExerciseConfig{Share: 0.2, Mode: policy.ExerciseShadow, Rungs: []string{"second"}}
		},
		answer: func(time.Duration, int, runtime.Attempt) reply { return fine },
	},
	{
		name:  "the second provider is exercised, and does not answer",
		lasts: 60 * minute,
		plan: func(p *policy.Plan) {
			p.Breaker = policy.BreakerConfig{} // it would open, and end the exercises
			p.Exercise = policy.ExerciseConfig{Share: 0.05, Mode: policy.ExerciseShadow, Rungs: []string{"second"}}
		},
		answer: func(_ time.Duration, _ int, at runtime.Attempt) reply {
			if at.Target == "second" {
				return reply{takes: time.Hour}
			}
			return fine
		},
		want: []string{"ResgenRungBroken"},
		stay: []string{"ResgenRungBroken"},
	},
	{
		name:  "the function that is called ignores its context",
		lasts: 40 * minute,
		plan: func(p *policy.Plan) {
			bare(p)
			p.Retry, p.Abandon, p.Bulkhead = policy.Retry{}, true, policy.BulkheadConfig{MaxConcurrent: 5000}
		},
		call: func(s *service) error {
			if time.Since(s.start) > 20*minute {
				return nil
			}
			_, err := runtime.DoResult(s.ctx, s.op, s.deaf)
			return err
		},
		want: []string{"ResgenAttemptsAbandoned", "ResgenAttemptsTimingOut", "ResgenCallsFailing", "ResgenCallsFailingSlowly"},
	},
	{
		name:   "a client is made for each request",
		lasts:  30 * minute,
		every:  time.Second,
		answer: func(time.Duration, int, runtime.Attempt) reply { return fine },
		call: func(s *service) error {
			runtime.NewHTTP(runtime.HTTPSpec{Name: "llm", BaseURL: "http://primary"}, runtime.WithObserver(s.observer))
			return nil
		},
		want: []string{"ResgenManyClients"},
		stay: []string{"ResgenManyClients"},
	},
	{
		name:  "a copy panics after its call is over",
		lasts: 65 * minute,
		plan: func(p *policy.Plan) {
			p.Hedgeable, p.Hedge = true, policy.HedgeConfig{Max: 1, Delay: 150 * time.Millisecond, ExtraLoad: 0.05}
		},
		answer: func(time.Duration, int, runtime.Attempt) reply { return fine },
		call: func(s *service) error {
			_, err := runtime.DoResult(s.ctx, s.op, s.panicOnce)
			return err
		},
		want: []string{"ResgenLoserPanics"},
	},
}
