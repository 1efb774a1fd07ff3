package runtime_test

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	goruntime "runtime"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/resgen-go/resgen/runtime"
	"github.com/resgen-go/resgen/runtime/cache"
	"github.com/resgen-go/resgen/runtime/policy"
	"github.com/resgen-go/resgen/runtime/runtimetest"
	"github.com/resgen-go/resgen/runtime/wire"
)

// exercises gives a plan an exercise of every call.
func exercises(mode policy.ExerciseMode) func(*policy.Plan) {
	return func(p *policy.Plan) { p.Exercise = policy.ExerciseConfig{Share: 1, Mode: mode} }
}

// as is a rung of that target whose answers are as good.
func as(name string) policy.Rung {
	r := other(name)
	r.Level = policy.Equal
	return r
}

// toldOfExercises returns what was told of exercises.
func toldOfExercises(seen *runtimetest.Recorder) []string {
	var told []string
	for _, e := range seen.Events() {
		if e.Exercised {
			text := e.What.String() + " " + e.RungName
			if e.Kind != policy.KindNone {
				text += " " + e.Kind.String()
			}
			told = append(told, text)
		}
	}
	return told
}

func TestT66_ARungIsExercisedBesideTheCall(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		op, seen := operation(t, plan(twoTargets, exercises(policy.ExerciseShadow), ladder(other("eu"))))
		one, eu := play(step{Value: "one", After: 10 * time.Millisecond}), play(step{Value: "eu", After: 50 * time.Millisecond})
		began := time.Now()
		res, err := runtime.DoResult(t.Context(), op, rungs(one, eu))
		if err != nil {
			t.Fatal(err)
		}
		equal(t, "result", res, runtime.Result[string]{Value: "one", Attempts: 1})
		if took := time.Since(began); took != 10*time.Millisecond {
			t.Errorf("the call took %s", took)
		}
		sleep(time.Second)
		synctest.Wait()
		equal(t, "told", toldOfExercises(seen), []string{"attempt start eu", "attempt end eu"})
		equal(t, "attempts", []int{len(one.Seen()), len(eu.Seen())}, []int{1, 1})
		at := eu.Seen()[0]
		if at.Rung != 1 || at.Target != "eu" || at.Number != 1 {
			t.Errorf("the rung ran as %+v", at)
		}
		if n := len(seen.Events(runtime.CallStart, runtime.CallEnd)); n != 2 {
			t.Errorf("%d events of calls, want the two of one", n)
		}
		if n := len(seen.Events(runtime.RungTaken)); n != 0 {
			t.Error("an exercise is told as a fallback")
		}
	})
}

func TestT66_ABrokenRungIsFoundInNormalTimes(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		run  func(context.Context, runtime.Attempt) (string, error)
		kind policy.Kind
	}{
		"it fails":              {func(context.Context, runtime.Attempt) (string, error) { return "", status(404) }, policy.KindCaller},
		"it panics":             {func(context.Context, runtime.Attempt) (string, error) { panic("no") }, policy.KindPermanent},
		"it ends its goroutine": {func(context.Context, runtime.Attempt) (string, error) { goruntime.Goexit(); return "", nil }, policy.KindPermanent},
		"it hangs": {func(ctx context.Context, _ runtime.Attempt) (string, error) {
			<-ctx.Done()
			return "", ctx.Err()
		}, policy.KindTimeout},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				op, seen := operation(t, plan(twoTargets, exercises(policy.ExerciseShadow), ladder(other("eu"))))
				for range 2 { // it ends, and can be exercised again
					res, err := runtime.DoResult(t.Context(), op, rungs(play(step{Value: "one"}), play(step{Then: tt.run})))
					if err != nil || res.Value != "one" {
						t.Fatalf("%+v, %v", res, err)
					}
					sleep(time.Minute)
					synctest.Wait()
				}
				failed := seen.Events(runtime.ExerciseFailed)
				if len(failed) != 2 || failed[0].Kind != tt.kind || failed[0].Err == nil || failed[0].RungName != "eu" || failed[0].Target != "eu" {
					t.Errorf("told: %+v", failed)
				}
				if len(failed) > 0 && (failed[0].Severity() != slog.LevelWarn || failed[0].Level != policy.Alternate) {
					t.Errorf("told as %v, %v", failed[0].Severity(), failed[0].Level)
				}
			})
		})
	}
}

