package runtime_test

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/resgen-go/resgen/runtime"
	"github.com/resgen-go/resgen/runtime/policy"
)

// rungs runs one script for each rung.
func rungs(scripts ...interface {
	Run(ctx context.Context, at runtime.Attempt) (string, error)
},
) func(context.Context, runtime.Attempt) (string, error) {
	return func(ctx context.Context, at runtime.Attempt) (string, error) { return scripts[at.Rung].Run(ctx, at) }
}

// noRetry gives a plan one attempt on each rung.
func noRetry(p *policy.Plan) { p.Retry.Attempts = 1 }

// twoTargets gives a plan a second target.
func twoTargets(p *policy.Plan) { p.Targets = []policy.Target{{Name: "eu"}} }

func function(name string) policy.Rung {
	return policy.Rung{Name: name, Sort: policy.RungFunc, Func: name, When: anyKind(), Level: policy.Reduced}
}

func TestTheLadderServesByTheFirstRungThatAnswers(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		op, seen := operation(t, plan(noRetry, twoTargets, ladder(other("eu"), function("keywords"), static("sorry"))))
		far := errors.New("far away")
		keywords := func(ctx context.Context, _ runtime.Attempt) (string, error) {
			if cause := runtime.FallbackCause(ctx); !errors.Is(cause, far) {
				t.Errorf("FallbackCause %v, want the errors before", cause)
			}
			return "keywords", nil
		}
		res, err := runtime.DoResult(t.Context(), op, rungs(
			play(step{Err: status(503)}), play(step{Err: far}), play(step{Then: keywords})))
		if err != nil {
			t.Fatal(err)
		}
		if !errors.Is(res.Cause, far) {
			t.Errorf("cause %v, want the errors of both rungs", res.Cause)
		}
		res.Cause = nil
		want := runtime.Result[string]{
			Value: "keywords", Degraded: true, Rung: "keywords", Level: policy.Reduced, Reason: policy.KindTransient, Attempts: 3,
		}
		if diff := cmp.Diff(want, res); diff != "" {
			t.Errorf("result (-want +got):\n%s", diff)
		}
		var took []string
		for _, e := range seen.Events(runtime.RungTaken) {
			took = append(took, e.RungName+" because "+e.Kind.String())
		}
		if diff := cmp.Diff([]string{"eu because transient", "keywords because transient"}, took); diff != "" {
			t.Errorf("rungs told (-want +got):\n%s", diff)
		}
	})
}

func TestT62_FallbacksAreBounded(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		op, _ := operation(t, plan(noRetry, func(p *policy.Plan) {
			p.Bulkhead = policy.BulkheadConfig{MaxConcurrent: 5, MaxQueue: 40, MaxWait: time.Second}
		}, ladder(function("keywords"))))
		var inside, most atomic.Int64
		var served, failed atomic.Int64
		run := func(_ context.Context, at runtime.Attempt) (string, error) {
			if at.Rung == 0 {
				return "", status(503)
			}
			most.Store(max(most.Load(), inside.Add(1)))
			defer inside.Add(-1)
			sleep(100 * time.Millisecond)
			return "keywords", nil
		}
		for range 40 {
			go func() {
				_, err := runtime.DoResult(t.Context(), op, run)
				switch {
				case err == nil:
					served.Add(1)
				case errors.Is(err, runtime.ErrTransient):
					failed.Add(1)
				default:
					t.Errorf("got %v; want the error of the operation itself", err)
				}
			}()
		}
		sleep(time.Second)
		if most.Load() != 10 || served.Load() != 10 || failed.Load() != 30 {
			t.Errorf("%d at once, %d served, %d failed; want 10, 10 and 30", most.Load(), served.Load(), failed.Load())
		}
	})
}

