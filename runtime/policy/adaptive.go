package policy

import (
	"math"
	"time"
)

const (
	// adaptiveStart is the limit at first, where MaxConcurrent allows it.
	adaptiveStart = 20
	// adaptiveTolerance is how much longer than unloaded answers may take before the limit falls: 1.5, as a power of two.
	adaptiveTolerance = 0.585
	// adaptiveFall is the least factor by which one window lowers the limit.
	adaptiveFall = 0.5
	// adaptiveWindow is the least length of a window, and adaptiveSamples the least number of its samples; after adaptiveLong
	// adaptiveFew will do.
	adaptiveWindow, adaptiveLong = 100 * time.Millisecond, 10 * time.Second
	adaptiveSamples, adaptiveFew = 50, 10
	// adaptiveSure is the standard error of the latency at which a window may end before adaptiveSlow: 7 %.
	adaptiveSure, adaptiveSlow = 0.1, time.Second
	// adaptiveDrift is how fast the unloaded latency follows windows in which we were not the load.
	adaptiveDrift = 0.1
	// adaptiveQuiet is the silence after which a window begins anew.
	adaptiveQuiet = time.Minute
	// probeEvery and probeWindows are how long, in time and in windows, a loaded limit goes without a probe, before jitter.
	probeEvery, probeWindows = 30 * time.Second, 50
	// probeWorth is by how much latency must be above what it is without load for a probe to be worth its price: 10 %.
	probeWorth = 0.14
	// probeCheap is the latency up to which a probe is made without a reason, the first time: half a second.
	probeCheap = 28.9
	// probeAgain is the number of windows after which a probe that found less is followed by another.
	probeAgain = 5
	// clearly is how many standard errors make a difference.
	clearly = 2
	// fallDepth is the part of the limit that is left of it when a fall is judged: whether it has helped. It is judged only
	// where it began at fallFrom: a smaller client among others would take their load for none.
	fallDepth, fallFrom = 0.25, 32
	// probeDepth is the part of the limit that a probe uses.
	probeDepth = 0.25
	// probeHeld is the most by which latency falls in a probe if it does not come from our own load: 5 %.
	probeHeld = 0.07
	// probeRise is the most by which a probe raises the unloaded latency: 7 %.
	probeRise = 0.1
	// bottomWindows and bottomTime are how long, in windows and in time, a limit of 1 does not help before twice as much is
	// believed to be the unloaded latency.
	bottomWindows, bottomTime = 3, 10 * time.Second
)

// adaptive finds the number of calls in flight beyond which more of them only wait longer, from how long they take: gradient
// descent on latency, after Netflix's Gradient2.
//
// It judges windows of at least 100 ms and 50 samples, and only calls that began in the window, so that each one shows what the last
// change did; it ends when all calls that run at once could end twice, or it would see the short ones alone. The latency of a
// window is the geometric mean of its samples, which a few slow ones hardly move, less its standard error. It is compared with the
// latency without load:
//
//   - up to 1.5 times that, the limit grows by its square root if at least half of it was used;
//   - above, it falls in proportion, at most by half, and grows by half its square root: many clients of one target come to equal
//     parts of it by that, and none to nothing;
//   - drops (timeouts, refusals, failures) lower it by half their share, and keep it from growing. They are no samples: a target
//     that times out at always the same time looks stable.
//
// The latency without load is learned from windows in which less than half of the limit was used, from whatever is clearly
// faster, and from probes: after half a minute in which it was a tenth above that, the limit is quartered for two windows, one to drain the
// queue and one to measure. Where calls take less than half a second the first one comes at once and in any case, because the first
// window may have begun under load; where they take longer that would cost more than it may bring. What is slower is believed only if
// it does not come from our load, or the queue that we cause ourselves would become the measure of the next: a little of it after
// each probe that made no difference, all of it after a fall of a large limit to a quarter that made none, and twice as much each
// time that a limit of 1 has not helped for three windows and ten seconds.
//
// Not safe for concurrent use: the bulkhead has the lock.
type adaptive struct {
	most, limit float64
	base        float64 // latency without load; 0 is unknown
	loaded      float64 // of the last loaded window
	window      pulse
	probe       probeStep
	probed      bool // base is not what the first window under load happened to find
	probeAt     int64
	probeIn     int     // windows until the next probe
	high        float64 // the limit before it began to fall; 0 while it does not
	highLatency float64 // what made it fall
	bottom      int     // windows at a limit of 1 that did not help
	bottomSince int64   // when the first of them ended
}

// pulse is what a window holds. Latencies are logarithms to the base 2 of nanoseconds.
type pulse struct {
	began, last  int64
	sum, squares float64
	samples      int
	drops        int
	peak         int // most permits held at once, of one tenant
}

// probeStep is where a probe stands.
type probeStep uint8

const (
	notProbing probeStep = iota
	draining
	measuring
)

func newAdaptive(most int) *adaptive {
	return &adaptive{most: float64(most), limit: float64(min(most, adaptiveStart)), probeIn: 1}
}

// permits returns how many calls may be in flight now.
func (a *adaptive) permits() int {
	limit := a.limit
	if a.probe != notProbing {
		limit *= probeDepth
	}
	return max(1, int(limit))
}

