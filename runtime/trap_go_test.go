package runtime_test

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	stdruntime "runtime"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/resgen-go/resgen/runtime"
	"github.com/resgen-go/resgen/runtime/policy"
	"github.com/resgen-go/resgen/runtime/runtimetest"
)

func TestT14_ObserversRunOutsideLocks(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		g := still()
		inside := 0
		var op *runtime.Operation
		op = operationIn(t, g, plan(withBreaker(1)), runtime.ObserverFunc(func(ctx context.Context, e runtime.Event) {
			if e.What != runtime.BreakerChanged {
				return
			}
			_ = g.Snapshot() // would wait for the breaker's lock
			if inside++; inside < 5 {
				_, _ = runtime.Do(ctx, op, play(step{}).Run)
			}
		}))
		trip(t, op)
		sleep(5 * time.Second)
		if _, err := runtime.Do(t.Context(), op, play(step{}).Run); err != nil {
			t.Error(err)
		}
		if inside != 3 {
			t.Errorf("%d changes told, want 3: open, half-open, closed", inside)
		}
	})
}

func TestT14_ChangesAreToldInOrder(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var mu sync.Mutex
		var told []string
		slow := runtime.ObserverFunc(func(_ context.Context, e runtime.Event) {
			if e.What != runtime.BreakerChanged {
				return
			}
			if e.To == "open" {
				sleep(20 * time.Second) // others go on meanwhile
			}
			mu.Lock()
			told = append(told, e.From+"→"+e.To)
			mu.Unlock()
		})
		op := operationIn(t, still(), plan(withBreaker(1)), slow)
		go runtime.Do(t.Context(), op, play(step{Err: status(503)}).Run)
		sleep(6 * time.Second)
		_, _ = runtime.Do(t.Context(), op, play(step{}).Run) // half-open, closed
		_, _ = runtime.Do(t.Context(), op, play(step{Err: status(503)}).Run)
		sleep(time.Minute)
		mu.Lock()
		defer mu.Unlock()
		want := []string{"closed→open", "open→half-open", "half-open→closed", "closed→open"}
		if diff := cmp.Diff(want, told); diff != "" {
			t.Errorf("changes (-want +got):\n%s", diff)
		}
	})
}

// A call that is held up before it can tell that the breaker opened holds up what comes after it.
func TestT14_AChangeWaitsForTheOneBeforeIt(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var mu sync.Mutex
		var told []string
		op := operationIn(t, still(), plan(withBreaker(1), func(p *policy.Plan) { p.Retry.RetryAfterMax = time.Second }),
			runtime.ObserverFunc(func(_ context.Context, e runtime.Event) {
				switch e.What {
				case runtime.Paused: // which is told just before
					sleep(20 * time.Second)
				case runtime.BreakerChanged:
					mu.Lock()
					defer mu.Unlock()
					told = append(told, e.From+"→"+e.To)
				default:
				}
			}))
		go runtime.Do(t.Context(), op, play(step{Err: status(529, "Retry-After", "0.001")}).Run)
		sleep(6 * time.Second)
		if _, err := runtime.Do(t.Context(), op, play(step{}).Run); err != nil { // half-open, closed
			t.Fatal(err)
		}
		sleep(time.Minute)
		mu.Lock()
		defer mu.Unlock()
		if diff := cmp.Diff([]string{"closed→open", "open→half-open", "half-open→closed"}, told); diff != "" {
			t.Errorf("changes (-want +got):\n%s", diff)
		}
	})
}

func TestT14_AnObserverThatEndsItsGoroutineStopsNoOthers(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		g := still()
		var told []string
		op := operationIn(t, g, plan(withBreaker(1), func(p *policy.Plan) { p.Bulkhead.MaxConcurrent = 1 }), runtime.ObserverFunc(func(_ context.Context, e runtime.Event) {
			if e.What == runtime.BreakerChanged {
				told = append(told, e.From+"→"+e.To)
				if e.To == "open" {
					stdruntime.Goexit()
				}
			}
		}))
		within(func() { trip(t, op) })
		sleep(6 * time.Second)
		if _, err := runtime.Do(t.Context(), op, play(step{}).Run); err != nil {
			t.Error(err)
		}
		if diff := cmp.Diff([]string{"closed→open", "open→half-open", "half-open→closed"}, told); diff != "" {
			t.Errorf("changes (-want +got):\n%s", diff)
		}
	})
}

