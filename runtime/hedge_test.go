package runtime_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/resgen-go/resgen/runtime"
	"github.com/resgen-go/resgen/runtime/policy"
)

func TestHedgesGoToTheirOwnTarget(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		p := hedged(withBreaker(2), func(p *policy.Plan) {
			p.Hedge.Target, p.Targets = "eu", []policy.Target{{Name: "eu"}}
		})
		s := against(t, p, []playStep{slow(long, ok()), ok(), slow(long, ok()), fails(503), slow(long, ok()), fails(503), slow(long, ok())})
		for range 4 {
			if err := s.get(t.Context()); err != nil {
				t.Fatal(err)
			}
			sleep(time.Second)
		}
		var targets []string
		for _, e := range s.told.Events(runtime.AttemptStart) {
			targets = append(targets, e.Target)
		}
		if got := strings.Join(targets, " "); got != "primary eu primary eu primary eu primary" {
			t.Errorf("sent to %s; want each hedge at eu, and none once its breaker is open", got)
		}
		changes := s.told.Events(runtime.BreakerChanged)
		if len(changes) != 1 || changes[0].Target != "eu" || changes[0].To != "open" {
			t.Errorf("told %+v, want that the breaker of eu opened", changes)
		}
		for _, m := range s.group.Snapshot() {
			want := map[string]policy.State{"primary": policy.StateClosed, "eu": policy.StateOpen}[m.Target]
			if m.Breaker.State != want || m.Breaker.InFlight != 0 {
				t.Errorf("%s: %+v, want state %v and nothing in flight", m.Target, m.Breaker, want)
			}
		}
		if all := s.told.Events(runtime.Hedged); len(all) != 3 || all[0].Target != "eu" || all[0].Wait != 20*time.Millisecond {
			t.Errorf("told %+v, want three hedges to eu", all)
		}
	})
}

// What is captured is the response that answered: copies do not write over each other's.
func TestCaptureOfAHedgedCall(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		steps []playStep
		want  string
	}{
		"the hedge answers":       {[]playStep{slow(22*time.Millisecond, answers(200, `{"name":"a"}`, "X-Leg", "1")), answers(200, `{"name":"a"}`, "X-Leg", "2")}, "2"},
		"the first copy answers":  {[]playStep{slow(22*time.Millisecond, answers(200, `{"name":"a"}`, "X-Leg", "1")), hangs}, "1"},
		"the hedge failed before": {[]playStep{slow(30*time.Millisecond, answers(200, `{"name":"a"}`, "X-Leg", "1")), fails(503, "X-Leg", "2")}, "1"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				s := against(t, hedged(), c.steps)
				var meta runtime.Meta
				if err := s.get(runtime.Capture(t.Context(), &meta)); err != nil {
					t.Fatal(err)
				}
				if meta.Status != 200 || meta.Header.Get("X-Leg") != c.want || meta.Attempts != 2 || meta.Target != policy.PrimaryTarget {
					t.Errorf("captured %+v, want the answer of leg %s", meta, c.want)
				}
			})
		})
	}
}

// The context of a copy tells its deadline, and ends by it, as that of any other attempt.
func TestTheContextOfACopy(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		op, _ := operation(t, hedged())
		start := time.Now()
		_, err := runtime.Do(t.Context(), op, func(ctx context.Context, at runtime.Attempt) (string, error) {
			want := start.Add(time.Second)
			if at.Hedge {
				want = want.Add(20 * time.Millisecond)
			}
			if deadline, ok := ctx.Deadline(); !ok || !deadline.Equal(want) {
				t.Errorf("hedge %v: the deadline is %v, want %v", at.Hedge, deadline.Sub(start), want.Sub(start))
			}
			inner, cancel := context.WithCancel(ctx)
			defer cancel()
			<-inner.Done()
			if got := time.Now(); !got.Equal(want) || ctx.Err() != context.DeadlineExceeded {
				t.Errorf("hedge %v: ended after %v, %v; want its deadline", at.Hedge, got.Sub(start), ctx.Err())
			}
			return "", ctx.Err()
		})
		if k := runtime.KindOf(err); k != policy.KindTimeout {
			t.Errorf("got %v, want a timeout", err)
		}
	})
}

// A call whose hedge is armed and does not fire costs a goroutine, a channel, a context that can be canceled, and little else.
func TestAnArmedHedgeAllocatesLittle(t *testing.T) { //nolint:paralleltest // AllocsPerRun counts what others allocate too
	p := full()
	p.Hedgeable, p.Hedge = true, policy.HedgeConfig{Max: 1, Delay: time.Minute, ExtraLoad: 1}
	p.Timeout = policy.Timeout{Attempt: time.Minute * 2, Total: time.Hour}
	op, err := runtime.NewOperation(nil, "llm", p, runtime.Wiring{})
	if err != nil {
		t.Fatal(err)
	}
	got := testing.AllocsPerRun(1000, func() {
		if _, err := runtime.Do(t.Context(), op, answer); err != nil {
			t.Fatal(err)
		}
	})
	if got > 8 {
		t.Errorf("%v allocations, want at most 8", got)
	}
}

// A function may look at its context now and then instead of waiting for it.
func TestACopyThatPollsItsContext(t *testing.T) {
	t.Parallel()
	poll := func(ctx context.Context) error {
		for ctx.Err() == nil {
			sleep(time.Millisecond)
		}
		return context.Cause(ctx)
	}
	t.Run("a loser", func(t *testing.T) {
		t.Parallel()
		synctest.Test(t, func(t *testing.T) {
			op, _ := operation(t, hedged())
			ended := make(chan error, 1)
			_, err := runtime.Do(t.Context(), op, func(ctx context.Context, at runtime.Attempt) (string, error) {
				if !at.Hedge {
					ended <- poll(ctx)
				}
				return "", nil
			})
			if why := <-ended; err != nil || !errors.Is(why, context.Canceled) {
				t.Errorf("%v; the loser saw %v, want that it was canceled", err, why)
			}
		})
	})
	t.Run("one whose time is over", func(t *testing.T) {
		t.Parallel()
		synctest.Test(t, func(t *testing.T) {
			op, _ := operation(t, hedged())
			_, err := runtime.Do(t.Context(), op, func(ctx context.Context, _ runtime.Attempt) (string, error) {
				why := poll(ctx)
				if !errors.Is(why, context.DeadlineExceeded) || ctx.Err() != context.DeadlineExceeded {
					t.Errorf("saw %v, %v; want the deadline", why, ctx.Err())
				}
				return "", errors.New("it gave up")
			})
			if k := runtime.KindOf(err); k != policy.KindTimeout {
				t.Errorf("got %v, want a timeout", err)
			}
		})
	})
	t.Run("after the caller's end", func(t *testing.T) {
		t.Parallel()
		synctest.Test(t, func(t *testing.T) {
			op, _ := operation(t, hedged())
			ctx, cancel := context.WithCancelCause(t.Context())
			gone := errors.New("gone")
			time.AfterFunc(10*time.Millisecond, func() { cancel(gone) })
			ended := make(chan error, 1)
			_, err := runtime.Do(ctx, op, func(ctx context.Context, _ runtime.Attempt) (string, error) {
				err := poll(ctx)
				ended <- err
				return "", err
			})
			if k := runtime.KindOf(err); k != policy.KindCanceled {
				t.Errorf("got %v, want the cancel", err)
			}
			if why := <-ended; !errors.Is(why, gone) {
				t.Errorf("the copy saw %v, want the caller's cause", why)
			}
		})
	})
}