// record takes the outcome of a call that began at began. Neutral ones say nothing, and neither do those that began before the window:
// the limit was another one.
func (a *adaptive) record(t, began int64, o Outcome) {
	w := &a.window
	if began-w.last > int64(adaptiveQuiet) {
		*w = pulse{began: t, last: t}
	}
	if began < w.began {
		return
	}
	switch {
	case o.Dropped || o.Verdict == Failure:
		w.drops++
	case o.Verdict == Success || o.Verdict == Answered:
		w.add(math.Log2(float64(max(o.InFlight, 1))))
	default:
		return
	}
	w.last = t
	if w.full(t) {
		a.turn(t)
	}
}

func (w *pulse) add(latency float64) {
	w.samples++
	w.sum += latency
	w.squares += latency * latency
}

// full reports whether the window says enough: all calls that ran at once came to their end twice, or else the long ones among
// them would be left out.
func (w *pulse) full(t int64) bool {
	n, age := w.samples+w.drops, time.Duration(t-w.began)
	switch {
	case age < adaptiveWindow || n < adaptiveFew:
		return false
	case n < max(adaptiveSamples, 2*w.peak):
		return age >= adaptiveLong
	case age >= adaptiveSlow:
		return true
	default:
		_, deviation := w.latency()
		return deviation <= adaptiveSure
	}
}

// latency returns the mean, and its standard error.
func (w *pulse) latency() (mean, deviation float64) {
	if w.samples == 0 {
		return 0, 0
	}
	n := float64(w.samples)
	mean = w.sum / n
	return mean, math.Sqrt(max(w.squares/n-mean*mean, 0) / n)
}

// turn ends the window.
func (a *adaptive) turn(t int64) {
	switch a.probe {
	case draining:
		a.probe = measuring
	case measuring:
		a.probe = notProbing
		a.measured(t)
	case notProbing:
		a.adjust(t)
	}
	a.window = pulse{began: t, last: t}
}

// adjust moves the limit after an ordinary window.
func (a *adaptive) adjust(t int64) {
	w := &a.window
	latency, deviation := w.latency()
	busy := float64(w.peak) >= a.limit/2
	gradient := 1.0
	if w.samples > 0 {
		a.learn(latency, deviation, busy)
		gradient = min(max(math.Exp2(a.base+adaptiveTolerance-latency+deviation), adaptiveFall), 1)
		a.judge(latency, gradient)
		a.hopeless(t, latency, gradient)
	}
	dropped := float64(w.drops) / float64(w.drops+w.samples)
	limit := a.limit * max(gradient*(1-dropped/2), adaptiveFall)
	if busy {
		room := math.Sqrt(a.limit) * max(1-2*dropped, 0)
		if gradient < 1 {
			room /= 2
		}
		limit += room
	}
	a.limit = min(max(limit, 1), a.most)
	switch {
	case !busy, latency < a.base+probeWorth && (a.probed || latency > probeCheap):
		a.postpone(t)
	case w.samples == 0:
	case a.probeIn > 0 || t < a.probeAt:
		a.loaded = latency
		a.probeIn--
	default:
		a.loaded = latency
		a.probe = draining
	}
}

// learn follows the latency without load: what is clearly faster, and what we are not the load of.
func (a *adaptive) learn(latency, deviation float64, busy bool) {
	switch {
	case a.base == 0:
		a.base = latency
	case !busy:
		a.base += (latency - a.base) * adaptiveDrift
	}
	a.base = min(a.base, latency+clearly*deviation)
}

// measured takes what a probe has found.
func (a *adaptive) measured(t int64) {
	latency, deviation := a.window.latency()
	a.probed = true
	a.postpone(t)
	switch {
	case latency == 0:
	case latency+clearly*deviation < a.base:
		a.base = latency + deviation
		a.probeIn, a.probeAt = probeAgain, t
	case latency > a.loaded-probeHeld:
		a.base = min(latency, a.base+probeRise)
	}
}

// judge believes a latency that did not fall with the limit: where a large one fell to a quarter, and calls take more than twice as
// long as without load all the same, it does not come from our load.
func (a *adaptive) judge(latency, gradient float64) {
	switch {
	case gradient == 1:
		a.high = 0
	case a.high == 0:
		a.high, a.highLatency = a.limit, latency
	case a.limit <= a.high*fallDepth:
		if a.high >= fallFrom && latency > a.highLatency-probeHeld && latency > a.base+1 {
			a.base = latency
		}
		a.high = 0
	}
}

// hopeless comes to believe a latency that stays although the limit cannot be lower.
func (a *adaptive) hopeless(t int64, latency, gradient float64) {
	switch {
	case gradient == 1 || a.permits() > 1:
		a.bottom = 0
	case a.bottom == 0:
		a.bottom, a.bottomSince = 1, t
	default:
		a.bottom++
	}
	if a.bottom >= bottomWindows && t-a.bottomSince >= int64(bottomTime) {
		a.base, a.bottom = min(latency, a.base+1), 0
	}
}

// postpone sets when the next probe may come. The jitter, up to a half, is that of the samples: no two clients measure the same
// nanoseconds, so they do not probe together, and a simulation repeats itself.
func (a *adaptive) postpone(t int64) {
	const scale = 1 << 10
	_, jitter := math.Modf(a.window.sum * scale)
	a.probeAt = t + int64((1+jitter/2)*float64(probeEvery))
	a.probeIn = int((1 + jitter/2) * probeWindows)
}
