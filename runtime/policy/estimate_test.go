package policy_test

import (
	"math"
	"testing"
	"time"

	"github.com/resgen-go/resgen/runtime/policy"
)

func TestEstimateBeforeAnythingIsKnown(t *testing.T) {
	t.Parallel()
	var e policy.Estimator
	for size, want := range map[policy.Size]policy.Cost{
		{}:                            {},
		{Bytes: 400}:                  {Input: 100},
		{Bytes: 401, MaxOutput: 4096}: {Input: 101, Output: 4096},
		{Bytes: -1, MaxOutput: -1}:    {},
	} {
		if got := e.Estimate(at(0), size); got != want {
			t.Errorf("%+v: %+v, want %+v", size, got, want)
		}
	}
}

func TestEstimateLearns(t *testing.T) {
	t.Parallel()
	var e policy.Estimator
	size := policy.Size{Bytes: 1000, MaxOutput: 4096}
	for i := range 100 {
		now := at(time.Duration(i) * time.Second)
		output := int64(100)
		if i%5 == 4 { // a fifth is long
			output = 1000
		}
		e.Observe(now, size, e.Estimate(now, size), policy.Usage{Input: 500, Output: output})
	}
	now := at(100 * time.Second)
	got := e.Estimate(now, size)
	if got.Input < 499 || got.Input > 501 || got.Output < 900 || got.Output > 1000 || !got.Guessed {
		t.Errorf("got %+v, want about 500 and the p90, 1000", got)
	}
	if got := e.Estimate(now, policy.Size{Bytes: 1000, MaxOutput: 50}); got.Output != 50 {
		t.Errorf("got %+v, want no more output than the request allows", got)
	}
	if got := e.Estimate(now, policy.Size{Bytes: 1000}); got.Output < 900 {
		t.Errorf("got %+v, want what was observed where the request allows anything", got)
	}
	s := e.Snapshot()
	if s.Observed != 100 || math.Abs(s.PerByte-0.5) > 0.001 || s.Output < 900 || s.Error < 0.2 || s.Error > 2 {
		t.Errorf("got %+v", s)
	}
	// What was long ago says nothing about now.
	if got := e.Estimate(at(time.Hour), size); got.Output != 4096 || got.Guessed {
		t.Errorf("got %+v after an hour, want all that the request allows", got)
	}
}

func TestEstimateIsNotLedAstray(t *testing.T) {
	t.Parallel()
	var e policy.Estimator
	size := policy.Size{Bytes: 100}
	for _, u := range []policy.Usage{
		{}, {Input: -5, Output: -5}, {Input: math.MaxInt64, Output: math.MaxInt64}, {Input: 1}, {Output: 1}, {Input: math.MinInt64, Output: 3},
	} {
		e.Observe(at(0), size, e.Estimate(at(0), size), u)
		got := e.Estimate(at(0), size)
		if got.Input < 1 || got.Input > 400 || got.Output < 0 {
			t.Errorf("after %+v: %+v", u, got)
		}
		if s := e.Snapshot(); math.IsNaN(s.Error) || math.IsInf(s.Error, 0) || s.Error < 0 {
			t.Errorf("after %+v: %+v", u, s)
		}
	}
}
