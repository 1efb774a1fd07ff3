package policy_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/resgen-go/resgen/runtime/policy"
)

// exercisePlan is a safe operation with a rung of each sort that an exercise tells apart.
func exercisePlan(change func(*policy.Plan)) *policy.Plan {
	failed := []policy.Kind{policy.KindTransient}
	p := &policy.Plan{
		Operation: "Ask", Idempotency: policy.Safe,
		Exercise: policy.ExerciseConfig{Share: 0.1},
		Fallback: policy.Fallback{Rungs: []policy.Rung{
			{Name: "eu", Sort: policy.RungTarget, Target: "eu", When: failed, Level: policy.Equal},
			{Name: "small", Sort: policy.RungPatch, When: failed, Level: policy.Reduced},
			{Name: "us", Sort: policy.RungTarget, Target: "us", When: failed, Level: policy.Equal},
			{Name: "remembered", Sort: policy.RungCache, When: failed, Level: policy.Stale},
			{Name: "sorry", Sort: policy.RungStatic, When: failed, Level: policy.Canned},
		}},
	}
	if change != nil {
		change(p)
	}
	return p
}

// exerciseStart is when the tests of exercises begin.
var exerciseStart = time.Unix(1_000_000, 0)

// picks returns what n calls in a row exercise, a minute apart.
func picks(x *policy.Exercise, n int, rungs []policy.Machines, req policy.Request, remembered bool) []int {
	var got []int
	for i := range n {
		got = append(got, x.Pick(exerciseStart.Add(time.Duration(i)*time.Minute), rungs, req, 0, remembered))
	}
	return got
}

func TestExerciseTakesTheRungsInTurn(t *testing.T) {
	t.Parallel()
	worst := policy.Request{Worst: policy.Canned}
	tests := []struct {
		name       string
		change     func(*policy.Plan)
		req        policy.Request
		remembered bool
		want       []int
	}{
		{"all that may be", nil, worst, true, []int{1, 2, 3, 4, 5, 1, 2}},
		{"without an answer that is remembered", nil, worst, false, []int{1, 2, 3, 5, 1, 2, 3}},
		{"named ones", func(p *policy.Plan) { p.Exercise.Rungs = []string{"sorry", "eu"} }, worst, true, []int{1, 5, 1, 5, 1, 5, 1}},
		{"served ones", func(p *policy.Plan) { p.Exercise.Mode = policy.ExerciseServe }, worst, true, []int{1, 3, 1, 3, 1, 3, 1}},
		{"a caller that wants nothing worse", nil, policy.Request{Worst: policy.Reduced}, true, []int{1, 2, 3, 1, 2, 3, 1}},
		{"a critical call", nil, policy.Request{Worst: policy.Canned, Criticality: policy.Critical}, true, []int{0, 0, 0, 0, 0, 0, 0}},
		{"a caller that wants no fallback", nil, policy.Request{Worst: policy.Canned, NoFallback: true}, true, []int{0, 0, 0, 0, 0, 0, 0}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			x := policy.NewExercise(exercisePlan(tt.change))
			got := picks(x, len(tt.want), make([]policy.Machines, 6), tt.req, tt.remembered)
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("rungs (-want +got):\n%s", diff)
			}
		})
	}
}

func TestExerciseIsOfNoOperationThatMustNotDoSo(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(*policy.Plan){
		"off":            func(p *policy.Plan) { p.Exercise = policy.ExerciseConfig{} },
		"keyed":          func(p *policy.Plan) { p.Idempotency = policy.Keyed },
		"none":           func(p *policy.Plan) { p.Idempotency = policy.None },
		"critical":       func(p *policy.Plan) { p.Criticality = policy.Critical },
		"refuse":         func(p *policy.Plan) { p.Fallback.Refuse = "money" },
		"no rung":        func(p *policy.Plan) { p.Fallback.Rungs = nil },
		"nothing equal":  func(p *policy.Plan) { p.Exercise.Mode = policy.ExerciseServe; p.Fallback.Rungs = p.Fallback.Rungs[1:2] },
		"unknown rungs":  func(p *policy.Plan) { p.Exercise.Rungs = []string{"nobody"} },
		"served statics": func(p *policy.Plan) { p.Exercise.Mode, p.Exercise.Rungs = policy.ExerciseServe, []string{"sorry"} },
	} {
		if policy.NewExercise(exercisePlan(change)) != nil {
			t.Errorf("%s: there is an exercise", name)
		}
	}
}

func TestExerciseIsOfAShareAndSpaced(t *testing.T) {
	t.Parallel()
	const perMinute = 6
	x := policy.NewExercise(exercisePlan(func(p *policy.Plan) { p.Exercise.MaxPerMinute = perMinute }))
	rungs, req := make([]policy.Machines, 6), policy.Request{Worst: policy.Canned}
	if got := x.Pick(exerciseStart, rungs, req, 0.1, true); got != 0 {
		t.Errorf("a draw at the share exercises rung %d", got)
	}
	taken := 0
	for second := range 120 {
		if x.Pick(exerciseStart.Add(time.Duration(second)*time.Second), rungs, req, 0.0999, true) != 0 {
			taken++
		}
	}
	if taken != 2*perMinute {
		t.Errorf("%d exercises in two minutes, want %d", taken, 2*perMinute)
	}
}

func TestExerciseOnlyWhileAllIsWell(t *testing.T) {
	t.Parallel()
	open := func() *policy.Breaker {
		b := policy.NewBreaker(policy.BreakerConfig{
			Mode: policy.BreakerOn, WindowCalls: 10, WindowAge: time.Minute, MinCalls: 10, FailureRate: 1, Consecutive: 1, OpenFor: time.Hour,
			OpenMax: time.Hour, Probes: 1, CloseAfter: 1,
		}, time.Second, nil)
		ticket, _ := b.Admit(exerciseStart)
		b.Report(exerciseStart, ticket, policy.Outcome{Verdict: policy.Failure})
		return b
	}
	spent := policy.NewBudget(policy.BudgetConfig{Ratio: 0.1})
	for spent.Withdraw(exerciseStart, policy.RetryCost) {
	}
	paused := policy.NewPause(time.Second)
	paused.Extend(exerciseStart, exerciseStart.Add(time.Hour), policy.KindThrottle)
	tests := []struct {
		name string
		set  func(m []policy.Machines)
		want []int
	}{
		{"the primary's breaker is open", func(m []policy.Machines) { m[0].Breaker = open() }, []int{0, 0, 0}},
		{"a rung's breaker is open", func(m []policy.Machines) { m[1].Breaker = open() }, []int{2, 3, 4}},
		{"the primary's budget is spent", func(m []policy.Machines) { m[0].Budget = spent }, []int{0, 0, 0}},
		{"a rung's budget is spent", func(m []policy.Machines) { m[2].Budget = spent }, []int{1, 3, 4}},
		{"the primary is paused", func(m []policy.Machines) { m[0].Pause = paused }, []int{0, 0, 0}},
		{"a rung's target is paused", func(m []policy.Machines) { m[3].Pause = paused }, []int{1, 2, 4}},
		{"a budget without bounds", func(m []policy.Machines) { m[0].Budget = policy.NewBudget(policy.BudgetConfig{}) }, []int{1, 2, 3}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			m := make([]policy.Machines, 6)
			tt.set(m)
			x := policy.NewExercise(exercisePlan(nil))
			if diff := cmp.Diff(tt.want, picks(x, len(tt.want), m, policy.Request{Worst: policy.Canned}, true)); diff != "" {
				t.Errorf("rungs (-want +got):\n%s", diff)
			}
		})
	}
}
