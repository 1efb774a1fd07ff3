package policy

import (
	"math"
	"time"
)

// bucketConfig is what the buckets of a limiter have in common, whoever's they are.
type bucketConfig struct {
	rate  float64 // tokens in a nanosecond; 0 is no bound
	most  float64 // what it holds
	whole float64 // the most that one call may take: what it does not hold is a debt
	per   int64
	on    bool // it has a rate, or learns
}

// The least and the most that a rate is taken for, in tokens: beyond it a float64 could not count them one by one.
const (
	leastTokens = 1e-9
	mostTokens  = 1e15
)

func newBucketConfig(r Rate, replicas float64) bucketConfig {
	if !r.bounds() {
		return bucketConfig{per: int64(time.Minute)}
	}
	amount := min(max(r.Amount, leastTokens), mostTokens) / replicas
	per := int64(min(r.Per, longest))
	return bucketConfig{rate: amount / float64(per), most: amount, whole: amount, per: per, on: true}
}

// holdTokens makes the bucket hold what may be used in a slice instead of a whole Per.
func (c *bucketConfig) holdTokens(slice time.Duration) {
	if c.rate > 0 && slice > 0 && int64(slice) < c.per {
		c.most = c.whole * float64(slice) / float64(c.per)
	}
}

// holdRequests makes the bucket hold a burst of requests instead of a whole Per.
func (c *bucketConfig) holdRequests(burst int, replicas float64) {
	if c.rate <= 0 {
		return
	}
	if burst > 0 {
		c.most = max(float64(burst)/replicas, 1)
	} else {
		c.most = max(c.rate*float64(time.Second), 1)
	}
	c.whole = c.most
}

// quota is what one tenant, or everybody, may still use: the zero value is that of who has used nothing.
type quota struct {
	buckets [limitBuckets]bucket
	at      int64 // up to when time has given back
	line    list  // of places

	// of a shared limit: see sharing
	alone bool
	asked int64 // until when a demand is under way
	next  int64 // when the store has what the head of the line needs
	full  int64 // until when the store keeps the buckets
}

// bucket counts what was used and not yet given back by time, rather than what is left, so that the zero value is full.
type bucket struct {
	used  float64
	ahead float64 // what those in line will take
	rate  float64 // learned, below the configured one; 0 is none
	until int64   // when rate ends
	shut  int64   // until when nothing goes, as the target said
}

// spend is what a call takes from each bucket.
type spend [limitBuckets]float64

// spendOf returns what a call takes.
func spendOf(c Cost) spend {
	in, out := float64(max(c.Input, 0)), float64(max(c.Output, 0))
	return spend{BucketRequests: 1, BucketTokens: in + out, BucketInput: in, BucketOutput: out}
}

// price returns what a call takes, and whether the buckets can ever hold it; else which one cannot. Of an output that is only a guess
// a bucket gives what it can.
func (l *Limiter) price(c Cost) (s spend, bucket LimitBucket, ok bool) {
	s = spendOf(c)
	least := s
	if c.Guessed {
		least[BucketTokens], least[BucketOutput] = s[BucketInput], 0
	}
	for i := range l.n {
		b := &l.buckets[i]
		switch {
		case b.rate <= 0:
			s[i] = 0
		case least[i] > b.whole:
			return s, LimitBucket(i), false
		default:
			s[i] = min(s[i], b.whole)
		}
	}
	return s, 0, true
}

// take takes tokens.
func (q *quota) take(s *spend, n int) {
	for i := range n {
		q.buckets[i].used += s[i]
	}
}

// takeRequest takes one request if nobody waits and it may go now, and reports whether it did. It is what due and take do where nothing
// else is bounded.
func (q *quota) takeRequest(c *bucketConfig, t int64) bool {
	b := &q.buckets[BucketRequests]
	if q.line.n > 0 || b.shut > t || b.used+1-c.most > slack {
		return false
	}
	b.used++
	return true
}

// give gives tokens back, to a bucket of which at least so much is used.
func (q *quota) give(s *spend, n int, least float64) {
	for i := range n {
		q.buckets[i].used = max(q.buckets[i].used-s[i], least)
	}
}

// ahead returns what the whole line will take.
func (q *quota) ahead(n int) (s spend) {
	if q.line.n == 0 {
		return s
	}
	for i := range n {
		s[i] = q.buckets[i].ahead
	}
	return s
}

// advance has time give back what was used, up to t.
func (l *Limiter) advance(q *quota, t int64) {
	if l.sharing != nil {
		l.follow(q, t)
	}
	from := q.at
	if from >= t {
		return
	}
	q.at = t
	for i := range l.n {
		b := &q.buckets[i]
		if b.used > 0 && !l.isLinked() {
			b.used = max(b.used-l.buckets[i].earned(b, from, t), 0)
		}
		if b.until <= t {
			b.rate = 0
		}
	}
}

// earned returns what time gives back from one instant to another.
func (c *bucketConfig) earned(b *bucket, from, to int64) float64 {
	slow := int64(0)
	if b.rate > 0 && b.until > from {
		slow = min(b.until, to) - from
	}
	return float64(slow)*b.rate + float64(to-from-slow)*c.rate
}

// slack is how much a bucket may lack for a call to go: what adding many small amounts loses. It stays charged.
const slack = 1e-6

// due returns when the buckets will hold what a call and those ahead of it take, and which of them is the last to.
func (l *Limiter) due(q *quota, t int64, s, ahead *spend) (at int64, last LimitBucket) {
	if l.isLinked() {
		return l.dueLinked(q, t, s, ahead)
	}
	at = t
	for i := range l.n {
		c, b := &l.buckets[i], &q.buckets[i]
		if !c.on {
			continue
		}
		free := b.shut
		if c.rate > 0 {
			if need := b.used + ahead[i] + min(s[i], c.most) - c.most; need > slack {
				free = max(free, c.when(b, t, need))
			}
		}
		if free > at {
			at, last = free, LimitBucket(i)
		}
	}
	return at, last
}

// when returns the instant at which time, from t on, has given back need.
func (c *bucketConfig) when(b *bucket, t int64, need float64) int64 {
	rate := c.rate
	if b.rate > 0 && b.until > t {
		slow := float64(b.until-t) * b.rate
		if need > slow {
			t, need = b.until, need-slow
		} else {
			rate = b.rate
		}
	}
	return t + int64(min(math.Ceil(need/rate), float64(longest)))
}

// balance returns what a bucket holds; below zero it is in debt.
func (c *bucketConfig) balance(b *bucket) float64 { return c.most - b.used }
