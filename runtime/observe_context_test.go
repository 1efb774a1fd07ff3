package runtime_test

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/resgen-go/resgen/runtime"
	"github.com/resgen-go/resgen/runtime/policy"
)

// pathKey is where a marker writes the path of what began.
type pathKey struct{}

func pathOf(ctx context.Context) string {
	path, _ := ctx.Value(pathKey{}).(string)
	return path
}

// marker is a ContextObserver: each call and attempt has its path in its context.
type marker struct {
	mu   sync.Mutex
	seen []string
	bad  func() context.Context // what Begin returns instead; nil is what it should
}

func (m *marker) Begin(ctx context.Context, e runtime.Event) context.Context {
	m.note(ctx, e)
	if m.bad != nil {
		return m.bad()
	}
	part := "/call"
	if e.What == runtime.AttemptStart {
		part = fmt.Sprintf("/%s%d", e.RungName, e.Attempt)
		if e.Hedge {
			part += "h"
		}
	}
	return context.WithValue(ctx, pathKey{}, pathOf(ctx)+part)
}

func (m *marker) Observe(ctx context.Context, e runtime.Event) { m.note(ctx, e) }

func (m *marker) note(ctx context.Context, e runtime.Event) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.seen = append(m.seen, fmt.Sprintf("%s: %s", pathOf(ctx), e.What))
}

func TestWhatBeginsHasTheContextOfItsObservers(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		m := new(marker)
		op := operationIn(t, still(), plan(twoTargets, func(p *policy.Plan) { p.Retry.Attempts = 2 }, ladder(other("eu"))), runtime.Observers(
			runtime.ObserverFunc(func(context.Context, runtime.Event) { panic("an observer") }), m))
		var inside []string
		run := func(ctx context.Context, at runtime.Attempt) (string, error) {
			inside = append(inside, pathOf(ctx))
			if at.Rung == 0 {
				return "", status(503)
			}
			return "value", nil
		}
		if _, err := runtime.DoResult(context.WithValue(t.Context(), pathKey{}, "caller"), op, run); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff([]string{"caller/call/1", "caller/call/2", "caller/call/eu1"}, inside); diff != "" {
			t.Errorf("attempts (-want +got):\n%s", diff)
		}
		want := []string{
			"caller: call start",
			"caller/call: attempt start", "caller/call/1: attempt end", "caller/call: retry scheduled",
			"caller/call: attempt start", "caller/call/2: attempt end", "caller/call: rung taken",
			"caller/call: attempt start", "caller/call/eu1: attempt end",
			"caller/call: call end",
		}
		if diff := cmp.Diff(want, m.seen); diff != "" {
			t.Errorf("events (-want +got):\n%s", diff)
		}
	})
}

// TestContextsOfObserversEndWithTheAttempt holds a context made by an observer to the attempt's deadline.
func TestContextsOfObserversEndWithTheAttempt(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		op := operationIn(t, still(), plan(noRetry), new(marker))
		start := time.Now()
		_, err := runtime.Do(t.Context(), op, func(ctx context.Context, _ runtime.Attempt) (string, error) {
			<-ctx.Done()
			return "", context.Cause(ctx)
		})
		if got := runtime.KindOf(err); got != policy.KindTimeout || time.Since(start) != time.Second {
			t.Errorf("%v after %s: %v", got, time.Since(start), err)
		}
	})
}

func TestBadContextsOfObserversAreNotUsed(t *testing.T) {
	t.Parallel()
	for name, bad := range map[string]func() context.Context{
		"nil":   func() context.Context { return nil },
		"panic": func() context.Context { panic("an observer") },
	} {
		op := operationIn(t, still(), plan(), &marker{bad: bad})
		ctx := context.WithValue(t.Context(), pathKey{}, "caller")
		got, err := runtime.Do(ctx, op, func(ctx context.Context, _ runtime.Attempt) (string, error) { return pathOf(ctx), nil })
		if err != nil || got != "caller" {
			t.Errorf("%s: %q, %v", name, got, err)
		}
	}
}

func TestTheEndOfACallSaysWhyAFallbackAnswered(t *testing.T) {
	t.Parallel()
	op, seen := operation(t, plan(noRetry, ladder(static("sorry"))))
	if _, err := runtime.DoResult(t.Context(), op, rungs(play(step{Err: status(503)}), play(step{Value: "sorry"}))); err != nil {
		t.Fatal(err)
	}
	var fields []string
	for name, value := range seen.Events(runtime.CallEnd)[0].Fields() {
		if slices.Contains([]string{"rung", "level", "reason"}, name) {
			fields = append(fields, fmt.Sprint(name, "=", value))
		}
	}
	if diff := cmp.Diff([]string{"rung=sorry", "level=canned", "reason=transient"}, fields); diff != "" {
		t.Errorf("fields (-want +got):\n%s", diff)
	}
}
