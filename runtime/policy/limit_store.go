package policy

import (
	"math"
	"sync"
	"time"
)

// LimitDemand is what a limiter asks of the store of a shared limit: to count what was used beyond what was taken, and to take what calls
// need. Comparable.
type LimitDemand struct {
	// Name is the limit's, the same in every process that shares it.
	Name string
	// Tenant says whose quota it is, as TenantKey does; empty with a limit that is everybody's.
	Tenant string
	// Known says that the store had these buckets, and would have kept them until now. If it has none, it has lost them: then they are
	// empty, and not full.
	Known bool
	// Buckets are the buckets, by LimitBucket. One whose Rate is 0 is off.
	Buckets [limitBuckets]BucketDemand
}

// BucketDemand is what is asked of one bucket.
type BucketDemand struct {
	// Rate is what flows in, in a second.
	Rate float64
	// Most is what the bucket holds, and Debt how far below nothing it may fall.
	Most, Debt float64
	// Owed was used beyond what was taken. Below zero it was taken and is given back.
	Owed float64
	// Least is what each bucket must hold for anything to be taken from any. Of more than the bucket ever holds, all that it holds is enough.
	Least float64
	// Want is what is taken if it is there, at least Least.
	Want float64
}

// LimitSupply is a store's answer.
type LimitSupply struct {
	// Taken is what was taken, and Left what is left, by LimitBucket.
	Taken, Left [limitBuckets]float64
	// Wait is how long it takes until Least is there; 0 where it was.
	Wait time.Duration
	// Full is how long it takes until the buckets are full. Until then the store keeps them.
	Full time.Duration
	// Replicas is the number of processes that asked for something of this limit lately, the one that asks included; 0 is unknown.
	Replicas int
}

// Answers reports whether the supply is one that the demand may get: numbers that are some, and enough where anything was taken.
func (s *LimitSupply) Answers(d *LimitDemand) bool {
	for i := range d.Buckets {
		b := &d.Buckets[i]
		if !(s.Taken[i] >= 0 && s.Taken[i] <= max(b.Want, b.Least)+slack) || math.IsNaN(s.Left[i]) {
			return false
		}
		if s.Wait <= 0 && s.Taken[i] < b.Least-slack {
			return false
		}
	}
	return s.Wait >= 0 && s.Full >= 0
}

// LimitPool keeps shared limits in this process: what a store does for several, and the pattern for those that do. The zero value is ready. Safe
// for concurrent use.
type LimitPool struct {
	mu    sync.Mutex
	clock clock
	pools map[poolKey]*pool
	swept int // how many there were when those that are full were forgotten
}

type poolKey struct{ name, tenant string }

// pool are the buckets of one limit and tenant: what was used at that time.
type pool struct {
	used [limitBuckets]float64
	at   int64
	full int64 // when they are
}

// fewPools is how many pools are kept without looking for those that are full.
const fewPools = 1024

// Take answers a demand at now.
func (p *LimitPool) Take(now time.Time, d *LimitDemand) LimitSupply {
	p.mu.Lock()
	defer p.mu.Unlock()
	t := p.clock.tick(now)
	s := p.take(p.find(poolKey{d.Name, d.Tenant}, t, d), t, d)
	s.Replicas = 1
	return s
}

// find returns the pool under a key. Those that are full by now are forgotten from time to time: a new one is full too.
func (p *LimitPool) find(key poolKey, t int64, d *LimitDemand) *pool {
	if found, ok := p.pools[key]; ok {
		return found
	}
	if len(p.pools) >= max(2*p.swept, fewPools) {
		for k, old := range p.pools {
			if old.full <= t {
				delete(p.pools, k)
			}
		}
		p.swept = len(p.pools)
	}
	if p.pools == nil {
		p.pools = map[poolKey]*pool{}
	}
	made := &pool{at: t}
	for i := range d.Buckets {
		if d.Known {
			made.used[i] = d.Buckets[i].Most
		}
	}
	p.pools[key] = made
	return made
}

// take has time give back what was used, counts what is owed, and takes from all buckets or from none.
func (*LimitPool) take(of *pool, t int64, d *LimitDemand) (s LimitSupply) {
	passed := time.Duration(t - of.at).Seconds()
	of.at = t
	wait := 0.0
	for i := range d.Buckets {
		b := &d.Buckets[i]
		if b.Rate <= 0 {
			continue
		}
		used := max(of.used[i]-b.Rate*passed, 0)
		of.used[i] = min(max(used+b.Owed, 0), b.Most+b.Debt)
		wait = max(wait, (min(b.Least, b.Most)-b.Most+of.used[i]-slack)/b.Rate)
	}
	full := 0.0
	for i := range d.Buckets {
		b := &d.Buckets[i]
		if b.Rate <= 0 {
			continue
		}
		if wait <= 0 {
			s.Taken[i] = max(b.Least, min(b.Want, b.Most-of.used[i]))
			of.used[i] += s.Taken[i]
		}
		s.Left[i] = b.Most - of.used[i]
		full = max(full, of.used[i]/b.Rate)
	}
	s.Wait, s.Full = spanOf(wait), spanOf(full)
	of.full = t + int64(s.Full)
	return s
}

// spanOf returns so many seconds, rounded up to what stores count in.
func spanOf(seconds float64) time.Duration {
	if seconds <= 0 {
		return 0
	}
	return time.Duration(min(math.Ceil(seconds*1e6), float64(longest/time.Microsecond))) * time.Microsecond
}
