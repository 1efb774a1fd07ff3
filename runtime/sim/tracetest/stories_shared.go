package tracetest

import (
	"time"

	"github.com/resgen-go/resgen/runtime/policy"
	"github.com/resgen-go/resgen/runtime/sim"
)

// every returns n instants that far apart.
func every(gap time.Duration, n int) []time.Duration {
	all := make([]time.Duration, n)
	for i := range all {
		all[i] = time.Duration(i) * gap
	}
	return all
}

// once takes a plan its retries.
func once(p *policy.Plan) { p.Retry = policy.Retry{RetryAfterMax: p.Retry.RetryAfterMax} }

// narrow gives a plan a bulkhead with one permit and a queue of one.
func narrow(wait time.Duration) func(*policy.Plan) {
	return func(p *policy.Plan) { p.Bulkhead = policy.BulkheadConfig{MaxConcurrent: 1, MaxQueue: 1, MaxWait: wait} }
}

// brittle gives a plan a breaker that opens after three failures in a row, for a second.
func brittle(p *policy.Plan) {
	p.Breaker = policy.BreakerConfig{
		Mode: policy.BreakerOn, WindowCalls: 20, WindowAge: time.Minute, MinCalls: 10, FailureRate: 0.5, Consecutive: 3,
		OpenFor: sec, OpenMax: 4 * sec, Probes: 1, CloseAfter: 2,
	}
}

// breakers are the stories of several calls, which meet in a breaker.
func breakers() []Story {
	return []Story{
		{
			Name: "breaker",
			About: "A breaker opens after three failures in a row, rejects, lets a probe through that fails, rejects " +
				"again, and closes after two probes.",
			Plan: steady(once, brittle), Clients: []sim.Client{calls(every(250*ms, 16)...)}, Seed: 21,
			Servers: []sim.Server{primary(
				ok(10*ms), status(10*ms, 503), status(10*ms, 500), status(10*ms, 503), status(10*ms, 503), ok(10*ms))},
		},
		{
			Name:  "breaker-ends-retries",
			About: "A retry that would meet an open breaker is not waited for: the next rung answers now.",
			Plan:  steady(brittle, ladder), Clients: []sim.Client{calls(0, 2*sec)}, Seed: 22,
			Servers: []sim.Server{
				primary(status(10*ms, 503), status(10*ms, 503), status(10*ms, 503), ok(10*ms)),
				{Target: "second", Script: []sim.Answer{ok(30 * ms)}},
			},
		},
		{
			Name:  "probe-timeout",
			About: "A probe of a breaker gets less time than another attempt.",
			Plan: steady(once, brittle, func(p *policy.Plan) {
				p.Timeout = policy.Timeout{Attempt: 5 * sec, Total: 10 * sec}
				p.Breaker.SlowCall, p.Breaker.SlowRate = 500*ms, 0.8
			}),
			Clients: []sim.Client{calls(0, 100*ms, 200*ms, 300*ms, 2*sec)}, Seed: 28,
			Servers: []sim.Server{primary(status(10*ms, 503), status(10*ms, 503), status(10*ms, 503), sim.Answer{What: sim.Hanging})},
		},
	}
}

// queues are the stories of calls that wait for a permit.
func queues() []Story {
	return []Story{
		{
			Name:  "queue-grant",
			About: "The second call waits for the first one's permit; the third finds the queue full.",
			Plan:  steady(once, narrow(400*ms)), Clients: []sim.Client{calls(0, 50*ms, 60*ms)}, Seed: 23,
			Servers: []sim.Server{primary(ok(200*ms), ok(30*ms))},
		},
		{
			Name:  "queue-timeout",
			About: "The second call waits for a permit as long as the queue lets it.",
			Plan:  steady(once, narrow(100*ms)), Clients: []sim.Client{calls(0, 50*ms)}, Seed: 24,
			Servers: []sim.Server{primary(ok(200 * ms))},
		},
		{
			Name:  "queue-cancel",
			About: "The second call's caller goes while it waits, and makes room for the third, which is granted the permit.",
			Plan:  steady(once, narrow(400*ms)), Seed: 25,
			Clients: []sim.Client{calls(0, 100*ms), {Name: "hasty", At: []time.Duration{50 * ms}, Cancel: 25 * ms}},
			Servers: []sim.Server{primary(ok(200*ms), ok(30*ms))},
		},
	}
}

