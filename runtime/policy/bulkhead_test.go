package policy_test

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/resgen-go/resgen/runtime/policy"
)

// runBulkhead runs a script against a bulkhead:
//
//	acquire NAME [DEADLINE] -> admitted | waiting | rejected
//	try NAME                -> admitted | rejected
//	release NAME            -> nobody | NAME…
//	abandon NAME            -> nobody | NAME…
//	show                    -> IN FLIGHT/QUEUED oldest AGE
func runBulkhead(t *testing.T, cfg policy.BulkheadConfig, script string) {
	t.Helper()
	b := policy.NewBulkhead(cfg)
	permits, names := map[string]policy.Permit{}, map[policy.Permit]string{}
	granted := func(ps []policy.Permit) string {
		if len(ps) == 0 {
			return "nobody"
		}
		var out []string
		for _, p := range ps {
			out = append(out, names[p])
		}
		return strings.Join(out, " ")
	}
	runScript(t, script, func(now time.Time, verb string, args []string) string {
		switch verb {
		case "acquire", "try":
			var deadline time.Time
			if len(args) > 1 {
				d, err := time.ParseDuration(args[1])
				if err != nil {
					t.Fatal(err)
				}
				deadline = at(d)
			}
			p, verdict := b.Acquire(now, policy.Claim{Deadline: deadline, MayWait: verb == "acquire"})
			permits[args[0]], names[p] = p, args[0]
			return verdict.String()
		case "release":
			return granted(b.Release(now, permits[args[0]], policy.Outcome{}))
		case "abandon":
			return granted(b.Abandon(now, permits[args[0]]))
		case "show":
			s := b.Snapshot(now)
			return fmt.Sprintf("%d/%d oldest %v", s.InFlight, s.Queued, s.Oldest)
		default:
			t.Fatalf("no such verb: %q", verb)
			return ""
		}
	})
}

func TestT53_QueueIsBoundedInLengthAndAge(t *testing.T) {
	t.Parallel()
	cfg := policy.BulkheadConfig{MaxConcurrent: 1, MaxQueue: 3, MaxWait: 50 * time.Millisecond}
	tests := map[string]string{
		"a free permit needs no queue, and a copy that only tries never joins it": `
		0s acquire a -> admitted
		0s try b -> rejected
		0s release a -> nobody
		0s try b -> admitted`,
		"first in, first out while there is room": `
		0s acquire a -> admitted
		0s acquire b -> waiting
		1ms acquire c -> waiting
		10ms release a -> b
		20ms release b -> c
		30ms release c -> nobody
		30ms show -> 0/0 oldest 0s`,
		"bounded in length, and then last in, first out until it is empty": `
		0s acquire a -> admitted
		0s acquire b -> waiting
		1ms acquire c -> waiting
		2ms acquire d -> waiting
		3ms acquire e -> rejected
		10ms release a -> d
		20ms release d -> c
		30ms release c -> b
		31ms acquire f -> waiting
		32ms acquire g -> waiting
		33ms release b -> f`,
		"bounded in age: the one who has waited too long is dropped, not served": `
		0s acquire a -> admitted
		0s acquire b -> waiting
		30ms acquire c -> waiting
		50.001ms release a -> c
		60ms abandon b -> nobody
		60ms show -> 1/0 oldest 9.999ms`,
		"served at the very end of its wait": `
		0s acquire a -> admitted
		0s acquire b -> waiting
		50ms release a -> b`,
		"the dropped make room": `
		0s acquire a -> admitted
		0s acquire b -> waiting
		0s acquire c -> waiting
		0s acquire d -> waiting
		51ms acquire e -> waiting
		52ms release a -> e`,
		"nobody is left when all have expired": `
		0s acquire a -> admitted
		0s acquire b -> waiting
		40ms show -> 1/1 oldest 40ms
		60ms show -> 1/0 oldest 60ms
		60ms release a -> nobody
		60ms acquire c -> admitted`,
		"a waiter who gives up leaves the queue": `
		0s acquire a -> admitted
		0s acquire b -> waiting
		0s acquire c -> waiting
		1ms abandon b -> nobody
		2ms release a -> c`,
		"a grant that comes too late for its waiter goes on": `
		0s acquire a -> admitted
		0s acquire b -> waiting
		0s acquire c -> waiting
		1ms release a -> b
		1ms abandon b -> c
		2ms release b -> nobody
		2ms show -> 1/0 oldest 1ms`,
		"a permit is released once": `
		0s acquire a -> admitted
		0s acquire b -> waiting
		1ms release a -> b
		1ms release a -> nobody
		1ms show -> 1/0 oldest 0s`,
		"the newest is passed over if its own deadline is gone": `
		0s acquire a -> admitted
		0s acquire b -> waiting
		0s acquire c -> waiting
		0s acquire d 10ms -> waiting
		20ms release a -> c`,
	}
	for name, script := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			runBulkhead(t, cfg, script)
		})
	}
}

