package policy

import (
	"sync"
	"time"
)

// Limiter bounds what is sent to a target in a span of time: requests, and the tokens of language models, each as a token bucket. One
// target and credential has one, or one quota of it for each tenant.
//
//	Reserve ──▶ LimitGranted ──▶ Settle (what it really cost)
//	       │          └───────── Refund (never sent)
//	       ├──▶ LimitWaiting ──at its time, or roused──▶ Ask ──▶ as Reserve
//	       │          └───────── Refund (gives up: those behind move up)
//	       ├──▶ LimitRefused: it would come too late; with the time at which it would be its turn
//	       └──▶ LimitNever: it costs more than a bucket ever holds
//
// A call waits in line, first come, first served, and holds nothing but its place: tokens are taken when its turn has come. Who gives
// up leaves nothing behind (trap T55), and who stands first in line then is named, to be told that its turn is earlier.
//
// Invariants: in no span of Per are more requests granted than Amount + Burst, refunded ones not counted; of tokens no more than twice the
// amount is reserved. A call that needs more than a bucket holds, and no more than a whole Per, goes when the bucket is full. What it and
// others cost beyond what was there is a debt that the time to come pays, at most one whole Per.
//
// Safe for concurrent use. It blocks nobody: waiting is an answer.
type Limiter struct {
	buckets   [limitBuckets]bucketConfig
	n         int // the buckets from here on are off
	partition Partition
	replicas  float64
	sharing   *sharing // nil for a limit that is this process's

	mu      sync.Mutex
	clock   clock
	all     quota          // PerAll
	tenants tenants[quota] // PerTenant
	places  table[place]
}

// LimitBucket names a bucket of a limiter.
type LimitBucket uint8

// The buckets.
const (
	// BucketRequests counts requests.
	BucketRequests LimitBucket = iota
	// BucketTokens counts input and output tokens together.
	BucketTokens
	// BucketInput counts input tokens.
	BucketInput
	// BucketOutput counts output tokens.
	BucketOutput

	limitBuckets
)

// LimitVerdict is a limiter's answer to a call. The zero value is LimitRefused.
type LimitVerdict uint8

// The verdicts.
const (
	// LimitRefused means that the call would have to wait for too long.
	LimitRefused LimitVerdict = iota
	// LimitGranted means that the call may go.
	LimitGranted
	// LimitWaiting means that the call has a place in line. It asks again at LimitAnswer.At, or earlier when it is roused.
	LimitWaiting
	// LimitNever means that the call costs more than a bucket ever holds: waiting cannot help.
	LimitNever
)

var limitVerdictNames = []string{LimitRefused: "refused", LimitGranted: "granted", LimitWaiting: "waiting", LimitNever: "never"}

var limitBucketNames = []string{
	BucketRequests: "requests", BucketTokens: "tokens", BucketInput: "input tokens", BucketOutput: "output tokens",
}

// String returns the verdict's name.
func (v LimitVerdict) String() string { return nameOf(limitVerdictNames, uint8(v), "limit-verdict") }

// String returns the bucket's name as errors spell it: what it counts.
func (b LimitBucket) String() string { return nameOf(limitBucketNames, uint8(b), "limit-bucket") }

// LimitAnswer is a limiter's answer to a call.
type LimitAnswer struct {
	// Verdict says what the call may do.
	Verdict LimitVerdict
	// At is when its turn is likely to come, where it waits or is refused.
	At time.Time
	// Bucket is the bucket that it has to wait for, or that never holds as much.
	Bucket LimitBucket
	// Roused is the place whose turn comes earlier by what the question changed; the zero Permit is nobody's.
	Roused Permit
}

// Cost is what a call takes out of the token buckets, as far as it is known beforehand; each call is also one request. Numbers below zero
// count as zero.
type Cost struct {
	// Input and Output are tokens.
	Input, Output int64
	// Guessed says that Output is what calls are observed to use, and no bound of this one: it alone never makes a call
	// impossible. A bucket that holds less gives what it holds.
	Guessed bool
}

// Reservation is what a call has of a limiter: its place in line, or what it took. The zero Reservation is nothing.
type Reservation struct {
	quota, serial uint32 // whose
	place         Permit // in line; the zero Permit once it was granted
	cost          Cost
	granted       bool
}

