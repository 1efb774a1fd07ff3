package policy

import (
	"fmt"
	"math"
	"time"
)

// Problem is a rule that a plan breaks.
type Problem struct { //nolint:errname // a finding first, warnings included; only the runtime returns one as an error
	// Code names the rule.
	Code ProblemCode
	// Field is the path of the value in annotation keys: "retry.attempts", "fallback[1].when", "targets.secondary.breaker.probes".
	Field string
	// Text says what is wrong, as one clause in lower case.
	Text string
	// Warning says that the plan can be executed all the same.
	Warning bool
}

// Error returns the field and the text.
func (p Problem) Error() string { return p.Field + ": " + p.Text }

// Validate returns what is wrong with a plan, as far as the plan alone shows it, in the order of its fields; nil if nothing is. A plan
// without any timeout passes: the zero Plan is defined. The generator refuses it where an author wrote it.
func (p Plan) Validate() []Problem {
	c := &checker{}
	c.facts(p)
	c.timeout(p.Timeout)
	c.retry(p)
	c.budget("budget", p.Budget)
	c.breaker("breaker", p.Breaker)
	c.bulkhead("bulkhead", p.Bulkhead)
	c.limit("limit", p.Limit)
	c.counted(p)
	c.prices(p)
	c.shed(p)
	c.hedge(p)
	c.cache(p)
	c.space(p)
	c.ids(p)
	c.data(p)
	c.partial(p)
	c.exercise(p)
	c.fallback(p)
	c.targets(p)
	c.fit(p)
	c.room(p)
	return c.problems
}

// checker collects problems.
type checker struct{ problems []Problem }

func (c *checker) refusef(code ProblemCode, field, format string, args ...any) {
	c.problems = append(c.problems, Problem{Code: code, Field: field, Text: fmt.Sprintf(format, args...)})
}

func (c *checker) warnf(code ProblemCode, field, format string, args ...any) {
	c.problems = append(c.problems, Problem{Code: code, Field: field, Text: fmt.Sprintf(format, args...), Warning: true})
}

// span is a duration with the path of its field.
type span struct {
	field string
	value time.Duration
}

func (c *checker) durations(spans ...span) {
	for _, s := range spans {
		if s.value < 0 {
			c.refusef(NegativeValue, s.field, "%v is negative", s.value)
		}
	}
}

// number is an integer with the path of its field.
type number struct {
	field string
	value int
}

func (c *checker) numbers(numbers ...number) {
	for _, n := range numbers {
		if n.value < 0 {
			c.refusef(NegativeValue, n.field, "%d is negative", n.value)
		}
	}
}

// share checks a rate; where zero is allowed it means off.
func (c *checker) share(field string, rate float64, zero bool) {
	if rate > 0 && rate <= 1 || zero && rate == 0 {
		return
	}
	c.refusef(RateOutOfRange, field, "%v is no share: it must be above 0 and at most 1", rate)
}

// known checks that a value of an enum has a name.
func (c *checker) known(field string, names []string, v uint8) {
	if int(v) >= len(names) || names[v] == "" {
		c.refusef(UnknownValue, field, "%d stands for nothing", v)
	}
}

func (c *checker) kinds(field string, kinds []Kind) {
	for _, k := range kinds {
		if k == KindNone || k >= kindCount {
			c.refusef(UnknownValue, field, "%v is no kind of failure", k)
		}
	}
}

func (c *checker) facts(p Plan) {
	c.known("idempotency", idempotencyNames[:], uint8(p.Idempotency))
	c.known("key.format", keyFormatNames, uint8(p.Key.Format))
	c.known("key.source", keySourceNames, uint8(p.Key.Source))
	c.durations(span{"key.ttl", p.Key.TTL})
	if p.Key.Source != KeyUUIDv7 && p.Key.From == "" {
		c.refusef(KeySourceMissing, "key."+p.Key.Source.String(), "the key comes from a %v that is not named", p.Key.Source)
	}
	for i, r := range p.Errors.Rules {
		c.kinds(fmt.Sprintf("errors[%d]", i), []Kind{r.Kind})
	}
	for i, r := range p.Errors.Answers {
		field := fmt.Sprintf("errors.when[%d]", i)
		c.kinds(field, []Kind{r.Kind})
		if len(r.When) == 0 {
			c.refusef(UnknownValue, field, "a rule that says nothing would make a failure of every answer")
		}
	}
	c.known("stream.format", streamFormatNames, uint8(p.Stream.Format))
	c.itemRules(p.Stream)
	if p.Criticality >= criticalityCount {
		c.refusef(UnknownValue, "criticality", "%d stands for nothing", p.Criticality)
	}
}

