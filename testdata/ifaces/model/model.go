// Package model has a ladder with rungs of every sort but the cache's, and rules for errors.
package model

import (
	"context"
	"errors"
	"io"

	"github.com/resgen-go/resgen/runtime/policy"
)

// What a Model is asked, and answers.
type (
	Question struct{ Prompt string }
	Answer   struct{ Text string }
)

// ErrBusy is what a model answers that has too much to do.
var ErrBusy = errors.New("busy")

// QuotaError is what a model answers whose quota is used up.
type QuotaError struct{ Who string }

// Error says whose quota it is.
func (e *QuotaError) Error() string { return "the quota of " + e.Who + " is used up" }

// Classify knows errors that say themselves of which kind they are.
func Classify(err error) policy.Kind {
	var kinded interface{ Kind() policy.Kind }
	if errors.As(err, &kinded) {
		return kinded.Kind()
	}
	return policy.KindNone
}

// IsGone reports whether an error says that the model is no more.
func IsGone(err error) bool { return errors.Is(err, io.ErrClosedPipe) }

// Model answers questions.
//
//resgen:target secondary errors=anthropic
//resgen:class answer total=20s attempt=4s
//resgen:timeout answer
//resgen:errors func=Classify transient.is=ErrBusy throttle.as=*QuotaError unusable.func=IsGone reset.is=io.ErrClosedPipe
type Model interface {
	// Complete answers one question.
	//
	//resgen:safe
	//resgen:hedgeable false
	//resgen:retry attempts=2 backoff.base=10ms backoff.jitter=none
	//resgen:fallback name=other target=secondary when=any
	//resgen:fallback name=small func=smallModel when=any
	//resgen:fallback name=sorry static=apology when=any
	Complete(ctx context.Context, q Question) (Answer, error)

	// Rate says how good an answer is. Its ladder goes to the other model alone.
	//
	//resgen:safe
	//resgen:fallback name=other target=secondary when=any
	Rate(ctx context.Context, q Question, a Answer) (float64, error)

	// Race answers by whichever model is faster.
	//
	//resgen:safe
	//resgen:hedge delay=50ms extra-load=20% target=secondary
	Race(ctx context.Context, q Question) (Answer, error)

	// Send delivers a text to a person, once.
	//
	//resgen:keyed
	//resgen:key source=param param=key
	//resgen:retry attempts=3 backoff.base=10ms backoff.jitter=none
	//resgen:fallback refuse="a message must not be sent by another way"
	Send(ctx context.Context, key, text string) error

	// Close ends the model.
	//
	//resgen:skip
	Close(ctx context.Context) error
}
