package runtime_test

import (
	"context"
	"errors"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/resgen-go/resgen/runtime"
	"github.com/resgen-go/resgen/runtime/policy"
)

// asks is a rung that asks another operation.
func asks(name string) policy.Rung {
	return policy.Rung{Name: name, Sort: policy.RungOperation, Operation: "Search", When: anyKind(), Level: policy.Reduced}
}

// searching is the plan of the other operation: two attempts of 3 s, and a ladder of its own.
func searching(change ...func(*policy.Plan)) policy.Plan {
	return plan(append([]func(*policy.Plan){func(p *policy.Plan) {
		p.Operation, p.Retry.Attempts = "Search", 2
		p.Timeout = policy.Timeout{Attempt: 3 * time.Second, Total: 30 * time.Second}
		p.Fallback.Rungs = []policy.Rung{static("nothing")}
	}}, change...)...)
}

// TestARungAsksAnotherOperation goes through what the two operations decide, each for itself.
func TestARungAsksAnotherOperation(t *testing.T) {
	t.Parallel()
	fails := step{Err: status(503)}
	hangs := step{Hang: true}
	type result = runtime.Result[string]
	for name, tt := range map[string]struct {
		outer, inner func(*policy.Plan)
		ctx          func(context.Context) context.Context
		first        step
		search       []step
		want         result
		kind         policy.Kind // of the error
		searched     int
		took         time.Duration
	}{
		"it answers": {
			search: []step{{Value: "found"}}, want: result{Value: "found", Rung: "search", Level: policy.Reduced, Reason: policy.KindTransient, Attempts: 2}, searched: 1,
		},
		"it tries again by itself, and nobody else does": {
			search: []step{fails, {Value: "found"}}, took: 100 * time.Millisecond, searched: 2,
			want: result{Value: "found", Rung: "search", Level: policy.Reduced, Reason: policy.KindTransient, Attempts: 2},
		},
		"it has no ladder there": {
			search: []step{fails}, took: 100 * time.Millisecond, searched: 2,
			want: result{Value: "sorry", Rung: "sorry", Level: policy.Canned, Reason: policy.KindTransient, Attempts: 2},
		},
		"it has its own time": {
			search: []step{{After: 2 * time.Second, Value: "found"}}, took: 2 * time.Second, searched: 1,
			want: result{Value: "found", Rung: "search", Level: policy.Reduced, Reason: policy.KindTransient, Attempts: 2},
		},
		"it leaves the next rung its time": {
			search: []step{hangs}, took: 6*time.Second + 100*time.Millisecond, searched: 2,
			want: result{Value: "sorry", Rung: "sorry", Level: policy.Canned, Reason: policy.KindTransient, Attempts: 2},
		},
		"the time of the call is over": {
			outer:  func(p *policy.Plan) { p.Timeout.Total = 2 * time.Second },
			search: []step{hangs}, took: 2 * time.Second, searched: 1,
			want: result{Value: "sorry", Rung: "sorry", Level: policy.Canned, Reason: policy.KindTransient, Attempts: 2},
		},
		"it cannot take what it is asked": {
			search: []step{{Err: status(400)}}, searched: 1,
			want: result{Value: "sorry", Rung: "sorry", Level: policy.Canned, Reason: policy.KindTransient, Attempts: 2},
		},
		"somebody above tries again": {
			ctx: runtime.WithoutRetries, search: []step{fails, {Value: "found"}}, searched: 1,
			want: result{Value: "sorry", Rung: "sorry", Level: policy.Canned, Reason: policy.KindTransient, Attempts: 2},
		},
		"its answer is not good enough": {
			ctx:    func(ctx context.Context) context.Context { return runtime.WithMinLevel(ctx, policy.Alternate) },
			search: []step{{Value: "found"}}, kind: policy.KindTransient,
		},
		"no fallback is wanted": {ctx: runtime.WithoutFallback, search: []step{{Value: "found"}}, kind: policy.KindTransient},
		"what may have acted must not act again": {
			outer: func(p *policy.Plan) {
				p.Idempotency = policy.None
				for i := range p.Fallback.Rungs {
					p.Fallback.Rungs[i].When = []policy.Kind{policy.KindThrottle, policy.KindConnect}
				}
			},
			first: step{Err: status(500)}, search: []step{{Value: "found"}}, kind: policy.KindTransient,
		},
		"what may have acted may act again": {
			outer: func(p *policy.Plan) {
				p.Idempotency, p.Fallback.Rungs[0].MayDuplicate = policy.None, "a search does nothing"
			},
			search: []step{{Value: "found"}}, searched: 1,
			want: result{Value: "found", Rung: "search", Level: policy.Reduced, Reason: policy.KindTransient, Attempts: 2},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				outer, inner := plan(noRetry, ladder(asks("search"), static("sorry"))), searching()
				if tt.outer != nil {
					tt.outer(&outer)
				}
				op, _ := operation(t, outer)
				searchOp, _ := operation(t, inner)
				script := play(tt.search...)
				search := func(ctx context.Context) (runtime.Result[string], error) {
					return runtime.DoResult(ctx, searchOp, func(ctx context.Context, at runtime.Attempt) (string, error) {
						if at.Rung == 1 {
							t.Error("the other operation has taken a rung of its own")
							return "nothing", nil
						}
						return script.Run(ctx, at)
					})
				}
				if tt.first.Err == nil {
					tt.first = fails
				}
				first := play(tt.first)
				ctx := t.Context()
				if tt.ctx != nil {
					ctx = tt.ctx(ctx)
				}
				began := time.Now()
				res, err := runtime.DoResult(ctx, op, func(ctx context.Context, at runtime.Attempt) (string, error) {
					switch at.Rung {
					case 1:
						res, err := search(ctx)
						return res.Value, err
					case 2:
						return "sorry", nil
					}
					return first.Run(ctx, at)
				})
				if took := time.Since(began); took != tt.took {
					t.Errorf("took %v, want %v", took, tt.took)
				}
				if n := len(script.Seen()); n != tt.searched {
					t.Errorf("searched %d times, want %d", n, tt.searched)
				}
				if got := runtime.KindOf(err); got != tt.kind {
					t.Errorf("error %v, want of kind %v", err, tt.kind)
				}
				tt.want.Degraded, res.Cause = tt.want.Level != policy.Equal, nil
				if diff := cmp.Diff(tt.want, res); diff != "" {
					t.Errorf("result (-want +got):\n%s", diff)
				}
			})
		})
	}
}

