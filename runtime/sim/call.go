package sim

import (
	"math"

	"github.com/resgen-go/resgen/runtime/policy"
)

// never is later than everything.
const never = math.MaxInt64

// call is a call under way: what a live driver keeps of it. The numbers are those of entries in the agenda; 0 is none.
type call struct {
	op      *operation
	machine policy.Call
	number  int // in the order of arrival, from 1
	client  int
	arrived int64
	leaves  int64       // when the caller ends
	how     policy.Kind // how it does then
	left    bool        // it has

	leaving uint64
	timers  [policy.Timers]uint64
	grant   uint64
	awaits  waiting
	flights []flight // the copies of the attempt that runs
	races   bool     // it may be hedged
	served  Answer   // what the answer is that outlives the call
	held    policy.Held
	holds   bool // the answer has not ended
	lost    bool // this is what is left of a copy that lost
	way     policy.Straight
	goes    bool           // the first attempt runs on the way
	req     policy.Request // for the machine, should the way not do
}

// flight is a copy of an attempt.
type flight struct {
	ends   uint64 // 0: it does not run
	rung   int
	number int
	copy   int
	answer Answer
	result policy.Result
	fixed  bool // it sends nothing, and is no attempt
}

// expects reports whether the entry is still wanted.
func (c *call) expects(e *entry) bool {
	switch e.rank {
	case attemptEnds:
		return int(e.copy) < len(c.flights) && c.flights[e.copy].ends == e.number
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
	c := r.fresh()
	r.calls++
	c.op = r.ops[r.mix.next(cfg)]
	c.number, c.client, c.arrived, c.leaves = r.calls, client, r.now, never
	req := policy.Request{
		Worst: policy.Canned, Tenant: cfg.Name, Criticality: cfg.Criticality, Hold: c.op.plan.Stream.Format.Streams(),
		Size: c.op.size,
	}
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
	if a := r.clients[client]; cfg.Remembered > 0 && a.rand.Float64() < cfg.Remembered {
		req.StaleUntil = r.time(r.now).Add(c.op.plan.Cache.StaleIfError)
	}
	if c.op.exercise != nil {
		req.Exercise = c.op.exercise.Pick(r.time(r.now), c.op.machines, req, r.draw(), !req.StaleUntil.IsZero())
	}
	r.count.arrived(r, c)
	r.say(c, Line{What: CallStarts})
	if r.goStraight(c, req) {
		return
	}
	c.machine = policy.NewCall(&c.op.plan, c.op.machines, req, r.draw)
	r.step(c, policy.Event{What: policy.CallStarted, Ended: r.hasEnded(c)})
}

// fresh returns a zero call.
func (r *run) fresh() *call {
	n := len(r.gone)
	if n == 0 {
		return new(call)
	}
	c := r.gone[n-1]
	r.gone = r.gone[:n-1]
	*c = call{flights: c.flights[:0]}
	return c
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
	case policy.CancelAttempt:
		r.lose(c, a)
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
	case policy.AskStore: // there is one process: its limiters have all of a shared limit
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

// start sends a copy of an attempt and enters its end: its answer, or the end of its time, whichever comes first.
func (r *run) start(c *call, a policy.Action) {
	if a.Copy == 0 {
		c.flights, c.races = c.flights[:0], c.timers[policy.HedgeTimer] != 0
	}
	fixed := a.Remembered || c.op.rungs[a.Rung].sort.IsAtHand()
	// It runs, although nothing may ever end it.
	c.flights = append(c.flights, flight{ends: math.MaxUint64, rung: a.Rung, number: a.Number, copy: a.Copy, fixed: fixed})
	f := &c.flights[a.Copy]
	if !fixed {
		to, member := c.op.rungs[a.Rung].of(a.Copy), ""
		if a.To != nil {
			member = a.To.Target
			to = r.members[member]
		}
		r.count.sent(r, c, to)
		r.say(c, Line{What: AttemptStarts, Rung: a.Rung, Target: member, Attempt: a.Number, Hedge: a.Copy > 0})
		f.answer = to.take(r.now, c.op)
	}
	at := int64(never)
	if f.answer.What != Hanging && (!f.answer.Stalls || c.op.plan.Stream.Format.Streams()) {
		at = r.now + int64(min(f.answer.After, longest))
		f.result = f.answer.result(c.op, a.Number)
	}
	if end := r.silence(c.op); end < at && !fixed {
		at, f.result = end, failed(policy.KindTimeout, true)
	}
	if until := r.nanosOf(a.Until); !a.Until.IsZero() && until < at && (c.how != policy.KindDeadline || until < c.leaves) {
		at, f.result = until, failed(policy.KindTimeout, true)
		f.result.Expired = true
	}
	if at != never {
		f.ends = r.agenda.enter(entry{at: max(at, r.now), rank: attemptEnds, call: c, copy: int32(a.Copy)})
	}
}

// silence returns when a stream of the operation that has sent nothing until then counts as silent.
func (r *run) silence(op *operation) int64 {
	if !op.plan.Stream.Format.Streams() {
		return never
	}
	at := int64(never)
	for _, d := range [...]int64{int64(op.plan.Timeout.FirstByte), int64(op.plan.Timeout.FirstItem)} {
		if d > 0 {
			at = min(at, r.now+d)
		}
	}
	return at
}