func TestT63_NoFallbackOnTheCallersMistakesOrItsCancel(t *testing.T) {
	t.Parallel()
	all := static("sorry")
	all.When = policy.Kinds() // more than an author can write with any
	synctest.Test(t, func(t *testing.T) {
		op, _ := operation(t, plan(noRetry, ladder(static("sorry"))))
		for _, code := range []int{400, 404, 413, 422} {
			if _, err := runtime.DoResult(t.Context(), op, play(step{Err: status(code)}, step{}).Run); !errors.Is(err, runtime.ErrCaller) {
				t.Errorf("%d: got %v, want the caller's mistake", code, err)
			}
		}
		op, _ = operation(t, plan(noRetry, ladder(all)))
		if _, err := runtime.DoResult(t.Context(), op, play(step{Err: status(400)}, step{}).Run); !errors.Is(err, runtime.ErrCaller) {
			t.Errorf("got %v, want the caller's mistake, which no rung may name", err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(10*time.Millisecond, cancel)
		if _, err := runtime.DoResult(ctx, op, play(step{Hang: true}, step{}).Run); !errors.Is(err, runtime.ErrCanceled) {
			t.Errorf("got %v, want the cancel", err)
		}
	})
}

func TestT63_ARefusalIsNeverMaskedAndAnUnfitRungIsPassedOver(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		p := plan(noRetry, twoTargets, ladder(other("eu"), static("sorry")))
		p.Errors.Rules = []policy.ErrorRule{{Kind: policy.KindRefused, Status: 451}, {Kind: policy.KindContextTooLong, Status: 431}}
		op, seen := operation(t, p)
		if _, err := runtime.DoResult(t.Context(), op, rungs(play(step{Err: status(451)}))); !errors.Is(err, runtime.ErrRefused) {
			t.Errorf("got %v, want the refusal", err)
		}
		res, err := runtime.DoResult(t.Context(), op, rungs(play(step{Err: status(503)}), play(step{Err: status(431)}), play(step{})))
		if err != nil || res.Rung != "sorry" || len(seen.Events(runtime.RungUnfit)) != 1 {
			t.Errorf("got %+v, %v; want the unfit rung to be passed over, and counted", res, err)
		}
		alone := operationIn(t, still(), plan(noRetry, twoTargets, ladder(other("eu"))), nil)
		_, err = runtime.DoResult(t.Context(), alone, rungs(play(step{Err: status(503)}), play(step{Err: status(400)})))
		if !errors.Is(err, runtime.ErrTransient) || errors.Is(err, runtime.ErrCaller) {
			t.Errorf("got %v, want what the operation itself said", err)
		}
	})
}

func TestT64_ALadderLeavesTimeForItsLaterRungs(t *testing.T) {
	t.Parallel()
	hang := play(step{Hang: true})
	for name, c := range map[string]struct {
		ladder  []policy.Rung
		want    string
		elapsed time.Duration
	}{
		// without samples an attempt of 1 s is useful from a tenth of it on
		"a rung that sends keeps its useful time": {[]policy.Rung{other("eu")}, "eu", 900 * time.Millisecond},
		"what the author reserved": {
			[]policy.Rung{reserving(other("eu"), 300*time.Millisecond)}, "eu", 700 * time.Millisecond,
		},
		"a static rung needs none":        {[]policy.Rung{static("sorry")}, "sorry", time.Second},
		"each later rung keeps its share": {[]policy.Rung{other("eu"), static("sorry")}, "eu", 900 * time.Millisecond},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				op, _ := operation(t, plan(noRetry, twoTargets, ladder(c.ladder...), func(p *policy.Plan) { p.Timeout.Total = 2 * time.Second }))
				ctx, cancel := context.WithTimeout(t.Context(), time.Second)
				defer cancel()
				start := time.Now()
				res, err := runtime.DoResult(ctx, op, rungs(hang, play(step{}), play(step{})))
				if err != nil || res.Rung != c.want || time.Since(start) != c.elapsed {
					t.Errorf("got %+v, %v after %v; want rung %q after %v", res, err, time.Since(start), c.want, c.elapsed)
				}
			})
		})
	}
}

func reserving(r policy.Rung, d time.Duration) policy.Rung {
	r.Reserve = d
	return r
}

func TestT64_AStaticRungIsServedAfterEverythingRanOut(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		op, _ := operation(t, plan(noRetry, twoTargets, ladder(other("eu"), static("sorry")), func(p *policy.Plan) {
			p.Timeout.Total = 1500 * time.Millisecond
		}))
		start := time.Now()
		res, err := runtime.DoResult(t.Context(), op, rungs(play(step{Hang: true}), play(step{Hang: true}), play(step{})))
		if err != nil || res.Rung != "sorry" || time.Since(start) != 1500*time.Millisecond {
			t.Errorf("got %+v, %v after %v; want the static rung at the total", res, err, time.Since(start))
		}
	})
}

func TestT70_OurOwnLadderIsNoEvidenceAgainstTheProvider(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		g := still()
		op := operationIn(t, g, plan(twoTargets, func(p *policy.Plan) {
			p.Breaker, p.Retry.Attempts = breaker(1), 1
		}, ladder(reserving(other("eu"), 700*time.Millisecond))), nil)
		ctx, cancel := context.WithTimeout(t.Context(), 1100*time.Millisecond)
		defer cancel()
		_, err := runtime.DoResult(ctx, op, rungs(play(step{Hang: true}), play(step{Hang: true})))
		if err == nil {
			t.Fatal("want a timeout")
		}
		for _, m := range g.Snapshot() {
			if m.Operation == "" && (m.Breaker.State != policy.StateClosed || m.Breaker.Calls != 0) {
				t.Errorf("%s: %+v; want no evidence: each attempt was cut by the ladder", m.Target, m.Breaker)
			}
		}
	})
}

