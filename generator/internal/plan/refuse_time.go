package plan

import (
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/resgen-go/resgen/generator/internal/annot"
	"github.com/resgen-go/resgen/generator/internal/diag"
	"github.com/resgen-go/resgen/generator/internal/source"
	"github.com/resgen-go/resgen/runtime/policy"
)

// totalTooShort refuses a total that leaves no time for what is to follow the first attempt.
func (c *refusal) totalTooShort() {
	t := c.whole.Timeout
	field := "timeout.attempt"
	if v := c.find(field); v == nil || !v.Pos.IsValid() {
		field = "timeout.total"
	}
	what := "a first attempt of " + annot.Duration(t.Attempt) + " leaves too little of the total of " + annot.Duration(t.Total) +
		" for what is to follow it"
	c.list.Add(diag.Diagnostic{
		Code: diag.TimeDoesNotFit, Span: c.at(field, "retry.attempts", "fallback", "timeout"), What: what,
		Why: "the least backoff, a tenth of an attempt and what rungs reserve must fit behind the first attempt; otherwise the retry or the " +
			"ladder never runs when it is needed",
		Fix:     c.fixOfTotal(),
		Related: slices.Concat(c.related("retry.attempts", "the retries are asked for here"), c.where()),
	})
}

// fixOfTotal proposes an attempt for which everything fits; where reserves and backoff alone are too long, a total.
func (c *refusal) fixOfTotal() string {
	t := c.whole.Timeout
	behind := c.behind()
	followers := max(c.whole.Retry.Attempts, 1) + sendingRungs(&c.whole)
	if left := t.Total - behind; left > 0 {
		if attempt := roundDown(left / time.Duration(max(followers, 2))); attempt > 0 {
			return "write `attempt: " + annot.Duration(attempt) + "` in the timeout class"
		}
	}
	need := times(followers, t.Attempt)
	total := annot.Duration(roundUp(need + min(behind, math.MaxInt64-need)))
	if c.r.tree.written("timeout") == nil {
		return "define a class, `timeout-classes: {long: {total: " + total + "}}`, and add `timeout: long`"
	}
	return "write `total: " + total + "` in the timeout class"
}

// behind is the time that must be left behind the attempts: the least backoff and what rungs reserve.
func (c *refusal) behind() time.Duration {
	var d time.Duration
	b := c.whole.Retry.Backoff
	if c.whole.Retry.Attempts > 1 {
		switch b.Jitter {
		case policy.EqualJitter:
			d = b.Base / 2
		case policy.NoJitter, policy.DecorrelatedJitter:
			d = b.Base
		default:
		}
	}
	for _, rung := range c.whole.Fallback.Rungs {
		d += min(rung.Reserve, math.MaxInt64-d)
	}
	return d
}

// streamSilence refuses a bound on silence that the end of the stream makes void.
func (c *refusal) streamSilence(p policy.Problem) {
	key := p.Field[len("timeout."):]
	at := c.find(p.Field)
	if at == nil {
		return
	}
	bound := min(30*time.Second, roundDown(c.whole.Timeout.MaxStream/2))
	c.list.Add(diag.Diagnostic{
		Code: diag.StreamTimersTooLong, Span: c.at(p.Field),
		What:    quoted(key) + " is " + at.Text + ", but the stream ends after " + annot.Duration(c.whole.Timeout.MaxStream),
		Why:     "a stall would never be noticed before the stream's own end",
		Fix:     "write `" + key + ": " + annot.Duration(bound) + "`",
		Related: c.related("timeout.max-stream", "the stream's end is set here"),
	})
}

// attemptsExceedTotal warns where not all attempts can take their whole time.
func (c *refusal) attemptsExceedTotal() {
	t, n := c.whole.Timeout, c.whole.Retry.Attempts
	total := roundUp(times(n, t.Attempt))
	c.list.Add(diag.Diagnostic{
		Code: diag.AttemptsExceedTotal, Severity: diag.Warning, Span: c.at("timeout.attempt", "retry.attempts", "use", "timeout"),
		What:    fmt.Sprintf("%d attempts of %s take longer than the total of %s", n, annot.Duration(t.Attempt), annot.Duration(t.Total)),
		Why:     "where each takes its whole time, the last ones are cut short or never made",
		Fix:     "write `total: " + annot.Duration(total) + "`, or `attempt: " + annot.Duration(roundDown(t.Total/time.Duration(n))) + "`",
		Related: c.where(),
	})
}

