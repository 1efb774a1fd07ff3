package policy

import "time"

// clock turns the times that a machine is given into nanoseconds since the first of them. It never goes back: goroutines read the
// time before they get the machine's lock, and so arrive a little out of order; and a time without a monotonic reading may step.
// The zero value is ready. Not safe for concurrent use.
type clock struct {
	base time.Time
	last int64
}

// longest is the longest span that a machine reckons with, 36 years: longer ones are cut to it, so that adding one to a time
// never overflows.
const longest = time.Duration(1 << 60)

// tick returns now, or the latest time seen if that is later, and remembers it.
func (c *clock) tick(now time.Time) int64 {
	if c.base.IsZero() {
		c.base = now
	}
	return c.advance(c.since(now))
}

// since returns now as nanoseconds, for advance. After the first tick it needs no lock.
func (c *clock) since(now time.Time) int64 { return int64(min(now.Sub(c.base), longest)) }

// after returns the time that is at after epoch as nanoseconds, for advance. It takes an addition where since would take two: epoch is
// the same for all calls, and their times are told apart without making a time.Time of each.
func (c *clock) after(epoch *time.Time, at time.Duration) int64 {
	if c.base.IsZero() {
		c.base = epoch.Add(at)
	}
	return int64(min(epoch.Sub(c.base)+at, longest))
}

// advance is tick for a time that was turned into nanoseconds before.
func (c *clock) advance(t int64) int64 {
	c.last = max(c.last, t)
	return c.last
}

// look is tick without remembering, so that a time in the future can be asked about.
func (c *clock) look(now time.Time) int64 { return max(c.since(now), c.last) }

// time returns the instant of t.
func (c *clock) time(t int64) time.Time { return c.base.Add(time.Duration(t)) }
