package policy

import (
	"testing"
	"time"
)

// hedging is a plan that hedges after 20 ms, and retries as steady does.
func hedging(change ...func(*Plan)) *Plan {
	p := steady()
	p.Hedgeable = true
	p.Hedge = HedgeConfig{Max: 1, Delay: 20 * time.Millisecond, ExtraLoad: 1}
	for _, c := range change {
		c(p)
	}
	return p
}

// hedgeCase is a call with hedges; rig changes the machines before it.
type hedgeCase struct {
	plan   *Plan
	req    Request
	other  bool // copies go to another target
	rig    func(now time.Time, m *Machines)
	script string
	held   int // permits that losers hold after the script
}

func TestCallHedges(t *testing.T) {
	t.Parallel()
	most := func(n int) func(*Plan) { return func(p *Plan) { p.Hedge.Max, p.Retry.Attempts = n, 1 } }
	for name, c := range map[string]hedgeCase{
		"an answer before the hedge": {plan: hedging(), script: `
			0s   start -> set hedge 20ms, start rung 0 attempt 1 until 1s
			10ms done none -> stop hedge, finish rung 0
			20ms fired hedge -> nothing`},
		"the hedge wins": {plan: hedging(), held: 1, script: `
			0s   start -> set hedge 20ms, start rung 0 attempt 1 until 1s
			20ms fired hedge -> tell hedge, start rung 0 attempt 1 copy 1 until 1.02s
			30ms done none copy 1 -> cancel copy 0, finish rung 0 copy 1
			40ms done none -> nothing`},
		"the first wins": {plan: hedging(), held: 1, script: `
			0s   start -> set hedge 20ms, start rung 0 attempt 1 until 1s
			20ms fired hedge -> tell hedge, start rung 0 attempt 1 copy 1 until 1.02s
			30ms done none -> cancel copy 1, finish rung 0`},
		"a failure before the hedge is retried without one": {plan: hedging(), script: `
			0s    start -> set hedge 20ms, start rung 0 attempt 1 until 1s
			10ms  done reset -> stop hedge, tell retry reset, set backoff 110ms
			110ms fired backoff -> start rung 0 attempt 2 until 1.11s
			120ms done none -> finish rung 0`},
		"a failure waits for the other copy": {plan: hedging(), script: `
			0s   start -> set hedge 20ms, start rung 0 attempt 1 until 1s
			20ms fired hedge -> tell hedge, start rung 0 attempt 1 copy 1 until 1.02s
			30ms done reset -> nothing
			40ms done none copy 1 -> finish rung 0 copy 1`},
		"the most telling failure decides": {plan: hedging(), script: `
			0s    start -> set hedge 20ms, start rung 0 attempt 1 until 1s
			20ms  fired hedge -> tell hedge, start rung 0 attempt 1 copy 1 until 1.02s
			30ms  done transient copy 1 -> nothing
			1s    done timeout expired -> tell retry transient, set backoff 1.1s
			1.1s  fired backoff -> start rung 0 attempt 2 until 2.1s
			1.2s  done caller -> finish caller`},
		"no third copy after a failure": {plan: hedging(most(3)), script: `
			0s   start -> set hedge 20ms, start rung 0 attempt 1 until 1s
			20ms fired hedge -> set hedge 40ms, tell hedge, start rung 0 attempt 1 copy 1 until 1.02s
			30ms done reset copy 1 -> stop hedge
			50ms done none -> finish rung 0`},
		"each hedge is due from the start": {plan: hedging(most(2), func(p *Plan) { p.Hedge.ExtraLoad = 1 }), held: 2, script: `
			0s   start -> set hedge 20ms, start rung 0 attempt 1 until 1s
			25ms fired hedge -> set hedge 40ms, tell hedge, start rung 0 attempt 1 copy 1 until 1.025s
			40ms fired hedge -> tell hedge, start rung 0 attempt 1 copy 2 until 1.04s
			50ms done none copy 1 -> cancel copy 0, cancel copy 2, finish rung 0 copy 1`, rig: func(now time.Time, m *Machines) {
			for range 10 {
				m.Hedger.Begin(now)
			}
		}},
		"the caller ends": {plan: hedging(), held: 2, script: `
			0s   start -> set hedge 20ms, start rung 0 attempt 1 until 1s
			20ms fired hedge -> tell hedge, start rung 0 attempt 1 copy 1 until 1.02s
			30ms ended canceled -> cancel copy 0 canceled, cancel copy 1 canceled, finish canceled
			40ms done none -> nothing`},
		"the caller ends before the hedge": {plan: hedging(), held: 1, script: `
			0s   start -> set hedge 20ms, start rung 0 attempt 1 until 1s
			10ms ended deadline -> stop hedge, cancel copy 0 deadline, finish deadline`},
		"a copy panics": {plan: hedging(), held: 1, script: `
			0s   start -> set hedge 20ms, start rung 0 attempt 1 until 1s
			20ms fired hedge -> tell hedge, start rung 0 attempt 1 copy 1 until 1.02s
			30ms abort copy 1 -> cancel copy 0
			40ms done none -> nothing`},
		"no budget of its own": {plan: hedging(func(p *Plan) { p.Hedge.ExtraLoad = 0.5 }), script: `
			0s   start -> start rung 0 attempt 1 until 1s
			30ms done none -> finish rung 0`},
		"the target's budget refuses": {plan: hedging(), script: `
			0s   start -> set hedge 20ms, start rung 0 attempt 1 until 1s
			20ms fired hedge -> nothing
			30ms done none -> finish rung 0`, rig: func(now time.Time, m *Machines) {
			for m.Budget.Withdraw(now, RetryCost) {
				continue
			}
		}},
		"no permit is free": {plan: hedging(), script: `
			0s   start -> set hedge 20ms, start rung 0 attempt 1 until 1s
			20ms fired hedge -> nothing
			30ms done none -> finish rung 0`, rig: func(now time.Time, m *Machines) {
			m.Bulkhead = NewBulkhead(BulkheadConfig{MaxConcurrent: 1, MaxQueue: 1, MaxWait: time.Second})
		}},
		"the target asked for a pause": {plan: hedging(), script: `
			0s   start -> set hedge 20ms, start rung 0 attempt 1 until 1s
			20ms fired hedge -> nothing
			30ms done none -> finish rung 0`, other: true, rig: func(now time.Time, m *Machines) {
			m.Hedge.Pause.Extend(now, now.Add(time.Second), KindThrottle)
		}},
		"the breaker of the other target is open": {plan: hedging(), other: true, script: `
			0s   start -> set hedge 20ms, start rung 0 attempt 1 until 1s
			20ms fired hedge -> nothing
			30ms done none -> finish rung 0`, rig: func(now time.Time, m *Machines) { trip(now, m.Hedge.Breaker) }},
		"a probe of half-open": {plan: hedging(), script: `
			16s    start -> tell breaker, start rung 0 attempt 1 until 17s
			16.03s done none -> finish rung 0`, rig: func(now time.Time, m *Machines) { trip(now, m.Breaker) }},
		"too little time is left": {plan: hedging(), req: Request{Deadline: time.Unix(0, int64(60*time.Millisecond))}, script: `
			0s   start -> set hedge 20ms, start rung 0 attempt 1 until 60ms
			20ms fired hedge -> nothing
			30ms done none -> finish rung 0`},
		"the attempt ends before": {plan: hedging(func(p *Plan) { p.Timeout.Attempt = 20 * time.Millisecond }), script: `
			0s   start -> start rung 0 attempt 1 until 20ms
			10ms done none -> finish rung 0`},
		"not hedgeable":             {plan: hedging(func(p *Plan) { p.Hedgeable = false }), script: plainScript},
		"a layer above retries":     {plan: hedging(), req: Request{OneAttempt: true}, script: plainScript},
		"a side effect":             {plan: hedging(func(p *Plan) { p.Idempotency = None }), script: plainScript},
		"one request with a key":    {plan: hedging(func(p *Plan) { p.Idempotency = Keyed }), script: plainScript},
		"a key that others ignore":  {plan: hedging(concurrentKey), other: true, script: plainScript},
		"a target that retries":     {plan: hedging(), script: plainScript, rig: func(_ time.Time, m *Machines) { m.Layered = true }},
		"no hedge":                  {plan: hedging(func(p *Plan) { p.Hedge.Max = 0 }), script: plainScript},
		"two requests with one key": {plan: hedging(concurrentKey), script: hedgedScript},
		"idempotent elsewhere too":  {plan: hedging(func(p *Plan) { p.Idempotency = Idempotent }), other: true, script: hedgedScript},
	} {
		t.Run(name, func(t *testing.T) { t.Parallel(); c.run(t) })
	}
}

