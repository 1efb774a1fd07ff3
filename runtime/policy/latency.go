package policy

import (
	"math/bits"
	"sync"
	"time"
)

const (
	// latencyShift sets the finest step of a histogram: 1024 ns.
	latencyShift = 10
	// latencySub is the number of buckets for each doubling, which bounds the error at one eighth before interpolation.
	latencySub     = 8
	latencySubBits = 3
	// latencyBuckets ends the histogram at 2 h 17 min; what is longer counts as that.
	latencyBuckets = 248
	// latencyMost is the longest duration that is told apart: the start of the last bucket.
	latencyMost = int64(15) << (29 + latencyShift)
	// latencyHalf is the number of samples after which a half is closed, so that newer samples replace older ones.
	latencyHalf = 1024
	// latencyMin is the number of samples from which a high percentile is trusted.
	latencyMin = 100
	// latencyFew is the number of samples from which the percentile of nearly all is trusted, and nearly is that percentile.
	latencyFew = 20
	nearly     = 0.95
	// latencyTurn closes a half that holds latencyMin samples once it is that old.
	latencyTurn = 30 * time.Second
	// latencyIdle is the silence after which samples say nothing about the present.
	latencyIdle = 5 * time.Minute
)

// histogram is a rolling log-linear histogram of durations: two halves, of which the older goes when the newer is full. Fixed
// memory (2 KB), no allocation. Not safe for concurrent use.
type histogram struct {
	halves [2]half
	newer  int
	newest int64 // when the last sample was recorded
}

type half struct {
	counts   [latencyBuckets]uint32
	n        uint32
	since    int64
	min, max int64
}

// record adds a sample.
func (h *histogram) record(t int64, d time.Duration) {
	h.forget(t)
	cur := &h.halves[h.newer]
	if cur.n >= latencyHalf || cur.n >= latencyMin && t-cur.since >= int64(latencyTurn) {
		h.newer = 1 - h.newer
		cur = &h.halves[h.newer]
		*cur = half{}
	}
	v := min(int64(max(d, 0)), latencyMost)
	if cur.n == 0 {
		cur.since, cur.min, cur.max = t, v, v
	}
	cur.min, cur.max = min(cur.min, v), max(cur.max, v)
	cur.counts[bucketOf(v)]++
	cur.n++
	h.newest = t
}

// forget drops all samples after a long silence and reports whether it did.
func (h *histogram) forget(t int64) bool {
	if t-h.newest < int64(latencyIdle) || h.samples() == 0 {
		return false
	}
	*h = histogram{newest: t}
	return true
}

// samples returns the number of samples held.
func (h *histogram) samples() int { return int(h.halves[0].n) + int(h.halves[1].n) }

// quantile returns the q-quantile of the samples, interpolated within its bucket, and 0 without samples.
func (h *histogram) quantile(q float64) time.Duration {
	n := h.samples()
	if n == 0 {
		return 0
	}
	rank := min(max(q, 0), 1) * float64(n-1)
	low, high := h.span()
	seen := 0
	for i := bucketOf(low); i < latencyBuckets; i++ {
		c := int(h.halves[0].counts[i]) + int(h.halves[1].counts[i])
		if c == 0 || float64(seen+c) <= rank {
			seen += c
			continue
		}
		from, to := bucketSpan(i)
		share := min((rank-float64(seen)+half05)/float64(c), 1)
		v := from + int64(share*float64(to-from))
		return time.Duration(min(max(v, low), high))
	}
	return time.Duration(high)
}

// half05 centres a rank within its sample.
const half05 = 0.5

// span returns the least and the greatest sample. The first half is never empty while the second is not.
func (h *histogram) span() (low, high int64) {
	a, b := &h.halves[0], &h.halves[1]
	if b.n == 0 {
		return a.min, a.max
	}
	return min(a.min, b.min), max(a.max, b.max)
}

// bucketOf returns the bucket of a duration in nanoseconds.
func bucketOf(ns int64) int {
	v := uint64(ns) >> latencyShift
	if v < latencySub {
		return int(v)
	}
	e := bits.Len64(v) - latencySubBits - 1
	return min((e+1)*latencySub+int(v>>e)&(latencySub-1), latencyBuckets-1)
}

// bucketSpan returns the durations that bucket i holds, in nanoseconds: from included, to excluded.
func bucketSpan(i int) (from, to int64) {
	e, sub := i/latencySub-1, int64(i%latencySub)
	if e < 0 {
		return sub << latencyShift, (sub + 1) << latencyShift
	}
	return (latencySub + sub) << (e + latencyShift), (latencySub + sub + 1) << (e + latencyShift)
}

// Latency is a rolling estimate of how long an operation's successes take. It has a fixed size (2 KB); newer samples replace older
// ones, and a silence of five minutes clears it. The zero value is empty and ready. Safe for concurrent use.
type Latency struct {
	shared *Guard // nil where it has its own
	own    Guard
	hist   histogram
}

// guard returns the lock and the clock.
func (l *Latency) guard() *Guard {
	if l.shared != nil {
		return l.shared
	}
	return &l.own
}

// under reports whether the estimate is there and has that lock.
func (l *Latency) under(mu *sync.Mutex) bool {
	return l != nil && l.shared != nil && &l.shared.mu == mu
}

// Record adds the duration of a success. Failures do not belong here: a fast one would pass for a fast answer.
func (l *Latency) Record(now time.Time, d time.Duration) {
	g := l.guard()
	g.mu.Lock()
	l.hist.record(g.clock.tick(now), d)
	g.mu.Unlock()
}

// Quantile returns the q-quantile of the samples (0.5 is the median), within an eighth, and the number of samples. Without
// samples it returns 0 and 0.
func (l *Latency) Quantile(q float64) (time.Duration, int) {
	g := l.guard()
	g.mu.Lock()
	defer g.mu.Unlock()
	return l.hist.quantile(q), l.hist.samples()
}

// minUseful is the shortest time in which an attempt may be expected to achieve anything.
const minUseful = 5 * time.Millisecond

// usefulParts is the part of an attempt timeout that passes for useful while nothing better is known: a tenth.
const usefulParts = 10

// UsefulTime returns the time that an attempt needs to be worth starting: the median of successes, at least 5 ms and at most a
// quarter of the attempt timeout; a tenth of the attempt timeout while there are no samples. An attempt timeout of 0 is
// none: then only the median and the least count. A nil Latency has no samples.
func UsefulTime(l *Latency, attempt time.Duration) time.Duration {
	const mostParts = 4
	var median time.Duration
	samples := 0
	if l != nil {
		median, samples = l.Quantile(half05)
	}
	switch {
	case attempt <= 0:
		return max(median, minUseful)
	case samples == 0:
		return attempt / usefulParts
	default:
		return min(max(median, minUseful), attempt/mostParts)
	}
}

// ReservedTime returns the time that earlier rungs leave to a later one: that in which 95 % of its successes came, at most the attempt
// timeout. While fewer than 20 of them are known, a rung is taken to be no faster than the operation itself, whose successes first has; its
// useful time is the least. What is worth starting is not enough to be left with: half of the attempts would not come to their end.
func ReservedTime(l, first *Latency, attempt time.Duration) time.Duration {
	var needed, alike time.Duration
	samples := 0
	if l != nil {
		needed, samples = l.Quantile(nearly)
	}
	if samples < latencyFew && first != nil {
		alike, _ = first.Quantile(nearly)
	}
	if needed = max(needed, alike); attempt > 0 {
		needed = min(needed, attempt)
	}
	return max(needed, UsefulTime(l, attempt))
}
