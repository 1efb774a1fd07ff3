package policy

import "time"

// State is where a breaker stands. The zero value is StateClosed.
type State uint8

// The states.
const (
	// StateClosed admits every call and judges its window.
	StateClosed State = iota
	// StateOpen rejects every call until its not-before.
	StateOpen
	// StateHalfOpen admits a few probes at once and judges their results.
	StateHalfOpen
)

const (
	// openSpread is the most that jitter adds to the open time, as a share.
	openSpread = 0.25
	// openGrowth is the reopening in a row from which the open time doubles.
	openGrowth = 3
)

// open enters StateOpen.
func (b *Breaker) open(t int64, why Counts) *Transition {
	from := b.state
	b.begin(StateOpen, t)
	b.opened = t
	b.notBefore = t + int64(b.openTime(b.reopened, t))
	b.drawn = true
	b.rejected = &OpenError{
		State: StateOpen, NotBefore: b.clock.time(b.notBefore), Calls: why.Calls, Failures: why.Failures, Slow: why.Slow,
	}
	if b.cfg.Mode == BreakerOn {
		b.rejecting.Store(b.rejected)
	}
	return b.transition(from, t, b.rejected.NotBefore, why)
}

// openTime returns how long a breaker that opens at t stays open, if it is the given reopening in a row.
func (b *Breaker) openTime(reopened int, t int64) time.Duration {
	d := b.cfg.OpenFor
	for n := openGrowth; n <= reopened && d < b.cfg.OpenMax; n++ {
		d += min(d, b.cfg.OpenMax-d)
	}
	d = max(d, time.Duration(b.raised-t))
	return d + time.Duration(openSpread*b.jitter*float64(d))
}

// extend moves the not-before of an open breaker to what Retry-After asked for.
func (b *Breaker) extend() {
	d := time.Duration(min(b.raised-b.opened, int64(b.cfg.OpenMax)))
	d += time.Duration(openSpread * b.jitter * float64(d))
	if b.opened+int64(d) <= b.notBefore {
		return
	}
	b.notBefore = b.opened + int64(d)
	raised := *b.rejected
	raised.NotBefore = b.clock.time(b.notBefore)
	b.rejected = &raised
	if b.cfg.Mode == BreakerOn {
		b.rejecting.Store(b.rejected)
	}
}

// enterHalfOpen enters StateHalfOpen.
func (b *Breaker) enterHalfOpen(t int64) *Transition {
	from, why := b.state, Counts{Calls: b.rejected.Calls, Failures: b.rejected.Failures, Slow: b.rejected.Slow}
	b.begin(StateHalfOpen, t)
	b.trial = Counts{}
	waiting := *b.rejected
	waiting.State = StateHalfOpen
	b.rejected = &waiting
	return b.transition(from, t, time.Time{}, why)
}

// close enters StateClosed with an empty window.
func (b *Breaker) close(t int64) *Transition {
	from, why := b.state, b.trial
	b.begin(StateClosed, t)
	b.window.clear()
	b.inRow, b.reopened = 0, 0
	b.rejected = nil
	return b.transition(from, t, time.Time{}, why)
}

// begin starts a generation: every ticket that is out stops counting.
func (b *Breaker) begin(s State, t int64) {
	if b.state == StateClosed {
		b.tripped = t
	}
	b.state, b.since = s, t
	b.generation++
	resetSlots(&b.passes)
	b.probes = list{}
	for i := range b.lanes {
		b.lanes[i].watch = list{}
	}
	b.rejecting.Store(nil)
	b.admits.Store(s == StateClosed || b.cfg.Mode != BreakerOn)
}

func (b *Breaker) transition(from State, t int64, notBefore time.Time, why Counts) *Transition {
	return &Transition{
		From: from, To: b.state, At: b.clock.time(t), NotBefore: notBefore,
		Calls: why.Calls, Failures: why.Failures, Slow: why.Slow,
	}
}

// redraw draws the jitter of the next opening. The source of randomness is somebody else's code: it is asked without the lock.
func (b *Breaker) redraw() {
	j := 0.0
	if b.rand != nil {
		j = min(max(b.rand(), 0), 1)
	}
	b.mu.Lock()
	b.jitter, b.drawn = j, false
	b.mu.Unlock()
}

// BreakerSnapshot is what a breaker shows of itself.
type BreakerSnapshot struct {
	// State is where it stands.
	State State
	// Mode is what its verdict does.
	Mode BreakerMode
	// Calls, Failures and Slow are the results that it judges: the window's; in half-open, the probes'; while open, those
	// that opened it.
	Calls, Failures, Slow int
	// InFlight is the number of tickets of the present generation that are out.
	InFlight int
	// NotBefore is when probes begin, while open.
	NotBefore time.Time
	// Since is when it came to be in State, and Tripped when it opened after it had been closed, whatever it went through since then. Both are zero
	// while it has never opened.
	Since, Tripped time.Time
	// SlowCall is the duration from which a call of the first lane counts as slow; 0 while there is none.
	SlowCall time.Duration
}

// State returns what the breaker shows at now. It changes nothing.
func (b *Breaker) State(now time.Time) BreakerSnapshot {
	b.mu.Lock()
	defer b.mu.Unlock()
	s := BreakerSnapshot{State: b.state, Mode: b.cfg.Mode, SlowCall: time.Duration(b.lanes[0].slow)}
	var c Counts
	switch {
	case b.cfg.Mode == BreakerForcedOpen:
		s.State = StateOpen
	case b.state == StateClosed:
		b.window.expire(b.clock.tick(now))
		c = b.window.counts
	case b.state == StateHalfOpen:
		c = b.trial
	default:
		c = Counts{Calls: b.rejected.Calls, Failures: b.rejected.Failures, Slow: b.rejected.Slow}
		s.NotBefore = b.rejected.NotBefore
	}
	s.Calls, s.Failures, s.Slow = c.Calls, c.Failures, c.Slow
	s.InFlight = b.passes.taken
	if b.generation > 0 {
		s.Since, s.Tripped = b.clock.time(b.since), b.clock.time(b.tripped)
	}
	return s
}
