package policy

import (
	"slices"
	"testing"
	"time"
)

// player drives a Call by itself in virtual time: it answers what the machine asks for with what its bytes say.
type player struct {
	t      *testing.T
	data   []byte
	now    time.Time
	call   Call
	plan   *Plan
	rungs  []Machines
	other  Permit // of somebody else who uses the bulkhead
	due    [Timers]time.Time
	awaits Permit
	lined  bool        // for a turn of the limit
	starts map[int]int // attempts by rung
	copies int         // of the attempt that runs
	flying []Action    // copies that run
	ends   []time.Time // when each of them does
	lost   []*Held
	last   int // the rung that was started last
}

// draw returns the next byte, 0 when there are none left.
func (p *player) draw() int {
	if len(p.data) == 0 {
		return 0
	}
	b := p.data[0]
	p.data = p.data[1:]
	return int(b)
}

func (p *player) chance() float64 { return float64(p.draw()) / 256 }

// newPlayer makes a plan, machines and a call of the first bytes.
func newPlayer(t *testing.T, data []byte) *player {
	t.Helper()
	p := &player{t: t, data: data, now: time.Unix(1_700_000_000, 0), starts: map[int]int{}}
	plan := Recommended(false)
	plan.Idempotency = Idempotency(p.draw() % 4)
	plan.Hedgeable, plan.Key.Concurrent = true, p.draw()%2 == 0
	plan.Hedge = HedgeConfig{Max: p.draw() % 4, Delay: time.Duration(p.draw()%64) * 10 * time.Millisecond, ExtraLoad: 1}
	plan.Retry.On = RetryOn(plan.Idempotency)
	plan.Retry.Attempts = p.draw() % 5
	plan.Retry.RetryAfterMax = time.Duration(p.draw()) * 100 * time.Millisecond
	plan.Timeout = Timeout{Attempt: time.Duration(p.draw()) * 20 * time.Millisecond, Total: time.Duration(p.draw()) * 100 * time.Millisecond}
	plan.Bulkhead = BulkheadConfig{MaxConcurrent: 1 + p.draw()%4, MaxQueue: 1, MaxWait: time.Duration(p.draw()) * 10 * time.Millisecond}
	plan.Breaker.Consecutive, plan.Breaker.MinCalls = 1+p.draw()%4, 5
	plan.Key.TTL = time.Duration(p.draw()%4) * time.Second
	for range p.draw() % 4 {
		r := Rung{Sort: RungSort(1 + p.draw()%4), Level: Level(p.draw() % 5), Reserve: time.Duration(p.draw()%3) * 100 * time.Millisecond}
		for _, k := range Kinds() {
			if p.draw()%2 == 0 {
				r.When = append(r.When, k)
			}
		}
		plan.Fallback.Rungs = append(plan.Fallback.Rungs, r)
	}
	p.plan = &plan
	machines := Machines{
		Target: PrimaryTarget, Breaker: NewBreaker(plan.Breaker, plan.Timeout.Attempt, p.chance), Bulkhead: NewBulkhead(plan.Bulkhead),
		Budget: NewBudget(BudgetConfig{Ratio: 0.1}), Pause: NewPause(0), Latency: new(Latency),
		Hedger: NewHedger(plan.Hedge),
	}
	if p.draw()%2 == 0 {
		machines.Limit, machines.Estimate = NewLimiter(LimitConfig{
			Requests: Rate{Amount: float64(1 + p.draw()%8), Per: time.Second}, Burst: 1 + p.draw()%3,
			Tokens: Rate{Amount: float64(1 + p.draw()), Per: 2 * time.Second}, Per: Partition(p.draw() % 2),
		}), new(Estimator)
	}
	for range p.draw() % 4 { // it has a budget
		machines.Hedger.Begin(p.now)
	}
	if p.draw()%2 == 0 {
		p.other, _ = machines.Bulkhead.Acquire(p.now, Claim{})
	}
	p.rungs = []Machines{machines}
	for _, r := range plan.Fallback.Rungs {
		m := Machines{}
		if r.Sort.Sends() {
			m = machines
		}
		p.rungs = append(p.rungs, m)
	}
	req := Request{OneAttempt: p.draw()%8 == 1, NoFallback: p.draw()%8 == 1, Worst: Level(p.draw() % 5)}
	req.Size = Size{Bytes: p.draw(), MaxOutput: int64(p.draw() % 64)}
	if p.draw()%2 == 0 {
		req.Deadline = p.now.Add(time.Duration(p.draw()) * 50 * time.Millisecond)
	}
	p.call = NewCall(&plan, p.rungs, req, p.chance)
	return p
}

