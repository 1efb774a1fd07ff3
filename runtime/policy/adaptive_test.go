package policy

import (
	queue "container/heap"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"time"
)

// lab is a closed loop in virtual time: clients with a bulkhead each call a server that serves so many calls at once and
// lets the others wait.
type lab struct {
	random  *rand.Rand
	now     int64
	events  events
	order   int
	workers int
	busy    int
	line    []*try // at the server, first in, first out
	service func(t time.Duration) time.Duration
	timeout time.Duration
	again   time.Duration // after which a call that was refused comes again, on average
}

// client keeps so many calls going at once, as far as its bulkhead admits them.
type client struct {
	bulkhead *Bulkhead
	done     []answer
	refused  int
	lowest   int
}

type answer struct {
	at, took time.Duration
	ok       bool
}

// try is a call at the server.
type try struct {
	client  *client
	permit  Permit
	began   int64
	serving bool
	gone    bool
}

type event struct {
	at    int64
	order int
	do    func()
}

type events []event

func (e *events) Len() int { return len(*e) }
func (e *events) Less(i, j int) bool {
	a, b := (*e)[i], (*e)[j]
	return a.at < b.at || a.at == b.at && a.order < b.order
}
func (e *events) Swap(i, j int) { (*e)[i], (*e)[j] = (*e)[j], (*e)[i] }
func (e *events) Push(x any)    { *e = append(*e, x.(event)) }
func (e *events) Pop() any {
	last := (*e)[len(*e)-1]
	*e = (*e)[:len(*e)-1]
	return last
}

func (l *lab) after(d time.Duration, do func()) {
	l.order++
	queue.Push(&l.events, event{l.now + int64(d), l.order, do})
}

func (l *lab) time() time.Time { return time.Unix(1_700_000_000, l.now) }

// run lets the clients work until then.
func (l *lab) run(d time.Duration) {
	for len(l.events) > 0 && l.events[0].at <= int64(d) {
		e := queue.Pop(&l.events).(event)
		l.now = e.at
		e.do()
	}
}

// call makes a call, and another one when it has ended. One that is refused comes back after a moment.
func (l *lab) call(c *client) {
	c.lowest = min(c.lowest, c.bulkhead.Snapshot(l.time()).Limit)
	permit, verdict := c.bulkhead.Acquire(l.time(), Claim{})
	if verdict != Admitted {
		c.refused++
		l.after(time.Duration((0.5+l.random.Float64())*float64(l.again)), func() { l.call(c) })
		return
	}
	t := &try{client: c, permit: permit, began: l.now}
	if l.timeout > 0 {
		l.after(l.timeout, func() { l.end(t, false) })
	}
	if l.busy < l.workers {
		l.serve(t)
	} else {
		l.line = append(l.line, t)
	}
}

func (l *lab) serve(t *try) {
	l.busy++
	t.serving = true
	l.after(l.service(time.Duration(l.now)), func() { l.end(t, true) })
}

// end ends a call: with its answer, or by its timeout, after which the server works on in vain.
func (l *lab) end(t *try, answered bool) {
	if answered {
		l.busy--
		for len(l.line) > 0 && l.busy < l.workers {
			next := l.line[0]
			l.line = l.line[1:]
			if !next.gone {
				l.serve(next)
			}
		}
	}
	if t.gone {
		return
	}
	t.gone = true
	took := time.Duration(l.now - t.began)
	o := Outcome{Verdict: Success, InFlight: took}
	if !answered {
		o.Verdict, o.Dropped = Failure, true
	}
	t.client.bulkhead.Release(l.time(), t.permit, o)
	t.client.done = append(t.client.done, answer{time.Duration(l.now), took, answered})
	l.call(t.client)
}

// newLab returns a server of so many workers.
func newLab(seed uint64, workers int, service func(*rand.Rand, time.Duration) time.Duration) *lab {
	l := &lab{random: rand.New(rand.NewPCG(seed, seed)), workers: workers, again: 50 * time.Millisecond}
	l.service = func(t time.Duration) time.Duration { return service(l.random, t) }
	return l
}

// client adds a client with an adaptive bulkhead, which offers so many calls at once from then on.
func (l *lab) client(most, offered int, from time.Duration) *client {
	c := &client{bulkhead: NewBulkhead(BulkheadConfig{MaxConcurrent: most, Adaptive: true})}
	c.lowest = most
	for range offered {
		l.after(from, func() { l.call(c) })
	}
	return c
}

// between returns the rate of answers and their mean duration from one instant to another.
func (c *client) between(from, to time.Duration) (perSecond float64, mean time.Duration) {
	n, sum := 0, time.Duration(0)
	for _, a := range c.done {
		if a.at >= from && a.at < to && a.ok {
			n++
			sum += a.took
		}
	}
	if n == 0 {
		return 0, 0
	}
	return float64(n) / (to - from).Seconds(), sum / time.Duration(n)
}

func (c *client) limit(l *lab) int { return c.bulkhead.Snapshot(l.time()).Limit }

