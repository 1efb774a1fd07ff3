package runtime_test

import (
	"context"
	"errors"
	"net/http"
	stdruntime "runtime"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/resgen-go/resgen/runtime"
	"github.com/resgen-go/resgen/runtime/policy"
	"github.com/resgen-go/resgen/runtime/wire"
)

// hedged is a plan that hedges once after 20 ms, and does not retry.
func hedged(change ...func(*policy.Plan)) policy.Plan {
	return plan(append([]func(*policy.Plan){func(p *policy.Plan) {
		p.Hedgeable, p.Retry.Attempts = true, 1
		p.Hedge = policy.HedgeConfig{Max: 1, Delay: 20 * time.Millisecond, ExtraLoad: 1}
	}}, change...)...)
}

const fast, long = 5 * time.Millisecond, 500 * time.Millisecond

func TestT44_TheFirstAnswerWins(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		first, hedge step
		want         string
		took         time.Duration
	}{
		"the hedge's": {step{After: long, Value: "first"}, step{After: fast, Value: "hedge"}, "hedge", 25 * time.Millisecond},
		"the first's": {
			step{After: 22 * time.Millisecond, Value: "first"}, step{After: long, Value: "hedge"}, "first", 22 * time.Millisecond,
		},
		"a fast failure loses": {step{After: long, Value: "first"}, step{Err: status(503)}, "first", long},
		"a failure of the first": {
			step{After: 30 * time.Millisecond, Err: status(503)}, step{After: long, Value: "hedge"}, "hedge", 520 * time.Millisecond,
		},
		"before the hedge is fired": {step{After: fast, Value: "first"}, step{Value: "hedge"}, "first", fast},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				op, _ := operation(t, hedged())
				start := time.Now()
				got, err := runtime.Do(t.Context(), op, play(c.first, c.hedge).Run)
				if took := time.Since(start); err != nil || got != c.want || took != c.took {
					t.Errorf("got %q, %v after %v; want %q after %v", got, err, took, c.want, c.took)
				}
			})
		})
	}
}

func TestT47_APanicOfACopyReachesTheCaller(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		g := still()
		op := operationIn(t, g, hedged(withBreaker(5), func(p *policy.Plan) { p.Bulkhead.MaxConcurrent = 8 }), nil)
		script := play(step{After: long}, step{Then: func(context.Context, runtime.Attempt) (string, error) { panic("boom") }})
		func() {
			defer func() {
				if got := recover(); got != "boom" {
					t.Errorf("recovered %v, want the panic of the copy", got)
				}
			}()
			_, _ = runtime.Do(t.Context(), op, script.Run)
			t.Error("the panic was lost")
		}()
		synctest.Wait()
		if m := g.Snapshot()[0]; m.Bulkhead.InFlight != 0 || m.Breaker.InFlight != 0 || m.Breaker.Failures != 1 {
			t.Errorf("%+v after the panic, want one failure and nothing in flight", m)
		}
	})
}

func TestT47_TheEndOfACopysGoroutineEndsTheCallers(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		op, _ := operation(t, hedged())
		script := play(step{Then: func(context.Context, runtime.Attempt) (string, error) { stdruntime.Goexit(); return "", nil }})
		returned, over := false, make(chan struct{})
		go func() {
			defer close(over)
			_, _ = runtime.Do(t.Context(), op, script.Run)
			returned = true
		}()
		if <-over; returned {
			t.Error("Do returned, although the attempt ended its goroutine")
		}
	})
}

func TestT49_NobodyWaitsForALoser(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		g := still()
		op := operationIn(t, g, hedged(withBreaker(5), func(p *policy.Plan) { p.Bulkhead.MaxConcurrent = 8 }), nil)
		start := time.Now()
		got, err := runtime.Do(t.Context(), op, play(step{After: long, Deaf: true, Value: "first"}, step{After: fast, Value: "hedge"}).Run)
		if took := time.Since(start); err != nil || got != "hedge" || took != 25*time.Millisecond {
			t.Errorf("got %q, %v after %v; want the hedge's answer at once", got, err, took)
		}
		if n := g.Snapshot()[0].Bulkhead.InFlight; n != 1 {
			t.Errorf("%d permits held, want that of the loser, which is in flight", n)
		}
		sleep(time.Second)
		if m := g.Snapshot()[0]; m.Bulkhead.InFlight != 0 || m.Breaker.InFlight != 0 || m.Breaker.Calls != 1 {
			t.Errorf("%+v after the loser returned, want one result and nothing in flight", m)
		}
	})
}