// A function in place of a target that gives neither an answer nor an error is broken, and is seen to be.
func TestAFunctionWithoutAnAnswerIsFoundInNormalTimes(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		p := plan(ladder(policy.Rung{Name: "local", Sort: policy.RungFunc, Func: "local", When: anyKind(), Level: policy.Reduced}))
		p.Exercise = policy.ExerciseConfig{Share: 1}
		s := against(t, p, []playStep{ok()})
		_, err := runtime.DoResult(t.Context(), s.op, func(ctx context.Context, at runtime.Attempt) (*thing, error) {
			if at.Rung == 1 {
				return nil, nil
			}
			return runtime.Send(ctx, s.http, at, wire.NewRequest(http.MethodGet, "/things"), wire.JSON[thing])
		})
		if err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		if failed := s.told.Events(runtime.ExerciseFailed); len(failed) != 1 || failed[0].Kind != policy.KindPermanent || failed[0].RungName != "local" {
			t.Errorf("told: %+v", failed)
		}
	})
}

// An exercise outlives its call, and its caller: it keeps what their context holds, but not its end, and has no more time than an attempt
// (trap T72).
func TestT72_AnExerciseIsDetachedAndBounded(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		op, _ := operation(t, plan(twoTargets, exercises(policy.ExerciseShadow), ladder(other("eu"))))
		type userKey struct{}
		var took time.Duration
		var user any
		eu := play(step{Then: func(ctx context.Context, _ runtime.Attempt) (string, error) {
			began := time.Now()
			user = ctx.Value(userKey{})
			<-ctx.Done()
			took = time.Since(began)
			return "", ctx.Err()
		}})
		var meta runtime.Meta
		ctx, cancel := context.WithCancel(runtime.Capture(context.WithValue(t.Context(), userKey{}, "u"), &meta))
		_, err := runtime.DoResult(ctx, op, rungs(play(step{Value: "one"}), eu))
		cancel()
		before := meta
		sleep(time.Minute)
		synctest.Wait()
		if err != nil || took != time.Second || user != "u" {
			t.Errorf("%v; ran for %s with %v", err, took, user)
		}
		equal(t, "what the caller captured", meta, before)
	})
}

func TestOneExerciseAtATime(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		op, _ := operation(t, plan(twoTargets, exercises(policy.ExerciseShadow), ladder(other("eu"))))
		eu := play(step{Value: "eu", After: 450 * time.Millisecond})
		run := rungs(play(step{Value: "one"}), eu)
		for range 20 { // in two seconds
			_, _ = runtime.DoResult(t.Context(), op, run)
			sleep(100 * time.Millisecond)
		}
		synctest.Wait()
		if n := len(eu.Seen()); n != 4 {
			t.Errorf("%d exercises of 450 ms in 2 s, want 4", n)
		}
	})
}

func TestTheShareOfCallsThatExercise(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		draw := 0
		g := runtime.NewGroup(runtime.WithRand(func() float64 { draw++; return float64(draw%1000) / 1000 }))
		op := operationIn(t, g, plan(twoTargets, func(p *policy.Plan) { p.Exercise.Share = 0.02 }, ladder(other("eu"))), nil)
		eu := play(step{Value: "eu"})
		for range 1000 {
			_, _ = runtime.DoResult(t.Context(), op, rungs(play(step{Value: "one"}), eu))
			synctest.Wait()
		}
		if n := len(eu.Seen()); n != 20 {
			t.Errorf("%d of 1000 calls exercise, want 20", n)
		}
	})
}

