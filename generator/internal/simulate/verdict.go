package simulate

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/resgen-go/resgen/runtime/policy"
)

// Verdict is something that is wrong with policies, as a run shows it.
type Verdict struct {
	// Rule is which: "retry-storm", "long-wait", "ladder-unused", "not-recovered", "lost", "refused", "silent-stream", "no-ladder",
	// "too-few-calls" or "no-effect".
	Rule string `json:"rule"`
	// Result is "fail", or "note" for what is worth knowing and may be meant.
	Result string `json:"result"`
	// Operations are those that it is about, Target the target; one of the two.
	Operations []string `json:"operations,omitempty"`
	Target     string   `json:"target,omitempty"`
	// What says what happened, Why how it comes about, and Fix what to do.
	What string `json:"what"`
	Why  string `json:"why"`
	Fix  string `json:"fix"`
}

// The results of verdicts.
const (
	fails = "fail"
	notes = "note"
)

// Fails reports whether the verdict fails a run.
func (v *Verdict) Fails() bool { return v.Result == fails }

// judge holds a run to its expectations.
type judge struct {
	run      *Run
	scenario *Scenario
	ops      []Operation
	groups   []class
	watch    *watch
	expect   Expect
	during   string // what is judged: "in the fault", or "in the run" where nothing is wrong
}

// fewest is how many calls a share is judged of.
const fewest = 20

// all adds every verdict to the run.
func (j *judge) all() {
	j.storms()
	for i := range j.groups {
		g, t := &j.groups[i], &j.watch.classes[i]
		if t.calls == 0 {
			continue
		}
		v := view{judge: j, plan: planOf(j.ops, g), tally: t}
		for _, n := range g.ops {
			v.names = append(v.names, j.ops[n].Name)
		}
		v.refused()
		v.silent()
		if t.faultCalls >= fewest {
			v.waits()
			v.loses()
			v.ladder()
			v.recovers()
		}
	}
	j.unjudged()
	j.idle()
	slices.SortStableFunc(j.run.Verdicts, func(a, b Verdict) int { return cmp.Compare(a.Result, b.Result) })
}

// storms judges what the targets got.
func (j *judge) storms() {
	bound, ok := j.expect.bound(Amplification)
	for i := range j.run.Targets {
		t := &j.run.Targets[i]
		in, after := t.Policies.InFault, t.Policies.After
		if !ok || max(in, after) <= bound || j.watch.arrived < fewest {
			continue
		}
		when := j.during
		if after > in {
			when = "in the 5 s after the fault"
		}
		j.add(Verdict{
			Rule: "retry-storm", Target: t.Target,
			What: fmt.Sprintf("retry storm: target %q gets %.2f attempts for each call %s; expected are at most %g", t.Target, max(in, after), when, bound),
			Why:  "a target that is down or slow gets more requests than in good times, which keeps it down",
			Fix:  stormFix(j.ops),
		})
	}
}

func (j *judge) add(v Verdict) {
	if v.Result == "" {
		v.Result = fails
	}
	j.run.Verdicts = append(j.run.Verdicts, v)
}

// view is what is judged of the operations of one class.
type view struct {
	*judge

	plan  *policy.Plan
	tally *tally
	names []string
}

func (v *view) add(x Verdict) {
	x.Operations = v.names
	v.judge.add(x)
}

// refused judges what the client itself turns away while nothing is wrong.
func (v *view) refused() {
	bound, ok := v.expect.bound(Refused)
	share := percentOf(v.tally.turnedAway, v.tally.early)
	if !ok || v.tally.early < fewest || share <= bound {
		return
	}
	kind := most(v.tally.turnedBy)
	v.add(Verdict{
		Rule: "refused",
		What: fmt.Sprintf("%.1f %% of the calls are turned away as %s while nothing is wrong; expected are at most %g %%", share, kind, bound),
		Why:  refusedWhy(kind),
		Fix:  refusedFix(kind, v.plan),
	})
}

// silent judges streams that broke after their first item.
func (v *view) silent() {
	bound := v.waitBound()
	silence := quantile(v.tally.silences, 0.99)
	if len(v.tally.silences) == 0 || bound == 0 || silence <= bound {
		return
	}
	v.add(Verdict{
		Rule: "silent-stream",
		What: fmt.Sprintf("users look at a silent stream for %v before it ends; expected are at most %v", short(silence), bound),
		Why:  fmt.Sprintf("`idle` is %s and `item-gap` is %s", bounded(v.plan.Timeout.Idle), bounded(v.plan.Timeout.ItemGap)),
		Fix:  fmt.Sprintf("give the operation a timeout class with `idle: %v` and `item-gap: %v`", bound/2, bound/2),
	})
}

// waitBound is how long users may wait; 0 is not judged.
func (v *view) waitBound() time.Duration {
	x, ok := v.expect.bound(Wait)
	switch _, said := v.expect[Wait]; {
	case ok:
	case said:
		return 0
	case isModel(v.plan):
		x = modelWait
	default:
		x = usualWait
	}
	return time.Duration(x * float64(time.Second))
}

