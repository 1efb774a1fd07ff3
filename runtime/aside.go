package runtime

import (
	"context"
	"errors"
	"sync/atomic"
	"time"

	"github.com/resgen-go/resgen/runtime/policy"
)

// aside is something that calls ask although they can do without it: an embedder, a store of vectors. It is asked for a short time, behind a
// breaker of its own, and left behind where it goes on after that.
type aside struct {
	what    string // for errors
	name    string // for events, and for what a group shows
	breaker *sharedBreaker
	local   bool // it answers at once, from memory
	timeout time.Duration
	out     atomic.Int32
}

// asideMost is how many questions of an operation may be under way, those among them that nobody waits for any more.
const asideMost = 64

// asideError is why something was not asked, or did not answer.
type asideError struct {
	what string
	err  error
}

// Error says what of what.
func (e *asideError) Error() string { return e.what + ": " + e.err.Error() }

// Unwrap returns why.
func (e *asideError) Unwrap() error { return e.err }

var (
	errAsideBusy = errors.New("it has too many questions that it did not answer yet: it is not asked")
	errAsideLate = errors.New("the call has no time for it")
)

// newAside returns what calls of an operation ask beside their target. Its breaker is that of all operations of the client.
func (op *Operation) newAside(what, name string, local bool, timeout time.Duration) *aside {
	cfg := policy.Recommended(false).Breaker
	cfg.Scope = policy.ScopeTarget
	key := machineKey{client: op.client, target: name, operation: op.plan.Operation}
	b, _ := op.group.breaker(key, cfg, timeout)
	op.group.show(key, policy.Target{Name: name, Breaker: cfg}, policy.Machines{Target: name, Breaker: b.Breaker})
	return &aside{what: what, name: name, breaker: b, local: local, timeout: timeout}
}

// ask asks it until then, and for no longer than its timeout. Where the time of the call is the shorter of the two, its end says nothing against
// what is asked. What becomes of the breaker is told.
func ask[T any](
	ctx context.Context, a *aside, until time.Time, t *aloud, question func(context.Context) (T, error),
) (answer T, err error) {
	began := time.Now()
	wait := until.Sub(began)
	if wait <= 0 {
		return answer, &asideError{a.what, errAsideLate}
	}
	if a.out.Add(1) > asideMost {
		a.out.Add(-1)
		return answer, &asideError{a.what, errAsideBusy}
	}
	ticket, admission := a.breaker.Admit(began)
	for _, change := range admission.Changed {
		t.changed(a, change)
	}
	if !admission.OK {
		a.out.Add(-1)
		return answer, &asideError{a.what, admission.Why}
	}
	outcome := policy.Outcome{Verdict: policy.Failure} // where somebody ends the goroutine
	defer func() {
		now := time.Now()
		outcome.InFlight = now.Sub(began)
		if change, ok := a.breaker.Report(now, ticket, outcome); ok {
			t.changed(a, change)
		}
	}()
	bounded, cancel := context.WithTimeout(ctx, min(wait, a.timeout))
	defer cancel()
	answer, err = await(bounded, a.local, nil, func(ctx context.Context) (T, error) {
		defer a.out.Add(-1)
		return question(ctx)
	})
	if err != nil {
		if ctx.Err() != nil || bounded.Err() != nil && wait < a.timeout { // the caller has ended, or had no time
			outcome.Verdict = policy.Neutral
		}
		return answer, &asideError{a.what, err}
	}
	outcome.Verdict = policy.Success
	return answer, nil
}

// changed tells the change of a breaker in its turn.
func (t *aloud) changed(a *aside, change policy.Transition) {
	e := Event{What: BreakerChanged, Target: a.name, From: change.From.String(), To: change.To.String(), Until: change.NotBefore}
	t.op.fill(change.At, &e)
	a.breaker.order.tell(told{ctx: t.ctx, observer: t.op.observer, event: e, change: change})
}
