package policy

import (
	"slices"
	"time"
)

const (
	// paceSamples is how many of the newest answers tell what is usual: enough that the medians of two members that are alike seldom
	// differ by lagFactor, and few enough that the median follows a member that has become slow within as many calls.
	paceSamples = 32
	// paceMin is the number of samples from which a median is believed.
	paceMin = 8
	// paceEvery is how many samples come between two looks at the median.
	paceEvery = 4
	// paceAge is the age beyond which what is known says nothing of the present.
	paceAge = 5 * time.Minute

	// lagFactor times the median of the best is the least at which a member lags.
	lagFactor = 2.0
	// A member that lags is tried each lagTry, or each quickTry once a try was quick, and at most once for each lagShare calls that it is
	// passed over: its answers are slow, and no more than one in so many calls is to find out.
	lagTry      = 10 * time.Second
	lagShare    = 200
	quickTry    = time.Second
	quickEnough = 3
)

// pace is the median of the newest answers of a member. The zero value knows nothing.
type pace struct {
	newest [paceSamples]int64
	n      int   // samples held
	at     int   // where the next goes
	fresh  int   // samples since median was computed
	median int64 // valid if n >= paceMin
	last   int64 // when the last sample came
}

// record adds a sample.
func (p *pace) record(t int64, took time.Duration) {
	if p.n > 0 && t-p.last >= int64(paceAge) {
		*p = pace{}
	}
	p.newest[p.at] = int64(took)
	p.at = (p.at + 1) % paceSamples
	p.n = min(p.n+1, paceSamples)
	p.last = t
	p.fresh++
	if p.n == paceMin || p.n > paceMin && p.fresh >= paceEvery {
		p.settle()
	}
}

// settle computes the median.
func (p *pace) settle() {
	sorted := p.newest
	slices.Sort(sorted[:p.n])
	p.median, p.fresh = sorted[p.n/2], 0
}

// usual returns the median, and whether there is one.
func (p *pace) usual() (time.Duration, bool) { return time.Duration(p.median), p.n >= paceMin }

// usualAt is usual for a decision at t.
func (p *pace) usualAt(t int64) (time.Duration, bool) {
	if t-p.last >= int64(paceAge) {
		return 0, false
	}
	return p.usual()
}

// forgetAllBut forgets all samples but the newest n: what was usual is not any more.
func (p *pace) forgetAllBut(n int) {
	var kept pace
	for i := range min(n, p.n) {
		kept.newest[i] = p.newest[(p.at-1-i+2*paceSamples)%paceSamples]
	}
	kept.n, kept.at, kept.last = min(n, p.n), min(n, p.n), p.last
	*p = kept
}

// best returns the least median of the members that are not out, but for one; false where none of them is known.
func (g *Members) best(t int64, but int) (best time.Duration, known bool) {
	for i := range g.list {
		m := &g.list[i]
		if usual, ok := m.pace.usualAt(t); ok && i != but && !m.out && (!known || usual < best) {
			best, known = usual, true
		}
	}
	return best, known
}

// lags reports whether a member answers so much more slowly than the best one that it gets calls only to find out if it still does.
func (m *Member) lags(t int64) bool {
	usual, known := m.pace.usualAt(t)
	return m.trails(t, usual, known)
}

// trails is lags for a member that usually takes that long.
func (m *Member) trails(t int64, usual time.Duration, known bool) bool {
	if !known {
		return false
	}
	best, ok := m.group.best(t, m.index)
	return ok && float64(usual) > lagFactor*float64(best)
}

// isDue reports whether a member that lags is to be tried.
func (m *Member) isDue(t int64) bool {
	every := lagTry
	if m.quick > 0 {
		every = quickTry
	}
	return m.passed >= lagShare && t-m.chosen >= int64(every)
}
