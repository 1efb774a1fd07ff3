package policy

import (
	"sync"
	"sync/atomic"
	"time"
)

// Breaker stops calls to a target that fails, and finds out when it serves again.
//
//	         failure rate or slow rate reached at ≥ MinCalls,
//	         or Consecutive failures in a row below it
//	CLOSED ────────────────────────────────────────────▶ OPEN ◀──────────────┐
//	  ▲                                                   │                  │ closing is
//	  │ ≥ CloseAfter results,                             │ an admission     │ out of reach
//	  │ failure rate below FailureRate                    ▼ after not-before │
//	  └──────────────────────────────────────────── HALF-OPEN ───────────────┘
//
// Invariants: a result counts only in the generation that admitted it; at most Probes calls hold a slot in half-open; each ticket
// counts once, and a slot whose ticket is never reported comes back when its lease ends, as a failure; rejections never move
// the not-before. A result depends on the times that it is given, not on when the breaker is asked: leases are settled at the
// instant they end, however late that is noticed.
//
// A Breaker never blocks, starts nothing and calls nothing while it holds its lock. Safe for concurrent use.
type Breaker struct {
	cfg    BreakerConfig
	rand   func() float64
	forced *OpenError

	// admits says that no call can be rejected, because the breaker is closed or its mode rejects nothing. It is written under the
	// lock with the state, and read without it by Peek, which tells what was true at some instant of its call: no more is known to
	// anybody who does not hold the lock.
	admits atomic.Bool
	// rejecting is what an open breaker answers without its lock; nil in every other state and in modes that reject nothing. An
	// answer may be read while it is replaced: it was right when it was read.
	rejecting atomic.Pointer[OpenError]

	mu         *sync.Mutex // of the guard
	clock      *clock      // as mu
	state      State
	generation uint64
	passes     table[pass]
	lanes      []lane
	turn       int // the lane that is looked after next, whoever calls

	window Window
	inRow  int // failures in a row

	trial    Counts // results since half-open began
	probes   list
	rejected *OpenError // what open and half-open answer, built once a generation

	since     int64 // when the generation began
	tripped   int64 // when it was closed last
	opened    int64 // when it opened last
	notBefore int64
	raised    int64 // what Retry-After asked for, at most OpenMax from when it came
	reopened  int   // reopenings in a row
	jitter    float64
	drawn     bool // jitter was used and must be drawn anew, outside the lock
}

// pass is what a breaker remembers of a ticket.
type pass struct {
	start   int64
	end     int64  // of the lease, in half-open
	number  uint64 // of its result in the window, if it was found slow in flight
	lane    Lane
	watched bool
}

// NewBreaker returns a closed breaker. attempt is the attempt timeout, from which the default threshold of slowness and the
// longest lease follow; 0 is none. rand returns numbers in [0, 1), spreads the open time, and must be safe for concurrent
// use; nil means no spread. A breaker whose mode is BreakerOff admits everything and counts nothing. What Validate
// refuses is bent to the nearest sense: Probes, CloseAfter and MinCalls below 1 are 1, OpenMax below OpenFor is OpenFor.
func NewBreaker(cfg BreakerConfig, attempt time.Duration, rand func() float64) *Breaker {
	cfg.Probes = max(cfg.Probes, 1)
	cfg.CloseAfter = max(cfg.CloseAfter, 1)
	cfg.MinCalls = max(cfg.MinCalls, 1)
	cfg.OpenFor = min(max(cfg.OpenFor, 0), longest)
	cfg.OpenMax = min(max(cfg.OpenMax, cfg.OpenFor), longest)
	cfg.SlowCall = min(max(cfg.SlowCall, 0), longest)
	b := &Breaker{cfg: cfg, rand: rand, window: makeWindow(cfg.WindowCalls, cfg.WindowAge), drawn: true}
	b.Under(NewGuard())
	b.redraw()
	b.lanes = []lane{newLane(&b.cfg, attempt)}
	if cfg.Mode == BreakerForcedOpen {
		b.forced = &OpenError{State: StateOpen, Forced: true}
	}
	b.admits.Store(cfg.Mode != BreakerForcedOpen)
	return b
}

// Peek reports whether Admit would reject at now, and takes nothing. Where it does, notBefore is when the breaker may be asked
// again, as in Admission. now may lie in the future: then the answer holds if nothing happens until then.
func (b *Breaker) Peek(now time.Time) (notBefore time.Time, open bool) {
	if b.admits.Load() {
		return time.Time{}, false
	}
	return b.peek(now)
}

