package tracetest

import (
	"github.com/resgen-go/resgen/runtime/policy"
	"github.com/resgen-go/resgen/runtime/sim"
)

// copied lets a plan send a copy of an attempt that has run for 100 ms. Its budget pays for a copy with each attempt but the first.
func copied(p *policy.Plan) {
	p.Hedgeable, p.Hedge = true, policy.HedgeConfig{Max: 1, Delay: 100 * ms, ExtraLoad: 1}
}

// hedged are the stories of attempts in several copies.
func hedged() []Story {
	return []Story{
		{
			Name:  "hedge",
			About: "An attempt that takes long is copied; the copy answers first, and the attempt is canceled.",
			Plan:  steady(copied), Clients: one(), Seed: 41,
			Servers: []sim.Server{primary(ok(800*ms), ok(50*ms))},
		},
		{
			Name:  "hedge-loses",
			About: "The copy is canceled when the attempt itself answers first. One that ends before the delay is not copied.",
			Plan:  steady(copied), Clients: []sim.Client{calls(0, sec)}, Seed: 42,
			Servers: []sim.Server{primary(ok(150*ms), ok(300*ms), ok(60*ms))},
		},
		{
			Name:  "hedge-fails",
			About: "A copy that fails is waited out: the attempt answers. Where both fail, a retry follows, which is not copied.",
			Plan:  steady(copied), Clients: []sim.Client{calls(0, sec)}, Seed: 43,
			Servers: []sim.Server{primary(
				ok(200*ms), status(30*ms, 503), status(200*ms, 503), sim.Answer{After: 20 * ms, What: sim.Broken}, ok(180*ms))},
		},
		{
			Name:  "hedge-timeout",
			About: "Both copies hang: each ends with its own time.",
			Plan:  steady(copied, once), Clients: one(), Seed: 44,
			Servers: []sim.Server{primary(sim.Answer{What: sim.Hanging})},
		},
		{
			Name:  "hedge-cancel",
			About: "The caller goes while two copies run: both are canceled.",
			Plan:  steady(copied), Clients: one(func(c *sim.Client) { c.Cancel = 250 * ms }), Seed: 45,
			Servers: []sim.Server{primary(ok(800*ms), ok(400*ms))},
		},
		{
			Name:    "hedge-elsewhere",
			About:   "The copy goes to another target, with a breaker and a bulkhead of its own.",
			Plan:    steady(copied, brittle, narrow(sec), func(p *policy.Plan) { p.Hedge.Target = "second" }),
			Clients: []sim.Client{calls(0, sec)}, Seed: 46,
			Servers: []sim.Server{
				primary(ok(800 * ms)),
				{Target: "second", Script: []sim.Answer{ok(50 * ms), status(10*ms, 503)}},
			},
		},
		{
			Name:  "hedge-no-permit",
			About: "A copy waits for nothing: without a free permit it is not sent.",
			Plan:  steady(copied, narrow(sec)), Clients: one(), Seed: 47,
			Servers: []sim.Server{primary(ok(300 * ms))},
		},
	}
}
