package runtimetest

import (
	"context"
	"sync"
	"time"

	"github.com/resgen-go/resgen/runtime"
)

// Step is how one attempt goes: it takes a while, then it answers, fails, or does something else.
type Step[T any] struct {
	// After is how long the attempt takes; the end of its context cuts it short, with the context's error.
	After time.Duration
	// Hang has the attempt last until its context ends.
	Hang bool
	// Deaf has After pass whatever becomes of the context.
	Deaf bool
	// Value and Err are what the attempt returns.
	Value T
	Err   error
	// Then, where it is not nil, is run instead of returning Value and Err.
	Then func(context.Context, runtime.Attempt) (T, error)
}

// Script plays one step for each attempt, in order; the last one again for all that follow. Run is what it gives to runtime.Do. Safe
// for concurrent use.
type Script[T any] struct {
	mu    sync.Mutex
	steps []Step[T]
	seen  []Seen
}

// Seen is an attempt that a Script was asked for.
type Seen struct {
	runtime.Attempt

	// At is when.
	At time.Time
}

// Play returns a script of the steps.
func Play[T any](steps ...Step[T]) *Script[T] { return &Script[T]{steps: steps} }

// Seen returns the attempts so far.
func (s *Script[T]) Seen() []Seen {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]Seen(nil), s.seen...)
}

// Run makes an attempt.
func (s *Script[T]) Run(ctx context.Context, at runtime.Attempt) (T, error) {
	step := s.next(at)
	if err := step.pass(ctx); err != nil {
		var none T
		return none, err
	}
	if step.Then != nil {
		return step.Then(ctx, at)
	}
	return step.Value, step.Err
}

// pass lets the time of a step pass, unless the context ends before. A step that takes none is not cut short.
func (s *Step[T]) pass(ctx context.Context) error {
	switch {
	case s.Hang:
		<-ctx.Done()
		return ctx.Err() //nolint:wrapcheck // a function that is cut short returns just that
	case s.After <= 0:
		return nil
	}
	done := ctx.Done()
	if s.Deaf {
		done = nil
	}
	timer := time.NewTimer(s.After)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-done:
		return ctx.Err() //nolint:wrapcheck // as above
	}
}

// next takes the step of the next attempt.
func (s *Script[T]) next(at runtime.Attempt) Step[T] {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.seen = append(s.seen, Seen{Attempt: at, At: time.Now()})
	if len(s.steps) == 0 {
		return Step[T]{}
	}
	step := s.steps[0]
	if len(s.steps) > 1 {
		s.steps = s.steps[1:]
	}
	return step
}
