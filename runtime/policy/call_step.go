package policy

import "time"

// Step takes an event and appends what is to be done to out. An event that does not fit, such as a timer that fires after it was
// stopped, changes nothing.
func (c *Call) Step(now time.Time, ev Event, out []Action) []Action {
	out = c.take(now, &ev, out)
	for c.phase == entering {
		out = c.admit(now, out)
	}
	return out
}

// take takes an event, up to the next admission.
func (c *Call) take(now time.Time, ev *Event, out []Action) []Action {
	switch {
	case ev.What == CallStarted && c.phase == idle:
		return c.begin(now, ev.Ended, out)
	case ev.What == AttemptDone && c.phase == running && c.flies(ev.Copy):
		return c.done(now, ev, out)
	case ev.What == AttemptDone && c.phase == recalling:
		return c.recalled(now, ev, out)
	case ev.What == PermitGranted && c.phase == queued:
		return c.ticket(now, append(out, Action{Do: StopTimer, Timer: QueueTimer}))
	case ev.What == PermitGranted && c.phase == lined:
		c.phase = entering
		return append(out, Action{Do: StopTimer, Timer: QueueTimer})
	case ev.What == TimerFired && ev.Timer == BackoffTimer && c.phase == waiting,
		ev.What == TimerFired && ev.Timer == QueueTimer && c.phase == lined:
		c.phase = entering
		return out
	case ev.What == TimerFired && ev.Timer == HedgeTimer && c.phase == running && c.armed:
		return c.hedge(now, out)
	case ev.What == TimerFired && ev.Timer == QueueTimer && c.phase == queued:
		out = c.abandon(now, out)
		return c.reject(now, crowded(c.to(), Rejected), out)
	case ev.What == CallerEnded && c.phase != idle && c.phase != finished:
		return c.callerEnded(now, ev.Ended, out)
	case ev.What == CallAborted && c.phase != finished:
		return c.abort(now, ev.Copy, out)
	default:
		return out
	}
}

// begin starts the call.
func (c *Call) begin(now time.Time, ended Kind, out []Action) []Action {
	if c.phase == idle { // and not again where what is remembered cannot be read
		c.end = c.ends(now)
	}
	switch {
	case ended != KindNone:
		c.fall = Fall{Kind: ended}
		return c.leave(now, out)
	case c.req.Fresh:
		return c.recall(out)
	case c.req.Exercise > 0:
		c.rung, c.exercising = c.req.Exercise, true
	}
	c.phase = entering
	return out
}

// ends returns when the time of a call is over that starts; zero is never.
func (c *Call) ends(now time.Time) time.Time {
	end := c.req.Deadline
	if t := c.plan.Timeout.Total - c.req.Spent; c.plan.Timeout.Total > 0 && (end.IsZero() || now.Add(t).Before(end)) {
		end = now.Add(t)
	}
	return end
}

// callerEnded gives up what the call waits for.
func (c *Call) callerEnded(now time.Time, ended Kind, out []Action) []Action {
	switch c.phase {
	case queued:
		out = c.abandon(now, out)
	case running:
		out = c.lose(now, ended, c.disarm(out))
	case waiting, lined:
		out = c.giveUp(now, out)
	case idle, entering, recalling, finished:
	}
	c.refund(now)
	c.fall.Kind = ended
	return c.leave(now, out)
}

// abort gives up everything.
func (c *Call) abort(now time.Time, faulty int, out []Action) []Action {
	if c.plan == nil { // what comes before Init panicked
		c.phase = finished
		return out
	}
	switch c.phase {
	case queued:
		out = c.abandon(now, out)
	case running:
		out = c.disarm(out)
		if c.flies(faulty) {
			f := c.copy(faulty)
			out = c.spent(now, f, &Result{Kind: KindPermanent, MayHaveActed: true}, out)
			out = c.settle(now, f, Outcome{Verdict: Failure, InFlight: now.Sub(f.since)}, false, out)
		}
		out = c.lose(now, KindNone, out)
	case waiting, lined:
		out = c.giveUp(now, out)
	case idle, entering, recalling, finished:
	}
	c.refund(now)
	c.passOn(now, KindCanceled)
	c.phase = finished
	return out
}
