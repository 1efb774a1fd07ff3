package status

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/resgen-go/resgen/runtime/policy"
)

// bulkhead shows the bulkhead of a row.
func (a *row) bulkhead() {
	b := &a.m.Bulkhead
	if b.MaxConcurrent == 0 {
		return
	}
	a.t.Bulkhead = &Bulkhead{
		InFlight: b.InFlight, Limit: b.Limit, MaxConcurrent: b.MaxConcurrent, Queued: b.Queued, MaxQueued: b.MaxQueue,
		OldestSeconds: b.Oldest.Seconds(), Overload: b.Overload,
	}
	a.t.Text.Load = fmt.Sprintf("%d of %d", b.InFlight, b.Limit)
	if b.Limit < b.MaxConcurrent {
		a.t.Text.Load += fmt.Sprintf(" (at best %d)", b.MaxConcurrent)
	}
	if b.Queued > 0 {
		a.t.Text.Load += fmt.Sprintf(", %d queued", b.Queued)
	}
	ep := a.rejecting(policy.KindBulkheadFull)
	full := b.InFlight >= b.Limit && b.Queued > 0
	if !full && !b.Overload && ep.bad == 0 {
		return
	}
	operation := ""
	if a.m.OwnBulkhead {
		operation = a.t.Operation
	}
	text := fmt.Sprintf("is busy%s: %d of %d places are taken, %s", since(ep.since, a.now), b.InFlight, b.Limit, wait(b.Queued))
	if ep.bad > 0 {
		text += fmt.Sprintf(", %s not let through", were(ep.bad, "attempt"))
	}
	a.problemf(a.m.Repeats.Bulkhead, Problem{
		State: Degraded, What: "bulkhead", Operation: operation, Kind: policy.KindBulkheadFull.String(), Since: ep.since,
	}, "%s.", text)
}

// wait returns "1 call waits" or "12 calls wait".
func wait(n int) string {
	if n == 1 {
		return "1 call waits"
	}
	return counted(n, "call") + " wait"
}

// limits shows what is left of the limits of a row.
func (a *row) limits() {
	l := &a.m.Limit
	var words []string
	for _, bucket := range []struct {
		of string
		b  policy.BucketSnapshot
	}{{"requests", l.Requests}, {"tokens", l.Tokens}, {"input-tokens", l.Input}, {"output-tokens", l.Output}} {
		of, b := bucket.of, &bucket.b
		if b.Most == 0 {
			continue
		}
		a.t.Limits = append(a.t.Limits, Limit{
			Of: of, Left: b.Balance, Most: b.Most, PerSecond: b.PerSecond, LoweredUntil: utc(b.LearnedUntil), PausedUntil: utc(b.PausedUntil),
		})
		words = append(words, fmt.Sprintf("%s of %s %s", number(b.Balance), number(b.Most), strings.ReplaceAll(of, "-", " ")))
		switch {
		case !b.PausedUntil.IsZero():
			a.problemf(a.m.Repeats.Limit, Problem{State: Degraded, What: "limit", Kind: policy.KindRateLimited.String()},
				"is not called: its limit of %s is used up until %s, in %s.", of, clock(b.PausedUntil, a.now), span(b.PausedUntil.Sub(a.now)))
		case !b.LearnedUntil.IsZero():
			a.problemf(a.m.Repeats.Limit, Problem{State: Notice, What: "limit"}, "has lowered its limit of %s to %s a second until %s, in %s.",
				of, number(b.PerSecond), clock(b.LearnedUntil, a.now), span(b.LearnedUntil.Sub(a.now)))
		}
	}
	if l.Alone {
		a.problemf(a.m.Repeats.Limit, Problem{State: Degraded, What: "limit store", Since: l.Since},
			"is limited by this instance's part, one of %d, of the limit %q%s: the store that all share it in does not answer.",
			max(l.Replicas, 1), clean(l.Shared), since(l.Since, a.now))
	}
	a.t.Waiting = l.Waiting
	if l.Waiting > 0 {
		words = append(words, counted(l.Waiting, "call")+" in line")
		ep := a.rejecting(policy.KindRateLimited)
		a.problemf(a.m.Repeats.Limit, Problem{State: Notice, What: "limit", Since: ep.since}, "is called no faster than its limit allows%s: %s in line.",
			since(ep.since, a.now), wait(l.Waiting))
	}
	if p := a.t.Pause; p != nil {
		words = slices.Insert(words, 0, "paused for "+span(p.Until.Sub(a.now)))
	}
	a.t.Text.Limits = strings.Join(words, ", ")
}

// money shows the budgets of a row: of retries, and of money.
func (a *row) money() {
	m := a.m
	if m.BudgetMost > 0 {
		a.t.Budget = &Budget{Balance: m.Budget, Most: m.BudgetMost}
		a.t.Text.Budget = fmt.Sprintf("%s of %s", number(m.Budget), number(m.BudgetMost))
		if ep := a.rejecting(policy.KindBudget); m.Budget < 1 || ep.bad > 0 {
			a.problemf(m.Repeats.Budget, Problem{State: Notice, What: "budget", Kind: policy.KindBudget.String(), Since: ep.since},
				"is not tried again as often as plans say%s: its budget of retries has %s of %s left.",
				since(ep.since, a.now), number(m.Budget), number(m.BudgetMost))
		}
	}
	if p := m.Spending; p.Amount > 0 {
		a.t.Spending = &Spending{Spent: p.Spent, Reserved: p.Reserved, Most: p.Amount}
		a.t.Text.Limits = strings.TrimPrefix(fmt.Sprintf("%s, %.2f of %.2f spent", a.t.Text.Limits, p.Spent, p.Amount), ", ")
		if p.Spent+p.Reserved >= p.Amount {
			a.problemf(m.Repeats.Spending, Problem{State: Degraded, What: "spending"},
				"is not called by those who have no money left: %.2f of %.2f spent, %.2f reserved.", p.Spent, p.Amount, p.Reserved)
		}
	}
}

// shed shows what is rejected of a row's calls because the target does not take them.
func (a *row) shed() {
	s := &a.m.Shed
	if s.Requests == 0 && s.Share == 0 {
		return
	}
	a.t.Shed = &Shed{Requests: s.Requests, Accepted: s.Accepted, Rejected: s.Rejected, Share: s.Share}
	if ep := a.rejecting(policy.KindShed); s.Share > 0 {
		a.problemf(a.m.Repeats.Shed, Problem{State: Degraded, What: "shed", Kind: policy.KindShed.String(), Since: ep.since},
			"takes too few calls: %s of them are rejected here%s; it took %d of %d lately.", percent(s.Share), since(ep.since, a.now), s.Accepted, s.Requests)
	}
}

// abandoned shows what runs although nobody waits for it.
func (a *row) abandoned() {
	for _, operation := range a.m.Operations {
		left := a.m.Abandoned[operation]
		if left.Running == 0 {
			continue
		}
		name := clean(operation)
		a.problemf(false, Problem{State: Notice, What: "abandoned", Operation: name, Since: time.Time{}},
			"has %s of %s that nobody waits for any more: they do not end with their contexts.", counted(int(left.Running), "attempt"), name)
	}
}
