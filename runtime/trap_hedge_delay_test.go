package runtime_test

import (
	"context"
	"io"
	"math"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/resgen-go/resgen/runtime"
	"github.com/resgen-go/resgen/runtime/policy"
	"github.com/resgen-go/resgen/runtime/runtimetest"
	"github.com/resgen-go/resgen/runtime/wire"
)

// findsDelay is hedged with a delay that is found from latencies.
func findsDelay(change ...func(*policy.Plan)) policy.Plan {
	return hedged(append([]func(*policy.Plan){func(p *policy.Plan) { p.Hedge.Delay, p.Hedge.ExtraLoad = 0, 0.05 }}, change...)...)
}

// warm makes calls one after the other.
func warm(t *testing.T, op *runtime.Operation, calls int, each step) {
	t.Helper()
	for range calls {
		_, _ = runtime.Do(t.Context(), op, play(each).Run)
	}
}

// hedges returns what the group shows of the hedges of Get.
func hedges(g *runtime.Group) policy.HedgerSnapshot { return g.Snapshot()[0].Hedges["Get"] }

// copies returns how many copies a call sends that does not end by itself for a second.
func copies(t *testing.T, op *runtime.Operation) int {
	t.Helper()
	script := play(step{After: time.Second})
	if _, err := runtime.Do(t.Context(), op, script.Run); err != nil {
		t.Error(err)
	}
	return len(script.Seen()) - 1
}

func TestT41_TheDelayIsAPercentileOfLatencies(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		g := still()
		op := operationIn(t, g, findsDelay(), nil)
		warm(t, op, 98, step{After: 10 * time.Millisecond})
		if n := copies(t, op); n != 0 {
			t.Errorf("%d hedges after 98 calls, want none before 100", n)
		}
		warm(t, op, 200, step{After: 10 * time.Millisecond})
		if d := hedges(g).Delay; d < 9*time.Millisecond || d > 11*time.Millisecond {
			t.Errorf("the delay is %v, want about 10 ms", d)
		}
		if n := copies(t, op); n != 1 {
			t.Errorf("%d hedges after 300 calls, want 1", n)
		}
		warm(t, op, 2100, step{After: 30 * time.Millisecond})
		if d := hedges(g).Delay; d < 27*time.Millisecond || d > 33*time.Millisecond {
			t.Errorf("the delay is %v after the target became slower, want about 30 ms", d)
		}
		sleep(time.Hour)
		if d := hedges(g).Delay; d != 0 {
			t.Errorf("the delay is %v after an hour, want none", d)
		}
	})
}

func TestT41_TheLeastDelayIsAMillisecond(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		g := still()
		op := operationIn(t, g, findsDelay(), nil)
		warm(t, op, 200, step{After: time.Microsecond})
		if d := hedges(g).Delay; d != time.Millisecond {
			t.Errorf("the delay is %v, want 1 ms", d)
		}
	})
}

func TestT41_ALatencyThatIsNotToldApartIsNoDelay(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		g := still()
		op := operationIn(t, g, findsDelay(func(p *policy.Plan) { p.Timeout = policy.Timeout{} }), nil)
		warm(t, op, 100, step{After: time.Minute})
		if d := hedges(g).Delay; d < 50*time.Second {
			t.Errorf("the delay is %v, want about a minute", d)
		}
		for range 2100 { // no silence between them, which would clear everything
			go runtime.Do(t.Context(), op, play(step{After: 4 * time.Hour}).Run)
			sleep(time.Second)
		}
		sleep(5 * time.Hour)
		if d := hedges(g).Delay; d != 0 {
			t.Errorf("the delay is %v, want none", d)
		}
	})
}

func TestT42_FastFailuresDoNotShortenTheDelay(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		g := still()
		op := operationIn(t, g, findsDelay(), nil)
		warm(t, op, 200, step{After: 50 * time.Millisecond})
		warm(t, op, 2500, step{Err: status(503)})
		if d := hedges(g).Delay; d < 45*time.Millisecond {
			t.Errorf("the delay is %v after fast failures, want about 50 ms", d)
		}
	})
}

// The time of attempts that were cut off counts as at least so long: or else a target that has become slow looks as it was.
func TestT42_TimeoutsAndLosersLengthenTheDelay(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		steps []step
		least time.Duration
	}{
		"timeouts": {[]step{{Hang: true}}, 900 * time.Millisecond},
		"losers":   {[]step{{After: time.Hour}, {After: 100 * time.Millisecond}}, 100 * time.Millisecond},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				g := still()
				op := operationIn(t, g, findsDelay(func(p *policy.Plan) { p.Hedge.ExtraLoad = 0.4 }), nil)
				warm(t, op, 150, step{After: 10 * time.Millisecond})
				for range 300 {
					_, _ = runtime.Do(t.Context(), op, play(c.steps...).Run)
				}
				if d := hedges(g).Delay; d < c.least {
					t.Errorf("the delay is %v, want at least %v", d, c.least)
				}
			})
		})
	}
}

