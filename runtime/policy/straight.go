package policy

import (
	"sync"
	"time"
)

// Straight is the way of a call with which nothing is the matter: it is admitted at once, its first attempt answers, and there is nothing
// else to decide. Nearly every call is one, and for it the events and actions of a Call cost more than the machines that are asked. Enter
// asks and takes what Step does at CallStarted, and Answer tells and gives back what it does at AttemptDone, of the same machines in the
// same order. Where there is anything to decide, to wait for or to tell of, Enter takes nothing, and a Call begins; where the attempt
// fails, a Call takes over.
//
//	Enter ──ok──▶ attempt ──answer──▶ Answer
//	  └─no─▶ NewCall     └──failure─▶ Resume ──▶ Step(AttemptDone)
//
// A Straight knows times by how long after its driver's epoch they are, and makes a time.Time only for machines that ask for one.
//
// The zero value is ready for Enter. Not safe for concurrent use.
type Straight struct {
	// Size is what is known of the request; only machines with an Estimate ask for it.
	Size Size

	machines *Machines
	share    Reservation // of a limit
	cost     expectation // what the attempt is expected to cost; valid with a limit and an estimate
	permit   Permit
	ticket   Ticket
	epoch    *time.Time
	since    time.Duration // when the attempt began, after epoch
	lasts    time.Duration // how long the attempt may take; 0 is unbounded
	full     bool          // that is all the time that an attempt gets
	at       int64         // since, by the clock of the machines' guard
	roused   Permit        // the place in the limit's line whose turn came earlier, by a share that was given back
}

// IsStraight reports whether calls by that plan, on those machines, may go straight. What is not known here is decided by a Call.
func IsStraight(plan *Plan, m *Machines) bool {
	switch {
	case plan.Hedge.Max > 0, plan.Cache.On, plan.Exercise.Share > 0:
		return false
	case m.Members != nil, m.Purse != nil, m.Throttle != nil, m.Hedger != nil, m.Hedge != nil:
		return false
	}
	if m.Limit != nil && m.Limit.IsShared() {
		return false
	}
	b, k := m.Breaker, m.Bulkhead
	if b != nil && b.cfg.Mode == BreakerOff || k != nil && k.cfg.MaxConcurrent <= 0 {
		return false
	}
	return b == nil || k == nil || b.mu == k.mu
}

// Enter admits a first attempt, if everything lets it through at once. Now is as long after epoch, which is not copied. left is the time
// to the caller's deadline, which has not come; 0 is none. claim is what the bulkhead is to know.
func (s *Straight) Enter(epoch *time.Time, now, left time.Duration, plan *Plan, m *Machines, claim *Claim) bool {
	if p := m.Pause; p != nil && !p.isFree() {
		return false
	}
	if b := m.Breaker; b != nil && !b.admits.Load() {
		return false // a limit is not asked for calls that are not made
	}
	var known bool
	if s.lasts, s.full, known = straightTime(plan, left); !known {
		return false
	}
	s.machines, s.epoch, s.since = m, epoch, now
	if m.Limit != nil && !s.reserve(m, claim.Tenant) {
		return false
	}
	if !s.claim(m, claim) {
		if m.Limit != nil {
			s.roused = m.Limit.Refund(s.Since(), &s.share)
		}
		return false
	}
	if m.Budget != nil {
		m.Budget.Deposit(s.Since())
	}
	return true
}

// reserve takes a share of a limit, if there is one without a wait.
func (s *Straight) reserve(m *Machines, tenant string) bool {
	var answer LimitAnswer
	now := s.Since()
	if m.Estimate != nil {
		s.cost = m.Estimate.expect(now, s.Size)
	}
	s.share, answer = m.Limit.Reserve(now, tenant, s.cost.Cost, time.Time{}, false)
	return answer.Verdict == LimitGranted
}

// Left returns what is to be done where Enter reported false: nearly always nothing.
func (s *Straight) Left(m *Machines) []Action {
	if s.roused == (Permit{}) {
		return nil
	}
	return rouse(m.Limit, s.roused, nil)
}

// Lasts returns how long the attempt may take, which is not longer than the caller's time; 0 is unbounded.
func (s *Straight) Lasts() time.Duration { return s.lasts }

// Began returns how long after the epoch the attempt began.
func (s *Straight) Began() time.Duration { return s.since }

// Since returns when the attempt began.
func (s *Straight) Since() time.Time { return s.epoch.Add(s.since) }

