package policy

import "time"

// recall has the driver read the answer that is remembered: at once where it is fresh, or on a cache rung. Nothing is asked and nothing
// is held, so that there is nothing to admit.
func (c *Call) recall(out []Action) []Action {
	c.phase = recalling
	return append(out, Action{Do: StartAttempt, Rung: c.rung, Remembered: true})
}

// recalled takes the end of it. What cannot be read is as if it were not there.
func (c *Call) recalled(now time.Time, ev *Event, out []Action) []Action {
	if ev.Result.Kind == KindNone {
		c.phase = finished
		return append(out, Action{Do: FinishCall, Rung: c.rung})
	}
	if c.rung == 0 {
		c.req.Fresh = false
		return c.begin(now, ev.Ended, out)
	}
	c.req.StaleUntil = time.Time{}
	c.fall = Fall{Kind: ev.Ended}
	return c.leave(now, out)
}

// lacks reports whether the rung is one that serves what is remembered, and there is nothing that it may.
func (c *Call) lacks(now time.Time, r *Rung) bool {
	return r.Sort == RungCache && !now.Before(c.req.StaleUntil)
}

// rise goes up to the operation itself from the rung that is exercised, and that has failed. It is not tried again: there was a failure of
// it, and none of the operation. It reports whether there is time for that: the caller may have ended. (It does not call leave, which calls
// it: functions on the way of every call that call each other would put the driver's actions on the heap.)
func (c *Call) rise(out []Action) ([]Action, bool) {
	fall := c.fall
	c.exercising, c.risen = false, c.rung
	ended := fall.Kind == KindCanceled || fall.Kind == KindDeadline
	if !ended && !fall.Kind.Local() {
		out = append(out, c.note(Note{What: NoteExercise, Kind: fall.Kind}))
	}
	c.turn(0)
	if ended {
		c.fall = fall
	}
	return out, !ended
}

// Exercised reports whether the call is, or was answered, on the rung that it exercises.
func (c *Call) Exercised() bool { return c.exercising }
