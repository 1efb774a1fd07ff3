package policy

import "time"

// LimitReading is what a response says about one bucket. The zero value says nothing.
type LimitReading struct {
	// Limit is what may be used in each Window; 0 is unknown. Window 0 is unknown: then it is that of the configuration.
	Limit  float64
	Window time.Duration
	// Remaining is what is left until Reset, if HasRemaining.
	Remaining    float64
	HasRemaining bool
	// Reset is the time until the limit is whole again; 0 is unknown.
	Reset time.Duration
}

// LimitReadings are what a response says about the buckets, by LimitBucket.
type LimitReadings [limitBuckets]LimitReading

// leastRate is the least that headers lower a limit to: one in a second.
const leastRate = 1 / float64(time.Second)

// Learn takes what a response to a call of the tenant says about the limits. It only ever lowers them, until the reset that the response names,
// and never below one in a second: a limit that is lower than the configured one counts in its place; a remainder that is lower than the
// balance becomes the balance; without a remainder nothing goes before the reset. What is learned holds for at most one Per, or a
// minute if that is longer: then a call finds out whether it still holds.
func (l *Limiter) Learn(now time.Time, tenant string, said *LimitReadings) {
	if *said == (LimitReadings{}) {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	t := l.clock.tick(now)
	q, _ := l.find(tenant, t)
	for i := range l.n {
		if c := &l.buckets[i]; c.on {
			c.learn(&q.buckets[i], t, &said[i], l.replicas)
		}
	}
}

func (c *bucketConfig) learn(b *bucket, t int64, r *LimitReading, replicas float64) {
	window, reset := int64(r.Window), int64(r.Reset)
	if window <= 0 {
		window = c.per
	}
	most := max(c.per, int64(PauseProbe))
	if r.Limit > 0 && c.rate > 0 {
		until := window
		if reset > 0 {
			until = reset
		}
		b.rate, b.until = 0, 0
		if rate := max(r.Limit/replicas/float64(window), leastRate); rate < c.rate {
			b.rate, b.until = rate, t+min(until, most)
		}
	}
	switch {
	case !r.HasRemaining:
	case r.Remaining > 0:
		b.used = max(b.used, c.most-r.Remaining)
	case reset > 0:
		b.shut = max(b.shut, t+min(reset, most))
	}
}

// LimiterSnapshot is what a limiter shows of itself. With a limit for each tenant, the buckets are those of whoever has least left.
type LimiterSnapshot struct {
	// Requests, Tokens, Input and Output are the buckets; one that is off is zero.
	Requests, Tokens, Input, Output BucketSnapshot
	// Waiting is the number of calls in line.
	Waiting int
	// Tenants is the number of tenants that are told apart, and Spilled that of calls whose tenant was not, because there were too many.
	Tenants int
	Spilled uint64
	// Shared is the name of a limit that lies in a store; empty for one that is this process's. Alone says that the store does not answer, since
	// Since, and that this process has its part of the limit meanwhile.
	Shared string
	Alone  bool
	Since  time.Time
	// Replicas is how many processes share the limit, by the store, or by the configuration while it has never answered; 0 is unknown.
	Replicas int
}

// BucketSnapshot is what a bucket shows of itself.
type BucketSnapshot struct {
	// Balance is what may be used at once, of Most; below zero it is a debt.
	Balance, Most float64
	// PerSecond is the rate at which it fills.
	PerSecond float64
	// LearnedUntil is when a rate that the target's headers lowered ends; PausedUntil is when calls go again after the target said that
	// nothing is left. Zero where there is none.
	LearnedUntil, PausedUntil time.Time
}

// Snapshot returns what the limiter shows at now.
func (l *Limiter) Snapshot(now time.Time) LimiterSnapshot {
	l.mu.Lock()
	defer l.mu.Unlock()
	t := l.clock.tick(now)
	s := LimiterSnapshot{Waiting: l.places.taken, Tenants: countTenants(&l.tenants), Spilled: l.tenants.spilled}
	var least [limitBuckets]BucketSnapshot
	l.eachQuota(func(q *quota, first bool) {
		l.advance(q, t)
		for i := range l.n {
			if b := l.bucketSnapshot(i, &q.buckets[i], t); first || b.Balance < least[i].Balance {
				least[i] = b
			}
		}
	})
	l.snapshotShared(&s, &least)
	s.Requests, s.Tokens, s.Input, s.Output = least[BucketRequests], least[BucketTokens], least[BucketInput], least[BucketOutput]
	return s
}

// eachQuota calls f for every quota.
func (l *Limiter) eachQuota(f func(q *quota, first bool)) {
	if l.partition == PerAll {
		f(&l.all, true)
		return
	}
	f(&l.tenants.other, true)
	for n := l.tenants.recent.head; n != 0; n = l.tenants.values.slots[n].next {
		f(valueOfTenant(&l.tenants, n), false)
	}
}

func (l *Limiter) bucketSnapshot(i int, b *bucket, t int64) BucketSnapshot {
	c := &l.buckets[i]
	s := BucketSnapshot{Balance: c.balance(b), Most: c.most, PerSecond: c.rate * float64(time.Second)}
	if b.rate > 0 {
		s.PerSecond, s.LearnedUntil = b.rate*float64(time.Second), l.clock.time(b.until)
	}
	if b.shut > t {
		s.PausedUntil = l.clock.time(b.shut)
	}
	return s
}
