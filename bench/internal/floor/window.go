package floor

import (
	"math/bits"
	"runtime"
	"sync/atomic"
	"unsafe"
)

const (
	cacheLine      = 64
	bucketCount    = 8
	bucketNanos    = int64(1_250_000_000) // 8 × 1.25 s: a window of 10 s
	latencyBuckets = 64

	// A bucket is one word: epoch (24 bits), failures (20), total (20).
	epochShift   = 40
	failureShift = 20
	epochMask    = 1<<24 - 1
	countMask    = 1<<20 - 1
)

// Window is a rolling window of results and a histogram of latencies, split so that processors seldom write to the same cache line.
type Window struct {
	shards []shard
	mask   uint32
}

type shard struct {
	buckets   [bucketCount]atomic.Uint64
	latencies [latencyBuckets]atomic.Uint32
	_         [cacheLine]byte
}

// NewWindow returns an empty window with two shards or more for each processor.
func NewWindow() *Window {
	n := 1
	for n < 2*runtime.GOMAXPROCS(0) {
		n *= 2
	}
	return &Window{shards: make([]shard, n), mask: uint32(n - 1)}
}

// Record adds a result.
func (w *Window) Record(now int64, failed bool) { w.shard().add(now, failed) }

// Totals returns the results, and the failures among them, that the window holds.
func (w *Window) Totals(now int64) (total, failures uint64) {
	epoch := epochOf(now)
	for i := range w.shards {
		for j := range w.shards[i].buckets {
			v := w.shards[i].buckets[j].Load()
			if epoch-v>>epochShift < bucketCount {
				total += v & countMask
				failures += v >> failureShift & countMask
			}
		}
	}
	return total, failures
}

// shard picks a shard by the address of a variable on the stack: goroutines that run at the same time have different stacks, so this is
// a free hint, and a good one.
func (w *Window) shard() *shard {
	var onStack byte
	p := uintptr(unsafe.Pointer(&onStack)) //nolint:gosec // only the number is used
	return &w.shards[uint32((uint64(p>>10)*0x9E3779B97F4A7C15)>>40)&w.mask]
}

func epochOf(now int64) uint64 { return uint64(now/bucketNanos) & epochMask }

func (s *shard) add(now int64, failed bool) {
	epoch := epochOf(now)
	bucket := &s.buckets[epoch%bucketCount]
	delta := uint64(1)
	if failed {
		delta += 1 << failureShift
	}
	v := bucket.Load()
	for v>>epochShift != epoch {
		if bucket.CompareAndSwap(v, epoch<<epochShift|delta) {
			return
		}
		v = bucket.Load()
	}
	bucket.Add(delta)
}

func (s *shard) took(d int64) { s.latencies[latencyBucket(d)].Add(1) }

// latencyBucket has four buckets for each power of two, from 1.024 µs on.
func latencyBucket(d int64) int {
	u := uint64(d) >> 10
	if u == 0 {
		return 0
	}
	power := bits.Len64(u) - 1
	quarter := int(u<<2>>power) & 3
	return min(power*4+quarter, latencyBuckets-1)
}
