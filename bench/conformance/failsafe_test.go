package conformance

import (
	"context"
	"io"
	"net/http"
	"time"

	"github.com/failsafe-go/failsafe-go"
	"github.com/failsafe-go/failsafe-go/adaptivethrottler"
	"github.com/failsafe-go/failsafe-go/budget"
	"github.com/failsafe-go/failsafe-go/bulkhead"
	"github.com/failsafe-go/failsafe-go/circuitbreaker"
	"github.com/failsafe-go/failsafe-go/failsafehttp"
	"github.com/failsafe-go/failsafe-go/fallback"
	"github.com/failsafe-go/failsafe-go/hedgepolicy"
	"github.com/failsafe-go/failsafe-go/ratelimiter"
	"github.com/failsafe-go/failsafe-go/retrypolicy"
	"github.com/failsafe-go/failsafe-go/timeout"
)

func failsafeLibrary() library {
	return library{name: "failsafe-go", module: "github.com/failsafe-go/failsafe-go", guard: failsafeGuard, http: failsafeHTTP}
}

// failsafeGuard composes policies in the order that the documentation shows, the outermost first: fallback, retry, hedge, limiter,
// breaker, bulkhead, timeout.
func failsafeGuard(s settings) (*guard, string) {
	if s.slow > 0 {
		return nil, "its breaker has no rule for slow calls"
	}
	var policies []failsafe.Policy[any]
	add := func(p failsafe.Policy[any]) { policies = append(policies, p) }
	if s.fallback {
		add(fallback.NewWithResult[any](1))
	}
	if s.instead != nil {
		add(fallback.NewWithFunc(func(e failsafe.Execution[any]) (any, error) { return nil, s.instead(e.Context()) }))
	}
	if s.attempts > 1 {
		b := retrypolicy.NewBuilder[any]().WithMaxAttempts(s.attempts)
		if s.backoff > 0 && s.backoffMax > s.backoff {
			b.WithBackoff(s.backoff, s.backoffMax).WithJitterFactor(.25)
		} else {
			b.WithDelay(s.backoff)
		}
		if s.budget > 0 {
			b.WithBudget(budget.NewBuilder().WithMaxRate(s.budget).WithMinConcurrency(0).Build())
		}
		add(b.Build())
	}
	switch {
	case s.hedgeAuto:
		add(hedgepolicy.NewWithDelayQuantile[any](.95, 100, 100))
	case s.hedge > 0:
		b := hedgepolicy.NewBuilderWithDelay[any](s.hedge)
		if s.budget > 0 {
			b.WithBudget(budget.NewBuilder().WithMaxRate(s.budget).WithMinConcurrency(0).Build())
		}
		add(b.Build())
	}
	if s.throttle {
		add(adaptivethrottler.NewWithDefaults[any]())
	}
	if s.rate > 0 {
		add(ratelimiter.NewSmoothBuilder[any](uint(s.rate), time.Second).WithMaxWaitTime(time.Hour).Build())
	}
	g := &guard{}
	if b := s.breaker; b != nil {
		builder := circuitbreaker.NewBuilder[any]().WithFailureRateThreshold(failureRate, uint(b.minCalls), window).
			WithDelay(openFor).WithSuccessThreshold(uint(b.probes))
		if s.onChange != nil {
			builder.OnStateChanged(func(circuitbreaker.StateChangedEvent) { s.onChange() })
		}
		breaker := builder.Build()
		g.inspect = func() { breaker.State() }
		add(breaker)
	}
	if s.bulkhead > 0 {
		add(bulkhead.NewBuilder[any](uint(s.bulkhead)).WithMaxWaitTime(s.maxWait).Build())
	}
	if s.timeout > 0 {
		add(timeout.New[any](s.timeout))
	}
	executor := failsafe.With(policies...)
	g.do = func(ctx context.Context, fn func(ctx context.Context) error) error {
		return executor.WithContext(ctx).RunWithExecution(func(e failsafe.Execution[any]) error { return fn(e.Context()) })
	}
	return g, ""
}

func failsafeHTTP(s httpSettings, via http.RoundTripper) (*client, string) {
	var policies []failsafe.Policy[*http.Response]
	if s.attempts > 1 {
		b := failsafehttp.NewRetryPolicyBuilder().WithMaxAttempts(s.attempts)
		if s.backoff > 0 && s.backoffMax > s.backoff {
			b.WithBackoff(s.backoff, s.backoffMax).WithJitterFactor(.25)
		}
		policies = append(policies, b.Build())
	}
	if s.hedge > 0 {
		policies = append(policies, hedgepolicy.NewWithDelay[*http.Response](s.hedge))
	}
	if s.timeout > 0 {
		policies = append(policies, timeout.New[*http.Response](s.timeout))
	}
	// An executor with a context of its own, as a server has one for its life.
	life, cancel := context.WithCancel(context.Background())
	executor := failsafe.With(policies...).WithContext(life)
	rt := failsafehttp.NewRoundTripperWithExecutor(via, executor)
	c := clientOf((&http.Client{Transport: rt}).Do)
	c.plain, c.end = failsafehttp.NewRoundTripper(via, policies...), cancel
	return c, ""
}

// clientOf is a client of what sends an http.Request.
func clientOf(do func(*http.Request) (*http.Response, error)) *client {
	request := func(ctx context.Context, method string, body io.Reader) (*http.Response, error) {
		r, err := http.NewRequestWithContext(ctx, method, "http://stub.test/", body)
		if err != nil {
			return nil, err
		}
		return do(r)
	}
	return &client{
		send: func(ctx context.Context, method string, body io.Reader) (int, error) {
			resp, err := request(ctx, method, body)
			if err != nil {
				return 0, err
			}
			defer resp.Body.Close()
			_, err = io.Copy(io.Discard, resp.Body)
			return resp.StatusCode, err
		},
		open: func(ctx context.Context) (io.ReadCloser, error) {
			resp, err := request(ctx, http.MethodGet, nil)
			if err != nil {
				return nil, err
			}
			return resp.Body, nil
		},
	}
}
