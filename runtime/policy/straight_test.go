package policy

import (
	"math/rand/v2"
	"reflect"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// straightTwin is a call of the same plan on equal machines: one goes straight where it can, the other never.
type straightTwin struct {
	way      Straight
	straight bool
	call     Call // of the one that could not
	other    Call
	running  bool
}

// twins plays calls on two sets of equal machines.
type twins struct {
	t    *testing.T
	plan Plan
	sets [2][]Machines
	base time.Time
	now  time.Time
	seen map[string]int
}

func newTwins(t *testing.T, plan Plan) *twins {
	t.Helper()
	w := &twins{t: t, plan: plan, base: time.Unix(4000, 0), now: time.Unix(5000, 0), seen: map[string]int{}}
	for i := range w.sets {
		g := NewGuard()
		w.sets[i] = make([]Machines, 1+len(plan.Fallback.Rungs))
		w.sets[i][0] = Machines{
			Target:  PrimaryTarget,
			Breaker: NewBreaker(plan.Breaker, plan.Timeout.Attempt, nil).Under(g), Bulkhead: NewBulkhead(plan.Bulkhead).Under(g),
			Budget: NewBudget(plan.Budget), Pause: NewPause(0), Latency: new(Latency).Under(g),
		}
		if plan.Limit.CountsTokens() {
			w.sets[i][0].Estimate = NewEstimator(CountingOf(&plan))
		}
		if !plan.Limit.IsOff() {
			w.sets[i][0].Limit = NewLimiter(plan.Limit)
		}
	}
	if !IsStraight(&plan, &w.sets[0][0]) {
		t.Fatal("the plan must allow calls to go straight")
	}
	return w
}

// begin starts a call on both sets, and compares what the two are to do.
func (w *twins) begin(deadline time.Time, size Size) *straightTwin {
	req := Request{Deadline: deadline, Worst: Canned, Size: size}
	c := &straightTwin{call: NewCall(&w.plan, w.sets[0], req, middling), other: NewCall(&w.plan, w.sets[1], req, middling)}
	want := c.other.Step(w.now, Event{What: CallStarted}, nil)
	var got []Action
	left := time.Duration(0)
	if !deadline.IsZero() {
		left = deadline.Sub(w.now)
	}
	c.way.Size = size
	if c.straight = c.way.Enter(&w.base, w.now.Sub(w.base), left, &w.plan, &w.sets[0][0], &Claim{}); c.straight {
		got = []Action{{Do: StartAttempt, Number: 1, Until: w.now.Add(c.way.Lasts())}}
		w.seen["straight"]++
	} else {
		got = c.call.Step(w.now, Event{What: CallStarted}, nil)
		w.seen["not straight"]++
	}
	w.compare("start", want, got)
	c.running = len(want) > 0 && want[len(want)-1].Do == StartAttempt
	w.giveUp(c, want)
	return c
}

// end ends the attempt of both in the same way.
func (w *twins) end(c *straightTwin, r Result) {
	ev := Event{What: AttemptDone, Result: r}
	want := c.other.Step(w.now, ev, nil)
	var got []Action
	switch {
	case c.straight && r.Kind == KindNone:
		got = append(c.way.Answer(w.now.Sub(w.base)-c.way.Began(), r.Used, r.Items), Action{Do: FinishCall})
	case c.straight:
		c.call = Call{}
		c.way.Resume(&c.call, &w.plan, w.sets[0], &Request{Deadline: c.other.req.Deadline, Worst: Canned, Size: c.other.req.Size}, middling)
		got = c.call.Step(w.now, ev, nil)
		c.straight = false
	default:
		got = c.call.Step(w.now, ev, nil)
	}
	w.compare("end", want, got)
	c.running = false
	for _, a := range want {
		w.seen[map[ActionKind]string{TellNote: "note", SetTimer: "retry"}[a.Do]]++
		if a.Do == SetTimer {
			ev := Event{What: TimerFired, Timer: a.Timer}
			again := c.other.Step(w.now, ev, nil)
			w.compare("retry", again, c.call.Step(w.now, ev, nil))
			c.running = len(again) > 0 && again[len(again)-1].Do == StartAttempt
			w.giveUp(c, again)
		}
	}
}

// giveUp ends a call that waits for its turn of the limit.
func (w *twins) giveUp(c *straightTwin, does []Action) {
	w.t.Helper()
	if n := len(does); n == 0 || does[n-1].Do != SetTimer {
		return
	}
	w.seen["in line"]++
	ev := Event{What: CallerEnded, Ended: KindCanceled}
	w.compare("give up", c.other.Step(w.now, ev, nil), c.call.Step(w.now, ev, nil))
}

func (w *twins) compare(what string, want, got []Action) {
	w.t.Helper()
	same := cmp.Comparer(func(*Breaker, *Breaker) bool { return true })
	opts := cmp.Options{
		same, cmp.Comparer(func(*Bulkhead, *Bulkhead) bool { return true }), cmp.Comparer(func(*Limiter, *Limiter) bool { return true }), cmp.AllowUnexported(Permit{}), cmpopts.IgnoreUnexported(Fall{}),
		cmpopts.EquateEmpty(),
	}
	if diff := cmp.Diff(want, got, opts); diff != "" {
		w.t.Fatalf("%s at %v (-call +straight):\n%s", what, w.now, diff)
	}
}

func middling() float64 { return 0.5 }

// A call that goes straight asks and tells what a Call does, and where it cannot, a Call goes on as if it had begun.
func TestStraightIsWhatACallDoes(t *testing.T) {
	t.Parallel()
	requests := Rate{Amount: 3, Per: time.Second}
	static := Rung{Name: "sorry", Sort: RungStatic, When: []Kind{KindTransient}, Level: Canned}
	for name, c := range map[string]struct {
		limit  LimitConfig
		ladder []Rung
	}{
		"without a limit":       {},
		"with a limit":          {limit: LimitConfig{Requests: requests, Burst: 3}},
		"with limits of tokens": {limit: LimitConfig{Requests: requests, Burst: 3, Tokens: Rate{Amount: 600, Per: time.Second}}},
		"with a static rung":    {ladder: []Rung{static}},
		"with a rung for a while": {
			limit:  LimitConfig{Requests: requests, Burst: 3, OutputTokens: Rate{Amount: 400, Per: time.Second}},
			ladder: []Rung{{Name: "second", Sort: RungFunc, When: []Kind{KindTransient}, Level: Reduced, Reserve: time.Second}, static},
		},
		"with a rung for as long": {ladder: []Rung{{Name: "second", Sort: RungFunc, When: []Kind{KindTransient}, Level: Reduced}}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			playTwins(t, c.limit, c.ladder)
		})
	}
}

