package runtime_test

import (
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/resgen-go/resgen/runtime"
	"github.com/resgen-go/resgen/runtime/policy"
	"github.com/resgen-go/resgen/runtime/runtimetest"
)

// shareable bounds the requests of a plan, in a store.
func shareable(amount float64, per time.Duration, burst int) func(*policy.Plan) {
	return func(p *policy.Plan) {
		p.Limit = policy.LimitConfig{Requests: policy.Rate{Amount: amount, Per: per}, Burst: burst, Shared: "all"}
	}
}

// network is a store of limits that several replicas ask over a network, which may fail.
type network struct {
	pool policy.LimitPool

	mu     sync.Mutex
	fault  func(context.Context) error // nil for none
	others int
	asked  int
}

var errNetwork = errors.New("no route to the store")

func (n *network) Take(ctx context.Context, d policy.LimitDemand) (policy.LimitSupply, error) {
	n.mu.Lock()
	fault := n.fault
	n.asked++
	n.mu.Unlock()
	if fault != nil {
		return policy.LimitSupply{}, fault(ctx)
	}
	sleep(time.Millisecond)
	s := n.pool.Take(time.Now(), &d)
	s.Replicas += n.others
	sleep(time.Millisecond)
	return s, nil
}

func (n *network) fail(fault func(context.Context) error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.fault = fault
}

// blackHole answers nothing until nobody waits.
func blackHole(ctx context.Context) error {
	<-ctx.Done()
	return ctx.Err()
}

// replicaOf makes a replica's operation, in a group of its own.
func replicaOf(t *testing.T, s runtime.LimitStore, o runtime.Observer, change ...func(*policy.Plan)) (*runtime.Operation, *runtime.Group) {
	t.Helper()
	g := still()
	op, err := runtime.NewOperation(g, "llm", once(change...), runtime.Wiring{Observer: o, Limits: s})
	if err != nil {
		t.Fatal(err)
	}
	return op, g
}

// fleetOf has some callers on each of several replicas call as fast as they may, for some minutes, and returns when the calls went.
func fleetOf(t *testing.T, s runtime.LimitStore, replicas, callers int, lasts time.Duration, change func(*policy.Plan)) []time.Duration {
	t.Helper()
	start := time.Now()
	var mu sync.Mutex
	var went []time.Duration
	var wg sync.WaitGroup
	for range replicas {
		op, _ := replicaOf(t, s, nil, change, func(p *policy.Plan) { p.Timeout.Total, p.Timeout.Attempt = 10*time.Minute, time.Second })
		for range callers {
			wg.Go(func() {
				for time.Since(start) < lasts {
					_, err := runtime.Do(t.Context(), op, func(context.Context, runtime.Attempt) (int, error) {
						mu.Lock()
						defer mu.Unlock()
						went = append(went, time.Since(start))
						return 1, nil
					})
					if err != nil {
						t.Error(err)
						return
					}
				}
			})
		}
	}
	wg.Wait()
	slices.Sort(went)
	return went
}

// mostIn returns the least and the most of what went in any span of that length between two instants.
func mostIn(went []time.Duration, from, to, span time.Duration) (least, most int) {
	in := slices.DeleteFunc(slices.Clone(went), func(at time.Duration) bool { return at < from || at >= to })
	least = len(in)
	for i, at := range in {
		end, _ := slices.BinarySearch(in, at+span)
		most = max(most, end-i)
		if at+span < to {
			least = min(least, end-i)
		}
	}
	return least, most
}

func TestALimitHoldsOverAllReplicas(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		went := fleetOf(t, &network{}, 3, 3, 4*time.Minute, shareable(60, time.Minute, 1))
		if least, most := mostIn(went, 0, 4*time.Minute, time.Minute); least < 58 || most > 62 {
			t.Errorf("between %d and %d went in a minute, want 60 ± 2", least, most)
		}
	})
}

func TestReplicasHaveTheirPartsWhileTheStoreIsGone(t *testing.T) {
	t.Parallel()
	for name, fault := range map[string]func(context.Context) error{
		"refuses":    func(context.Context) error { return errNetwork },
		"black hole": blackHole,
		"deaf":       func(context.Context) error { sleep(3 * time.Second); return errNetwork },
		"panics":     func(context.Context) error { panic("no") },
	} {
		synctest.Test(t, func(t *testing.T) {
			store := &network{others: 2}
			time.AfterFunc(2*time.Minute, func() { store.fail(fault) })
			time.AfterFunc(4*time.Minute, func() { store.fail(nil) })
			went := fleetOf(t, store, 3, 3, 6*time.Minute, shareable(60, time.Minute, 1))
			if least, most := mostIn(went, 0, 2*time.Minute, time.Minute); least < 58 || most > 62 {
				t.Errorf("%s: before, between %d and %d went in a minute, want 60 ± 2", name, least, most)
			}
			if least, most := mostIn(went, 2*time.Minute+time.Second, 4*time.Minute, time.Minute); least < 56 || most > 62 {
				t.Errorf("%s: while it is gone, between %d and %d went in a minute, want 60 and a little less", name, least, most)
			}
			if least, most := mostIn(went, 4*time.Minute+6*time.Second, 6*time.Minute, time.Minute); least < 58 || most > 62 {
				t.Errorf("%s: when it is back, between %d and %d went in a minute, want 60 ± 2", name, least, most)
			}
			if _, most := mostIn(went, 0, 6*time.Minute, time.Minute); most > 60+1+3+2 {
				t.Errorf("%s: %d went in a minute", name, most)
			}
		})
	}
}

