package policy_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/resgen-go/resgen/runtime/policy"
)

func TestLatencyQuantiles(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(7, 8))
	var l policy.Latency
	if d, n := l.Quantile(0.5); d != 0 || n != 0 {
		t.Errorf("without samples: %v of %d", d, n)
	}
	samples := make([]time.Duration, 1000)
	for i := range samples {
		samples[i] = time.Duration(math.Exp(random.NormFloat64()) * float64(10*ms))
		l.Record(at(0), samples[i])
	}
	slices.Sort(samples)
	for _, q := range []float64{0, 0.01, 0.5, 0.9, 0.99, 1} {
		got, n := l.Quantile(q)
		want := samples[int(q*float64(len(samples)-1))]
		if ratio := float64(got) / float64(want); n != 1000 || ratio < 0.87 || ratio > 1.13 {
			t.Errorf("q%v = %v of %d samples, want about %v of 1000", q, got, n, want)
		}
	}
}

func TestLatencyExtremes(t *testing.T) {
	t.Parallel()
	var l policy.Latency
	for _, d := range []time.Duration{-5, 0} {
		l.Record(at(0), d)
	}
	if got, _ := l.Quantile(1); got != 0 {
		t.Errorf("nothing takes less than no time: %v", got)
	}
	l.Record(at(0), policy.Forever)
	if got, _ := l.Quantile(1); got < 2*time.Hour || got > 3*time.Hour {
		t.Errorf("the longest that is told apart is %v, want a little above two hours", got)
	}
	// Every width of duration falls into a bucket that is not far from it.
	for d := time.Microsecond; d < time.Hour; d = d*3/2 + 1 {
		var one policy.Latency
		one.Record(at(0), d)
		one.Record(at(0), d+d/100)
		if got, _ := one.Quantile(0.5); got < d*9/10 || got > d*11/10 {
			t.Errorf("%v is remembered as %v", d, got)
		}
	}
}

func TestLatencyAges(t *testing.T) {
	t.Parallel()
	var l policy.Latency
	for i := range 3000 {
		l.Record(at(time.Duration(i)*ms), 100*ms)
	}
	for i := range 2100 {
		l.Record(at(3*time.Second+time.Duration(i)*ms), 10*ms)
	}
	if got, _ := l.Quantile(0.99); got != 10*ms {
		t.Errorf("after newer samples p99 is %v, want 10ms", got)
	}
	if _, n := l.Quantile(0.5); n < 1000 || n > 2048 {
		t.Errorf("%d samples are kept, want one to two thousand", n)
	}
	// Few but regular samples replace old ones too.
	for i := range 400 {
		l.Record(at(time.Minute+time.Duration(i)*time.Second), time.Second)
	}
	if got, _ := l.Quantile(0.01); got != time.Second {
		t.Errorf("a sample a second: p1 is %v, want the new ones only", got)
	}
	// After a silence the past says nothing.
	l.Record(at(time.Hour), 2*time.Second)
	if got, n := l.Quantile(0.5); got != 2*time.Second || n != 1 {
		t.Errorf("after a silence: %v of %d", got, n)
	}
}

func TestT17_UsefulTime(t *testing.T) {
	t.Parallel()
	filled := func(d time.Duration) *policy.Latency {
		l := new(policy.Latency)
		l.Record(at(0), d)
		return l
	}
	tests := map[string]struct {
		latency *policy.Latency
		attempt time.Duration
		want    time.Duration
	}{
		"no samples: a tenth":      {new(policy.Latency), time.Second, 100 * ms},
		"no latency: a tenth":      {nil, time.Second, 100 * ms},
		"the median":               {filled(80 * ms), time.Second, 80 * ms},
		"at least 5 ms":            {filled(ms), time.Second, 5 * ms},
		"at most a quarter":        {filled(900 * ms), time.Second, 250 * ms},
		"a quarter of very little": {filled(ms), 8 * ms, 2 * ms},
		"no attempt timeout":       {filled(80 * ms), 0, 80 * ms},
		"nothing at all":           {nil, 0, 5 * ms},
	}
	for name, tt := range tests {
		if got := policy.UsefulTime(tt.latency, tt.attempt); got != tt.want {
			t.Errorf("%s: got %v, want %v", name, got, tt.want)
		}
	}
}
