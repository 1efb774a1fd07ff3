package alerts_test

import (
	"time"

	"github.com/resgen-go/resgen/runtime"
	"github.com/resgen-go/resgen/runtime/policy"
	"github.com/resgen-go/resgen/runtime/wire"
)

// bare takes the breaker away too, so that what is looked for is all that happens.
func bare(p *policy.Plan) {
	alone(p)
	p.Breaker = policy.BreakerConfig{}
}

// busy answers "too many requests", with a wait.
func busy(wait string) reply {
	return reply{err: &wire.StatusError{Status: 429, Header: map[string][]string{"Retry-After": {wait}}}}
}

// incidentsOfLoad are of retries, places, limits and money.
var incidentsOfLoad = []incident{
	{
		name:  "six attempts in ten fail at once, without a breaker: retries use up their budget",
		plan:  func(p *policy.Plan) { bare(p); p.Retry.Attempts, p.Budget.MinPerSecond = 3, 0 },
		lasts: 40 * minute,
		every: 500 * time.Millisecond,
		answer: func(_ time.Duration, n int, _ runtime.Attempt) reply {
			if n*37%100 < 60 {
				return down
			}
			return fine
		},
		want: []string{"ResgenCallsFailing", "ResgenCallsFailingSlowly", "ResgenRetryBudgetEmpty"},
		stay: []string{"ResgenCallsFailing", "ResgenCallsFailingSlowly", "ResgenRetryBudgetEmpty"},
	},
	{
		name:  "six attempts in ten fail, and no budget bounds their retries",
		plan:  func(p *policy.Plan) { bare(p); p.Retry.Attempts, p.Budget = 3, policy.BudgetConfig{} },
		lasts: 40 * minute,
		answer: func(_ time.Duration, n int, _ runtime.Attempt) reply {
			if n*37%100 < 60 {
				return down
			}
			return fine
		},
		want: []string{"ResgenAmplification", "ResgenCallsFailing", "ResgenCallsFailingSlowly"},
		stay: []string{"ResgenAmplification", "ResgenCallsFailing", "ResgenCallsFailingSlowly"},
	},
	{
		name:   "a client inside sends each request again",
		lasts:  40 * minute,
		plan:   func(p *policy.Plan) { p.Budget.MinPerSecond = 0 },
		answer: func(time.Duration, int, runtime.Attempt) reply { return fine },
		call: func(s *service) error {
			_, err := runtime.DoResult(s.ctx, s.op, s.attempt)
			s.tell(runtime.Event{What: runtime.InnerRetry, Target: policy.PrimaryTarget, Replays: 2})
			return err
		},
		want: []string{"ResgenAmplification", "ResgenInnerRetries"},
		stay: []string{"ResgenAmplification", "ResgenInnerRetries"},
	},
	{
		name:   "all places of a bulkhead are taken, and more calls come",
		plan:   func(p *policy.Plan) { alone(p); p.Bulkhead.MaxConcurrent, p.Bulkhead.MaxQueue = 4, 2 },
		lasts:  30 * minute,
		every:  300 * time.Millisecond,
		answer: func(time.Duration, int, runtime.Attempt) reply { return reply{takes: 2 * time.Second} },
		want:   []string{"ResgenBulkheadRejects", "ResgenBulkheadSaturated", "ResgenCallsFailing", "ResgenCallsFailingSlowly"},
		stay:   []string{"ResgenBulkheadRejects", "ResgenBulkheadSaturated", "ResgenCallsFailing", "ResgenCallsFailingSlowly"},
	},
	{
		name: "the target takes one call in five, and calls are shed",
		plan: func(p *policy.Plan) {
			bare(p)
			p.Retry, p.Shed = policy.Retry{}, policy.ShedConfig{Factor: 2, Window: 2 * time.Minute, MaxReject: 0.9, MinPerSecond: 0.1}
		},
		lasts: 30 * minute,
		answer: func(_ time.Duration, n int, _ runtime.Attempt) reply {
			if n%5 > 0 {
				return busy("0")
			}
			return fine
		},
		want: []string{"ResgenCallsFailing", "ResgenCallsFailingSlowly", "ResgenCallsShed", "ResgenTargetThrottles"},
		stay: []string{"ResgenCallsFailing", "ResgenCallsFailingSlowly", "ResgenCallsShed", "ResgenTargetThrottles"},
	},
	{
		name: "a limit of one request in two seconds, and two calls",
		plan: func(p *policy.Plan) {
			p.Limit = policy.LimitConfig{Requests: policy.Rate{Amount: 30, Per: minute}, Burst: 1}
		},
		lasts: 40 * minute,
		every: 500 * time.Millisecond,
		answer: func(time.Duration, int, runtime.Attempt) reply {
			return fine
		},
		want: []string{"ResgenAnswersCanned", "ResgenRateLimited"},
		stay: []string{"ResgenAnswersCanned", "ResgenRateLimited"},
	},
	{
		name:  "the quota of the first provider is used up for 45 minutes, the second one answers",
		lasts: 70 * minute,
		answer: func(after time.Duration, _ int, at runtime.Attempt) reply {
			if at.Target == policy.PrimaryTarget && between(after, 5*minute, 50*minute) {
				return busy("1200")
			}
			return fine
		},
		want: []string{"ResgenFirstRungDown", "ResgenRateLimited", "ResgenTargetPaused", "ResgenTargetThrottles"},
	},
	{
		name:  "an hour's money is spent in half an hour",
		lasts: 70 * minute,
		plan:  dear(5),
		call:  callHTTP,
		serve: func(time.Duration, string) page { return page{200, `{"text":"x","usage":{"in":10,"out":3}}`} },
		want: []string{
			"ResgenAnswersCanned", "ResgenFirstRungDown", "ResgenRateLimited", "ResgenSpendingAtLimit", "ResgenSpendingNearLimit",
		},
		stay: []string{"ResgenAnswersCanned", "ResgenRateLimited"},
	},
	{
		name:  "after a day, answers are four times as long",
		lasts: 27 * time.Hour,
		every: minute,
		looks: 2 * minute,
		plan:  dear(1e6),
		call:  callHTTP,
		serve: func(after time.Duration, _ string) page {
			if after > 25*time.Hour {
				return page{200, `{"text":"x","usage":{"in":10,"out":400}}`}
			}
			return page{200, `{"text":"x","usage":{"in":10,"out":100}}`}
		},
		want: []string{"ResgenCostJump"},
		stay: []string{"ResgenCostJump"},
	},
	{
		name: "all answers are equally slow, and the copies of attempts never answer first",
		plan: func(p *policy.Plan) {
			p.Hedgeable, p.Hedge = true, policy.HedgeConfig{Max: 1, Delay: 150 * time.Millisecond, ExtraLoad: 0.05}
		},
		lasts:  150 * minute,
		answer: func(time.Duration, int, runtime.Attempt) reply { return fine },
		want:   []string{"ResgenHedgesInVain"},
		stay:   []string{"ResgenHedgesInVain"},
	},
	{
		name: "a few answers are slow, and the copies of attempts answer first",
		plan: func(p *policy.Plan) {
			p.Hedgeable, p.Hedge = true, policy.HedgeConfig{Max: 1, Delay: 300 * time.Millisecond, ExtraLoad: 0.05}
		},
		lasts: 150 * minute,
		answer: func(_ time.Duration, n int, _ runtime.Attempt) reply {
			if n%25 == 0 {
				return reply{takes: 2 * time.Second}
			}
			return fine
		},
	},
}

// dear is a plan of one provider with a price and a limit of money for an hour.
func dear(amount float64) func(*policy.Plan) {
	return func(p *policy.Plan) {
		p.Limit.Cost = policy.Rate{Amount: amount, Per: time.Hour}
		p.Tokens = policy.Tokens{Max: "/max_tokens", Input: "/usage/in", Output: "/usage/out"}
		p.Targets[0].Price = policy.Price{Output: 1000}
		p.Fallback.Rungs = p.Fallback.Rungs[1:]
	}
}
