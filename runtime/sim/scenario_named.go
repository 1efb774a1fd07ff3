package sim

import (
	"time"

	"github.com/resgen-go/resgen/runtime/policy"
)

// Textbook returns the scenario that the literature simulates: 80 calls a second for a minute, at a target that answers in no time 100
// attempts in each second, with a fault that is either a blip (a fifth of the attempts fail, all the time) or an outage.
func Textbook(outage bool) Scenario {
	down := Answer{Status: statusUnavailable}
	s := Scenario{
		Name: "textbook-blip", Length: time.Minute,
		Clients: []Client{{Name: "load", Rate: 80, Deadline: 6 * time.Second}},
		Servers: []Server{{
			Target: policy.PrimaryTarget, Capacity: 100, Busy: down, Faults: []Fault{{What: FaultAnswer, Share: 0.2, Answer: down}},
		}},
	}
	if outage {
		s.Name = "textbook-outage"
		s.Servers[0].Faults = []Fault{{What: FaultAnswer, From: 10 * time.Second, To: 25 * time.Second, Answer: down}}
	}
	return s
}

// usual is what most scenarios have in common: 80 calls a second for a minute, at a target that works off 100 attempts a second, one
// after the other, of which none waits for more than two seconds.
func usual(name string, faults ...Fault) Scenario {
	return Scenario{
		Name: name, Length: time.Minute,
		Clients: []Client{{Name: "load", Rate: 80, Deadline: 10 * time.Second}},
		Servers: []Server{{Target: policy.PrimaryTarget, Capacity: 100, Queue: 2 * time.Second, Faults: faults}},
	}
}

// Blip returns a scenario in which the given share of the attempts fails, all the time.
func Blip(share float64) Scenario {
	return usual("blip", Fault{What: FaultAnswer, Share: share, Answer: Answer{Status: statusUnavailable, After: 5 * time.Millisecond}})
}

// Outage returns a scenario in which the target is down from 10 s on, for as long as given: it answers 503 at once, or not at all.
func Outage(long time.Duration, hanging bool) Scenario {
	s := usual("outage", Fault{
		What: FaultAnswer, From: 10 * time.Second, To: 10*time.Second + long,
		Answer: Answer{Status: statusUnavailable, After: 5 * time.Millisecond},
	})
	if hanging {
		s.Name = "outage-hanging"
		s.Servers[0].Faults[0].Answer = Answer{What: Hanging}
	}
	return s
}

// Brownout returns a scenario in which the target answers twenty times slower for 15 s, and a third of the attempts fail.
func Brownout() Scenario {
	const from, to = 10 * time.Second, 25 * time.Second
	s := usual("brownout",
		Fault{What: FaultAnswer, From: from, To: to, Share: 0.3, Answer: Answer{Status: statusUnavailable, After: 50 * time.Millisecond}},
		Fault{What: FaultSlow, From: from, To: to, Factor: 20})
	s.Servers[0].Capacity, s.Servers[0].Queue = 0, 0
	s.Servers[0].Latency = Latency{Median: 30 * time.Millisecond, Sigma: 0.3}
	return s
}

// RateLimited returns a scenario in which the target takes 60 attempts in each second and answers 429 to the rest, with a Retry-After of
// a second.
func RateLimited() Scenario {
	s := usual("rate-limit")
	s.Servers[0].Capacity, s.Servers[0].Queue = 60, 0
	s.Servers[0].Busy = Answer{Status: 429, After: time.Millisecond, Pushback: true, RetryAfter: time.Second}
	s.Servers[0].Latency = Latency{Median: 20 * time.Millisecond, Sigma: 0.3}
	return s
}

// StalledStreams returns a scenario in which, for 15 s, a third of the streams falls silent after the first item.
func StalledStreams() Scenario {
	s := usual("stalled-streams", Fault{What: FaultStall, From: 10 * time.Second, To: 25 * time.Second, Share: 0.33})
	s.Clients[0].Rate, s.Clients[0].Deadline = 8, 0
	s.Servers[0].Latency, s.Servers[0].Stream = Latency{Median: 300 * time.Millisecond, Sigma: 0.4}, 3*time.Second
	return s
}

// SlowRecovery returns a scenario in which the target, after an outage of 15 s, has a fifth of its capacity, which grows back in 20 s.
func SlowRecovery() Scenario {
	s := Outage(15*time.Second, false)
	s.Name = "slow-recovery"
	s.Servers[0].Faults = append(s.Servers[0].Faults, Fault{What: FaultWeak, From: 25 * time.Second, To: 45 * time.Second, Factor: 0.2})
	return s
}

// Named returns the scenarios that have a name, the textbook's first.
func Named() []Scenario {
	const long, share = 15 * time.Second, 0.2
	return []Scenario{
		Textbook(false), Textbook(true), Blip(share), Outage(long, false), Outage(long, true), Brownout(), RateLimited(),
		StalledStreams(), SlowRecovery(),
	}
}