// play plays the call to its end.
func (p *player) play() {
	ev := Event{What: CallStarted, Ended: p.ended()}
	for range 1000 {
		next, over := p.obey(p.call.Step(p.now, ev, nil))
		if over {
			return
		}
		ev = next
	}
	p.t.Fatal("the call does not end")
}

// ended says how the caller has ended.
func (p *player) ended() Kind {
	d := p.call.req.Deadline
	switch {
	case !d.IsZero() && !p.now.Before(d):
		return KindDeadline
	case p.draw()%32 == 31:
		return KindCanceled
	default:
		return KindNone
	}
}

// obey does what the machine says, and returns what happens next.
func (p *player) obey(actions []Action) (next Event, over bool) {
	p.t.Helper()
	started := false
	for i, a := range actions {
		switch a.Do {
		case StartAttempt:
			p.started(a)
			started = true
		case CancelAttempt:
			p.canceled(a)
		case SetTimer:
			p.due[a.Timer] = a.Until
			if end := p.call.end; a.Timer != HedgeTimer && !end.IsZero() && a.Until.After(end) {
				p.t.Errorf("waits until %v, after the end %v", a.Until, end)
			}
		case StopTimer:
			p.due[a.Timer] = time.Time{}
		case AwaitGrant:
			p.awaits, p.lined = a.Permit, a.Limiter != nil
		case FinishCall:
			if i != len(actions)-1 || started {
				p.t.Error("there are actions beside the end")
			}
			p.finished(a)
			return Event{}, true
		case WakeCall, TellNote, AskStore:
		}
	}
	if len(p.flying) > 0 {
		return p.fly(), false
	}
	return p.wait(), false
}

// started checks a start, and draws how long it takes.
func (p *player) started(a Action) {
	p.t.Helper()
	if a.Copy == 0 {
		p.starts[a.Rung]++
		p.copies = 0
	} else if p.copies++; a.Copy != p.copies || a.Copy > p.plan.Hedge.Max || a.Number != 1 || p.plan.Idempotency == None {
		p.t.Errorf("copy %d of attempt %d, after %d others of at most %d, is no hedge", a.Copy, a.Number, p.copies-1, p.plan.Hedge.Max)
	}
	most := max(p.plan.Retry.Attempts, 1)
	if p.starts[a.Rung] > most || a.Number != p.starts[a.Rung] || a.Rung < p.last {
		p.t.Errorf("attempt %d of %d on rung %d after rung %d", a.Number, most, a.Rung, p.last)
	}
	p.last = a.Rung
	if end := p.call.end; !end.IsZero() && a.Until.After(end) {
		p.t.Errorf("an attempt may last until %v, after the end %v", a.Until, end)
	}
	p.flying = append(p.flying, a)
	p.ends = append(p.ends, p.now.Add(time.Duration(p.draw())*10*time.Millisecond))
}

// canceled takes a loser.
func (p *player) canceled(a Action) {
	p.t.Helper()
	if !p.landed(a.Copy) {
		p.t.Errorf("copy %d is canceled, and does not run", a.Copy)
	}
	p.lost = append(p.lost, a.Lost)
}

// landed forgets a copy that runs, and reports whether it did.
func (p *player) landed(n int) bool {
	for i, a := range p.flying {
		if a.Copy == n {
			p.flying, p.ends = slices.Delete(p.flying, i, i+1), slices.Delete(p.ends, i, i+1)
			return true
		}
	}
	return false
}

// fly plays what happens next while copies run: one ends, the next may be due, or the caller or the driver ends.
func (p *player) fly() Event {
	next := 0
	for i := range p.ends {
		if p.ends[i].Before(p.ends[next]) {
			next = i
		}
	}
	at := p.ends[next]
	if due := p.due[HedgeTimer]; !due.IsZero() && due.Before(at) {
		p.now, p.due[HedgeTimer] = maxTime(p.now, due), time.Time{}
		return Event{What: TimerFired, Timer: HedgeTimer}
	}
	if p.draw()%32 == 31 {
		return Event{What: CallerEnded, Ended: KindCanceled}
	}
	a := p.flying[next]
	r := Result{Kind: Kind(p.draw() % int(kindCount)), Used: Usage{Input: int64(p.draw()), Output: int64(p.draw() % 64)}}
	r.Verdict, r.MayHaveActed = VerdictOf(r.Kind), r.Kind.InDoubt()
	if p.draw()%4 == 0 {
		r.Pushback, r.RetryAfter = true, time.Duration(p.draw())*200*time.Millisecond
	}
	if !a.Until.IsZero() && at.After(a.Until) {
		at = a.Until
		r = Result{Kind: KindTimeout, Verdict: Failure, Expired: true, MayHaveActed: true}
	}
	p.now = maxTime(p.now, at)
	p.landed(a.Copy)
	ev := Event{What: AttemptDone, Copy: a.Copy, Result: r}
	if r.Kind != KindNone {
		ev.Ended = p.ended()
	}
	return ev
}

