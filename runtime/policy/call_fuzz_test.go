package policy

import (
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
	due    [2]time.Time
	awaits Permit
	starts map[int]int // attempts by rung
	last   int         // the rung that was started last
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
	plan.Retry.On = RetryOn(plan.Idempotency)
	plan.Retry.Attempts = p.draw() % 5
	plan.Retry.RetryAfterMax = time.Duration(p.draw()) * 100 * time.Millisecond
	plan.Timeout = Timeout{Attempt: time.Duration(p.draw()) * 20 * time.Millisecond, Total: time.Duration(p.draw()) * 100 * time.Millisecond}
	plan.Bulkhead = BulkheadConfig{MaxConcurrent: 1, MaxQueue: 1, MaxWait: time.Duration(p.draw()) * 10 * time.Millisecond}
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
	}
	if p.draw()%2 == 0 {
		p.other, _ = machines.Bulkhead.Acquire(p.now, time.Time{}, false)
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
			next, started = p.attempt(a), true
		case SetTimer:
			p.due[a.Timer] = a.Until
			if end := p.call.end; !end.IsZero() && a.Until.After(end) {
				p.t.Errorf("waits until %v, after the end %v", a.Until, end)
			}
		case StopTimer:
			p.due[a.Timer] = time.Time{}
		case AwaitGrant:
			p.awaits = a.Permit
		case FinishCall:
			if i != len(actions)-1 || started {
				p.t.Error("there are actions beside the end")
			}
			p.finished(a)
			return Event{}, true
		case WakeCall, TellNote:
		}
	}
	if started {
		return next, false
	}
	return p.wait(), false
}

// started checks a start.
func (p *player) started(a Action) {
	p.t.Helper()
	p.starts[a.Rung]++
	most := max(p.plan.Retry.Attempts, 1)
	if p.starts[a.Rung] > most || a.Number != p.starts[a.Rung] || a.Rung < p.last {
		p.t.Errorf("attempt %d of %d on rung %d after rung %d", a.Number, most, a.Rung, p.last)
	}
	p.last = a.Rung
	if end := p.call.end; !end.IsZero() && a.Until.After(end) {
		p.t.Errorf("an attempt may last until %v, after the end %v", a.Until, end)
	}
}

// attempt plays an attempt.
func (p *player) attempt(a Action) Event {
	took := time.Duration(p.draw()) * 10 * time.Millisecond
	r := Result{Kind: Kind(p.draw() % int(kindCount))}
	r.Verdict, r.MayHaveActed = VerdictOf(r.Kind), r.Kind.InDoubt()
	if p.draw()%4 == 0 {
		r.Pushback, r.RetryAfter = true, time.Duration(p.draw())*200*time.Millisecond
	}
	if !a.Until.IsZero() && p.now.Add(took).After(a.Until) {
		took = max(a.Until.Sub(p.now), 0)
		r = Result{Kind: KindTimeout, Verdict: Failure, Expired: true, MayHaveActed: true}
	}
	p.now = p.now.Add(took)
	ev := Event{What: AttemptDone, Result: r}
	if r.Kind != KindNone {
		ev.Ended = p.ended()
	}
	return ev
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
	if which == QueueTimer && p.draw()%2 == 0 {
		granted := p.rungs[0].Bulkhead.Release(p.now, p.other)
		p.other = Permit{}
		if len(granted) == 1 && granted[0] == p.awaits {
			return Event{What: PermitGranted}
		}
	}
	if p.draw()%16 == 15 {
		p.due = [2]time.Time{}
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
	m.Bulkhead.Release(p.now, p.other)
	if n := m.Bulkhead.Snapshot(p.now); n.InFlight != 0 || n.Queued != 0 {
		p.t.Errorf("bulkhead %+v after the end", n)
	}
	if n := m.Breaker.State(p.now).InFlight; n != 0 {
		p.t.Errorf("%d tickets after the end", n)
	}
	if c := p.call; c.paid != 0 || c.flight != (flight{}) {
		p.t.Errorf("the call still holds %v tokens and %+v", c.paid, c.flight)
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
	f.Add([]byte("a call with a ladder of three rungs, and a deadline that is near: \x03\x03\xff\x20\x40\x05\x01\x00\x03"))
	f.Fuzz(func(t *testing.T, data []byte) { newPlayer(t, data).play() })
}