// Place returns the place in line; the zero Permit if there is none. A driver may use it as the key of whom to rouse.
func (r Reservation) Place() Permit { return r.place }

// Granted reports whether the reservation holds tokens.
func (r Reservation) Granted() bool { return r.granted }

// place is what a limiter remembers of a call in line.
type place struct {
	spend  spend
	at     int64 // when its turn was said to come
	roused bool  // it was named since it asked
}

// mostPlaces bounds the calls in line, of all tenants together.
const mostPlaces = 10_000

// NewLimiter returns a limiter whose buckets are full; of a shared limit, one that has all of it. A bucket without a rate is no bound; with a
// config that has neither rates nor headers to learn from, everything is granted.
func NewLimiter(cfg LimitConfig) *Limiter {
	l := &Limiter{partition: cfg.Per, replicas: 1}
	if cfg.Shared == "" {
		l.replicas = float64(max(cfg.Replicas, 1))
	}
	for i, r := range [limitBuckets]Rate{cfg.Requests, cfg.Tokens, cfg.InputTokens, cfg.OutputTokens} {
		if l.buckets[i] = newBucketConfig(r, l.replicas); l.buckets[i].on {
			l.n = i + 1
		}
	}
	l.buckets[BucketRequests].holdRequests(cfg.Burst, l.replicas)
	for _, b := range [...]LimitBucket{BucketTokens, BucketInput, BucketOutput} {
		l.buckets[b].holdTokens(cfg.Slice)
	}
	l.tenants = makeTenants(l.isIdle)
	if cfg.Headers != LimitHeadersNone {
		l.Learns()
	}
	return l
}

// Learns makes the limiter heed Learn also for what its config does not bound.
func (l *Limiter) Learns() {
	l.mu.Lock()
	defer l.mu.Unlock()
	for i := range l.buckets {
		l.buckets[i].on = true
		if l.sharing != nil {
			l.sharing.whole[i].on = true
		}
	}
	l.n = int(limitBuckets)
}

// PerTenant reports whether each tenant has a quota of its own.
func (l *Limiter) PerTenant() bool { return l.partition == PerTenant }

// Most returns the most that one call may take of a bucket.
func (l *Limiter) Most(b LimitBucket) float64 {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.buckets[b].whole
}

// CountsTokens reports whether the config bounds tokens, so that calls need an estimate and a Settle.
func (cfg LimitConfig) CountsTokens() bool {
	return cfg.Tokens.bounds() || cfg.InputTokens.bounds() || cfg.OutputTokens.bounds()
}

// IsOff reports whether the config bounds nothing and learns nothing.
func (cfg LimitConfig) IsOff() bool {
	return !cfg.Requests.bounds() && !cfg.CountsTokens() && cfg.Headers == LimitHeadersNone
}

// bounds reports whether the rate is one.
func (r Rate) bounds() bool { return r.Amount > 0 && r.Per > 0 }

// Reserve asks for a call of a tenant, who counts only with PerTenant. latest is the last instant at which the call can still use its turn; the
// zero time is none. Where mayWait is false the answer is never LimitWaiting: a hedge copy only tries. Nothing is taken from a
// call that is refused.
func (l *Limiter) Reserve(now time.Time, tenant string, cost Cost, latest time.Time, mayWait bool) (Reservation, LimitAnswer) {
	l.mu.Lock()
	defer l.mu.Unlock()
	t := l.clock.tick(now)
	q, r := l.find(tenant, t)
	r.cost = cost
	if l.n == 1 && q.takeRequest(&l.buckets[BucketRequests], t) { // nearly every call of a limit of requests
		r.granted = true
		return r, LimitAnswer{Verdict: LimitGranted}
	}
	s, bucket, ok := l.price(cost)
	if !ok {
		return Reservation{}, LimitAnswer{Verdict: LimitNever, Bucket: bucket}
	}
	ahead := q.ahead(l.n)
	at, bucket := l.due(q, t, &s, &ahead)
	switch {
	case at <= t:
		q.take(&s, l.n)
		r.granted = true
		return r, LimitAnswer{Verdict: LimitGranted}
	case !mayWait || l.places.taken >= mostPlaces || l.isLate(at, latest):
		return Reservation{}, LimitAnswer{At: l.clock.time(at), Bucket: bucket}
	}
	r.place = l.join(q, s, at)
	return r, LimitAnswer{Verdict: LimitWaiting, At: l.clock.time(at), Bucket: bucket}
}

