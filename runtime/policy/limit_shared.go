package policy

import (
	"math"
	"time"
)

const (
	// LimitStoreWait is how long a call waits for the store of a shared limit, at most.
	LimitStoreWait = 10 * time.Millisecond
	// leaseSpan is the span of a limit that all replicas together may take out beforehand.
	leaseSpan = 100 * time.Millisecond
	// leastLease is the least that is worth a lease.
	leastLease = 2
	// storeLost is how long a demand is under way, at most: then whoever carried it is taken to have died.
	storeLost = time.Second
)

// sharing is what makes a limiter one of several that share a limit. Its buckets hold what was taken of those in a store:
//
//	linked: used is minus what is held; above zero it is owed ──Lost──▶ alone: a part of the limit, empty at first
//	   ▲───────────────────────────Supply───────────────────────────────┘
//
// Linked, time gives nothing back: the store does, where Demand asks for it and Supply brings it. A replica asks for what its calls in line
// need and, where that is worth it, a lease beyond: what the limit allows in leaseSpan, and at most half of what the bucket holds, divided by
// the replicas. Alone, the limiter is one of its own, of a part of the limit.
//
// Invariant: what a limiter holds of a bucket is at most its lease and what its line needs; the rest goes back to the store with the next demand.
type sharing struct {
	name     string
	alone    bool
	since    int64 // of the last change between the two
	again    int64 // alone: when the store may be asked
	known    int   // replicas, by the store; 0 is unknown
	replicas int   // by the configuration
	whole    [limitBuckets]bucketConfig
	parts    float64 // into how many the limit was divided when it was alone last
	lease    [limitBuckets]float64
	left     [limitBuckets]float64 // in the store, when it last answered
}

// NewSharedLimiter returns a limiter of the limit with that name, which others share through a store: see Demand. It holds nothing yet.
func NewSharedLimiter(cfg LimitConfig, name string) *Limiter {
	replicas := cfg.Replicas
	l := NewLimiter(cfg)
	l.sharing = &sharing{name: name, replicas: replicas, whole: l.buckets}
	l.link()
	return l
}

// IsShared reports whether the limiter is one of several that share a limit.
func (l *Limiter) IsShared() bool { return l.sharing != nil }

// link makes the buckets those that hold what was taken from the store.
func (l *Limiter) link() {
	s := l.sharing
	s.alone, l.replicas = false, 1
	for i := range l.buckets {
		c := s.whole[i]
		s.lease[i] = 0
		if n := math.Floor(min(c.rate*float64(leaseSpan), c.most/2) / float64(max(s.known, 1))); n >= leastLease { //nolint:mnd // half of it
			s.lease[i] = n
		}
		c.most = 0
		l.buckets[i] = c
	}
}

// divide makes the buckets those of a part of the limit. One call may take as much as before.
func (l *Limiter) divide() {
	s := l.sharing
	if s.parts = float64(s.known); s.known == 0 {
		s.parts = float64(max(s.replicas, 1))
	}
	s.alone, l.replicas = true, s.parts
	for i := range l.buckets {
		l.buckets[i] = dividedBucket(s.whole[i], s.parts)
	}
	l.buckets[BucketRequests].most = max(l.buckets[BucketRequests].most, 1)
}

// dividedBucket returns the bucket of one of so many parts.
func dividedBucket(c bucketConfig, parts float64) bucketConfig {
	c.rate /= parts
	c.most /= parts
	return c
}

// follow makes a quota what the limiter has become since it was looked at last: linked, or alone.
func (l *Limiter) follow(q *quota, t int64) {
	s := l.sharing
	if q.alone == s.alone {
		return
	}
	since := min(s.since, t)
	for i := range l.n {
		c, b := &l.buckets[i], &q.buckets[i]
		if c.rate <= 0 {
			continue
		}
		if s.alone { // it begins with what it holds, else empty
			b.used = min(max(c.most+b.used, 0), c.most+c.whole)
			continue
		}
		part := dividedBucket(s.whole[i], s.parts) // what was used of it lately is owed: the store knows nothing of it
		b.used = max(b.used-part.earned(b, min(q.at, since), since), 0)
	}
	q.alone, q.at, q.asked, q.next = s.alone, since, 0, 0
}

