package policy

import (
	"math"
	"sync"
	"sync/atomic"
	"time"
)

// What a retry or a hedge costs, in tokens.
const (
	// RetryCost is the price of a retry or a hedge.
	RetryCost = 1.0
	// TimeoutCost is the price of a retry after an attempt timeout: what did not answer is likely to be overloaded.
	TimeoutCost = 2.0
	// FreeCost is the price of a retry after a failure that proves that nothing was processed.
	FreeCost = 0.0
)

// token is the unit in which a Budget counts. Integers, because ten times 0.1 must be one.
const token = int64(time.Second)

// budgetReserve is the least capacity of a bucket, and what it holds at first, in tokens.
const budgetReserve = 10

// Budget bounds retries and hedges against a target to a share of its first attempts, plus a floor for quiet times: Finagle's
// RetryBudget, as a token bucket. Each first attempt deposits Ratio; MinPerSecond accrues with time; the bucket holds at most
// the greater of 10 tokens and Ratio × one second of first attempts, or Cap where it is set, and starts with 10 of them. Safe for
// concurrent use.
type Budget struct {
	off     bool
	ratio   int64 // of a token
	perNano float64
	limit   int64 // the capacity where it is fixed

	// fresh is what Deposit counts without the lock: in its upper half the second of the present deposits, in its lower half those
	// that are not settled yet. A deposit is in fresh or in the balance, never in both: whoever has the lock swaps them out.
	// Settling many at once comes to the same as one at a time, since within a second the capacity only grows, by no more than
	// they do, and at the end of a second it only shrinks.
	fresh atomic.Uint64
	// since is the base of clock, for those without the lock; nil until the first use.
	since atomic.Pointer[time.Time]

	mu       sync.Mutex
	clock    clock
	balance  int64
	accrued  int64 // until when MinPerSecond was added
	second   int64 // the second that is counted
	deposits int64 // settled ones in that second
	before   int64 // in the second before
}

// freshBits is the width of the count in Budget.fresh.
const freshBits = 32

// NewBudget returns a budget. The zero config is no bound: every withdrawal is granted.
func NewBudget(cfg BudgetConfig) *Budget {
	const ratioMost, perSecondMost = 100, 1e9
	ratio, perSecond := within(cfg.Ratio, ratioMost), within(cfg.MinPerSecond, perSecondMost)
	b := &Budget{
		off:     ratio == 0 && perSecond == 0,
		ratio:   tokens(ratio),
		perNano: perSecond,
		limit:   tokens(cfg.Cap),
	}
	b.balance = min(budgetReserve*token, b.most())
	return b
}

// within returns a number from 0 to most: what is negative or not a number is 0.
func within(x, most float64) float64 {
	if !(x > 0) {
		return 0
	}
	return min(x, most)
}

// tokens returns an amount in units, of which a token has 10⁹.
func tokens(amount float64) int64 {
	const amountMost = 1e9
	return int64(math.Round(within(amount, amountMost) * float64(token)))
}

// Deposit adds the share of one first attempt. It is called when a first attempt is dispatched: not for retries, hedges, local
// rejections or answers that no target gave.
func (b *Budget) Deposit(now time.Time) {
	if b.off {
		return
	}
	if base := b.since.Load(); base != nil && uint64(now.Sub(*base)/time.Second) == b.fresh.Load()>>freshBits {
		// Should the second have ended since the look at it, this one counts in the next, as if it had come a moment later.
		b.fresh.Add(1)
		return
	}
	b.mu.Lock()
	b.advance(now)
	b.fresh.Add(1)
	b.mu.Unlock()
}

// Withdraw takes cost tokens if the bucket holds them, and reports whether it did. It is asked before the wait that precedes a
// retry. A cost of 0 or less is always granted.
func (b *Budget) Withdraw(now time.Time, cost float64) bool {
	if b.off || cost <= 0 {
		return true
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.advance(now)
	price := tokens(cost)
	if b.balance < price {
		return false
	}
	b.balance -= price
	return true
}

// Refund gives back what Withdraw took for a retry that was not sent after all.
func (b *Budget) Refund(now time.Time, cost float64) {
	if b.off || cost <= 0 {
		return
	}
	b.mu.Lock()
	b.advance(now)
	b.add(tokens(cost))
	b.mu.Unlock()
}

// Balance returns the tokens in the bucket. A budget that is off has none and grants all the same.
func (b *Budget) Balance(now time.Time) float64 {
	if b.off {
		return 0
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.advance(now)
	return float64(b.balance) / float64(token)
}

// Capacity returns the most tokens that the bucket may hold now. That of a budget that is off is 0.
func (b *Budget) Capacity(now time.Time) float64 {
	if b.off {
		return 0
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.advance(now)
	return float64(b.most()) / float64(token)
}

// advance settles the deposits so far, moves their count to the present second, and adds what time brought.
func (b *Budget) advance(now time.Time) {
	t := b.clock.tick(now)
	if b.since.Load() == nil {
		base := b.clock.base
		b.since.Store(&base)
	}
	s := t / int64(time.Second)
	settled := int64(uint32(b.fresh.Swap(uint64(s) << freshBits)))
	b.deposits += settled
	b.add(settled * b.ratio)
	if s != b.second {
		b.before = 0
		if s == b.second+1 {
			b.before = b.deposits
		}
		b.second, b.deposits = s, 0
	}
	earned := float64(t-b.accrued) * b.perNano
	b.accrued = t
	b.add(int64(min(earned, float64(b.most()))))
}

// add adds tokens up to the capacity.
func (b *Budget) add(amount int64) {
	b.balance = min(b.balance+amount, b.most())
}

// most returns the capacity.
func (b *Budget) most() int64 {
	if b.limit > 0 {
		return b.limit
	}
	return max(budgetReserve*token, b.ratio*max(b.before, b.deposits))
}
