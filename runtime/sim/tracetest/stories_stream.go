package tracetest

import (
	"time"

	"github.com/resgen-go/resgen/runtime/policy"
	"github.com/resgen-go/resgen/runtime/sim"
)

// flowing makes a plan one of a stream of events.
func flowing(p *policy.Plan) {
	p.Stream = policy.Stream{Format: policy.SSE, Done: "[DONE]"}
	p.Timeout = policy.Timeout{
		Attempt: 8 * sec, Total: 20 * sec, FirstByte: 3 * sec, FirstItem: 2 * sec, Idle: 3 * sec, ItemGap: 4 * sec, MaxStream: time.Minute,
	}
}

// streams are the stories of answers that outlive their calls.
func streams() []Story {
	return []Story{
		{
			Name:  "stream",
			About: "A stream without a first item is tried again; the next one begins, and ends after its call.",
			Plan:  steady(flowing), Clients: one(), Seed: 31,
			Servers: []sim.Server{primary(sim.Answer{What: sim.Hanging}, sim.Answer{After: 300 * ms, Stream: 1500 * ms})},
		},
		{
			Name: "stream-stall",
			About: "A stream that falls silent after its first item is not tried again: the answer breaks, and counts " +
				"against the target.",
			Plan: steady(flowing), Clients: one(), Seed: 32,
			Servers: []sim.Server{primary(sim.Answer{After: 300 * ms, Stalls: true})},
		},
		{
			Name:  "stream-permit",
			About: "A stream keeps its permit until it ends; then the call that waits for it begins.",
			Plan:  steady(flowing, narrow(5*sec)), Clients: []sim.Client{calls(0, sec)}, Seed: 33,
			Servers: []sim.Server{primary(sim.Answer{After: 300 * ms, Stream: 2 * sec}, sim.Answer{After: 200 * ms, Stream: 500 * ms})},
		},
		{
			Name:  "stream-cancel",
			About: "The caller goes in the middle of a stream, which says nothing about the target.",
			Plan:  steady(flowing), Clients: one(func(c *sim.Client) { c.Cancel = sec }), Seed: 34,
			Servers: []sim.Server{primary(sim.Answer{After: 300 * ms, Stream: 3 * sec})},
		},
	}
}
