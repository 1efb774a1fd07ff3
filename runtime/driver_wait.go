package runtime

import (
	"time"

	"github.com/resgen-go/resgen/runtime/policy"
)

// wait waits for what comes first: the end of a copy, the grant of a permit, a timer, or the caller's end. At one instant they come in
// this order. A copy whose time is over is canceled, and told of when its function returns.
func (d *driver) wait() (time.Time, policy.Event) {
	for {
		which, at := d.soonest()
		var due <-chan time.Time
		if !at.IsZero() {
			d.arm(time.Until(at))
			due = d.timer.C
		}
		landed := none
		select {
		case landed = <-d.landings():
		case <-d.granted:
		case <-due:
		case <-d.ctx.Done():
		}
		now := time.Now()
		if landed == none {
			landed = d.isLanded()
		}
		ended := d.ended(now)
		switch {
		case landed != none:
			return now, d.take(now, landed)
		case d.isGranted():
			d.forget()
			return now, policy.Event{What: policy.PermitGranted}
		case !at.IsZero() && !now.Before(at):
			if which == policy.Timers {
				d.expire(now)
				continue
			}
			d.due[which] = time.Time{}
			d.forget()
			return now, policy.Event{What: policy.TimerFired, Timer: which}
		case ended != policy.KindNone:
			d.due = [policy.Timers]time.Time{}
			d.forget()
			return now, policy.Event{What: policy.CallerEnded, Ended: ended}
		}
	}
}

// soonest returns the timer that is due next, and when; policy.Timers stands for the end of a copy's time. Zero is none.
func (d *driver) soonest() (policy.Timer, time.Time) {
	which, at := policy.Timer(policy.Timers), time.Time{}
	for n := range len(d.copies) + 1 {
		if f := d.copy(n); f.flying && !f.until.IsZero() && (at.IsZero() || f.until.Before(at)) {
			at = f.until
		}
	}
	for t, due := range d.due {
		if !due.IsZero() && (at.IsZero() || due.Before(at)) {
			which, at = policy.Timer(t), due
		}
	}
	return which, at
}

// arm sets the call's one timer (trap T71).
func (d *driver) arm(after time.Duration) {
	if d.timer == nil {
		d.timer = time.NewTimer(after)
		return
	}
	d.timer.Reset(after)
}

// isGranted reports whether the permit that the call waits for was granted.
func (d *driver) isGranted() bool {
	select {
	case <-d.granted:
		return true
	default:
		return false
	}
}

// forget takes back that the call waits for a permit.
func (d *driver) forget() {
	if d.granted == nil {
		return
	}
	d.op.group.waits.forget(d.waitKey)
	d.granted, d.waitKey = nil, waitKey{}
}
