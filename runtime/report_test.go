package runtime_test

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"math"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/resgen-go/resgen/runtime"
	"github.com/resgen-go/resgen/runtime/cache"
	"github.com/resgen-go/resgen/runtime/policy"
	"github.com/resgen-go/resgen/runtime/wire"
)

// reporting answers and reports what a call inside has come to.
func reporting(text string, inside runtime.Meta, err error) getterFunc {
	return func(ctx context.Context, _ string) (string, error) {
		runtime.Report(ctx, &inside)
		return text, err
	}
}

// onTop is a provider that counts cached tokens on top of the input.
var onTop = policy.Counting{CachedOnTop: true}

// said is what a call inside came to that says everything that can be reported.
func said() runtime.Meta {
	return runtime.Meta{
		Status: 200, Header: http.Header{"A": {"b"}}, RequestID: "r", Served: "m-2", Level: policy.Alternate,
		Incomplete: true, IncompleteReason: "length", Usage: policy.Usage{Input: 10, Cached: 4, Output: 3}, Counting: onTop,
		Attempts: 7, Rung: "inner", Cost: 8, Replays: 9, Reason: policy.KindTimeout,
	}
}

func TestWhatACallInsideComesToIsReported(t *testing.T) {
	t.Parallel()
	for name, p := range map[string]policy.Plan{
		"inline": plan(), "hedged": plan(func(p *policy.Plan) {
			p.Hedgeable, p.Hedge = true, policy.HedgeConfig{Max: 1, Delay: time.Hour, ExtraLoad: 1}
		}),
		"left": plan(func(p *policy.Plan) { p.Abandon = true }),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				w, err := wrap(reporting("a", said(), nil), p, nil)
				if err != nil {
					t.Fatal(err)
				}
				meta := runtime.Meta{Status: 500, Incomplete: false, RequestID: "of another call"}
				if _, err := w.Get(runtime.Capture(t.Context(), &meta), "x"); err != nil {
					t.Fatal(err)
				}
				want := said()
				want.Usage, want.Counting = policy.Usage{Input: 14, Cached: 4, Output: 3}, policy.Counting{}
				want.Attempts, want.Rung, want.Cost, want.Replays, want.Reason = 1, "", 0, 0, policy.KindNone
				want.Degraded, want.Target = true, policy.PrimaryTarget
				if diff := cmp.Diff(want, meta); diff != "" {
					t.Errorf("-want +got:\n%s", diff)
				}
			})
		})
	}
}

func TestOfFailedAttemptsAndEarlierCallsNothingIsLeft(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w, err := wrap(reporting("", said(), errGone), twoRungs(), nil, withSecondary(answering("b")), search("c"))
		if err != nil {
			t.Fatal(err)
		}
		meta := said()
		if _, err := w.Get(runtime.Capture(t.Context(), &meta), "x"); err != nil {
			t.Fatal(err)
		}
		want := runtime.Meta{
			Attempts: 2, Rung: "secondary", Target: "secondary", Level: policy.Alternate, Degraded: true, Reason: policy.KindPermanent,
			Cause: meta.Cause, Elapsed: meta.Elapsed,
		}
		if diff := cmp.Diff(want, meta, cmp.Comparer(func(a, b error) bool { return errors.Is(a, b) })); diff != "" {
			t.Errorf("-want +got:\n%s", diff)
		}
	})
}

