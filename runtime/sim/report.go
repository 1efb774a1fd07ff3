package sim

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
)

// Report says what became of the calls of a run, and of the primary target.
type Report struct {
	// ClientReport is that of all clients together.
	ClientReport

	// Scenario and Seed say which run it was.
	Scenario string
	Seed     uint64
	// Peak is the greatest number of attempts that reached the primary target within one second, whenever it began.
	Peak int
	// Amplification is how many attempts reached the primary target during its fault for each call that arrived in that time; 0
	// where the scenario has no fault that ends.
	Amplification float64
	// LoadAfter is the same for the five seconds after the fault.
	LoadAfter float64
	// Reached is how many attempts reached each target, or member of one, by its name.
	Reached map[string]int
	// Trips is how often a breaker opened that was closed, and Reopened how often one whose probes failed.
	Trips, Reopened int
	// Pauses is how often a target asked for one.
	Pauses int
	// Denied is how many retries the budgets did not pay for.
	Denied int
	// Hedges is how many copies were sent beside an attempt.
	Hedges int
	// Streams is the number of answers that outlived their calls, and BrokenStreams how many of them ended before their time.
	Streams, BrokenStreams int
	// Clients are the reports of each client, in the scenario's order.
	Clients []ClientReport
}

// ClientReport says what became of the calls of one client.
type ClientReport struct {
	// Name is the client's.
	Name string
	// Calls is the number of calls: OK were answered by the operation itself, Fallback by another rung, Failed failed, and
	// Unfinished waited for ever.
	Calls, OK, Fallback, Failed, Unfinished int
	// Failures are the failed ones by their kind.
	Failures map[string]int
	// Attempts is the number of attempts, on all targets and functions.
	Attempts int
	// Rejected is how often a local policy did not let an attempt through.
	Rejected int
	// Answered is how long the answers took, and Failing how long the failures.
	Answered, Failing Spread
}

// Spread is a distribution of durations; all are 0 where there were none.
type Spread struct {
	P50, P90, P95, P99, P999, Max time.Duration
}

const percent = 100

// OKPercent returns the share of calls that the operation itself answered, in percent.
func (c *ClientReport) OKPercent() float64 { return c.share(c.OK) }

// FallbackPercent returns the share of calls that another rung answered, in percent.
func (c *ClientReport) FallbackPercent() float64 { return c.share(c.Fallback) }

// FailedPercent returns the share of calls that failed, in percent.
func (c *ClientReport) FailedPercent() float64 { return c.share(c.Failed) }

func (c *ClientReport) share(n int) float64 {
	if c.Calls == 0 {
		return 0
	}
	return percent * float64(n) / float64(c.Calls)
}

// AttemptsPerCall returns the mean number of attempts of a call.
func (c *ClientReport) AttemptsPerCall() float64 {
	if c.Calls == 0 {
		return 0
	}
	return float64(c.Attempts) / float64(c.Calls)
}

// String returns the report as a table of names and values, with a line for each client where there are several.
func (r *Report) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "scenario %s, seed %d\n", r.Scenario, r.Seed)
	fmt.Fprintf(&b, "calls              %s", r.shares())
	if r.Unfinished > 0 {
		fmt.Fprintf(&b, ", %d never ended", r.Unfinished)
	}
	fmt.Fprintf(&b, "\nattempts per call  %.2f\n", r.AttemptsPerCall())
	fmt.Fprintf(&b, "peak               %d attempts in a second\n", r.Peak)
	if r.Amplification > 0 || r.LoadAfter > 0 {
		fmt.Fprintf(&b, "in the fault       %.2f attempts per call\n", r.Amplification)
		fmt.Fprintf(&b, "5 s after it       %.2f attempts per call\n", r.LoadAfter)
	}
	fmt.Fprintf(&b, "breakers           %d trips, %d reopenings\n", r.Trips, r.Reopened)
	fmt.Fprintf(&b, "pauses             %d\n", r.Pauses)
	fmt.Fprintf(&b, "rejected           %d\n", r.Rejected)
	fmt.Fprintf(&b, "retries denied     %d\n", r.Denied)
	if r.Hedges > 0 {
		fmt.Fprintf(&b, "hedges             %d\n", r.Hedges)
	}
	if r.Streams > 0 {
		fmt.Fprintf(&b, "streams            %d, %d of them broken\n", r.Streams, r.BrokenStreams)
	}
	fmt.Fprintf(&b, "answers took       %v\n", r.Answered)
	if r.Failed > 0 {
		fmt.Fprintf(&b, "failures took      %v\n", r.Failing)
		for _, k := range slices.Sorted(maps.Keys(r.Failures)) {
			fmt.Fprintf(&b, "  %-16s %d\n", k, r.Failures[k])
		}
	}
	if len(r.Clients) > 1 {
		for i := range r.Clients {
			c := &r.Clients[i]
			fmt.Fprintf(&b, "client %-11s %s, answers took %v\n", c.Name, c.shares(), c.Answered)
		}
	}
	return b.String()
}

// shares says what became of the calls.
func (c *ClientReport) shares() string {
	return fmt.Sprintf("%d: %.1f %% ok, %.1f %% fallback, %.1f %% failed", c.Calls, c.OKPercent(), c.FallbackPercent(), c.FailedPercent())
}

// String returns the percentiles in one line.
func (s Spread) String() string {
	short := func(d time.Duration) time.Duration { return d.Round(spreadStep) }
	return fmt.Sprintf("p50 %v, p95 %v, p99 %v, p99.9 %v", short(s.P50), short(s.P95), short(s.P99), short(s.P999))
}

// spreadStep is how finely percentiles are shown.
const spreadStep = 10 * time.Microsecond
