package policy

import (
	"sync"
	"sync/atomic"
	"time"
)

// PauseProbe is the least time between the probes of a long pause. The distance is the greater of it and the breaker's OpenMax.
const PauseProbe = 60 * time.Second

// Pause holds calls back because the dependency asked for it: after a 429 until its Retry-After, and, where that is longer than
// anybody waits or a quota is used up until a known time, for that long. The driver keeps one for each target, credential
// and tenant.
//
//	FREE ──Extend──▶ PAUSED until ──time──▶ FREE
//	  ▲                 │ long: a probe each interval
//	  └──────Lift───────┘
//
// A pause is only ever extended: a shorter one that comes later changes nothing. Only a probe that succeeds ends it early. Safe for
// concurrent use.
type Pause struct {
	// set says that calls may be held back. It is written under the lock, and read without it: where it is false, there was no pause
	// at some instant of the question, which is all that anybody can know. Whoever asks after the pause has ended takes it back.
	set atomic.Bool

	mu    sync.Mutex
	every time.Duration
	from  time.Time
	until time.Time
	why   Kind
	long  bool
	probe time.Time // when the next probe may go

	own *pauses // of the tenants; nil where it holds back everybody
}

// NewPause returns a pause that holds nobody back. openMax is that of the target's breaker: the probes of a long pause are
// the greater of it and PauseProbe apart.
func NewPause(openMax time.Duration) *Pause {
	return &Pause{every: max(openMax, PauseProbe)}
}

// Extend holds calls back until then, because of a failure of that kind, unless they are already held back for longer.
func (p *Pause) Extend(now, until time.Time, why Kind) { p.extend(now, until, why, false) }

// ExtendLong is Extend for a wait above the cap on Retry-After, or one that an unusable credential or quota named. Now and then a
// real call goes through, to find out whether the time named was right.
func (p *Pause) ExtendLong(now, until time.Time, why Kind) { p.extend(now, until, why, true) }

func (p *Pause) extend(now, until time.Time, why Kind, long bool) {
	if !now.Before(until) {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if !now.Before(p.until) {
		p.long, p.from = false, now
	}
	if long && !p.long {
		p.long, p.probe = true, now.Add(p.every)
	}
	if until.After(p.until) {
		p.until, p.why = until, why
		p.set.Store(true)
	}
}

// Until returns when the pause ends, and the zero time where there is none at now.
func (p *Pause) Until(now time.Time) time.Time {
	if !p.set.Load() {
		return time.Time{}
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if !now.Before(p.until) {
		return time.Time{}
	}
	return p.until
}

// PauseAnswer is a pause's answer to a call.
type PauseAnswer struct {
	// OK says that the call may go on.
	OK bool
	// Probe says that it goes on although the pause has not ended. Its success is a reason to Lift.
	Probe bool
	// NotBefore is when the pause ends, where there is one.
	NotBefore time.Time
}

// Admit asks for a call at now.
func (p *Pause) Admit(now time.Time) PauseAnswer {
	if !p.set.Load() {
		return PauseAnswer{OK: true}
	}
	return p.admit(now)
}

// admit is Admit where there may be a pause.
func (p *Pause) admit(now time.Time) PauseAnswer {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !now.Before(p.until) {
		p.set.Store(false)
		return PauseAnswer{OK: true}
	}
	if p.long && !now.Before(p.probe) {
		p.probe = now.Add(p.every)
		return PauseAnswer{OK: true, Probe: true, NotBefore: p.until}
	}
	return PauseAnswer{NotBefore: p.until}
}

// Refund gives a probe back that was not sent after all, because something else held the call back: the next call may be it.
func (p *Pause) Refund(now time.Time) {
	p.mu.Lock()
	if p.long && now.Before(p.probe) {
		p.probe = now
	}
	p.mu.Unlock()
}

// Lift ends the pause: a probe has been answered.
func (p *Pause) Lift() {
	p.mu.Lock()
	p.until, p.long = time.Time{}, false
	p.set.Store(false)
	p.mu.Unlock()
}

// PauseSnapshot is what a pause shows of itself; zero where there is none.
type PauseSnapshot struct {
	// Since is when it began, and Until when it ends.
	Since, Until time.Time
	// Reason is the kind of failure that brought it about.
	Reason Kind
	// Probe is when the next call may go through all the same; zero for a pause without probes.
	Probe time.Time
}

// Snapshot returns what the pause shows at now; of tenants' pauses, the one that ends last.
func (p *Pause) Snapshot(now time.Time) PauseSnapshot {
	last := p.show(now)
	o := p.own
	if o == nil {
		return last
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	if s := o.tenants.other.show(now); s.Until.After(last.Until) {
		last = s
	}
	for n := o.tenants.recent.head; n != 0; n = o.tenants.values.slots[n].next {
		if s := (*valueOfTenant(&o.tenants, n)).show(now); s.Until.After(last.Until) {
			last = s
		}
	}
	return last
}

// show returns what this pause alone shows.
func (p *Pause) show(now time.Time) (s PauseSnapshot) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !now.Before(p.until) {
		return s
	}
	s.Since, s.Until, s.Reason = p.from, p.until, p.why
	if p.long {
		s.Probe = p.probe
	}
	return s
}

// longWait is the longest wait that is no long pause where the policy says of none.
const longWait = 30 * time.Second

// MakesPause reports whether calls of a plan heed the pauses that targets ask for: where it retries, or there is another way to an answer.
func MakesPause(p *Plan) bool { return p.Retry.RetryAfterMax > 0 || len(p.Fallback.Rungs) > 0 }