func TestT43_HedgesHaveABudgetOfTheirOwnWithoutAFloor(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		g := still()
		op := operationIn(t, g, hedged(func(p *policy.Plan) { p.Hedge.ExtraLoad = 0.05 }), nil)
		sent := 0
		for range 200 {
			sent += copies(t, op)
		}
		if sent != 12 {
			t.Errorf("%d hedges for 200 slow calls, want 1.2 × 5 %%", sent)
		}
		if s := hedges(g); math.Round(s.Share*1000) != 60 || s.Budget >= 1 {
			t.Errorf("shows %+v, want a share of 6 %%", s)
		}
	})
}

func TestT43_HedgesArePaidForByTheRetryBudgetToo(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		g := still()
		op := operationIn(t, g, hedged(withBudget), nil)
		sent := 0
		for range 100 {
			sent += copies(t, op)
		}
		if sent != 19 { // of ten tokens at first, and one for each ten calls
			t.Errorf("%d hedges for 100 slow calls, want 19", sent)
		}
		if b := hedges(g).Budget; b != 10 {
			t.Errorf("the hedges' own budget is %v, want 10: what the other refused was put back", b)
		}
	})
}

func TestT45_NoHedgeWithoutTheTimeForIt(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		op, _ := operation(t, hedged())
		ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond) // an attempt takes a tenth of a second
		defer cancel()
		script := play(step{After: 90 * time.Millisecond})
		if _, err := runtime.Do(ctx, op, script.Run); err != nil || len(script.Seen()) != 1 {
			t.Errorf("%d copies, %v; want no hedge that could not answer in time", len(script.Seen()), err)
		}
	})
}

func TestT45_EachHedgeIsDueFromTheStart(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		op, _ := operation(t, hedged(func(p *policy.Plan) { p.Hedge.Max = 3 }))
		warm(t, op, 5, step{})
		start, script := time.Now(), play(step{After: time.Second})
		if _, err := runtime.Do(t.Context(), op, script.Run); err != nil {
			t.Fatal(err)
		}
		for i, s := range script.Seen() {
			if at, want := s.At.Sub(start), time.Duration(i)*20*time.Millisecond; at != want || s.Hedge != (i > 0) || s.Number != 1 {
				t.Errorf("copy %d: %+v after %v, want %v", i, s.Attempt, at, want)
			}
		}
		if n := len(script.Seen()); n != 4 {
			t.Errorf("%d copies, want 4", n)
		}
	})
}

func TestT51_WhatIsNeverHedged(t *testing.T) {
	t.Parallel()
	slow := step{After: long}
	for name, c := range map[string]struct {
		change func(*policy.Plan)
		steps  []step
		want   int // attempts
	}{
		"hedgeable, for comparison": {func(*policy.Plan) {}, []step{slow}, 2},
		"a retry":                   {func(p *policy.Plan) { p.Retry.Attempts = 2 }, []step{{Err: status(503)}, slow}, 2},
		"a func rung": {
			ladder(policy.Rung{Name: "f", Sort: policy.RungFunc, When: anyKind(), Level: policy.Reduced}), []step{{Err: status(500)}, slow}, 2,
		},
		"another target is a first attempt": {ladder(other("eu")), []step{{Err: status(500)}, slow}, 3},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				op, _ := operation(t, hedged(c.change))
				script := play(c.steps...)
				if _, err := runtime.DoResult(t.Context(), op, script.Run); err != nil || len(script.Seen()) != c.want {
					t.Errorf("%d attempts, %v; want %d", len(script.Seen()), err, c.want)
				}
				sleep(time.Second)
			})
		})
	}
}

func TestT51_WhatMayNotRunTwiceAtOnceIsRefused(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(*policy.Plan){
		"a side effect": func(p *policy.Plan) { p.Idempotency = policy.None },
		"a key that serves one request at a time": func(p *policy.Plan) { p.Idempotency, p.Key.Header = policy.Keyed, "Idempotency-Key" },
		"not hedgeable": func(p *policy.Plan) { p.Hedgeable = false },
	} {
		if _, err := runtime.NewOperation(nil, "llm", hedged(change), runtime.Wiring{}); err == nil {
			t.Errorf("%s: an operation was made, and would be hedged", name)
		}
	}
}

func TestT51_NoHedgeInsideALayerThatRetries(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		outer, _ := operation(t, plan())
		inner, _ := operation(t, hedged())
		script := play(step{After: long})
		_, err := runtime.Do(t.Context(), outer, func(ctx context.Context, _ runtime.Attempt) (string, error) {
			return runtime.Do(ctx, inner, script.Run)
		})
		if err != nil || len(script.Seen()) != 1 {
			t.Errorf("%d copies, %v; want one", len(script.Seen()), err)
		}
	})
}

func TestT51_NoHedgeInHalfOpen(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		op, _ := operation(t, hedged(withBreaker(1)))
		trip(t, op)
		sleep(6 * time.Second)
		if n := copies(t, op); n != 0 {
			t.Errorf("%d hedges of a probe, want none", n)
		}
	})
}

