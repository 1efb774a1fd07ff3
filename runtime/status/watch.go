package status

import (
	"context"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/resgen-go/resgen/runtime"
	"github.com/resgen-go/resgen/runtime/policy"
)

// Of each of these, so many are remembered; plans bound their number, and a program that makes names up meets this bound.
const (
	mostOperations = 1000
	mostFailures   = 1000
	mostRejections = 1000
	mostRungs      = 100
	mostPast       = 16
)

// watch remembers what calls came to. The zero value is ready.
type watch struct {
	runtime.ClientCount

	given atomic.Bool // somebody has it

	mu         sync.Mutex
	operations map[string]*operation
	failures   map[failureKey]*failure
	rejected   map[rejection]*episode
	made       map[injection]*injections
	past       []ended
	ring       ring
}

// operation is what the calls of an operation came to.
type operation struct {
	client, name string

	rungs                            []*rung // by number
	calls, failed, broken, exchanged lately
	injected                         lately // of what failed or broke: calls that chaos made faults up for
	last                             time.Time
	why                              runtime.Kind // of the last failure
	reason                           runtime.Kind // why a lower rung was taken last
	episode                          episode
}

// rung is what a rung answered.
type rung struct {
	number int
	name   string
	level  runtime.Level
	reason runtime.Kind
	total  uint64
	lately lately
	last   time.Time
}

// failureKey tells failures apart; rung is that of one without a target.
type failureKey struct {
	operation, target, rung string
	kind                    runtime.Kind
}

// ended is an episode of an operation that is over.
type ended struct {
	episode

	client, name string
}

// failure counts the failures of a kind.
type failure struct {
	status int
	total  uint64
	lately lately
	made   lately // of these, those that chaos made up
	last   time.Time
}

// rejection is why attempts at a target are not let through.
type rejection struct {
	client, target string
	kind           runtime.Kind
}

// Observe remembers the event. Retries, hedges, hits of caches and starts are nothing to remember.
func (w *watch) Observe(_ context.Context, e runtime.Event) {
	switch e.What {
	case runtime.CallStart, runtime.AttemptStart, runtime.RetryScheduled, runtime.Hedged, runtime.CacheHit:
		return
	default:
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	switch e.What {
	case runtime.CallEnd:
		w.callEnded(&e)
	case runtime.StreamEnd:
		if e.Kind.Any() {
			w.streamBroke(&e)
		}
	case runtime.AttemptEnd:
		if e.Kind != policy.KindNone && e.Kind != policy.KindCanceled {
			w.attemptFailed(&e)
		}
	case runtime.Rejected:
		if e.Kind != policy.KindBreakerOpen { // the breaker says it
			w.turnedAway(&e, e.Kind)
		}
	case runtime.BudgetDenied:
		w.turnedAway(&e, policy.KindBudget)
	case runtime.FaultInjected:
		w.injected(&e)
		w.ring.note(&e)
	default:
		w.ring.note(&e)
	}
}

func (w *watch) operationOf(e *runtime.Event) *operation {
	return bounded(&w.operations, e.Operation, mostOperations, func() *operation { return &operation{client: e.Client, name: e.Operation} })
}

// callEnded counts a call, and what it was answered by.
func (w *watch) callEnded(e *runtime.Event) {
	op := w.operationOf(e)
	if op == nil {
		return
	}
	op.last = e.Time
	op.calls.add(e.Time)
	bad := e.Kind.Any()
	switch {
	case bad:
		op.failed.add(e.Time)
		op.why = e.Kind
		op.madeUp(e)
	case e.Kind == policy.KindNone:
		op.answered(e)
		if bad = !e.Exercised && (e.Rung > 0 || e.Level > policy.Equal); bad {
			op.reason = e.Reason
		}
		if bad && e.Rung == 0 {
			op.exchanged.add(e.Time)
		}
	default:
		return // neither good nor bad
	}
	w.end(op, op.episode.add(e.Time, bad))
}

// madeUp counts a failure that chaos made a fault up for.
func (op *operation) madeUp(e *runtime.Event) {
	if e.Injected != "" {
		op.injected.add(e.Time)
	}
}

// answered counts an answer of a rung.
func (op *operation) answered(e *runtime.Event) {
	i, found := slices.BinarySearchFunc(op.rungs, e.Rung, func(r *rung, n int) int { return r.number - n })
	if !found {
		if len(op.rungs) >= mostRungs {
			return
		}
		op.rungs = slices.Insert(op.rungs, i, &rung{number: e.Rung, name: e.RungName})
	}
	r := op.rungs[i]
	r.level, r.reason, r.last = e.Level, e.Reason, e.Time
	r.total++
	r.lately.add(e.Time)
}

// streamBroke counts an answer that broke off after its begin, which its call counted as one.
func (w *watch) streamBroke(e *runtime.Event) {
	if op := w.operationOf(e); op != nil {
		op.why = e.Kind
		op.broken.add(e.Time)
		op.madeUp(e)
		w.end(op, op.episode.add(e.Time, true))
	}
}

func (w *watch) attemptFailed(e *runtime.Event) {
	key := failureKey{operation: e.Operation, target: e.Target, kind: e.Kind}
	if key.target == "" {
		key.rung = e.RungName
	}
	f := bounded(&w.failures, key, mostFailures, func() *failure { return new(failure) })
	if f == nil {
		return
	}
	f.status, f.last = e.Status, e.Time
	f.total++
	f.lately.add(e.Time)
	if e.Injected != "" {
		f.made.add(e.Time)
	}
}

func (w *watch) turnedAway(e *runtime.Event, k runtime.Kind) {
	if ep := bounded(&w.rejected, rejection{e.Client, e.Target, k}, mostRejections, func() *episode { return new(episode) }); ep != nil {
		ep.add(e.Time, true)
	}
}

// rejections returns the episodes of rejected attempts that go on. The lock is held.
func (w *watch) rejections(now time.Time) map[rejection]*episode {
	going := map[rejection]*episode{}
	for key, ep := range w.rejected {
		if ep.goesOn(now) {
			same := *ep
			going[key] = &same
		}
	}
	return going
}

// bounded returns the value of a key, made if there is none; nil if there are too many. m may be nil.
func bounded[K comparable, V any](m *map[K]*V, key K, most int, first func() *V) *V {
	v, ok := (*m)[key]
	if ok || len(*m) >= most {
		return v
	}
	if *m == nil {
		*m = map[K]*V{}
	}
	v = first()
	(*m)[key] = v
	return v
}
