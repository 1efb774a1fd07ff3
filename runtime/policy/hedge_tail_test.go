package policy

import (
	pqueue "container/heap" // heap is a helper of another test
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"
)

// tail plays calls against a server of which a share of the answers takes 20 times as long as the others: 200 calls a second, whose
// latencies are lognormal around 10 ms.
type tail struct {
	random *rand.Rand
	slow   float64
	hedger *Hedger // nil sends no copies
	events tailEvents
	took   []time.Duration
	sent   int
}

// tailCall is a call that has been answered, or has not.
type tailCall struct {
	began    time.Time
	answered bool
}

// tailEvent is an answer to a call, or the time to hedge it.
type tailEvent struct {
	at    time.Time
	hedge bool
	call  *tailCall
}

// tailEvents is what is to happen, the next first.
type tailEvents []tailEvent

func (e *tailEvents) Len() int           { return len(*e) }
func (e *tailEvents) Less(i, j int) bool { return (*e)[i].at.Before((*e)[j].at) }
func (e *tailEvents) Swap(i, j int)      { (*e)[i], (*e)[j] = (*e)[j], (*e)[i] }
func (e *tailEvents) Push(x any)         { *e = append(*e, x.(tailEvent)) }
func (e *tailEvents) Pop() any {
	last := len(*e) - 1
	x := (*e)[last]
	*e = (*e)[:last]
	return x
}

// play returns the 99th percentile of what the calls took, and the requests for each of them.
func (r *tail) play(calls int) (p99 time.Duration, load float64) {
	now := time.Unix(1_700_000_000, 0)
	for calls := calls; calls > 0 || len(r.events) > 0; {
		if calls > 0 && (len(r.events) == 0 || now.Before(r.events[0].at)) {
			r.begin(now)
			calls, now = calls-1, now.Add(5*time.Millisecond)
			continue
		}
		r.step(pqueue.Pop(&r.events).(tailEvent))
	}
	slices.Sort(r.took)
	return r.took[len(r.took)*99/100], float64(r.sent) / float64(calls)
}

// begin begins a call.
func (r *tail) begin(now time.Time) {
	c := &tailCall{began: now}
	r.send(now, c)
	if r.hedger == nil {
		return
	}
	if delay, ok := r.hedger.Begin(now); ok {
		pqueue.Push(&r.events, tailEvent{now.Add(delay), true, c})
	}
}

func (r *tail) step(e tailEvent) {
	c := e.call
	switch {
	case c.answered:
	case e.hedge:
		if r.hedger.Withdraw(e.at) {
			r.send(e.at, c)
		}
	default:
		c.answered = true
		r.took = append(r.took, e.at.Sub(c.began))
		if r.hedger != nil {
			r.hedger.Record(e.at, e.at.Sub(c.began))
		}
	}
}

// send sends a copy of a call.
func (r *tail) send(now time.Time, c *tailCall) {
	const sigma, factor = 0.2, 20
	took := float64(10*time.Millisecond) * math.Exp(sigma*r.random.NormFloat64())
	if r.random.Float64() < r.slow {
		took *= factor
	}
	r.sent++
	pqueue.Push(&r.events, tailEvent{now.Add(time.Duration(took)), false, c})
}

// A share of slow answers that the budget covers disappears from the tail; what it does not cover gets no worse.
func TestHedgesCutTheTail(t *testing.T) {
	t.Parallel()
	const seeds, calls, share = 3, 10_000, 0.05
	for slow, want := range map[float64]float64{0.02: 7, 0.05: 6, 0.2: 1} {
		ratios := make([]float64, 0, seeds)
		for seed := range uint64(seeds) {
			none, _ := (&tail{random: rand.New(rand.NewPCG(seed, 1)), slow: slow}).play(calls)
			h := NewHedger(HedgeConfig{ExtraLoad: share})
			with, load := (&tail{random: rand.New(rand.NewPCG(seed, 1)), slow: slow, hedger: h}).play(calls)
			if ratios = append(ratios, float64(none)/float64(with)); load > 1+1.2*share {
				t.Errorf("%v slow, seed %d: %v requests for each call, want at most 1.06", slow, seed, load)
			}
		}
		if least := slices.Min(ratios); least < want {
			t.Errorf("%v slow: the 99th percentile is 1/%.2f of none at least, want 1/%v", slow, least, want)
		}
	}
}
