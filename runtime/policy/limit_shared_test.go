package policy_test

import (
	"testing"
	"time"

	"github.com/resgen-go/resgen/runtime/policy"
)

// minutely is a limit of so many requests in a minute.
func minutely(amount float64, burst int) policy.LimitConfig {
	return policy.LimitConfig{Requests: policy.Rate{Amount: amount, Per: time.Minute}, Burst: burst, Shared: "all", Replicas: 3}
}

// greedy has the callers of all replicas want more than there is, for some minutes.
func greedy(f *fleet, callers int) {
	for _, r := range f.replicas {
		r.crowd(callers, policy.Cost{}, policy.Usage{})
	}
}

func TestReplicasKeepALimitWithoutALease(t *testing.T) {
	t.Parallel()
	for _, replicas := range []int{1, 2, 3, 7} {
		f := newFleet(t, replicas, minutely(60, 1))
		greedy(f, 5)
		f.until(5 * time.Minute)
		least, most := f.windows(0, 5*time.Minute, time.Minute, ofCalls)
		if least < 58 || most > 62 {
			t.Errorf("%d replicas: between %.0f and %.0f in a minute, want 60 ± 2", replicas, least, most)
		}
		t.Log(replicas, least, most, f.asked)
	}
}

func TestReplicasKeepALimitWithLeases(t *testing.T) {
	t.Parallel()
	const limit, burst, replicas = 6000, 100, 3
	f := newFleet(t, replicas, minutely(limit, 0))
	greedy(f, 60)
	f.until(3 * time.Minute)
	least, most := f.windows(0, 3*time.Minute, time.Minute, ofCalls)
	const lease = 10 / replicas // of a tenth of a second
	if least < limit*0.98 || most > limit+burst+replicas*lease {
		t.Errorf("between %.0f and %.0f in a minute, want about %d, at most %d", least, most, limit, limit+burst+replicas*lease)
	}
	t.Log(least, most, f.asked)
	if f.asked > len(f.granted)/2 {
		t.Errorf("the store was asked %d times for %d calls: leases save nothing", f.asked, len(f.granted))
	}
}

func TestReplicasShareTokens(t *testing.T) {
	t.Parallel()
	cfg := policy.LimitConfig{Tokens: policy.Rate{Amount: 30_000, Per: time.Minute}, Shared: "all"}
	f := newFleet(t, 3, cfg)
	for i, r := range f.replicas {
		r.crowd(5, policy.Cost{Input: 200, Output: 2000}, policy.Usage{Input: 200, Output: int64(100 * (i + 1))})
	}
	f.until(10 * time.Minute)
	least, most := f.windows(2*time.Minute, 10*time.Minute, time.Minute, ofTokens)
	t.Log(least, most, f.asked, len(f.granted))
	if least < 28_000 || most > 33_000 {
		t.Errorf("between %.0f and %.0f tokens in a minute, want 30000", least, most)
	}
}

func TestReplicasGoOnAloneWhenTheStoreIsGone(t *testing.T) {
	t.Parallel()
	const limit, burst, replicas = 600, 10, 3
	f := newFleet(t, replicas, minutely(limit, burst))
	f.fault = func(*replica) bool { return f.now > 2*time.Minute && f.now < 5*time.Minute }
	greedy(f, 30)
	f.until(8 * time.Minute)
	for _, span := range []struct {
		name     string
		from, to time.Duration
		least    float64
		most     float64
	}{
		{"before", 0, 2 * time.Minute, limit * 0.98, limit + burst + replicas},
		{"while it is gone", 2*time.Minute + time.Second, 5 * time.Minute, limit * 0.97, limit + burst},
		{"after", 5*time.Minute + time.Second, 8 * time.Minute, limit * 0.97, limit + burst + replicas},
		{"all the time", 0, 8 * time.Minute, limit * 0.97, limit + 2*burst + replicas},
	} {
		least, most := f.windows(span.from, span.to, time.Minute, ofCalls)
		t.Log(span.name, least, most)
		if least < span.least || most > span.most {
			t.Errorf("%s: between %.0f and %.0f in a minute, want between %.0f and %.0f", span.name, least, most, span.least, span.most)
		}
	}
	t.Log(f.asked, f.failed)
}

// A replica that dies takes with it what it had on lease, and counts for a minute more; then the others have all of the limit.
func TestAReplicaThatDiesTakesItsLeaseAlone(t *testing.T) {
	t.Parallel()
	const limit, burst, replicas = 6000, 100, 3
	f := newFleet(t, replicas, minutely(limit, 0))
	greedy(f, 60)
	f.after(2*time.Minute, func() { f.replicas[0].dead = true })
	f.until(6 * time.Minute)
	least, most := f.windows(0, 6*time.Minute, time.Minute, ofCalls)
	t.Log(least, most)
	if least < limit*0.97 || most > limit+burst+replicas*10 {
		t.Errorf("between %.0f and %.0f in a minute, want about %d", least, most, limit)
	}
}

// A replica that alone is cut off has its part beside what the others use, and no more.
func TestAReplicaThatIsCutOffHasItsPart(t *testing.T) {
	t.Parallel()
	const limit, burst, replicas = 600, 10, 3
	f := newFleet(t, replicas, minutely(limit, burst))
	f.fault = func(r *replica) bool { return r == f.replicas[0] && f.now > 2*time.Minute }
	greedy(f, 30)
	f.until(6 * time.Minute)
	least, most := f.windows(2*time.Minute+time.Second, 6*time.Minute, time.Minute, ofCalls)
	t.Log(least, most)
	if least < limit*0.97 || most > limit+limit/replicas+2*burst+replicas {
		t.Errorf("between %.0f and %.0f in a minute, want at most %d, and the part of one", least, most, limit)
	}
}
