package sim

import "github.com/resgen-go/resgen/runtime/policy"

// attemptEnds ends a copy of an attempt of the call, or what outlived it.
func (r *run) attemptEnds(c *call, number int) {
	switch {
	case c.lost:
		r.release(c, policy.Neutral)
		return
	case c.holds:
		v := policy.Success
		if c.served.Stalls {
			v = policy.Failure
		}
		r.streamEnds(c, v)
		return
	}
	r.end(c, number)
}

// end tells the machine how a copy of an attempt ended.
func (r *run) end(c *call, number int) {
	f := &c.flights[number]
	f.ends = 0
	c.served = f.answer
	ev := policy.Event{What: policy.AttemptDone, Copy: number, Result: f.result}
	if f.result.Kind != policy.KindNone {
		ev.Ended = r.hasEnded(c)
	}
	r.landed(c, f, f.result.Kind)
	if r.watch != nil {
		r.watch.ended(r, c, number, f.result)
	}
	if r.answerStraight(c, f.result) {
		return
	}
	r.leaveWay(c)
	r.step(c, ev)
}

// landed says that a copy has ended. A fixed answer is no attempt.
func (r *run) landed(c *call, f *flight, k policy.Kind) {
	if !f.fixed {
		r.say(c, Line{What: AttemptEnds, Rung: f.rung, Attempt: f.number, Hedge: f.copy > 0, Kind: k})
	}
}

// lose ends a copy that lost: its function returns at once, and then gives back what it holds.
func (r *run) lose(c *call, a policy.Action) {
	f := &c.flights[a.Copy]
	f.ends = 0
	k := a.Fall.Kind
	if k == policy.KindNone {
		k = policy.KindCanceled
	}
	r.landed(c, f, k)
	left := r.fresh()
	left.op, left.number, left.client, left.held, left.lost = c.op, c.number, c.client, *a.Lost, true
	left.flights = append(left.flights, flight{})
	left.flights[0].ends = r.agenda.enter(entry{at: r.now, rank: attemptEnds, call: left})
}

// callerEnds ends what runs for a caller that has gone. An attempt that may be hedged runs beside the driver, which leaves it; another one
// is waited for.
func (r *run) callerEnds(c *call) {
	c.left, c.leaving = true, 0
	if c.holds {
		r.streamEnds(c, policy.Neutral)
		return
	}
	if len(c.flights) > 0 && c.flights[0].ends != 0 && !c.races {
		c.flights[0].result = policy.Result{Kind: c.how, Verdict: policy.Neutral, MayHaveActed: true}
		r.end(c, 0)
		return
	}
	r.forget(c)
	c.timers = [policy.Timers]uint64{}
	r.step(c, policy.Event{What: policy.CallerEnded, Ended: c.how})
}

// finish ends the call.
func (r *run) finish(c *call, a policy.Action) {
	r.count.finished(r, c, a)
	attempts := c.machine.Attempts()
	if c.goes {
		attempts = 1
	}
	r.say(c, Line{What: CallEnds, Rung: a.Rung, Kind: a.Fall.Kind, Attempts: attempts})
	if !c.op.plan.Stream.Format.Streams() || a.Fall.Kind != policy.KindNone {
		r.dismiss(c)
		return
	}
	c.held, c.holds = c.machine.Held(), true
	if at := r.streamEnd(c); at != never {
		c.flights[0].ends = r.agenda.enter(entry{at: at, rank: attemptEnds, call: c})
	}
}

// streamEnd returns when the answer of a finished call ends: with its last item, or when nobody waits for more.
func (r *run) streamEnd(c *call) int64 {
	end := r.now + int64(min(c.served.Stream, longest))
	if c.served.Stalls {
		last := end
		end = never
		for _, d := range [...]int64{int64(c.op.plan.Timeout.Idle), int64(c.op.plan.Timeout.ItemGap)} {
			if d > 0 {
				end = min(end, last+d)
			}
		}
	}
	if most := int64(c.op.plan.Timeout.MaxStream); most > 0 && r.now+most < end {
		c.served.Stalls = true
		end = r.now + most
	}
	return end
}

// streamEnds ends an answer that outlived its call.
func (r *run) streamEnds(c *call, v policy.Verdict) {
	r.count.streamed(v)
	r.say(c, Line{What: StreamEnds, Verdict: v})
	r.release(c, v)
}

// release gives back what outlived the call.
func (r *run) release(c *call, v policy.Verdict) {
	if r.watch != nil {
		r.watch.released(r, c)
	}
	r.actions = c.held.Release(r.time(r.now), v, r.actions[:0])
	for _, a := range r.actions {
		r.obey(c, a)
	}
	r.dismiss(c)
}

// dismiss makes the call's memory free, and with it every entry of it void.
func (r *run) dismiss(c *call) {
	r.forget(c)
	*c = call{flights: c.flights[:0]}
	r.gone = append(r.gone, c)
}
