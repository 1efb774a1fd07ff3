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

func TestT10_SlowCalls(t *testing.T) {
	t.Parallel()
	cfg := consecutive(50)
	cfg.MinCalls, cfg.SlowRate = 4, 0.5
	tests := map[string]string{
		"counted whatever the verdict": `
		0s admit a -> ok
		0s admit b -> ok
		1s report a success -> nothing
		1s report b neutral -> nothing
		1s state -> closed 2/0/2
		1s admit c -> ok
		1s report c neutral -> nothing
		1s state -> closed 2/0/2`,
		"seen in flight at the next admission, once": `
		0s admit a -> ok
		0s admit b -> ok
		0.5s admit c -> ok
		0.9s admit d -> ok
		0.9s report d success -> nothing
		0.999s state -> closed 1/0/0
		1s admit e -> ok
		1s state -> closed 3/0/2
		1.1s report a success -> nothing
		1.1s state -> closed 3/0/2
		# A failure is news: the call that was slow also failed.
		1.2s report b failure -> nothing
		1.2s state -> closed 3/1/2
		1.5s admit f -> no, not before 6.5s: breaker open (3 of 4 calls slow) [closed>open at 1.5s until 6.5s 4/1/3]`,
		"a failure that comes after the window forgot the slowness counts again": `
		0s admit a -> ok
		1s admit b -> ok
		1s state -> closed 1/0/1
		30s report a failure -> nothing
		30s state -> closed 1/1/0`,
		"a stream that has begun to answer does not become slow": `
		0s admit a -> ok
		0.5s commit a -> done
		100s admit b -> ok
		100s state -> closed 0/0/0
		300s report a success 0.5s -> nothing
		300s state -> closed 1/0/0`,
	}
	for name, script := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			runBreaker(t, cfg, time.Minute, script)
		})
	}
	t.Run("off where the slow rate is", func(t *testing.T) {
		t.Parallel()
		off := cfg
		off.SlowRate = 0
		runBreaker(t, off, time.Minute, `
		0s admit a -> ok
		0s admit b -> ok
		2s admit c -> ok
		2s report a neutral -> nothing
		2s report b success -> nothing
		2s state -> closed 1/0/0`)
	})
}

func TestT10_SlowThreshold(t *testing.T) {
	t.Parallel()
	cfg := consecutive(50)
	cfg.SlowCall = 0
	b := policy.NewBreaker(cfg, 10*time.Second, nil)
	feed := func(from time.Duration, n int, each time.Duration) {
		for i := range n {
			now := at(from + time.Duration(i)*time.Millisecond)
			ticket, _ := b.Admit(now)
			b.Report(now, ticket, policy.Outcome{Verdict: policy.Success, InFlight: each})
		}
	}
	check := func(when string, want time.Duration) {
		t.Helper()
		got := b.State(at(0)).SlowCall
		if got < want*9/10 || got > want*11/10 {
			t.Errorf("%s: slow is %v, want about %v", when, got, want)
		}
	}
	check("without samples", 8*time.Second)
	feed(0, 99, 100*time.Millisecond)
	check("below 100 samples", 8*time.Second)
	feed(time.Second, 1, 100*time.Millisecond)
	check("with 100 samples", 300*time.Millisecond)
	if got := b.ProbeTimeout(10 * time.Second); got != time.Second {
		t.Errorf("ProbeTimeout = %v, want a second: what has just come back is cold", got)
	}
	if got := b.ProbeTimeout(500 * time.Millisecond); got != 500*time.Millisecond {
		t.Errorf("ProbeTimeout = %v, want the attempt timeout", got)
	}
	// A brownout does not raise the threshold that is to find it.
	feed(2*time.Second, 10, time.Second)
	check("in a brownout", 300*time.Millisecond)
	// Slowness that stays is the new normal in the end.
	b2 := at(10 * time.Minute)
	ticket, _ := b.Admit(b2)
	b.Report(b2, ticket, policy.Outcome{Verdict: policy.Success, InFlight: time.Second})
	check("after five minutes without a healthy call", 8*time.Second)
	// What is very fast is not slow when it is a little less so.
	fast := policy.NewBreaker(cfg, 10*time.Second, nil)
	for range 200 {
		ticket, _ := fast.Admit(at(0))
		fast.Report(at(0), ticket, policy.Outcome{Verdict: policy.Success})
	}
	if got := fast.State(at(0)).SlowCall; got != 10*time.Millisecond {
		t.Errorf("after answers in no time slow is %v, want the floor", got)
	}
}

