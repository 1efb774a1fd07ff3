package policy_test

import (
	"strings"
	"testing"
	"time"

	"github.com/resgen-go/resgen/runtime/policy"
)

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
