package policy

import (
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// guarded returns the machines of a target, small enough that everything happens to them, under one guard or each under its own.
func guarded(together bool) *Machines {
	m := &Machines{
		Breaker: NewBreaker(BreakerConfig{
			Mode: BreakerOn, WindowCalls: 8, WindowAge: 10 * time.Second, MinCalls: 4, FailureRate: 0.5, SlowRate: 0.5,
			SlowCall: time.Second, OpenFor: 2 * time.Second, OpenMax: 4 * time.Second, Probes: 2, CloseAfter: 2,
		}, 5*time.Second, nil),
		Bulkhead: NewBulkhead(BulkheadConfig{MaxConcurrent: 3, MaxQueue: 2, MaxWait: time.Second}),
		Latency:  new(Latency),
	}
	if together {
		g := NewGuard()
		m.Breaker.Under(g)
		m.Bulkhead.Under(g)
		m.Latency.Under(g)
	}
	return m
}

// heldTwice is what a call holds of both.
type heldTwice struct {
	permit Permit
	ticket Ticket
	since  time.Time
}

// One lock for what is asked together changes nothing but its cost.
func TestGuardChangesNothing(t *testing.T) {
	t.Parallel()
	alone, together := guarded(false), guarded(true)
	r := rand.New(rand.NewPCG(7, 11))
	now := time.Unix(1000, 0)
	var held []heldTwice
	seen := map[string]bool{}
	for i := range 50_000 {
		if r.IntN(4) == 0 {
			now = now.Add(time.Duration(r.IntN(900)) * time.Millisecond)
		}
		if len(held) == 0 || r.IntN(2) == 0 {
			c := Claim{MayWait: r.IntN(2) == 0}
			var a, b Admission
			p, v, ticket := alone.claim(now, &c, &a)
			p2, v2, ticket2 := together.claim(now, &c, &b)
			if p != p2 || v != v2 || ticket != ticket2 {
				t.Fatalf("step %d: apart %v %v %v, together %v %v %v", i, p, v, ticket, p2, v2, ticket2)
			}
			if diff := cmp.Diff(a, b); diff != "" {
				t.Fatalf("step %d: the answer (-apart +together):\n%s", i, diff)
			}
			seen[v.String()], seen["open"], seen["probe"] = true, seen["open"] || a.Why != nil, seen["probe"] || a.Probe
			switch {
			case v == Admitted && a.OK:
				held = append(held, heldTwice{p, ticket, now})
			case v != Rejected:
				for _, m := range []*Machines{alone, together} {
					m.Bulkhead.Abandon(now, p)
				}
			}
			continue
		}
		n := r.IntN(len(held))
		h := held[n]
		held = append(held[:n], held[n+1:]...)
		o := Outcome{Verdict: Verdict(r.IntN(4)), InFlight: now.Sub(h.since)}
		answered := o.Verdict == Success
		change, granted := alone.settle(now, h.permit, h.ticket, o, answered)
		change2, granted2 := together.settle(now, h.permit, h.ticket, o, answered)
		if diff := cmp.Diff(change, change2); diff != "" {
			t.Fatalf("step %d: the change (-apart +together):\n%s", i, diff)
		}
		if len(granted) != len(granted2) {
			t.Fatalf("step %d: apart it granted %v, together %v", i, granted, granted2)
		}
	}
	if diff := cmp.Diff(alone.Breaker.State(now), together.Breaker.State(now)); diff != "" {
		t.Errorf("the breaker in the end (-apart +together):\n%s", diff)
	}
	if diff := cmp.Diff(alone.Bulkhead.Snapshot(now), together.Bulkhead.Snapshot(now)); diff != "" {
		t.Errorf("the bulkhead in the end (-apart +together):\n%s", diff)
	}
	if a, n := alone.Latency.Quantile(0.5); n > 0 {
		if b, n2 := together.Latency.Quantile(0.5); a != b || n != n2 {
			t.Errorf("the latency in the end: apart %v of %d, together %v of %d", a, n, b, n2)
		}
	}
	for _, what := range []string{Admitted.String(), Waiting.String(), Rejected.String(), "open", "probe"} {
		if !seen[what] {
			t.Errorf("the test never came to %q", what)
		}
	}
}

// Many ask at once, and meanwhile others look: in the end nothing is held.
func TestGuardUnderMany(t *testing.T) {
	t.Parallel()
	m := guarded(true)
	start := time.Now()
	var all sync.WaitGroup
	for n := range 8 {
		all.Go(func() {
			r := rand.New(rand.NewPCG(uint64(n), 1))
			for range 2000 {
				now := time.Now()
				var answer Admission
				p, v, ticket := m.claim(now, &Claim{}, &answer)
				if v != Admitted {
					m.Breaker.Peek(now)
					m.Bulkhead.Snapshot(now)
					continue
				}
				if !answer.OK {
					m.Bulkhead.Abandon(now, p)
					continue
				}
				o := Outcome{Verdict: Verdict(r.IntN(4)), InFlight: time.Since(now)}
				m.settle(time.Now(), p, ticket, o, o.Verdict == Success)
				m.settle(time.Now(), p, ticket, o, false) // a second one counts for nothing
				m.Breaker.RaiseOpen(now, now.Add(time.Microsecond))
				m.Latency.Quantile(0.5)
			}
		})
	}
	all.Wait()
	if s := m.Bulkhead.Snapshot(time.Now()); s.InFlight != 0 {
		t.Errorf("after %v %d permits are out", time.Since(start), s.InFlight)
	}
	if s := m.Breaker.State(time.Now()); s.InFlight != 0 {
		t.Errorf("%d tickets are out in state %v", s.InFlight, s.State)
	}
}