func TestLanesHaveTheirOwnThresholds(t *testing.T) {
	t.Parallel()
	cfg := consecutive(50)
	cfg.SlowCall, cfg.MinCalls, cfg.SlowRate = 0, 5, 0.8
	b := policy.NewBreaker(cfg, time.Second, nil)
	chat := b.Lane(time.Minute)
	// Chats of 20 s and embeddings of 5 ms share the target: neither is slow.
	for i := range 400 {
		now := at(time.Duration(i) * 10 * time.Millisecond)
		lane, took := policy.Lane(0), 5*time.Millisecond
		if i%2 == 0 {
			lane, took = chat, 20*time.Second
		}
		ticket, a := b.AdmitIn(now, lane)
		if !a.OK {
			t.Fatalf("call %d was rejected: %v", i, a.Why)
		}
		b.Report(now, ticket, policy.Outcome{Verdict: policy.Success, InFlight: took})
	}
	if got := b.State(at(4 * time.Second)); got.Slow != 0 || got.State != policy.StateClosed {
		t.Errorf("got %+v, want nothing slow", got)
	}
	if got := b.ProbeTimeoutIn(chat, time.Minute); got != 48*time.Second {
		t.Errorf("a chat's probe gets %v, want 48s", got)
	}
	if got := b.ProbeTimeout(time.Second); got != time.Second {
		t.Errorf("an embedding's probe gets %v, want 1s", got)
	}
	// A silent lane is looked after by the admissions of another.
	for range 10 {
		b.Admit(at(5 * time.Second))
	}
	changed := 0
	for range 2 {
		_, a := b.AdmitIn(at(16*time.Second), chat)
		changed += len(a.Changed)
	}
	if changed != 1 {
		t.Errorf("ten hanging calls of a silent lane brought %d transitions, want 1", changed)
	}
}

func TestT11_MinimumVolume(t *testing.T) {
	t.Parallel()
	cfg := consecutive(5)
	t.Run("rates are not judged below it", func(t *testing.T) {
		t.Parallel()
		mixed := strings.Repeat(repeat(1, "0s", "failure", "nothing")+repeat(1, "0s", "success", "nothing"), 9)
		runBreaker(t, cfg, time.Minute, mixed+`
		0s admit x -> ok
		0s report x failure -> nothing
		0s admit y -> ok
		0s report y failure -> [closed>open at 0s until 5s 20/11/0]`)
	})
	t.Run("failures in a row decide below it, however slowly they come", func(t *testing.T) {
		t.Parallel()
		runBreaker(t, cfg, time.Minute, `
		0s admit a -> ok
		0s report a failure -> nothing
		1m admit a -> ok
		1m report a failure -> nothing
		2m admit a -> ok
		2m report a failure -> nothing
		3m admit a -> ok
		3m report a failure -> nothing
		4m admit a -> ok
		4m report a failure -> [closed>open at 4m0s until 4m5s 1/1/0]`)
	})
	t.Run("and only below it", func(t *testing.T) {
		t.Parallel()
		runBreaker(t, cfg, time.Minute, repeat(20, "0s", "success", "nothing")+repeat(9, "0s", "failure", "nothing")+`
		0s state -> closed 20/9/0
		0s admit x -> ok
		0s report x failure -> [closed>open at 0s until 5s 20/10/0]`)
	})
	t.Run("old failures age out", func(t *testing.T) {
		t.Parallel()
		aging := cfg
		aging.MinCalls, aging.Consecutive = 5, 0
		runBreaker(t, aging, time.Minute, repeat(4, "0s", "failure", "nothing")+`
		11s admit x -> ok
		11s report x failure -> nothing
		11s state -> closed 1/1/0`)
	})
}

