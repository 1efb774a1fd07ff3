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

// TestWindowsFailSafe asks for long requests after answers to others: what those came to must not let one through that is too long.
func TestWindowsFailSafe(t *testing.T) {
	t.Parallel()
	type seen struct {
		bytes, tokens int
		times         int
	}
	for name, tt := range map[string]struct {
		before []seen
		bytes  int
		want   int64 // tokens that the request is taken for
	}{
		"nothing is known":                       {nil, 40_000, 10_000},
		"one short answer":                       {[]seen{{60, 5, 1}}, 40_000, 10_000},
		"many short answers":                     {[]seen{{60, 5, 1000}}, 40_000, 10_000},
		"many short answers, and a short one":    {[]seen{{60, 6, 1000}}, 60, 6},
		"a long one, as text is":                 {[]seen{{50_000, 10_000, 1}}, 40_000, 8_000},
		"a long one, and a much longer one":      {[]seen{{50_000, 10_000, 1}}, 400_000, 100_000},
		"a long one, long ago":                   {[]seen{{50_000, 5_000, 1}, {60, 15, 1000}}, 40_000, 10_000},
		"text of more tokens than is usual":      {[]seen{{60, 60, 1}}, 40_000, 40_000},
		"a long one says more than short ones":   {[]seen{{60, 60, 5}, {50_000, 10_000, 1}, {60, 60, 1}}, 40_000, 8_184},
		"one answer with images, of four a byte": {[]seen{{100, 5_000, 1}}, 1000, 4000},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			e := new(policy.Estimator)
			for _, s := range tt.before {
				for range s.times {
					e.Observe(at(0), policy.Size{Bytes: s.bytes}, policy.Cost{}, policy.Usage{Input: int64(s.tokens), Output: 1})
				}
			}
			misfits := policy.Misfits([]policy.Fit{{MaxInput: 1}}, []policy.Machines{{Estimate: e}}, policy.Size{Bytes: tt.bytes}, nil)
			if len(misfits) != 1 || misfits[0].Input != tt.want {
				t.Errorf("%+v, want %d tokens", misfits, tt.want)
			}
		})
	}
}
