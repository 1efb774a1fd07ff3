package runtime_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/resgen-go/resgen/runtime"
	"github.com/resgen-go/resgen/runtime/policy"
)

// nested returns an outer operation whose attempts call an inner one, and counts the inner attempts.
func nested(t *testing.T, outer, inner policy.Plan, ctx context.Context, err error) (attempts int, got error) {
	t.Helper()
	in, _ := operation(t, inner)
	out, _ := operation(t, outer)
	_, got = runtime.Do(ctx, out, func(ctx context.Context, _ runtime.Attempt) (int, error) {
		return runtime.Do(ctx, in, func(context.Context, runtime.Attempt) (int, error) {
			attempts++
			return 0, err
		})
	})
	return attempts, got
}

func TestT30_RetryHappensAtOneLayer(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		outer policy.Plan
		allow bool
		want  int
	}{
		"the outer one retries":             {plan(), false, 3},
		"the outer one does not":            {plan(noRetry), false, 3},
		"both, because the caller wants it": {plan(), true, 9},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				ctx := t.Context()
				if c.allow {
					ctx = runtime.AllowNestedRetries(ctx)
				}
				n, err := nested(t, c.outer, plan(), ctx, status(503))
				if n != c.want || !errors.Is(err, runtime.ErrTransient) {
					t.Errorf("%d attempts, %v; want %d", n, err, c.want)
				}
			})
		})
	}
}

func TestALayeredTargetGetsOneAttempt(t *testing.T) {
	t.Parallel()
	op, _ := operation(t, plan(func(p *policy.Plan) {
		p.Targets = []policy.Target{{Name: "eu", Layered: true}}
	}, ladder(other("eu"))))
	synctest.Test(t, func(t *testing.T) {
		eu := play(step{Err: status(503)})
		_, _ = runtime.DoResult(t.Context(), op, rungs(play(step{Err: status(503)}), eu))
		if n := len(eu.Seen()); n != 1 {
			t.Errorf("%d attempts at a target that retries itself, want 1", n)
		}
	})
}

func TestAnInnerErrorKeepsItsKind(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		for _, inner := range []error{status(429), status(401), status(404)} {
			_, err := nested(t, plan(noRetry), plan(noRetry), t.Context(), inner)
			var outer *runtime.Error
			if !errors.As(err, &outer) || runtime.KindOf(outer.Cause) != outer.Kind || outer.Kind == policy.KindPermanent {
				t.Errorf("got %v, want the kind of %v", err, inner)
			}
		}
	})
}

func TestAnOuterTimeoutIsToldFromAnInnerOne(t *testing.T) {
	t.Parallel()
	hang := func(ctx context.Context, _ runtime.Attempt) (int, error) {
		<-ctx.Done()
		return 0, ctx.Err()
	}
	for name, c := range map[string]struct {
		outer, inner         time.Duration
		wantOuter, wantInner policy.Kind
	}{
		"the outer attempt's": {time.Second, 2 * time.Second, policy.KindTimeout, policy.KindDeadline},
		"the inner attempt's": {2 * time.Second, time.Second, policy.KindTimeout, policy.KindTimeout},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				in, inside := operation(t, plan(noRetry, func(p *policy.Plan) { p.Timeout.Attempt = c.inner }))
				out, _ := operation(t, plan(noRetry, func(p *policy.Plan) { p.Timeout.Attempt = c.outer }))
				_, err := runtime.Do(t.Context(), out, func(ctx context.Context, _ runtime.Attempt) (int, error) {
					return runtime.Do(ctx, in, hang)
				})
				ends := inside.Events()
				if got := ends[len(ends)-1].Kind; got != c.wantInner || runtime.KindOf(err) != c.wantOuter {
					t.Errorf("inner %v, outer %v; want %v and %v", got, runtime.KindOf(err), c.wantInner, c.wantOuter)
				}
			})
		})
	}
}

func TestCallsInsideDoNotInheritWhatIsOfOneCall(t *testing.T) {
	t.Parallel()
	keyed := plan(func(p *policy.Plan) { p.Idempotency, p.Key.Header = policy.Keyed, "Idempotency-Key" })
	in, _ := operation(t, keyed)
	out, _ := operation(t, keyed)
	var meta runtime.Meta
	ctx := runtime.Capture(runtime.WithIdempotencyKey(t.Context(), "order-77"), &meta)
	var outerKey, innerKey string
	if _, err := runtime.Do(ctx, out, func(ctx context.Context, at runtime.Attempt) (int, error) {
		outerKey = at.Key
		return runtime.Do(ctx, in, func(_ context.Context, at runtime.Attempt) (int, error) {
			innerKey = at.Key
			return 0, nil
		})
	}); err != nil {
		t.Fatal(err)
	}
	if outerKey != "order-77" || innerKey == "order-77" || innerKey == "" {
		t.Errorf("outer key %q, inner key %q; want the caller's for the outer alone", outerKey, innerKey)
	}
	if meta.Attempts != 1 || meta.Target != policy.PrimaryTarget {
		t.Errorf("meta %+v, want that of the outer call", meta)
	}
}
