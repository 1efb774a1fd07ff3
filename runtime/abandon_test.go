package runtime_test

import (
	"context"
	"errors"
	"io"
	"iter"
	goruntime "runtime"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/resgen-go/resgen/runtime"
	"github.com/resgen-go/resgen/runtime/policy"
	"github.com/resgen-go/resgen/runtime/runtimetest"
)

// leavesBehind is a plan of one attempt of 100 ms, which is left behind then.
func leavesBehind(change ...func(*policy.Plan)) policy.Plan {
	return once(append([]func(*policy.Plan){func(p *policy.Plan) {
		p.Abandon = true
		p.Timeout.Attempt = 100 * ms
		p.Bulkhead = policy.BulkheadConfig{MaxConcurrent: 5000}
	}}, change...)...)
}

// deaf answers after a time, whatever its context says.
func deaf(after time.Duration, answer int) func(context.Context, runtime.Attempt) (int, error) {
	return func(context.Context, runtime.Attempt) (int, error) {
		sleep(after)
		return answer, nil
	}
}

func left(op *runtime.Group) runtime.AbandonedSnapshot { return op.Snapshot()[0].Abandoned["Get"] }

// TestACallThatIgnoresItsContextIsLeftBehind has the caller back at the deadline of the attempt, at the caller's own, and at the caller's cancel,
// whether the call is watched, retried or hedged.
func TestACallThatIgnoresItsContextIsLeftBehind(t *testing.T) {
	t.Parallel()
	watched := func(o runtime.Observer) runtime.Wiring { return runtime.Wiring{Observer: o} }
	for name, c := range map[string]struct {
		change  func(*policy.Plan)
		wiring  runtime.Wiring
		caller  time.Duration // the caller's deadline
		cancel  time.Duration // when the caller goes
		want    policy.Kind
		took    time.Duration
		running int64
	}{
		"attempt":           {want: policy.KindTimeout, took: 100 * ms, running: 1},
		"caller's deadline": {caller: 60 * ms, want: policy.KindDeadline, took: 60 * ms, running: 1},
		"caller's cancel":   {cancel: 30 * ms, want: policy.KindCanceled, took: 30 * ms, running: 1},
		"watched":           {wiring: watched(runtime.ObserverFunc(func(context.Context, runtime.Event) {})), want: policy.KindTimeout, took: 100 * ms, running: 1},
		"retried": {
			change: func(p *policy.Plan) { p.Retry = plan().Retry; p.Timeout.Total = time.Minute },
			want:   policy.KindTimeout, took: 500 * ms, running: 3, // three attempts, and 100 ms between them
		},
		"hedged": {
			change: func(p *policy.Plan) {
				p.Hedgeable, p.Hedge = true, policy.HedgeConfig{Delay: 20 * ms, Max: 1, ExtraLoad: 1}
			},
			want: policy.KindTimeout, took: 120 * ms, running: 2,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				p := leavesBehind()
				if c.change != nil {
					c.change(&p)
				}
				g := still()
				op, err := runtime.NewOperation(g, "llm", p, c.wiring)
				if err != nil {
					t.Fatal(err)
				}
				ctx, cancel := context.WithCancel(t.Context())
				defer cancel()
				if c.caller > 0 {
					ctx, cancel = context.WithTimeout(ctx, c.caller)
					defer cancel()
				}
				if c.cancel > 0 {
					time.AfterFunc(c.cancel, cancel)
				}
				began := time.Now()
				_, err = runtime.Do(ctx, op, deaf(time.Hour, 1))
				if took := time.Since(began); took != c.took || runtime.KindOf(err) != c.want {
					t.Errorf("after %s: %v; want %s after %s", took, err, c.want, c.took)
				}
				var e *runtime.Error
				if !errors.As(err, &e) || !e.MayHaveActed {
					t.Errorf("%v says that nothing was done: it goes on", err)
				}
				if m := g.Snapshot()[0]; m.Bulkhead.InFlight != 0 {
					t.Errorf("%d permits are held, want none", m.Bulkhead.InFlight)
				}
				if s := left(g); s.Running != c.running {
					t.Errorf("%+v, want %d running", s, c.running)
				}
				sleep(20 * ms)
				if s := left(g); s.Total != c.running {
					t.Errorf("%+v, want %d in all", s, c.running)
				}
				sleep(2 * time.Hour)
				if s := left(g); s.Running != 0 || s.Total != c.running {
					t.Errorf("%+v when they have returned, want none running", s)
				}
			})
		})
	}
}

// TestACallThatHeedsItsContextIsNotCounted returns when its context ends: nothing was left behind.
func TestACallThatHeedsItsContextIsNotCounted(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		g, seen := still(), new(runtimetest.Recorder)
		op := operationIn(t, g, leavesBehind(), seen)
		_, err := runtime.Do(t.Context(), op, func(ctx context.Context, _ runtime.Attempt) (int, error) {
			<-ctx.Done()
			return 0, ctx.Err()
		})
		sleep(time.Second)
		if s := left(g); runtime.KindOf(err) != policy.KindTimeout || s != (runtime.AbandonedSnapshot{}) {
			t.Errorf("%v, %+v; want a timeout, and nothing counted", err, s)
		}
		if n := len(seen.Events(runtime.AttemptAbandoned)); n != 0 {
			t.Errorf("%d abandoned attempts told, want none", n)
		}
	})
}

