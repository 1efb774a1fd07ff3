package policy

import (
	"math"
	"time"
)

const (
	// defaultMultiplier is the growth of a backoff that names none.
	defaultMultiplier = 2
	// decorrelation is the growth of decorrelated jitter (Brooker, 2015).
	decorrelation = 3
	// retryAfterSpread is the most that jitter adds to a wait that a server asked for, as a share.
	retryAfterSpread = 0.1
)

// Forever is a wait that is longer than any other: what a server asked for when it does not fit a time.Duration.
const Forever = time.Duration(math.MaxInt64)

// Wait returns the wait before a retry; retry 1 precedes the second attempt. prev is the wait before the retry before, which only
// decorrelated jitter asks for; 0 where there was none. rand returns numbers in [0, 1). The wait is never negative and
// never above Max (where Max is not 0), whatever the retry's number.
func (b Backoff) Wait(retry int, prev time.Duration, rand func() float64) time.Duration {
	full := b.grown(retry)
	switch b.Jitter {
	case EqualJitter:
		return spread(full/2, full, rand)
	case DecorrelatedJitter:
		return b.decorrelated(prev, rand)
	case NoJitter:
		return full
	case FullJitter:
		return spread(0, full, rand)
	default:
		return spread(0, full, rand)
	}
}

// least returns the shortest wait that jitter can draw before the first retry.
func (b Backoff) least() time.Duration {
	return b.Wait(1, 0, func() float64 { return 0 })
}

// grown returns the wait before jitter. It is compared with the cap as a float, so that it cannot overflow.
func (b Backoff) grown(retry int) time.Duration {
	base := max(b.Base, 0)
	multiplier := b.Multiplier
	if !(multiplier > 0) { // NaN too
		multiplier = defaultMultiplier
	}
	wait := float64(base) * math.Pow(multiplier, float64(max(retry, 1)-1))
	return b.capped(wait)
}

// capped turns nanoseconds into a wait that is at most Max. NaN is 0 × infinity, a backoff without a base.
func (b Backoff) capped(wait float64) time.Duration {
	if b.Max > 0 {
		return min(saturated(wait), b.Max)
	}
	return saturated(wait)
}

// saturated turns nanoseconds into a wait from 0 to Forever.
func saturated(wait float64) time.Duration {
	switch {
	case math.IsNaN(wait) || wait <= 0:
		return 0
	case wait >= float64(Forever):
		return Forever
	default:
		return time.Duration(wait)
	}
}

// decorrelated draws from base to three times the previous wait. The upper end is capped rather than the draw, which
// would return many callers at exactly Max.
func (b Backoff) decorrelated(prev time.Duration, rand func() float64) time.Duration {
	low := b.capped(float64(b.Base))
	high := b.capped(decorrelation * float64(max(prev, low)))
	return spread(low, max(low, high), rand)
}

// spread draws uniformly from low to high.
func spread(low, high time.Duration, rand func() float64) time.Duration {
	if rand == nil || high <= low {
		return high
	}
	r := min(max(rand(), 0), 1)
	return low + min(saturated(r*float64(high-low)), high-low)
}

// UpwardJitter adds 0 to 10 % to a wait that a server asked for, so that callers which were told the same instant do not return
// together, and none returns early. Forever stays Forever, and 0 stays 0.
func UpwardJitter(wait time.Duration, rand func() float64) time.Duration {
	if wait <= 0 || rand == nil {
		return max(wait, 0)
	}
	extra := saturated(min(max(rand(), 0), 1) * retryAfterSpread * float64(wait))
	if extra > Forever-wait {
		return Forever
	}
	return wait + extra
}
