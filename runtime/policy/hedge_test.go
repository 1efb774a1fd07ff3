package policy_test

import (
	"testing"
	"time"

	"github.com/resgen-go/resgen/runtime/policy"
)

// began counts first attempts, and returns what the last one was told.
func began(h *policy.Hedger, now time.Time, calls int) (delay time.Duration, ok bool) {
	for range calls {
		delay, ok = h.Begin(now)
	}
	return delay, ok
}

func TestHedgerBudget(t *testing.T) {
	t.Parallel()
	h := policy.NewHedger(policy.HedgeConfig{Delay: 20 * ms, ExtraLoad: 0.05})
	if _, ok := began(h, at(0), 16); ok || h.Withdraw(at(0)) {
		t.Error("16 × 1.2 × 5 % pay for no hedge, and it starts with none")
	}
	if d, ok := began(h, at(time.Hour), 1); !ok || d != 20*ms {
		t.Errorf("got %v, %v after 17 first attempts; want the delay", d, ok)
	}
	for range 3 {
		if !h.Withdraw(at(0)) || h.Withdraw(at(0)) {
			t.Fatal("want one hedge")
		}
		h.Refund(at(0))
	}
	if s := h.Snapshot(at(0)); s.Share != 0 || s.Delay != 20*ms {
		t.Errorf("shows %+v, want no hedge that was sent", s)
	}
	began(h, at(0), 100_000)
	sent := 0
	for h.Withdraw(at(0)) {
		sent++
	}
	if sent != 10 {
		t.Errorf("%d hedges at once, want at most 10", sent)
	}
}

func TestHedgerWithoutExtraLoadNeverHedges(t *testing.T) {
	t.Parallel()
	h := policy.NewHedger(policy.HedgeConfig{Delay: 20 * ms})
	if _, ok := began(h, at(0), 100_000); ok || h.Withdraw(at(0)) {
		t.Error("hedges are paid for by nothing")
	}
}

func TestHedgerFindsItsDelay(t *testing.T) {
	t.Parallel()
	h := policy.NewHedger(policy.HedgeConfig{ExtraLoad: 0.1})
	now := at(0)
	record := func(n int, took func(i int) time.Duration) {
		for i := range n {
			now = now.Add(10 * ms)
			h.Record(now, took(i))
		}
	}
	record(99, func(i int) time.Duration { return time.Duration(i%100) * ms })
	if d, ok := began(h, now, 100); ok || d != 0 {
		t.Errorf("a delay of %v after 99 samples, want none", d)
	}
	record(901, func(i int) time.Duration { return time.Duration(i%100) * ms })
	// Of 1000 samples the share above is 10 % and two standard errors of 0.95 %.
	if d, ok := began(h, now, 1); !ok || d < 86*ms || d > 90*ms {
		t.Errorf("a delay of %v, %v; want about 88 ms", d, ok)
	}
	now = now.Add(10 * time.Minute)
	if d, ok := began(h, now, 1); ok || d != 0 {
		t.Errorf("a delay of %v after a long silence, want none", d)
	}
}

func TestHedgerDoesNotAllocate(t *testing.T) { //nolint:paralleltest // AllocsPerRun counts what others allocate too
	h := policy.NewHedger(policy.HedgeConfig{ExtraLoad: 0.05})
	i := 0
	if got := testing.AllocsPerRun(1000, func() {
		i++
		now := at(time.Duration(i) * ms)
		h.Begin(now)
		h.Record(now, 10*ms)
	}); got != 0 {
		t.Errorf("%v allocations, want none", got)
	}
}

func BenchmarkHedger(b *testing.B) {
	h := policy.NewHedger(policy.HedgeConfig{ExtraLoad: 0.05})
	i := 0
	for b.Loop() {
		i++
		now := at(time.Duration(i) * ms)
		h.Begin(now)
		h.Record(now, time.Duration(i%1000)*ms/10)
	}
}
