package policy_test

import (
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/resgen-go/resgen/runtime/policy"
)

// consecutive is a breaker that opens after n failures in a row, for five seconds.
func consecutive(n int) policy.BreakerConfig {
	return policy.BreakerConfig{
		Mode: policy.BreakerOn, WindowCalls: 20, WindowAge: 10 * time.Second, MinCalls: 20, FailureRate: 0.5, Consecutive: n,
		SlowRate: 0.8, SlowCall: time.Second, OpenFor: 5 * time.Second, OpenMax: 15 * time.Second, Probes: 3, CloseAfter: 3,
	}
}

func TestT01_ThreeWayOutcome(t *testing.T) {
	t.Parallel()
	verdicts := map[policy.Kind]policy.Verdict{
		policy.KindNone: policy.Success, policy.KindThrottle: policy.Neutral, policy.KindTransient: policy.Failure,
		policy.KindTimeout: policy.Failure, policy.KindConnect: policy.Failure, policy.KindReset: policy.Failure,
		policy.KindDecode: policy.Failure, policy.KindUnusable: policy.Failure, policy.KindCaller: policy.Answered,
		policy.KindRefused: policy.Answered, policy.KindContextTooLong: policy.Answered, policy.KindBreakerOpen: policy.Neutral,
		policy.KindBulkheadFull: policy.Neutral, policy.KindRateLimited: policy.Neutral, policy.KindShed: policy.Neutral,
		policy.KindBudget: policy.Neutral, policy.KindUnfit: policy.Neutral, policy.KindDeadline: policy.Neutral,
		policy.KindCanceled: policy.Neutral, policy.KindPermanent: policy.Failure,
	}
	for _, k := range policy.Kinds() {
		if got := policy.VerdictOf(k); got != verdicts[k] {
			t.Errorf("VerdictOf(%v) = %v, want %v", k, got, verdicts[k])
		}
	}
	runBreaker(t, consecutive(3), time.Minute, ``+
		repeat(2, "0s", "failure", "nothing")+
		// Neither the caller's end nor a local rejection is evidence, nor does it wipe any out.
		repeat(50, "1s", "neutral", "nothing")+
		// A right answer to a wrong request fills the window and does not wipe failures out either.
		repeat(5, "1s", "answered", "nothing")+`
		1s state -> closed 7/2/0
		1s admit x -> ok
		1s report x failure -> [closed>open at 1s until 6s 8/3/0]`)
	runBreaker(t, consecutive(3), time.Minute, repeat(2, "0s", "failure", "nothing")+repeat(1, "0s", "success", "nothing")+
		repeat(2, "0s", "failure", "nothing")+`
		0s state -> closed 5/4/0`)
}

func TestT03_NeutralFreesTheSlot(t *testing.T) {
	t.Parallel()
	runBreaker(t, consecutive(1), time.Minute, `
		0s admit a -> ok
		0s report a failure -> [closed>open at 0s until 5s 1/1/0]
		5s admit p1 -> ok probe [open>half-open at 5s 1/1/0]
		5s admit p2 -> ok probe
		5s admit p3 -> ok probe
		5s admit p4 -> no, not before 5s: breaker half-open, all probes out (1 of 1 calls failed)
		5.1s report p1 neutral -> nothing
		5.1s state -> half-open 0/0/0
		5.1s admit p5 -> ok probe
		5.1s admit p6 -> no, not before 5s: breaker half-open, all probes out (1 of 1 calls failed)
		# A right answer to a wrong request is a good result: the target works.
		5.2s report p2 answered -> nothing
		5.2s report p3 answered -> nothing
		5.2s report p5 answered -> [half-open>closed at 5.2s 3/0/0]`)
}