// TestAtMostAThousandAreLeftBehind starts more calls at once, and one when they are left behind: what is too much is refused at once.
func TestAtMostAThousandAreLeftBehind(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		const most, more = 1000, 7
		g, seen := still(), new(runtimetest.Recorder)
		op := operationIn(t, g, leavesBehind(), seen)
		var kinds sync.Map
		var refused, timeouts atomic.Int64
		for range most + more {
			go func() {
				_, err := runtime.Do(t.Context(), op, deaf(time.Hour, 1))
				switch k := runtime.KindOf(err); k {
				case policy.KindBulkheadFull:
					refused.Add(1)
				case policy.KindTimeout:
					timeouts.Add(1)
				default:
					kinds.Store(k, err)
				}
			}()
		}
		sleep(time.Second)
		kinds.Range(func(k, err any) bool { t.Errorf("kind %s: %v", k, err); return true })
		if refused.Load() != more || timeouts.Load() != most {
			t.Errorf("%d refused, %d timeouts; want %d, %d", refused.Load(), timeouts.Load(), more, most)
		}
		began := time.Now()
		_, err := runtime.Do(t.Context(), op, deaf(0, 1))
		if !errors.Is(err, runtime.ErrBulkheadFull) || time.Since(began) != 0 {
			t.Errorf("a further call: %v after %s, want bulkhead-full at once", err, time.Since(began))
		}
		if s := left(g); s != (runtime.AbandonedSnapshot{Running: most, Total: most, Refused: more + 1}) {
			t.Errorf("%+v", s)
		}
		if n := len(seen.Events(runtime.AttemptAbandoned)); n != most {
			t.Errorf("%d abandoned attempts told, want %d", n, most)
		}
		sleep(2 * time.Hour)
		if got, err := runtime.Do(t.Context(), op, deaf(0, 1)); got != 1 || err != nil {
			t.Errorf("when they have returned: %d, %v", got, err)
		}
	})
}

// TestPanicsOfWhatWasLeftBehind panics, and ends its goroutine, before and after it was left behind.
func TestPanicsOfWhatWasLeftBehind(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		act  func()
		want string
	}{"panic": {func() { panic("oh") }, "panic"}, "Goexit": {goruntime.Goexit, "Goexit"}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				g, seen := still(), new(runtimetest.Recorder)
				op := operationIn(t, g, leavesBehind(), seen)
				call := func(after time.Duration) string {
					return outcomeOf(func() {
						_, _ = runtime.Do(t.Context(), op, func(context.Context, runtime.Attempt) (int, error) {
							sleep(after)
							c.act()
							return 0, nil
						})
					})
				}
				if got := call(ms); got != c.want {
					t.Errorf("in time the caller's goroutine saw %q, want %q", got, c.want)
				}
				if got := call(time.Hour); got != "return" {
					t.Errorf("left behind, the caller's goroutine saw %q, want it to return", got)
				}
				sleep(2 * time.Hour)
				told := seen.Events(runtime.LoserPanicked)
				if want := name == "panic"; (len(told) == 1) != want {
					t.Errorf("told of %d panics that nobody waits for: %+v", len(told), told)
				}
				if m := g.Snapshot()[0]; m.Bulkhead.InFlight != 0 || m.Abandoned["Get"].Running != 0 {
					t.Errorf("%+v", m)
				}
			})
		})
	}
}

// closes is an answer that owns something.
type closes struct{ n *atomic.Int32 }

func (c closes) Close() error { c.n.Add(1); return nil }

// TestALateAnswerIsClosed has answers that own something come when nobody takes them.
func TestALateAnswerIsClosed(t *testing.T) {
	t.Parallel()
	var closed atomic.Int32
	late := func(context.Context, runtime.Attempt) (closes, error) {
		sleep(time.Hour)
		return closes{&closed}, nil
	}
	for name, call := range map[string]func(ctx context.Context, op *runtime.Operation) error{
		"Open": func(ctx context.Context, op *runtime.Operation) error {
			_, err := runtime.Open(ctx, op, late)
			return err
		},
		"Keep": func(ctx context.Context, op *runtime.Operation) error {
			_, err := runtime.Keep(ctx, op, late)
			return err
		},
		"OpenReader": func(ctx context.Context, op *runtime.Operation) error {
			_, err := runtime.OpenReader(ctx, op, func(ctx context.Context, at runtime.Attempt) (io.ReadCloser, error) {
				c, err := late(ctx, at)
				return struct {
					io.Reader
					io.Closer
				}{nil, c}, err
			})
			return err
		},
		"OpenSeq": func(ctx context.Context, op *runtime.Operation) error {
			_, err := runtime.OpenSeq(ctx, op, func(ctx context.Context, at runtime.Attempt) (iter.Seq[int], error) {
				return func(yield func(int) bool) {
					c, _ := late(ctx, at)
					defer c.Close()
					yield(1)
				}, nil
			})
			return err
		},
	} {
		synctest.Test(t, func(t *testing.T) {
			closed.Store(0)
			op := operationIn(t, still(), leavesBehind(func(p *policy.Plan) { p.Timeout.FirstItem = 0 }), nil)
			began := time.Now()
			if err := call(t.Context(), op); runtime.KindOf(err) != policy.KindTimeout || time.Since(began) != 100*ms {
				t.Errorf("%s: %v after %s, want a timeout after 100ms", name, err, time.Since(began))
			}
			sleep(2 * time.Hour)
			if n := closed.Load(); n != 1 {
				t.Errorf("%s: the late answer was closed %d times, want once", name, n)
			}
		})
	}
}
