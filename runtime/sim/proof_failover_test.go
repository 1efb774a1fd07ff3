package sim_test

import (
	"fmt"
	"math"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/resgen-go/resgen/runtime/policy"
	"github.com/resgen-go/resgen/runtime/sim"
)

// The failover proof: the primary is black-holed while a second target, which can take the load, answers; then it comes back.

// The primary answers nothing from holeFrom to holeTo; calls arrive until holeEnds.
const (
	holeFrom = 20 * time.Second
	holeTo   = 80 * time.Second
	holeEnds = 140 * time.Second
)

// slowest is the 99th percentile of what both targets take: log-normal, median 300 ms, sigma 0.4.
var (
	answers = sim.Latency{Median: 300 * time.Millisecond, Sigma: 0.4}
	slowest = time.Duration(float64(answers.Median) * math.Exp(2.326*answers.Sigma))
)

// failover is one row of the proof.
type failover struct {
	name     string
	rate     float64
	deadline time.Duration // of the caller
	reserve  time.Duration // written at the rung; 0: none is
	llm      bool          // what is recommended for language models
	// In percent, at least: calls that the second target answered while the primary was away; those that did not touch the primary, from
	// attempt timeout + 1 s on; those on the primary, once it must be found again.
	answered, skipped, onPrimary float64
}

func failovers() []failover {
	const s, ms = time.Second, time.Millisecond
	return []failover{
		{name: "100 calls/s, 3 s deadline", rate: 100, deadline: 3 * s, answered: 99, skipped: 95, onPrimary: 95},
		{name: "the same, policies of a model", rate: 100, deadline: 3 * s, llm: true, answered: 99, skipped: 95, onPrimary: 95},
		{name: "100 calls/s, 1.2 s deadline", rate: 100, deadline: 1200 * ms, answered: 95, skipped: 95, onPrimary: 95},
		{name: "the same, `reserve: 600ms`", rate: 100, deadline: 1200 * ms, reserve: 600 * ms, answered: 99, skipped: 95, onPrimary: 95},
		{name: "1 call/s, 3 s deadline", rate: 1, deadline: 3 * s, answered: 99, onPrimary: 95},
		{name: "the same, policies of a model", rate: 1, deadline: 3 * s, llm: true, answered: 99, onPrimary: 95},
		{name: "1 call/s, 1.2 s deadline", rate: 1, deadline: 1200 * ms, answered: 90, onPrimary: 95},
		{name: "the same, `reserve: 600ms`", rate: 1, deadline: 1200 * ms, reserve: 600 * ms, answered: 95, onPrimary: 95},
	}
}

// plan is the recommended one with a second target below the operation, and nothing below that.
func (f *failover) plan() policy.Plan {
	p := policy.Recommended(f.llm)
	p.Operation, p.Idempotency, p.Retry.On = "Chat", policy.Safe, policy.RetryOn(policy.Safe)
	p.Timeout = policy.Timeout{Attempt: time.Second, Total: 3 * time.Second}
	p.Bulkhead.MaxConcurrent = 128
	var after []policy.Kind
	for _, k := range policy.Kinds() {
		if k.Any() {
			after = append(after, k)
		}
	}
	p.Fallback.Rungs = []policy.Rung{{
		Name: "eu", Sort: policy.RungTarget, Target: "eu", When: after, Level: policy.Alternate, Reserve: f.reserve,
	}}
	return p
}

func (f *failover) scenario() sim.Scenario {
	return sim.Scenario{
		Name: "failover", Length: holeEnds,
		Clients: []sim.Client{{Name: "app", Rate: f.rate, Poisson: true, Deadline: f.deadline}},
		Servers: []sim.Server{
			{
				Target: policy.PrimaryTarget, Latency: answers,
				Faults: []sim.Fault{{From: holeFrom, To: holeTo, Answer: sim.Answer{What: sim.Hanging}}},
			},
			{Target: "eu", Latency: answers, Capacity: 150, Queue: 2 * time.Second},
		},
	}
}

// failoverRuns is how many seeds a row is played with, together.
const failoverRuns = 20