func TestT04_LeaseAndIdempotentReport(t *testing.T) {
	t.Parallel()
	cfg := consecutive(1)
	cfg.Probes, cfg.CloseAfter = 1, 1
	t.Run("a lost probe gives its slot back when its lease ends", func(t *testing.T) {
		t.Parallel()
		runBreaker(t, cfg, time.Minute, `
		0s admit a -> ok
		0s report a failure -> [closed>open at 0s until 5s 1/1/0]
		5s admit lost -> ok probe [open>half-open at 5s 1/1/0]
		14.999s admit b -> no, not before 5s: breaker half-open, all probes out (1 of 1 calls failed)
		# The lease ended at 15 s, whenever that is noticed: the open time counts from there.
		15.5s admit b -> no, not before 20s: breaker open (1 of 1 calls failed) [half-open>open at 15s until 20s 1/1/0]
		20s admit c -> ok probe [open>half-open at 20s 1/1/0]
		# The lost probe comes back and is not heard.
		20s report lost success -> nothing
		20s report lost failure -> nothing
		20.1s report c success -> [half-open>closed at 20.1s 1/0/0]`)
	})
	t.Run("a long silence is both steps at once", func(t *testing.T) {
		t.Parallel()
		runBreaker(t, cfg, time.Minute, `
		0s admit a -> ok
		0s report a failure -> [closed>open at 0s until 5s 1/1/0]
		5s admit lost -> ok probe [open>half-open at 5s 1/1/0]
		1h admit b -> ok probe [half-open>open at 15s until 20s 1/1/0] [open>half-open at 1h0m0s 1/1/0]`)
	})
	t.Run("no lease outlasts the attempt timeout", func(t *testing.T) {
		t.Parallel()
		runBreaker(t, cfg, 2*time.Second, `
		0s admit a -> ok
		0s report a failure -> [closed>open at 0s until 5s 1/1/0]
		5s admit lost -> ok probe [open>half-open at 5s 1/1/0]
		6.999s peek -> open until 5s
		7s peek -> open until 12s
		12s peek -> closed
		7s admit b -> no, not before 12s: breaker open (1 of 1 calls failed) [half-open>open at 7s until 12s 1/1/0]`)
	})
	t.Run("a result at the very end of its lease is in time", func(t *testing.T) {
		t.Parallel()
		runBreaker(t, cfg, 2*time.Second, `
		0s admit a -> ok
		0s report a failure -> [closed>open at 0s until 5s 1/1/0]
		5s admit p -> ok probe [open>half-open at 5s 1/1/0]
		7s report p success -> [half-open>closed at 7s 1/0/1]`)
	})
	t.Run("a second report is none", func(t *testing.T) {
		t.Parallel()
		runBreaker(t, consecutive(2), time.Minute, `
		0s admit a -> ok
		0s report a failure -> nothing
		0s report a failure -> nothing
		0s admit b -> ok
		0s report a failure -> nothing
		0s state -> closed 1/1/0`)
	})
}

// A target whose healthy answers take 20 s must be able to close its breaker: a lease of 10 s would judge every probe a failure.
func TestT04_LeaseOutlastsTheProbe(t *testing.T) {
	t.Parallel()
	cfg := consecutive(1)
	cfg.SlowCall = 0
	runBreaker(t, cfg, time.Minute, `
		0s admit a -> ok
		0s report a failure -> [closed>open at 0s until 5s 1/1/0]
		5s admit p1 -> ok probe [open>half-open at 5s 1/1/0]
		5s admit p2 -> ok probe
		5s admit p3 -> ok probe
		20s admit q -> no, not before 5s: breaker half-open, all probes out (1 of 1 calls failed)
		25s report p1 success -> nothing
		25s report p2 success -> nothing
		25s report p3 success -> [half-open>closed at 25s 3/0/0]`)
	b := policy.NewBreaker(cfg, time.Minute, nil)
	if got := b.ProbeTimeout(time.Minute); got != 48*time.Second {
		t.Errorf("ProbeTimeout = %v, want 0.8 of the attempt", got)
	}
}

func TestT05_Generations(t *testing.T) {
	t.Parallel()
	cfg := consecutive(1)
	cfg.Probes, cfg.CloseAfter = 1, 1
	runBreaker(t, cfg, time.Minute, `
		0s admit stale -> ok
		0s admit stale2 -> ok
		0s admit stale3 -> ok
		0.1s admit b -> ok
		0.1s report b failure -> [closed>open at 100ms until 5.1s 1/1/0]
		# A straggler of the closed state neither closes the breaker nor frees a probe's slot.
		0.2s report stale success -> nothing
		5.1s admit p -> ok probe [open>half-open at 5.1s 1/1/0]
		5.2s report stale2 success -> nothing
		5.2s admit q -> no, not before 5.1s: breaker half-open, all probes out (1 of 1 calls failed)
		5.3s report p success -> [half-open>closed at 5.3s 1/0/0]
		# Nor does it open it again.
		5.4s report stale3 failure -> nothing
		5.4s state -> closed 0/0/0`)
}

func TestT06_FirstProbeTakesASlot(t *testing.T) {
	t.Parallel()
	cfg := consecutive(1)
	cfg.Probes = 2
	b := policy.NewBreaker(cfg, time.Minute, nil)
	ticket, _ := b.Admit(at(0))
	b.Report(at(0), ticket, policy.Outcome{Verdict: policy.Failure})
	var mu sync.Mutex
	probes := 0
	var all sync.WaitGroup
	for range 50 {
		all.Go(func() {
			if _, a := b.Admit(at(5 * time.Second)); a.OK {
				mu.Lock()
				probes++
				mu.Unlock()
			}
		})
	}
	all.Wait()
	if probes != cfg.Probes {
		t.Errorf("%d of 50 calls at once were let through, want %d", probes, cfg.Probes)
	}
}

