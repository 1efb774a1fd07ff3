package runtime

import (
	"context"
	"fmt"
	"runtime"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"time"

	"github.com/resgen-go/resgen/runtime/policy"
)

// landing is how the function of a copy ended: it returned, panicked, or ended its goroutine.
type landing struct {
	err      error
	panicked *PanicError
	exited   bool
	meta     *Meta // of the last response; nil where nobody wants to know
}

// PanicError is the panic of an attempt that ran on a goroutine of its own, because it could be hedged: see Do. Events have it as their Err,
// since the goroutine that panics again is another one.
type PanicError struct {
	// Value is what the function panicked with.
	Value any
	// Stack is the stack of the goroutine that did.
	Stack []byte
}

// Error says that an attempt panicked, and with what.
func (e *PanicError) Error() string { return fmt.Sprintf("an attempt panicked: %v", e.Value) }

// compete runs an attempt that may be hedged, with its hedges, until the call has ended or another attempt is to be made, and returns the
// answer and which. end ends an answer that owns something; nil if answers own nothing.
//
// Only this function knows the type of the answers: whatever is generic is compiled once for every type that a client's methods return.
func compete[T any](d *driver, run func(context.Context, Attempt) (T, error), end func(T) error) (value T, more bool) {
	r := &race{hedges: d.op.plan.Hedge.Max, run: func(ctx context.Context, at Attempt) (any, error) { return run(ctx, at) }}
	if end != nil {
		r.end = func(answer any) {
			if v, ok := answer.(T); ok {
				_ = end(v) // nobody is left to be told
			}
		}
	}
	if more = r.start(d); !more && d.err == nil {
		value, _ = r.copy(d.won).value.(T) // it is none where a T is an interface, and nil
	}
	return value, more
}

const (
	// none is the number of no copy.
	none = -1
	// woken is told in place of a number when it is time for something else.
	woken = -2
)

// alarm wakes the driver of a race, through the channel that has room for one alarm beside the ends of all copies.
type alarm struct {
	landed chan int
	timer  *time.Timer
	told   atomic.Bool // and not heard
}

// ends are the numbers of the copies whose functions have returned, or never will, and woken.
func (a *alarm) ends() <-chan int { return a.landed }

// wakeAfter has woken told after a time.
func (a *alarm) wakeAfter(after time.Duration) {
	if a.timer != nil {
		a.timer.Reset(after)
		return
	}
	a.timer = time.AfterFunc(after, func() {
		if a.told.CompareAndSwap(false, true) {
			a.landed <- woken
		}
	})
}

// awake says that woken was heard.
func (a *alarm) awake() { a.told.Store(false) }

// stop says that it is not to be told any more.
func (a *alarm) stop() {
	if a.timer != nil {
		a.timer.Stop()
	}
}

// race runs the copies of one attempt, each on a goroutine of its own. They tell their ends through a channel that has room for all of
// them, so that none ever waits (trap T46).
type race struct {
	alarm

	run    func(context.Context, Attempt) (any, error)
	end    func(answer any) // nil if answers own nothing
	first  raced
	copies []raced // the copies beside it, made with the first of them: most races have none
	hedges int     // how many there may be

	mu sync.Mutex // of what a copy and its driver settle between them: ended, loser
}

// raced is one copy. It belongs to its goroutine until that has told its end.
type raced struct {
	landing

	value any
	ended bool
	loser *loser // what it holds, once it has lost
}

// start runs the race until the call has ended, or another attempt is to be made, and reports which.
func (r *race) start(d *driver) (more bool) {
	r.landed = make(chan int, 1+r.hedges+1)
	d.racer, d.panicked = r, none
	d.build(&d.first)
	r.launch(0, d.first.ctx, d.first.at, d.first.skipped)
	// Until the function first blocks there is nothing to do here. Going to sleep before it has begun, to be woken by its end or by a
	// timer, is half of what a race costs: what has ended by then needs neither.
	runtime.Gosched()
	more = d.next(d.wait())
	r.stop()
	d.racer = nil
	return more
}

// copy returns the copy of that number.
func (r *race) copy(n int) *raced {
	if n == 0 {
		return &r.first
	}
	return &r.copies[n-1]
}

