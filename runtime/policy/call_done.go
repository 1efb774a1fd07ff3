package policy

import (
	"slices"
	"time"
)

// Stop says why a rung was not tried again. The zero value is StopNone: its kind of failure is not retried, or it did not fail.
type Stop uint8

// The reasons.
const (
	// StopNone says nothing.
	StopNone Stop = iota
	// StopAttempts is that all attempts are used up.
	StopAttempts
	// StopDoubt is that the request may have been executed, and the operation must not be executed twice.
	StopDoubt
	// StopDeadline is that the wait and another attempt would not fit before the deadline.
	StopDeadline
	// StopLong is that the dependency asked for a longer wait than the policy waits.
	StopLong
	// StopBudget is that the retry budget is empty.
	StopBudget
	// StopRejected is that a breaker, a bulkhead or a pause did not let a retry through, or would not.
	StopRejected
	// StopNested is that a layer above retries.
	StopNested
	// StopLayered is that the target itself retries.
	StopLayered
	// StopKey is that the server would have forgotten the idempotency key.
	StopKey
	// StopAdvised is that the dependency asked not to be tried again.
	StopAdvised
)

// done takes the end of a copy.
func (c *Call) done(now time.Time, ev *Event, out []Action) []Action {
	r, f := &ev.Result, c.copy(ev.Copy)
	o := f.outcome(now, r)
	c.cut = r.Expired && !f.full
	if ev.Copy == 0 && (r.Kind == KindNone || r.Kind == KindTimeout) {
		c.measure(now, o.InFlight)
	}
	c.charge(now, f.machines, r.Replays)
	if r.Kind == KindNone {
		return c.answered(now, ev.Copy, r, o, out)
	}
	if f.lift && liftsPause(r) {
		f.machines.Pause.Of(now, c.req.Tenant).Lift()
	}
	out = c.spent(now, f, r, out)
	out = c.heed(now, f.machines, *r, out)
	out = c.disarm(c.settle(now, f, o, false, out))
	c.doubt = c.doubt || r.MayHaveActed
	c.told = moreTelling(c.told, *r)
	if r.Partial {
		c.partial, c.holder = true, ev.Copy
	}
	switch {
	case ev.Ended != KindNone:
		out = c.lose(now, ev.Ended, out)
	case c.anyFlies():
		return out // it may answer yet (trap T44)
	}
	return c.failed(now, ev.Ended, out)
}

// liftsPause reports whether a probe that failed shows all the same that the pause is no longer needed: the target looked at the request.
func liftsPause(r *Result) bool {
	return r.Kind == KindCaller && r.Verdict != Neutral || r.Kind == KindRefused || r.Kind == KindContextTooLong
}

// failed decides what follows an attempt all of whose copies have failed.
func (c *Call) failed(now time.Time, ended Kind, out []Action) []Action {
	r := c.told
	c.fall = Fall{Kind: r.Kind}
	if r.Pushback {
		c.fall.NotBefore = now.Add(r.RetryAfter)
	}
	if ended != KindNone {
		c.fall.Kind = ended
		return c.leave(now, out)
	}
	wait, again := c.retry(now, r)
	if !again {
		if c.fall.Stop == StopBudget {
			out = append(out, c.note(Note{What: NoteBudget, Kind: r.Kind}))
		}
		return c.leave(now, out)
	}
	out = append(out, c.note(Note{What: NoteRetry, Kind: r.Kind, Wait: wait}))
	if wait <= 0 {
		c.phase = entering
		return out
	}
	c.phase = waiting
	return append(out, Action{Do: SetTimer, Timer: BackoffTimer, Until: now.Add(wait)})
}

// moreTelling returns the failure of the two that says more, the later one where both say as much. What any copy may have done, and what
// the dependency asked of any of them, holds for both.
func moreTelling(before, r Result) Result {
	acted, final := before.MayHaveActed || r.MayHaveActed, before.Final || r.Final
	if telling(before.Kind) > telling(r.Kind) {
		r = before
	}
	r.MayHaveActed, r.Final = acted, final
	return r
}

