package policy_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/resgen-go/resgen/runtime/policy"
)

// naiveBreaker is the breaker as its documentation says, without a thought to speed: every result is kept, every lease is settled
// by looking at all of them.
type naiveBreaker struct {
	cfg        policy.BreakerConfig
	lease      time.Duration
	state      policy.State
	generation int
	results    []naiveResult
	inRow      int
	out        []*naiveCall
	trial      naiveTrial
	openTime   time.Duration
	reopened   int
	notBefore  time.Time
	changed    []string
}

type naiveResult struct {
	at           time.Time
	failed, slow bool
	of           *naiveCall
}

type naiveCall struct {
	start      time.Time
	generation int
	done, slow bool
}

type naiveTrial struct{ calls, failures int }

func (n *naiveBreaker) window(now time.Time) []naiveResult {
	n.results = slices.DeleteFunc(n.results, func(r naiveResult) bool { return now.Sub(r.at) > n.cfg.WindowAge })
	if extra := len(n.results) - n.cfg.WindowCalls; extra > 0 {
		n.results = n.results[extra:]
	}
	return n.results
}

func (n *naiveBreaker) enter(s policy.State, at time.Time) {
	n.changed = append(n.changed, fmt.Sprintf("%v>%v at %s", n.state, s, since(at)))
	n.state, n.out, n.trial = s, nil, naiveTrial{}
	n.generation++
	switch s {
	case policy.StateClosed:
		n.results, n.inRow, n.reopened, n.openTime = nil, 0, 0, n.cfg.OpenFor
	case policy.StateOpen:
		if n.reopened > 2 {
			n.openTime = min(2*n.openTime, n.cfg.OpenMax)
		}
		n.notBefore = at.Add(n.openTime)
	case policy.StateHalfOpen:
	}
}

func (n *naiveBreaker) judge(now time.Time) {
	calls, failures, slow := 0, 0, 0
	for _, r := range n.window(now) {
		calls++
		if r.failed {
			failures++
		}
		if r.slow {
			slow++
		}
	}
	if calls < n.cfg.MinCalls {
		if n.cfg.Consecutive > 0 && n.inRow >= n.cfg.Consecutive {
			n.enter(policy.StateOpen, now)
		}
		return
	}
	// The rates are halves and quarters, so that floats are exact.
	if float64(failures)/float64(calls) >= n.cfg.FailureRate || n.cfg.SlowRate > 0 && float64(slow)/float64(calls) >= n.cfg.SlowRate {
		n.enter(policy.StateOpen, now)
	}
}

func (n *naiveBreaker) judgeTrial(at time.Time) {
	possible := max(n.trial.calls, n.cfg.CloseAfter)
	switch {
	case float64(n.trial.failures)/float64(possible) >= n.cfg.FailureRate:
		n.reopened++
		n.enter(policy.StateOpen, at)
	case n.trial.calls >= n.cfg.CloseAfter:
		n.enter(policy.StateClosed, at)
	}
}

// settle plays the leases that ended by now, or before now where a result is coming.
func (n *naiveBreaker) settle(now time.Time, inclusive bool) {
	for n.state == policy.StateHalfOpen && len(n.out) > 0 {
		first := slices.MinFunc(n.out, func(a, b *naiveCall) int { return a.start.Compare(b.start) })
		end := first.start.Add(n.lease)
		if end.After(now) || !inclusive && !end.Before(now) {
			return
		}
		first.done = true
		n.out = slices.DeleteFunc(n.out, func(c *naiveCall) bool { return c == first })
		n.trial.calls++
		n.trial.failures++
		n.judgeTrial(end)
	}
}

func (n *naiveBreaker) admit(now time.Time) (*naiveCall, bool) {
	if n.state == policy.StateClosed && n.cfg.SlowRate > 0 {
		found := false
		for _, c := range n.out {
			if !c.slow && now.Sub(c.start) >= n.cfg.SlowCall {
				c.slow, found = true, true
				n.results = append(n.results, naiveResult{at: now, slow: true, of: c})
			}
		}
		if found {
			n.judge(now)
		}
	}
	n.settle(now, true)
	if n.state == policy.StateOpen && !now.Before(n.notBefore) {
		n.enter(policy.StateHalfOpen, now)
	}
	if n.state == policy.StateOpen || n.state == policy.StateHalfOpen && len(n.out) >= n.cfg.Probes {
		return nil, false
	}
	c := &naiveCall{start: now, generation: n.generation}
	n.out = append(n.out, c)
	return c, true
}