// TestAResultSaysWhatACallInsideDegraded has nobody watch: the result itself says how good the answer is, by a wrapped value and by a rung.
func TestAResultSaysWhatACallInsideDegraded(t *testing.T) {
	t.Parallel()
	degraded := runtime.Meta{Level: policy.Stale}
	w := runtime.NewWrapper[getterOption](runtime.WrapperSpec{Name: "Getter"}, t)
	wraps := w.Operation(once())
	byRung := operationIn(t, still(), once(ladder(policy.Rung{
		Name: "search", Sort: policy.RungFunc, Func: "search", When: anyKind(), Level: policy.Alternate,
	})), nil)
	for name, op := range map[string]*runtime.Operation{"a wrapped value": wraps, "a rung": byRung} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			res, err := runtime.DoResult(t.Context(), op, func(ctx context.Context, at runtime.Attempt) (string, error) {
				if op == byRung && at.Rung == 0 {
					return "", errGone
				}
				runtime.Report(ctx, &degraded)
				return "a", nil
			})
			if err != nil || res.Level != policy.Stale || !res.Degraded {
				t.Errorf("%+v, %v; want it stale", res, err)
			}
		})
	}
}

// TestWhatIsNotWholeIsNotRemembered asks twice: what a call inside cut, or degraded, must not be what the second call is given.
func TestWhatIsNotWholeIsNotRemembered(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		inside runtime.Meta
		calls  int
	}{
		"whole":    {runtime.Meta{}, 1},
		"cut":      {runtime.Meta{Incomplete: true, IncompleteReason: "length"}, 2},
		"degraded": {runtime.Meta{Level: policy.Canned, Degraded: true}, 2},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				p := plan(func(p *policy.Plan) { p.Cache = policy.CacheConfig{On: true, TTL: time.Minute} })
				calls := 0
				counting := getterFunc(func(ctx context.Context, _ string) (string, error) {
					calls++
					runtime.Report(ctx, &c.inside)
					return "a", nil
				})
				w, err := wrap(counting, p, nil, withRuntime(runtime.WithStore(cache.New(cache.Config{}))))
				if err != nil {
					t.Fatal(err)
				}
				for range 2 {
					if _, err := w.Get(t.Context(), "x"); err != nil {
						t.Fatal(err)
					}
				}
				if calls != c.calls {
					t.Errorf("the wrapped value was asked %d times, want %d", calls, c.calls)
				}
			})
		})
	}
}

// TestAbsurdNumbersAreBounded reports what no answer can have used.
func TestAbsurdNumbersAreBounded(t *testing.T) {
	t.Parallel()
	absurd := policy.Usage{Input: math.MaxInt64, Cached: math.MaxInt64, CacheWrite: -1, Output: math.MinInt64, Reasoning: 1}
	w, err := wrap(reporting("a", runtime.Meta{Usage: absurd, Counting: onTop, Level: 200}, nil), plan(), nil)
	if err != nil {
		t.Fatal(err)
	}
	var meta runtime.Meta
	if _, err := w.Get(runtime.Capture(t.Context(), &meta), "x"); err != nil {
		t.Fatal(err)
	}
	u := meta.Usage
	if u.Input < u.Cached || u.CacheWrite != 0 || u.Output < 0 || u.Reasoning != 1 || meta.Level != policy.Canned {
		t.Errorf("%+v of level %v", u, meta.Level)
	}
}

