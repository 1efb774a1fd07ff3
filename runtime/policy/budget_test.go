package policy_test

import (
	"math"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/resgen-go/resgen/runtime/policy"
)

// drain withdraws single retries until the budget refuses, and returns how many it granted.
func drain(b *policy.Budget, now time.Time) int {
	n := 0
	for n < 10_000 && b.Withdraw(now, policy.RetryCost) {
		n++
	}
	return n
}

func TestT25_BudgetSaysNoBeforeTheWait(t *testing.T) {
	t.Parallel()
	b := policy.NewBudget(policy.BudgetConfig{Ratio: 0.1})
	if got := drain(b, at(0)); got != 10 {
		t.Errorf("a new budget granted %d retries, want the reserve of 10", got)
	}
	if b.Withdraw(at(0), policy.RetryCost) {
		t.Error("an empty budget granted a retry")
	}
	if !b.Withdraw(at(0), policy.FreeCost) {
		t.Error("what was proven not to be processed is free")
	}
}

func TestT26_EveryFirstAttemptDeposits(t *testing.T) {
	t.Parallel()
	b := policy.NewBudget(policy.BudgetConfig{Ratio: 0.1})
	drain(b, at(0))
	for range 29 {
		b.Deposit(at(0))
	}
	if got := drain(b, at(0)); got != 2 {
		t.Errorf("29 calls paid for %d retries, want 2", got)
	}
	// Ten times 0.1 is one: amounts are integers.
	b.Deposit(at(0))
	if got := drain(b, at(0)); got != 1 {
		t.Errorf("the thirtieth call paid for %d more, want 1", got)
	}
}

// C010: 100 calls of which every attempt fails.
func TestT26_OutageIsBounded(t *testing.T) {
	t.Parallel()
	b := policy.NewBudget(policy.BudgetConfig{Ratio: 0.1})
	hits := 0
	for range 100 {
		b.Deposit(at(0))
		for hits++; b.Withdraw(at(0), policy.RetryCost); hits++ {
		}
	}
	if hits > 100+10+10 {
		t.Errorf("100 calls made %d hits, want at most 120", hits)
	}
	if hits < 115 {
		t.Errorf("100 calls made %d hits, want the budget used", hits)
	}
}

func TestT27_FloorForQuietTimes(t *testing.T) {
	t.Parallel()
	b := policy.NewBudget(policy.BudgetConfig{Ratio: 0.2, MinPerSecond: 1})
	drain(b, at(0))
	steps := []struct {
		at   time.Duration
		want int
	}{{500 * time.Millisecond, 0}, {time.Second, 1}, {3500 * time.Millisecond, 2}, {4 * time.Second, 1}, {time.Hour, 10}}
	for _, s := range steps {
		if got := drain(b, at(s.at)); got != s.want {
			t.Errorf("at %v: %d retries, want %d", s.at, got, s.want)
		}
	}
	// Without a floor nothing accrues: a hedge must not exceed its share however quiet it is.
	b = policy.NewBudget(policy.BudgetConfig{Ratio: 0.2})
	drain(b, at(0))
	if got := drain(b, at(time.Hour)); got != 0 {
		t.Errorf("%d retries accrued without a floor", got)
	}
}

func TestBudgetCapFollowsTheRate(t *testing.T) {
	t.Parallel()
	b := policy.NewBudget(policy.BudgetConfig{Ratio: 0.2})
	for i := range 2000 { // 1000 a second
		b.Deposit(at(time.Duration(i) * time.Millisecond))
	}
	if got := b.Balance(at(1999 * time.Millisecond)); got != 200 {
		t.Errorf("at 1000 calls a second the balance is %v, want 0.2 of one second of them", got)
	}
	if got := b.Balance(at(10 * time.Second)); got != 10 {
		t.Errorf("when the traffic is gone the balance is %v, want the reserve", got)
	}
}