func (n *naiveBreaker) report(now time.Time, c *naiveCall, v policy.Verdict) {
	n.settle(now, false)
	if c.done || c.generation != n.generation {
		return
	}
	c.done = true
	n.out = slices.DeleteFunc(n.out, func(o *naiveCall) bool { return o == c })
	slow := now.Sub(c.start) >= n.cfg.SlowCall
	if n.state == policy.StateHalfOpen {
		if v == policy.Neutral && !slow {
			return
		}
		n.trial.calls++
		if v == policy.Failure || v == policy.Neutral {
			n.trial.failures++
		}
		n.judgeTrial(now)
		return
	}
	n.count(now, c, v, slow && n.cfg.SlowRate > 0)
}

// count puts the result of a call of the closed breaker into the window.
func (n *naiveBreaker) count(now time.Time, c *naiveCall, v policy.Verdict, slow bool) {
	switch v {
	case policy.Failure:
		n.inRow++
	case policy.Success:
		n.inRow = 0
	case policy.Neutral:
		if slow && !c.slow {
			n.inRow++
		}
	case policy.Answered:
	}
	if c.slow {
		if v != policy.Failure {
			return
		}
		held := false
		for i, r := range n.window(now) {
			if r.of == c {
				n.results[i].failed, held = true, true
			}
		}
		if !held {
			n.results = append(n.results, naiveResult{at: now, failed: true})
		}
		n.judge(now)
		return
	}
	if v == policy.Neutral && !slow {
		return
	}
	n.results = append(n.results, naiveResult{at: now, failed: v == policy.Failure, slow: slow})
	n.judge(now)
}

// fuzzConfig reads a config from two bytes.
func fuzzConfig(a, b byte) policy.BreakerConfig {
	const s = time.Second
	return policy.BreakerConfig{
		Mode: policy.BreakerOn, WindowCalls: 2 + int(a&7), WindowAge: time.Duration(1+a>>6) * 4 * s, MinCalls: 1 + int(a>>3&3),
		Consecutive: int(b & 3), FailureRate: []float64{0.25, 0.5, 0.75, 1}[b>>2&3], SlowRate: []float64{0, 0.25, 0.5, 1}[b>>4&3], SlowCall: s,
		OpenFor: 2 * s, OpenMax: 6 * s, Probes: 1 + int(b>>6&1), CloseAfter: 1 + int(a>>5&1) + int(b>>7),
	}
}

// FuzzBreaker compares the breaker with the naive one: same admissions, same transitions at the same instants, same counts; and never
// more probes than allowed.
func FuzzBreaker(f *testing.F) {
	f.Add([]byte{0xff, 0x3f, 0, 1, 2, 3, 4, 5, 6, 7})
	f.Add([]byte{0x01, 0x15, 0x80, 0x83, 0xe0, 0x80, 0x83, 0xe0, 0x80, 0x80, 0xff, 0x80, 0xff, 0xff, 0x80})
	f.Add([]byte{0x2c, 0xd5, 0x80, 0x87, 0x80, 0x87, 0xfc, 0x80, 0x80, 0xfc, 0xfc, 0x80, 0x80, 0x81, 0x85})
	f.Add([]byte("a longer story of many calls, of which some fail, some hang, and some never come back at all"))
	f.Fuzz(func(t *testing.T, script []byte) {
		if len(script) >= 2 && len(script) <= 400 {
			compareBreakers(t, script)
		}
	})
}

// Random stories that are long enough to see every transition many times.
func TestBreakerAgainstNaive(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(1, 2))
	seen := map[string]int{}
	for range 1000 {
		script := make([]byte, 200)
		for i := range script {
			script[i] = byte(random.Uint32())
		}
		for name, n := range compareBreakers(t, script) {
			seen[name] += n
		}
	}
	for _, name := range []string{"closed>open", "open>half-open", "half-open>open", "half-open>closed"} {
		if seen[name] < 400 {
			t.Errorf("%s was seen %d times, want 400: the stories prove little", name, seen[name])
		}
	}
}

