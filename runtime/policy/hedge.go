package policy

import (
	"math"
	"sync"
	"time"
)

const (
	// hedgeSlack is how much more than ExtraLoad the hedger's own budget pays for: the delay is an estimate.
	hedgeSlack = 1.2
	// hedgeErrors is the number of standard errors of the estimate by which the delay errs towards too many hedges; the budget bounds
	// them.
	hedgeErrors = 2
	// hedgeLeast is the least delay.
	hedgeLeast = time.Millisecond
	// hedgeFresh is the number of new samples, and hedgeTurn the age, after which the delay is computed anew.
	hedgeFresh = 64
	hedgeTurn  = time.Second
	// hedgeBurst is the capacity of the hedger's own budget, in hedges.
	hedgeBurst = 10
	// hedgeCounted is the number of first attempts of which the share of hedges is shown.
	hedgeCounted = 1024
)

// Hedger says after which delay an attempt that has not ended is sent a second time, and pays for it: Finagle's BackupRequestFilter. The
// delay is the percentile of latencies that the share ExtraLoad of calls exceeds, so that about as many are copied as may be. Then nothing
// is copied before 100 calls were seen, or where the delay is longer than the histogram tells apart. A Delay that is given is just that.
//
// The budget of its own gains 1.2 × ExtraLoad with each first attempt, holds at most 10 hedges, starts empty and gains nothing with time:
// over any time, the load is at most 1 + 1.2 × ExtraLoad times that of the first attempts.
//
// Safe for concurrent use.
type Hedger struct {
	share float64
	fixed time.Duration // 0 is found out
	gain  int64         // of a token, with each first attempt

	mu      sync.Mutex
	clock   clock
	hist    histogram
	delay   time.Duration // 0 is not known
	fresh   int           // samples since the delay was computed
	turned  int64         // when that was
	balance int64
	firsts  [2]int // first attempts: now, and in the period before
	sent    [2]int // hedges, likewise
}

// NewHedger returns a hedger that has seen nothing. Max and Target are not its concern. An ExtraLoad of 0 pays for nothing.
func NewHedger(cfg HedgeConfig) *Hedger {
	share := within(cfg.ExtraLoad, 1)
	return &Hedger{share: share, fixed: min(max(cfg.Delay, 0), longest), gain: tokens(hedgeSlack * share)}
}

// Begin counts a first attempt, and returns the delay after which it is to be copied; false if that is not known, or not paid for.
func (h *Hedger) Begin(now time.Time) (time.Duration, bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.age(h.clock.tick(now))
	h.add(h.gain)
	if h.firsts[0] >= hedgeCounted {
		h.firsts, h.sent = [2]int{0, h.firsts[0]}, [2]int{0, h.sent[0]}
	}
	h.firsts[0]++
	delay := h.fixed
	if delay == 0 {
		delay = h.delay
	}
	return delay, delay > 0 && h.balance >= token
}

// Record adds how long a first attempt took to succeed, or at least took: until its time was over, or another copy answered. Failures do
// not belong here: a fast one would pass for a fast answer (trap T42).
func (h *Hedger) Record(now time.Time, took time.Duration) {
	if h.fixed > 0 {
		return
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	t := h.clock.tick(now)
	h.age(t)
	h.hist.record(t, took)
	h.fresh++
	if h.fresh >= hedgeFresh || t-h.turned >= int64(hedgeTurn) {
		h.turn(t)
	}
}

// age forgets the delay together with samples that are too old.
func (h *Hedger) age(t int64) {
	if h.hist.forget(t) {
		h.delay = 0
	}
}

// turn computes the delay.
func (h *Hedger) turn(t int64) {
	h.fresh, h.turned = 0, t
	n := h.hist.samples()
	if n < latencyMin {
		h.delay = 0
		return
	}
	above := h.share + hedgeErrors*math.Sqrt(h.share*(1-h.share)/float64(n))
	h.delay = max(h.hist.quantile(1-above), hedgeLeast)
	if int64(h.delay) >= latencyMost {
		h.delay = 0
	}
}

// Withdraw pays for a hedge from the hedger's own budget, and reports whether it could.
func (h *Hedger) Withdraw(now time.Time) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.clock.tick(now)
	if h.balance < token {
		return false
	}
	h.balance -= token
	h.sent[0]++
	return true
}

// Refund gives back what Withdraw took for a hedge that was not sent after all.
func (h *Hedger) Refund(now time.Time) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.clock.tick(now)
	h.add(token)
	h.sent[0]--
}

// add adds to the budget up to its capacity.
func (h *Hedger) add(amount int64) { h.balance = min(h.balance+amount, hedgeBurst*token) }

// HedgerSnapshot is what a hedger shows of itself.
type HedgerSnapshot struct {
	// Delay is how long an attempt runs before it is copied; 0 while that is not known.
	Delay time.Duration
	// Share is the number of hedges for each first attempt, of the last thousand or two.
	Share float64
	// Budget is the number of hedges that are paid for now.
	Budget float64
}

// Snapshot returns what the hedger shows at now.
func (h *Hedger) Snapshot(now time.Time) HedgerSnapshot {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.age(h.clock.tick(now))
	s := HedgerSnapshot{Delay: h.fixed, Budget: float64(h.balance) / float64(token)}
	if s.Delay == 0 {
		s.Delay = h.delay
	}
	if n := h.firsts[0] + h.firsts[1]; n > 0 {
		s.Share = float64(h.sent[0]+h.sent[1]) / float64(n)
	}
	return s
}