func TestARungWithAnOpenBreakerIsSkippedAtOnce(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		op, _ := operation(t, plan(noRetry, twoTargets, func(p *policy.Plan) { p.Breaker = breaker(2) }, ladder(other("eu"), static("sorry"))))
		down := rungs(play(step{Err: status(503)}), play(step{Err: status(503)}), play(step{}))
		for range 2 {
			_, _ = runtime.DoResult(t.Context(), op, down)
		}
		start := time.Now()
		res, err := runtime.DoResult(t.Context(), op, down)
		if err != nil || res.Rung != "sorry" || res.Attempts != 0 || time.Since(start) != 0 {
			t.Errorf("got %+v, %v after %v; want the static rung, no attempt, no time", res, err, time.Since(start))
		}
	})
}

func TestARungDoesNotRepeatWhatMayHaveBeenExecuted(t *testing.T) {
	t.Parallel()
	may := other("eu")
	may.MayDuplicate = "orders are deduplicated downstream"
	for name, c := range map[string]struct {
		idempotency policy.Idempotency
		rung        policy.Rung
		err         error
		want        string
	}{
		"none in doubt":                {policy.None, other("eu"), status(503), "sorry"},
		"none, an unknown error":       {policy.None, other("eu"), errors.New("what"), "sorry"},
		"none, proven not executed":    {policy.None, other("eu"), status(429), "eu"},
		"keyed in doubt":               {policy.Keyed, other("eu"), status(503), "sorry"},
		"none in doubt, may duplicate": {policy.None, may, status(503), "eu"},
		"idempotent in doubt":          {policy.Idempotent, other("eu"), status(503), "eu"},
		"a function is not a repeat":   {policy.None, function("eu"), status(503), "eu"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			rung := c.rung
			if rung.MayDuplicate == "" && rung.Sort.Sends() && !proven(c.idempotency) {
				rung.When = []policy.Kind{policy.KindThrottle, policy.KindConnect} // what the generator lets through
			}
			op, _ := operation(t, plan(noRetry, twoTargets, func(p *policy.Plan) {
				p.Idempotency, p.Retry.On, p.Key.Header = c.idempotency, nil, "Idempotency-Key"
			}, ladder(rung, static("sorry"))))
			res, err := runtime.DoResult(t.Context(), op, rungs(play(step{Err: c.err}), play(step{}), play(step{})))
			if err != nil || res.Rung != c.want {
				t.Errorf("got %+v, %v; want rung %q", res, err, c.want)
			}
		})
	}
}

func proven(i policy.Idempotency) bool { return i == policy.Safe || i == policy.Idempotent }

func TestDoubtOfAnEarlierAttemptBarsARung(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		eu := other("eu")
		eu.When = []policy.Kind{policy.KindThrottle}
		op, _ := operation(t, plan(twoTargets, func(p *policy.Plan) {
			p.Idempotency, p.Key.Header, p.Retry.Attempts = policy.Keyed, "Idempotency-Key", 2
		}, ladder(eu, static("sorry"))))
		// the first attempt may have been executed; that the second was not proves nothing about the first
		res, err := runtime.DoResult(t.Context(), op, rungs(play(step{Err: status(503)}, step{Err: status(429)}), play(step{}), play(step{})))
		if err != nil || res.Rung != "sorry" {
			t.Errorf("got %+v, %v; want the rung that sends to be passed over", res, err)
		}
	})
}

func TestCallersChooseHowFarACallMayDegrade(t *testing.T) {
	t.Parallel()
	op, _ := operation(t, plan(noRetry, twoTargets, ladder(other("eu"), function("keywords"), static("sorry"))))
	run := rungs(play(step{Err: status(503)}), play(step{Err: status(503)}), play(step{}), play(step{}))
	if res, err := runtime.DoResult(runtime.WithMinLevel(t.Context(), policy.Reduced), op, run); err != nil || res.Level != policy.Reduced {
		t.Errorf("min level reduced: %+v, %v", res, err)
	}
	if _, err := runtime.DoResult(runtime.WithMinLevel(t.Context(), policy.Alternate), op, run); !errors.Is(err, runtime.ErrTransient) {
		t.Errorf("min level alternate: %v, want the 503", err)
	}
	if _, err := runtime.DoResult(runtime.WithoutFallback(t.Context()), op, run); !errors.Is(err, runtime.ErrTransient) {
		t.Errorf("without fallback: %v, want the 503", err)
	}
}
