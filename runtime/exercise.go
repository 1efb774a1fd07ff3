package runtime

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"runtime/debug"
	"slices"
	"sync"
	"time"

	"github.com/resgen-go/resgen/runtime/policy"
)

// shadowLongest bounds a rung that runs beside a call where the plan bounds neither attempts nor calls.
const shadowLongest = 30 * time.Second

// shadow prepares what runs each rung beside a call: one attempt with the rung's own machines, and nothing around it.
func (op *Operation) shadow() {
	if op.exercise = policy.NewExercise(&op.plan); op.exercise == nil || op.exercise.Serves() {
		return
	}
	op.shadows = make([]*Operation, len(op.rungs))
	for rung := 1; rung < len(op.rungs); rung++ {
		s := &Operation{
			client: op.client, name: op.name, classify: op.classify, tellsKey: op.tellsKey, chaos: op.chaos,
			plan: op.plan, group: op.group, epoch: op.epoch, asks: op.asks, allowed: op.allowed, sized: op.sized,
			space: op.space, own: op.own, dialects: op.dialects,
			rungs:   op.rungs[rung : rung+1 : rung+1],
			members: op.members, affinity: op.affinity,
			names: op.names[rung : rung+1 : rung+1], breakers: op.breakers[rung : rung+1 : rung+1], hedges: op.hedges[rung : rung+1 : rung+1],
			beside: true,
		}
		p := &s.plan
		p.Retry, p.Fallback, p.Exercise = policy.Retry{}, policy.Fallback{}, policy.ExerciseConfig{}
		p.Hedge, p.Cache = policy.HedgeConfig{}, policy.CacheConfig{}
		p.Errors.Partial = policy.Partial{}
		if op.sort(rung) == policy.RungOperation { // as in a call, where its own timeouts hold
			p.Timeout.Attempt = 0
		}
		p.Timeout.Attempt = cmp.Or(p.Timeout.Attempt, p.Timeout.Total, shadowLongest)
		p.Timeout.Total = p.Timeout.Attempt
		if op.observer != nil {
			s.observer = &shadowObserver{op: op, rung: rung}
		}
		op.shadows[rung] = s
	}
}

// pick decides if the call exercises a rung: as its answer, or beside it.
func (d *driver) pick(now time.Time, req *policy.Request) {
	if req.Fresh {
		return
	}
	rung := d.op.exercise.Pick(now, d.op.rungs, *req, d.op.group.rand(), now.Before(req.StaleUntil))
	if d.op.exercise.Serves() {
		req.Exercise = rung
	} else {
		d.shadow = rung
	}
}

// exercise runs a rung beside a call that has been answered, on a goroutine of its own, if none runs. It outlives the call: it has what the
// caller's context holds, and not its end (trap T72). A patched request is made of the caller's, which is theirs again when the call returns:
// the call waits until it is made.
func exercise[T any](d *driver, run func(context.Context, Attempt) (T, error)) {
	op, rung := d.op, d.shadow
	if !op.shadowed.CompareAndSwap(false, true) {
		return
	}
	s := &shadow{op: op, rung: rung, input: d.input, run: func(ctx context.Context, at Attempt) (any, error) {
		value, err := run(ctx, at)
		return value, err
	}}
	if op.sort(rung) == policy.RungCache {
		s.memo = &memo{entry: d.memory.entry, reads: true}
	}
	if op.sends && op.sort(rung) == policy.RungPatch {
		s.built = make(chan struct{})
		defer func() { <-s.built }()
	}
	asksOther := op.sort(rung) == policy.RungOperation // which has no ladder there, as in a call
	go s.play(with(context.WithoutCancel(d.ctx), func(s *scope) { s.key, s.meta, s.noFallback = "", nil, s.noFallback || asksOther }))
}

// shadow is a rung that runs beside a call.
type shadow struct {
	op    *Operation
	rung  int
	run   func(context.Context, Attempt) (any, error)
	input Input
	memo  *memo         // of a cache rung
	built chan struct{} // closed when its request is made; nil where nobody waits for that
	once  sync.Once
}

// made tells that the request is made, or that there will be none.
func (s *shadow) made() {
	if s.built != nil {
		s.once.Do(func() { close(s.built) })
	}
}

// play runs it and drops its answer.
func (s *shadow) play(ctx context.Context) {
	defer s.op.shadowed.Store(false)
	defer s.made()
	var d driver
	defer d.close()
	var err error
	for more := d.begin(ctx, s.op.shadows[s.rung], false, s.input); more; more = d.done(err) { //nolint:contextcheck // as below
		if err = d.first.skipped; err == nil {
			err = s.attempt(d.first.ctx, d.first.at) //nolint:contextcheck // it is made of ctx
		}
	}
}

// attempt makes the attempt. A panic would be nobody's to recover from here.
func (s *shadow) attempt(ctx context.Context, at Attempt) (err error) {
	defer func() {
		if v := recover(); v != nil {
			err = &PanicError{Value: v, Stack: debug.Stack()}
		}
	}()
	at.op, at.Rung, at.made = s.op, s.rung, s.made
	if s.memo != nil {
		at.memo, at.Rung = s.memo, 0
	}
	value, err := s.run(ctx, at)
	if err == nil && s.op.asksFunc(s.rung) && isNothing(value) {
		return errNoAnswer
	}
	if c, ok := value.(io.Closer); ok && err == nil && !isNoAnswer(value) {
		if err = c.Close(); err != nil {
			err = fmt.Errorf("close the answer: %w", err)
		}
	}
	return err
}

// shadowObserver tells of a rung that runs beside a call as what it is: no call of its own.
type shadowObserver struct {
	op   *Operation
	rung int
}

// Begin tells the start of an attempt; that of the call is none.
func (o *shadowObserver) Begin(ctx context.Context, e Event) context.Context {
	if !o.marks(&e) {
		return ctx
	}
	return tellBegin(ctx, o.op.observer, e)
}

// Observe tells the attempts, what kept them from being made, and that the rung is broken.
func (o *shadowObserver) Observe(ctx context.Context, e Event) {
	if o.marks(&e) {
		tell(ctx, o.op.observer, e)
	}
}

// marks makes the event of a call that of an exercise, and reports whether it is one.
func (o *shadowObserver) marks(e *Event) bool {
	e.Exercised = e.What != BreakerChanged
	switch e.What {
	case CallStart:
		return false
	case AttemptStart, AttemptEnd:
		if o.op.sort(o.rung).IsAtHand() {
			return false
		}
	case CallEnd:
		if e.Kind == policy.KindNone || e.Kind.Local() {
			return false
		}
		e.What = ExerciseFailed
	default:
	}
	e.Rung, e.Level = o.rung, o.op.level(o.rung)
	return true
}

// last returns the last failure on a rung; nil if there was none.
func (d *driver) last(rung int) error {
	for _, e := range slices.Backward(d.failed) {
		if e.Rung == rung {
			return e.Err
		}
	}
	return nil
}