// TestAReportOutsideOfAnAttemptIsNone reports where nobody listens.
func TestAReportOutsideOfAnAttemptIsNone(t *testing.T) {
	t.Parallel()
	inside := said()
	runtime.Report(t.Context(), &inside)
	w, err := wrap(getterFunc(func(ctx context.Context, _ string) (string, error) {
		runtime.Report(ctx, nil)
		runtime.Report(ctx, &inside)
		return "a", nil
	}), plan(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := w.Get(t.Context(), "x"); got != "a" || err != nil {
		t.Errorf("%q, %v", got, err)
	}
}

// TestAStreamIsReportedAtItsEnd reports what is known at its begin, and again at its end.
func TestAStreamIsReportedAtItsEnd(t *testing.T) {
	t.Parallel()
	for name, most := range map[string]int{"read": 9, "left early": 1} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				var o runtime.Meta
				w := runtime.NewWrapper[getterOption](runtime.WrapperSpec{Name: "Getter"}, t)
				op := w.Operation(plan())
				seq := runtime.Range(runtime.Capture(t.Context(), &o), op, func(ctx context.Context, _ runtime.Attempt) iter.Seq2[string, error] {
					return func(yield func(string, error) bool) {
						inside := runtime.Meta{Served: "m", Usage: policy.Usage{Input: 5, Cached: 2}, Counting: onTop}
						runtime.Report(ctx, &inside)
						defer func() {
							inside.Incomplete, inside.IncompleteReason, inside.Usage.Output = true, "length", 7
							runtime.Report(ctx, &inside)
						}()
						_ = yield("a", nil) && yield("b", nil)
					}
				})
				n := 0
				for _, err := range seq {
					if err != nil {
						t.Fatal(err)
					}
					if n++; n == most {
						break
					}
					if n == 1 && (o.Usage != policy.Usage{Input: 7, Cached: 2} || o.Served != "m" || o.Incomplete) {
						t.Errorf("at the first item %+v of %q", o.Usage, o.Served)
					}
				}
				if o.Usage != (policy.Usage{Input: 7, Cached: 2, Output: 7}) || !o.Incomplete || o.IncompleteReason != "length" {
					t.Errorf("at the end %+v, incomplete %v by %q", o.Usage, o.Incomplete, o.IncompleteReason)
				}
			})
		})
	}
}

// TestEvidenceCrossesCalls fails a call inside in ways of which the kind does not say everything.
func TestEvidenceCrossesCalls(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		err      error
		attempts int // of three
		failures int
	}{
		"overloaded":      {status(529), 3, 3},
		"throttled":       {status(429), 3, 0},
		"do not retry":    {status(503, "X-Should-Retry", "false"), 1, 1},
		"at once":         {status(503, "Retry-After", "0"), 3, 3},
		"empty":           {&wire.EventError{Kind: policy.KindDecode}, 2, 2},
		"a wait too long": {status(503, "Retry-After", "60"), 1, 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				g := still()
				outer := plan(func(p *policy.Plan) { p.Breaker = breaker(9) })
				out, err := runtime.NewOperation(g, "out", outer, runtime.Wiring{})
				if err != nil {
					t.Fatal(err)
				}
				in, _ := operation(t, plan(noRetry))
				attempts, began := 0, time.Now()
				_, err = runtime.Do(t.Context(), out, func(ctx context.Context, _ runtime.Attempt) (int, error) {
					return runtime.Do(ctx, in, func(context.Context, runtime.Attempt) (int, error) {
						attempts++
						return 0, c.err
					})
				})
				m := g.Snapshot()[0]
				if err == nil || attempts != c.attempts || m.Breaker.Failures != c.failures {
					t.Errorf("%d attempts, %d failures, want %d and %d: %v", attempts, m.Breaker.Failures, c.attempts, c.failures, err)
				}
				if name == "at once" && time.Since(began) > 0 {
					t.Errorf("waited %v, want no wait", time.Since(began))
				}
			})
		})
	}
}

// TestASentinelSaysTheKind returns errors of functions that name their kind.
func TestASentinelSaysTheKind(t *testing.T) {
	t.Parallel()
	for kind, sentinel := range map[policy.Kind]error{
		policy.KindRefused: runtime.ErrRefused, policy.KindUnfit: runtime.ErrUnfit, policy.KindUnusable: runtime.ErrUnusable,
		policy.KindCaller: runtime.ErrCaller, policy.KindPermanent: runtime.ErrCanceled, policy.KindContextTooLong: runtime.ErrContextTooLong,
	} {
		t.Run(kind.String(), func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				op, _ := operation(t, plan(noRetry))
				_, err := runtime.Do(t.Context(), op, func(context.Context, runtime.Attempt) (int, error) {
					return 0, fmt.Errorf("it says: %w", sentinel)
				})
				if got := runtime.KindOf(err); got != kind {
					t.Errorf("%v, want %v: %v", got, kind, err)
				}
			})
		})
	}
}