func TestT49_TheCallersEndDoesNotWaitForCopies(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		op, _ := operation(t, hedged())
		ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
		defer cancel()
		var returned atomic.Int32
		deaf := step{Then: func(context.Context, runtime.Attempt) (string, error) {
			sleep(long)
			returned.Add(1)
			return "", nil
		}}
		start := time.Now()
		_, err := runtime.Do(ctx, op, play(deaf).Run)
		var e *runtime.Error
		took := time.Since(start)
		if !errors.As(err, &e) || e.Kind != policy.KindDeadline || e.Attempts != 2 || !e.MayHaveActed || took != 300*time.Millisecond {
			t.Errorf("got %+v after %v, want the deadline at 300 ms", err, took)
		}
		sleep(time.Second)
		if n := returned.Load(); n != 2 {
			t.Errorf("%d copies returned, want 2", n)
		}
	})
}

// Nobody takes the ends of the copies that lose: they must not wait for it. The bubble fails where a goroutine is left.
func TestT46_LosersDoNotPark(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		op, _ := operation(t, hedged(func(p *policy.Plan) { p.Hedge.Max = 3 }))
		warm(t, op, 5, step{})
		deaf := step{After: long, Deaf: true}
		script := play(deaf, deaf, step{After: long, Deaf: true, Err: status(500)}, step{Value: "last"})
		if got, err := runtime.Do(t.Context(), op, script.Run); err != nil || got != "last" || len(script.Seen()) != 4 {
			t.Errorf("got %q, %v of %d copies; want the last one's answer", got, err, len(script.Seen()))
		}
		sleep(time.Second)
	})
}

func TestT47_APanicOfALoserIsTold(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		op, seen := operation(t, hedged(withBreaker(5)))
		late := step{Then: func(context.Context, runtime.Attempt) (string, error) { sleep(long); panic("too late") }}
		if _, err := runtime.Do(t.Context(), op, play(late, step{}).Run); err != nil {
			t.Fatal(err)
		}
		sleep(time.Second)
		told := seen.Events(runtime.LoserPanicked)
		var p *runtime.PanicError
		if len(told) != 1 || !errors.As(told[0].Err, &p) || p.Value != "too late" || !strings.Contains(string(p.Stack), "trap_hedge_test.go") {
			t.Errorf("told %+v, want the panic with its stack", told)
		}
	})
}

func TestT47_CopiesAreSiblings(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		op, seen := operation(t, hedged())
		type key struct{}
		parents := make(chan any, 2)
		run := step{Then: func(ctx context.Context, at runtime.Attempt) (string, error) {
			parents <- ctx.Value(key{})
			if !at.Hedge {
				sleep(long)
			}
			return "", nil
		}}
		if _, err := runtime.Do(context.WithValue(t.Context(), key{}, "span"), op, play(run).Run); err != nil {
			t.Fatal(err)
		}
		if first, hedge := <-parents, <-parents; first != "span" || hedge != "span" {
			t.Errorf("the copies' contexts hold %v and %v, want what the caller's does", first, hedge)
		}
		const want = "0s call start\n0s attempt start attempt=1\n20ms hedged\n20ms attempt start attempt=1\n" +
			"20ms attempt end attempt=1\n20ms attempt end attempt=1 kind=canceled\n20ms call end\n"
		if got := seen.Trace(); got != want {
			t.Errorf("told\n%swant\n%s", got, want)
		}
		sleep(time.Second)
	})
}

// HTTP/1 has no other way to take a request back than to close its connection: only the loser's is, and the winner's serves on.
func TestT48_OnlyTheLosersConnectionIsLost(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		canceled := make(chan time.Time, 1)
		hang := func(_ http.ResponseWriter, r *http.Request) {
			<-r.Context().Done()
			canceled <- time.Now()
		}
		s := against(t, hedged(), []playStep{hang, ok(), ok()})
		for range 2 {
			if err := s.get(t.Context()); err != nil {
				t.Fatal(err)
			}
			synctest.Wait()
		}
		if n := s.accepted.Load(); n != 2 || len(s.seen()) != 3 {
			t.Errorf("%d connections for %d requests, want that of the winner used again", n, len(s.seen()))
		}
		if at := (<-canceled).Sub(s.seen()[0].at); at != 20*time.Millisecond {
			t.Errorf("the server sees the loser canceled after %v, want at once", at)
		}
	})
}

