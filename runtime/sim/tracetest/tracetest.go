// Package tracetest holds stories: small scenarios whose traces are written down in runtime/sim/testdata/traces. The simulator writes
// them, and the live driver, given the same answers at the same instants and the same random numbers, must repeat them, time stamps
// included. What both do is what policy.Call decides; where they differ, a driver decides too.
//
//	Story ──▶ sim.Run ───────────────────────────▶ lines ─┐
//	   └────▶ runtime.Do in a synctest bubble ──▶ lines ─┴─▶ equal
//
// Calls of one story never do anything at the same instant, except by way of each other: goroutines would race where the simulator has
// an order.
//
// Read the files in this order: tracetest.go, stories.go, stories_shared.go, stories_hedged.go, stories_stream.go.
package tracetest

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/resgen-go/resgen/runtime/policy"
	"github.com/resgen-go/resgen/runtime/sim"
)

// Story is a scenario with the plan that meets it. Its servers answer by script.
type Story struct {
	// Name is that of its file, without the extension.
	Name string
	// About says what it shows.
	About string
	// Plan is the operation's.
	Plan policy.Plan
	// Clients are who calls; each call is listed.
	Clients []sim.Client
	// Servers are who answers, each by its script.
	Servers []sim.Server
	// Seed gives the random numbers.
	Seed uint64
}

// length is how long calls may arrive; stories are shorter.
const length = time.Hour

// Scenario returns the story's scenario.
func (s *Story) Scenario() sim.Scenario {
	return sim.Scenario{Name: s.Name, Length: length, Clients: s.Clients, Servers: s.Servers}
}

// Simulated returns the trace that the simulator writes.
func (s *Story) Simulated() (string, error) {
	var lines []sim.Line
	_, err := sim.Run(s.Scenario(), s.Plan, s.Seed, sim.WithTrace(func(l sim.Line) { lines = append(lines, l) }))
	if err != nil {
		return "", fmt.Errorf("story %s: %w", s.Name, err)
	}
	return s.Text(lines), nil
}

// Text returns the text of the story's file with these lines. They are ordered by time and call: what two calls do at one instant has
// no order that a live driver could keep. The lines of one call keep theirs, but for copies that end together because their caller has:
// which of them is the first to notice is chance.
func (s *Story) Text(lines []sim.Line) string {
	ordered := slices.Clone(lines)
	slices.SortStableFunc(ordered, func(a, b sim.Line) int {
		return cmp.Or(cmp.Compare(a.At, b.At), cmp.Compare(a.Call, b.Call))
	})
	for i := 1; i < len(ordered); i++ {
		if a, b := &ordered[i-1], &ordered[i]; a.Hedge && endsWith(a, b) {
			*a, *b = *b, *a
		}
	}
	var b strings.Builder
	fmt.Fprintf(&b, "# %s\n#\n", s.About)
	scenario := s.Scenario()
	for line := range strings.Lines(scenario.String()) {
		b.WriteString("# " + line)
	}
	b.WriteByte('\n')
	for _, l := range ordered {
		b.WriteString(l.String() + "\n")
	}
	return b.String()
}

// endsWith reports whether two lines are the ends of two copies for one reason at one instant.
func endsWith(a, b *sim.Line) bool {
	same := a.At == b.At && a.Call == b.Call && a.Kind == b.Kind
	return same && a.What == sim.AttemptEnds && b.What == sim.AttemptEnds && a.Kind != policy.KindNone && !b.Hedge
}

// Call is one call of a story.
type Call struct {
	// Number is its number in the trace.
	Number int
	// Tenant is for whom it is made.
	Tenant string
	// At is when it arrives.
	At time.Duration
	// Deadline and Cancel are those of its client.
	Deadline, Cancel time.Duration
}

// Calls returns the calls in the order of their arrival.
func (s *Story) Calls() []Call {
	var all []Call
	for _, c := range s.Clients {
		for _, at := range c.At {
			all = append(all, Call{Tenant: c.Name, At: at, Deadline: c.Deadline, Cancel: c.Cancel})
		}
	}
	slices.SortStableFunc(all, func(a, b Call) int { return cmp.Compare(a.At, b.At) })
	for i := range all {
		all[i].Number = i + 1
	}
	return all
}

// Stories returns all stories.
func Stories() []Story {
	return slices.Concat(retries(), ends(), ladders(), breakers(), queues(), bounds(), hedged(), streams())
}