// launch runs a copy, unless it is skipped for a reason.
func (r *race) launch(n int, ctx context.Context, at Attempt, skipped error) {
	if n > 0 && r.copies == nil {
		r.copies = make([]raced, r.hedges)
	}
	c := r.copy(n)
	if skipped != nil {
		c.err = skipped
		at.isMade()
		r.finish(n)
		return
	}
	if at.captured != nil { // the caller's is written to by its own goroutine only
		c.meta = new(Meta)
		at.captured = c.meta
	}
	go r.fly(n, ctx, at)
}

// fly runs the function of a copy.
func (r *race) fly(n int, ctx context.Context, at Attempt) {
	c := r.copy(n)
	c.exited = true
	defer r.finish(n)
	defer at.isMade()
	defer func() {
		if !c.exited {
			return
		}
		if v := recover(); v != nil {
			c.panicked, c.exited = &PanicError{Value: v, Stack: debug.Stack()}, false
		}
	}()
	c.value, c.err = r.run(ctx, at)
	if c.err == nil && r.end != nil && isNoAnswer(c.value) {
		c.err = errNoAnswer
	}
	c.exited = false
}

// finish tells the end of a copy to the driver, or, if it has lost, settles it.
func (r *race) finish(n int) {
	c := r.copy(n)
	r.mu.Lock()
	c.ended = true
	l := c.loser
	r.mu.Unlock()
	if l == nil {
		r.landed <- n
		return
	}
	r.settle(c, l)
}

// land returns how a copy ended. late says why its answer is not wanted, if it is one that owns something.
func (r *race) land(n int, late error) landing {
	c := r.copy(n)
	if late != nil && c.err == nil && r.end != nil && c.panicked == nil && !c.exited {
		r.drop(c)
		c.err = late
	}
	return c.landing
}

// lose leaves to a copy what it holds, to be released when its function returns. It settles one that has ended, although nobody has
// asked for its end: on a goroutine of its own, since ending an answer may take time.
func (r *race) lose(n int, l *loser) {
	c := r.copy(n)
	r.mu.Lock()
	ended := c.ended
	c.loser = l
	r.mu.Unlock()
	switch {
	case ended && c.err == nil && r.end != nil:
		go r.settle(c, l)
	case ended:
		r.settle(c, l)
	}
}

// settle releases what a loser holds, and ends its answer.
func (r *race) settle(c *raced, l *loser) {
	defer func() {
		if v := recover(); v != nil { // nobody waits for the end of its answer
			l.tell(&PanicError{Value: v, Stack: debug.Stack()})
		}
	}()
	switch {
	case c.panicked != nil:
		l.release(policy.Failure)
		l.tell(c.panicked)
		return
	case c.exited:
		l.release(policy.Failure)
		return
	}
	l.release(policy.Neutral)
	if c.err == nil && r.end != nil {
		r.drop(c)
	}
}

// drop ends an answer that nobody takes.
func (r *race) drop(c *raced) {
	answer := c.value
	c.value = nil
	r.end(answer)
}

// loser is what a copy that lost holds.
type loser struct {
	op   *Operation
	ctx  context.Context //nolint:containedctx // for observers: the caller's
	rung int
	held policy.Held
	used *meter
}

// release gives it back, with what the end of the copy says about the dependency.
func (l *loser) release(v policy.Verdict) {
	l.op.release(context.WithoutCancel(l.ctx), &l.held, v, l.used)
}

// tell tells observers of a panic that has nobody to go on to.
func (l *loser) tell(p *PanicError) {
	if l.op.observer == nil {
		return
	}
	now := time.Now()
	e := Event{What: LoserPanicked, Rung: l.rung, Kind: policy.KindPermanent, Err: p}
	l.op.fill(now, &e)
	tell(context.WithoutCancel(l.ctx), l.op.observer, e)
}

// release gives back what outlived its call, and says what it used.
func (op *Operation) release(ctx context.Context, h *policy.Held, v policy.Verdict, used *meter) {
	h.Count(used.total())
	op.obey(ctx, h.Release(time.Now(), v, nil))
}

// obey does what the end of a call brings about for others.
func (op *Operation) obey(ctx context.Context, todo []policy.Action) {
	for i := range todo {
		switch a := &todo[i]; a.Do {
		case policy.WakeCall:
			op.group.waits.wake(keyOf(a))
		case policy.AskStore:
			op.askStore(ctx, a)
		case policy.TellNote:
			op.tellChange(ctx, &a.Note)
		default:
		}
	}
}

// goexit ends the goroutine of the caller, as a copy has ended its own.
func goexit() { runtime.Goexit() }
