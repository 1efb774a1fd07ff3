package executor

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/cenkalti/backoff/v5"
	"github.com/cep21/circuit/v4"
	"github.com/cep21/circuit/v4/closers/hystrix"
	"github.com/sony/gobreaker/v2"
	"golang.org/x/sync/semaphore"
)

// errBroken is a failure of the dependency.
var errBroken = errors.New("broken")

func newGobreaker(open time.Duration) *gobreaker.CircuitBreaker[*answer] {
	return gobreaker.NewCircuitBreaker[*answer](gobreaker.Settings{
		Timeout: open, Interval: window, BucketPeriod: time.Second,
		ReadyToTrip: func(c gobreaker.Counts) bool { return c.Requests >= minCalls && c.TotalFailures*2 >= c.Requests },
	})
}

func gobreakerCall(b *gobreaker.CircuitBreaker[*answer]) call {
	return func(ctx context.Context) (*answer, error) {
		return b.Execute(func() (*answer, error) { return work(ctx) })
	}
}

// newCircuit is cep21/circuit's port of Hystrix: breaker, bulkhead and timeout in one.
func newCircuit(open time.Duration) *circuit.Circuit {
	factory := hystrix.Factory{
		ConfigureOpener: hystrix.ConfigureOpener{
			RequestVolumeThreshold: minCalls, ErrorThresholdPercentage: 100 * failureRate, RollingDuration: window, NumBuckets: 10,
		},
		ConfigureCloser: hystrix.ConfigureCloser{SleepWindow: open},
	}
	m := circuit.Manager{DefaultCircuitProperties: []circuit.CommandPropertiesConstructor{factory.Configure}}
	return m.MustCreateCircuit("bench", circuit.Config{Execution: circuit.ExecutionConfig{Timeout: callTimeout, MaxConcurrentRequests: maxInFlight}})
}

func circuitCall(c *circuit.Circuit) call {
	return func(ctx context.Context) (*answer, error) {
		var a *answer
		err := c.Execute(ctx, func(ctx context.Context) (err error) {
			a, err = work(ctx)
			return err
		}, nil)
		return a, err
	}
}

func retried(ctx context.Context, op backoff.Operation[*answer]) (*answer, error) {
	wait := &backoff.ExponentialBackOff{InitialInterval: backoffBase, RandomizationFactor: .5, Multiplier: 2, MaxInterval: backoffMax}
	return backoff.Retry(ctx, op, backoff.WithBackOff(wait), backoff.WithMaxTries(maxAttempts), backoff.WithMaxElapsedTime(0))
}

// handmade is what a good engineer puts together from single libraries: backoff around gobreaker around a semaphore around a timeout.
func handmade(b *gobreaker.CircuitBreaker[*answer]) call {
	permits := semaphore.NewWeighted(maxInFlight)
	return func(ctx context.Context) (*answer, error) {
		return retried(ctx, func() (*answer, error) {
			a, err := b.Execute(func() (*answer, error) {
				if err := permits.Acquire(ctx, 1); err != nil {
					return nil, err
				}
				defer permits.Release(1)
				timed, cancel := context.WithTimeout(ctx, callTimeout)
				defer cancel()
				return work(timed)
			})
			if errors.Is(err, gobreaker.ErrOpenState) {
				err = backoff.Permanent(err)
			}
			return a, err
		})
	}
}

func handmadeArms() []arm {
	return []arm{
		{"gobreaker", func(testing.TB) call { return gobreakerCall(newGobreaker(openFor)) }},
		{"circuit", func(testing.TB) call { return circuitCall(newCircuit(openFor)) }},
		{"backoff", func(testing.TB) call {
			return func(ctx context.Context) (*answer, error) {
				return retried(ctx, func() (*answer, error) { return work(ctx) })
			}
		}},
		{"handmade/full", func(testing.TB) call { return handmade(newGobreaker(openFor)) }},
	}
}

func handmadeOpenArms() []arm {
	opened := func() *gobreaker.CircuitBreaker[*answer] {
		b := newGobreaker(time.Hour)
		for range minCalls {
			_, _ = b.Execute(func() (*answer, error) { return nil, errBroken })
		}
		return b
	}
	return []arm{
		{"gobreaker", func(testing.TB) call { return gobreakerCall(opened()) }},
		{"circuit", func(testing.TB) call {
			c := newCircuit(time.Hour)
			c.OpenCircuit(context.Background())
			return circuitCall(c)
		}},
		{"handmade/full", func(testing.TB) call { return handmade(opened()) }},
	}
}
