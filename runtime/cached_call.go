package runtime

import (
	"context"
	"time"

	"github.com/resgen-go/resgen/runtime/policy"
)

// recall looks what the cache has for the call, and tells the machine. It returns the time after that.
func (d *driver) recall(now time.Time, req *policy.Request) time.Time {
	if d.hold != d.op.streams() || d.ctx.Err() != nil { // a file is handed over as it comes
		return now
	}
	a, began := d.op.answers, now
	if d.memory = a.look(d.ctx, d.input, d.scope, d.aloud()); d.memory == nil {
		return now
	}
	if a.alike != nil && !a.fits(d.memory, now) {
		a.alike.look(d.ctx, d.input, d.scope, d.deadline, d.memory, d.aloud())
	}
	if !a.local || a.alike != nil {
		now = time.Now()
		req.Spent = now.Sub(began)
	}
	req.Fresh = a.fits(d.memory, now)
	req.StaleUntil = a.until(d.memory, req.Fresh)
	if !req.Fresh {
		a.missed.Add(1)
	}
	return now
}

// read prepares the reading of what is remembered. It is no attempt, and the function that reads it sees the operation itself.
func (d *driver) read(f *flight, rung int) {
	d.memory.rung = rung
	f.skipped = nil
	f.at = Attempt{Number: 1, op: d.op, scope: d.scope, memo: &memo{entry: d.memory.entry, reads: true}}
}

// recalled takes the end of reading what is remembered.
func (d *driver) recalled(now time.Time, err error) policy.Event {
	a, rung := d.op.answers, d.memory.rung
	if err != nil {
		d.memory.unreadable()
		if rung == 0 {
			a.missed.Add(1)
		}
		return policy.Event{What: policy.AttemptDone, Result: policy.Result{Kind: policy.KindDecode}, Ended: d.ended(now)}
	}
	d.memory.age, d.memory.given = ageOf(&d.memory.entry, now), true
	if d.memory.similarity > 0 {
		a.alikes.Add(1)
	}
	if rung == 0 {
		a.fresh.Add(1)
	} else {
		a.stale.Add(1)
	}
	d.tell(now, Event{What: CacheHit, Rung: rung, Age: d.memory.age, Similarity: d.memory.similarity})
	return policy.Event{What: policy.AttemptDone}
}

// keeps reports whether the answer is one that may be remembered: that of the operation itself, as it was asked for. What a rung has
// answered, or what was remembered already, is not.
func (d *driver) keeps() bool {
	m := d.copy(d.won).at.memo
	return d.served == 0 && m != nil && !m.reads && d.whole && !d.substituted && d.partial == nil
}

// keep remembers the answer. That of a stream is made at its end: see lease.remember.
func (d *driver) keep() {
	if m := d.copy(d.won).at.memo; d.keeps() && m.made {
		d.op.keep(d.ctx, d.memory, m.entry)
	}
}

// keep remembers an answer to what a call asked, and to what means the same.
func (op *Operation) keep(ctx context.Context, asked *remembered, e Entry) {
	t := &aloud{op: op, ctx: context.WithoutCancel(ctx)}
	op.answers.keep(ctx, asked.key, e, t)
	if asked.like != nil {
		op.answers.alike.keep(ctx, asked.like, e, t)
	}
}

// similarity returns how similar the question was whose answer was given, if that was remembered, and of another one; else 0.
func (d *driver) similarity() float64 {
	if d.memory == nil || !d.memory.given {
		return 0
	}
	return d.memory.similarity
}

// aloud returns what tells of what the call asks beside its target.
func (d *driver) aloud() *aloud { return &aloud{op: d.op, ctx: d.ctx} }

// age returns how old the answer is; 0 unless it was remembered.
func (d *driver) age() time.Duration {
	if d.memory == nil {
		return 0
	}
	return d.memory.age
}
