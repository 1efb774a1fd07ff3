package runtime

import (
	"context"
	"errors"
	"io"
	"sync"
	"sync/atomic"
	"time"

	"github.com/resgen-go/resgen/runtime/policy"
	"github.com/resgen-go/resgen/runtime/wire"
)

// streamCore is what a stream owns beside its items. It does not refer to the Stream, so that a dropped one can be collected. The zero
// value owns nothing. Safe for concurrent use.
type streamCore struct {
	op     *Operation      // whose items they are; nil for a stream that no driver has given
	target string          // that was asked
	ctx    context.Context //nolint:containedctx // of the reads
	parent context.Context //nolint:containedctx // of the attempt; nil for a stream of fixed items
	cancel context.CancelCauseFunc
	clock  streamClock
	body   io.Closer
	meter  *meter // nil where nothing is counted
	// ending says at the proven end why the answer was cut; nil where nobody knows. incomplete is what it said.
	ending     func() string
	incomplete string
	// longest bounds the stream by the length of its answer; 0 is not.
	longest time.Duration
	// memo is what an entry of the cache is made of at the proven end; nil where none is. entryOf makes it.
	memo    *memo
	entryOf func(m *memo) bool

	mu     sync.Mutex
	life   *time.Timer // ends the stream at its longest
	detach func() bool // from the parent's end
	leases []*lease
	ended  bool
	over   atomic.Bool // err is set
	err    error       // what reading gives from then on
	said   policy.Verdict
}

// newStreamCore starts the clock of a stream with its request.
func newStreamCore(ctx context.Context, at Attempt) *streamCore {
	c := &streamCore{op: at.op, target: at.Target, parent: ctx, meter: at.meter}
	c.ctx, c.cancel = context.WithCancelCause(ctx)
	var limits policy.Timeout
	if plan := at.plan(); plan != nil && !at.recalls() { // nobody is waited for
		limits = plan.Timeout
	}
	c.clock.started(limits, c.cancel)
	return c
}

// live has the stream end at its longest, or with the context of the call, also while nobody reads it.
func (c *streamCore) live() {
	c.mu.Lock()
	defer c.mu.Unlock()
	most := c.clock.limits.MaxStream
	if c.longest > 0 && (most <= 0 || c.longest < most) {
		most = c.longest
	}
	if most > 0 {
		why := &stallError{what: "not at its end", after: most}
		c.life = time.AfterFunc(most, func() {
			c.cancel(why)
			c.finish(why, policy.Neutral)
		})
	}
	c.detach = context.AfterFunc(c.parent, func() { c.finish(context.Cause(c.parent), policy.Neutral) })
}

// take takes a lease, and gives it back at once if the stream has ended already.
func (c *streamCore) take(l *lease) {
	c.mu.Lock()
	ended := c.ended
	if !ended {
		c.leases = append(c.leases, l)
	}
	if c.op == nil { // fixed items are nobody's before
		c.op = l.op
	}
	c.mu.Unlock()
	if ended {
		l.end(c.said, c.err)
	}
}

// never gives everything back of a stream that did not come to its first item, and returns why.
func (c *streamCore) never(err error) error {
	err = c.reason(err)
	c.finish(err, policy.Neutral)
	return err
}

// reason returns why a read failed: the clock, if it ended it.
func (c *streamCore) reason(err error) error {
	var stall *stallError
	if !errors.As(context.Cause(c.ctx), &stall) {
		return err
	}
	var sent *wire.TransportError
	if errors.As(err, &sent) && !sent.Wrote {
		return &stallError{what: stall.what, after: stall.after, unsent: true}
	}
	return stall
}

// isEnd reports whether a read returned the proven end of a stream: the bare io.EOF. An error that holds one is none.
func isEnd(err error) bool { return err == io.EOF } //nolint:errorlint // see above

// broke ends a stream that has begun, with what a read returned, and returns what the reader gets.
func (c *streamCore) broke(err error) error {
	if isEnd(err) {
		if c.ending != nil {
			c.isCut(c.ending())
		}
		c.remember()
		c.finish(io.EOF, policy.Success)
		return c.failed()
	}
	err = c.reason(err)
	c.finish(err, c.judge(err).Verdict)
	return c.failed()
}

// isCut notes why the answer was cut, unless somebody ends the stream meanwhile.
func (c *streamCore) isCut(why string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.ended {
		c.incomplete = why
	}
}

// judge says what the error of a stream that has begun means. The caller's end is neutral.
func (c *streamCore) judge(err error) policy.Result {
	r, _, answered := c.op.classified(c.target, 1, time.Now(), err)
	r.MayHaveActed = true
	if !answered && c.parent.Err() != nil {
		r.Verdict, r.Kind = policy.Neutral, policy.KindCanceled
		if errors.Is(c.parent.Err(), context.DeadlineExceeded) {
			r.Kind = policy.KindDeadline
		}
	}
	return r
}

// failed returns what reading gives; nil while the stream lives.
func (c *streamCore) failed() error {
	if !c.over.Load() { // as before nearly every item
		return nil
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.err
}

// finish ends the stream once: it frees the connection, the permit and the timers, and says what the end means for the dependency.
func (c *streamCore) finish(why error, v policy.Verdict) {
	c.mu.Lock()
	if c.ended {
		c.mu.Unlock()
		return
	}
	c.ended, c.said, c.err = true, v, c.errorOf(why)
	c.over.Store(true)
	leases, life, detach := c.leases, c.life, c.detach
	for _, l := range leases {
		l.used.takeOver(c.meter)
		l.broke(c.err)
		l.cut(c.incomplete)
	}
	slow := c.clock.rate.wasSlow()
	c.mu.Unlock()
	if life != nil {
		life.Stop()
	}
	if detach != nil {
		detach()
	}
	c.disconnect(isEnd(why))
	for _, l := range leases {
		if slow {
			l.isSlow()
		}
		l.end(v, c.err)
	}
}

// disconnect closes the body and ends the context of the reads. After a proven end what is left of the body is read, for the
// connection's sake; otherwise a read that is outstanding ends first.
func (c *streamCore) disconnect(proven bool) {
	if c.cancel == nil {
		return
	}
	c.clock.stop()
	if !proven {
		c.cancel(context.Canceled)
	}
	if c.body != nil {
		_ = c.body.Close() // the stream's own error is what counts
	}
	c.cancel(context.Canceled)
}

// errorOf returns what reading a stream gives that ended so.
func (c *streamCore) errorOf(why error) error {
	if c.parent == nil || errors.Is(why, ErrStreamClosed) || isEnd(why) {
		return why
	}
	r := c.judge(why)
	e := &Error{
		Kind: r.Kind, Status: statusOf(why), Attempts: 1, MayHaveActed: true, Elapsed: time.Since(c.clock.base), Cause: why,
		also: contextError(r.Kind), said: evidenceOf(&r),
	}
	if c.op != nil {
		e.Operation = c.op.name
	}
	if len(c.leases) > 0 {
		e.Attempts, e.Elapsed = c.leases[0].attempts, time.Since(c.leases[0].opened)
	}
	return e
}