// Answer ends the call once, with an answer that took that long and was sent for once. used and items are what it says that it used, and the
// number of its items, as in a Result; only machines with an Estimate ask for them. It returns what is to be done: nearly always nothing.
func (s *Straight) Answer(took time.Duration, used Usage, items int64) []Action {
	var out []Action
	if s.machines.Estimate != nil {
		out = s.spent(s.epoch.Add(s.since+took), used, items)
	}
	m, o := s.machines, Outcome{Verdict: Success, InFlight: took}
	var change *Transition
	var granted []Permit
	if m.settlesAtOnce(s.permit, s.ticket, true) {
		change, granted = m.settleAtOnce(s.at+int64(took), s.permit, s.ticket, o, true)
	} else {
		change, granted = m.settle(s.epoch.Add(s.since+took), s.permit, s.ticket, o, true)
	}
	if change == nil && len(granted) == 0 {
		return out
	}
	out = wake(m.Bulkhead, granted, out)
	if change != nil {
		out = append(out, noteOfChange(0, m, change))
	}
	return out
}

// spent reconciles what was reserved with what the answer says that it used: it is Call.spent for an answer.
func (s *Straight) spent(now time.Time, used Usage, items int64) []Action {
	m, none := s.machines, Stake{}
	m.observe(now, s.Size, &s.cost, used)
	return m.reconcile(now, &s.share, &none, &s.cost, &bill{used: used, items: items, due: true}, nil)
}

// Resume makes a zero Call the one whose first attempt runs on this way, as if it had begun with NewCall.
func (s *Straight) Resume(c *Call, plan *Plan, rungs []Machines, req *Request, rand func() float64) {
	c.Init(plan, rungs, req, rand)
	since := s.Since()
	c.begin(since, KindNone, nil)
	c.phase, c.number, c.attempts, c.keyed = running, 1, 1, since
	c.flight = flight{
		machines: s.machines, share: s.share, cost: s.cost, permit: s.permit, ticket: s.ticket, since: since, flying: true, full: s.full,
	}
}

// straightTime is Call.until for a first attempt, as the time from now on. It is not known where later rungs may need some of it: how much
// they do is for their machines to say.
func straightTime(p *Plan, left time.Duration) (lasts time.Duration, full, known bool) {
	end := left
	if t := p.Timeout.Total; t > 0 && (end == 0 || t < end) {
		end = t
	}
	attempt := p.Timeout.Attempt
	if reserve := mostReserve(p, 1); reserve > 0 && end != 0 && (attempt <= 0 || end-reserve < attempt) {
		return 0, false, false
	}
	switch {
	case attempt <= 0:
		return end, end != left, true
	case end != 0 && end < attempt:
		return end, false, true
	default:
		return attempt, true, true
	}
}

// claim takes a permit and a ticket if that is certain and brings nothing else about. Otherwise it takes nothing.
func (s *Straight) claim(m *Machines, c *Claim) bool {
	b, k := m.Breaker, m.Bulkhead
	var mu *sync.Mutex
	var ticks *clock
	switch {
	case b != nil:
		mu, ticks = b.mu, b.clock
	case k != nil:
		mu, ticks = k.mu, k.clock
	default:
		return true
	}
	mu.Lock()
	s.at = ticks.after(s.epoch, s.since)
	ok := s.claimUnder(ticks.advance(s.at), m, c)
	mu.Unlock()
	return ok
}

// claimUnder is claim with the lock held.
func (s *Straight) claimUnder(at int64, m *Machines, c *Claim) bool {
	b, turn := m.Breaker, 0
	if b != nil {
		var plain bool
		if turn, plain = b.isPlain(at, m.Lane); !plain {
			return false
		}
	}
	if k := m.Bulkhead; k != nil {
		var ok bool
		if s.permit, ok = k.free(at, k.tenantOf(at, c)); !ok {
			return false
		}
	}
	if b != nil {
		b.turn = turn
		s.ticket = b.admitClosed(at, m.Lane)
	}
	return true
}

// isPlain reports whether admitting a call changes nothing but that it is in flight: the breaker is closed, and none of the calls that
// judgeInFlight would look at has become slow. turn is the lane whose turn it is then.
func (b *Breaker) isPlain(t int64, in Lane) (turn int, plain bool) {
	if b.state != StateClosed || b.isDue(t, &b.lanes[in]) {
		return b.turn, false
	}
	if len(b.lanes) == 1 {
		return b.turn, true
	}
	turn = b.turn + 1
	if turn >= len(b.lanes) {
		turn = 0
	}
	return turn, !b.isDue(t, &b.lanes[turn])
}

// isDue reports whether findSlow would find a call.
func (b *Breaker) isDue(t int64, l *lane) bool {
	l.age(&b.cfg, t)
	n := l.watch.head
	return n != 0 && l.slow > 0 && t-b.passes.slots[n].value.start >= l.slow
}

// isFree reports whether nobody is held back, for all that is known without the lock.
func (p *Pause) isFree() bool { return !p.set.Load() && (p.own == nil || !p.own.any.Load()) }