func maxTime(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

// wait plays what ends a wait.
func (p *player) wait() Event {
	which := BackoffTimer
	if p.due[which].IsZero() {
		which = QueueTimer
	}
	if p.due[which].IsZero() {
		p.t.Fatal("it waits for nothing")
	}
	if which == QueueTimer && p.lined && p.draw()%4 == 3 {
		p.due[which] = time.Time{}
		return Event{What: PermitGranted}
	}
	if which == QueueTimer && p.draw()%2 == 0 {
		granted := p.rungs[0].Bulkhead.Release(p.now, p.other, Outcome{})
		p.other = Permit{}
		if len(granted) == 1 && granted[0] == p.awaits {
			return Event{What: PermitGranted}
		}
	}
	if p.draw()%16 == 15 {
		p.due = [Timers]time.Time{}
		return Event{What: CallerEnded, Ended: KindCanceled}
	}
	if p.due[which].After(p.now) {
		p.now = p.due[which]
	}
	p.due[which] = time.Time{}
	return Event{What: TimerFired, Timer: which}
}

// finished checks that everything was given back.
func (p *player) finished(a Action) {
	p.t.Helper()
	m := p.rungs[0]
	for range 2 { // once is enough
		for _, l := range p.lost {
			l.Release(p.now, Neutral, nil)
		}
	}
	if len(p.flying) > 0 {
		p.t.Errorf("%d copies run after the end, and were not canceled", len(p.flying))
	}
	m.Bulkhead.Release(p.now, p.other, Outcome{})
	if n := m.Bulkhead.Snapshot(p.now); n.InFlight != 0 || n.Queued != 0 {
		p.t.Errorf("bulkhead %+v after the end", n)
	}
	if m.Limit != nil && m.Limit.Snapshot(p.now).Waiting != 0 {
		p.t.Error("a place in the line of the limit after the end")
	}
	if n := m.Breaker.State(p.now).InFlight; n != 0 {
		p.t.Errorf("%d tickets after the end", n)
	}
	if c := &p.call; c.paid != 0 || c.anyFlies() || c.flight.ticket != (Ticket{}) || c.flight.permit != (Permit{}) || c.armed {
		p.t.Errorf("the call still holds %v tokens, and %+v, %+v", c.paid, c.flight, c.copies)
	}
	if a.Fall.Kind == KindNone && p.starts[a.Rung] == 0 {
		p.t.Errorf("answered by rung %d, which was never started", a.Rung)
	}
	if got := p.call.Step(p.now, Event{What: TimerFired}, nil); len(got) != 0 {
		p.t.Errorf("actions after the end: %+v", got)
	}
	if got := p.call.Step(p.now, Event{What: CallAborted}, nil); len(got) != 0 {
		p.t.Errorf("actions on an abort after the end: %+v", got)
	}
}

// FuzzCall plays calls whose plan, machines and fortune are made of bytes: each ends, makes no more attempts than it may, never waits
// beyond its end, and gives back everything that it took.
func FuzzCall(f *testing.F) {
	f.Add([]byte{3, 3, 10, 50, 100, 5, 1, 0, 0, 0, 1, 1, 4, 0, 1, 2, 3, 4, 5, 6, 7, 8})
	f.Add([]byte{3, 0, 3, 1, 3, 10, 250, 200, 5, 9, 9, 0, 0, 0, 3, 1, 1, 4, 0, 9, 90, 80, 70, 60, 50, 5, 6, 7, 8})
	f.Add([]byte("a call with a ladder of three rungs, and a deadline that is near: \x03\x03\xff\x20\x40\x05\x01\x00\x03"))
	f.Fuzz(func(t *testing.T, data []byte) { newPlayer(t, data).play() })
}