// peek is Peek where a call may be rejected.
func (b *Breaker) peek(now time.Time) (notBefore time.Time, open bool) {
	if b.forced != nil {
		return time.Time{}, true
	}
	if r := b.rejecting.Load(); r != nil {
		if now.Before(r.NotBefore) {
			return r.NotBefore, true
		}
		return time.Time{}, false
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.peekTrial(b.clock.look(now))
}

// Refusal returns what the breaker answers while it is open, or forced open: the same for every call of one opening, so that a caller
// may keep what it made of it. It is nil while the breaker is not open, and where it must be asked. Like Peek it takes nothing.
func (b *Breaker) Refusal() *OpenError {
	switch {
	case b.admits.Load():
		return nil
	case b.forced != nil:
		return b.forced
	default:
		return b.rejecting.Load()
	}
}

// Admit asks for a call of the breaker's first lane. The ticket of an admitted call must be reported, by defer.
func (b *Breaker) Admit(now time.Time) (Ticket, Admission) { return b.AdmitIn(now, 0) }

// AdmitIn is Admit for a call of the given lane.
func (b *Breaker) AdmitIn(now time.Time, in Lane) (ticket Ticket, answer Admission) {
	switch b.cfg.Mode {
	case BreakerOff:
		answer.OK = true
		return ticket, answer
	case BreakerForcedOpen:
		answer.Why = b.forced
		return ticket, answer
	case BreakerOn, BreakerShadow, BreakerForcedClosed:
	}
	if r := b.rejecting.Load(); r != nil && now.Before(r.NotBefore) {
		answer.NotBefore, answer.Why = r.NotBefore, r
		return ticket, answer
	}
	b.mu.Lock()
	ticket = b.admit(b.clock.tick(now), in, &answer)
	drawn := b.drawn
	b.mu.Unlock()
	if drawn {
		b.redraw()
	}
	return ticket, answer
}

// admit is AdmitIn with the lock held. The answer, which is zero, is filled in rather than returned: it is large, and nearly always
// just OK.
func (b *Breaker) admit(t int64, in Lane, answer *Admission) Ticket {
	if b.state == StateClosed {
		tr := b.judgeInFlight(t, in)
		if tr == nil {
			answer.OK = true
			return b.admitClosed(t, in)
		}
		answer.Changed = append(answer.Changed, *tr)
	}
	if b.state == StateHalfOpen {
		if tr := b.settleLeases(t); tr != nil {
			answer.Changed = append(answer.Changed, *tr)
		}
	}
	if b.state == StateOpen && t >= b.notBefore {
		answer.Changed = append(answer.Changed, *b.enterHalfOpen(t))
	}
	switch {
	case b.state == StateOpen, b.state == StateHalfOpen && b.probes.n >= b.cfg.Probes:
		answer.OK, answer.NotBefore, answer.Why = b.cfg.Mode == BreakerShadow, b.rejected.NotBefore, b.rejected
		return Ticket{}
	case b.state == StateHalfOpen:
		answer.OK, answer.Probe = true, b.cfg.Mode == BreakerOn
		return b.admitProbe(t, in)
	default:
		answer.OK = true
		return b.admitClosed(t, in)
	}
}

func (b *Breaker) admitClosed(t int64, in Lane) Ticket {
	n, s := takeSlot(&b.passes)
	s.value.start, s.value.lane = t, in
	if b.cfg.SlowRate > 0 {
		s.value.watched = true
		pushSlot(&b.passes, &b.lanes[in].watch, n)
	}
	return Ticket{generation: b.generation, slot: n, serial: s.serial}
}

func (b *Breaker) admitProbe(t int64, in Lane) Ticket {
	n, s := takeSlot(&b.passes)
	s.value.start, s.value.lane = t, in
	s.value.end = t + b.lanes[in].lease()
	pushSlot(&b.passes, &b.probes, n)
	return Ticket{generation: b.generation, slot: n, serial: s.serial}
}

// Report tells how the call of the ticket ended, and returns the transition that followed, if one did. Only the first report of
// a ticket counts; one of an older generation does not count at all. Where half-open reports a stream at its first item, the
// report at its end is such a second one.
func (b *Breaker) Report(now time.Time, t Ticket, o Outcome) (Transition, bool) {
	if tr := b.conclude(now, t, o); tr != nil {
		return *tr, true
	}
	return Transition{}, false
}

// conclude is Report; nil is no transition.
func (b *Breaker) conclude(now time.Time, t Ticket, o Outcome) *Transition {
	if t.slot == 0 {
		return nil
	}
	b.mu.Lock()
	tr := b.report(b.clock.tick(now), t, o)
	drawn := b.drawn
	b.mu.Unlock()
	if drawn {
		b.redraw()
	}
	return tr
}

// report is Report with the lock held.
func (b *Breaker) report(t int64, ticket Ticket, o Outcome) *Transition {
	if b.state == StateHalfOpen {
		// A result that comes at the very end of its lease is still in time.
		if tr := b.settleLeases(t - 1); tr != nil {
			return tr
		}
	}
	if ticket.generation != b.generation {
		return nil
	}
	s := findSlot(&b.passes, ticket.slot, ticket.serial)
	if s == nil {
		return nil
	}
	p := s.value
	if b.state == StateHalfOpen {
		dropSlot(&b.passes, &b.probes, ticket.slot)
		giveSlot(&b.passes, ticket.slot)
		return b.judgeProbe(t, p, o)
	}
	if p.watched {
		dropSlot(&b.passes, &b.lanes[p.lane].watch, ticket.slot)
	}
	giveSlot(&b.passes, ticket.slot)
	return b.judgeResult(t, p, o)
}

// Commit says that the call of the ticket has begun to answer: it no longer becomes slow, however long its stream runs. The ticket is
// reported when it ends all the same, with the time to its first item as the time in flight.
func (b *Breaker) Commit(now time.Time, t Ticket) {
	if t.slot == 0 {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.clock.tick(now)
	if t.generation != b.generation || b.state != StateClosed {
		return
	}
	if s := findSlot(&b.passes, t.slot, t.serial); s != nil && s.value.watched {
		dropSlot(&b.passes, &b.lanes[s.value.lane].watch, t.slot)
		s.value.watched = false
	}
}

// RaiseOpen makes the breaker stay open until then, because the dependency said so (Retry-After), but not for longer than OpenMax
// before jitter. It never opens a breaker and never shortens. While the breaker is not open it is remembered, so that a
// failure reported just after takes it into account.
func (b *Breaker) RaiseOpen(now, until time.Time) {
	if b.cfg.Mode != BreakerOn && b.cfg.Mode != BreakerShadow {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	t := b.clock.tick(now)
	b.raised = max(b.raised, t+int64(min(until.Sub(now), b.cfg.OpenMax)))
	if b.state == StateOpen && t < b.notBefore {
		b.extend()
	}
}
