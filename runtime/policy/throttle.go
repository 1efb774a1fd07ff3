package policy

import (
	"sync"
	"time"
)

const (
	// throttleBuckets is the number of buckets of a throttle's window.
	throttleBuckets = 60
	// throttleYoung is the part of the window over which the rate of requests is measured while the throttle is younger: a twelfth.
	throttleYoung = 12
	// throttleEase and throttleTrust are how many requests in a row the target must take for fewer to be rejected, and for what it
	// did not take before to be forgotten. A target of which a part is rejected takes half of what it is sent at most, so that ten
	// in a row are chance once in a thousand times.
	throttleEase, throttleTrust = 10, 50
	// throttleClasses is the number of criticalities.
	throttleClasses = int(criticalityCount - Critical)
)

// Throttle rejects calls before they are sent to a target that does not take most of them: the client-side throttling of
// Google's "Site Reliability Engineering" (chapter 21). Of the requests in the window it rejects the share
//
//	p = max(0, (requests − K × accepts) / (requests + 1))
//
// Requests are counted when they begin, those that the throttle rejects too, or its own rejections would look like
// recovery. Accepts are counted when they end. What is under way counts as accepted at the rate of what has ended: otherwise a start
// with slow calls would be taken for an outage. The caller's own end and the rejections of other machines count as if the
// request had never been made.
//
// The share is taken from sheddable calls first, then from normal ones, then from critical ones, by the mix that is observed, and within
// a class by chance, so that shedding is gradual. Of no class more than MaxReject is rejected: a trickle of each finds out
// whether the target has recovered. Nothing is rejected while there are fewer requests than MinPerSecond.
//
// When a target takes again all that it is sent, the formula alone would need minutes to believe it, because its own rejections
// are requests. From ten requests in a row on less and less is rejected, and after fifty the window begins anew.
//
// Safe for concurrent use.
type Throttle struct {
	cfg   ShedConfig
	width int64 // of a bucket, in nanoseconds; 0 is off
	rand  func() float64

	mu      sync.Mutex
	clock   clock
	buckets [throttleBuckets]throttleBucket
	newest  int64 // the number of the newest bucket
	skipped int64 // numbers that were given to no bucket
	since   int64 // when the present run of requests began
	streak  int   // requests that the target took since the last one that it did not
	sum     throttleBucket
}

// Passage is a request that a Throttle let through, until End. The zero Passage is one that nobody counts.
type Passage struct {
	bucket int64 // 1 + the number of the bucket in which it began
	class  uint8
}

// ending is how a request that a throttle counted ended.
type ending uint8

const (
	failed   ending = iota // the target did not take it
	accepted               // the target took it
	rejected               // the throttle rejected it
	undone                 // as if it had never been
)

// NewThrottle returns a throttle that has seen nothing. The zero config rejects nothing. rand returns numbers in [0, 1).
func NewThrottle(cfg ShedConfig, rand func() float64) *Throttle {
	th := &Throttle{cfg: cfg, rand: rand}
	if cfg.Factor > 0 && cfg.MaxReject > 0 && cfg.Window > 0 {
		th.width = max(int64(min(cfg.Window, longest))/throttleBuckets, 1)
	}
	return th
}

// Admit counts a request, and reports whether it may be sent. One that is sent must be ended.
func (th *Throttle) Admit(now time.Time, c Criticality) (Passage, bool) {
	if th.width == 0 {
		return Passage{}, true
	}
	p, share := th.begin(now, int(classOf(c)-Critical))
	if share <= 0 || th.rand() >= share {
		return p, true
	}
	th.end(now, p, rejected)
	return Passage{}, false
}

// End says how a request that was let through ended. Only what asks for fewer requests, fails for the moment or does not answer speaks
// of a target that has too much to do; every other answer is one that it took the time to give.
func (th *Throttle) End(now time.Time, p Passage, k Kind) {
	switch {
	case p.bucket == 0:
	case k == KindDeadline || k == KindCanceled || k.Local():
		th.end(now, p, undone)
	case k == KindThrottle || k == KindTransient || k == KindTimeout || k == KindConnect || k == KindReset:
		th.end(now, p, failed)
	default:
		th.end(now, p, accepted)
	}
}

// begin counts a request, and returns the share of its class that is rejected.
func (th *Throttle) begin(now time.Time, class int) (Passage, float64) {
	th.mu.Lock()
	defer th.mu.Unlock()
	t := th.clock.tick(now)
	th.advance(t)
	share := th.sum.rejects(th.cfg, class, th.share(t))
	b := &th.buckets[th.newest%throttleBuckets]
	b.requests[class]++
	b.open++
	th.sum.requests[class]++
	th.sum.open++
	return Passage{bucket: 1 + th.newest, class: uint8(class)}, share
}

