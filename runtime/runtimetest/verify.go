package runtimetest

import (
	"context"
	"fmt"
	"testing"
	"testing/synctest"

	"github.com/resgen-go/resgen/runtime"
	"github.com/resgen-go/resgen/runtime/policy"
)

// Suite is a client whose policies Verify proves. Generated tests hold it as a literal.
type Suite[C any] struct {
	// New makes the client.
	New func(opts ...runtime.ClientOption) (C, error)
	// Options are what New needs beside a connection: addresses, functions and values of rungs, stores, embedders. Those of this package
	// (Func, Store, Embedder) do what each check asks of them. All that they hold must be safe for use by many clients.
	Options []runtime.ClientOption
	// Cases are the operations.
	Cases []Case[C]
}

// Case is one operation of a Suite.
type Case[C any] struct {
	// Name is the operation's, in the names of subtests.
	Name string
	// Plan is what is expected of it. It is no copy of what the client was made with, but a second writing of the same: where the two differ, a
	// check fails.
	Plan policy.Plan
	// Answer is a right answer to Call.
	Answer Answer
	// Unwired names the rungs that no test can reach by itself: what they need could not be made up.
	Unwired []string
	// Call makes a call. It is made many times, each with a client of its own or with one that others call at the same time.
	Call func(ctx context.Context, client C) Outcome
}

// Verify proves, for each operation of a suite, that the client does what its plan says: attempts and their waits, the kinds of failure that
// are retried and those that are not, one idempotency key, Retry-After, the deadline, the breaker with its probes, each rung of the ladder and
// how its answer is marked, hedges and what becomes of the copy that lost, and streams that break.
//
// Each check makes a client in a testing/synctest bubble of its own, over a connection in memory that plays the target: no time passes and
// no port is used. What is expected is computed from the plan alone. A check that has nothing to look at in a plan is left out; what a plan
// has that no check can reach is logged, so that `go test -v` shows it.
func Verify[C any](t *testing.T, s Suite[C]) {
	t.Helper()
	if len(s.Cases) == 0 {
		t.Error("the suite has no cases")
	}
	for i := range s.Cases {
		c := &s.Cases[i]
		t.Run(c.Name, func(t *testing.T) {
			t.Parallel()
			for _, found := range examine(t, &s, c) {
				found.show(t)
			}
		})
	}
}

// examine runs all checks of an operation.
func examine[C any](t *testing.T, s *Suite[C], c *Case[C]) []finding {
	t.Helper()
	e := exam{plan: atPrimary(c.Plan), answer: c.Answer, unwired: c.Unwired, open: func(st *stage) (call, error) { return open(s, c, st) }}
	first := check{"answer", nil, answers}
	if e.plan.Breaker.Mode == policy.BreakerForcedOpen {
		first = check{"breaker", nil, forcedOpen}
	}
	found := first.play(t, &e)
	if len(found) > 0 || e.plan.Breaker.Mode == policy.BreakerForcedOpen { // the others would say the same, or nothing
		return found
	}
	for _, k := range checks() {
		if k.applies == nil || k.applies(e.plan) {
			found = append(found, k.play(t, &e)...)
		}
	}
	return found
}

// call makes one call of the operation that is examined.
type call func(ctx context.Context) Outcome

// open makes a client over a stage.
func open[C any](s *Suite[C], c *Case[C], st *stage) (call, error) {
	needs := []string{c.Plan.Operation} // a client of all would be made anew for each check of each
	for i := range c.Plan.Fallback.Rungs {
		if r := &c.Plan.Fallback.Rungs[i]; r.Sort == policy.RungOperation {
			needs = append(needs, r.Operation)
		}
	}
	client, err := s.New(append([]runtime.ClientOption{runtime.WithHTTPClient(st.client()), runtime.WithOperations(needs...)}, s.Options...)...)
	if err != nil {
		return nil, fmt.Errorf("the client is not made: %w", err)
	}
	return func(ctx context.Context) Outcome {
		o := Outcome{}
		ctx = context.WithValue(ctx, stageKey{}, st)
		made := c.Call(runtime.WithCriticality(runtime.Capture(ctx, &o.meta), runtime.Critical), client) // critical: it exercises no rung
		made.meta = o.meta
		return made
	}, nil
}

// exam is what the checks of an operation have in common.
type exam struct {
	plan    *policy.Plan
	answer  Answer
	unwired []string
	request string // the body of the case's request
	owned   bool   // the answer is a body, which lasts longer than the call
	open    func(*stage) (call, error)
}

// check is one thing that is proven.
type check struct {
	name string
	// applies says whether the plan has what it is about; nil is always.
	applies func(*policy.Plan) bool
	run     func(*trial)
}

// checks are all, in the order in which they run.
func checks() []check {
	return []check{
		{"retries", nil, retries},
		{"Retry-After", waitsHere, retryAfter},
		{"key", isKeyed, oneKey},
		{"deadline", isBounded, deadline},
		{"breaker", hasBreaker, breaker},
		{"ladder", hasLadder, ladder},
		{"hedge", nil, hedges},
		{"stream", isStream, streams},
		{"cache", isCached, cached},
	}
}

// finding is what a check has to say: that something is wrong, or that it could not look.
type finding struct {
	check, text string
	wrong       bool
}

func (f finding) show(t *testing.T) {
	t.Helper()
	if f.wrong {
		t.Errorf("%s: %s", f.check, f.text)
		return
	}
	t.Logf("%s: %s", f.check, f.text)
}

// trial is a check of an operation as it runs: it opens bubbles and takes findings.
type trial struct {
	*exam

	t     *testing.T
	check string
	found []finding
}

// play runs a check.
func (k *check) play(t *testing.T, e *exam) []finding {
	t.Helper()
	r := trial{exam: e, t: t, check: k.name}
	k.run(&r)
	return r.found
}

// errorf notes what is wrong.
func (r *trial) errorf(format string, args ...any) {
	r.found = append(r.found, finding{r.check, fmt.Sprintf(format, args...), true})
}

// logf notes what could not be looked at.
func (r *trial) logf(format string, args ...any) {
	r.found = append(r.found, finding{r.check, fmt.Sprintf(format, args...), false})
}

// bubble runs f with a new client and its stage, in virtual time. At its end nothing may be left: synctest says so of goroutines, and the
// stage of the bodies of answers.
func (r *trial) bubble(f func(ctx context.Context, st *stage, do call)) {
	synctest.Test(r.t, func(t *testing.T) {
		st := &stage{right: &r.answer}
		do, err := r.open(st)
		if err != nil {
			r.errorf("%v", err)
			return
		}
		f(t.Context(), st, do)
		synctest.Wait()
		if n := st.open(); n > 0 {
			r.errorf("%d bodies of answers are left open", n)
		}
	})
}
