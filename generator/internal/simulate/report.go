package simulate

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"time"

	"github.com/resgen-go/resgen/runtime/policy"
)

// Report is what simulations came to. Its fields are those of the JSON: shares are in percent, and fields are only ever added.
type Report struct {
	// Seed is what every run drew from.
	Seed uint64 `json:"seed"`
	// Runs are in the order of the clients, and of the scenarios for each.
	Runs []Run `json:"runs"`
	// Failed says that some verdict did.
	Failed bool `json:"failed"`
}

// Run is one scenario, played for one client with its policies and without.
type Run struct {
	// Client is the NAME of the client, where there are several.
	Client string `json:"client,omitempty"`
	// Scenario is its name, About says what happens, and Text is all of it, as a file has it.
	Scenario string `json:"scenario"`
	About    string `json:"about,omitempty"`
	Text     string `json:"text"`
	// Plays is how often it was played, each time with other chance; shares and waits are those of all plays together, and other numbers the
	// means of one.
	Plays int `json:"plays"`
	// Expect are the expectations that verdicts held it to.
	Expect map[string]string `json:"expect"`
	// Fault is when something was wrong; nil where nothing was: then the whole run is judged, as if it were the fault.
	Fault *Window `json:"fault,omitempty"`
	// Operations are those that were called, those of equal policies in one row.
	Operations []OperationRun `json:"operations"`
	// Targets are what was called.
	Targets []TargetRun `json:"targets"`
	// Verdicts are what is wrong, the worst first.
	Verdicts []Verdict `json:"verdicts"`

	charts  []chart
	settles bool // there is time to see an operation recover
}

// Window is a span of time, in seconds since the run began.
type Window struct {
	From float64 `json:"fromSeconds"`
	To   float64 `json:"toSeconds"`
}

// OperationRun is what became of the calls of one operation, or of several that have the same policies.
type OperationRun struct {
	Operation string `json:"operation"`
	// More are the other operations with the same policies.
	More []string `json:"more,omitempty"`
	// Policies is with what is annotated, None without any policy: with the built-in timeouts alone.
	Policies Outcome `json:"policies"`
	None     Outcome `json:"none"`
}

// Outcome is what became of calls.
type Outcome struct {
	Calls float64 `json:"calls"`
	// OK were answered by the operation or its equal, Degraded by a lesser rung; the others failed.
	OK       float64 `json:"okPercent"`
	Degraded float64 `json:"degradedPercent"`
	Failed   float64 `json:"failedPercent"`
	// Rungs are the shares that rungs answered, and Failures those that failed by their kind.
	Rungs    []RungShare        `json:"rungs,omitempty"`
	Failures map[string]float64 `json:"failures,omitempty"`
	// Attempts is the mean number of attempts of a call, on all targets.
	Attempts float64 `json:"attemptsPerCall"`
	// Wait is how long users waited for an answer or a failure, and FaultWait those whose calls arrived in the fault; of a stream, for its
	// first item.
	Wait      Percentiles  `json:"wait"`
	FaultWait *Percentiles `json:"faultWait,omitempty"`
	// FaultFailed is the share of the fault's calls that failed.
	FaultFailed float64 `json:"faultFailedPercent"`
	// Recovery is how many seconds after the fault the operation itself answers again; nil where it does not before the run ends, or where the
	// run ends less than five seconds after the fault.
	Recovery *float64 `json:"recoverySeconds"`
	// Refused are the attempts that the client itself did not let through, by kind, and Denied the retries that a budget did not pay for.
	Refused map[string]float64 `json:"refused,omitempty"`
	Denied  float64            `json:"retriesDenied"`
	// Broken is the share of streams that broke after their first item, and Silence how long they had been silent, in the 99th percentile.
	Broken  float64 `json:"brokenStreamsPercent,omitempty"`
	Silence float64 `json:"silenceMilliseconds,omitempty"`
}

// RungShare is the share of calls that a rung answered.
type RungShare struct {
	Rung    string  `json:"rung"`
	Level   string  `json:"level"`
	Percent float64 `json:"percent"`
}

// Percentiles are in milliseconds.
type Percentiles struct {
	P50 float64 `json:"p50Milliseconds"`
	P99 float64 `json:"p99Milliseconds"`
	Max float64 `json:"maxMilliseconds"`
}

// TargetRun is what one target got.
type TargetRun struct {
	Target   string `json:"target"`
	Policies Load   `json:"policies"`
	None     Load   `json:"none"`
}

