package sim

import (
	"math"

	"github.com/resgen-go/resgen/runtime/policy"
)

// never is later than everything.
const never = math.MaxInt64

// The most timers and copies that a call has at once.
const (
	mostTimers = 4
	mostCopies = 8
)

// call is a call under way: what a live driver keeps of it. The numbers are those of entries in the agenda; 0 is none.
type call struct {
	machine policy.Call
	number  int // in the order of arrival, from 1
	client  int
	arrived int64
	leaves  int64       // when the caller ends
	how     policy.Kind // how it does then
	left    bool        // it has

	leaving uint64
	timers  [mostTimers]uint64
	grant   uint64
	awaits  waiting
	flights [mostCopies]flight
	served  Answer // the answer of the attempt that was answered last
	held    policy.Held
	streams bool // the answer outlives the call, and has not ended
}

// flight is an attempt under way.
type flight struct {
	ends   uint64
	rung   int
	number int
	answer Answer
	result policy.Result
}

// expects reports whether the entry is still wanted.
func (c *call) expects(e *entry) bool {
	switch e.rank {
	case attemptEnds:
		return c.flights[e.copy].ends == e.number
	case grantComes:
		return c.grant == e.number
	case timerFires:
		return c.timers[e.timer] == e.number
	case callerEnds:
		return c.leaving == e.number
	case callArrives:
		return true
	}
	return false
}

// arrive starts a call.
func (r *run) arrive(client int) {
	cfg := &r.scenario.Clients[client]
	c := new(call)
	if n := len(r.gone); n > 0 {
		c, r.gone = r.gone[n-1], r.gone[:n-1]
		*c = call{}
	}
	r.calls++
	c.number, c.client, c.arrived, c.leaves = r.calls, client, r.now, never
	req := policy.Request{Worst: policy.Canned, Hold: r.plan.Stream.Format != policy.NoStream}
	if cfg.Deadline > 0 {
		c.leaves, c.how = r.now+int64(min(cfg.Deadline, longest)), policy.KindDeadline
		req.Deadline = r.time(c.leaves)
	}
	if at := r.now + int64(min(cfg.Cancel, longest)); cfg.Cancel > 0 && at < c.leaves {
		c.leaves, c.how = at, policy.KindCanceled
	}
	if c.leaves != never {
		c.leaving = r.agenda.enter(entry{at: c.leaves, rank: callerEnds, call: c})
	}
	r.count.arrived(r, c)
	r.say(c, Line{What: CallStarts})
	c.machine = policy.NewCall(&r.plan, r.machines, req, r.draw)
	r.step(c, policy.Event{What: policy.CallStarted, Ended: r.hasEnded(c)})
}

// hasEnded returns how the caller has ended. A deadline counts in the instant in which it comes, whatever else that brings.
func (r *run) hasEnded(c *call) policy.Kind {
	if c.left || c.how == policy.KindDeadline && r.now >= c.leaves {
		return c.how
	}
	return policy.KindNone
}

// step tells the machine what happened, and does what it says.
func (r *run) step(c *call, ev policy.Event) {
	r.actions = c.machine.Step(r.time(r.now), ev, r.actions[:0])
	for _, a := range r.actions {
		r.obey(c, a)
	}
}

// obey does one thing that the machine says.
func (r *run) obey(c *call, a policy.Action) {
	if r.watch != nil {
		r.watch.acted(r, c, a)
	}
	switch a.Do {
	case policy.StartAttempt:
		r.start(c, a)
	case policy.SetTimer:
		c.timers[a.Timer] = r.agenda.enter(entry{at: max(r.nanosOf(a.Until), r.now), rank: timerFires, call: c, timer: a.Timer})
	case policy.StopTimer:
		c.timers[a.Timer] = 0
		r.forget(c)
	case policy.AwaitGrant:
		c.awaits = waiting{a.Bulkhead, a.Limiter, a.Permit}
		r.waits[c.awaits] = c
	case policy.WakeCall:
		if other, ok := r.waits[waiting{a.Bulkhead, a.Limiter, a.Permit}]; ok {
			r.forget(other)
			other.grant = r.agenda.enter(entry{at: r.now, rank: grantComes, call: other})
		}
	case policy.TellNote:
		r.note(c, a.Note)
	case policy.FinishCall:
		r.finish(c, a)
	}
}

// forget takes back that the call waits for a permit.
func (r *run) forget(c *call) {
	if c.awaits != (waiting{}) {
		delete(r.waits, c.awaits)
		c.awaits = waiting{}
	}
}