func TestT74_ObserversThatPanicChangeNothing(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var seen runtimetest.Recorder
		boom := runtime.ObserverFunc(func(context.Context, runtime.Event) { panic("observer") })
		op := operationIn(t, still(), plan(func(p *policy.Plan) { p.Breaker = breaker(1) }, noRetry, ladder(static("sorry"))),
			runtime.Observers(boom, nil, &seen, boom))
		res, err := runtime.DoResult(t.Context(), op, play(step{Err: status(503)}, step{Value: "sorry"}).Run)
		if err != nil || res.Value != "sorry" {
			t.Errorf("got %+v, %v; want the static rung", res, err)
		}
		want := `0s call start
0s attempt start attempt=1
0s attempt end attempt=1 kind=transient
0s breaker changed closed→open
0s rung taken rung=sorry kind=transient
0s call end rung=sorry
`
		if diff := cmp.Diff(want, seen.Trace()); diff != "" {
			t.Errorf("trace (-want +got):\n%s", diff)
		}
	})
}

func TestT72_AChildContextOnlyWhereItIsShorter(t *testing.T) {
	t.Parallel()
	type key struct{}
	parent := context.WithValue(t.Context(), key{}, "value")
	short, cancel := context.WithTimeout(parent, time.Second)
	defer cancel()
	for name, c := range map[string]struct {
		plan policy.Plan
		ctx  context.Context
		same bool
	}{
		"no timeout":                           {once(), parent, true},
		"a caller's deadline that comes first": {once(func(p *policy.Plan) { p.Timeout.Total = time.Minute }), short, true},
		"an attempt timeout that comes first":  {once(func(p *policy.Plan) { p.Timeout.Attempt = time.Millisecond }), short, false},
		"no deadline of the caller":            {once(func(p *policy.Plan) { p.Timeout.Total = time.Minute }), parent, false},
	} {
		op, _ := operation(t, c.plan)
		_, err := runtime.Do(c.ctx, op, func(ctx context.Context, _ runtime.Attempt) (int, error) {
			if (ctx == c.ctx) != c.same {
				t.Errorf("%s: same context %v, want %v", name, ctx == c.ctx, c.same)
			}
			if ctx.Value(key{}) != "value" {
				t.Errorf("%s: the caller's values are gone", name)
			}
			return 0, nil
		})
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestTheContextOfAnAttemptEndsWithIt(t *testing.T) {
	t.Parallel()
	op, _ := operation(t, plan())
	kept, err := runtime.Do(t.Context(), op, func(ctx context.Context, _ runtime.Attempt) (context.Context, error) { return ctx, nil })
	if err != nil {
		t.Fatal(err)
	}
	if kept.Err() == nil {
		t.Error("the context of a finished attempt is alive: its timer is still running")
	}
}

// TestTwoBubbles runs calls in two bubbles and outside: nothing of one may be left in the package for the other.
func TestTwoBubbles(t *testing.T) {
	t.Parallel()
	run := func(t *testing.T) {
		t.Helper()
		op, _ := operation(t, plan(func(p *policy.Plan) {
			p.Retry.Backoff.Base, p.Breaker = time.Millisecond, breaker(5)
			p.Bulkhead = policy.BulkheadConfig{MaxConcurrent: 1, MaxQueue: 4, MaxWait: time.Second}
		}))
		var wg sync.WaitGroup
		for range 3 {
			wg.Go(func() {
				_, err := runtime.Do(t.Context(), op, play(step{Err: status(503)}, step{After: time.Millisecond}).Run)
				if err != nil {
					t.Error(err)
				}
			})
		}
		wg.Wait()
	}
	synctest.Test(t, run)
	synctest.Test(t, run)
	run(t)
}

func TestT32_OneKeyForEachCallAndTarget(t *testing.T) {
	t.Parallel()
	uuid7 := regexp.MustCompile(`^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$`)
	uuid8 := regexp.MustCompile(`^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$`)
	patch := policy.Rung{Name: "small", Sort: policy.RungPatch, When: anyKind(), Level: policy.Reduced, MayDuplicate: "a reason"}
	eu := other("eu")
	eu.MayDuplicate = "a reason"
	synctest.Test(t, func(t *testing.T) {
		op, _ := operation(t, plan(twoTargets, func(p *policy.Plan) {
			p.Idempotency, p.Key.Header = policy.Keyed, "Idempotency-Key"
		}, ladder(eu, patch, static("sorry"))))
		keys := func(ctx context.Context) []string {
			script := play(step{Err: status(503)})
			_, _ = runtime.DoResult(ctx, op, script.Run)
			var all []string
			for _, s := range script.Seen() {
				all = append(all, s.Key)
			}
			return all
		}
		check := func(all []string, first, rest *regexp.Regexp) {
			t.Helper()
			for i, k := range all {
				switch {
				case i == 9:
					if k != "" {
						t.Errorf("the static rung got the key %q", k)
					}
				case i%3 != 0 && k != all[i-1]:
					t.Errorf("attempt %d: key %q, want that of the attempt before, %q", i, k, all[i-1])
				case i < 3 && !first.MatchString(k), i >= 3 && !rest.MatchString(k):
					t.Errorf("attempt %d: key %q has another form", i, k)
				}
			}
			if all[0] == all[3] || all[3] == all[6] || all[0] == all[6] {
				t.Errorf("keys %q: another target, and another body, need another key", all)
			}
		}
		one, two := keys(t.Context()), keys(t.Context())
		check(one, uuid7, uuid7)
		check(two, uuid7, uuid7)
		if one[0] == two[0] {
			t.Error("two calls got the same key")
		}
		own := runtime.WithIdempotencyKey(t.Context(), "order-77")
		mine, again := keys(own), keys(own)
		check(mine, regexp.MustCompile(`^order-77$`), uuid8)
		if diff := cmp.Diff(mine, again); diff != "" {
			t.Errorf("keys that follow from the caller's own change (-first +second):\n%s", diff)
		}
	})
}

func TestT32_AKeyIsNotUsedLongerThanTheServerRemembersIt(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		op, _ := operation(t, plan(func(p *policy.Plan) {
			p.Idempotency, p.Key = policy.Keyed, policy.Key{Header: "Idempotency-Key", TTL: 1150 * time.Millisecond}
		}))
		script := play(step{Hang: true}, step{Err: status(503)})
		_, err := runtime.Do(t.Context(), op, script.Run)
		if len(script.Seen()) != 2 || err == nil || !strings.Contains(err.Error(), "key would have expired") {
			t.Errorf("%d attempts, %v; want two, and why there is no third", len(script.Seen()), err)
		}
	})
}

