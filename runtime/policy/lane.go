package policy

import "time"

// Lane is one operation's place in a breaker that several operations share: what is slow for an embedding is not slow for a chat,
// so each has its own threshold, its own attempt timeout and its own leases, while they share the verdict. The zero Lane is
// the one that NewBreaker made.
type Lane uint16

const (
	// leaseMost is the longest lease of a probe whose target is not known to need longer.
	leaseMost = 10 * time.Second
	// probeLeast is the shortest timeout that the slow threshold gives to a probe: a target that has just come back is cold.
	probeLeast = time.Second
	// slowShare is the share of the attempt timeout from which a call counts as slow, while nothing better is known.
	slowShare = 0.8
	// slowFactor times the p99 of healthy calls is slow.
	slowFactor   = 3
	slowQuantile = 0.99
	// slowLeast is the least threshold that is learned: what answers within it is fast, whatever it used to take.
	slowLeast = 10 * time.Millisecond
	// slowRefresh is the number of healthy calls after which the threshold is computed anew.
	slowRefresh = 64
)

// lane is what a breaker keeps for each Lane.
type lane struct {
	attempt time.Duration
	slow    int64 // nanoseconds; 0 is unknown
	overdue int64 // from when an attempt that was given up says that the target is slow; at most slow
	watch   list  // tickets in flight that are not slow yet, oldest first
	healthy *histogram
	fresh   int // healthy calls since slow was computed
}

func newLane(cfg *BreakerConfig, attempt time.Duration) lane {
	l := lane{attempt: min(max(attempt, 0), longest)}
	l.forget(cfg)
	return l
}

// forget sets the threshold to what is known without any sample.
func (l *lane) forget(cfg *BreakerConfig) {
	l.slow = int64(cfg.SlowCall)
	if cfg.SlowCall <= 0 {
		l.slow = int64(slowShare * float64(l.attempt))
	}
	l.overdue = l.slow
}

// learn records the duration of a healthy call: a success that was not slow. A slow one is left out, or a brownout would raise the
// threshold that is to find it; where slowness has come to stay, the samples go after a silence of five minutes, and with
// them the threshold.
func (l *lane) learn(cfg *BreakerConfig, t int64, d time.Duration) {
	if cfg.SlowCall > 0 {
		return
	}
	if l.healthy == nil {
		l.healthy = new(histogram)
	}
	l.healthy.record(t, d)
	l.fresh++
	n := l.healthy.samples()
	if n != latencyFew && n != latencyMin && (n < latencyMin || l.fresh < slowRefresh) {
		return
	}
	l.fresh = 0
	l.forget(cfg)
	overdue := int64(max(l.healthy.quantile(nearly), slowLeast))
	if l.overdue == 0 || overdue < l.overdue {
		l.overdue = overdue
	}
	if n < latencyMin {
		return
	}
	learned := int64(max(slowFactor*l.healthy.quantile(slowQuantile), slowLeast))
	if l.slow == 0 || learned < l.slow {
		l.slow = learned
	}
	l.overdue = min(l.overdue, l.slow)
}

// age drops a threshold whose samples are too old.
func (l *lane) age(cfg *BreakerConfig, t int64) {
	if l.healthy != nil && l.healthy.forget(t) {
		l.forget(cfg)
	}
}

// isSlow reports whether a call that was in flight that long is slow.
func (l *lane) isSlow(inFlight time.Duration) bool {
	return l.slow > 0 && int64(inFlight) >= l.slow
}

// isLate reports whether an attempt with that end says that the target is slow. One that was given up before it had answered, by its
// caller, by the share of its rung, or because a copy was faster, says so once it is overdue: nearly all healthy ones have answered by
// then. It would say nothing otherwise, and a target that hangs would be tried for ever by callers who wait for less than is slow.
func (l *lane) isLate(o Outcome) bool {
	if o.Verdict == Neutral {
		return l.overdue > 0 && int64(o.InFlight) >= l.overdue
	}
	return l.isSlow(o.InFlight)
}

// probeTimeout bounds a probe, so that it does not take a whole attempt timeout to learn that a target still hangs.
func (l *lane) probeTimeout(attempt time.Duration) time.Duration {
	if l.slow == 0 {
		return attempt
	}
	bound := max(time.Duration(l.slow), probeLeast)
	if attempt <= 0 {
		return bound
	}
	return min(attempt, bound)
}

// lease returns how long a probe holds its slot without a report. The driver ends a probe at its timeout, so a lease that
// is no shorter never judges a healthy answer that is on its way; 10 s is enough for every target whose threshold is below it.
func (l *lane) lease() int64 {
	most := max(leaseMost, time.Duration(l.slow))
	if l.attempt > 0 {
		most = min(most, l.attempt)
	}
	return int64(most)
}

// Lane adds an operation with that attempt timeout (0 is none) to the breaker.
func (b *Breaker) Lane(attempt time.Duration) Lane {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.lanes = append(b.lanes, newLane(&b.cfg, attempt))
	return Lane(len(b.lanes) - 1)
}

// ProbeTimeout returns the timeout of a probe of the first lane whose attempt timeout is attempt: at most the greater of the
// slow threshold and a second. 0 means none, in and out.
func (b *Breaker) ProbeTimeout(attempt time.Duration) time.Duration {
	return b.ProbeTimeoutIn(0, attempt)
}

// ProbeTimeoutIn is ProbeTimeout for a probe of the given lane.
func (b *Breaker) ProbeTimeoutIn(in Lane, attempt time.Duration) time.Duration {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.lanes[in].probeTimeout(attempt)
}
