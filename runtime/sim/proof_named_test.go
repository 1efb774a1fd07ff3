package sim_test

import (
	"testing"
	"time"

	"github.com/resgen-go/resgen/runtime/policy"
	"github.com/resgen-go/resgen/runtime/sim"
)

// recommended is `use: recommended` for a safe operation whose attempts have 1 s.
func recommended() policy.Plan {
	p := policy.Recommended(false)
	p.Operation, p.Idempotency, p.Retry.On = "Get", policy.Safe, policy.RetryOn(policy.Safe)
	p.Timeout = policy.Timeout{Attempt: time.Second, Total: 10 * time.Second}
	return p
}

// naive is three attempts without anything else.
func naive() policy.Plan {
	return plain(func(p *policy.Plan) {
		p.Timeout = policy.Timeout{Attempt: time.Second, Total: 10 * time.Second}
		p.Retry = policy.Retry{Attempts: 3, On: policy.RetryOn(policy.Safe)}
	})
}

// TestScenariosTellPlansApart: in each scenario that harms the naive, what is recommended harms neither the target nor the callers more than
// the scenario itself does.
func TestScenariosTellPlansApart(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		scenario sim.Scenario
		harmed   func(naive *sim.Report) bool
		guarded  func(r *sim.Report) bool
	}{
		{
			sim.Outage(15*time.Second, true),
			func(r *sim.Report) bool { return r.OKPercent() < 30 && r.LoadAfter > 2 }, // it does not recover
			func(r *sim.Report) bool { return r.OKPercent() > 60 && r.Amplification < 0.25 && r.LoadAfter < 1.2 },
		},
		{
			sim.SlowRecovery(),
			func(r *sim.Report) bool { return r.OKPercent() < 30 && r.LoadAfter > 2 },
			func(r *sim.Report) bool { return r.OKPercent() > 45 && r.LoadAfter < 0.5 },
		},
		{
			sim.Brownout(),
			func(r *sim.Report) bool { return r.Amplification > 1.3 },
			func(r *sim.Report) bool { return r.OKPercent() > 80 && r.Amplification < 1.2 },
		},
		{
			sim.RateLimited(),
			func(r *sim.Report) bool { return r.Failures["throttle"] > 1000 },
			func(r *sim.Report) bool { return r.OKPercent() > 75 && r.Pauses > 0 && r.Failures["throttle"] < 300 },
		},
	} {
		t.Run(test.scenario.Name, func(t *testing.T) {
			t.Parallel()
			bad, good := run(t, test.scenario, naive(), 1), run(t, test.scenario, recommended(), 1)
			if !test.harmed(&bad) {
				t.Errorf("the scenario is too easy for the naive\n%s", &bad)
			}
			if !test.guarded(&good) {
				t.Errorf("what is recommended does not help\n%s", &good)
			}
		})
	}
}