// around returns service times that vary by a fifth.
func around(d time.Duration) func(*rand.Rand, time.Duration) time.Duration {
	return func(r *rand.Rand, _ time.Duration) time.Duration {
		return time.Duration((0.8 + 0.4*r.Float64()) * float64(d))
	}
}

// exponential returns service times as they come: many short, some long.
func exponential(d time.Duration) func(*rand.Rand, time.Duration) time.Duration {
	return func(r *rand.Rand, _ time.Duration) time.Duration { return time.Duration(r.ExpFloat64() * float64(d)) }
}

func TestT57_KeepsATargetBusyWithoutALongQueue(t *testing.T) {
	t.Parallel()
	const unloaded = 50 * time.Millisecond
	for name, service := range map[string]func(*rand.Rand, time.Duration) time.Duration{
		"even": around(unloaded), "exponential": exponential(unloaded),
	} {
		for _, workers := range []int{4, 10, 50} {
			t.Run(fmt.Sprint(name, " ", workers), func(t *testing.T) {
				t.Parallel()
				l := newLab(1, workers, service)
				c := l.client(500, 25+2*workers, 0)
				l.run(80 * time.Second)
				rate, mean := c.between(50*time.Second, 80*time.Second)
				capacity := float64(workers) / unloaded.Seconds()
				if rate < 0.85*capacity || mean > 2*unloaded {
					t.Errorf("%.0f calls a second in %v, want nearly %.0f in at most %v", rate, mean, capacity, 2*unloaded)
				}
			})
		}
	}
}

func TestT57_UnloadedLatencyDoesNotDrift(t *testing.T) {
	t.Parallel()
	l := newLab(1, 20, around(50*time.Millisecond))
	c := l.client(500, 50, 0)
	l.run(4 * time.Minute)
	if rate, mean := c.between(3*time.Minute, 4*time.Minute); rate < 360 || mean > 100*time.Millisecond {
		t.Errorf("after 4 minutes of load: %.0f calls a second in %v, want nearly 400 in at most 100ms", rate, mean)
	}
}

// Gradient descent gives clients of equal latency equal limits, but each measures for itself what it takes to be unloaded: a tenth
// more is a limit half as large again. So parts are equal on the whole, and nobody starves.
func TestT57_TwoClientsShareATarget(t *testing.T) {
	t.Parallel()
	for _, late := range []time.Duration{0, 20 * time.Second} {
		for seed := range uint64(2) {
			t.Run(fmt.Sprint(late, " ", seed), func(t *testing.T) {
				t.Parallel()
				l := newLab(seed, 20, around(50*time.Millisecond))
				first, second := l.client(500, 40, 0), l.client(500, 40, late)
				l.run(2 * time.Minute)
				one, _ := first.between(80*time.Second, 2*time.Minute)
				two, mean := second.between(80*time.Second, 2*time.Minute)
				if one+two < 360 || min(one, two) < 80 || mean > 150*time.Millisecond {
					t.Errorf("%.0f and %.0f calls a second in %v, want nearly 400 together, and no less than 80 for each", one, two, mean)
				}
			})
		}
	}
}

func TestT57_ASlowerTargetIsBelieved(t *testing.T) {
	t.Parallel()
	for _, factor := range []float64{1.6, 4} {
		t.Run(fmt.Sprint(factor), func(t *testing.T) {
			t.Parallel()
			fast := around(50 * time.Millisecond)
			l := newLab(1, 60, func(r *rand.Rand, at time.Duration) time.Duration {
				if d := fast(r, at); at < 40*time.Second {
					return d
				} else {
					return time.Duration(factor * float64(d))
				}
			})
			c := l.client(500, 150, 0)
			l.run(100 * time.Second)
			if rate, _ := c.between(80*time.Second, 100*time.Second); rate < 0.8*1200/factor {
				t.Errorf("%.0f calls a second, want nearly %.0f", rate, 1200/factor)
			}
		})
	}
}

func TestT57_WhatIsNotUsedDoesNotGrow(t *testing.T) {
	t.Parallel()
	l := newLab(1, 1000, around(50*time.Millisecond))
	c := l.client(500, 9, 0)
	l.run(20 * time.Second)
	if got := c.limit(l); got != adaptiveStart {
		t.Errorf("the limit went from %d to %d with 9 calls at once", adaptiveStart, got)
	}
	l = newLab(1, 1000, around(50*time.Millisecond))
	c = l.client(30, 60, 0)
	l.run(20 * time.Second)
	if got := c.limit(l); got != 30 {
		t.Errorf("the limit is %d, want it to grow to the 30 that are allowed", got)
	}
}

func TestT57_ConstantTimeoutsAreNoStableLatency(t *testing.T) {
	t.Parallel()
	l := newLab(1, 1000, func(*rand.Rand, time.Duration) time.Duration { return time.Hour })
	l.timeout = time.Second
	c := l.client(500, 60, 0)
	highest := 0
	for i := range 60 {
		l.after(time.Duration(i)*time.Second, func() { highest = max(highest, c.limit(l)) })
	}
	l.run(time.Minute)
	if highest > adaptiveStart || c.limit(l) > 2 || c.lowest < 1 {
		t.Errorf("the limit rose to %d, ended at %d and was %d at least; want it to fall from %d to 1", highest, c.limit(l), c.lowest, adaptiveStart)
	}
	// When it answers again the limit comes back.
	l.service, l.timeout = func(time.Duration) time.Duration { return 50 * time.Millisecond }, 0
	l.run(80 * time.Second)
	if rate, _ := c.between(75*time.Second, 80*time.Second); rate < 400 {
		t.Errorf("%.0f calls a second after 15 s of recovery, want at least 400", rate)
	}
}

