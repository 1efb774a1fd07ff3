package sim_test

import (
	"testing"
	"time"

	"github.com/resgen-go/resgen/runtime/policy"
	"github.com/resgen-go/resgen/runtime/sim"
)

// shop is a target that takes 100 attempts in each second, answers in about 50 ms, and answers the rest with 503. The quiet tenant sends 20
// a second; the loud one, if it is there, ten times what the target takes.
func shop(loud bool) sim.Scenario {
	s := sim.Scenario{
		Name: "tenants", Length: 100 * time.Second,
		Clients: []sim.Client{{Name: "quiet", Rate: 20, Poisson: true}},
		Servers: []sim.Server{{
			Target: policy.PrimaryTarget, Capacity: 100, Latency: sim.Latency{Median: 50 * time.Millisecond, Sigma: 0.2},
		}},
	}
	if loud {
		s.Clients = append(s.Clients, sim.Client{Name: "loud", Rate: 1000, Poisson: true})
	}
	return s
}

// halves gives each tenant half of what the target takes, of which a tenth of a second may come at once.
func halves(p *policy.Plan) {
	p.Timeout = policy.Timeout{Attempt: time.Second, Total: 2 * time.Second}
	p.Limit = policy.LimitConfig{Requests: policy.Rate{Amount: 50, Per: time.Second}, Burst: 5, Per: policy.PerTenant}
}

// shared gives both tenants one limit.
func shared(p *policy.Plan) {
	halves(p)
	p.Limit.Requests.Amount, p.Limit.Per = 100, policy.PerAll
}

func quiet(r *sim.Report) *sim.ClientReport { return &r.Clients[0] }

func quietP99(r *sim.Report) float64 { return float64(quiet(r).Answered.P99) }

// TestALoudTenantLeavesAQuietOneAlone: with a share for each, what one tenant does is nothing to the other.
func TestALoudTenantLeavesAQuietOneAlone(t *testing.T) {
	t.Parallel()
	if brief() {
		t.Skip("a hundred thousand calls")
	}
	const runs = 5
	alone, beside := play(t, runs, shop(false), plain(halves)), play(t, runs, shop(true), plain(halves))
	for i := range beside {
		if q := quiet(&beside[i]); q.Rejected != 0 || q.OK != q.Calls {
			t.Errorf("seed %d: %d of %d calls answered, %d rejected\n%s", i, q.OK, q.Calls, q.Rejected, &beside[i])
		}
	}
	base := alone.of(quietP99)
	if m := median(beside.of(func(r *sim.Report) float64 { return quietP99(r) / base[r.Seed] })); m > 1.1 {
		t.Errorf("the p99 of the quiet tenant is %.2f times that of when it is alone", m)
	}
}

// TestALoudTenantTakesAllThatIsShared shows what the shares are for: with one limit for both, the quiet tenant gets next to nothing.
func TestALoudTenantTakesAllThatIsShared(t *testing.T) {
	t.Parallel()
	for _, r := range play(t, 2, shop(true), plain(shared)) {
		if q := quiet(&r); q.Rejected*2 < q.Calls {
			t.Errorf("seed %d: the scenario is too easy\n%s", r.Seed, &r)
		}
	}
}

// TestWhoWaitsInALineIsLeftTime: in a line that is always full, calls start as late as they may. What the limit lets through is answered all
// the same: nothing is sent that is given up before it can be answered.
func TestWhoWaitsInALineIsLeftTime(t *testing.T) {
	t.Parallel()
	if brief() {
		t.Skip("a hundred thousand calls")
	}
	for name, test := range map[string]struct {
		latency sim.Latency
		share   float64
	}{
		"steady":    {sim.Latency{Median: 50 * time.Millisecond, Sigma: 0.2}, 0.99},
		"scattered": {sim.Latency{Median: 50 * time.Millisecond, Sigma: 1}, 0.85},
		"a tail":    {sim.Latency{Median: 50 * time.Millisecond, Sigma: 0.2, SlowShare: 0.05, SlowFactor: 10}, 0.93},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := shop(true)
			s.Servers[0].Latency = test.latency
			r := run(t, s, plain(halves), 1)
			if loud := &r.Clients[1]; float64(loud.OK) < test.share*float64(loud.Attempts) {
				t.Errorf("%d attempts, %d answers; want %.0f %%\n%s", loud.Attempts, loud.OK, 100*test.share, &r)
			}
		})
	}
}