// Ask asks again for a call in line. A call that would now come after latest is refused, and loses its place.
func (l *Limiter) Ask(now time.Time, r *Reservation, latest time.Time) LimitAnswer {
	if r.granted {
		return LimitAnswer{Verdict: LimitGranted}
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	t := l.clock.tick(now)
	q, p := l.quotaOf(r), findSlot(&l.places, r.place.slot, r.place.serial)
	if q == nil || p == nil {
		*r = Reservation{}
		return LimitAnswer{At: now}
	}
	l.advance(q, t)
	s := p.value.spend
	ahead := l.aheadOf(q, r.place.slot)
	at, bucket := l.due(q, t, &s, &ahead)
	switch {
	case at <= t:
		l.leave(q, r.place.slot)
		q.take(&s, l.n)
		r.place, r.granted = Permit{}, true
		return LimitAnswer{Verdict: LimitGranted, Roused: l.rouse(q, t)}
	case l.isLate(at, latest):
		l.leave(q, r.place.slot)
		*r = Reservation{}
		return LimitAnswer{At: l.clock.time(at), Bucket: bucket, Roused: l.rouse(q, t)}
	default:
		p.value.at, p.value.roused = at, false
		return LimitAnswer{Verdict: LimitWaiting, At: l.clock.time(at), Bucket: bucket}
	}
}

// isLate reports whether a turn at t comes after latest.
func (l *Limiter) isLate(t int64, latest time.Time) bool {
	return !latest.IsZero() && l.clock.time(t).After(latest)
}

// Refund gives a reservation back with which nothing was sent: a place in line, or tokens. It returns the place whose turn comes earlier by
// it, and empties r, so that a second Refund does nothing.
func (l *Limiter) Refund(now time.Time, r *Reservation) (roused Permit) {
	if *r == (Reservation{}) {
		return Permit{}
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	t := l.clock.tick(now)
	q, old := l.quotaOf(r), *r
	*r = Reservation{}
	if q == nil {
		return Permit{}
	}
	l.advance(q, t)
	switch {
	case old.granted:
		s, _, _ := l.price(old.cost)
		q.give(&s, l.n, l.least())
	case findSlot(&l.places, old.place.slot, old.place.serial) != nil:
		l.leave(q, old.place.slot)
	}
	return l.rouse(q, t)
}

// Settle reconciles a call that was sent with what it used: the difference to its reservation is charged, or given back. It returns the
// place whose turn comes earlier by it, and empties r. Only calls that count tokens need it.
func (l *Limiter) Settle(now time.Time, r *Reservation, used Usage) (roused Permit) {
	if !r.granted {
		*r = Reservation{}
		return Permit{}
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	t := l.clock.tick(now)
	q, cost := l.quotaOf(r), r.cost
	*r = Reservation{}
	if q == nil {
		return Permit{}
	}
	l.advance(q, t)
	reserved, _, _ := l.price(cost)
	actual := spendOf(Cost{Input: used.Input, Output: used.Output})
	for i := range l.n {
		if c := &l.buckets[i]; c.rate > 0 {
			q.buckets[i].used = min(max(q.buckets[i].used+actual[i]-reserved[i], l.least()), c.most+c.whole)
		}
	}
	return l.rouse(q, t)
}

// Charge takes requests of a tenant that were sent without asking, by a transport on its own. They may leave a debt, of at most what the
// limit holds.
func (l *Limiter) Charge(now time.Time, tenant string, requests int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	c := &l.buckets[BucketRequests]
	if c.rate <= 0 || requests <= 0 {
		return
	}
	q, _ := l.find(tenant, l.clock.tick(now))
	q.buckets[BucketRequests].used = min(q.buckets[BucketRequests].used+float64(requests), c.most+c.whole)
}

// Usage is what an answer says that it used, in tokens.
type Usage struct {
	// Input is the request's tokens.
	Input int64
	// Cached is the part of the request that the target had read before, and CacheWrite what it kept for the next. Whether Input
	// includes them is the target's to say.
	Cached, CacheWrite int64
	// Output is the answer's tokens, and Reasoning those of it that are not shown.
	Output, Reasoning int64
}