// TestAnotherOperationIsItsOwnEvidence opens the breaker of the other operation, and of that alone.
func TestAnotherOperationIsItsOwnEvidence(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		g := still()
		own := func(p *policy.Plan) {
			p.Breaker = breaker(2)
			p.Breaker.Scope = policy.ScopeOperation
		}
		op := operationIn(t, g, plan(noRetry, ladder(asks("search"))), nil)
		searchOp := operationIn(t, g, searching(noRetry, own), nil)
		down := errors.New("the index is down")
		searched := 0
		for range 4 {
			_, err := runtime.DoResult(t.Context(), op, func(ctx context.Context, at runtime.Attempt) (string, error) {
				if at.Rung == 0 {
					return "", status(503)
				}
				if runtime.FallbackCause(ctx) == nil {
					t.Error("the rung does not know why it runs")
				}
				return runtime.Do(ctx, searchOp, func(context.Context, runtime.Attempt) (string, error) {
					searched++
					return "", down
				})
			})
			if !errors.Is(err, runtime.ErrTransient) || !errors.Is(err, down) && searched < 2 {
				t.Errorf("%v: want rung 0's error, and the other's in it", err)
			}
		}
		if searched != 2 {
			t.Errorf("searched %d times, want 2: then its breaker is open", searched)
		}
		var open []string
		for _, m := range g.Snapshot() {
			if m.Breaker.State == policy.StateOpen {
				open = append(open, m.Operation)
			}
		}
		if diff := cmp.Diff([]string{"Search"}, open); diff != "" {
			t.Errorf("open breakers (-want +got):\n%s", diff)
		}
	})
}