// bounds are the stories of what is bounded over time.
func bounds() []Story {
	return []Story{
		{
			Name:    "budget",
			About:   "The budget pays for one retry; the calls after it fail with what their attempt said.",
			Plan:    steady(func(p *policy.Plan) { p.Budget = policy.BudgetConfig{Ratio: 0.1, Cap: 1} }),
			Clients: []sim.Client{calls(0, sec, 2*sec)}, Seed: 26,
			Servers: []sim.Server{primary(status(20*ms, 503), ok(20*ms), status(20*ms, 503))},
		},
		{
			Name:  "pause",
			About: "A 429 holds the calls back that come before its end, and those whose deadline comes first fail at once.",
			Plan:  steady(), Seed: 27,
			Clients: []sim.Client{calls(0, 300*ms), {Name: "pressed", At: []time.Duration{400 * ms}, Deadline: 200 * ms}},
			Servers: []sim.Server{primary(asks(429, 2*sec), ok(20*ms))},
		},
		{
			Name:  "tenants",
			About: "Each tenant has a permit and a limit of its own: one that waits, or is over its limit, keeps no other waiting.",
			Plan: steady(once, narrow(sec), func(p *policy.Plan) {
				p.Bulkhead.Per = policy.PerTenant
				p.Limit = policy.LimitConfig{Requests: policy.Rate{Amount: 10, Per: sec}, Burst: 2, Per: policy.PerTenant}
			}),
			Clients: []sim.Client{calls(0, 10*ms, 20*ms), {Name: "other", At: []time.Duration{30 * ms}}}, Seed: 35,
			Servers: []sim.Server{primary(ok(200*ms), ok(50*ms))},
		},
		{
			Name:  "limit",
			About: "Above the limit calls wait in line, each for its turn; one whose deadline comes first fails at once.",
			Plan: steady(once, func(p *policy.Plan) {
				p.Limit = policy.LimitConfig{Requests: policy.Rate{Amount: 2, Per: sec}, Burst: 1}
			}), Seed: 29,
			Clients: []sim.Client{calls(0, 100*ms, 200*ms), {Name: "pressed", At: []time.Duration{300 * ms}, Deadline: sec}},
			Servers: []sim.Server{primary(ok(20 * ms))},
		},
		{
			Name: "limit-ample",
			About: "Answers take 20 ms. The second call's turn would come 50 ms before its deadline, which is too tight to wait for; " +
				"the third waits.",
			Plan: steady(once, func(p *policy.Plan) {
				p.Limit = policy.LimitConfig{Requests: policy.Rate{Amount: 1, Per: sec}, Burst: 1}
			}),
			Clients: []sim.Client{
				calls(0),
				{Name: "tight", At: []time.Duration{50 * ms}, Deadline: sec},
				{Name: "ample", At: []time.Duration{60 * ms}, Deadline: 1100 * ms},
			},
			Servers: []sim.Server{primary(ok(20 * ms))}, Seed: 36,
		},
		{
			Name:  "limit-cancel",
			About: "A caller that goes leaves the line, and the next in it comes earlier.",
			Plan: steady(once, func(p *policy.Plan) {
				p.Limit = policy.LimitConfig{Requests: policy.Rate{Amount: 1, Per: sec}, Burst: 1}
			}), Seed: 30,
			Clients: []sim.Client{calls(0, 200*ms), {Name: "hasty", At: []time.Duration{100 * ms}, Cancel: 300 * ms}},
			Servers: []sim.Server{primary(ok(20 * ms))},
		},
	}
}