// reserveBelowSlow warns of a rung whose share ends before a call counts as slow.
func (c *refusal) reserveBelowSlow(p policy.Problem) {
	i := rungOf(p.Field)
	if i < 0 || i >= len(c.whole.Fallback.Rungs) {
		return
	}
	rung := c.whole.Fallback.Rungs[i]
	slow := c.whole.Breaker.SlowCall
	if slow <= 0 {
		slow = c.whole.Timeout.Attempt / 5 * 4
	}
	c.list.Add(diag.Diagnostic{
		Code: diag.ShareBelowSlowCall, Severity: diag.Warning, Span: c.at(p.Field),
		What: c.name() + ": the rung " + quoted(rung.Name) + " gets " + annot.Duration(rung.Reserve) + ", and a call is slow from " +
			annot.Duration(slow),
		Why: "an attempt that is cut short before it counts as slow tells the breaker nothing",
		Fix: "write `reserve: " + annot.Duration(roundUp(slow)) + "`, or a shorter `slow-call` in `breaker`",
	})
}

// probesZero refuses a breaker that never closes.
func (c *refusal) probesZero(p policy.Problem) {
	key := p.Field[len(parent(p.Field))+1:]
	c.list.Add(diag.Diagnostic{
		Code: diag.NoProbes, Span: c.at(p.Field), What: quoted(p.Field) + ": " + p.Text,
		Why: "a breaker closes by the results of its probes; without any it stays open for ever", Fix: "write `" + key + ": 3`",
	})
}

// unsound reports every other contradiction that the machines find in a plan.
func (c *refusal) unsound(p policy.Problem) {
	severity := diag.Error
	if p.Warning {
		severity = diag.Warning
	}
	c.list.Add(diag.Diagnostic{
		Code: diag.UnsoundPlan, Severity: severity, Span: c.at(p.Field), What: quoted(p.Field) + ": " + p.Text,
		Why: "the machine that carries the policy out cannot work with these values together", Fix: c.fixOf(p),
	})
}

// fixOf proposes the value that fits those beside it.
func (c *refusal) fixOf(p policy.Problem) string {
	beside := func(key string) *source.Value { return c.find(parent(p.Field) + "." + key) }
	write := func(key string, v *source.Value) string {
		if v == nil {
			return "remove the key; it is then filled in"
		}
		return "write `" + key + ": " + v.Text + "`"
	}
	key := p.Field[len(parent(p.Field)):]
	switch {
	case p.Code == policy.BackoffShape && key == ".max":
		return write("max", beside("base"))
	case p.Code == policy.OpenShape && key == ".open-max":
		return write("open-max", beside("open-for"))
	case p.Code == policy.WindowShape && key == ".min-calls":
		return write("min-calls", beside("window.calls"))
	case p.Code == policy.RateOutOfRange && key == ".extra-load":
		return "write `extra-load: 5%`"
	case p.Code == policy.ShedShape && key == ".max-reject":
		return "write `max-reject: 90%`"
	case p.Code == policy.AdaptiveUnbounded:
		return "write `max-concurrent: 64`"
	case p.Code == policy.RateOutOfRange:
		return "write `" + key[1:] + ": 50%`"
	default:
		return "change the value, or remove the key: `recommended` then fills it in"
	}
}

// roundDown and roundUp make a duration that is read easily: two digits, the rest zero.
func roundDown(d time.Duration) time.Duration { return d - d%grain(d) }

func roundUp(d time.Duration) time.Duration {
	if down := roundDown(d); down == d || d > math.MaxInt64-grain(d) {
		return down
	}
	return roundDown(d + grain(d))
}

// times is n × d, at most the longest duration that there is.
func times(n int, d time.Duration) time.Duration {
	if d > 0 && n > 0 && d > math.MaxInt64/time.Duration(n) {
		return math.MaxInt64
	}
	return time.Duration(n) * d
}

func grain(d time.Duration) time.Duration {
	unit := time.Duration(1)
	for d/unit >= 100 {
		unit *= 10
	}
	return unit
}