func TestT50_ARefusedHedgeKillsNothing(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(*policy.Plan){
		"the hedges' own budget": func(p *policy.Plan) { p.Hedge.ExtraLoad = 0.01 },
		"the retry budget":       func(p *policy.Plan) { p.Budget = policy.BudgetConfig{Ratio: 0.0001} },
		"the bulkhead":           func(p *policy.Plan) { p.Bulkhead.MaxConcurrent = 1 },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				op, _ := operation(t, hedged(change))
				for range 12 { // the retry budget starts with ten tokens
					script := play(step{After: 150 * time.Millisecond, Value: "first"})
					got, err := runtime.Do(t.Context(), op, script.Run)
					if err != nil || got != "first" {
						t.Errorf("got %q, %v; want the first copy's answer", got, err)
					}
				}
			})
		})
	}
}

// What a loser opens late is closed by its own goroutine, and what it holds is given back once.
func TestT46_ALoserClosesWhatItOpensLate(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		g := still()
		op := operationIn(t, g, hedged(func(p *policy.Plan) { p.Bulkhead.MaxConcurrent = 8 }), nil)
		var all [2]countedCloser
		open := func(ctx context.Context, at runtime.Attempt) (*countedCloser, error) {
			if at.Hedge {
				all[1].ctx = ctx //nolint:fatcontext // it is looked at, and nothing is made of it
				return &all[1], nil
			}
			all[0].ctx = ctx
			sleep(long)
			return &all[0], nil
		}
		got, err := runtime.Open(t.Context(), op, open)
		synctest.Wait()
		if err != nil || got != &all[1] {
			t.Fatalf("got %p, %v; want the hedge's answer", got, err)
		}
		if all[0].ctx.Err() == nil || all[1].ctx.Err() != nil {
			t.Errorf("the contexts say %v and %v; want only the loser's ended", all[0].ctx.Err(), all[1].ctx.Err())
		}
		sleep(time.Second)
		if a, b := all[0].closed.Load(), all[1].closed.Load(); a != 1 || b != 0 {
			t.Errorf("closed %d and %d times, want the loser's answer once", a, b)
		}
		if n := g.Snapshot()[0].Bulkhead.InFlight; n != 0 {
			t.Errorf("%d permits held", n)
		}
	})
}

// A patched request is made of the caller's, by the goroutine of the copy: the caller may write to theirs once the call has returned.
func TestT46_TheRequestOfALoserIsMadeBeforeTheCallReturns(t *testing.T) {
	t.Parallel()
	for name, hedge := range map[string]bool{"the caller's end": false, "an answer": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				fails := func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusServiceUnavailable) }
				slow := func(w http.ResponseWriter, r *http.Request) {
					sleep(50 * time.Millisecond)
					ok()(w, r)
				}
				p := hedged(ladder(policy.Rung{Name: "small", Sort: policy.RungPatch, When: anyKind(), Level: policy.Reduced}))
				s := against(t, p, []playStep{fails, slow, ok()})
				ctx, cancel := context.WithCancel(t.Context())
				defer cancel()
				caller, losers := "caller's", 0 // request
				_, _ = runtime.DoResult(ctx, s.op, func(ctx context.Context, at runtime.Attempt) (*thing, error) {
					if at.Rung == 1 && at.Hedge == hedge {
						losers++
						if !hedge {
							cancel()
						}
						sleep(100 * time.Millisecond) // it is large
					}
					r := wire.NewRequest(http.MethodPost, "/things")
					if r.JSON(thing{Name: caller}); caller != "caller's" {
						t.Error("the request is made of what the caller wrote after the call")
					}
					return runtime.Send(ctx, s.http, at, r, readThing)
				})
				caller = "theirs again"
				sleep(time.Second)
				if losers != 1 {
					t.Errorf("%d copies have lost, want 1", losers)
				}
			})
		})
	}
}

// countedCloser is an answer that owns something.
type countedCloser struct {
	ctx    context.Context
	closed atomic.Int32
}

func (c *countedCloser) Close() error { c.closed.Add(1); return nil }
