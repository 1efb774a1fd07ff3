package runtime

import (
	"time"

	"github.com/resgen-go/resgen/runtime/policy"
)

// wait waits for what comes first: the grant of a permit, a timer, or the caller's end. At one instant they come in this order.
func (d *driver) wait() (time.Time, policy.Event) {
	which := policy.BackoffTimer
	if d.due[which].IsZero() || !d.due[policy.QueueTimer].IsZero() && d.due[policy.QueueTimer].Before(d.due[which]) {
		which = policy.QueueTimer
	}
	at := d.due[which]
	for {
		d.arm(time.Until(at))
		select {
		case <-d.granted:
		case <-d.timer.C:
		case <-d.ctx.Done():
		}
		now := time.Now()
		switch ended := d.ended(now); {
		case d.isGranted():
			d.forget()
			return now, policy.Event{What: policy.PermitGranted}
		case !now.Before(at):
			d.due[which] = time.Time{}
			d.forget()
			return now, policy.Event{What: policy.TimerFired, Timer: which}
		case ended != policy.KindNone:
			d.due = [2]time.Time{}
			d.forget()
			return now, policy.Event{What: policy.CallerEnded, Ended: ended}
		}
	}
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