func TestT12_OpenTimeIsJitteredAndGrows(t *testing.T) {
	t.Parallel()
	openTimes := func(r float64) []time.Duration {
		cfg := consecutive(1)
		b := policy.NewBreaker(cfg, time.Minute, constant(r))
		now := at(0)
		var times []time.Duration
		for range 7 {
			ticket, a := b.Admit(now)
			if !a.OK {
				t.Fatalf("not admitted at %v: %v", now, a.Why)
			}
			tr, opened := b.Report(now, ticket, policy.Outcome{Verdict: policy.Failure})
			if !opened {
				ticket, _ = b.Admit(now)
				tr, _ = b.Report(now, ticket, policy.Outcome{Verdict: policy.Failure})
			}
			times = append(times, tr.NotBefore.Sub(tr.At))
			now = tr.NotBefore
		}
		return times
	}
	const s = time.Second
	if diff := cmp.Diff([]time.Duration{5 * s, 5 * s, 5 * s, 10 * s, 15 * s, 15 * s, 15 * s}, openTimes(0)); diff != "" {
		t.Errorf("least open times (-want +got):\n%s", diff)
	}
	const q = s * 5 / 4
	if diff := cmp.Diff([]time.Duration{5 * q, 5 * q, 5 * q, 10 * q, 15 * q, 15 * q, 15 * q}, openTimes(1)); diff != "" {
		t.Errorf("greatest open times (-want +got):\n%s", diff)
	}
}

func TestRetryAfterRaisesTheOpenTime(t *testing.T) {
	t.Parallel()
	opened := `
		0s admit a -> ok
		0s admit b -> ok
		0s report a failure -> [closed>open at 0s until 5s 1/1/0]`
	tests := map[string]string{
		"of an open breaker":  opened + "\n1s raise 8s -> open until 8s\n7.9s peek -> open until 8s\n2s raise 6s -> open until 8s",
		"at most to open-max": opened + "\n1s raise 1h -> open until 15s\n2s raise 2h -> open until 15s",
		"never opens":         "0s raise 10s -> open until never\n0s peek -> closed\n0s admit a -> ok",
		"is remembered": "0s raise 12s -> open until never\n1s admit a -> ok\n" +
			"1s report a failure -> [closed>open at 1s until 12s 1/1/0]",
		"and forgotten when past": "0s raise 2s -> open until never\n3s admit a -> ok\n3s report a failure -> [closed>open at 3s until 8s 1/1/0]",
		"not once probes may go":  opened + "\n6s raise 9s -> open until 5s\n6s admit c -> ok probe [open>half-open at 6s 1/1/0]",
		"rejections do not move it": opened + "\n1s admit c -> no, not before 5s: breaker open (1 of 1 calls failed)" +
			"\n4s admit c -> no, not before 5s: breaker open (1 of 1 calls failed)\n4s peek -> open until 5s",
	}
	for name, script := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			runBreaker(t, consecutive(1), time.Minute, script)
		})
	}
}

// The source of randomness is somebody else's code. It may call the breaker.
func TestT14_NothingIsCalledUnderTheLock(t *testing.T) {
	t.Parallel()
	var b *policy.Breaker
	calls := 0
	b = policy.NewBreaker(consecutive(1), time.Minute, func() float64 {
		if calls++; b != nil {
			b.State(at(0))
			b.Peek(at(0))
		}
		return 0
	})
	ticket, _ := b.Admit(at(0))
	if _, opened := b.Report(at(0), ticket, policy.Outcome{Verdict: policy.Failure}); !opened {
		t.Fatal("the breaker did not open")
	}
	if calls != 2 {
		t.Errorf("randomness was drawn %d times, want once before each opening", calls)
	}
}