// Load is what reached a target.
type Load struct {
	Attempts float64 `json:"attempts"`
	// Peak is the greatest number of attempts within one second.
	Peak float64 `json:"peakPerSecond"`
	// InFault are the attempts of the fault for each call that arrived in it, or that was first sent in it where those are more: some wait for
	// their turn. After are those of the five seconds after it.
	InFault float64 `json:"perCallInFault"`
	After   float64 `json:"perCallAfter"`
	// Openings is how often a breaker opened that was closed.
	Openings float64 `json:"breakerOpenings"`
	// Input and Output are tokens, and Cost what they cost; 0 where nothing counts them.
	Input  float64 `json:"inputTokens,omitempty"`
	Output float64 `json:"outputTokens,omitempty"`
	Cost   float64 `json:"cost,omitempty"`
}

// round keeps so many digits after the point: reports are the same bytes on every machine.
func round(x float64, digits int) float64 {
	scale := math.Pow10(digits)
	return math.Round(x*scale) / scale
}

func percentOf(n, all int) float64 {
	if all == 0 {
		return 0
	}
	return round(100*float64(n)/float64(all), 2)
}

func ratioOf(n, all int) float64 {
	if all == 0 {
		return 0
	}
	return round(float64(n)/float64(all), 3)
}

func milliseconds(d time.Duration) float64 { return round(float64(d)/float64(time.Millisecond), 1) }

func waitOf(all []time.Duration) Percentiles {
	return Percentiles{P50: milliseconds(quantile(all, 0.5)), P99: milliseconds(quantile(all, 0.99)), Max: milliseconds(quantile(all, 1))}
}

// outcome is what is told of a tally.
func (t *tally) outcome(plays int, s *Scenario) Outcome {
	o := Outcome{
		Calls: mean(t.calls, plays), OK: percentOf(t.ok, t.calls), Degraded: percentOf(t.degraded, t.calls), Failed: percentOf(t.failed, t.calls),
		Attempts: ratioOf(t.attempts, t.calls), Wait: waitOf(t.waits), Denied: mean(t.denied, plays),
		FaultFailed: percentOf(t.faultLost, t.faultCalls),
		Broken:      percentOf(t.broken, t.streams), Silence: milliseconds(quantile(t.silences, 0.99)),
	}
	for _, k := range slices.SortedFunc(maps.Keys(t.rungs), func(a, b rungKey) int {
		return cmp.Or(cmp.Compare(t.rungs[b], t.rungs[a]), cmp.Compare(a.name, b.name), cmp.Compare(a.level, b.level))
	}) {
		o.Rungs = append(o.Rungs, RungShare{Rung: k.name, Level: k.level.String(), Percent: percentOf(t.rungs[k], t.calls)})
	}
	for k, n := range t.failures {
		if o.Failures == nil {
			o.Failures = map[string]float64{}
		}
		o.Failures[k] = percentOf(n, t.calls)
	}
	for k, n := range t.rejected {
		if o.Refused == nil {
			o.Refused = map[string]float64{}
		}
		o.Refused[k.String()] = mean(n, plays)
	}
	if _, to := s.fault(); to > 0 {
		w := waitOf(t.faultWaits)
		o.FaultWait = &w
		if d, ok := t.recovery(to); ok && s.settles() {
			s := round(d.Seconds(), 1)
			o.Recovery = &s
		}
	}
	return o
}

// told is what is told of a target.
func (w *watch) told(target string) Load {
	l := w.targets[target]
	if l == nil {
		return Load{}
	}
	return Load{
		Attempts: mean(l.attempts, w.plays), Peak: mean(l.peaks, w.plays),
		InFault: ratioOf(l.inFault, max(w.arrived, w.begun)), After: ratioOf(l.after, max(w.later, w.begunLater)),
		Openings: mean(l.openings, w.plays), Input: mean(l.input, w.plays), Output: mean(l.output, w.plays), Cost: round(l.cost/float64(w.plays), 4),
	}
}

// mean is that of one play.
func mean[N int | int64](n N, plays int) float64 { return round(float64(n)/float64(plays), 1) }

// targetNames are those of all targets of two runs, the primary target first.
func targetNames(with, without *watch) []string {
	all := map[string]bool{}
	for _, w := range []*watch{with, without} {
		for name := range w.targets {
			all[name] = true
		}
	}
	return slices.SortedFunc(maps.Keys(all), func(a, b string) int {
		return cmp.Or(cmp.Compare(btoi(b == policy.PrimaryTarget), btoi(a == policy.PrimaryTarget)), cmp.Compare(a, b))
	})
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}