func TestT54_HopelessWaiterIsRejectedOnArrival(t *testing.T) {
	t.Parallel()
	cfg := policy.BulkheadConfig{MaxConcurrent: 1, MaxQueue: 10, MaxWait: time.Second}
	runBulkhead(t, cfg, `
		0s acquire a -> admitted
		# The deadline is now, or was: whatever a call takes, it comes too late.
		0s acquire b 0s -> rejected
		0s acquire c 1ms -> waiting
		0s abandon c -> nobody
		100ms release a -> nobody
		# A call takes 100 ms. The first waiter needs that, and each one before it adds as much.
		1s acquire d -> admitted
		1s acquire e 1.099s -> rejected
		1s acquire f 1.12s -> waiting
		1s acquire g 1.12s -> rejected
		1s acquire h 1.3s -> waiting
		# No deadline, no judgement.
		1s acquire i -> waiting`)
	b := policy.NewBulkhead(cfg)
	if got := b.WaitUntil(at(0), time.Time{}); !got.Equal(at(time.Second)) {
		t.Errorf("without a deadline a waiter gives up at %s, want MaxWait", since(got))
	}
	if got := b.WaitUntil(at(0), at(time.Millisecond)); !got.Equal(at(time.Millisecond)) {
		t.Errorf("a waiter gives up at %s, want its deadline", since(got))
	}
}

func TestT56_OldestPermit(t *testing.T) {
	t.Parallel()
	runBulkhead(t, policy.BulkheadConfig{MaxConcurrent: 3}, `
		0s acquire leaked -> admitted
		1s acquire b -> admitted
		2s acquire c -> admitted
		2s acquire d -> rejected
		3s show -> 3/0 oldest 3s
		3s release b -> nobody
		1h show -> 2/0 oldest 1h0m0s
		1h release leaked -> nobody
		1h show -> 1/0 oldest 59m58s`)
}

func TestBulkheadOff(t *testing.T) {
	t.Parallel()
	b := policy.NewBulkhead(policy.BulkheadConfig{})
	for range 100 {
		p, verdict := b.Acquire(at(0), policy.Claim{Deadline: at(0), MayWait: true})
		if verdict != policy.Admitted {
			t.Fatalf("got %v, want everything admitted", verdict)
		}
		if granted := b.Release(at(0), p, policy.Outcome{}); granted != nil {
			t.Fatalf("granted %v", granted)
		}
	}
	// A span that does not fit is no span that is over.
	wide := policy.NewBulkhead(policy.BulkheadConfig{MaxConcurrent: 1, MaxQueue: 1, MaxWait: 1<<63 - 1})
	wide.Acquire(at(0), policy.Claim{MayWait: true})
	if _, verdict := wide.Acquire(at(time.Hour), policy.Claim{Deadline: at(0).AddDate(900, 0, 0), MayWait: true}); verdict != policy.Waiting {
		t.Errorf("got %v, want waiting: the deadline is 900 years away", verdict)
	}
}

// Under contention each permit that comes back is used again, and never more are out than there are.
func TestBulkheadConcurrent(t *testing.T) {
	t.Parallel()
	const most, callers, rounds = 3, 8, 200
	b := policy.NewBulkhead(policy.BulkheadConfig{MaxConcurrent: most, MaxQueue: callers, MaxWait: time.Hour})
	var mu sync.Mutex
	wake := map[policy.Permit]chan struct{}{}
	bell := func(p policy.Permit) chan struct{} {
		mu.Lock()
		defer mu.Unlock()
		if wake[p] == nil {
			wake[p] = make(chan struct{}, 1)
		}
		return wake[p]
	}
	var all sync.WaitGroup
	for range callers {
		all.Go(func() {
			for range rounds {
				p, verdict := b.Acquire(at(0), policy.Claim{MayWait: true})
				if verdict == policy.Rejected {
					t.Error("rejected though the queue has room for all")
					return
				}
				if verdict == policy.Waiting {
					<-bell(p)
				}
				if s := b.Snapshot(at(0)); s.InFlight > most {
					t.Errorf("%d in flight, want at most %d", s.InFlight, most)
				}
				for _, next := range b.Release(at(0), p, policy.Outcome{}) {
					bell(next) <- struct{}{}
				}
			}
		})
	}
	all.Wait()
	if s := b.Snapshot(at(0)); s.InFlight != 0 || s.Queued != 0 {
		t.Errorf("got %+v, want nothing left", s)
	}
}

// naiveBulkhead is the bulkhead as its documentation says.
type naiveBulkhead struct {
	cfg      policy.BulkheadConfig
	held     []int
	queue    []naiveWaiter
	overload bool
}