func TestBreakerModes(t *testing.T) {
	t.Parallel()
	tests := map[policy.BreakerMode]string{
		policy.BreakerOff: `
		0s admit a -> ok
		0s report a failure -> nothing
		0s raise 1h -> open until never
		0s peek -> closed
		0s state -> closed 0/0/0`,
		policy.BreakerForcedOpen: `
		0s peek -> open until never
		0s admit a -> no, not before never: breaker forced open
		0s report a success -> nothing
		0s state -> open 0/0/0`,
		policy.BreakerForcedClosed: `
		0s admit a -> ok
		0s report a failure -> nothing
		0s admit b -> ok
		0s report b failure -> nothing
		0s peek -> closed
		0s state -> closed 2/2/0`,
		// Shadow lets everything through, and its state is that of a breaker that does not.
		policy.BreakerShadow: `
		0s admit a -> ok
		0s report a failure -> [closed>open at 0s until 5s 1/1/0]
		1s admit b -> ok
		1s report b failure -> nothing
		1s peek -> closed
		5s admit p1 -> ok [open>half-open at 5s 1/1/0]
		5s admit p2 -> ok
		5s admit p3 -> ok
		5s admit beyond -> ok
		5s report beyond failure -> nothing
		5s report p1 success -> nothing
		5s report p2 success -> nothing
		5s report p3 success -> [half-open>closed at 5s 3/0/0]`,
	}
	for mode, script := range tests {
		t.Run(mode.String(), func(t *testing.T) {
			t.Parallel()
			cfg := consecutive(1)
			cfg.Mode = mode
			runBreaker(t, cfg, time.Minute, script)
		})
	}
	cfg := consecutive(1)
	cfg.Mode = policy.BreakerShadow
	b := policy.NewBreaker(cfg, time.Minute, nil)
	ticket, _ := b.Admit(at(0))
	b.Report(at(0), ticket, policy.Outcome{Verdict: policy.Failure})
	if _, a := b.Admit(at(time.Second)); !a.OK || a.Why == nil {
		t.Errorf("got %+v, want a call let through with the reason why it would not be", a)
	}
}

func TestT15_TimeThatStepsBack(t *testing.T) {
	t.Parallel()
	runBreaker(t, consecutive(2), time.Minute, `
		10s admit a -> ok
		9s report a failure 0s -> nothing
		8s admit b -> ok
		10s state -> closed 1/1/0
		8s report b failure 0s -> [closed>open at 10s until 15s 2/2/0]`)
}

func TestBreakerBendsWhatIsRefused(t *testing.T) {
	t.Parallel()
	huge := time.Duration(1<<63 - 1)
	b := policy.NewBreaker(policy.BreakerConfig{
		Mode: policy.BreakerOn, Consecutive: 1, OpenFor: huge, SlowCall: huge, SlowRate: 1,
	}, huge, constant(1))
	ticket, _ := b.Admit(at(0))
	if _, opened := b.Report(at(0), ticket, policy.Outcome{Verdict: policy.Failure}); !opened {
		t.Error("without a window, failures in a row still decide")
	}
	b = policy.NewBreaker(policy.BreakerConfig{
		Mode: policy.BreakerOn, WindowCalls: 1, FailureRate: 1, OpenFor: huge, SlowCall: huge, SlowRate: 1,
	}, huge, constant(1))
	ticket, _ = b.Admit(at(0))
	if _, opened := b.Report(at(0), ticket, policy.Outcome{Verdict: policy.Failure}); !opened {
		t.Fatal("the breaker did not open")
	}
	if notBefore, open := b.Peek(at(24 * 365 * time.Hour)); !open {
		t.Errorf("an endless open time ended by itself: not before %v", notBefore)
	}
}