func (f *failover) play(t *testing.T) []*played {
	t.Helper()
	runs := failoverRuns
	if brief() && f.rate > 1 {
		runs = 1 // it is calls enough
	}
	all := make([]*played, runs)
	var wg sync.WaitGroup
	for seed := range all {
		wg.Go(func() {
			p := &played{row: f, calls: map[int]*playedCall{}, probes: map[int]bool{}, failures: map[policy.Kind]int{}}
			if _, err := sim.Run(f.scenario(), f.plan(), uint64(seed), sim.WithTrace(p.add)); err != nil {
				t.Error(err)
			}
			all[seed] = p
		})
	}
	wg.Wait()
	return all
}

func share(of, all int) float64 { return 100 * float64(of) / float64(max(1, all)) }

// outcome is what the runs of a row came to.
type outcome struct {
	answered, skipped, onPrimary float64       // percent
	back                         time.Duration // the longest until the breaker closed, after the primary had come back
	probes                       int           // the most at once
	overdue                      int
	failures                     map[policy.Kind]int
}

func (f *failover) outcome(t *testing.T) outcome {
	t.Helper()
	var sum played
	o := outcome{failures: map[policy.Kind]int{}}
	for _, p := range f.play(t) {
		sum.inHole, sum.answered = sum.inHole+p.inHole, sum.answered+p.answered
		sum.late, sum.skipped = sum.late+p.late, sum.skipped+p.skipped
		sum.afterRecovery, sum.onPrimary = sum.afterRecovery+p.afterRecovery, sum.onPrimary+p.onPrimary
		o.back, o.probes, o.overdue = max(o.back, p.closed-holeTo), max(o.probes, p.mostProbes), o.overdue+p.overdue
		for k, n := range p.failures {
			o.failures[k] += n
		}
	}
	o.answered, o.skipped, o.onPrimary = share(sum.answered, sum.inHole), share(sum.skipped, sum.late), share(sum.onPrimary, sum.afterRecovery)
	return o
}

// TestFailover holds the rows to what is promised of them, and docs/reference/failover.md to what they come to.
func TestFailover(t *testing.T) {
	t.Parallel()
	var page strings.Builder
	page.WriteString("| | answered by the second target | did not touch the primary | back on the primary | closed after | probes at once |\n" +
		"| --- | --- | --- | --- | --- | --- |\n")
	for _, row := range failovers() {
		o := row.outcome(t)
		fmt.Fprintf(&page, "| %s | %.2f %% | %.2f %% | %.2f %% | %.1f s | %d |\n",
			row.name, o.answered, o.skipped, o.onPrimary, o.back.Seconds(), o.probes)
		if o.answered < row.answered || o.skipped < row.skipped || o.onPrimary < row.onPrimary {
			t.Errorf("%s: got %+v, want at least %v, %v and %v percent", row.name, o, row.answered, row.skipped, row.onPrimary)
		}
		if most := row.plan().Breaker.Probes; o.probes > most {
			t.Errorf("%s: %d attempts at once on a primary whose breaker is not closed, want at most %d", row.name, o.probes, most)
		}
		if o.overdue > 0 {
			t.Errorf("%s: %d calls ended after their deadline", row.name, o.overdue)
		}
	}
	if brief() {
		return // fewer runs give another table
	}
	simulated(t, "../../docs/reference/failover.md", page.String())
}

// simulated compares the table between the marks of a page with what it should be; with -update it writes it.
func simulated(t *testing.T, page, want string) {
	t.Helper()
	const begin, end = "<!-- simulated -->\n", "<!-- /simulated -->"
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, found := strings.Cut(string(text), begin)
	got, after, closed := strings.Cut(rest, end)
	if !found || !closed {
		t.Fatalf("%s has no table between its marks", page)
	}
	if got == want {
		return
	}
	if !*update {
		t.Fatalf("%s is stale (-want +got):\n%s", page, cmp.Diff(want, got))
	}
	if err := os.WriteFile(page, []byte(before+begin+want+end+after), 0o644); err != nil {
		t.Fatal(err)
	}
}
