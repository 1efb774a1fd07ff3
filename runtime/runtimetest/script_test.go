package runtimetest_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/resgen-go/resgen/runtime"
	"github.com/resgen-go/resgen/runtime/policy"
	"github.com/resgen-go/resgen/runtime/runtimetest"
)

func TestStepsOfAScript(t *testing.T) {
	t.Parallel()
	fault := errors.New("fault")
	for name, c := range map[string]struct {
		step    runtimetest.Step[int]
		want    int
		err     error
		elapsed time.Duration
	}{
		"an answer":          {runtimetest.Step[int]{Value: 1}, 1, nil, 0},
		"a failure":          {runtimetest.Step[int]{Err: fault, After: time.Second}, 0, fault, time.Second},
		"cut short":          {runtimetest.Step[int]{Value: 1, After: time.Hour}, 0, context.DeadlineExceeded, time.Minute},
		"never":              {runtimetest.Step[int]{Hang: true}, 0, context.DeadlineExceeded, time.Minute},
		"deaf":               {runtimetest.Step[int]{Value: 1, After: time.Hour, Deaf: true}, 1, nil, time.Hour},
		"something else":     {runtimetest.Step[int]{Then: func(context.Context, runtime.Attempt) (int, error) { return 2, fault }}, 2, fault, 0},
		"nothing, by itself": {runtimetest.Step[int]{}, 0, nil, 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
				defer cancel()
				start := time.Now()
				got, err := runtimetest.Play(c.step).Run(ctx, runtime.Attempt{})
				if got != c.want || !errors.Is(err, c.err) || time.Since(start) != c.elapsed {
					t.Errorf("got %v, %v after %v; want %v, %v after %v", got, err, time.Since(start), c.want, c.err, c.elapsed)
				}
			})
		})
	}
}

func TestTheLastStepIsPlayedAgain(t *testing.T) {
	t.Parallel()
	s := runtimetest.Play(runtimetest.Step[int]{Value: 1}, runtimetest.Step[int]{Value: 2})
	var got []int
	for i := range 3 {
		v, _ := s.Run(t.Context(), runtime.Attempt{Number: i + 1})
		got = append(got, v)
	}
	if diff := cmp.Diff([]int{1, 2, 2}, got); diff != "" || len(s.Seen()) != 3 || s.Seen()[2].Number != 3 {
		t.Errorf("seen %v, answers (-want +got):\n%s", s.Seen(), diff)
	}
	if v, err := runtimetest.Play[int]().Run(t.Context(), runtime.Attempt{}); v != 0 || err != nil {
		t.Errorf("an empty script: %v, %v", v, err)
	}
}

func TestATraceSaysWhatHappenedWhen(t *testing.T) {
	t.Parallel()
	var r runtimetest.Recorder
	start := time.Now()
	for i, e := range []runtime.Event{
		{What: runtime.AttemptEnd, Attempt: 1, Kind: policy.KindReset},
		{What: runtime.RetryScheduled, Kind: policy.KindReset, Wait: time.Second},
		{What: runtime.BreakerChanged, From: "closed", To: "open"},
		{What: runtime.RungTaken, RungName: "eu", Kind: policy.KindReset},
	} {
		e.Time = start.Add(time.Duration(i) * time.Second)
		r.Observe(t.Context(), e)
	}
	want := `0s attempt end attempt=1 kind=reset
1s retry scheduled kind=reset wait=1s
2s breaker changed closed→open
3s rung taken rung=eu kind=reset
`
	if diff := cmp.Diff(want, r.Trace()); diff != "" {
		t.Errorf("trace (-want +got):\n%s", diff)
	}
	if got := len(r.Events(runtime.RungTaken, runtime.AttemptEnd)); got != 2 {
		t.Errorf("%d events of two kinds, want 2", got)
	}
	r.Reset()
	if r.Trace() != "" {
		t.Error("a trace after Reset")
	}
}
