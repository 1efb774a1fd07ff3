package runtime

import (
	"context"
	"sync/atomic"
	"time"

	"github.com/resgen-go/resgen/runtime/policy"
)

// stallError is a stream that was silent for too long, or lasted too long.
type stallError struct {
	what   string
	after  time.Duration
	unsent bool // nothing of the request was sent
}

// Error says which limit was reached.
func (e *stallError) Error() string { return "stream: " + e.what + " for " + e.after.String() }

// Is makes it a context.DeadlineExceeded, as every other timeout.
func (*stallError) Is(target error) bool { return target == context.DeadlineExceeded }

// streamClock ends the reads of a stream that take too long: no header, no first item, no bytes, no item. It counts only while the target
// is waited for, so a slow consumer is never taken for a silent target, and items that lie in the buffer cost nothing. One timer serves the
// stream; it is not touched for each item but looks, when it fires, how long the wait has lasted that is outstanding then (traps T67, T68).
type streamClock struct {
	limits policy.Timeout
	cancel context.CancelCauseFunc
	base   time.Time
	timer  *time.Timer

	stage atomic.Int32 // see below
	start atomic.Int64 // of the outstanding wait for an item, in nanoseconds since base; 0 is none
	bytes atomic.Int64 // when bytes came last: when the last read of the body began
	armed atomic.Bool  // the timer runs

	rate streamRate
}

// The stages of a stream.
const (
	awaitHeader int32 = iota
	awaitFirst
	awaitItem
)

// started starts the clock with the request, which is a read that lasts until the header comes.
func (c *streamClock) started(limits policy.Timeout, cancel context.CancelCauseFunc) {
	c.limits, c.cancel, c.base = limits, cancel, time.Now()
	c.rate.limit = limits.MinRate
	c.timer = time.AfterFunc(time.Hour, c.expire)
	c.timer.Stop()
	c.begin()
}

// now returns the time since the stream began; it is never 0.
func (c *streamClock) now() int64 { return int64(time.Since(c.base)) + 1 }

// ReadBegins tells that the body is read: what came before was dealt with, and the target is waited for, if it is not yet.
func (c *streamClock) ReadBegins() {
	now := c.now()
	c.bytes.Store(now)
	if c.start.Load() == 0 {
		c.wait(now)
	}
}

// begin starts a wait now.
func (c *streamClock) begin() { c.wait(c.now()) }

// wait starts a wait.
func (c *streamClock) wait(now int64) {
	c.start.Store(now)
	if c.armed.Load() || c.armed.Swap(true) {
		return
	}
	if due, _ := c.due(now); due > 0 {
		c.timer.Reset(time.Duration(due - now))
	} else {
		c.armed.Store(false)
	}
}

// end ends the outstanding wait. What came at the last moment counts, although the clock may have cancelled the stream just now.
func (c *streamClock) end() {
	start := c.start.Load()
	if start == 0 {
		return
	}
	c.start.Store(0)
	if c.rate.limit.PerSecond > 0 && c.stage.Load() != awaitHeader && c.isTooSlow(time.Duration(c.now()-start), true) {
		c.cancel(c.tooSlow()) // the next read ends
	}
}

// reached tells, between two reads, that the stream has come to the stage. Its limits may be shorter than those that the timer was set for.
func (c *streamClock) reached(stage int32) {
	c.stage.Store(stage)
	if stage == awaitFirst {
		c.bytes.Store(c.now())
		c.rate.start()
	}
	if c.timer.Stop() {
		c.armed.Store(false) // the next read sets it
	}
}

// got tells that bytes came.
func (c *streamClock) got(int) { c.bytes.Store(c.now()) }

// due returns when a wait that began at start is too long, and why; 0 is never.
func (c *streamClock) due(start int64) (int64, *stallError) {
	due, why := int64(0), (*stallError)(nil)
	limit := func(from int64, after time.Duration, what string) {
		if at := from + int64(after); after > 0 && (due == 0 || at < due) {
			due, why = at, &stallError{what: what, after: after}
		}
	}
	l := &c.limits
	stage := c.stage.Load()
	if next, ok := c.rate.next(); ok && stage != awaitHeader {
		limit(start, next, "")
	}
	switch stage {
	case awaitHeader:
		limit(1, l.FirstByte, "no response")
		limit(1, l.FirstItem, "no first item")
	case awaitFirst:
		limit(1, l.FirstItem, "no first item")
		limit(max(start, c.bytes.Load()), l.Idle, "no bytes")
	default:
		limit(start, l.ItemGap, "no item")
		limit(max(start, c.bytes.Load()), l.Idle, "no bytes")
	}
	return due, why
}

// expire looks at the outstanding wait when the timer fires.
func (c *streamClock) expire() {
	for {
		start := c.start.Load()
		if start == 0 {
			c.armed.Store(false)
			if c.start.Load() == 0 || c.armed.Swap(true) {
				return // the next wait arms the timer, or has done so
			}
			continue
		}
		due, why := c.due(start)
		switch now := c.now(); {
		case due == 0:
			c.armed.Store(false)
			return
		case now < due:
			c.timer.Reset(time.Duration(due - now))
			return
		case why.what == "" && !c.isTooSlow(time.Duration(now-start), false):
		case c.start.CompareAndSwap(start, 0):
			if why.what == "" {
				why = c.tooSlow()
			}
			c.cancel(why)
			return
		}
	}
}

// isTooSlow looks at the rate, in the middle of a wait or at its end, and reports whether the stream ends for it: before its first content, and
// after it where that is wanted.
func (c *streamClock) isTooSlow(waited time.Duration, over bool) bool {
	return c.rate.waitedFor(waited, over) && (c.stage.Load() == awaitFirst || c.limits.MinRate.Enforce)
}

// tooSlow is why such a stream ends.
func (c *streamClock) tooSlow() *stallError {
	return &stallError{what: c.rate.text(), after: c.limits.MinRate.Over}
}

// stop stops the clock for good.
func (c *streamClock) stop() { c.timer.Stop() }