// playTwins plays calls that go straight beside calls that do not.
func playTwins(t *testing.T, limit LimitConfig, ladder []Rung) {
	t.Helper()
	plan := *steady()
	plan.Limit, plan.Fallback.Rungs = limit, ladder
	plan.Timeout = Timeout{Attempt: 2 * time.Second, Total: 20 * time.Second}
	plan.Retry = Retry{Attempts: 3, On: []Kind{KindTransient}, Backoff: Backoff{Base: time.Second, Max: 4 * time.Second}, RetryAfterMax: time.Minute}
	plan.Budget = BudgetConfig{Ratio: 0.1}
	plan.Breaker = BreakerConfig{
		Mode: BreakerOn, WindowCalls: 10, WindowAge: 20 * time.Second, MinCalls: 5, FailureRate: 0.6, SlowRate: 0.6, SlowCall: 1500 * time.Millisecond,
		OpenFor: 2 * time.Second, OpenMax: 4 * time.Second, Probes: 2, CloseAfter: 2,
	}
	plan.Bulkhead = BulkheadConfig{MaxConcurrent: 4}
	w := newTwins(t, plan)
	r := rand.New(rand.NewPCG(3, 5))
	var running []*straightTwin
	steps := 3_000
	if RaceEnabled {
		steps = 1_000
	}
	for range steps {
		if r.IntN(3) == 0 {
			w.now = w.now.Add(time.Duration(r.IntN(700)) * time.Millisecond)
		}
		if len(running) == 0 || r.IntN(2) == 0 {
			var deadline time.Time
			if r.IntN(2) == 0 {
				deadline = w.now.Add(time.Duration(1+r.IntN(4000)) * time.Millisecond)
			}
			if c := w.begin(deadline, Size{Bytes: r.IntN(400), MaxOutput: int64(r.IntN(3) * r.IntN(300))}); c.running {
				running = append(running, c)
			}
			continue
		}
		n := r.IntN(len(running))
		c := running[n]
		running = append(running[:n], running[n+1:]...)
		res := Result{Verdict: Success, Items: int64(r.IntN(2)), Used: Usage{Input: int64(r.IntN(2) * r.IntN(90)), Output: int64(r.IntN(2) * r.IntN(150))}}
		switch r.IntN(8) {
		case 0, 1:
			res = Result{Kind: KindTransient, Verdict: Failure, MayHaveActed: r.IntN(2) == 0}
		case 2:
			res = Result{Kind: KindThrottle, Pushback: true, RetryAfter: time.Duration(r.IntN(1000)) * time.Millisecond}
		case 3:
			res = Result{Kind: KindTimeout, Verdict: Failure, Expired: true}
		}
		if w.end(c, res); c.running {
			running = append(running, c)
		}
	}
	for i := range w.sets {
		w.sets[i][0].Pause.Lift()
	}
	a, b := &w.sets[0][0], &w.sets[1][0]
	if diff := cmp.Diff(b.Breaker.State(w.now), a.Breaker.State(w.now)); diff != "" {
		t.Errorf("the breaker in the end (-call +straight):\n%s", diff)
	}
	if diff := cmp.Diff(b.Bulkhead.Snapshot(w.now), a.Bulkhead.Snapshot(w.now)); diff != "" {
		t.Errorf("the bulkhead in the end (-call +straight):\n%s", diff)
	}
	if b, a := b.Budget.Balance(w.now), a.Budget.Balance(w.now); a != b {
		t.Errorf("the budget in the end: a call left %v, straight %v", b, a)
	}
	if l := a.Limit; l != nil {
		if diff := cmp.Diff(b.Limit.Snapshot(w.now), l.Snapshot(w.now)); diff != "" {
			t.Errorf("the limit in the end (-call +straight):\n%s", diff)
		}
	}
	if a.Estimate != nil {
		if diff := cmp.Diff(b.Estimate.Snapshot(), a.Estimate.Snapshot()); diff != "" {
			t.Errorf("the estimate in the end (-call +straight):\n%s", diff)
		}
	}
	for _, what := range []string{"straight", "not straight", "note", "retry", "in line"} {
		if w.seen[what] < steps/100 && (what != "in line" || !limit.IsOff()) {
			t.Errorf("the test came to %q only %d times", what, w.seen[what])
		}
	}
}