func TestKeysFromAFunction(t *testing.T) {
	t.Parallel()
	p := plan(func(p *policy.Plan) {
		p.Idempotency, p.Key = policy.Keyed, policy.Key{Header: "Idempotency-Key", Source: policy.KeyFunc, From: "orderKey"}
		p.Breaker = breaker(1)
	})
	if _, err := runtime.NewOperation(nil, "llm", p, runtime.Wiring{}); err == nil || !strings.Contains(err.Error(), `"orderKey"`) {
		t.Errorf("NewOperation: %v, want that orderKey is not wired", err)
	}
	asked := 0
	var fails error
	g := still()
	op, err := runtime.NewOperation(g, "llm", p, runtime.Wiring{Key: func(context.Context) (string, error) {
		asked++
		return fmt.Sprintf("order-%d", asked), fails
	}})
	if err != nil {
		t.Fatal(err)
	}
	synctest.Test(t, func(t *testing.T) {
		script := play(step{Err: status(429)}, step{})
		if _, err := runtime.Do(t.Context(), op, script.Run); err != nil || asked != 1 {
			t.Errorf("%v, asked %d times; want once for both attempts", err, asked)
		}
		for _, s := range script.Seen() {
			if s.Key != "order-1" {
				t.Errorf("key %q, want order-1", s.Key)
			}
		}
		fails = errors.New("no database")
		script = play(step{})
		_, err := runtime.Do(t.Context(), op, script.Run)
		if !errors.Is(err, fails) || len(script.Seen()) != 0 || state(g) != policy.StateClosed {
			t.Errorf("got %v after %d attempts, breaker %v; want the function's error, nothing sent, no evidence", err, len(script.Seen()), state(g))
		}
	})
}