// TestAnExercisedOperationHasNoLadder runs the rung beside a call that is well.
func TestAnExercisedOperationHasNoLadder(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		op, seen := operation(t, plan(exercises(policy.ExerciseShadow), ladder(asks("search"))))
		searchOp, _ := operation(t, searching())
		_, err := runtime.DoResult(t.Context(), op, func(ctx context.Context, at runtime.Attempt) (string, error) {
			if at.Rung == 0 {
				return "well", nil
			}
			res, err := runtime.DoResult(ctx, searchOp, func(_ context.Context, at runtime.Attempt) (string, error) {
				if at.Rung == 1 {
					t.Error("the other operation has taken a rung of its own")
				}
				return "", status(500)
			})
			return res.Value, err
		})
		if err != nil {
			t.Fatal(err)
		}
		sleep(time.Minute)
		synctest.Wait()
		if failed := seen.Events(runtime.ExerciseFailed); len(failed) != 1 || failed[0].Kind != policy.KindTransient {
			t.Errorf("told: %+v", failed)
		}
	})
}

// TestAnotherOperationReports: what the other call came to is what the call says, if the rung reports it.
func TestAnotherOperationReports(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		found := answers(http.StatusOK, `{"name":"a","usage":{"in":7,"out":3}}`)
		counted := func(p *policy.Plan) {
			p.Tokens = policy.Tokens{Input: "/usage/in", Output: "/usage/out"}
		}
		inner := searching(noRetry, counted)
		inner.Fallback = policy.Fallback{}
		s := against(t, inner, []playStep{found})
		op := operationIn(t, still(), plan(noRetry, ladder(asks("search"))), nil)
		var meta runtime.Meta
		res, err := runtime.DoResult(runtime.Capture(t.Context(), &meta), op, func(ctx context.Context, at runtime.Attempt) (*thing, error) {
			if at.Rung == 0 {
				return nil, status(503)
			}
			var inside runtime.Meta
			defer runtime.Report(ctx, &inside)
			return s.find(runtime.Capture(ctx, &inside))
		})
		if err != nil || res.Rung != "search" {
			t.Fatalf("%+v, %v", res, err)
		}
		if meta.Usage.Input != 7 || meta.Usage.Output != 3 || meta.Status != http.StatusOK || meta.Level != policy.Reduced {
			t.Errorf("the call says %+v, status %d, level %v", meta.Usage, meta.Status, meta.Level)
		}
	})
}

// find makes a call of the other operation.
func (c *played) find(ctx context.Context) (*thing, error) {
	res, err := c.call(ctx, http.MethodGet)
	return res.Value, err
}

// TestAStreamOfAnotherOperationReports: its usage is known when its items are read, and the call says it then.
func TestAStreamOfAnotherOperationReports(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		u := &upstream{}
		u.answers = append(u.answers, u.sse(chunk{text: data(`{"text":"a"}`)}, chunk{text: data(`{"text":"","usage":{"in":50,"out":5}}`)}, chunk{text: done}))
		s := newStreamer(t, streamPlan(tokened(6000)), u)
		op := operationIn(t, still(), plan(noRetry, ladder(asks("older"))), nil)
		var meta runtime.Meta
		res, err := runtime.OpenResult(runtime.Capture(t.Context(), &meta), op,
			func(ctx context.Context, at runtime.Attempt) (*runtime.Stream[answerOf], error) {
				if at.Rung == 0 {
					return nil, status(503)
				}
				var inside runtime.Meta
				defer runtime.Report(ctx, &inside)
				return s.chat(runtime.Capture(ctx, &inside))
			})
		if err != nil || res.Rung != "older" {
			t.Fatalf("%+v, %v", res, err)
		}
		for _, err := range res.Value.All() {
			if err != nil {
				t.Fatal(err)
			}
		}
		want := policy.Usage{Input: 50, Output: 5}
		if meta.Usage != want || res.Value.Usage() != want {
			t.Errorf("the call says %+v, and its stream %+v; want %+v", meta.Usage, res.Value.Usage(), want)
		}
	})
}
