package runtime

import (
	"context"
	"errors"
	"time"

	"github.com/resgen-go/resgen/runtime/policy"
)

// kindError is a sentinel that every Error of its kind is.
type kindError policy.Kind

// Error returns the kind's name.
func (e kindError) Error() string { return policy.Kind(e).String() }

// Sentinels for errors.Is, one for each kind; the constants of policy.Kind say what each means. An *Error is the sentinel of its Kind,
// and the sentinel of the local rejection that kept it from being retried: a 503 that was not retried because the budget is empty is
// ErrTransient and ErrBudget.
var (
	ErrThrottled      error = kindError(policy.KindThrottle)
	ErrTransient      error = kindError(policy.KindTransient)
	ErrTimeout        error = kindError(policy.KindTimeout)
	ErrConnect        error = kindError(policy.KindConnect)
	ErrReset          error = kindError(policy.KindReset)
	ErrDecode         error = kindError(policy.KindDecode)
	ErrUnusable       error = kindError(policy.KindUnusable)
	ErrCaller         error = kindError(policy.KindCaller)
	ErrRefused        error = kindError(policy.KindRefused)
	ErrContextTooLong error = kindError(policy.KindContextTooLong)
	ErrBreakerOpen    error = kindError(policy.KindBreakerOpen)
	ErrBulkheadFull   error = kindError(policy.KindBulkheadFull)
	ErrRateLimited    error = kindError(policy.KindRateLimited)
	ErrShed           error = kindError(policy.KindShed)
	ErrBudget         error = kindError(policy.KindBudget)
	ErrUnfit          error = kindError(policy.KindUnfit)
	ErrDeadline       error = kindError(policy.KindDeadline)
	ErrCanceled       error = kindError(policy.KindCanceled)
	ErrPermanent      error = kindError(policy.KindPermanent)
)

// Error is how a call fails. It says what happened on the operation itself, its last real failure; the failures of the rungs that
// were tried after it are in Unwrap. errors.Is finds the sentinel of its Kind, and context.DeadlineExceeded where a deadline is
// why the call stopped; errors.As finds what the wire returned (*wire.StatusError, and *wire.PayloadError[T] where
// the document has a schema T for the body of the error). A fake of a client may return one with nothing but a Kind.
type Error struct {
	// Operation is the client and the operation: "llm.CreateChat".
	Operation string
	// Kind says what happened.
	Kind Kind
	// Status is the status code of the last response; 0 if there was none.
	Status int
	// Attempts is the number of attempts that were made, on all rungs.
	Attempts int
	// MayHaveActed says that a target may have executed the request, once or more often. False is a proof that none did.
	MayHaveActed bool
	// NotBefore is when a further call may succeed, as far as is known: the end of an open breaker, or of a wait that the target
	// asked for. Zero if nothing is known.
	NotBefore time.Time
	// Elapsed is the duration of the call, waits included.
	Elapsed time.Duration
	// Cause is the last real error: what the wire, or the function, returned. For a local rejection it says why.
	Cause error

	said     evidence // what its last failure says beside its kind
	attempts []AttemptError
	rungs    []error // the last failure of each rung after the first
	also     error   // the context's error, where it is why the call stopped
	stop     policy.Stop
	stopKind Kind
}

// AttemptError is one failed attempt of a call, or the rejection of one that was not made.
type AttemptError struct {
	// Number counts the attempts of a rung from 1; 0 is a rejection before any attempt.
	Number int
	// Rung is the number of the rung; 0 is the operation itself.
	Rung int
	// RungName is the name of the rung; empty for the operation itself.
	RungName string
	// Hedge says that it was a copy, sent beside an attempt that took long.
	Hedge bool
	// Target is the target that was called; empty for a rung that calls none.
	Target string
	// Kind says what happened.
	Kind Kind
	// Elapsed is the duration of the attempt, without the waits before it.
	Elapsed time.Duration
	// Err is what the attempt returned.
	Err error

	said evidence
}

// evidence is what a failure says beside its kind, for the call around the one that failed. The zero value says what its kind says.
type evidence struct {
	known   bool
	verdict policy.Verdict // of the dependency
	once    bool           // it may be tried once more, and not again
	final   bool           // the dependency asked not to be tried again
	waits   bool           // it asked for a wait, until NotBefore; that may be over at once
}

func evidenceOf(r *policy.Result) evidence {
	return evidence{known: true, verdict: r.Verdict, once: r.Once, final: r.Final, waits: r.Pushback}
}

// Failures returns each failure of the call in order: attempts, and rejections of attempts that were not made.
func (e *Error) Failures() []AttemptError { return e.attempts }

// Unwrap returns Cause, then the last failure of each rung that was tried after the operation itself, then the context's error
// where it is why the call stopped.
func (e *Error) Unwrap() []error {
	all := make([]error, 0, 2+len(e.rungs))
	if e.Cause != nil {
		all = append(all, e.Cause)
	}
	all = append(all, e.rungs...)
	if e.also != nil {
		all = append(all, e.also)
	}
	return all
}

// Is reports whether target is the sentinel of the error's kind, or of the rejection that kept it from being retried.
func (e *Error) Is(target error) bool {
	k, ok := target.(kindError)
	return ok && Kind(k) != policy.KindNone && (Kind(k) == e.Kind || Kind(k) == e.stopKind)
}

// Unwrap returns Err.
func (e *AttemptError) Unwrap() error { return e.Err }

// KindOf returns the kind of a call's error: that of the *Error in its chain, else of the sentinel in it, else policy.KindPermanent; and
// policy.KindNone for nil.
func KindOf(err error) Kind {
	var e *Error
	var sentinel kindError
	switch {
	case err == nil:
		return policy.KindNone
	case errors.As(err, &e):
		return e.Kind
	case errors.As(err, &sentinel):
		return Kind(sentinel)
	default:
		return policy.KindPermanent
	}
}

// contextError returns what errors.Is should find for an end by the caller's context or a deadline of ours.
func contextError(k Kind) error {
	switch k {
	case policy.KindDeadline, policy.KindTimeout:
		return context.DeadlineExceeded
	case policy.KindCanceled:
		return context.Canceled
	default:
		return nil
	}
}
