package policy

import (
	"math"
	"time"
)

const (
	// adaptiveStart is the limit at first, where MaxConcurrent allows it.
	adaptiveStart = 20
	// adaptiveTolerance is how much longer than unloaded answers may take before the limit falls.
	adaptiveTolerance = 1.5
	// adaptiveFall is the least factor by which one window lowers the limit.
	adaptiveFall = 0.5
	// adaptiveWindow is the least length of a window.
	adaptiveWindow = 100 * time.Millisecond
	// adaptiveFew and adaptiveMany bound the samples that a window needs: twice the limit, within them.
	adaptiveFew, adaptiveMany = 3, 50
	// adaptiveNoise is by how much a window under load must be below what is known to be unloaded to count as better: an eighth.
	adaptiveNoise = 0.17
	// adaptiveDrift is how fast the unloaded latency follows windows in which we were not the load.
	adaptiveDrift = 0.1
	// adaptiveQuiet is the silence after which a window begins anew.
	adaptiveQuiet = time.Minute
	// probeEvery and probeWindows are how long, in time and in windows, a loaded limit goes without a probe, before jitter.
	probeEvery, probeWindows = 30 * time.Second, 50
	// probeHeld is the most by which latency falls in a probe if it does not come from our own load: a tenth.
	probeHeld = 0.15
	// probeRise is the most by which a probe raises the unloaded latency: a quarter.
	probeRise = 0.32
	// bottomWindows and bottomTime are how long, in windows and in time, a limit of 1 does not help before what it takes is
	// believed to be the unloaded latency.
	bottomWindows, bottomTime = 5, 10 * time.Second
)

// adaptive finds the number of calls in flight beyond which more of them only wait longer, from how long they take: gradient
// descent on latency, after Netflix's Gradient2.
//
// It judges windows: at least 100 ms, at least twice as many samples as the limit (3 to 50), and only of calls that began in the window,
// so that each one shows what the last change did. The latency of a window is the geometric mean of its samples, which a
// few slow ones hardly move. It is compared with the latency without load:
//
//   - up to 1.5 times that, the limit grows by its square root if at least half of it was used, and less the more calls were dropped;
//   - above, it falls in proportion, at most by half;
//   - drops (timeouts, refusals, failures) lower it by half their share. They are no samples: a target that times out at
//     always the same time looks stable.
//
// The latency without load is learned from windows in which less than half of the limit was used, from whatever is clearly
// faster, and from probes: after half a minute of load the limit is halved for two windows, one to drain the queue and one to
// measure. If latency stays what it was, it does not come from our load, and is believed, a quarter at a time; without that last
// step the queue that we cause ourselves would become the measure of the next. Five windows and ten seconds at a limit of 1 are
// believed at once.
//
// Not safe for concurrent use: the bulkhead has the lock.
type adaptive struct {
	most, limit float64
	base        float64 // log2 of the nanoseconds of an answer without load; 0 is unknown
	loaded      float64 // the same of the last loaded window
	window      pulse
	probe       probeStep
	probeAt     int64
	probeIn     int   // windows until the next probe
	bottom      int   // windows at a limit of 1 that did not help
	bottomSince int64 // when the first of them ended
}

// pulse is what a window holds.
type pulse struct {
	began, last int64
	sum         float64 // of the logarithms of the samples
	samples     int
	drops       int
	peak        int // most permits held at once, of one tenant
}

// probeStep is where a probe stands.
type probeStep uint8

const (
	notProbing probeStep = iota
	draining
	measuring
)

func newAdaptive(most int) *adaptive {
	a := &adaptive{most: float64(most), limit: float64(min(most, adaptiveStart))}
	a.postpone(0, 0)
	return a
}

// permits returns how many calls may be in flight now.
func (a *adaptive) permits() int {
	limit := a.limit
	if a.probe != notProbing {
		limit *= adaptiveFall
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
		w.samples++
		w.sum += math.Log2(float64(max(o.InFlight, 1)))
	default:
		return
	}
	w.last = t
	need := min(max(2*int(a.limit), adaptiveFew), adaptiveMany)
	if w.samples+w.drops >= need && t-w.began >= int64(adaptiveWindow) {
		a.turn(t)
	}
}

// turn ends the window.
func (a *adaptive) turn(t int64) {
	w := a.window
	latency := 0.0
	if w.samples > 0 {
		latency = w.sum / float64(w.samples)
	}
	switch a.probe {
	case draining:
		a.probe = measuring
	case measuring:
		a.probe = notProbing
		a.measured(latency)
		a.postpone(t, w.sum)
	case notProbing:
		a.adjust(t, latency)
	}
	a.window = pulse{began: t, last: t}
}

// adjust moves the limit after an ordinary window.
func (a *adaptive) adjust(t int64, latency float64) {
	w := &a.window
	busy := float64(w.peak) >= a.limit/2
	gradient := 1.0
	if w.samples > 0 {
		a.learn(latency, busy)
		gradient = min(max(math.Exp2(a.base-latency)*adaptiveTolerance, adaptiveFall), 1)
		a.hopeless(t, latency, gradient)
	}
	dropped := float64(w.drops) / float64(w.drops+w.samples)
	limit := a.limit * max(gradient*(1-dropped/2), adaptiveFall)
	if busy && gradient == 1 {
		limit += math.Sqrt(a.limit) * max(1-2*dropped, 0)
	}
	a.limit = min(max(limit, 1), a.most)
	switch {
	case !busy:
		a.postpone(t, w.sum)
	case a.probeIn > 0 || t < a.probeAt:
		a.loaded = latency
		a.probeIn--
	case w.samples > 0:
		a.loaded = latency
		a.probe = draining
	}
}

// learn follows the latency without load.
func (a *adaptive) learn(latency float64, busy bool) {
	switch {
	case a.base == 0:
		a.base = latency
	case !busy:
		a.base += (latency - a.base) * adaptiveDrift
	}
	a.improve(latency + adaptiveNoise)
}

// improve lowers the latency without load to what was seen; by less, the fewer samples there are.
func (a *adaptive) improve(latency float64) {
	if n := float64(a.window.samples); latency < a.base {
		a.base += (latency - a.base) * n / (n + adaptiveMany)
	}
}

// measured takes what a probe has found.
func (a *adaptive) measured(latency float64) {
	switch {
	case a.window.samples == 0:
	case latency < a.base:
		a.improve(latency)
	case latency > a.loaded-probeHeld:
		a.base = min(latency, a.base+probeRise)
	}
}

// hopeless believes a latency that stays although the limit cannot be lower.
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
		a.base, a.bottom = latency, 0
	}
}

// postpone sets when the next probe may come. The jitter, up to a half, is that of the samples: no two clients measure the same
// nanoseconds, so they do not probe together, and a simulation repeats itself.
func (a *adaptive) postpone(t int64, sum float64) {
	const scale = 1 << 10
	_, jitter := math.Modf(sum * scale)
	a.probeAt = t + int64((1+jitter/2)*float64(probeEvery))
	a.probeIn = int((1 + jitter/2) * probeWindows)
}