func TestT57_SomeFailuresLeaveALimit(t *testing.T) {
	t.Parallel()
	a := newAdaptive(500)
	now := int64(0)
	for i := range 20_000 {
		now += int64(5 * time.Millisecond)
		a.window.peak = int(a.limit)
		o := Outcome{Verdict: Success, InFlight: 50 * time.Millisecond}
		if i%10 == 0 {
			o.Verdict = Failure
		}
		a.record(now, now, o)
	}
	if got := a.permits(); got < 50 {
		t.Errorf("the limit is %d with a failure in ten, want at least 50", got)
	}
}

func TestT57_OnlyCallsOfTheWindowCount(t *testing.T) {
	t.Parallel()
	a := newAdaptive(500)
	fill := func(now, began int64, d time.Duration) {
		for range 100 {
			a.record(now, began, Outcome{Verdict: Success, InFlight: d})
		}
	}
	second := int64(time.Second)
	fill(second, 0, 10*time.Millisecond) // makes the first window
	base, limit := a.base, a.limit
	fill(3*second, second/2, time.Second) // began before the second one
	if a.base != base || a.limit != limit || a.window.samples != 0 {
		t.Errorf("calls that began before the window count: base %v, limit %v, %d samples", a.base, a.limit, a.window.samples)
	}
	fill(3*second, 2*second, time.Second)
	if a.limit >= limit {
		t.Errorf("calls that began in the window do not count: limit %v", a.limit)
	}
}

func TestT58_WhatSaysNothingIsNoSample(t *testing.T) {
	t.Parallel()
	b := NewBulkhead(BulkheadConfig{MaxConcurrent: 100, Adaptive: true})
	now := time.Unix(1_700_000_000, 0)
	for range 1000 {
		p, verdict := b.Acquire(now, Claim{})
		if verdict != Admitted {
			t.Fatal(verdict)
		}
		now = now.Add(10 * time.Millisecond)
		b.Release(now, p, Outcome{Verdict: Neutral, InFlight: 10 * time.Millisecond}) // the caller went away
		p, _ = b.Acquire(now, Claim{})
		b.Abandon(now, p)
	}
	if w := b.learner.window; w.samples != 0 || w.drops != 0 {
		t.Errorf("%d samples and %d drops, want none", w.samples, w.drops)
	}
	// A 429 is neutral for a breaker, and a drop here.
	p, _ := b.Acquire(now, Claim{})
	b.Release(now, p, Outcome{Verdict: Neutral, Dropped: true})
	// The sample of a stream is its first item, however long it goes on, and how it ends says nothing more.
	p, _ = b.Acquire(now, Claim{})
	b.Sample(now.Add(time.Second), p, Outcome{Verdict: Success, InFlight: time.Second})
	b.Sample(now.Add(time.Second), p, Outcome{Verdict: Success, InFlight: time.Second})
	if s := b.Snapshot(now.Add(time.Second)); s.InFlight != 1 {
		t.Errorf("%d in flight, want the stream", s.InFlight)
	}
	b.Release(now.Add(time.Hour), p, Outcome{Verdict: Failure, InFlight: time.Second})
	if w := b.learner.window; w.samples != 1 || w.drops != 1 || w.sum != math.Log2(1e9) {
		t.Errorf("got %+v, want the drop and a sample of one second", w)
	}
}

// A spike of latency lowers the limit, never to nothing, and it comes back when the spike is over (OmniRoute#10111).
func TestC052_ASpikeOfLatencyLocksNobodyOut(t *testing.T) {
	t.Parallel()
	for name, healthy := range map[string]time.Duration{"from the start": 0, "after a while": 10 * time.Second} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			spike := healthy + 2*time.Second
			l := newLab(1, 1000, func(_ *rand.Rand, at time.Duration) time.Duration {
				if at >= healthy && at < spike {
					return 800 * time.Millisecond
				}
				return 5 * time.Millisecond
			})
			l.again = 20 * time.Millisecond
			c := l.client(20, 20, 0)
			l.run(healthy)
			before := len(c.done)
			l.run(spike)
			if during := len(c.done) - before; during < 2 {
				t.Errorf("%d calls were answered during the spike, want one a second at least", during)
			}
			l.run(spike + 5*time.Second)
			done, refused := len(c.done), c.refused
			l.run(spike + 10*time.Second)
			done, refused = len(c.done)-done, c.refused-refused
			if float64(done) < 0.9*float64(done+refused) || c.lowest < 1 {
				t.Errorf("%d calls accepted and %d refused from 5 s after the spike on, the limit being %d at least", done, refused, c.lowest)
			}
		})
	}
}
