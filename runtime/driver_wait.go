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
		landed := d.sleep(at)
		now := time.Now()
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

// sleep waits until something may have happened, at the latest until at, and returns the number of a copy that has ended.
func (d *driver) sleep(at time.Time) int {
	if d.racer != nil {
		return d.race(at)
	}
	var due <-chan time.Time
	if !at.IsZero() {
		d.arm(time.Until(at))
		due = d.timer.C
	}
	select {
	case <-d.granted:
	case <-due:
	case <-d.ctx.Done():
	}
	return none
}

// race is sleep where copies run. What wakes it is told through the channel of their ends: it costs half of what a timer with a channel of
// its own does. What has ended already is taken without going to sleep.
func (d *driver) race(at time.Time) int {
	ends := d.racer.ends()
	landed := none
	select {
	case landed = <-ends:
	default:
		if !at.IsZero() {
			d.racer.wakeAfter(time.Until(at))
		}
		select {
		case landed = <-ends:
		case <-d.granted:
		case <-d.ctx.Done():
		}
	}
	for {
		switch landed {
		case woken:
			d.racer.awake()
		case none:
		default:
			return landed
		}
		select {
		case landed = <-ends:
		default:
			return none
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
