package policy_test

import (
	"container/heap"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/resgen-go/resgen/runtime/policy"
)

// fleet plays several replicas over one store of limits, in virtual time: calls that want as much as they can get, a network that takes
// time, clocks that differ, and a store that may be gone, slow or empty.
type fleet struct {
	t        *testing.T
	rand     *rand.Rand
	agenda   agenda
	order    int
	now      time.Duration
	pool     *policy.LimitPool
	fault    func(r *replica) bool // whether a question of the replica is lost now; nil for never
	lag      time.Duration         // the most that a question takes to the store, and an answer back
	replicas []*replica
	granted  []grant
	asked    int
	failed   int
}

// grant is a call that went.
type grant struct {
	at     time.Duration
	tokens float64
}

// replica is one process.
type replica struct {
	*policy.Limiter

	fleet *fleet
	skew  time.Duration // of its clock
	dead  bool
	waits map[policy.Permit]func()
}

type agenda []entry

type entry struct {
	at    time.Duration
	order int
	do    func()
}

func (a *agenda) Len() int { return len(*a) }

func (a *agenda) Less(i, j int) bool {
	x, y := (*a)[i], (*a)[j]
	return x.at < y.at || x.at == y.at && x.order < y.order
}

func (a *agenda) Swap(i, j int) { (*a)[i], (*a)[j] = (*a)[j], (*a)[i] }

func (a *agenda) Push(x any) { *a = append(*a, x.(entry)) }

func (a *agenda) Pop() any {
	last := (*a)[len(*a)-1]
	*a = (*a)[:len(*a)-1]
	return last
}

func newFleet(t *testing.T, replicas int, cfg policy.LimitConfig) *fleet {
	t.Helper()
	f := &fleet{t: t, rand: rand.New(rand.NewPCG(7, 11)), pool: new(policy.LimitPool), lag: 2 * time.Millisecond}
	for i := range replicas {
		f.replicas = append(f.replicas, &replica{
			Limiter: policy.NewSharedLimiter(cfg, "all"), fleet: f, skew: time.Duration(i-1) * time.Hour, waits: map[policy.Permit]func(){},
		})
	}
	return f
}

// after does something later.
func (f *fleet) after(d time.Duration, do func()) {
	f.order++
	heap.Push(&f.agenda, entry{f.now + d, f.order, do})
}

// until plays up to an instant.
func (f *fleet) until(end time.Duration) {
	for len(f.agenda) > 0 && f.agenda[0].at <= end {
		e := heap.Pop(&f.agenda).(entry)
		f.now = e.at
		e.do()
	}
	f.now = end
}

// delay is how long a message takes.
func (f *fleet) delay() time.Duration { return time.Duration(f.rand.Float64() * float64(f.lag)) }

// clock is the time that the replica believes in.
func (r *replica) clock() time.Time { return at(r.fleet.now + r.skew) }

// crowd has so many callers make calls, one after the other, each as soon as the last was answered. One is expected to cost so much, and used
// less.
func (r *replica) crowd(callers int, cost policy.Cost, used policy.Usage) {
	for range callers {
		r.call(cost, used)
	}
}

// call makes a call, and then the next.
func (r *replica) call(cost policy.Cost, used policy.Usage) {
	if r.dead {
		return
	}
	res, answer := r.Reserve(r.clock(), "", cost, time.Time{}, true)
	r.obey(&res, answer, cost, used)
}

func (r *replica) obey(res *policy.Reservation, answer policy.LimitAnswer, cost policy.Cost, used policy.Usage) {
	f := r.fleet
	switch answer.Verdict {
	case policy.LimitGranted:
		f.granted = append(f.granted, grant{f.now, float64(used.Input + used.Output)})
		r.wake(answer.Roused)
		f.after(20*time.Millisecond+f.delay(), func() {
			if used != (policy.Usage{}) && !r.dead {
				r.wake(r.Settle(r.clock(), res, used))
				r.ask()
			}
			r.call(cost, used)
		})
	case policy.LimitWaiting:
		place, done := res.Place(), false
		again := func() {
			if done || r.dead {
				return
			}
			done = true
			delete(r.waits, place)
			r.obey(res, r.Ask(r.clock(), res, time.Time{}), cost, used)
		}
		r.waits[place] = again
		f.after(answer.At.Sub(r.clock()), again)
	default:
		f.t.Fatalf("at %v: %+v", f.now, answer)
	}
	r.ask()
}

func (r *replica) wake(p policy.Permit) {
	if again := r.waits[p]; again != nil {
		r.fleet.after(0, again)
	}
}

// ask takes a demand to the store, and the answer back, as a driver does.
func (r *replica) ask() {
	f := r.fleet
	d, ok := r.Demand(r.clock(), "")
	if !ok {
		return
	}
	f.asked++
	if f.fault != nil && f.fault(r) {
		f.failed++
		f.after(policy.LimitStoreWait, func() {
			roused, _ := r.Lost(r.clock(), &d, r.clock().Add(100*time.Millisecond))
			r.wake(roused)
		})
		return
	}
	f.after(f.delay(), func() {
		given := f.pool.Take(at(f.now), &d)
		given.Replicas = len(f.replicas)
		if !given.Answers(&d) {
			f.t.Errorf("at %v: %+v is no answer to %+v", f.now, given, d)
		}
		f.after(f.delay(), func() {
			roused, _ := r.Supply(r.clock(), &d, &given)
			r.wake(roused)
		})
	})
}

// windows returns the least and the most that went in any span of the given length between two instants, by what one call counts.
func (f *fleet) windows(from, to, span time.Duration, count func(grant) float64) (least, most float64) {
	in := slices.DeleteFunc(slices.Clone(f.granted), func(g grant) bool { return g.at < from || g.at >= to })
	sumUpTo := func(start, end time.Duration) (sum float64) {
		i, _ := slices.BinarySearchFunc(in, start, func(g grant, t time.Duration) int { return int(g.at - t) })
		for ; i < len(in) && in[i].at < end; i++ {
			sum += count(in[i])
		}
		return sum
	}
	least = sumUpTo(from, from+span)
	for _, g := range in {
		most = max(most, sumUpTo(g.at, g.at+span))
		if g.at+1+span <= to { // the emptiest span begins just after a call
			least = min(least, sumUpTo(g.at+1, g.at+1+span))
		}
	}
	return least, most
}

func ofCalls(grant) float64    { return 1 }
func ofTokens(g grant) float64 { return g.tokens }