// isLinked reports whether the buckets hold what was taken from a store.
func (l *Limiter) isLinked() bool { return l.sharing != nil && !l.sharing.alone }

// least returns the least that a bucket's used may be: below zero it is what is held of a store.
func (l *Limiter) least() float64 {
	if l.isLinked() {
		return -mostTokens
	}
	return 0
}

// dueLinked is due where the store says when there will be more: the head of the line asks it then, and those behind come no sooner than the
// limit allows.
func (l *Limiter) dueLinked(q *quota, t int64, s, ahead *spend) (at int64, last LimitBucket) {
	at = t
	soonest := max(q.next, t+int64(LimitStoreWait))
	for i := range l.n {
		c, b := &l.buckets[i], &q.buckets[i]
		if !c.on {
			continue
		}
		free := b.shut
		if c.rate > 0 && b.used+ahead[i]+s[i] > slack {
			free = max(free, soonest+int64(min(ahead[i]/c.rate, float64(longest/2))))
		}
		if free > at {
			at, last = free, LimitBucket(i)
		}
	}
	return at, last
}

// short reports whether the store is to be asked for the quota of a reservation, or be told something of it, and whose that is.
func (l *Limiter) short(now time.Time, r *Reservation) (tenant string, short bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	t := l.clock.tick(now)
	q := l.quotaOf(r)
	if q == nil {
		return "", false
	}
	l.advance(q, t)
	switch {
	case l.partition == PerAll:
	case r.quota == 0:
		tenant = otherTenants
	default:
		tenant = l.tenants.values.slots[r.quota].value.key
	}
	return tenant, l.isShort(q, t)
}

// isShort reports whether there is something to ask of the store.
func (l *Limiter) isShort(q *quota, t int64) bool {
	s := l.sharing
	switch {
	case t < q.asked:
		return false
	case s.alone:
		return t >= s.again
	}
	low := false
	for i := range l.n {
		if c, b := &l.buckets[i], &q.buckets[i]; c.rate > 0 {
			if b.used > slack || l.spare(q, i) > slack {
				return true
			}
			low = low || q.line.n > 0 && b.used+l.places.slots[q.line.head].value.spend[i] > slack || -b.used < s.lease[i]/2
		}
	}
	return low && t >= q.next
}

// spare returns what is held of a bucket beyond the lease and what the line needs.
func (l *Limiter) spare(q *quota, i int) float64 {
	return max(-q.buckets[i].used-max(l.sharing.lease[i], q.buckets[i].ahead), 0)
}

// Demand returns what the store is to be asked for a tenant's quota. It is false where there is nothing to ask, or where another asks already: the
// answer, or that there was none, is for Supply or Lost.
func (l *Limiter) Demand(now time.Time, tenant string) (d LimitDemand, ok bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.sharing == nil {
		return d, false
	}
	t := l.clock.tick(now)
	q := l.quotaFor(tenant, t)
	if !l.isShort(q, t) {
		return d, false
	}
	q.asked = t + int64(storeLost)
	d = LimitDemand{Name: l.sharing.name, Tenant: tenant, Known: t < q.full}
	for i := range l.n {
		if c := &l.sharing.whole[i]; c.rate > 0 {
			d.Buckets[i] = l.demand(q, i, t)
		}
	}
	return d, true
}

