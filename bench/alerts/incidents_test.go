package alerts_test

import (
	"context"
	"time"

	"github.com/resgen-go/resgen/runtime"
	"github.com/resgen-go/resgen/runtime/cache"
	"github.com/resgen-go/resgen/runtime/policy"
	"github.com/resgen-go/resgen/runtime/wire"
)

const minute = time.Minute

// slowly is a plan of one attempt that may take its time.
func slowly(p *policy.Plan) {
	alone(p)
	p.Retry, p.Timeout.Attempt, p.Breaker.SlowCall = policy.Retry{}, 14*time.Second, 14*time.Second
}

// goAway makes a call whose caller does not wait for it.
func goAway(s *service) error {
	ctx, cancel := context.WithCancel(s.ctx)
	defer time.AfterFunc(fine.takes/2, cancel).Stop()
	_, err := runtime.DoResult(ctx, s.op, s.attempt)
	return err
}

// incidents are what must be noticed, and what must not.
var incidents = []incident{
	{
		name:  "a good day: one attempt in a hundred fails and is repeated",
		lasts: 90 * minute,
		answer: func(_ time.Duration, n int, _ runtime.Attempt) reply {
			if n%100 == 0 {
				return down
			}
			return fine
		},
	},
	{
		name:  "a blip: both providers are down for two minutes",
		lasts: 40 * minute,
		answer: func(after time.Duration, _ int, _ runtime.Attempt) reply {
			if between(after, 10*minute, 12*minute) {
				return down
			}
			return fine
		},
	},
	{
		name:  "the first provider is down for 50 minutes, the second one answers",
		lasts: 80 * minute,
		answer: func(after time.Duration, _ int, at runtime.Attempt) reply {
			if at.Target == "primary" && between(after, 10*minute, 60*minute) {
				return down
			}
			return fine
		},
		want: []string{"ResgenBreakerOpen", "ResgenFirstRungDown"},
	},
	{
		name:  "both providers are down for half an hour",
		lasts: 60 * minute,
		answer: func(after time.Duration, _ int, _ runtime.Attempt) reply {
			if between(after, 10*minute, 40*minute) {
				return down
			}
			return fine
		},
		want: []string{"ResgenAnswersCanned", "ResgenBreakerOpen"},
	},
	{
		name:  "the only provider is down for half an hour",
		plan:  alone,
		lasts: 60 * minute,
		answer: func(after time.Duration, _ int, _ runtime.Attempt) reply {
			if between(after, 10*minute, 40*minute) {
				return down
			}
			return fine
		},
		want: []string{"ResgenBreakerOpen", "ResgenCallsFailing", "ResgenCallsFailingSlowly"},
	},
	{
		name:  "the credential of the first provider is revoked for half an hour, the second one answers",
		lasts: 60 * minute,
		answer: func(after time.Duration, _ int, at runtime.Attempt) reply {
			if at.Target == "primary" && between(after, 10*minute, 40*minute) {
				return reply{err: errRevoked}
			}
			return fine
		},
		want: []string{"ResgenBreakerOpen", "ResgenUnusable"},
	},
	{
		name:  "five calls with a credential that is revoked, and then nobody calls",
		lasts: 30 * minute,
		every: 20 * time.Second,
		until: 2 * minute,
		answer: func(time.Duration, int, runtime.Attempt) reply {
			return reply{err: errRevoked}
		},
		want: []string{"ResgenUnusable"},
	},
	{
		name:  "a credential was revoked for five minutes, before Prometheus knew of the process",
		lasts: 60 * minute,
		blind: 30 * minute,
		answer: func(after time.Duration, _ int, at runtime.Attempt) reply {
			if at.Target == "primary" && after < 5*minute {
				return reply{err: errRevoked}
			}
			return fine
		},
	},
	{
		name:   "one of two instances cannot reach the only provider",
		plan:   alone,
		beside: true,
		lasts:  30 * minute,
		answer: func(time.Duration, int, runtime.Attempt) reply {
			return reply{err: runtime.ErrConnect}
		},
		want: []string{"ResgenBreakerOpen", "ResgenCallsFailing", "ResgenCallsFailingSlowly"},
		stay: []string{"ResgenBreakerOpen", "ResgenCallsFailing", "ResgenCallsFailingSlowly"},
	},
	{
		name:  "every tenth attempt runs out of time, and its retry does not",
		lasts: 40 * minute,
		answer: func(_ time.Duration, n int, _ runtime.Attempt) reply {
			if n%10 == 0 {
				return reply{takes: time.Hour}
			}
			return fine
		},
		want: []string{"ResgenAttemptsTimingOut"},
		stay: []string{"ResgenAttemptsTimingOut"},
	},
	{
		name:  "the only provider has become slow: answers take nearly as long as they may",
		plan:  slowly,
		lasts: 50 * minute,
		answer: func(after time.Duration, _ int, _ runtime.Attempt) reply {
			if between(after, 5*minute, 40*minute) {
				return reply{takes: 13 * time.Second}
			}
			return fine
		},
		want: []string{"ResgenCallsNearTimeout"},
	},
	{
		name:  "the only provider is well for a minute and down for a minute",
		plan:  alone,
		lasts: 60 * minute,
		answer: func(after time.Duration, _ int, _ runtime.Attempt) reply {
			if after > 5*minute && int(after/minute)%2 == 0 {
				return down
			}
			return fine
		},
		want: []string{"ResgenBreakerFlapping", "ResgenCallsFailing", "ResgenCallsFailingSlowly"},
		stay: []string{"ResgenBreakerFlapping", "ResgenCallsFailing", "ResgenCallsFailingSlowly"},
	},
	{
		name:  "the answers of the first provider are the login page of a proxy, the second one answers",
		lasts: 30 * minute,
		every: 2 * time.Second,
		plan:  func(p *policy.Plan) { p.Breaker = policy.BreakerConfig{}; p.Retry = policy.Retry{} },
		answer: func(_ time.Duration, _ int, at runtime.Attempt) reply {
			if at.Target == "primary" {
				return reply{err: runtime.ErrDecode}
			}
			return fine
		},
		want: []string{"ResgenAnswersUnreadable"},
		stay: []string{"ResgenAnswersUnreadable"},
	},
	{
		name:  "every fifth stream is cut after its first item",
		plan:  func(p *policy.Plan) { alone(p); p.Timeout.FirstItem, p.Timeout.ItemGap = time.Second, time.Second },
		lasts: 30 * minute,
		call:  callStream,
		answer: func(_ time.Duration, n int, _ runtime.Attempt) reply {
			if n%5 == 0 {
				return reply{err: errCut}
			}
			return fine
		},
		want: []string{"ResgenStreamsBroken"},
		stay: []string{"ResgenStreamsBroken"},
	},
	{
		name:  "the only provider is down, and a smaller model answers",
		plan:  func(p *policy.Plan) { p.Fallback.Rungs[0].Level = policy.Reduced },
		lasts: 70 * minute,
		answer: func(after time.Duration, _ int, at runtime.Attempt) reply {
			if at.Target == "primary" && between(after, 5*minute, 60*minute) {
				return down
			}
			return fine
		},
		want: []string{"ResgenAnswersReduced", "ResgenBreakerOpen", "ResgenFirstRungDown"},
	},
	{
		name:  "the only provider is down, and what it answered before is given again",
		lasts: 60 * minute,
		plan: func(p *policy.Plan) {
			p.Cache = policy.CacheConfig{On: true, StaleIfError: 2 * time.Hour}
			p.Fallback.Rungs = []policy.Rung{{Name: "remembered", Sort: policy.RungCache, When: anyKind(), Level: policy.Stale}}
		},
		call: callHTTP,
		serve: func(after time.Duration, _ string) page {
			if between(after, 5*minute, 40*minute) {
				return page{503, "{}"}
			}
			return page{200, `{"text":"x"}`}
		},
		wiring: runtime.Wiring{Store: cache.New(cache.Config{})},
		want:   []string{"ResgenAnswersStale", "ResgenBreakerOpen", "ResgenFirstRungDown"},
	},
	{
		name:  "one call in ten minutes, and each of them fails",
		plan:  alone,
		lasts: 120 * minute,
		every: 10 * minute,
		answer: func(time.Duration, int, runtime.Attempt) reply {
			return reply{err: &wire.StatusError{Status: 500}}
		},
		want: []string{"ResgenCallsFailingSlowly"},
		stay: []string{"ResgenCallsFailingSlowly"},
	},
	{
		name:  "all that callers ask is wrong",
		lasts: 30 * minute,
		answer: func(time.Duration, int, runtime.Attempt) reply {
			return reply{err: &wire.StatusError{Status: 400}}
		},
	},
	{
		name:   "no caller waits for its answer",
		lasts:  30 * minute,
		call:   goAway,
		answer: func(time.Duration, int, runtime.Attempt) reply { return fine },
	},
	{
		name:  "one failure a day, of an operation that is called every ten minutes",
		plan:  alone,
		lasts: 240 * minute,
		every: 10 * minute,
		answer: func(_ time.Duration, n int, _ runtime.Attempt) reply {
			if n == 12 {
				return reply{err: &wire.StatusError{Status: 500}}
			}
			return fine
		},
	},
}