// telling says how much a failure tells of the dependency: an answer more than silence, silence more than our own impatience.
func telling(k Kind) int {
	const impatience, silence, answer = 1, 2, 3
	switch k {
	case KindNone:
		return 0
	case KindCanceled, KindDeadline:
		return impatience
	case KindTimeout:
		return silence
	default:
		return answer
	}
}

// charge counts what was sent behind our back, and takes it from the target's limit and budget.
func (c *Call) charge(now time.Time, m *Machines, replays int) {
	c.replays += replays
	if m.Limit != nil {
		m.Limit.Charge(now, c.req.Tenant, replays)
	}
	for range replays {
		if m.Budget == nil || !m.Budget.Withdraw(now, RetryCost) {
			return
		}
	}
}

// answered ends the call with the answer of a copy.
func (c *Call) answered(now time.Time, n int, r *Result, o Outcome, out []Action) []Action {
	f := c.copy(n)
	if f.lift {
		f.machines.Pause.Of(now, c.req.Tenant).Lift()
	}
	if c.req.Hold && c.sort() != RungStatic {
		out = c.hold(now, f, o, out)
	} else {
		out = c.settle(now, f, o, true, c.spent(now, f, r, out))
	}
	out = c.lose(now, KindNone, c.disarm(out))
	c.passOn(now, KindNone)
	c.phase, c.won = finished, n
	return append(out, Action{Do: FinishCall, Rung: c.rung, Copy: n})
}

// settle reports a copy to the breaker, and to the latency if it has answered, and gives its permit back.
func (c *Call) settle(now time.Time, f *flight, o Outcome, answered bool, out []Action) []Action {
	m := f.machines
	m.Member.measure(now, o.InFlight, answered)
	change, granted := m.settle(now, f.permit, f.ticket, o, answered)
	*f = flight{}
	out = wake(m.Bulkhead, granted, out) // before the note: whoever waits for the permit does not wait for an observer
	if change != nil {
		out = append(out, noteOfChange(c.rung, m, change))
	}
	return out
}

// heed takes to the target's machines the wait that it asked for.
func (c *Call) heed(now time.Time, m *Machines, r Result, out []Action) []Action {
	if !r.Pushback {
		return out
	}
	until := now.Add(r.RetryAfter)
	if m.Breaker != nil {
		m.Breaker.RaiseOpen(now, until)
	}
	if m.Pause == nil || r.RetryAfter <= 0 {
		return out
	}
	most := c.plan.Retry.RetryAfterMax
	waits := most > 0
	if !waits {
		most = longWait
	}
	long := r.RetryAfter > most
	pause := m.Pause.For(now, c.req.Tenant)
	switch {
	case r.Kind == KindUnusable, long && (r.Kind == KindThrottle || r.Kind == KindTransient):
		pause.ExtendLong(now, until, r.Kind)
	case waits && r.Kind == KindThrottle:
		pause.Extend(now, until, r.Kind)
	default:
		return out
	}
	return append(out, c.note(Note{What: NotePause, Kind: r.Kind, Until: until, To: m.asMember()}))
}

// tries reports whether the policy retries failures of that kind on the present rung. A func rung is never retried: it is the
// program's own code, and may hold a client with retries of its own; another operation has its own.
func (c *Call) tries(k Kind) bool {
	if c.plan.Retry.Attempts <= 1 || c.exercising || c.sort().Calls() || c.sort() == RungStatic {
		return false
	}
	return slices.Contains(c.plan.Retry.On, k) || c.rotates(k)
}

// retry decides if another attempt follows a failure on the present rung, and after which wait. Where none does, the fall says why.
// The budget is asked last, and before the wait; what is refused later is refunded (traps T25, T29).
func (c *Call) retry(now time.Time, r Result) (wait time.Duration, again bool) {
	m := c.to()
	if c.fall.Stop = c.barred(m, r); c.fall.Stop != StopNone || !c.tries(r.Kind) {
		return 0, false
	}
	if c.member.to != nil {
		if m = c.next(now, &r); m == nil {
			return 0, false
		}
	}
	asked, wait, backoff := c.schedule(now, m, r)
	switch {
	case asked > 0 && c.tooLong(now, asked, SetOf(r.Kind)):
		c.fall.Stop = StopLong
	case c.late(now, wait):
		c.fall.Stop = StopDeadline
	case c.forgotten(now.Add(wait)):
		c.fall.Stop = StopKey
	case c.shut(m, now.Add(wait)):
		c.fall.Stop, c.fall.Local = StopRejected, KindBreakerOpen
	case m.Budget != nil && !m.Budget.Withdraw(now, costOf(r)):
		c.fall.Stop, c.fall.Local = StopBudget, KindBudget
	default:
		c.paid, c.backoff, c.waited = costOf(r), backoff, wait
		c.charged(m)
		return wait, true
	}
	return 0, false
}