func TestT51_NoHedgeAfterACommit(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c, script := streamed(t, []pushed{{0, "a"}, {time.Second, "b"}})
		s, err := runtime.Open(t.Context(), c.op, c.open)
		if err != nil {
			t.Fatal(err)
		}
		var all []string
		for item, err := range s.All() {
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, item)
		}
		if got := strings.Join(all, ""); got != "ab" || script.hits() != 1 {
			t.Errorf("read %q with %d requests, want one that was not hedged when it paused", got, script.hits())
		}
	})
}

// What is dear is the whole answer; what the caller waits for is its first item.
func TestT52_AStreamIsHedgedForItsFirstItem(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c, script := streamed(t, []pushed{{long, "slow"}}, []pushed{{0, "a"}, {time.Second, "b"}})
		start := time.Now()
		s, err := runtime.Open(t.Context(), c.op, c.open)
		if err != nil || time.Since(start) != 20*time.Millisecond {
			t.Fatalf("%v after %v, want the hedge's first item at once", err, time.Since(start))
		}
		synctest.Wait()
		if n := c.group.Snapshot()[0].Bulkhead.InFlight; n != 1 {
			t.Errorf("%d permits held while the stream lives, want its own", n)
		}
		var all []string
		for item, err := range s.All() {
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, item)
		}
		if got := strings.Join(all, ""); got != "ab" || script.hits() != 2 {
			t.Errorf("read %q with %d requests, want the winner's to its end", got, script.hits())
		}
		if n := c.group.Snapshot()[0].Bulkhead.InFlight; n != 0 {
			t.Errorf("%d permits held at the end", n)
		}
	})
}

// A loser that was cut off early says nothing about the target; one that was in flight as long as a slow call was one.
func TestT52_ALoserIsSlowOnlyIfItWasLongInFlight(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		hedge step
		slow  int
	}{
		"cut off early": {step{After: fast}, 0},
		"cut off late":  {step{After: 150 * time.Millisecond}, 1}, // the hedge itself was as long in flight, but answered
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				g := still()
				op := operationIn(t, g, hedged(withBreaker(5), func(p *policy.Plan) {
					p.Breaker.SlowCall, p.Breaker.SlowRate = 160*time.Millisecond, 0.9
				}), nil)
				if _, err := runtime.Do(t.Context(), op, play(step{After: long}, c.hedge).Run); err != nil {
					t.Fatal(err)
				}
				synctest.Wait()
				if b := g.Snapshot()[0].Breaker; b.Slow != c.slow || b.Failures != 0 || b.InFlight != 0 {
					t.Errorf("%+v, want %d slow and no failure", b, c.slow)
				}
			})
		})
	}
}

// pushed is an item that a stream sends after a while.
type pushed struct {
	after time.Duration
	item  string
}

// streamedClient is a client of one operation that streams, and may be hedged.
type streamedClient struct {
	http  *runtime.HTTP
	op    *runtime.Operation
	group *runtime.Group
}

// requests counts those that a transport got.
type requests struct {
	http.RoundTripper

	script *runtimetest.Script[*http.Response]
}

func (r *requests) hits() int { return len(r.script.Seen()) }

// streamed returns a client whose requests are answered with these streams, the last one again and again.
func streamed(t *testing.T, streams ...[]pushed) (*streamedClient, *requests) {
	t.Helper()
	steps := make([]runtimetest.Step[*http.Response], 0, len(streams))
	for _, items := range streams {
		steps = append(steps, runtimetest.Step[*http.Response]{Then: func(ctx context.Context, _ runtime.Attempt) (*http.Response, error) {
			r, w := io.Pipe()
			go func() {
				for _, p := range items {
					select {
					case <-time.After(p.after):
					case <-ctx.Done():
						_ = w.CloseWithError(ctx.Err())
						return
					}
					_, _ = io.WriteString(w, data(p.item))
				}
				_ = w.Close()
			}()
			return &http.Response{
				StatusCode: http.StatusOK, Header: http.Header{"Content-Type": {"text/event-stream"}}, Body: r, ContentLength: -1,
			}, nil
		}})
	}
	script := runtimetest.Play(steps...)
	target := roundTrip(func(r *http.Request) (*http.Response, error) { return script.Run(r.Context(), runtime.Attempt{}) })
	p := hedged(func(p *policy.Plan) {
		p.Stream.Format, p.Bulkhead.MaxConcurrent = policy.SSE, 8
	})
	c := &streamedClient{group: still()}
	c.http = runtime.NewHTTP(
		runtime.HTTPSpec{Name: "llm", BaseURL: "http://h"}, runtime.WithHTTPClient(&http.Client{Transport: target}), runtime.WithGroup(c.group),
	)
	c.op = c.http.Operation(p)
	if err := c.http.Err(); err != nil {
		t.Fatal(err)
	}
	return c, &requests{script: script}
}

func (c *streamedClient) open(ctx context.Context, at runtime.Attempt) (*runtime.Stream[string], error) {
	return runtime.SendStream(ctx, c.http, at, wire.NewRequest("GET", "/s"), func(r *wire.Response) (*wire.Items[string], error) {
		return wire.TextItems(r, policy.Stream{Format: policy.SSE})
	})
}