// What a plan, a target's machines and a request may ask for is known to Straight, or keeps calls from going straight. Whoever adds to
// them decides which, here and in IsStraight.
func TestStraightKnowsEverything(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		of    any
		known []string
	}{
		{Plan{}, []string{
			// asked by Straight, or by the Call that takes over
			"Operation", "Idempotency", "Hedgeable", "Abandon", "Errors", "Stream", "Criticality", "Timeout", "Retry", "Budget", "Breaker", "Bulkhead",
			"Limit", "Shed", "Targets", // through machines
			"Fallback", "Tokens", // the same
			"Hedge", "Cache", "Exercise", // not straight
			"Key", "Served", // not straight, by the driver
			"Data",  // never: a plan that shows it to others is none
			"IDs",   // before, by which operation makes the call
			"Space", // by the wire, when an answer is read
		}},
		{Machines{}, []string{
			"Target", "Breaker", "Lane", "Bulkhead", "Budget", "Pause", "Latency", "Layered",
			"Limit", "Headers", "Estimate",
			"Purse", "Throttle", "Hedger", "Hedge", "Members", "Member", // not straight
			"Price", // not straight, by the driver
		}},
		{Request{}, []string{
			"Deadline", "OneAttempt", "NoFallback", "Worst", "Tenant", "Criticality", "Size",
			"Affinity", "Hold", "NoWait", "Fresh", "StaleUntil", "Spent", "Unfit", "Exercise", // not straight, by the driver
		}},
	} {
		var fields []string
		for f := range reflect.TypeOf(c.of).Fields() {
			fields = append(fields, f.Name)
		}
		if diff := cmp.Diff(c.known, fields, cmpopts.SortSlices(func(a, b string) bool { return a < b })); diff != "" {
			t.Errorf("%T (-known +fields):\n%s", c.of, diff)
		}
	}
}

// A call that may not go straight after all has asked for nothing: no other operation has been looked after in its place.
func TestStraightThatIsRefusedTakesNothing(t *testing.T) {
	t.Parallel()
	g, now := NewGuard(), time.Unix(5000, 0)
	plan := *steady()
	plan.Breaker = BreakerConfig{Mode: BreakerOn, WindowCalls: 10, MinCalls: 10, FailureRate: 0.5, SlowRate: 0.5, SlowCall: time.Second}
	plan.Bulkhead = BulkheadConfig{MaxConcurrent: 1}
	m := Machines{Breaker: NewBreaker(plan.Breaker, time.Minute, nil).Under(g), Bulkhead: NewBulkhead(plan.Bulkhead).Under(g)}
	quiet, other := m.Breaker.Lane(time.Minute), m.Breaker.Lane(time.Minute)
	_, _ = m.Breaker.AdmitIn(now, quiet) // looked at again after three calls
	_, _ = m.Bulkhead.Acquire(now, Claim{})
	for range 2 {
		var s Straight
		if s.Enter(&now, 0, 0, &plan, &m, &Claim{}) {
			t.Fatal("a call goes straight although the bulkhead is full")
		}
	}
	now = now.Add(2 * time.Second)
	_, _ = m.Breaker.AdmitIn(now, other)
	if n := m.Breaker.State(now).Slow; n != 0 {
		t.Errorf("%d calls were found slow before their turn: refused calls have taken a turn", n)
	}
}

// A limit is not asked for a call that the breaker does not let through: for the moment that it has a share, another call would have none.
func TestStraightAsksTheBreakerBeforeTheLimit(t *testing.T) {
	t.Parallel()
	plan := *steady()
	m := Machines{
		Breaker: NewBreaker(BreakerConfig{Mode: BreakerForcedOpen}, 0, nil),
		Limit:   NewLimiter(LimitConfig{Requests: Rate{Amount: 1, Per: time.Second}, Per: PerTenant}),
	}
	var s Straight
	now := time.Unix(5000, 0)
	if s.Enter(&now, 0, 0, &plan, &m, &Claim{Tenant: "a"}) {
		t.Fatal("a call goes straight although the breaker is open")
	}
	if n := m.Limit.Snapshot(now).Tenants; n != 0 {
		t.Errorf("the limit was asked for %d tenants", n)
	}
}