const (
	plainScript = `
			0s   start -> start rung 0 attempt 1 until 1s
			30ms done none -> finish rung 0`
	hedgedScript = `
			0s   start -> set hedge 20ms, start rung 0 attempt 1 until 1s
			20ms fired hedge -> tell hedge, start rung 0 attempt 1 copy 1 until 1.02s
			30ms done reset copy 1 -> nothing
			40ms done none -> finish rung 0`
)

func concurrentKey(p *Plan) { p.Idempotency, p.Key.Concurrent = Keyed, true }

// trip opens a breaker.
func trip(now time.Time, b *Breaker) {
	for range b.cfg.Consecutive {
		t, _ := b.Admit(now)
		b.Report(now, t, Outcome{Verdict: Failure})
	}
}

// target returns the machines of a target that nobody uses yet.
func target(name string, plan *Plan) Machines {
	return Machines{
		Target: name, Breaker: NewBreaker(Recommended(false).Breaker, plan.Timeout.Attempt, nil), Bulkhead: NewBulkhead(BulkheadConfig{MaxConcurrent: 8}),
		Budget: NewBudget(BudgetConfig{Ratio: 0.1}), Pause: NewPause(0), Latency: new(Latency),
		Hedger: NewHedger(plan.Hedge),
	}
}

func (c hedgeCase) run(t *testing.T) {
	t.Helper()
	m, other := target(PrimaryTarget, c.plan), target("other", c.plan)
	if c.other {
		m.Hedge = &other
	}
	trace := traced(t, c.plan, []Machines{m}, c.req)
	rungs := trace.call.rungs
	if c.rig != nil {
		c.rig(trace.base, &rungs[0])
	}
	trace.run(c.script)
	end := trace.base.Add(time.Minute)
	count := func() (n int) {
		for _, m := range []*Machines{&rungs[0], rungs[0].OfCopy(1)} {
			if n += m.Bulkhead.Snapshot(end).InFlight; m.Hedge == nil {
				return n
			}
		}
		return n
	}
	if got := count(); got != c.held {
		t.Errorf("%d permits are held after the call, want %d: those of losers", got, c.held)
	}
	for _, l := range trace.lost {
		l.Release(end, Neutral, nil)
		l.Release(end, Neutral, nil)
	}
	if got := count(); got != 0 {
		t.Errorf("%d permits are held after the losers", got)
	}
	if n := rungs[0].Breaker.State(end).InFlight; n != 0 {
		t.Errorf("%d tickets are out after the losers", n)
	}
}

func TestABudgetThatRanOutMeanwhileRefusesTheHedge(t *testing.T) {
	t.Parallel()
	plan := hedging()
	m := target(PrimaryTarget, plan)
	trace := traced(t, plan, []Machines{m}, Request{})
	trace.run("0s start -> set hedge 20ms, start rung 0 attempt 1 until 1s")
	if !m.Hedger.Withdraw(trace.base) || m.Hedger.Withdraw(trace.base) {
		t.Fatal("want a budget of one hedge")
	}
	balance := m.Budget.Balance(trace.base)
	trace.run(`20ms fired hedge -> nothing
		30ms done none -> finish rung 0`)
	if got := m.Budget.Balance(trace.base); got != balance {
		t.Errorf("the target's budget went from %v to %v", balance, got)
	}
}