func TestNoCallWaitsLongForTheStore(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		store := &network{fault: blackHole}
		op, g := replicaOf(t, store, nil, shareable(1000, time.Second, 100))
		script := play(step{})
		for i := range 20 {
			before := time.Now()
			if _, err := runtime.Do(t.Context(), op, script.Run); err != nil || time.Since(before) > 12*time.Millisecond {
				t.Fatalf("call %d: %v after %v; want an answer after the 10 ms that the store gets", i, err, time.Since(before))
			}
		}
		if s := g.Snapshot()[0].Limit; !s.Alone || s.Shared != "all" {
			t.Errorf("%+v, want a limit that is alone", s)
		}
		sleep(time.Second)
	})
}

func TestACallThatHasALadderWaitsForTheStoreAlone(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		op, _ := replicaOf(t, &network{}, nil, shareable(1, time.Minute, 1), ladder(static("sorry")))
		for i, want := range []string{"", "sorry"} {
			before := time.Now()
			res, err := runtime.DoResult(t.Context(), op, play(step{}).Run)
			if err != nil || res.Rung != want || time.Since(before) > 10*time.Millisecond {
				t.Errorf("call %d: rung %q, %v after %v; want %q in less than 10 ms", i, res.Rung, err, time.Since(before), want)
			}
		}
	})
}

func TestTheStoreIsTold(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		store, watch := &network{fault: blackHole, others: 1}, new(runtimetest.Recorder)
		op, g := replicaOf(t, store, watch, shareable(10, time.Second, 1))
		call := func() {
			if _, err := runtime.Do(t.Context(), op, play(step{}).Run); err != nil {
				t.Fatal(err)
			}
			sleep(200 * time.Millisecond)
		}
		for range 10 {
			call()
		}
		failed := count(watch, runtime.LimitStoreFailed)
		if failed < 3 || failed > 6 {
			t.Errorf("%d failures were told in 2 s, want those until the breaker opened, and then one or two", failed)
		}
		store.fail(nil)
		for range 30 {
			call()
		}
		if n := count(watch, runtime.LimitStoreBack); n != 1 {
			t.Errorf("it was told %d times that the store is back, want once", n)
		}
		if s := g.Snapshot()[0].Limit; s.Alone || s.Replicas != 2 {
			t.Errorf("%+v, want a limit that two share", s)
		}
	})
}

// count returns how many events of a kind there were.
func count(r *runtimetest.Recorder, what runtime.EventKind) (n int) {
	for _, e := range r.Events() {
		if e.What == what {
			n++
		}
	}
	return n
}

// wrong is a store whose answers contradict what it was asked.
type wrong func(d *policy.LimitDemand, s *policy.LimitSupply)

func (wrong) Local() {}

func (w wrong) Take(_ context.Context, d policy.LimitDemand) (s policy.LimitSupply, err error) {
	w(&d, &s)
	return s, nil
}

// What a store makes up is taken for a failure: the process has its part of the limit, and no more.
func TestAStoreThatContradictsItselfIsNotBelieved(t *testing.T) {
	t.Parallel()
	for name, w := range map[string]wrong{
		"more than was wanted": func(_ *policy.LimitDemand, s *policy.LimitSupply) { s.Taken[0] = 1e9 },
		"less than nothing":    func(_ *policy.LimitDemand, s *policy.LimitSupply) { s.Taken[0] = -1 },
		"no number":            func(_ *policy.LimitDemand, s *policy.LimitSupply) { s.Taken[0] = math.NaN() },
		"too little, at once":  func(d *policy.LimitDemand, s *policy.LimitSupply) { s.Taken[0] = d.Buckets[0].Least/2 - 0.1 },
		"a wait into the past": func(d *policy.LimitDemand, s *policy.LimitSupply) {
			s.Taken[0], s.Wait = d.Buckets[0].Want, -time.Second
		},
	} {
		synctest.Test(t, func(t *testing.T) {
			watch := new(runtimetest.Recorder)
			op, g := replicaOf(t, w, watch, shareable(10, time.Second, 1))
			if _, err := runtime.Do(t.Context(), op, play(step{}).Run); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			if s := g.Snapshot()[0].Limit; !s.Alone || count(watch, runtime.LimitStoreFailed) == 0 {
				t.Errorf("%s: it is believed: %+v", name, s)
			}
		})
	}
}

func TestASharedLimitNeedsAStoreAndTheSameNumbers(t *testing.T) {
	t.Parallel()
	_, err := runtime.NewOperation(nil, "llm", once(shareable(1, time.Second, 1)), runtime.Wiring{})
	if err == nil || !strings.Contains(err.Error(), "runtime.WithLimitStore(") {
		t.Errorf("without a store: %v", err)
	}
	g, w := runtime.NewGroup(), runtime.Wiring{Limits: runtime.LocalLimits()}
	if _, err = runtime.NewOperation(g, "llm", once(shareable(1, time.Second, 1)), w); err != nil {
		t.Error(err)
	}
	if _, err = runtime.NewOperation(g, "other", once(shareable(1, time.Second, 1)), w); err != nil {
		t.Errorf("a second client: %v", err)
	}
	if _, err = runtime.NewOperation(g, "llm", once(shareable(2, time.Second, 1)), w); err == nil || !strings.Contains(err.Error(), `"all"`) {
		t.Errorf("with other numbers: %v", err)
	}
}

func TestClientsOfOneProcessShareALimit(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		went := fleetOf(t, runtime.LocalLimits(), 2, 2, 3*time.Minute, shareable(60, time.Minute, 1))
		if least, most := mostIn(went, 0, 3*time.Minute, time.Minute); least < 58 || most > 62 {
			t.Errorf("between %d and %d went in a minute, want 60 ± 2", least, most)
		}
	})
}