func TestT07_HalfOpenDecides(t *testing.T) {
	t.Parallel()
	trip := `
		0s admit a -> ok
		0s report a failure -> [closed>open at 0s until 5s 1/1/0]
		5s admit p1 -> ok probe [open>half-open at 5s 1/1/0]
		5s admit p2 -> ok probe
		5s admit p3 -> ok probe`
	tests := map[string]string{
		"one failure of three does not latch it open": `
		5.1s report p1 failure -> nothing
		5.1s report p2 success -> nothing
		5.1s report p3 success -> [half-open>closed at 5.1s 3/1/0]`,
		"it reopens as soon as closing is out of reach": `
		5.1s report p1 failure -> nothing
		5.2s report p2 failure -> [half-open>open at 5.2s until 10.2s 2/2/0]
		5.3s report p3 success -> nothing`,
		"a probe that the caller gave up when it was slow is a failure": `
		6.1s report p1 neutral -> nothing
		6.1s report p2 neutral -> [half-open>open at 6.1s until 11.1s 2/2/2]`,
		"a slow success is a success: what has just come back is cold": `
		6.1s report p1 success -> nothing
		6.1s report p2 success -> nothing
		6.1s report p3 success -> [half-open>closed at 6.1s 3/0/3]`,
		"a lease may be the result that closes": `
		5.1s report p1 success -> nothing
		5.1s report p2 success -> nothing
		15s admit b -> ok [half-open>closed at 15s 3/1/0]
		15s state -> closed 0/0/0`,
		"peek sees the close that a lease brings": `
		5.1s report p1 success -> nothing
		5.1s report p2 success -> nothing
		14s peek -> closed
		15s peek -> closed`,
		"two leases reopen it, and the not-before counts from the second": `
		20s peek -> closed
		15s peek -> open until 20s
		16s admit b -> no, not before 20s: breaker open (2 of 2 calls failed) [half-open>open at 15s until 20s 2/2/0]`,
		"a late result finds the leases settled": `
		16s report p3 success -> [half-open>open at 15s until 20s 2/2/0]`,
	}
	for name, script := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			runBreaker(t, consecutive(1), time.Minute, trip+script)
		})
	}
	bad := consecutive(1)
	bad.Probes, bad.CloseAfter = 0, 0
	var codes []policy.ProblemCode
	for _, p := range (policy.Plan{Breaker: bad}).Validate() {
		codes = append(codes, p.Code)
	}
	if diff := cmp.Diff([]policy.ProblemCode{policy.ProbesZero, policy.ProbesZero}, codes); diff != "" {
		t.Errorf("a half-open state that cannot end is refused (-want +got):\n%s", diff)
	}
}

func TestT08_LocalRejectionGivesTheTicketBack(t *testing.T) {
	t.Parallel()
	runBreaker(t, consecutive(1), time.Minute, `
		0s admit a -> ok
		0s report a failure -> [closed>open at 0s until 5s 1/1/0]
		5s admit p1 -> ok probe [open>half-open at 5s 1/1/0]`+
		strings.Repeat(`
		5s admit p2 -> ok probe
		5s report p2 neutral -> nothing`, 10)+`
		5s state -> half-open 0/0/0`)
}

func TestT09_OpenSaysWhen(t *testing.T) {
	t.Parallel()
	runBreaker(t, consecutive(2), time.Minute, `
		0s peek -> closed
		0s admit a -> ok
		0s report a failure -> nothing
		0s admit b -> ok
		0s report b failure -> [closed>open at 0s until 5s 2/2/0]
		1s admit c -> no, not before 5s: breaker open (2 of 2 calls failed)
		4.999s admit c -> no, not before 5s: breaker open (2 of 2 calls failed)
		4.999s peek -> open until 5s
		5s peek -> closed
		4s state -> open 2/2/0`)
	b := policy.NewBreaker(consecutive(1), time.Minute, nil)
	ticket, _ := b.Admit(at(0))
	b.Report(at(0), ticket, policy.Outcome{Verdict: policy.Failure})
	_, first := b.Admit(at(time.Second))
	_, second := b.Admit(at(2 * time.Second))
	if first.Why == nil || first.Why != second.Why {
		t.Errorf("rejections of one generation share one reason: got %p and %p", first.Why, second.Why)
	}
}
