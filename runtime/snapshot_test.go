package runtime_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/resgen-go/resgen/runtime"
	"github.com/resgen-go/resgen/runtime/policy"
)

// Operations of a target with other settings have machines of their own, and a snapshot shows each, always in the same order.
func TestSnapshotShowsTheMachinesOfEachSetting(t *testing.T) {
	t.Parallel()
	named := func(name string, failures int) policy.Plan {
		return plan(withBreaker(failures), func(p *policy.Plan) { p.Operation = name })
	}
	for range 20 {
		g := still()
		chat := operationIn(t, g, named("Chat", 2), nil)
		operationIn(t, g, named("Embed", 5), nil)
		operationIn(t, g, named("List", 5), nil)
		trip(t, chat)
		trip(t, chat)
		var got []string
		for _, m := range g.Snapshot() {
			got = append(got, fmt.Sprint(m.Operations, m.Breaker.State))
		}
		want := []string{fmt.Sprint([]string{"Chat"}, policy.StateOpen), fmt.Sprint([]string{"Embed", "List"}, policy.StateClosed)}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("rows (-want +got):\n%s", diff)
		}
	}
}

func TestKindOfASentinel(t *testing.T) {
	t.Parallel()
	for err, want := range map[error]runtime.Kind{
		runtime.ErrTransient:                           policy.KindTransient,
		fmt.Errorf("fake: %w", runtime.ErrBreakerOpen): policy.KindBreakerOpen,
		&runtime.Error{Kind: policy.KindTimeout}:       policy.KindTimeout,
		errors.New("no error of ours"):                 policy.KindPermanent,
	} {
		if got := runtime.KindOf(err); got != want {
			t.Errorf("KindOf(%v) = %v, want %v", err, got, want)
		}
	}
}

// A static rung that is served after the caller's deadline says why the operation itself did not answer.
func TestCauseOfAnAnswerAfterTheDeadline(t *testing.T) {
	t.Parallel()
	op := operationIn(t, still(), plan(ladder(policy.Rung{Name: "sorry", Sort: policy.RungStatic, When: policy.Kinds(), Level: policy.Canned})), nil)
	ctx, cancel := context.WithTimeout(t.Context(), 0)
	defer cancel()
	got, err := runtime.DoResult(ctx, op, answer)
	if err != nil || got.Reason != policy.KindDeadline || !errors.Is(got.Cause, context.DeadlineExceeded) {
		t.Errorf("got %+v, %v; want an answer whose cause is the deadline", got, err)
	}
}
