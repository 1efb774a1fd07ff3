package sim

import (
	"math"
	"math/rand/v2"
	"slices"
	"time"
)

// arrivals is a Client at work: when its calls arrive.
type arrivals struct {
	cfg    Client
	rand   *rand.Rand
	listed []time.Duration // those of At that are still to come
	sent   int
	last   int64
}

// newArrivals returns the arrivals of a client. Evenly spaced ones begin at once.
func newArrivals(c Client, r *rand.Rand) *arrivals {
	return &arrivals{cfg: c, rand: r, listed: slices.Sorted(slices.Values(c.At))}
}

// next returns when the next call arrives, and whether one does before end.
func (a *arrivals) next(end int64) (int64, bool) {
	var at int64
	switch {
	case len(a.cfg.At) > 0:
		if len(a.listed) == 0 {
			return 0, false
		}
		at, a.listed = int64(a.listed[0]), a.listed[1:]
	case a.cfg.Poisson:
		at = a.last + nanos(a.rand.ExpFloat64()/a.cfg.Rate)
	default:
		at = nanos(float64(a.sent) / a.cfg.Rate) // not summed up, which would drift
	}
	a.sent++
	a.last = at
	return at, at < end
}

// nanos turns seconds into nanoseconds.
func nanos(seconds float64) int64 {
	return int64(math.Min(math.Round(seconds*float64(time.Second)), longest))
}