// compareBreakers plays a script to both breakers, and returns how often each transition was seen. After two bytes of config, each
// byte is an event: bit 7 says admission or result, bits 2 and 3 how much time passes, the others which call and which verdict.
func compareBreakers(t *testing.T, script []byte) map[string]int {
	t.Helper()
	const attempt = 3 * time.Second
	cfg := fuzzConfig(script[0], script[1])
	p := &breakerPair{
		t: t, cfg: cfg, seen: map[string]int{},
		b: policy.NewBreaker(cfg, attempt, constant(0)),
		n: &naiveBreaker{cfg: cfg, lease: attempt, openTime: cfg.OpenFor},
	}
	now := at(0)
	for i, event := range script[2:] {
		p.event = i
		now = now.Add([]time.Duration{0, 100 * time.Millisecond, time.Second, 5 * time.Second}[event>>2&3])
		p.n.changed = nil
		if event&0x80 != 0 || len(p.calls) == 0 {
			p.admit(now)
		} else {
			p.report(now, p.calls[int(event>>4)%len(p.calls)], policy.Verdict(event&3))
		}
		p.compare(now)
	}
	return p.seen
}

// breakerPair is a breaker and the naive one, which see the same events.
type breakerPair struct {
	t     *testing.T
	cfg   policy.BreakerConfig
	b     *policy.Breaker
	n     *naiveBreaker
	calls []callPair
	event int
	got   []string
	seen  map[string]int
}

type callPair struct {
	ticket policy.Ticket
	call   *naiveCall
}

func (p *breakerPair) admit(now time.Time) {
	_, open := p.b.Peek(now)
	ticket, a := p.b.Admit(now)
	call, ok := p.n.admit(now)
	if a.OK != ok || a.Probe != (ok && p.n.state == policy.StateHalfOpen) {
		p.t.Fatalf("event %d: admission %+v, want %v in state %v", p.event, a, ok, p.n.state)
	}
	if slowTrip := len(a.Changed) > 0 && a.Changed[0].From == policy.StateClosed; open == a.OK && !slowTrip {
		p.t.Fatalf("event %d: Peek says open=%v, and Admit says OK=%v", p.event, open, a.OK)
	}
	if ok {
		p.calls = append(p.calls, callPair{ticket, call})
		p.calls = p.calls[max(0, len(p.calls)-8):]
	}
	p.note(a.Changed...)
}

func (p *breakerPair) report(now time.Time, c callPair, v policy.Verdict) {
	tr, ok := p.b.Report(now, c.ticket, policy.Outcome{Verdict: v, InFlight: now.Sub(c.call.start)})
	p.n.report(now, c.call, v)
	if ok {
		p.note(tr)
	}
}

func (p *breakerPair) note(changed ...policy.Transition) {
	for _, tr := range changed {
		name := fmt.Sprintf("%v>%v", tr.From, tr.To)
		p.seen[name]++
		p.got = append(p.got, name+" at "+since(tr.At))
	}
}

// compare compares what both did and what they show.
func (p *breakerPair) compare(now time.Time) {
	p.t.Helper()
	if diff := cmp.Diff(p.n.changed, p.got); diff != "" {
		p.t.Fatalf("event %d at %s (-want +got):\n%s", p.event, since(now), diff)
	}
	p.got = nil
	st := p.b.State(now)
	if st.State != p.n.state || st.InFlight != len(p.n.out) || st.State == policy.StateHalfOpen && st.InFlight > p.cfg.Probes {
		p.t.Fatalf("event %d: %+v, want state %v with %d out", p.event, st, p.n.state, len(p.n.out))
	}
	if p.n.state == policy.StateClosed && st.Calls != len(p.n.window(now)) {
		p.t.Fatalf("event %d: window of %d, want %d", p.event, st.Calls, len(p.n.window(now)))
	}
}
