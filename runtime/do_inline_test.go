package runtime_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/resgen-go/resgen/runtime"
	"github.com/resgen-go/resgen/runtime/policy"
)

// shelf calls like a generated wrapper: a closure over its arguments for each call.
type shelf struct {
	get  *runtime.Operation
	next func(context.Context, string) (int, error)
}

//go:noinline
func (s *shelf) Get(ctx context.Context, key string) (int, error) {
	return runtime.DoInline(ctx, s.get, func(ctx context.Context, _ runtime.Attempt) (int, error) { return s.next(ctx, key) })
}

func inlinePlan() policy.Plan {
	return policy.Plan{
		Operation: "Get", Idempotency: policy.Safe, Timeout: policy.Timeout{Total: time.Minute, Attempt: time.Second},
		Retry: policy.Retry{Attempts: 3, On: policy.RetryOn(policy.Safe), Backoff: policy.Backoff{Base: 1, Max: 1, Multiplier: 1}},
	}
}

func newShelf(t *testing.T, p policy.Plan, next func(context.Context, string) (int, error)) *shelf {
	t.Helper()
	op, err := runtime.NewOperation(nil, "shelf", p, runtime.Wiring{})
	if err != nil {
		t.Fatal(err)
	}
	return &shelf{get: op, next: next}
}

func TestDoInlineClosureCostsNothing(t *testing.T) {
	s := newShelf(t, inlinePlan(), func(context.Context, string) (int, error) { return 1, nil })
	ctx, key := t.Context(), "k"
	allocs := testing.AllocsPerRun(100, func() {
		if _, err := s.Get(ctx, key); err != nil {
			t.Error(err)
		}
	})
	if allocs > 1 { // the attempt's context
		t.Errorf("got %v allocations, want at most 1", allocs)
	}
}

func TestDoInlineRetries(t *testing.T) {
	t.Parallel()
	calls := 0
	s := newShelf(t, inlinePlan(), func(_ context.Context, key string) (int, error) {
		if calls++; calls < 3 {
			return 0, context.DeadlineExceeded
		}
		return len(key), nil
	})
	got, err := s.Get(t.Context(), "four")
	if got != 4 || err != nil || calls != 3 {
		t.Errorf("got %d, %v after %d calls; want 4, nil after 3", got, err, calls)
	}
}

func TestDoInlineRefusesWhatOutlivesTheCall(t *testing.T) {
	t.Parallel()
	p := inlinePlan()
	p.Hedgeable, p.Hedge = true, policy.HedgeConfig{Max: 1, Delay: time.Second, ExtraLoad: .05}
	s := newShelf(t, p, func(context.Context, string) (int, error) { return 1, nil })
	_, err := s.Get(t.Context(), "k")
	var refused *runtime.Error
	if !errors.As(err, &refused) || refused.Kind != policy.KindCaller {
		t.Errorf("got %v, want a refusal", err)
	}
}

// TestNoContext has calls without a context tell so, whichever way they go.
func TestNoContext(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(*policy.Plan){
		"straight": func(*policy.Plan) {},
		"driven":   func(p *policy.Plan) { p.Idempotency = policy.Keyed },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := inlinePlan()
			change(&p)
			s := newShelf(t, p, func(context.Context, string) (int, error) { return 1, nil })
			defer func() {
				if got, want := recover(), "runtime: the context of a call is nil"; got != want {
					t.Errorf("got the panic %v, want %v", got, want)
				}
			}()
			_, err := s.Get(nil, "k") //nolint:staticcheck // that is the mistake
			t.Errorf("the call returned with %v", err)
		})
	}
}