func TestT29_RefundGivesBack(t *testing.T) {
	t.Parallel()
	b := policy.NewBudget(policy.BudgetConfig{Ratio: 0.2})
	if !b.Withdraw(at(0), policy.TimeoutCost) {
		t.Fatal("refused")
	}
	if got := b.Balance(at(0)); got != 8 {
		t.Errorf("after a timeout the balance is %v, want 8", got)
	}
	b.Refund(at(0), policy.TimeoutCost)
	b.Refund(at(0), policy.TimeoutCost)
	b.Refund(at(0), policy.FreeCost)
	if got := b.Balance(at(0)); got != 10 {
		t.Errorf("the balance is %v, want no more than the cap of 10", got)
	}
}

func TestBudgetOff(t *testing.T) {
	t.Parallel()
	for name, cfg := range map[string]policy.BudgetConfig{
		"zero": {}, "negative": {Ratio: -1, MinPerSecond: -1}, "not a number": {Ratio: math.NaN(), MinPerSecond: math.NaN()},
	} {
		b := policy.NewBudget(cfg)
		b.Deposit(at(0))
		b.Refund(at(0), 1)
		if got := drain(b, at(0)); got != 10_000 {
			t.Errorf("%s: no bound granted %d", name, got)
		}
		if got := b.Balance(at(0)); got != 0 {
			t.Errorf("%s: balance %v", name, got)
		}
	}
	b := policy.NewBudget(policy.BudgetConfig{Ratio: math.Inf(1), MinPerSecond: math.Inf(1)})
	b.Deposit(at(time.Hour))
	if got := b.Balance(at(24 * time.Hour)); !(got >= 10) {
		t.Errorf("an absurd config left a balance of %v", got)
	}
	if b.Withdraw(at(24*time.Hour), math.Inf(1)) {
		t.Error("an absurd price was granted")
	}
}

func TestBudgetConcurrent(t *testing.T) {
	t.Parallel()
	b := policy.NewBudget(policy.BudgetConfig{Ratio: 0.5})
	var granted atomic.Int64
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for range 100 {
				b.Deposit(at(0))
				if b.Withdraw(at(0), policy.RetryCost) {
					granted.Add(1)
				}
			}
		})
	}
	all.Wait()
	if got := granted.Load(); got > 10+400 {
		t.Errorf("800 calls were granted %d retries, want at most 410", got)
	}
}

// Deposits are settled late. A budget that settles each at once is the measure.
func TestBudgetSettlesLateAsAtOnce(t *testing.T) {
	t.Parallel()
	for _, cfg := range []policy.BudgetConfig{{Ratio: 0.2}, {Ratio: 0.5, MinPerSecond: 3}, {Ratio: 1}, {MinPerSecond: 1}} {
		r := rand.New(rand.NewPCG(1, 2))
		late, once := policy.NewBudget(cfg), policy.NewBudget(cfg)
		now := at(0)
		for i := range 20_000 {
			switch n := r.IntN(100); {
			case n < 90:
				late.Deposit(now)
				once.Deposit(now)
				once.Balance(now)
			case n < 97:
				if a, b := late.Withdraw(now, policy.RetryCost), once.Withdraw(now, policy.RetryCost); a != b {
					t.Fatalf("%+v: step %d: settled late it says %v, at once %v", cfg, i, a, b)
				}
			case n < 99:
				now = now.Add(time.Duration(r.IntN(100)) * ms)
			default:
				now = now.Add(time.Duration(r.IntN(3000)) * ms)
			}
			if i%50 == 0 {
				if a, b := late.Balance(now), once.Balance(now); a != b {
					t.Fatalf("%+v: step %d: settled late the balance is %v, at once %v", cfg, i, a, b)
				}
			}
		}
	}
}

// A deposit is counted once, however many look at the balance meanwhile.
func TestBudgetLosesNoDeposit(t *testing.T) {
	t.Parallel()
	const goroutines, each = 8, 5000
	b := policy.NewBudget(policy.BudgetConfig{Ratio: 0.01})
	drain(b, at(0))
	var all sync.WaitGroup
	for range goroutines {
		all.Go(func() {
			for i := range each {
				b.Deposit(at(0))
				if i%16 == 0 {
					b.Balance(at(0))
				}
			}
		})
	}
	all.Wait()
	if got, want := b.Balance(at(0)), goroutines*each*0.01; got != want {
		t.Errorf("the balance is %v, want %v", got, want)
	}
}
