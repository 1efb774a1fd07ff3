package runtime

import (
	"cmp"
	"errors"
	"time"

	"github.com/resgen-go/resgen/runtime/policy"
)

// finish ends the call.
func (d *driver) finish(now time.Time, a *policy.Action) {
	d.over = true
	if a.Fall.Kind == policy.KindNone {
		d.served, d.level, d.won = a.Rung, d.op.level(a.Rung), a.Copy
		var inside Level
		inside, d.whole = d.op.inside(d.copy(d.won).at)
		d.level = max(d.level, inside)
		if d.op.plan.Served.Asked != "" {
			d.substitute(now)
		}
		if d.partial = d.left(); d.memory != nil {
			d.keep()
		}
	} else {
		d.err = d.failure(now, a.Fall)
	}
	d.report(now)
	if d.watched() {
		e := Event{
			What: CallEnd, Kind: a.Fall.Kind, Rung: d.served, Level: d.level, Served: d.whoServed(), Exercised: d.call.Exercised(), Attempts: d.call.Attempts(),
			Elapsed: now.Sub(d.started), Injected: d.injected, Err: cmp.Or(d.err, d.partial),
		}
		if d.err == nil {
			e.Reason, e.Age, e.Similarity = d.call.Reason(), d.age(), d.similarity()
		}
		if !d.hold || d.err != nil { // of an answer that goes on its end tells
			e.Usage, e.Cost = d.copy(d.won).at.meter.bill()
		}
		d.tell(now, e)
	}
}

// report writes what the caller wants to know beside the answer.
func (d *driver) report(now time.Time) {
	m := d.scope.meta
	if m == nil {
		return
	}
	if d.call.Attempts() == 0 {
		m.Incomplete, m.IncompleteReason = false, ""
	}
	m.Usage, m.Cost = d.copy(d.won).at.meter.bill()
	m.Counting = d.op.at(d.copy(d.won).at.Target).counting
	d.op.repeat(d.copy(d.won).at, m)
	m.Age, m.Similarity = d.age(), d.similarity()
	m.Served, _ = d.copy(d.won).at.meter.whoServed()
	m.Substituted = d.substituted
	m.Replays = d.replays
	m.Attempts, m.Rung, m.Target, m.Elapsed = d.call.Attempts(), d.op.names[d.served], d.copy(d.won).at.Target, now.Sub(d.started)
	m.Level, m.Degraded, m.Reason, m.Exercised, m.Broke = d.level, d.level != 0, d.call.Reason(), d.call.Exercised(), nil
	if m.Cause = cmp.Or(d.err, d.partial); m.Cause == nil {
		m.Cause = d.cause()
	}
}

// errAborted is how a call ends for observers whose function panicked, or ended the goroutine.
var errAborted = errors.New("the attempt panicked or ended its goroutine")

// close ends the call whatever happened, by defer: after a panic, or runtime.Goexit, everything is released.
func (d *driver) close() {
	if d.timer != nil {
		d.timer.Stop()
	}
	if d.first.limit != nil {
		d.first.limit.Stop()
	}
	if d.racer != nil {
		d.racer.stop()
	}
	if d.over {
		return
	}
	d.over = true
	now := time.Now()
	ev := policy.Event{What: policy.CallAborted}
	why := errAborted
	if d.racer != nil {
		ev.Copy = d.panicked
		if d.why != nil {
			why = d.why
		}
	}
	todo := d.call.Step(now, ev, d.actions[:0])
	for i := range todo {
		d.obey(now, &todo[i])
	}
	d.forget()
	if ev.Copy != none {
		f := d.copy(ev.Copy)
		f.release()
		if f.flying {
			d.tellAttempt(now, f, Event{What: AttemptEnd, Kind: policy.KindPermanent, Elapsed: now.Sub(f.began), Err: why})
		}
	}
	d.tell(now, Event{What: CallEnd, Kind: policy.KindPermanent, Attempts: d.call.Attempts(), Elapsed: now.Sub(d.started), Err: why})
}
