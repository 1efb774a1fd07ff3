package policy_test

import (
	"testing"
	"time"

	"github.com/resgen-go/resgen/runtime/policy"
)

// hotPaths are the calls that every attempt makes, each as a function of a counter that stands for time.
func hotPaths() map[string]func(i int) {
	recommended := policy.Recommended(false)
	start, second := at(0), at(time.Second)
	now := func(i int) time.Time { return start.Add(time.Duration(i) * time.Microsecond) }
	closed := policy.NewBreaker(recommended.Breaker, time.Second, constant(0))
	fixed := recommended.Breaker
	fixed.SlowCall = time.Second
	unlearned := policy.NewBreaker(fixed, time.Second, constant(0))
	open := policy.NewBreaker(recommended.Breaker, time.Second, constant(0))
	for range recommended.Breaker.Consecutive {
		t, _ := open.Admit(at(0))
		open.Report(at(0), t, policy.Outcome{Verdict: policy.Failure})
	}
	open.RaiseOpen(at(0), at(24*time.Hour))
	bulkhead := policy.NewBulkhead(recommended.Bulkhead)
	adaptive := policy.NewBulkhead(policy.BulkheadConfig{MaxConcurrent: 64, Per: policy.PerTenant, Adaptive: true})
	throttle := policy.NewThrottle(recommended.Shed, constant(0))
	budget := policy.NewBudget(recommended.Budget)
	pause := policy.NewPause(0)
	latency := new(policy.Latency)
	guard, epoch := policy.NewGuard(), now(0)
	target := &policy.Machines{
		Breaker:  policy.NewBreaker(recommended.Breaker, time.Second, constant(0)).Under(guard),
		Bulkhead: policy.NewBulkhead(recommended.Bulkhead).Under(guard), Latency: new(policy.Latency).Under(guard),
		Budget: policy.NewBudget(recommended.Budget), Pause: policy.NewPause(0),
		Limit: policy.NewLimiter(policy.LimitConfig{Requests: policy.Rate{Amount: 1 << 30, Per: time.Second}}),
	}
	success := policy.Outcome{Verdict: policy.Success, InFlight: 20 * ms}
	return map[string]func(i int){
		"breaker": func(i int) {
			t, _ := closed.Admit(now(i))
			closed.Report(now(i), t, success)
		},
		"breaker with a given threshold": func(i int) {
			t, _ := unlearned.Admit(now(i))
			unlearned.Report(now(i), t, success)
		},
		"peek":         func(i int) { closed.Peek(now(i)) },
		"open breaker": func(int) { open.Admit(second) },
		"bulkhead": func(i int) {
			p, _ := bulkhead.Acquire(now(i), policy.Claim{MayWait: true})
			bulkhead.Release(now(i), p, success)
		},
		"adaptive bulkhead of tenants": func(i int) {
			p, _ := adaptive.Acquire(now(i), policy.Claim{Tenant: "acme", MayWait: true})
			adaptive.Release(now(i), p, success)
		},
		"throttle": func(i int) {
			p, _ := throttle.Admit(now(i), policy.Normal)
			throttle.End(now(i), p, policy.KindNone)
		},
		"budget": func(i int) { budget.Deposit(now(i)) },
		"pause":  func(i int) { pause.Admit(now(i)) },
		"straight call": func(i int) {
			var s policy.Straight
			if s.Enter(&epoch, now(i).Sub(epoch), 0, &recommended, target, &policy.Claim{}) {
				s.Answer(20*ms, policy.Usage{}, 0)
			}
		},
		"latency": func(i int) { latency.Record(now(i), 20*ms) },
	}
}

// T73: the happy path allocates nothing.
func TestT73_HotPathsDoNotAllocate(t *testing.T) { //nolint:paralleltest // AllocsPerRun counts what others allocate too
	for name, run := range hotPaths() {
		i := 0
		if got := testing.AllocsPerRun(1000, func() { i++; run(i) }); got != 0 {
			t.Errorf("%s: %v allocations, want none", name, got)
		}
	}
}

func BenchmarkHotPaths(b *testing.B) {
	for name, run := range hotPaths() {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			i := 0
			for b.Loop() {
				i++
				run(i)
			}
		})
	}
}

// BenchmarkBreakerContended is Admit and Report from all processors at once.
func BenchmarkBreakerContended(b *testing.B) {
	breaker := policy.NewBreaker(policy.Recommended(false).Breaker, time.Second, constant(0))
	success := policy.Outcome{Verdict: policy.Success, InFlight: 20 * ms}
	now := at(0)
	b.ReportAllocs()
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			t, _ := breaker.Admit(now)
			breaker.Report(now, t, success)
		}
	})
}