// start sends an attempt and enters its end: its answer, or the end of its time, whichever comes first.
func (r *run) start(c *call, a policy.Action) {
	to := &r.rungs[a.Rung]
	f := &c.flights[0]
	f.rung, f.number, f.answer = a.Rung, a.Number, Answer{}
	if to.sort != policy.RungStatic {
		r.count.sent(r, c, to)
		r.say(c, Line{What: AttemptStarts, Rung: a.Rung, Attempt: a.Number})
		f.answer = to.server.take(r.now)
	}
	at := int64(never)
	if f.answer.What != Hanging && (!f.answer.Stalls || r.plan.Stream.Format != policy.NoStream) {
		at = r.now + int64(min(f.answer.After, longest))
		f.result = f.answer.result(&r.plan, a.Number)
	}
	if end := r.silence(); end < at && to.sort != policy.RungStatic {
		at, f.result = end, failed(policy.KindTimeout, true)
	}
	if until := r.nanosOf(a.Until); !a.Until.IsZero() && until < at && (c.how != policy.KindDeadline || until < c.leaves) {
		at, f.result = until, failed(policy.KindTimeout, true)
		f.result.Expired = true
	}
	f.ends = math.MaxUint64 // it runs, although nothing may ever end it
	if at != never {
		f.ends = r.agenda.enter(entry{at: max(at, r.now), rank: attemptEnds, call: c})
	}
}

// silence returns when a stream that has sent nothing until then counts as silent.
func (r *run) silence() int64 {
	if r.plan.Stream.Format == policy.NoStream {
		return never
	}
	at := int64(never)
	for _, d := range [...]int64{int64(r.plan.Timeout.FirstByte), int64(r.plan.Timeout.FirstItem)} {
		if d > 0 {
			at = min(at, r.now+d)
		}
	}
	return at
}

// attemptEnds ends an attempt of the call, or the answer that outlived it.
func (r *run) attemptEnds(c *call, number int) {
	if c.streams {
		v := policy.Success
		if c.served.Stalls {
			v = policy.Failure
		}
		r.streamEnds(c, v)
		return
	}
	f := &c.flights[number]
	f.ends = 0
	c.served = f.answer
	r.end(c, f)
}

// end tells the machine how an attempt ended.
func (r *run) end(c *call, f *flight) {
	ev := policy.Event{What: policy.AttemptDone, Result: f.result}
	if f.result.Kind != policy.KindNone {
		ev.Ended = r.hasEnded(c)
	}
	if r.rungs[f.rung].sort != policy.RungStatic {
		r.say(c, Line{What: AttemptEnds, Rung: f.rung, Attempt: f.number, Kind: f.result.Kind})
	}
	if r.watch != nil {
		r.watch.ended(r, c, f.result)
	}
	r.step(c, ev)
}

// callerEnds ends what runs for a caller that has gone.
func (r *run) callerEnds(c *call) {
	c.left, c.leaving = true, 0
	if c.streams {
		r.streamEnds(c, policy.Neutral)
		return
	}
	flying := false
	for i := range c.flights {
		if f := &c.flights[i]; f.ends != 0 {
			flying, f.ends = true, 0
			f.result = policy.Result{Kind: c.how, Verdict: policy.Neutral, MayHaveActed: true}
			r.end(c, f)
		}
	}
	if !flying {
		r.forget(c)
		c.timers = [mostTimers]uint64{}
		r.step(c, policy.Event{What: policy.CallerEnded, Ended: c.how})
	}
}

// finish ends the call.
func (r *run) finish(c *call, a policy.Action) {
	r.count.finished(r, c, a)
	r.say(c, Line{What: CallEnds, Rung: a.Rung, Kind: a.Fall.Kind, Attempts: c.machine.Attempts()})
	if r.plan.Stream.Format == policy.NoStream || a.Fall.Kind != policy.KindNone {
		r.dismiss(c)
		return
	}
	c.held, c.streams = c.machine.Held(), true
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
		for _, d := range [...]int64{int64(r.plan.Timeout.Idle), int64(r.plan.Timeout.ItemGap)} {
			if d > 0 {
				end = min(end, last+d)
			}
		}
	}
	if most := int64(r.plan.Timeout.MaxStream); most > 0 && r.now+most < end {
		c.served.Stalls = true
		end = r.now + most
	}
	return end
}

// streamEnds gives back what the answer held.
func (r *run) streamEnds(c *call, v policy.Verdict) {
	c.streams = false
	if r.watch != nil {
		r.watch.streamed(r, c)
	}
	r.count.streamed(v)
	r.say(c, Line{What: StreamEnds, Verdict: v})
	r.actions = c.held.Release(r.time(r.now), v, r.actions[:0])
	for _, a := range r.actions {
		r.obey(c, a)
	}
	r.dismiss(c)
}

// dismiss makes the call's memory free, and with it every entry of it void.
func (r *run) dismiss(c *call) {
	r.forget(c)
	*c = call{}
	r.gone = append(r.gone, c)
}
