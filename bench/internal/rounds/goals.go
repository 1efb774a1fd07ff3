package rounds

import (
	"fmt"
	"slices"
)

// Goal is a promise about one arm.
type Goal struct {
	// Text says what is promised.
	Text string
	// Most is the largest value that keeps it, Least the smallest: one of them is set, or neither, which promises 0. Unit is what they count.
	Most, Least float64
	Unit        string
	// Reason is why a missed goal is missed, if that is known; it explains values between the goal and Explains, and none beyond.
	Reason   string
	Explains float64

	value func(*Results) (float64, bool)
}

// Goals returns the promises.
func Goals() []Goal { return slices.Concat(stackGoals(), wireGoals()) }

// stackGoals are about calls without what they say.
func stackGoals() []Goal {
	const full, everything, hedged = "Seq/resgen/full", "Seq/resgen/full+limit+budget+adaptive", "Seq/resgen/full+hedge"
	return []Goal{
		{
			Text: "full stack, of the floor", Most: 1.5, Unit: "x", value: times(full, "Seq/floor/full"),
			Reason: "tickets and permits that are recognised when they come back twice or late, a window of the newest calls, and histograms that " +
				"the floor leaves out; see ADR 22",
			Explains: 2.3,
		},
		{Text: "full stack", Most: 1, Unit: " allocations", value: allocs(full)},
		{Text: "full stack with limit, budget and adaptive bulkhead, of the floor", Most: 3, Unit: "x", value: times(everything, "Seq/floor/full")},
		{
			Text: "full stack with an armed hedge, of failsafe-go's", Most: .25, Unit: "x", value: times(hedged, "Seq/failsafe/full+hedge"),
			Reason:   "a goroutine for the attempt, a timer for the copy and a context that can be cancelled are most of it; see ADR 17",
			Explains: .4,
		},
		{Text: "full stack with an armed hedge", Most: 10, Unit: " allocations", value: allocs(hedged)},
		{Text: "open breaker, of the floor", Most: 1.5, Unit: "x", value: times("OpenSeq/resgen", "OpenSeq/floor")},
		{
			Text: "open breaker, of gobreaker", Most: .6, Unit: "x", value: times("OpenSeq/resgen", "OpenSeq/gobreaker"),
			Reason:   "by no more than what runs of one day differ by, .62x to .65x",
			Explains: .66,
		},
		{Text: "open breaker", Most: 0, Unit: " allocations", value: allocs("OpenSeq/resgen")},
		{Text: "HTTP call with the full stack, over net/http", Most: 10, Unit: " allocations", value: moreAllocs("Stub/resgen/full-bytes", "Stub/net-http/bytes")},
		{Text: "HTTP call with the full stack, over net/http", Most: 2000, Unit: " ns", value: more("Stub/resgen/full-bytes", "Stub/net-http/bytes")},
		{
			Text: "HTTP call with limits of tokens, breaker, budget and ladder, over the bare one", Most: 10, Unit: " allocations",
			value: moreAllocs("Stub/resgen/limits-json", "Stub/resgen/bare-json"),
		},
		{
			Text: "HTTP call with limits of tokens, breaker, budget and ladder, over the bare one", Most: 2000, Unit: " ns",
			value: more("Stub/resgen/limits-json", "Stub/resgen/bare-json"),
		},
		{
			Text: "the same where the provider's preset judges answers, over the bare one", Most: 10, Unit: " allocations",
			value: moreAllocs("Stub/resgen/model-json", "Stub/resgen/bare-json"),
		},
		{
			Text: "the same where the provider's preset judges answers, over the bare one", Most: 2000, Unit: " ns",
			value: more("Stub/resgen/model-json", "Stub/resgen/bare-json"),
			Reason: "what is left are the walk over the answer's members by which the preset judges and counts it, the limits' ledger, and the " +
				"memory of the meter; see ADR 51",
			Explains: 7000,
		},
	}
}

func times(arm, base string) func(*Results) (float64, bool) {
	return func(r *Results) (float64, bool) { return r.paired(arm, base, ratio) }
}

// faster is how many times as long as arm base takes.
func faster(arm, base string) func(*Results) (float64, bool) { return times(base, arm) }

// allocsOfEach is how much an operation that does n things allocates for one of them.
func allocsOfEach(arm string, n float64) func(*Results) (float64, bool) {
	return func(r *Results) (float64, bool) {
		a, ok := r.median(arm, allocsOf)
		return a / n, ok
	}
}

func more(arm, base string) func(*Results) (float64, bool) {
	return func(r *Results) (float64, bool) { return r.paired(arm, base, difference) }
}

func allocs(arm string) func(*Results) (float64, bool) {
	return func(r *Results) (float64, bool) { return r.median(arm, allocsOf) }
}

func moreAllocs(arm, base string) func(*Results) (float64, bool) {
	return func(r *Results) (float64, bool) {
		a, okA := r.median(arm, allocsOf)
		b, okB := r.median(base, allocsOf)
		return a - b, okA && okB
	}
}

// verdict says in words whether the results keep the goal.
func (g Goal) verdict(r *Results) (measured, verdict string) {
	v, ok := g.value(r)
	switch {
	case !ok:
		return "-", "not measured"
	case g.keeps(v, g.Most, g.Least):
		return number(v) + g.Unit, "kept"
	case g.Reason != "" && g.keeps(v, g.Explains, g.Explains):
		return number(v) + g.Unit, "**missed**: " + g.Reason
	default:
		return number(v) + g.Unit, "**missed**"
	}
}

func (g Goal) keeps(v, most, least float64) bool {
	if g.Least > 0 {
		return v >= least
	}
	return v <= most
}

// bound says what keeps the goal.
func (g Goal) bound() string {
	if g.Least > 0 {
		return "≥ " + number(g.Least) + g.Unit
	}
	return "≤ " + number(g.Most) + g.Unit
}

// number writes three digits that count.
func number(v float64) string {
	switch {
	case v >= 100 || v <= -100 || v == float64(int64(v)):
		return fmt.Sprintf("%.0f", v)
	case v >= 10 || v <= -10:
		return fmt.Sprintf("%.1f", v)
	default:
		return fmt.Sprintf("%.2f", v)
	}
}
