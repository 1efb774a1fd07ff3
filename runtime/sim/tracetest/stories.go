package tracetest

import (
	"time"

	"github.com/resgen-go/resgen/runtime/policy"
	"github.com/resgen-go/resgen/runtime/sim"
)

const (
	ms  = time.Millisecond
	sec = time.Second
)

// steady is a plan of three attempts at a safe operation: an attempt has 1 s, a call 10 s, backoff is 100 ms, doubled, with full jitter.
func steady(change ...func(*policy.Plan)) policy.Plan {
	p := policy.Plan{
		Operation:   "Get",
		Idempotency: policy.Safe,
		Timeout:     policy.Timeout{Attempt: sec, Total: 10 * sec},
		Retry: policy.Retry{
			Attempts: 3, On: policy.RetryOn(policy.Safe), RetryAfterMax: 5 * sec,
			Backoff: policy.Backoff{Base: 100 * ms, Max: 2 * sec},
		},
	}
	for _, c := range change {
		c(&p)
	}
	return p
}

// calls is a client whose calls arrive at these instants.
func calls(at ...time.Duration) sim.Client { return sim.Client{Name: "app", At: at} }

// one is a client that calls once.
func one(change ...func(*sim.Client)) []sim.Client {
	c := calls(0)
	for _, f := range change {
		f(&c)
	}
	return []sim.Client{c}
}

// primary is the primary target with that script.
func primary(script ...sim.Answer) sim.Server {
	return sim.Server{Target: policy.PrimaryTarget, Script: script}
}

func ok(after time.Duration) sim.Answer { return sim.Answer{After: after} }

func status(after time.Duration, code int) sim.Answer { return sim.Answer{After: after, Status: code} }

// asks is a status with a Retry-After, after 20 ms.
func asks(code int, wait time.Duration) sim.Answer {
	return sim.Answer{After: 20 * ms, Status: code, Pushback: true, RetryAfter: wait}
}

// always are all kinds that a rung may follow with `when: [any]`.
func always() []policy.Kind {
	var all []policy.Kind
	for _, k := range policy.Kinds() {
		if k.Any() {
			all = append(all, k)
		}
	}
	return all
}

// ladder gives a plan a second target and a fixed answer below it.
func ladder(p *policy.Plan) {
	p.Fallback.Rungs = []policy.Rung{
		{Name: "second", Sort: policy.RungTarget, Target: "second", When: always(), Level: policy.Alternate},
		{Name: "canned", Sort: policy.RungStatic, When: always(), Level: policy.Canned},
	}
}

// retries are the stories of attempts that follow each other.
func retries() []Story {
	return []Story{
		{
			Name:  "retry-backoff",
			About: "A call is tried again after a 503 and a broken connection, each time after a random part of a wait that doubles.",
			Plan:  steady(), Clients: one(), Seed: 1,
			Servers: []sim.Server{primary(status(20*ms, 503), sim.Answer{After: 30 * ms, What: sim.Broken}, ok(25*ms))},
		},
		{
			Name:  "retry-exhausted",
			About: "After the last attempt the call fails with what the last attempt said.",
			Plan:  steady(), Clients: one(), Seed: 2,
			Servers: []sim.Server{primary(status(20*ms, 503), sim.Answer{After: ms, What: sim.Refused}, status(20*ms, 500))},
		},
		{
			Name:  "retry-after",
			About: "A Retry-After replaces the backoff; it is never shortened, and at most a tenth longer. One of 0 means at once.",
			Plan:  steady(), Clients: one(), Seed: 3,
			Servers: []sim.Server{primary(asks(503, 2*sec), asks(503, 0), ok(25*ms))},
		},
		{
			Name:  "retry-after-too-long",
			About: "A Retry-After above its cap is not waited for: the call fails at once, and its target is paused.",
			Plan:  steady(), Clients: one(), Seed: 4,
			Servers: []sim.Server{primary(asks(429, 20*sec))},
		},
		{
			Name: "not-repeatable",
			About: "An operation that must not be executed twice is tried again only where nothing was executed: " +
				"a refused connection, then a 503.",
			Plan: steady(func(p *policy.Plan) {
				p.Idempotency, p.Retry.On = policy.None, policy.RetryOn(policy.None)
			}),
			Clients: one(), Seed: 10,
			Servers: []sim.Server{primary(sim.Answer{After: 2 * ms, What: sim.Refused}, status(20*ms, 503))},
		},
	}
}

// ends are the stories of time that is over, and of callers that go.
func ends() []Story {
	return []Story{
		{
			Name:  "attempt-timeout",
			About: "An attempt that hangs ends with its own time, and another follows.",
			Plan:  steady(), Clients: one(), Seed: 5,
			Servers: []sim.Server{primary(sim.Answer{What: sim.Hanging}, ok(25*ms))},
		},
		{
			Name:  "deadline-too-short",
			About: "No wait begins that leaves no useful time before the deadline: the real error comes now.",
			Plan:  steady(), Clients: one(func(c *sim.Client) { c.Deadline = 150 * ms }), Seed: 6,
			Servers: []sim.Server{primary(status(40*ms, 503))},
		},
		{
			Name:  "deadline-in-attempt",
			About: "The caller's deadline ends the attempt that runs; that is no evidence against the target.",
			Plan:  steady(), Clients: one(func(c *sim.Client) { c.Deadline = 700 * ms }), Seed: 7,
			Servers: []sim.Server{primary(status(40*ms, 503), sim.Answer{What: sim.Hanging})},
		},
		{
			Name:  "cancel-in-attempt",
			About: "The caller goes while an attempt runs.",
			Plan:  steady(ladder), Clients: one(func(c *sim.Client) { c.Cancel = 60 * ms }), Seed: 8,
			Servers: []sim.Server{primary(ok(300 * ms))},
		},
		{
			Name:    "cancel-in-backoff",
			About:   "The caller goes during a wait, which ends there.",
			Plan:    steady(func(p *policy.Plan) { p.Retry.Backoff.Base, p.Retry.Backoff.Jitter = sec, policy.NoJitter }),
			Clients: one(func(c *sim.Client) { c.Cancel = 500 * ms }), Seed: 9,
			Servers: []sim.Server{primary(status(20*ms, 503))},
		},
	}
}

// ladders are the stories of rungs.
func ladders() []Story {
	return []Story{
		{
			Name:  "ladder",
			About: "Each rung is tried in turn, with its own retries, and the fixed answer comes last.",
			Plan:  steady(ladder), Clients: one(), Seed: 11,
			Servers: []sim.Server{
				primary(status(20*ms, 503), status(20*ms, 503), status(20*ms, 503)),
				{Target: "second", Script: []sim.Answer{status(10*ms, 500), status(10*ms, 401)}},
			},
		},
		{
			Name:  "ladder-share",
			About: "A target that hangs leaves the rungs below it their time.",
			Plan: steady(ladder, func(p *policy.Plan) {
				p.Retry.Attempts = 2
				p.Timeout = policy.Timeout{Attempt: 4 * sec, Total: 10 * sec}
				p.Fallback.Rungs[0].Reserve = 2 * sec
			}),
			Clients: one(), Seed: 12,
			Servers: []sim.Server{
				primary(sim.Answer{What: sim.Hanging}),
				{Target: "second", Script: []sim.Answer{ok(50 * ms)}},
			},
		},
	}
}
