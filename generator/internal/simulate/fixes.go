package simulate

import (
	"fmt"
	"slices"
	"time"

	"github.com/resgen-go/resgen/runtime/policy"
)

// stormFix says what keeps retries from multiplying load.
func stormFix(ops []Operation) string {
	var without []string
	breaker, p := false, &ops[0].Plan
	for i := range ops {
		o := &ops[i]
		if o.Plan.Retry.Attempts <= 1 && o.Plan.Hedge.Max == 0 {
			continue
		}
		p = &o.Plan
		if t := policy.TargetOf(p, policy.PrimaryTarget); t.Budget == (policy.BudgetConfig{}) {
			without = append(without, o.Name)
		}
		breaker = breaker || p.Breaker.Mode != policy.BreakerOff
	}
	switch {
	case len(without) > 0:
		return fmt.Sprintf("turn the budget on for %s: `budget: {ratio: 20%%, min-per-second: 1}`", list(without))
	case !breaker:
		return "add `breaker: {}`, so that a target that is down is left alone"
	default:
		return fmt.Sprintf("lower `retry.attempts` (now %d) or `budget.ratio` (now %g %%)", p.Retry.Attempts, 100*p.Budget.Ratio)
	}
}

// waitFix says how users wait less.
func waitFix(p *policy.Plan, bound time.Duration) string {
	total := bound.Round(time.Second)
	if total == 0 {
		total = bound
	}
	fix := fmt.Sprintf("set a timeout: `timeout-classes: {bounded: {total: %v, attempt: %v}}`, and `timeout: bounded` at the operation", total, total/4)
	if p.Breaker.Mode == policy.BreakerOff {
		fix += "; with `breaker: {}` most users do not wait at all"
	}
	return fix
}

// refusedWhy says what turns calls away.
func refusedWhy(kind string) string {
	switch kind {
	case policy.KindBulkheadFull.String():
		return "more calls are in flight than `bulkhead.max-concurrent` lets through"
	case policy.KindRateLimited.String():
		return "more calls arrive than `limit` lets through or pays for, and they may not wait so long"
	default:
		return "the client's own guards are tighter than the load"
	}
}

// refusedFix says what lets calls through.
func refusedFix(kind string, p *policy.Plan) string {
	switch kind {
	case policy.KindBulkheadFull.String():
		return fmt.Sprintf("raise `bulkhead.max-concurrent` (now %d), or simulate the load that you have with --rate", p.Bulkhead.MaxConcurrent)
	case policy.KindRateLimited.String():
		return "raise `limit`, give calls a longer `timeout.total` to wait for their turn, or simulate the load that you have with --rate"
	default:
		return "loosen it, or simulate the load that you have with --rate"
	}
}

// retries reports whether a plan retries a kind, by its name.
func retries(kind string, p *policy.Plan) bool {
	k, ok := policy.ParseKind(kind)
	return ok && p.Retry.Attempts > 1 && slices.Contains(p.Retry.On, k)
}

// lostWhy says why calls that might have been answered were not.
func lostWhy(kind string, p *policy.Plan) string {
	switch k, _ := policy.ParseKind(kind); {
	case k.Local():
		return "the client turns calls away, and no rung takes them"
	case p.Retry.Attempts <= 1:
		return "a call makes one attempt, although most attempts succeed"
	case !retries(kind, p) && !p.Idempotency.Repeatable():
		return kind + " leaves open whether the request was executed, and the operation may not be repeated"
	case !retries(kind, p):
		return "`retry.on` does not list " + kind
	default:
		return fmt.Sprintf("%d attempts within %s are not enough, or the budget does not pay for them", p.Retry.Attempts, bounded(p.Timeout.Total))
	}
}

// ladder is how to add one.
const ladder = "add a ladder, such as `fallback: [{name: backup, target: backup}]` with `targets: {backup: {base-url: \"https://backup.example.com\"}}` at the top"

// lostFix says how they are answered.
func lostFix(kind string, p *policy.Plan) string {
	switch k, _ := policy.ParseKind(kind); {
	case k.Local():
		return ladder + ", or loosen what turns them away"
	case p.Retry.Attempts <= 1 && !p.Idempotency.Repeatable() && k.InDoubt():
		return "declare what makes a repetition safe, such as `idempotency: keyed` with a `key`, and `retry: {attempts: 3}`; or " + ladder
	case p.Retry.Attempts <= 1:
		return "`retry: {attempts: 3}` with `budget: {ratio: 20%, min-per-second: 1}`"
	case !retries(kind, p) && !p.Idempotency.Repeatable():
		return "declare what makes a repetition safe, such as `idempotency: keyed` with a `key`; or " + ladder
	case !retries(kind, p):
		return fmt.Sprintf("add %s to `retry.on`", kind)
	case k == policy.KindThrottle:
		return "let calls wait before they are sent: `limit: {requests: ...}` at what the target takes; or " + ladder
	default:
		return fmt.Sprintf("raise `budget.ratio` (now %g %%) or `retry.attempts` (now %d); or %s", 100*p.Budget.Ratio, p.Retry.Attempts, ladder)
	}
}

// reaches are the rungs that a failure of that kind leads to.
func reaches(kind string, p *policy.Plan) []string {
	k, _ := policy.ParseKind(kind)
	var out []string
	for i := range p.Fallback.Rungs {
		if r := &p.Fallback.Rungs[i]; slices.Contains(r.When, k) {
			out = append(out, r.Name)
		}
	}
	return out
}

// ladderWhy says why no rung was of use.
func ladderWhy(kind string, p *policy.Plan) string {
	if len(reaches(kind, p)) == 0 {
		return "no rung's `when` lists " + kind
	}
	return fmt.Sprintf("`total` is %s and `attempt` is %s: what is tried before leaves the rungs no time, or they fail too",
		bounded(p.Timeout.Total), bounded(p.Timeout.Attempt))
}

// ladderFix says how one is.
func ladderFix(kind string, p *policy.Plan) string {
	first := p.Fallback.Rungs[0].Name
	if len(reaches(kind, p)) == 0 {
		return fmt.Sprintf("add %s to `when` of rung %q, or write `when: [any]`", kind, first)
	}
	return fmt.Sprintf("leave the rungs time: an `attempt` of less than half of `total`, or `reserve` at rung %q", first)
}

// recoveryWhy says what keeps an operation from its target when that is well again.
func recoveryWhy(p *policy.Plan) string {
	if p.Breaker.Mode == policy.BreakerOn {
		return fmt.Sprintf("the breaker stays open for up to %v, and the target is found again by its probes", p.Breaker.OpenMax*5/4)
	}
	return "what was left to do when the fault ended keeps the target busy"
}

// recoveryFix says how it gets back sooner.
func recoveryFix(p *policy.Plan) string {
	switch {
	case p.Breaker.Mode == policy.BreakerOn && p.Breaker.OpenMax > 15*time.Second:
		return fmt.Sprintf("lower `breaker.open-max` (now %v) and `breaker.open-for` (now %v)", p.Breaker.OpenMax, p.Breaker.OpenFor)
	case p.Breaker.Mode == policy.BreakerOff:
		return "add `breaker: {}` and `budget: {ratio: 20%, min-per-second: 1}`, so that the target gets room to recover"
	default:
		return "lower `retry.attempts`, or add `shed: {factor: 2}`, so that the target gets room to recover"
	}
}
