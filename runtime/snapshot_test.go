package runtime_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

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

// A snapshot says what the plans are: of each operation its times, and of each budget what it is given.
func TestSnapshotShowsWhatPlansSay(t *testing.T) {
	t.Parallel()
	g := still()
	want := map[string]time.Duration{"Chat": 4 * time.Hour, "List": 3 * time.Hour}
	for name, total := range want {
		operationIn(t, g, plan(twoTargets, ladder(other("eu")), func(p *policy.Plan) {
			p.Operation, p.Budget = name, policy.BudgetConfig{Ratio: 0.2, MinPerSecond: 1}
			p.Timeout.Total = total
		}), nil)
	}
	totals, ratios := map[string]time.Duration{}, map[string]float64{}
	for _, m := range g.Snapshot() {
		for operation, timeout := range m.Timeouts {
			totals[operation] = timeout.Total
		}
		ratios[m.Target] = m.BudgetRule.Ratio
	}
	if diff := cmp.Diff(want, totals); diff != "" {
		t.Errorf("times (-want +got):\n%s", diff)
	}
	if ratios["primary"] != 0.2 {
		t.Errorf("ratios of budgets: %v", ratios)
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

// A snapshot says since when a breaker and a pause are what they are, and how full a budget can be.
func TestSnapshotSaysSinceWhen(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		g := still()
		op := operationIn(t, g, plan(withBreaker(2), func(p *policy.Plan) {
			p.Retry.RetryAfterMax, p.Budget = time.Minute, policy.BudgetConfig{Ratio: 0.1}
		}), nil)
		started := time.Now()
		check := func(what string, since, tripped, paused time.Duration) {
			t.Helper()
			m := g.Snapshot()[0]
			for name, got := range map[string]struct {
				at   time.Time
				want time.Duration
			}{"since": {m.Breaker.Since, since}, "tripped": {m.Breaker.Tripped, tripped}, "paused": {m.PausedSince, paused}} {
				if is := got.at.Sub(started); got.want < 0 && !got.at.IsZero() || got.want >= 0 && is != got.want {
					t.Errorf("%s: %s %v after the start, want %v", what, name, is, got.want)
				}
			}
		}
		check("never called", -1, -1, -1)
		trip(t, op)
		sleep(time.Second)
		trip(t, op)
		check("open", time.Second, time.Second, -1)
		sleep(10 * time.Second)
		if _, err := runtime.Do(t.Context(), op, answer); err != nil {
			t.Fatal(err)
		}
		check("closed again", 11*time.Second, time.Second, -1)
		if _, err := runtime.Do(t.Context(), op, play(step{Err: status(429, "Retry-After", "20")}).Run); err == nil {
			t.Fatal("a 429 is no answer")
		}
		check("paused", 11*time.Second, time.Second, 11*time.Second)
		sleep(21 * time.Second)
		check("the pause is over", 11*time.Second, time.Second, -1)
		if m := g.Snapshot()[0]; m.Budget != 10 || m.BudgetMost != 10 {
			t.Errorf("a budget of %v of %v, want 10 of 10", m.Budget, m.BudgetMost)
		}
	})
}

// Operations that share a breaker, but not a limit, have rows of their own: the second says that it repeats the breaker.
func TestSnapshotSaysWhatIsShared(t *testing.T) {
	t.Parallel()
	g := still()
	for name, limited := range map[string]bool{"Chat": true, "List": false, "Own": false} {
		operationIn(t, g, plan(withBreaker(2), func(p *policy.Plan) {
			p.Operation = name
			p.Bulkhead = policy.BulkheadConfig{MaxConcurrent: 4, MaxQueue: 4, MaxWait: time.Second}
			if limited {
				p.Limit.Requests, p.Limit.Burst = policy.Rate{Amount: 10, Per: time.Second}, 10
			}
			if name == "Own" {
				p.Bulkhead.Scope, p.Breaker.Scope = policy.ScopeOperation, policy.ScopeOperation
			}
		}), nil)
	}
	var got []string
	for _, m := range g.Snapshot() {
		got = append(got, fmt.Sprint(m.Operations, m.OwnBreaker, m.OwnBulkhead, m.Repeats.Breaker, m.Repeats.Limit, m.Repeats.Bulkhead))
	}
	want := []string{"[Chat] false false false false false", "[List] false false true false true", "[Own] true true false false false"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("rows (-want +got):\n%s", diff)
	}
}