// waits judges how long users waited whose calls arrived in the fault.
func (v *view) waits() {
	bound, took := v.waitBound(), quantile(v.tally.faultWaits, 0.99)
	if bound == 0 || took <= bound {
		return
	}
	t := &v.plan.Timeout
	v.add(Verdict{
		Rule: "long-wait",
		What: fmt.Sprintf("users wait %v, one in a hundred longer; expected are at most %v", short(took), bound),
		Why:  fmt.Sprintf("`total` is %s and `attempt` is %s", bounded(t.Total), bounded(t.Attempt)),
		Fix:  waitFix(v.plan, bound),
	})
}

// loses judges how many calls of the fault got no answer.
func (v *view) loses() {
	bound, ok := v.expect.bound(Lost)
	t := v.tally
	share := percentOf(t.faultLost, t.faultCalls)
	kind := most(t.faultKinds)
	p := v.plan
	if !ok {
		v.bare(share, kind)
		return
	}
	if share <= bound {
		return
	}
	x := Verdict{
		Rule: "lost",
		What: fmt.Sprintf("%.1f %% of the calls %s get no answer, most of them by %s; expected are at most %g %%", share, v.during, kind, bound),
		Why:  lostWhy(kind, p), Fix: lostFix(kind, p),
	}
	if kind == policy.KindThrottle.String() || kind == policy.KindRateLimited.String() {
		x.What = fmt.Sprintf("rate limit: %.1f %% of the calls are lost although a Retry-After was given; expected are at most %g %%", share, bound)
	}
	if k, _ := policy.ParseKind(kind); k.InDoubt() && !p.Idempotency.Repeatable() && len(p.Fallback.Rungs) == 0 {
		x.Result = notes // what must not be repeated is lost
	}
	v.add(x)
}

// tellFrom is the share of calls from which it is worth telling that they fail, in percent.
const tellFrom = 20

// bare tells of operations of which an outage leaves nothing.
func (v *view) bare(share float64, kind string) {
	if len(v.plan.Fallback.Rungs) > 0 || v.plan.Fallback.Refuse != "" || share < tellFrom {
		return
	}
	v.add(Verdict{
		Rule: "no-ladder", Result: notes,
		What: fmt.Sprintf("%.1f %% of the calls %s fail, most of them by %s", share, v.during, kind),
		Why:  "there is nothing that answers where the target does not",
		Fix:  ladder + "; or say that there is none: `fallback: {refuse: \"reason\"}`",
	})
}

// ladder judges whether rungs were of any use.
func (v *view) ladder() {
	t, rungs := v.tally, v.plan.Fallback.Rungs
	share := percentOf(t.faultLost, t.faultCalls)
	if len(rungs) == 0 || t.faultRungs > 0 || share < 1 {
		return
	}
	kind := most(t.faultKinds)
	v.add(Verdict{
		Rule: "ladder-unused",
		What: fmt.Sprintf("the ladder is never reached: %.1f %% of the calls %s fail, most of them by %s, and no rung answers one", share, v.during, kind),
		Why:  ladderWhy(kind, v.plan), Fix: ladderFix(kind, v.plan),
	})
}

// recovers judges how soon after the fault the operation itself answers.
func (v *view) recovers() {
	limit, ok := v.expect.bound(Recovery)
	_, to := v.scenario.fault()
	bound := time.Duration(limit * float64(time.Second))
	if !ok || !v.scenario.settles() {
		return
	}
	took, back := v.tally.recovery(to)
	if back && took <= bound {
		return
	}
	what := fmt.Sprintf("the operation itself answers again %v after the fault; expected are at most %v", short(took), bound)
	if !back {
		if v.scenario.Length-to < bound { // it did not get the time
			return
		}
		what = fmt.Sprintf("the operation itself does not answer again in the %v after the fault; expected are at most %v", short(v.scenario.Length-to), bound)
	}
	x := Verdict{Rule: "not-recovered", What: what, Why: recoveryWhy(v.plan), Fix: recoveryFix(v.plan)}
	for _, guard := range []policy.Kind{policy.KindRateLimited, policy.KindBulkheadFull} { // it is not the target that keeps calls from it
		if percentOf(v.tally.rejected[guard], v.tally.calls) > tellFrom {
			x.Why, x.Fix = refusedWhy(guard.String()), refusedFix(guard.String(), v.plan)
		}
	}
	v.add(x)
}

// most is the key with the greatest number; of several the first.
func most(counts map[string]int) string {
	best := ""
	for _, k := range slices.Sorted(maps.Keys(counts)) {
		if best == "" || counts[k] > counts[best] {
			best = k
		}
	}
	return best
}

// short spells a duration as people want it.
func short(d time.Duration) time.Duration {
	switch {
	case d >= 10*time.Second:
		return d.Round(100 * time.Millisecond)
	case d >= time.Second:
		return d.Round(10 * time.Millisecond)
	default:
		return d.Round(100 * time.Microsecond)
	}
}

// bounded spells a timeout.
func bounded(d time.Duration) string {
	if d == 0 {
		return "unbounded"
	}
	return d.String()
}

// list spells names: the first few.
func list(all []string) string {
	const shown = 3
	if len(all) <= shown {
		return strings.Join(all, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(all[:shown-1], ", "), len(all)-shown+1)
}