func (c *checker) timeout(t Timeout) {
	c.durations(
		span{"timeout.total", t.Total}, span{"timeout.attempt", t.Attempt}, span{"timeout.connect", t.Connect},
		span{"timeout.first-byte", t.FirstByte}, span{"timeout.first-item", t.FirstItem}, span{"timeout.idle", t.Idle},
		span{"timeout.item-gap", t.ItemGap}, span{"timeout.max-stream", t.MaxStream}, span{"timeout.per-token", t.PerToken},
		span{"timeout.min-rate", t.MinRate.Over},
	)
	if r := t.MinRate; r.PerSecond < 0 || math.IsNaN(r.PerSecond) || r.PerSecond > 0 && r.Over == 0 || r.PerSecond == 0 && (r.Over != 0 || r.Enforce) {
		c.refusef(NegativeValue, "timeout.min-rate", "%v in a second over %v is no rate", r.PerSecond, r.Over)
	}
	if r := t.MinRate; r.Over > 0 && t.MaxStream > 0 && r.Over >= t.MaxStream {
		c.refusef(StreamSilence, "timeout.min-rate", "%v never passes: the stream ends after %v (max-stream)", r.Over, t.MaxStream)
	}
	for _, s := range []span{{"timeout.idle", t.Idle}, {"timeout.item-gap", t.ItemGap}} {
		if t.MaxStream > 0 && s.value >= t.MaxStream {
			c.refusef(StreamSilence, s.field, "%v never counts: the stream ends after %v (max-stream)", s.value, t.MaxStream)
		}
	}
}

func (c *checker) retry(p Plan) {
	r := p.Retry
	c.numbers(number{"retry.attempts", r.Attempts})
	c.durations(
		span{"retry.backoff.base", r.Backoff.Base}, span{"retry.backoff.max", r.Backoff.Max},
		span{"retry.respect-retry-after.max", r.RetryAfterMax},
	)
	c.known("retry.backoff.jitter", jitterNames, uint8(r.Backoff.Jitter))
	if m := r.Backoff.Multiplier; m != 0 && !(m >= 1 && m <= math.MaxFloat32) {
		c.refusef(BackoffShape, "retry.backoff.multiplier", "%v does not let the wait grow: it must be at least 1", m)
	}
	if b := r.Backoff; b.Max > 0 && b.Max < b.Base {
		c.refusef(BackoffShape, "retry.backoff.max", "%v is below the base of %v", b.Max, b.Base)
	}
	c.kinds("retry.on", r.On)
	if r.Attempts <= 1 {
		return
	}
	for _, k := range r.On {
		switch {
		case k == KindNone || k >= kindCount:
		case !k.RetriedHere():
			c.refusef(RetryNotRetryable, "retry.on", "trying the same target again does not help against %q", k)
		case !p.Idempotency.Repeatable() && k.InDoubt():
			c.refusef(RetryInDoubt, "retry.on", "%q leaves open if the request was executed, and it may not be executed twice", k)
		}
	}
}

func (c *checker) budget(at string, b BudgetConfig) {
	c.share(at+".ratio", b.Ratio, true)
	if !(b.MinPerSecond >= 0 && b.MinPerSecond <= math.MaxFloat32) {
		c.refusef(NegativeValue, at+".min-per-second", "%v is no rate", b.MinPerSecond)
	}
	if !(b.Cap >= 0 && b.Cap <= math.MaxFloat32) {
		c.refusef(NegativeValue, at+".cap", "%v is no number of tokens", b.Cap)
	}
}

func (c *checker) breaker(at string, b BreakerConfig) {
	c.known(at+".mode", breakerModeNames, uint8(b.Mode))
	c.known(at+".scope", scopeNames, uint8(b.Scope))
	c.numbers(number{at + ".consecutive", b.Consecutive})
	c.durations(span{at + ".window.age", b.WindowAge}, span{at + ".slow-call", b.SlowCall})
	if b.Mode == BreakerOff {
		return
	}
	c.share(at+".failure-rate", b.FailureRate, false)
	c.share(at+".slow-rate", b.SlowRate, true)
	if b.WindowCalls < 1 || b.WindowCalls > maxWindow {
		c.refusef(WindowShape, at+".window.calls", "%d is not from 1 to %d", b.WindowCalls, maxWindow)
	}
	if b.MinCalls < 1 || b.MinCalls > b.WindowCalls {
		c.refusef(WindowShape, at+".min-calls", "%d is not from 1 to the %d calls of the window", b.MinCalls, b.WindowCalls)
	}
	if b.OpenFor <= 0 {
		c.refusef(OpenShape, at+".open-for", "%v does not keep the breaker open", b.OpenFor)
	}
	if b.OpenMax < b.OpenFor {
		c.refusef(OpenShape, at+".open-max", "%v is below the open-for of %v", b.OpenMax, b.OpenFor)
	}
	if b.Probes < 1 {
		c.refusef(ProbesZero, at+".probes", "%d lets no call find out that the target is back", b.Probes)
	}
	if b.CloseAfter < 1 {
		c.refusef(ProbesZero, at+".close-after", "%d is no number of results to close on", b.CloseAfter)
	}
}