// end counts how a request ended, unless the bucket in which it began has left the window.
func (th *Throttle) end(now time.Time, p Passage, how ending) {
	th.mu.Lock()
	defer th.mu.Unlock()
	t := th.clock.tick(now)
	th.advance(t)
	number := p.bucket - 1
	recent := th.newest-number < throttleBuckets
	if recent {
		th.buckets[number%throttleBuckets].end(p.class, how)
		th.sum.end(p.class, how)
	}
	switch how {
	case accepted:
		th.buckets[th.newest%throttleBuckets].accepted++
		th.sum.accepted++
		if th.streak++; th.streak >= throttleTrust && th.sum.rejected > 0 {
			th.forgive(t)
		}
	case failed:
		if recent {
			th.streak = 0
		}
	case rejected, undone:
	}
}

// forgive begins a new window: what came before is as if it were too old, what is under way included.
func (th *Throttle) forgive(t int64) {
	th.skipped += throttleBuckets
	th.advance(t)
}

// share returns the share of all requests that is rejected.
func (th *Throttle) share(t int64) float64 {
	requests := th.sum.total()
	window := th.width * throttleBuckets
	span := time.Duration(min(max(t-th.since, window/throttleYoung), window))
	if float64(requests) < th.cfg.MinPerSecond*span.Seconds() {
		return 0
	}
	most := th.cfg.MaxReject
	if over := th.streak - throttleEase; over > 0 {
		most *= max(1-float64(over)/(throttleTrust-throttleEase), 0)
	}
	excess := float64(requests) - th.cfg.Factor*th.sum.expected(requests)
	return min(max(excess/float64(requests+1), 0), most)
}

// advance moves the window to t.
func (th *Throttle) advance(t int64) {
	newest := t/th.width + th.skipped
	if newest == th.newest {
		return
	}
	if newest-th.newest >= throttleBuckets {
		th.buckets, th.sum = [throttleBuckets]throttleBucket{}, throttleBucket{}
	} else {
		for n := th.newest + 1; n <= newest; n++ {
			b := &th.buckets[n%throttleBuckets]
			th.sum.subtract(b)
			*b = throttleBucket{}
		}
	}
	if th.newest = newest; th.sum.total() == 0 {
		th.since = t
	}
}

// throttleBucket is what a throttle counts.
type throttleBucket struct {
	requests [throttleClasses]int // begun, by criticality
	rejected int                  // of them, by the throttle
	open     int                  // of them, under way
	accepted int                  // ended well; they may have begun in an earlier bucket
}

func (b *throttleBucket) total() int {
	n := 0
	for _, requests := range b.requests {
		n += requests
	}
	return n
}

// end takes a request out of those under way.
func (b *throttleBucket) end(class uint8, how ending) {
	b.open--
	switch how {
	case rejected:
		b.rejected++
	case undone:
		b.requests[class]--
	case failed, accepted:
	}
}

// subtract takes an old bucket out of a sum.
func (b *throttleBucket) subtract(old *throttleBucket) {
	for class, requests := range old.requests {
		b.requests[class] -= requests
	}
	b.rejected -= old.rejected
	b.open -= old.open
	b.accepted -= old.accepted
}

// expected returns how many of so many requests the target takes, if those under way end as the others did.
func (b *throttleBucket) expected(requests int) float64 {
	ended := requests - b.rejected - b.open
	if ended <= 0 {
		return float64(b.accepted + b.open)
	}
	return float64(b.accepted) + float64(b.open)*min(float64(b.accepted)/float64(ended), 1)
}

// rejects returns the share of a class that is rejected where the share of all requests is given: less important classes give what they
// have first.
func (b *throttleBucket) rejects(cfg ShedConfig, class int, share float64) float64 {
	left := share * float64(b.total())
	for c := throttleClasses - 1; c > class; c-- {
		left -= min(left, cfg.MaxReject*float64(b.requests[c]))
	}
	if left <= 0 {
		return 0
	}
	return min(left/float64(max(b.requests[class], 1)), cfg.MaxReject)
}

// ThrottleSnapshot is what a throttle shows of itself.
type ThrottleSnapshot struct {
	// Requests is the number of requests in the window, Rejected how many of them the throttle rejected, and Accepted how many
	// the target took.
	Requests, Rejected, Accepted int
	// Share is the share of all requests that is rejected now, and Critical, Normal and Sheddable those of the classes.
	Share, Critical, Normal, Sheddable float64
}

// Snapshot returns what the throttle shows at now.
func (th *Throttle) Snapshot(now time.Time) ThrottleSnapshot {
	if th.width == 0 {
		return ThrottleSnapshot{}
	}
	th.mu.Lock()
	defer th.mu.Unlock()
	t := th.clock.tick(now)
	th.advance(t)
	share := th.share(t)
	of := func(c Criticality) float64 { return th.sum.rejects(th.cfg, int(c-Critical), share) }
	return ThrottleSnapshot{
		Requests: th.sum.total(), Rejected: th.sum.rejected, Accepted: th.sum.accepted,
		Share: share, Critical: of(Critical), Normal: of(Normal), Sheddable: of(Sheddable),
	}
}