// Nothing is exercised for callers and in times for which it would be a risk.
func TestWhatIsNotExercised(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		ctx func(context.Context) context.Context
		one error
	}{
		"a critical call":                 {func(ctx context.Context) context.Context { return runtime.WithCriticality(ctx, runtime.Critical) }, nil},
		"a caller without fallback":       {runtime.WithoutFallback, nil},
		"a caller that wants the best":    {func(ctx context.Context) context.Context { return runtime.WithMinLevel(ctx, policy.Equal) }, nil},
		"a call that failed":              {nil, status(404)},
		"a call that a rung has answered": {nil, status(503)},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				op, seen := operation(t, plan(noRetry, twoTargets, exercises(policy.ExerciseShadow), ladder(other("eu"))))
				ctx := t.Context()
				if tt.ctx != nil {
					ctx = tt.ctx(ctx)
				}
				_, _ = runtime.DoResult(ctx, op, rungs(play(step{Value: "one", Err: tt.one}), play(step{Value: "eu"})))
				synctest.Wait()
				if told := toldOfExercises(seen); told != nil {
					t.Errorf("told: %q", told)
				}
			})
		})
	}
}

func TestT66_AnExercisedRungServes(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		op, seen := operation(t, plan(twoTargets, exercises(policy.ExerciseServe), ladder(as("eu"))))
		one := play(step{Value: "one"})
		res, err := runtime.DoResult(t.Context(), op, rungs(one, play(step{Value: "eu"})))
		if err != nil {
			t.Fatal(err)
		}
		equal(t, "result", res, runtime.Result[string]{Value: "eu", Rung: "eu", Exercised: true, Attempts: 1})
		equal(t, "attempts of the operation itself", len(one.Seen()), 0)
		equal(t, "told", toldOfExercises(seen), []string{"attempt start eu", "attempt end eu", "call end eu"})
		if n := len(seen.Events(runtime.RungTaken)); n != 0 {
			t.Error("an exercise is told as a fallback")
		}
	})
}

// A rung that is exercised and fails costs the caller its time, never its answer: the call goes up to the operation itself, with all of its
// attempts, and down the rest of the ladder.
func TestT66_AnExercisedRungFallsUp(t *testing.T) {
	t.Parallel()
	down := step{Err: status(503)}
	sorry := runtime.Result[string]{
		Value: "sorry", Rung: "sorry", Degraded: true, Level: policy.Canned, Reason: policy.KindTransient, Attempts: 4,
	}
	tests := []struct {
		name     string
		one, two step
		ctx      func(context.Context) context.Context
		want     runtime.Result[string]
		kind     policy.Kind
		attempts [3]int
	}{
		{"to the operation itself", step{Value: "one"}, down, nil, runtime.Result[string]{Value: "one", Attempts: 2}, 0, [3]int{1, 1, 0}},
		{"and down, past itself", down, down, nil, sorry, 0, [3]int{3, 1, 1}},
		{"to nothing", down, down, runtime.WithoutFallback, runtime.Result[string]{}, policy.KindTransient, [3]int{3, 0, 0}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				op, seen := operation(t, plan(twoTargets, exercises(policy.ExerciseServe), ladder(as("eu"), static("sorry"))))
				one, two, fixed := play(tt.one), play(tt.two), play(step{Value: "sorry"})
				ctx := t.Context()
				if tt.ctx != nil {
					ctx = tt.ctx(ctx)
				}
				res, err := runtime.DoResult(ctx, op, rungs(one, two, fixed))
				if runtime.KindOf(err) != tt.kind {
					t.Fatalf("%+v, %v", res, err)
				}
				res.Cause = nil
				equal(t, "result", res, tt.want)
				equal(t, "attempts", [3]int{len(one.Seen()), len(two.Seen()), len(fixed.Seen())}, tt.attempts)
				if failed := seen.Events(runtime.ExerciseFailed); len(failed) != tt.attempts[1] {
					t.Errorf("told: %+v", failed)
				} else if len(failed) > 0 && (failed[0].Kind != policy.KindTransient || failed[0].RungName != "eu" || failed[0].Err == nil) {
					t.Errorf("told: %+v", failed[0])
				}
			})
		})
	}
}

