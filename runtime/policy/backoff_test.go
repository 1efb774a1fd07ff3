package policy_test

import (
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/resgen-go/resgen/runtime/policy"
)

const ms = time.Millisecond

func TestBackoffWaits(t *testing.T) {
	t.Parallel()
	base := policy.Backoff{Base: 100 * ms, Max: 2 * time.Second, Multiplier: 2}
	with := func(change func(*policy.Backoff)) policy.Backoff {
		b := base
		change(&b)
		return b
	}
	none := with(func(b *policy.Backoff) { b.Jitter = policy.NoJitter })
	equal := with(func(b *policy.Backoff) { b.Jitter = policy.EqualJitter })
	decorrelated := with(func(b *policy.Backoff) { b.Jitter = policy.DecorrelatedJitter })
	tests := []struct {
		name    string
		backoff policy.Backoff
		rand    float64
		want    []time.Duration
	}{
		{"without jitter", none, 0.9, []time.Duration{100 * ms, 200 * ms, 400 * ms, 800 * ms, 1600 * ms, 2000 * ms, 2000 * ms}},
		{"full, least", base, 0, []time.Duration{0, 0, 0, 0, 0, 0, 0}},
		{"full, half", base, 0.5, []time.Duration{50 * ms, 100 * ms, 200 * ms, 400 * ms, 800 * ms, 1000 * ms, 1000 * ms}},
		{"equal, least", equal, 0, []time.Duration{50 * ms, 100 * ms, 200 * ms, 400 * ms, 800 * ms, 1000 * ms, 1000 * ms}},
		{"equal, most", equal, 1, []time.Duration{100 * ms, 200 * ms, 400 * ms, 800 * ms, 1600 * ms, 2000 * ms, 2000 * ms}},
		{"decorrelated, least", decorrelated, 0, []time.Duration{100 * ms, 100 * ms, 100 * ms, 100 * ms, 100 * ms, 100 * ms, 100 * ms}},
		{"decorrelated, most", decorrelated, 1, []time.Duration{300 * ms, 900 * ms, 2000 * ms, 2000 * ms, 2000 * ms, 2000 * ms, 2000 * ms}},
		{
			"a multiplier of 0 is 2", with(func(b *policy.Backoff) { b.Multiplier, b.Jitter = 0, policy.NoJitter }), 0,
			[]time.Duration{100 * ms, 200 * ms, 400 * ms, 800 * ms, 1600 * ms, 2000 * ms, 2000 * ms},
		},
		{"a cap below the base", with(func(b *policy.Backoff) { b.Max, b.Jitter = ms, policy.NoJitter }), 0, []time.Duration{ms, ms, ms}},
		{"nothing", policy.Backoff{}, 1, []time.Duration{0, 0, 0, 0, 0, 0, 0}},
		{"an unknown jitter is full", with(func(b *policy.Backoff) { b.Jitter = 99 }), 0, []time.Duration{0, 0, 0, 0, 0, 0, 0}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			var got []time.Duration
			prev := time.Duration(0)
			for retry := range tt.want {
				prev = tt.backoff.Wait(retry+1, prev, constant(tt.rand))
				got = append(got, prev)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("waits (-want +got):\n%s", diff)
			}
		})
	}
}

func TestT22_BackoffDoesNotOverflow(t *testing.T) {
	t.Parallel()
	for _, jitter := range []policy.Jitter{policy.FullJitter, policy.EqualJitter, policy.DecorrelatedJitter, policy.NoJitter} {
		for _, most := range []time.Duration{0, 5 * ms, policy.Forever} {
			for _, multiplier := range []float64{0, 1, 2, 1e300, math.Inf(1), math.NaN(), -1} {
				b := policy.Backoff{Base: ms, Max: most, Multiplier: multiplier, Jitter: jitter}
				prev := time.Duration(0)
				for _, retry := range []int{-1, 0, 1, 2, 62, 63, 64, 79, 1 << 20, math.MaxInt} {
					prev = b.Wait(retry, prev, constant(1))
					if prev < 0 || most > 0 && prev > most {
						t.Fatalf("%+v: retry %d waits %v", b, retry, prev)
					}
				}
				if got := b.Wait(1, policy.Forever, constant(1)); got < 0 {
					t.Fatalf("%+v: %v after the longest wait", b, got)
				}
			}
		}
	}
	// C017: late retries still wait.
	b := policy.Backoff{Base: ms, Max: 5 * ms}
	if got := b.Wait(79, 0, constant(0.5)); got != 2500*time.Microsecond {
		t.Errorf("retry 79 waits %v, want half of the cap", got)
	}
}

func TestT23_JitterStaysBelowTheCap(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(3, 4))
	for _, jitter := range []policy.Jitter{policy.FullJitter, policy.EqualJitter, policy.DecorrelatedJitter, policy.NoJitter} {
		b := policy.Backoff{Base: 100 * ms, Max: time.Second, Multiplier: 3, Jitter: jitter}
		prev, atCap := time.Duration(0), 0
		for i := range 1000 {
			prev = b.Wait(i%7+1, prev, random.Float64)
			if prev > b.Max || prev < 0 {
				t.Fatalf("%v: waits %v, the cap is %v", jitter, prev, b.Max)
			}
			if prev == b.Max {
				atCap++
			}
		}
		if jitter != policy.NoJitter && atCap > 10 {
			t.Errorf("%v: %d of 1000 waits are exactly the cap: those callers return together", jitter, atCap)
		}
	}
}

// The source of randomness is given, and one that misbehaves does no harm.
func TestT24_RandomnessIsGiven(t *testing.T) {
	t.Parallel()
	b := policy.Backoff{Base: 100 * ms, Max: time.Second}
	for r, want := range map[float64]time.Duration{-5: 0, 7: 100 * ms} {
		if got := b.Wait(1, 0, constant(r)); got != want {
			t.Errorf("with a random number of %v the wait is %v, want %v", r, got, want)
		}
	}
	if got := b.Wait(1, 0, nil); got != 100*ms {
		t.Errorf("without randomness the wait is %v, want all of it", got)
	}
}

func TestT20_JitterOnRetryAfterIsUpward(t *testing.T) {
	t.Parallel()
	tests := []struct {
		wait time.Duration
		rand float64
		want time.Duration
	}{
		{time.Second, 0, time.Second},
		{time.Second, 0.5, 1050 * ms},
		{time.Second, 1, 1100 * ms},
		{time.Second, -3, time.Second},
		{0, 1, 0},
		{-time.Second, 1, 0},
		{policy.Forever, 1, policy.Forever},
		{policy.Forever - 5, 0.5, policy.Forever},
	}
	for _, tt := range tests {
		if got := policy.UpwardJitter(tt.wait, constant(tt.rand)); got != tt.want {
			t.Errorf("UpwardJitter(%v) with %v = %v, want %v", tt.wait, tt.rand, got, tt.want)
		}
	}
	if got := policy.UpwardJitter(time.Second, nil); got != time.Second {
		t.Errorf("without randomness: %v", got)
	}
}
