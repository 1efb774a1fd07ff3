package conformance

import (
	"context"
	"net/http"
	"time"

	"github.com/cep21/circuit/v4"
	"github.com/cep21/circuit/v4/closers/hystrix"
	"github.com/hashicorp/go-retryablehttp"
	"github.com/sony/gobreaker/v2"
)

func gobreakerLibrary() library {
	return library{name: "gobreaker", module: "github.com/sony/gobreaker/v2", guard: gobreakerGuard}
}

func gobreakerGuard(s settings) (*guard, string) {
	if s.breaker == nil || s.timeout > 0 || s.bulkhead > 0 || s.attempts > 1 || s.hedge > 0 || s.hedgeAuto || s.fallback || s.instead != nil || s.slow > 0 || s.rate > 0 || s.throttle {
		return nil, "it is a breaker only"
	}
	st := gobreaker.Settings{
		Timeout: openFor, Interval: window, BucketPeriod: time.Second, MaxRequests: uint32(s.breaker.probes),
		ReadyToTrip: func(c gobreaker.Counts) bool {
			return c.Requests >= uint32(s.breaker.minCalls) && float64(c.TotalFailures) >= failureRate*float64(c.Requests)
		},
	}
	if s.onChange != nil {
		st.OnStateChange = func(string, gobreaker.State, gobreaker.State) { s.onChange() }
	}
	b := gobreaker.NewCircuitBreaker[any](st)
	return &guard{
		do: func(ctx context.Context, fn func(ctx context.Context) error) error {
			_, err := b.Execute(func() (any, error) { return nil, fn(ctx) })
			return err
		},
		inspect: func() { b.State() },
	}, ""
}

func circuitLibrary() library {
	return library{name: "circuit", module: "github.com/cep21/circuit/v4", guard: circuitGuard}
}

// watcher is told about the states of a circuit.
type watcher struct{ changed func() }

func (w watcher) Closed(context.Context, time.Time) { w.changed() }
func (w watcher) Opened(context.Context, time.Time) { w.changed() }

func circuitGuard(s settings) (*guard, string) {
	if s.attempts > 1 || s.hedge > 0 || s.hedgeAuto || s.rate > 0 || s.throttle {
		return nil, "it is breaker, bulkhead, timeout and fallback"
	}
	if s.slow > 0 {
		return nil, "its breaker has no rule for slow calls"
	}
	if s.maxWait > 0 {
		return nil, "its bulkhead has no queue"
	}
	c := circuit.Config{Execution: circuit.ExecutionConfig{Timeout: s.timeout, MaxConcurrentRequests: int64(s.bulkhead)}}
	if s.timeout == 0 {
		c.Execution.Timeout = -1 // none; 0 would be its default of a second
	}
	if s.bulkhead == 0 {
		c.Execution.MaxConcurrentRequests = -1 // as above
	}
	if b := s.breaker; b != nil {
		factory := hystrix.Factory{
			ConfigureOpener: hystrix.ConfigureOpener{
				RequestVolumeThreshold: int64(b.minCalls), ErrorThresholdPercentage: 100 * failureRate, RollingDuration: window, NumBuckets: 10,
			},
			ConfigureCloser: hystrix.ConfigureCloser{SleepWindow: openFor, HalfOpenAttempts: int64(b.probes), RequiredConcurrentSuccessful: int64(b.probes)},
		}
		c.General = factory.Configure("").General
	}
	if s.onChange != nil {
		c.Metrics.Circuit = append(c.Metrics.Circuit, watcher{s.onChange})
	}
	it := circuit.NewCircuitFromConfig("probe", c)
	var instead func(context.Context, error) error
	if s.fallback {
		instead = func(context.Context, error) error { return nil }
	}
	if s.instead != nil {
		instead = func(ctx context.Context, _ error) error { return s.instead(ctx) }
	}
	return &guard{
		windowed: true,
		do: func(ctx context.Context, fn func(ctx context.Context) error) error {
			return it.Execute(ctx, fn, instead)
		},
		inspect: func() { it.IsOpen() },
	}, ""
}

func retryableLibrary() library {
	return library{name: "go-retryablehttp", module: "github.com/hashicorp/go-retryablehttp", http: retryableHTTP}
}

func retryableHTTP(s httpSettings, via http.RoundTripper) (*client, string) {
	if s.hedge > 0 {
		return nil, "it has no hedge"
	}
	c := retryablehttp.NewClient()
	c.HTTPClient, c.Logger = &http.Client{Transport: via}, nil
	if s.attempts > 0 {
		c.RetryMax = s.attempts - 1
	}
	if s.backoff > 0 {
		c.RetryWaitMin, c.RetryWaitMax = s.backoff, max(s.backoff, s.backoffMax)
	}
	if s.timeout > 0 {
		c.HTTPClient.Timeout = s.timeout // the only one that it has
	}
	return clientOf(func(r *http.Request) (*http.Response, error) {
		again, err := retryablehttp.FromRequest(r)
		if err != nil {
			return nil, err
		}
		return c.Do(again)
	}), ""
}
