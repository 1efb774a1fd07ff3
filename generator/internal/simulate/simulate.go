package simulate

import (
	"fmt"
	"math"
	"time"

	"github.com/resgen-go/resgen/runtime/policy"
	"github.com/resgen-go/resgen/runtime/sim"
)

// Options say what is played.
type Options struct {
	// Names are those of scenarios that have one, and Files those that were read, of which clients that call other operations are left out. Without
	// either, all that have something to do with the operations are played.
	Names []string
	Files []Scenario
	// Seed is what all is drawn from.
	Seed uint64
	// Rate is how many calls arrive in a second, of all operations together; 0 is what their limits and bulkheads take, at most 50, and 10 of
	// language models.
	Rate float64
	// Latency is how long answers take in the median; 0 is 50 ms, and a second of language models, but at most a fifth of an attempt's time.
	Latency time.Duration
	// Expect are expectations that go before those of scenarios.
	Expect Expect
	// Stop is asked now and then whether to give up.
	Stop func() bool
	// Progress is told before each scenario.
	Progress func(scenario string)
}

// Client plays the scenarios for the operations of one client.
func Client(ops []Operation, o *Options) ([]Run, error) {
	rate := o.Rate
	if rate == 0 {
		rate = rateOf(ops, o.Latency)
	}
	var all []Scenario
	if len(o.Names) > 0 || len(o.Files) == 0 {
		all = builtinsOf(o.Names, ops, rate)
	}
	for i := range o.Files {
		if s, ok := o.Files[i].of(ops); ok {
			all = append(all, s)
		}
	}
	var runs []Run
	for i := range all {
		s := &all[i]
		if o.Progress != nil {
			o.Progress(s.Name)
		}
		r, err := play(s, ops, o)
		if err != nil {
			return nil, err
		}
		runs = append(runs, r)
	}
	return runs, nil
}

// play plays a scenario with the policies and without them, and judges it.
func play(s *Scenario, ops []Operation, o *Options) (Run, error) {
	groups, of := classes(ops)
	with, without := make([]sim.Operation, len(ops)), make([]sim.Operation, len(ops))
	for i := range ops {
		with[i] = ops[i].played(o.Latency)
		without[i] = with[i]
		without[i].Plan = bare(&ops[i].Plan)
	}
	policies, err := watched(s, with, of, len(groups), o)
	if err != nil {
		return Run{}, err
	}
	none, err := watched(s, without, of, len(groups), o)
	if err != nil {
		return Run{}, err
	}
	expect := o.Expect.over(s.Expect.over(usualExpect()))
	r := Run{
		Scenario: s.Name, About: s.About, Text: s.text(), Plays: policies.plays, Expect: expect.texts(),
		Operations: []OperationRun{}, Targets: []TargetRun{}, Verdicts: []Verdict{}, settles: s.settles(),
	}
	from, to := s.fault()
	during := "in the run"
	if to > 0 {
		r.Fault, during = &Window{From: from.Seconds(), To: to.Seconds()}, "in the fault"
	}
	for i, g := range groups {
		if policies.classes[i].calls == 0 {
			continue // a scenario's clients may name operations
		}
		row := OperationRun{
			Operation: ops[g.ops[0]].Name,
			Policies:  policies.classes[i].outcome(policies.plays, s), None: none.classes[i].outcome(none.plays, s),
		}
		for _, other := range g.ops[1:] {
			row.More = append(row.More, ops[other].Name)
		}
		r.Operations = append(r.Operations, row)
	}
	for _, name := range targetNames(policies, none) {
		r.Targets = append(r.Targets, TargetRun{Target: name, Policies: policies.told(name), None: none.told(name)})
	}
	j := judge{run: &r, ops: ops, groups: groups, watch: policies, expect: expect, scenario: s, during: during}
	j.all()
	r.charts = charts(&r, policies, none)
	return r, nil
}

// watched plays operations and returns what was seen.
func watched(s *Scenario, ops []sim.Operation, of []int, classes int, o *Options) (*watch, error) {
	w := newWatch(s, ops, of, classes)
	opts := []sim.Option{sim.WithTrace(w.tell)}
	if o.Stop != nil {
		opts = append(opts, sim.WithStop(o.Stop))
	}
	plays := min(max(int(math.Ceil(enoughCalls/max(s.calls(), 1))), 1), mostPlays)
	for i := range plays {
		if _, err := sim.RunAll(s.Scenario, ops, o.Seed+uint64(i)*nextSeed, opts...); err != nil {
			return nil, fmt.Errorf("simulate: %w", err)
		}
		w.finish()
	}
	return w, nil
}

// A scenario is played until about enoughCalls have arrived, so that no verdict hangs on the luck of one play, but at most mostPlays times.
const (
	enoughCalls = 15_000
	mostPlays   = 20
	// nextSeed is what the seeds of plays lie apart: those of neighboring seeds have none in common.
	nextSeed = 0x9E3779B97F4A7C15
)

// texts are the expectations by name, as they are written.
func (e Expect) texts() map[string]string {
	out := map[string]string{}
	for _, x := range expectations {
		if v, ok := e.bound(x.name); ok {
			out[x.name] = x.unit.text(v)
		}
	}
	return out
}

// planOf is the plan of a row's operations.
func planOf(ops []Operation, g *class) *policy.Plan { return &ops[g.ops[0]].Plan }