// forgotten reports whether the server will have forgotten the idempotency key at that time.
func (c *Call) forgotten(at time.Time) bool {
	ttl := c.plan.Key.TTL
	return ttl > 0 && c.plan.Idempotency == Keyed && at.Sub(c.keyed) > ttl
}

// shut reports whether the target's breaker will be open at that time, for all that is known now.
func (c *Call) shut(m *Machines, at time.Time) bool {
	if m.Breaker == nil {
		return false
	}
	notBefore, open := m.Breaker.Peek(at)
	if open && c.fall.NotBefore.Before(notBefore) {
		c.fall.NotBefore = notBefore
	}
	return open
}

// barred returns why no attempt may follow, whatever the time.
func (c *Call) barred(m *Machines, r Result) Stop {
	switch attempts := c.plan.Retry.Attempts; {
	case attempts <= 1 || !r.Kind.RetriedHere() && !c.rotates(r.Kind):
		return StopNone
	case r.MayHaveActed && !c.plan.Idempotency.Repeatable():
		return StopDoubt
	case !c.tries(r.Kind):
		return StopNone
	case c.req.OneAttempt:
		return StopNested
	case m.Layered:
		return StopLayered
	case c.number+c.replays >= attempts, r.Once && c.number > 1:
		return StopAttempts
	case r.Final:
		return StopAdvised
	default:
		return StopNone
	}
}

// schedule returns the wait before the next attempt, what of it the dependency asked for, and the state of the backoff after it. What
// the dependency asks for replaces the schedule and starts it anew (traps T20, T21); a pause that other calls brought about is
// waited for too.
func (c *Call) schedule(now time.Time, m *Machines, r Result) (asked, wait time.Duration, backoff int) {
	if r.Pushback {
		asked = r.RetryAfter
	} else {
		backoff = c.backoff + 1
		wait = c.plan.Retry.Backoff.Wait(backoff, c.waited, c.rand)
	}
	if m.Pause != nil {
		if until := m.Pause.Of(now, c.req.Tenant).Until(now); !until.IsZero() {
			asked = max(asked, until.Sub(now))
		}
	}
	return asked, max(wait, UpwardJitter(asked, c.rand)), backoff
}

// briefly bounds the wait for a dependency that asked for it, where another rung can answer meanwhile.
const briefly = time.Second

// tooLong reports whether a wait that the dependency asked for is longer than the policy waits.
func (c *Call) tooLong(now time.Time, asked time.Duration, via KindSet) bool {
	return asked > c.patience(now, c.plan.Retry.RetryAfterMax, via)
}

// patience returns how long a wait for a dependency may be, which is at most longest.
func (c *Call) patience(now time.Time, longest time.Duration, via KindSet) time.Duration {
	if c.nextRung(now, via) > 0 {
		longest = min(longest, briefly)
		if b := c.plan.Retry.Backoff.Max; b > 0 {
			longest = min(longest, b)
		}
	}
	return longest
}

// late reports whether an attempt after the wait would start too late to be of use: a sleep that ends at the deadline only hides
// the real error (trap T17).
func (c *Call) late(now time.Time, wait time.Duration) bool {
	bound := c.bound(now)
	return !bound.IsZero() && now.Add(wait).Add(c.useful(c.rung)).After(bound)
}

// costOf returns what a retry after that failure costs.
func costOf(r Result) float64 {
	switch {
	case r.Kind == KindConnect && !r.MayHaveActed:
		return FreeCost
	case r.Kind == KindTimeout:
		return TimeoutCost
	default:
		return RetryCost
	}
}
