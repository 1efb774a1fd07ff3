package simulate

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/resgen-go/resgen/generator/internal/diag"
	"github.com/resgen-go/resgen/runtime/policy"
	"github.com/resgen-go/resgen/runtime/sim"
)

// idle tells of what a scenario says and that changes nothing: a target that no operation reaches, which may be misspelled, and a fault that
// begins when no call arrives any more.
func (j *judge) idle() {
	known := reached(j.ops)
	for i := range j.scenario.Servers {
		v := &j.scenario.Servers[i]
		if !slices.Contains(known, v.Target) {
			fix := "there are " + strings.Join(known, ", ")
			if near := diag.Nearest(v.Target, known); near != "" {
				fix = fmt.Sprintf("did you mean %q?", near)
			}
			j.add(Verdict{
				Rule: "no-effect", Result: notes, Target: v.Target,
				What: fmt.Sprintf("no attempt can reach the target %q that the scenario has", v.Target),
				Why:  "no operation that is played has such a target, member or func rung", Fix: fix,
			})
			continue
		}
		for _, f := range v.Faults {
			if f.From >= j.scenario.Length {
				j.add(Verdict{
					Rule: "no-effect", Result: notes, Target: v.Target,
					What: fmt.Sprintf("the fault of target %q begins %v after the start, and calls arrive for %v", v.Target, f.From, j.scenario.Length),
					Why:  "what calls do that are still under way then is not judged", Fix: "raise `length`, or lower `from`",
				})
			}
		}
	}
}

// reached are the servers that attempts can reach, by name.
func reached(ops []Operation) []string {
	all := map[string]bool{}
	for i := range ops {
		p := &ops[i].Plan
		for number := range len(p.Fallback.Rungs) + 1 {
			for _, isCopy := range []bool{false, true} {
				name := sim.ServerOf(p, number, isCopy)
				if name == "" {
					continue
				}
				for _, member := range policy.Endpoints(p, name) {
					all[member] = true
				}
			}
		}
	}
	return slices.Sorted(maps.Keys(all))
}

// unjudged tells of operations that got too few calls to judge them.
func (j *judge) unjudged() {
	var all []string
	for i := range j.groups {
		if j.watch.classes[i].faultCalls >= fewest {
			continue
		}
		for _, n := range j.groups[i].ops {
			if j.scenario.asks(j.ops[n].Name) {
				all = append(all, j.ops[n].Name)
			}
		}
	}
	if len(all) == 0 {
		return
	}
	j.add(Verdict{
		Rule: "too-few-calls", Result: notes, Operations: all,
		What: fmt.Sprintf("fewer than %d calls arrive %s in %d plays: too few to judge", fewest, j.during, j.watch.plays),
		Why:  "a share of few calls is luck, and the operations share the load",
		Fix:  "raise --rate, or `rate` in the scenario, or name fewer operations",
	})
}

// asks reports whether clients of the scenario call an operation.
func (s *Scenario) asks(operation string) bool {
	return slices.ContainsFunc(s.Clients, func(c sim.Client) bool { return c.Operation == "" || c.Operation == operation })
}

// of returns the scenario without those clients that call operations of another client, and whether any is left.
func (s *Scenario) of(ops []Operation) (Scenario, bool) {
	out := *s
	out.Clients = slices.DeleteFunc(slices.Clone(s.Clients), func(c sim.Client) bool {
		return c.Operation != "" && !slices.ContainsFunc(ops, func(o Operation) bool { return o.Name == c.Operation })
	})
	return out, len(out.Clients) > 0
}