// An exercised rung that hangs leaves half of the time to the operation itself.
func TestAnExercisedRungLeavesTime(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		op, _ := operation(t, plan(twoTargets, exercises(policy.ExerciseServe), ladder(as("eu")), func(p *policy.Plan) {
			p.Timeout = policy.Timeout{Attempt: 5 * time.Second, Total: 6 * time.Second}
		}))
		hang := step{Then: func(ctx context.Context, _ runtime.Attempt) (string, error) {
			<-ctx.Done()
			return "", ctx.Err()
		}}
		began := time.Now()
		res, err := runtime.DoResult(t.Context(), op, rungs(play(step{Value: "one", After: time.Second}), play(hang)))
		if err != nil || res.Value != "one" || time.Since(began) != 4*time.Second {
			t.Errorf("%+v, %v after %s", res, err, time.Since(began))
		}
	})
}

// A caller that goes away while a rung is exercised is a caller that went away.
func TestACallerThatEndsWhileARungServes(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		op, seen := operation(t, plan(twoTargets, exercises(policy.ExerciseServe), ladder(as("eu"))))
		one := play(step{Value: "one"})
		ctx, cancel := context.WithCancel(t.Context())
		_, err := runtime.DoResult(ctx, op, rungs(one, play(step{Then: func(ctx context.Context, _ runtime.Attempt) (string, error) {
			cancel()
			return "", ctx.Err()
		}})))
		if !errors.Is(err, context.Canceled) || runtime.KindOf(err) != policy.KindCanceled || len(one.Seen()) != 0 {
			t.Errorf("%v after %d attempts", err, len(one.Seen()))
		}
		if n := len(seen.Events(runtime.ExerciseFailed)); n != 0 {
			t.Error("the caller's end is told as a broken rung")
		}
	})
}

// What an exercise answers is not kept: neither beside a call, nor as its answer.
func TestT65_ExercisesAreOutsideOfCaches(t *testing.T) {
	t.Parallel()
	for _, mode := range []policy.ExerciseMode{policy.ExerciseShadow, policy.ExerciseServe} {
		t.Run(mode.String(), func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				store := cache.New(cache.Config{})
				c := newCached(t, store, plan(noRetry, caches, exercises(mode), ladder(as("two"))))
				c.names(t, t.Context(), "a")
				synctest.Wait()
				want := 0
				if mode == policy.ExerciseShadow {
					want = 1 // the call's own
				}
				if got := store.Len(); got != want || c.asked["two"] != 1 {
					t.Errorf("%d kept, want %d; %d exercises", got, want, c.asked["two"])
				}
				if got := c.names(t, t.Context(), "a"); mode == policy.ExerciseShadow && got[0] != "one 1" {
					t.Errorf("remembered: %q", got)
				}
			})
		})
	}
}

// A cache rung is exercised with what there is, and not without.
func TestTheCacheRungIsExercised(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c := newCached(t, cache.New(cache.Config{}), plan(noRetry, staleIfError, exercises(policy.ExerciseShadow)))
		c.names(t, t.Context(), "a") // nothing is remembered yet
		synctest.Wait()
		sleep(2 * time.Minute)
		c.names(t, t.Context(), "a")
		synctest.Wait()
		if c.asked["one"] != 2 || len(c.told.Events(runtime.ExerciseFailed)) != 0 {
			t.Errorf("%d requests, told %q", c.asked["one"], toldOfExercises(&c.told))
		}
	})
}

// closing counts how often it was closed.
type closing struct{ closed *atomic.Int64 }

func (c closing) Close() error { c.closed.Add(1); return nil }

// An answer that owns something is closed when it was an exercise.
func TestAnExercisedAnswerIsClosed(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		op, seen := operation(t, plan(twoTargets, exercises(policy.ExerciseShadow), ladder(other("eu"))))
		var closed, opened atomic.Int64
		res, err := runtime.OpenResult(t.Context(), op, func(_ context.Context, at runtime.Attempt) (closing, error) {
			if at.Rung == 1 {
				opened.Add(1)
			}
			return closing{&closed}, nil
		})
		synctest.Wait()
		if err != nil || opened.Load() != 1 || closed.Load() != 1 {
			t.Errorf("%v; %d opened, %d closed", err, opened.Load(), closed.Load())
		}
		_ = res.Value.Close()
		if diff := cmp.Diff([]string{"attempt start eu", "attempt end eu"}, toldOfExercises(seen)); diff != "" {
			t.Errorf("told (-want +got):\n%s", diff)
		}
	})
}