func (c *checker) bulkhead(at string, b BulkheadConfig) {
	c.numbers(number{at + ".max-concurrent", b.MaxConcurrent}, number{at + ".max-queue", b.MaxQueue})
	c.durations(span{at + ".max-wait", b.MaxWait})
	c.known(at+".scope", scopeNames, uint8(b.Scope))
	c.known(at+".per", partitionNames, uint8(b.Per))
	if b.Adaptive && b.MaxConcurrent == 0 {
		c.refusef(AdaptiveUnbounded, at+".max-concurrent", "the limit that follows the latency has no upper bound")
	}
}

func (c *checker) fallback(p Plan) {
	if p.Fallback.Refuse != "" && len(p.Fallback.Rungs) > 0 {
		c.refusef(RefuseWithRungs, "fallback.refuse", "the operation never degrades, and yet has %d rungs", len(p.Fallback.Rungs))
	}
	names := map[string]bool{}
	for i, r := range p.Fallback.Rungs {
		at := fmt.Sprintf("fallback[%d]", i)
		if r.Name == "" {
			c.refusef(RungIncomplete, at+".name", "the rung has no name")
		} else if names[r.Name] {
			c.refusef(RungTwice, at+".name", "another rung is called %q", r.Name)
		}
		names[r.Name] = true
		c.known(at, rungSortNames, uint8(r.Sort))
		if r.Sort == RungOperation && r.Operation == "" {
			c.refusef(RungIncomplete, at+".operation", "the rung names no operation")
		}
		c.known(at+".level", levelNames[:], uint8(r.Level))
		c.durations(span{at + ".reserve", r.Reserve})
		c.when(at+".when", p.Idempotency, r)
		c.takes(at, r.MaxInput, r.Lacks)
		if (r.MaxInput > 0 || len(r.Lacks) > 0) && r.Sort.IsAtHand() {
			c.refusef(FitIdle, at, "a %v rung answers with what it has, whatever was asked", r.Sort)
		}
	}
}

func (c *checker) when(field string, i Idempotency, r Rung) {
	c.kinds(field, r.When)
	if len(r.When) == 0 {
		c.refusef(RungIncomplete, field, "no kind of failure leads to the rung")
	}
	if !r.Sort.Sends() || i == Safe || i == Idempotent || r.MayDuplicate != "" {
		return
	}
	for _, k := range r.When {
		if k.InDoubt() {
			c.refusef(RungMayDuplicate, field, "after %q the request may have been executed, and the rung would send it again", k)
		}
	}
}

func (c *checker) targets(p Plan) {
	names := map[string]bool{}
	for _, t := range p.Targets {
		at := "targets." + t.Name
		if names[t.Name] {
			c.refusef(RungTwice, at, "another target is called %q", t.Name)
		}
		names[t.Name] = true
		c.budget(at+".budget", t.Budget)
		c.breaker(at+".breaker", t.Breaker)
		c.bulkhead(at+".bulkhead", t.Bulkhead)
		c.limit(at+".limit", t.Limit)
		c.takes(at, t.MaxInput, t.Lacks)
		c.members(p, t)
		if t.Layered && t.Name == PrimaryTarget && p.Retry.Attempts > 1 {
			c.refusef(RetryLayered, "retry.attempts", "target %q retries itself: %d attempts would multiply its own", t.Name, p.Retry.Attempts)
		}
	}
}

// fit checks that there is time for what the plan promises.
func (c *checker) fit(p Plan) {
	total, attempt := p.Timeout.Total, p.Timeout.Attempt
	if total <= 0 || attempt <= 0 {
		return
	}
	need, more := float64(attempt), false
	for _, r := range p.Fallback.Rungs {
		need += float64(max(r.Reserve, 0))
		more = more || r.Sort.Sends()
	}
	if p.Retry.Attempts > 1 {
		need += float64(p.Retry.Backoff.least())
		more = true
	}
	if more {
		need += float64(attempt / usefulParts)
	}
	if (more || len(p.Fallback.Rungs) > 0) && need > float64(total) {
		c.refusef(TotalTooShort, "timeout.total", "%v has no room for a first attempt of %v and what is to follow: that takes %v",
			total, attempt, saturated(need))
	} else if whole := float64(p.Retry.Attempts) * float64(attempt); p.Retry.Attempts > 1 && whole > float64(total) {
		c.warnf(AttemptsExceedTotal, "timeout.attempt", "%d attempts of %v take longer than the total of %v", p.Retry.Attempts, attempt, total)
	}
	c.reserves(p)
}

// reserves warns of rungs whose reserve ends before their calls count as slow.
func (c *checker) reserves(p Plan) {
	slow := p.Breaker.SlowCall
	if slow <= 0 {
		slow = time.Duration(slowShare * float64(p.Timeout.Attempt))
	}
	for i, r := range p.Fallback.Rungs {
		if p.Breaker.Mode != BreakerOff && r.Sort.Resends() && r.Reserve > 0 && r.Reserve < slow {
			at := fmt.Sprintf("fallback[%d].reserve", i)
			c.warnf(ReserveBelowSlow, at, "a call that hangs for %v is no evidence yet: slow is %v", r.Reserve, slow)
		}
	}
}
