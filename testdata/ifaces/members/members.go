// Package members has an interface with several implementations that are as good as each other.
package members

import (
	"context"
	"errors"
)

// ErrDown is how a model fails that is down.
var ErrDown = errors.New("down")

// Model answers questions.
//
//resgen:target primary any-of=eu,us affinity.key=conversation affinity.ttl=5m
//resgen:target eu weight=2
//resgen:target us breaker.open-for=10s
type Model interface {
	// Complete answers one question.
	//
	//resgen:safe
	//resgen:retry attempts=3 backoff.base=10ms
	//resgen:breaker
	//resgen:errors transient.is=ErrDown
	Complete(ctx context.Context, prompt string) (string, error)
}
