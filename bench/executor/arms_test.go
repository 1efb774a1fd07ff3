package executor

import (
	"context"
	"testing"
	"time"

	"github.com/resgen-go/resgen/bench/internal/cpu"
	"github.com/resgen-go/resgen/bench/internal/floor"
)

// What every arm is set to, as far as it can be.
const (
	callTimeout = 30 * time.Second
	maxInFlight = 1000
	maxAttempts = 4
	backoffBase = 50 * time.Millisecond
	backoffMax  = 2 * time.Second
	window      = 10 * time.Second
	openFor     = 5 * time.Second
	minCalls    = 20
	failureRate = .5
)

type answer struct{ n int }

var theAnswer = &answer{n: 1}

//go:noinline
func work(ctx context.Context) (*answer, error) {
	if ctx == nil {
		return nil, context.Canceled
	}
	return theAnswer, nil
}

// withChild does what net/http does with its context.
func withChild(ctx context.Context) (*answer, error) {
	child, cancel := context.WithCancel(ctx)
	defer cancel()
	return work(child)
}

// call is one guarded call.
type call func(ctx context.Context) (*answer, error)

// arm is one way to guard a call; make builds what its calls share.
type arm struct {
	name string
	make func(testing.TB) call
}

func successArms() []arm {
	arms := []arm{{"bare", func(testing.TB) call { return work }}}
	arms = append(arms, floorArms()...)
	arms = append(arms, resgenArms()...)
	arms = append(arms, failsafeArms()...)
	return append(arms, handmadeArms()...)
}

func floorArms() []arm {
	return []arm{
		{"floor/full", func(testing.TB) call {
			s := floor.New(callTimeout, maxInFlight, maxAttempts)
			return func(ctx context.Context) (*answer, error) { return floor.Do(ctx, s, work) }
		}},
		{"floor/full-pooled-context", func(testing.TB) call {
			s := floor.New(callTimeout, maxInFlight, maxAttempts)
			s.Pooled = true
			return func(ctx context.Context) (*answer, error) { return floor.Do(ctx, s, work) }
		}},
		{"floor/full-std-timeout", func(testing.TB) call {
			s := floor.New(callTimeout, maxInFlight, maxAttempts)
			return func(ctx context.Context) (*answer, error) { return floor.DoStdTimeout(ctx, s, work) }
		}},
		{"floor/full-mutex", func(testing.TB) call {
			s := &floor.MutexStack{Timeout: callTimeout, MaxInFlight: maxInFlight}
			return func(ctx context.Context) (*answer, error) { return floor.DoMutex(ctx, s, work) }
		}},
		{"floor/no-clock", func(testing.TB) call {
			s := floor.New(callTimeout, maxInFlight, maxAttempts)
			return func(ctx context.Context) (*answer, error) { return floor.DoNoClock(ctx, s, work) }
		}},
		{"floor/full+child", func(testing.TB) call {
			s := floor.New(callTimeout, maxInFlight, maxAttempts)
			return func(ctx context.Context) (*answer, error) { return floor.Do(ctx, s, withChild) }
		}},
		{"floor/full-std-timeout+child", func(testing.TB) call {
			s := floor.New(callTimeout, maxInFlight, maxAttempts)
			return func(ctx context.Context) (*answer, error) { return floor.DoStdTimeout(ctx, s, withChild) }
		}},
	}
}

func openArms() []arm {
	arms := []arm{{"floor", func(testing.TB) call {
		s := floor.New(callTimeout, maxInFlight, maxAttempts)
		s.Open(time.Hour)
		return func(ctx context.Context) (*answer, error) { return floor.Do(ctx, s, work) }
	}}}
	arms = append(arms, resgenOpenArms()...)
	arms = append(arms, failsafeOpenArms()...)
	return append(arms, handmadeOpenArms()...)
}

// BenchmarkSeq is a call that succeeds, on one goroutine.
func BenchmarkSeq(b *testing.B) { sequentially(b, successArms(), false) }

// BenchmarkPar is a call that succeeds, on as many goroutines as there are processors.
func BenchmarkPar(b *testing.B) { inParallel(b, successArms(), false) }

// BenchmarkOpenSeq is a call that an open breaker refuses, on one goroutine.
func BenchmarkOpenSeq(b *testing.B) { sequentially(b, openArms(), true) }

// BenchmarkOpenPar is a call that an open breaker refuses, on as many goroutines as there are processors.
func BenchmarkOpenPar(b *testing.B) { inParallel(b, openArms(), true) }

func sequentially(b *testing.B, arms []arm, refused bool) {
	b.Helper()
	for _, a := range arms {
		b.Run(a.name, func(b *testing.B) {
			do := a.make(b)
			ctx := b.Context()
			b.ReportAllocs()
			defer cpu.Start(b)()
			for b.Loop() {
				if _, err := do(ctx); (err != nil) != refused {
					b.Fatal(err)
				}
			}
		})
	}
}

func inParallel(b *testing.B, arms []arm, refused bool) {
	b.Helper()
	for _, a := range arms {
		b.Run(a.name, func(b *testing.B) {
			do := a.make(b)
			b.ReportAllocs()
			defer cpu.Start(b)()
			b.RunParallel(func(pb *testing.PB) {
				ctx, cancel := context.WithCancel(b.Context()) // its own, as a request that is served has
				defer cancel()
				for pb.Next() {
					if _, err := do(ctx); (err != nil) != refused {
						b.Error(err)
						return
					}
				}
			})
		})
	}
}
