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

// Clients of one name at two addresses have machines of their own; a snapshot shows them in the order in which they were made.
func TestSnapshotOfTwoAddresses(t *testing.T) {
	t.Parallel()
	for range 20 {
		g := still()
		p := plan(withBreaker(1))
		for i, address := range []string{"https://a", "https://b", "https://c"} {
			op, err := runtime.NewOperation(g, "llm", p, runtime.Wiring{Endpoints: map[string]string{"primary": address}})
			if err != nil {
				t.Fatal(err)
			}
			if i == 1 {
				trip(t, op)
			}
		}
		var got []policy.State
		for _, m := range g.Snapshot() {
			got = append(got, m.Breaker.State)
		}
		if diff := cmp.Diff([]policy.State{policy.StateClosed, policy.StateOpen, policy.StateClosed}, got); diff != "" {
			t.Fatalf("states (-want +got):\n%s", diff)
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