func TestRejectionCausesBySlowness(t *testing.T) {
	t.Parallel()
	e := &policy.OpenError{State: policy.StateOpen, Calls: 10, Slow: 8, Failures: 2}
	if got, want := e.Error(), "breaker open (8 of 10 calls slow)"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// Many callers at once: whatever they report, nothing is left out, and half-open never lets through more than its probes.
func TestBreakerConcurrent(t *testing.T) {
	t.Parallel()
	cfg := consecutive(3)
	cfg.OpenFor, cfg.OpenMax = 0, 0
	b := policy.NewBreaker(cfg, time.Minute, nil)
	var all sync.WaitGroup
	for caller := range 8 {
		all.Go(func() {
			for i := range 500 {
				now := at(time.Duration(i) * ms)
				b.Peek(now)
				ticket, a := b.Admit(now)
				if s := b.State(now); s.State == policy.StateHalfOpen && s.InFlight > cfg.Probes {
					t.Errorf("%d probes are out, want at most %d", s.InFlight, cfg.Probes)
				}
				if !a.OK {
					continue
				}
				o := policy.Outcome{Verdict: policy.Verdict((i + caller) % 4), InFlight: ms}
				if i%7 < 4 {
					o.Verdict = policy.Failure
				}
				b.Commit(now, ticket)
				b.Report(now, ticket, o)
				b.Report(now, ticket, o)
				b.RaiseOpen(now, now)
			}
		})
	}
	all.Wait()
	if s := b.State(at(time.Second)); s.InFlight != 0 {
		t.Errorf("got %+v, want no ticket left", s)
	}
}

func TestBreakerWithoutTimeouts(t *testing.T) {
	t.Parallel()
	cfg := consecutive(1)
	cfg.SlowCall, cfg.Probes, cfg.CloseAfter = 0, 1, 1
	b := policy.NewBreaker(cfg, 0, nil)
	if got := b.ProbeTimeout(0); got != 0 {
		t.Errorf("a probe of an unbounded operation gets %v, want no bound", got)
	}
	if s := b.State(at(0)); s.SlowCall != 0 {
		t.Errorf("slow is %v, want unknown", s.SlowCall)
	}
	// C041: a probe that never settles gives its slot back all the same.
	runBreaker(t, cfg, 0, `
		0s admit a -> ok
		0s report a failure -> [closed>open at 0s until 5s 1/1/0]
		5s admit lost -> ok probe [open>half-open at 5s 1/1/0]
		15s admit b -> no, not before 20s: breaker open (1 of 1 calls failed) [half-open>open at 15s until 20s 1/1/0]`)
	bounded := consecutive(1)
	if got := policy.NewBreaker(bounded, 0, nil).ProbeTimeout(0); got != time.Second {
		t.Errorf("a probe with a threshold gets %v, want it", got)
	}
}

func TestTicketsTellGenerationsApart(t *testing.T) {
	t.Parallel()
	b := policy.NewBreaker(consecutive(1), time.Minute, nil)
	before, _ := b.Admit(at(0))
	other, _ := b.Admit(at(0))
	if before == other || before.Generation() != other.Generation() {
		t.Errorf("two tickets of one generation: %+v, %+v", before, other)
	}
	b.Report(at(0), before, policy.Outcome{Verdict: policy.Failure})
	after, a := b.Admit(at(5 * time.Second))
	if !a.OK || after.Generation() <= before.Generation() {
		t.Errorf("a probe's generation is %d, and one before it %d", after.Generation(), before.Generation())
	}
	b.Commit(at(5*time.Second), after) // a probe is reported, not committed: this changes nothing
	b.Commit(at(5*time.Second), other)
	b.Commit(at(5*time.Second), policy.Ticket{})
	if s := b.State(at(5 * time.Second)); s.State != policy.StateHalfOpen || s.InFlight != 1 {
		t.Errorf("got %+v", s)
	}
}

func TestHalfOpenWithoutFailureRate(t *testing.T) {
	t.Parallel()
	cfg := consecutive(1)
	cfg.FailureRate = 0
	runBreaker(t, cfg, time.Minute, `
		0s peek -> closed
		0s admit a -> ok
		0s report a failure -> [closed>open at 0s until 5s 1/1/0]
		5s admit p1 -> ok probe [open>half-open at 5s 1/1/0]
		5s admit p2 -> ok probe
		5s report p1 failure -> nothing
		5s report p2 failure -> [half-open>open at 5s until 10s 2/2/0]`)
}
