package floor

import (
	"context"
	"sync"
	"time"
)

// DoNoClock is Do without a clock: no deadline, no latency record, a breaker that only counts. It is the floor of a stack without time.
func DoNoClock[R any](ctx context.Context, s *Stack, fn func(context.Context) (R, error)) (R, error) {
	var zero R
	if err := s.enter(); err != nil {
		return zero, err
	}
	r, err := fn(ctx)
	s.window.shard().buckets[0].Add(1)
	s.inFlight.Add(-1)
	return r, err
}

// DoStdTimeout is Do, without its retry loop, with context.WithTimeout in place of LazyContext.
func DoStdTimeout[R any](ctx context.Context, s *Stack, fn func(context.Context) (R, error)) (R, error) {
	var zero R
	if err := s.enter(); err != nil {
		return zero, err
	}
	start := Now()
	timed, cancel := context.WithTimeout(ctx, s.Timeout)
	r, err := fn(timed)
	now := Now()
	results := s.window.shard()
	results.add(now, err != nil)
	results.took(now - start)
	cancel()
	s.inFlight.Add(-1)
	return r, err
}

// MutexStack is the stack behind one mutex that is taken twice a call: how one would write it first. Safe for concurrent use; its exported
// fields are set before the first call.
type MutexStack struct {
	// Timeout bounds a call.
	Timeout time.Duration
	// MaxInFlight bounds the calls at one time.
	MaxInFlight int64

	mu        sync.Mutex
	inFlight  int64
	open      bool
	buckets   [bucketCount]struct{ epoch, total, failures int64 }
	latencies [latencyBuckets]uint32
}

// DoMutex is Do, without its retry loop, on a MutexStack.
func DoMutex[R any](ctx context.Context, s *MutexStack, fn func(context.Context) (R, error)) (R, error) {
	var zero R
	if err := s.enter(); err != nil {
		return zero, err
	}
	start := Now()
	lazy := new(LazyContext)
	lazy.Init(ctx, start+int64(s.Timeout))
	r, err := fn(lazy) //nolint:contextcheck // it is made of ctx
	now := Now()
	lazy.Finish()
	s.leave(now, now-start, err != nil)
	return r, err
}

func (s *MutexStack) enter() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.open {
		return ErrOpen
	}
	if s.inFlight >= s.MaxInFlight {
		return ErrFull
	}
	s.inFlight++
	return nil
}

func (s *MutexStack) leave(now, took int64, failed bool) {
	epoch := now / bucketNanos
	s.mu.Lock()
	defer s.mu.Unlock()
	s.inFlight--
	b := &s.buckets[epoch%bucketCount]
	if b.epoch != epoch {
		b.epoch, b.total, b.failures = epoch, 0, 0
	}
	b.total++
	if failed {
		b.failures++
	}
	s.latencies[latencyBucket(took)]++
}
