package floor

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"time"
)

// What Do refuses with.
var (
	// ErrOpen is an open breaker.
	ErrOpen = errors.New("floor: breaker open")
	// ErrFull is a full bulkhead.
	ErrFull = errors.New("floor: bulkhead full")
)

const (
	closed = iota
	opened
)

const (
	minCalls    = 20
	openFor     = 5 * time.Second
	retryCost   = 10
	retryBudget = 1000
)

// padded is a counter with a cache line of its own.
type padded struct {
	atomic.Int64

	_ [2*cacheLine - 8]byte // wherever it begins, nothing that is written shares its line
}

// Stack is what the calls of one dependency share. Safe for concurrent use; its fields are set before the first call.
type Stack struct {
	// Timeout bounds a call.
	Timeout time.Duration
	// MaxInFlight bounds the calls at one time.
	MaxInFlight int64
	// MaxAttempts is how often a call is tried.
	MaxAttempts int
	// Pooled uses contexts again. That is wrong where a function keeps its context, and is here to show what it would save.
	Pooled bool

	inFlight padded
	state    atomic.Uint32
	reopenAt atomic.Int64
	_        [cacheLine]byte
	budget   padded
	window   *Window
	contexts sync.Pool
}

// New returns a stack with a closed breaker.
func New(timeout time.Duration, maxInFlight int64, maxAttempts int) *Stack {
	s := &Stack{Timeout: timeout, MaxInFlight: maxInFlight, MaxAttempts: maxAttempts, window: NewWindow()}
	s.contexts.New = func() any { return new(LazyContext) }
	s.budget.Store(retryBudget)
	return s
}

// Open opens the breaker for d.
func (s *Stack) Open(d time.Duration) {
	s.reopenAt.Store(Now() + int64(d))
	s.state.Store(opened)
}

// Do runs fn under the whole stack.
func Do[R any](ctx context.Context, s *Stack, fn func(context.Context) (R, error)) (R, error) {
	var zero R
	if err := s.enter(); err != nil {
		return zero, err
	}
	start := Now()
	lazy := s.context()
	lazy.Init(ctx, start+int64(s.Timeout))
	r, err := fn(lazy) //nolint:contextcheck // it is made of ctx
	now := Now()
	results := s.window.shard()
	results.add(now, err != nil)
	results.took(now - start)
	for attempt := 1; err != nil && attempt < s.MaxAttempts && s.mayRetry(ctx, now); attempt++ {
		r, err = fn(lazy) //nolint:contextcheck // as above
		now = Now()
		results.add(now, err != nil)
	}
	lazy.Finish()
	if s.Pooled {
		s.contexts.Put(lazy)
	}
	s.inFlight.Add(-1)
	return r, err
}

// enter asks the breaker, one load of a word that is seldom written, and then the bulkhead.
func (s *Stack) enter() error {
	if s.state.Load() == opened && Now() < s.reopenAt.Load() {
		return ErrOpen
	}
	if s.inFlight.Add(1) > s.MaxInFlight {
		s.inFlight.Add(-1)
		return ErrFull
	}
	return nil
}

func (s *Stack) context() *LazyContext {
	if !s.Pooled {
		return new(LazyContext)
	}
	c, _ := s.contexts.Get().(*LazyContext)
	c.reset()
	return c
}

// mayRetry pays for a retry, and opens the breaker where the window says so.
func (s *Stack) mayRetry(ctx context.Context, now int64) bool {
	if s.budget.Add(-retryCost) < 0 || ctx.Err() != nil || s.state.Load() == opened {
		return false
	}
	if total, failures := s.window.Totals(now); total >= minCalls && failures*2 > total {
		s.Open(openFor)
		return false
	}
	return true
}