// demand returns what is asked of one bucket, and counts what is owed as told. Alone, the store is only asked whether it answers.
func (l *Limiter) demand(q *quota, i int, t int64) BucketDemand {
	s, b := l.sharing, &q.buckets[i]
	c := &s.whole[i]
	rate := c.rate
	if b.rate > 0 && b.until > t {
		rate = min(rate, b.rate)
	}
	d := BucketDemand{Rate: rate * float64(time.Second), Most: c.most, Debt: c.whole}
	if s.alone {
		return d
	}
	switch spare := l.spare(q, i); {
	case b.used > 0:
		d.Owed, b.used = b.used, 0
	case spare > 0:
		d.Owed = -spare
		b.used += spare
	}
	held := -b.used
	if q.line.n > 0 {
		d.Least = max(l.places.slots[q.line.head].value.spend[i]-held, 0)
	}
	fair := max(s.lease[i], c.most/float64(max(s.known, 1)))
	d.Want = max(d.Least, min(b.ahead+s.lease[i], fair)-held, 0)
	return d
}

// Supply takes the store's answer to a demand. It returns the place whose turn has come by it, and whether the limiter was alone before.
func (l *Limiter) Supply(now time.Time, d *LimitDemand, given *LimitSupply) (roused Permit, linked bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	t := l.clock.tick(now)
	s := l.sharing
	if linked = s.alone; linked {
		s.since = t
	}
	s.known = max(given.Replicas, 0)
	s.left = given.Left
	l.link()
	q := l.quotaFor(d.Tenant, t)
	q.asked, q.next, q.full = 0, 0, t+int64(given.Full)
	if given.Wait > 0 {
		q.next = t + int64(given.Wait)
	}
	for i := range l.n {
		q.buckets[i].used -= given.Taken[i]
		if s.lease[i] > 0 && given.Taken[i] < d.Buckets[i].Want { // it is empty: in a while there is enough to be worth a question
			q.next = max(q.next, t+int64(s.lease[i]*float64(max(s.known, 1))/s.whole[i].rate))
		}
	}
	return l.rouse(q, t), linked
}

// Lost takes that the store has not answered a demand, and is not to be asked before again. It returns the place whose turn comes earlier by
// it, and whether the limiter was linked before.
func (l *Limiter) Lost(now time.Time, d *LimitDemand, again time.Time) (roused Permit, alone bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	t := l.clock.tick(now)
	s := l.sharing
	s.again = l.clock.since(again)
	if alone = !s.alone; alone {
		s.since = t
		l.divide()
	}
	q := l.quotaFor(d.Tenant, t)
	q.asked = 0
	return l.rouse(q, t), alone
}

// otherTenants stands for those tenants who have no quota of their own. It is longer than any tenant's key.
const otherTenants = "tenants that are not told apart, because there are too many"

// quotaFor returns the quota of a demand's tenant, brought up to t.
func (l *Limiter) quotaFor(tenant string, t int64) *quota {
	if tenant == otherTenants {
		l.advance(&l.tenants.other, t)
		return &l.tenants.other
	}
	q, _ := l.find(tenant, t)
	return q
}

// snapshotShared says what a limiter shows of its store. Of a limit for each tenant what is left there is not known.
func (l *Limiter) snapshotShared(s *LimiterSnapshot, buckets *[limitBuckets]BucketSnapshot) {
	of := l.sharing
	if of == nil {
		return
	}
	s.Shared, s.Alone, s.Replicas = of.name, of.alone, of.known
	if s.Replicas == 0 {
		s.Replicas = of.replicas
	}
	if of.alone {
		s.Since = l.clock.time(of.since)
		return
	}
	for i := range l.n {
		if buckets[i].Most = of.whole[i].most; l.partition == PerAll {
			buckets[i].Balance += of.left[i]
		}
	}
}

// SharedName returns the name under which the limit of a target lies in the store: that which the limit is given, and the target where that is
// not the primary one, since targets do not share what is sent to them.
func SharedName(l *LimitConfig, target string) string {
	if l.Shared == "" || target == PrimaryTarget {
		return l.Shared
	}
	return l.Shared + "/" + target
}
