package policy_test

import (
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/resgen-go/resgen/runtime/policy"
)

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
