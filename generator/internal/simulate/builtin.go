package simulate

import (
	"math"
	"slices"
	"strings"
	"time"

	"github.com/resgen-go/resgen/runtime/policy"
	"github.com/resgen-go/resgen/runtime/sim"
)

// builtin is a scenario that has a name.
type builtin struct {
	name, about string
	length      time.Duration
	// streams says that it is about streams alone.
	streams bool
	// server is what every server of the primary target is like beside its capacity.
	server sim.Server
	// taken is the share of the load that the target takes in each second of its faults; 0 is what Factor says.
	taken float64
	// one says that of the members of the primary target only the first has the faults.
	one    bool
	expect Expect
}

// When most faults begin and end.
const (
	faultFrom = 10 * time.Second
	faultTo   = 25 * time.Second
)

// unavailable is the answer of a server that is down.
var unavailable = sim.Answer{Status: 503, After: 5 * time.Millisecond}

// fullQueue is how long calls wait for a server that has more to do than it can.
const fullQueue = 2 * time.Second

var builtins = []builtin{
	{
		name: "blip", about: "a fifth of the attempts at the primary target fail at once with 503, for 30 s", length: time.Minute,
		server: sim.Server{Queue: fullQueue, Faults: []sim.Fault{{From: faultFrom, To: faultFrom + 30*time.Second, Share: 0.2, Answer: unavailable}}},
		expect: Expect{Lost: 5},
	},
	{
		name: "outage", about: "the primary target answers everything at once with 503, for 15 s", length: time.Minute,
		server: sim.Server{Queue: fullQueue, Faults: []sim.Fault{{From: faultFrom, To: faultTo, Answer: unavailable}}},
	},
	{
		name: "brownout", length: time.Minute,
		about: "the primary target answers ten times slower, with 503 to three of ten, and can do six tenths of what it could, for 15 s",
		server: sim.Server{Queue: fullQueue, Faults: []sim.Fault{
			{From: faultFrom, To: faultTo, Share: 0.3, Answer: sim.Answer{Status: 503, After: 50 * time.Millisecond}},
			{What: sim.FaultSlow, From: faultFrom, To: faultTo, Factor: 10},
			{What: sim.FaultTight, From: faultFrom, To: faultTo, Factor: 0.6},
		}},
	},
	{
		name: "rate-limit", length: time.Minute,
		about: "the primary target takes nine tenths of the load in each second, and answers 429 with a Retry-After of a second to the rest, for 15 s",
		server: sim.Server{
			Busy:   sim.Answer{Status: 429, After: time.Millisecond, Pushback: true, RetryAfter: time.Second},
			Faults: []sim.Fault{{What: sim.FaultTight, From: faultFrom, To: faultTo}},
		},
		taken:  0.9,
		expect: Expect{Lost: 10},
	},
	{
		name: "stalled-stream", about: "a third of the streams fall silent after their first items, for 15 s", length: time.Minute, streams: true,
		server: sim.Server{Queue: fullQueue, Faults: []sim.Fault{{What: sim.FaultStall, From: faultFrom, To: faultTo, Share: 1. / 3}}},
	},
	{
		name: "failover", length: 2 * time.Minute, one: true,
		about:  "the primary target takes requests and never answers, for a minute; all other targets answer",
		server: sim.Server{Queue: fullQueue, Faults: []sim.Fault{{From: 20 * time.Second, To: 80 * time.Second, Answer: sim.Answer{What: sim.Hanging}}}},
	},
}

// Names are those of the scenarios that have one.
func Names() []string {
	all := make([]string, len(builtins))
	for i := range builtins {
		all[i] = builtins[i].name
	}
	return all
}

// IsName reports whether a scenario has that name.
func IsName(name string) bool {
	for i := range builtins {
		if builtins[i].name == name {
			return true
		}
	}
	return false
}

const (
	// capacityShare is what the primary target can do, of the load, or the load and capacityMore a second, if that is more: one that can do
	// little more than few calls would keep each of them waiting.
	capacityShare = 1.5
	capacityMore  = 25
	// remembered is the share of calls for which a cache rung has an answer.
	remembered = 0.5
)

// scenario makes the scenario for operations that get so many calls a second.
func (b *builtin) scenario(ops []Operation, rate float64) Scenario {
	s := Scenario{About: b.about, Expect: b.expect}
	s.Name, s.Length = b.name, b.length
	users := sim.Client{Name: "users", Rate: rate, Poisson: true}
	members := []string{policy.PrimaryTarget}
	for i := range ops {
		p := &ops[i].Plan
		if all := policy.Endpoints(p, policy.PrimaryTarget); len(all) > len(members) {
			members = all
		}
		for j := range p.Fallback.Rungs {
			if p.Fallback.Rungs[j].Sort == policy.RungCache {
				users.Remembered = remembered
			}
		}
	}
	s.Clients = []sim.Client{users}
	for i, name := range members {
		v := b.server
		own := rate / float64(len(members))
		v.Target, v.Capacity = name, math.Ceil(max(capacityShare*own, own+capacityMore))
		v.Faults = slices.Clone(v.Faults)
		if b.one && i > 0 {
			v.Faults = nil
		}
		for f := range v.Faults {
			if b.taken > 0 {
				v.Faults[f].Factor = round(math.Ceil(b.taken*own)/v.Capacity, 4)
			}
		}
		s.Servers = append(s.Servers, v)
	}
	return s
}

// Builtins returns the scenarios of the given names for operations; without names, all that have something to do with them.
func builtinsOf(names []string, ops []Operation, rate float64) []Scenario {
	streams := false
	for i := range ops {
		streams = streams || ops[i].Plan.Stream.Format.Streams()
	}
	var all []Scenario
	for i := range builtins {
		b := &builtins[i]
		if len(names) == 0 && b.streams && !streams {
			continue
		}
		if len(names) == 0 || contains(names, b.name) {
			all = append(all, b.scenario(ops, rate))
		}
	}
	return all
}

func contains(names []string, name string) bool {
	for _, n := range names {
		if strings.EqualFold(n, name) {
			return true
		}
	}
	return false
}