type naiveWaiter struct {
	id    int
	until time.Time
}

func (n *naiveBulkhead) trim(now time.Time) {
	for len(n.queue) > 0 && n.queue[0].until.Before(now) {
		n.queue = n.queue[1:]
	}
	n.overload = n.overload && len(n.queue) > 0
}

func (n *naiveBulkhead) acquire(now, deadline time.Time, id int, mayWait bool) policy.BulkheadVerdict {
	if len(n.held) < n.cfg.MaxConcurrent {
		n.held = append(n.held, id)
		return policy.Admitted
	}
	if !mayWait {
		return policy.Rejected
	}
	n.trim(now)
	until := now.Add(n.cfg.MaxWait)
	if len(n.queue) >= n.cfg.MaxQueue || !deadline.IsZero() && !deadline.After(now) {
		return policy.Rejected
	}
	if !deadline.IsZero() && deadline.Before(until) {
		until = deadline
	}
	n.queue = append(n.queue, naiveWaiter{id, until})
	n.overload = n.overload || len(n.queue) == n.cfg.MaxQueue
	return policy.Waiting
}

func (n *naiveBulkhead) end(now time.Time, id int) []int {
	if i := slices.IndexFunc(n.queue, func(w naiveWaiter) bool { return w.id == id }); i >= 0 {
		n.queue = slices.Delete(n.queue, i, i+1)
		n.overload = n.overload && len(n.queue) > 0
		return nil
	}
	i := slices.Index(n.held, id)
	if i < 0 {
		return nil
	}
	n.held = slices.Delete(n.held, i, i+1)
	n.trim(now)
	for len(n.queue) > 0 {
		j := 0
		if n.overload {
			j = len(n.queue) - 1
		}
		w := n.queue[j]
		n.queue = slices.Delete(n.queue, j, j+1)
		n.overload = n.overload && len(n.queue) > 0
		if !w.until.Before(now) {
			n.held = append(n.held, w.id)
			return []int{w.id}
		}
	}
	return nil
}

// FuzzBulkhead compares the bulkhead with the naive one: same answers, same grants; never more in flight than allowed, and no
// permit lost. Permits are abandoned rather than released, so that the naive one need not know what a median is.
func FuzzBulkhead(f *testing.F) {
	f.Add([]byte{0x11, 0, 0, 0, 0, 0x80, 0x90, 0xa0})
	f.Add([]byte{0x32, 1, 2, 3, 0, 0x84, 0x88, 0x8c, 0xff, 0, 4, 8, 0x80})
	f.Add([]byte("more callers than permits, some of whom give up, some of whom are late"))
	f.Fuzz(func(t *testing.T, script []byte) {
		if len(script) < 1 || len(script) > 400 {
			return
		}
		cfg := policy.BulkheadConfig{
			MaxConcurrent: 1 + int(script[0]&3), MaxQueue: int(script[0] >> 4 & 7), MaxWait: 3 * time.Millisecond,
		}
		b, n := policy.NewBulkhead(cfg), &naiveBulkhead{cfg: cfg}
		var permits []policy.Permit
		ids := map[policy.Permit]int{}
		now := at(0)
		for i, event := range script[1:] {
			now = now.Add(time.Duration(event>>2&3) * time.Millisecond)
			if event&0x80 == 0 || len(permits) == 0 {
				var deadline time.Time
				if event&2 != 0 {
					deadline = now.Add(time.Duration(event>>4&3) * time.Millisecond)
				}
				p, got := b.Acquire(now, policy.Claim{Deadline: deadline, MayWait: event&1 == 0})
				if want := n.acquire(now, deadline, len(permits), event&1 == 0); got != want {
					t.Fatalf("event %d: %v, want %v", i, got, want)
				}
				if _, known := ids[p]; known && got != policy.Rejected {
					t.Fatalf("event %d: permit %+v was given out twice", i, p)
				}
				if got != policy.Rejected {
					ids[p] = len(permits)
				}
				permits = append(permits, p)
			} else {
				id := int(event&0x7f) % len(permits)
				var got []int
				for _, p := range b.Abandon(now, permits[id]) {
					got = append(got, ids[p])
				}
				if diff := cmp.Diff(n.end(now, id), got); diff != "" {
					t.Fatalf("event %d: grants (-want +got):\n%s", i, diff)
				}
			}
			n.trim(now)
			s := b.Snapshot(now)
			if s.InFlight > cfg.MaxConcurrent || s.InFlight != len(n.held) || s.Queued != len(n.queue) {
				t.Fatalf("event %d: %+v, want %d in flight and %d queued", i, s, len(n.held), len(n.queue))
			}
		}
	})
}