// The rung's own machines admit an exercise: a full bulkhead keeps it from being made, and is no broken rung.
func TestAnExerciseIsAdmittedByTheRungsOwnMachines(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		op, seen := operation(t, plan(noRetry, exercises(policy.ExerciseShadow), ladder(other("eu")), func(p *policy.Plan) {
			p.Targets = []policy.Target{{Name: "eu", Bulkhead: policy.BulkheadConfig{MaxConcurrent: 1}}}
		}))
		eu := play(step{Value: "eu", After: time.Second / 2}, step{Value: "eu"})
		go func() { // a call that has fallen back holds the only permit
			_, _ = runtime.DoResult(t.Context(), op, rungs(play(step{Err: status(503)}), eu))
		}()
		synctest.Wait()
		_, _ = runtime.DoResult(t.Context(), op, rungs(play(step{Value: "one"}), eu))
		synctest.Wait()
		equal(t, "told", toldOfExercises(seen), []string{"rejected eu bulkhead-full"})
		sleep(time.Second)
		_, _ = runtime.DoResult(t.Context(), op, rungs(play(step{Value: "one"}), eu))
		synctest.Wait()
		equal(t, "told then", toldOfExercises(seen)[1:], []string{"attempt start eu", "attempt end eu"})
	})
}

// A stream is exercised up to its first item, then closed: its connection, permit and ticket are given back, and no end of it is told.
func TestAStreamIsExercisedToItsFirstItem(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		small := policy.Rung{Name: "small", Sort: policy.RungPatch, When: anyKind(), Level: policy.Reduced}
		u := &upstream{}
		u.answers = append(u.answers, u.sse(chunk{text: data("a")}, chunk{after: time.Second, text: data("b")}, chunk{text: done}))
		s := newStreamer(t, streamPlan(exercises(policy.ExerciseShadow), ladder(small), func(p *policy.Plan) {
			p.Bulkhead.MaxConcurrent = 2
		}), u)
		stream, err := s.open(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		if n := u.bodies.Load(); n != 1 || u.hits.Load() != 2 {
			t.Errorf("%d bodies of %d are open while the caller reads, want its own", n, u.hits.Load())
		}
		if items, err := collect(stream); len(items) != 2 || err != nil {
			t.Errorf("got %v, %v", items, err)
		}
		equal(t, "told", toldOfExercises(s.seen), []string{"attempt start small", "attempt end small"})
		s.check(t, policy.Counts{Calls: 2})
	})
}

func TestTheRequestOfAnExerciseIsMadeBeforeTheCallReturns(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		p := plan(ladder(policy.Rung{Name: "small", Sort: policy.RungPatch, When: anyKind(), Level: policy.Reduced}))
		p.Exercise = policy.ExerciseConfig{Share: 1}
		s := against(t, p, []playStep{ok()})
		name := "large" // the caller's request
		send := func(ctx context.Context, at runtime.Attempt) (*thing, error) {
			r := wire.NewRequest(http.MethodPost, "/things")
			if at.Rung == 1 {
				goruntime.Gosched() // whoever does not wait is ahead of it
			}
			r.JSON(thing{Name: name})
			return runtime.Send(ctx, s.http, at, r, wire.JSON[thing])
		}
		for range 20 {
			if _, err := runtime.DoResult(t.Context(), s.op, send); err != nil {
				t.Fatal(err)
			}
			name = "theirs again"
			synctest.Wait()
			name = "large"
		}
		for _, r := range s.seen() {
			if !strings.Contains(r.body, "large") {
				t.Errorf("sent %s, which the caller wrote after the call", r.body)
			}
		}
	})
}
