package httpcall

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"testing"
	"time"

	"github.com/failsafe-go/failsafe-go"
	"github.com/failsafe-go/failsafe-go/bulkhead"
	"github.com/failsafe-go/failsafe-go/circuitbreaker"
	"github.com/failsafe-go/failsafe-go/failsafehttp"
	"github.com/failsafe-go/failsafe-go/timeout"
	"github.com/hashicorp/go-retryablehttp"

	"github.com/resgen-go/resgen/runtime"
	"github.com/resgen-go/resgen/runtime/policy"
	"github.com/resgen-go/resgen/runtime/wire"
)

const (
	callTimeout = 30 * time.Second
	maxInFlight = 1000
	maxAttempts = 4
	backoffBase = 50 * time.Millisecond
	backoffMax  = 2 * time.Second
)

// do makes one call.
type do func(ctx context.Context) error

type client struct {
	name string
	make func(tb testing.TB, via http.RoundTripper, url string) do
}

// clients has each client with JSON and, where it says "bytes", without: then what differs is the stack alone.
func clients() []client {
	resgen := func(name string, plan policy.Plan, codec bool) client {
		return client{"resgen/" + name, func(tb testing.TB, via http.RoundTripper, url string) do {
			tb.Helper()
			return generated(tb, plan, via, url, codec)
		}}
	}
	return []client{
		{"net-http/bytes", func(_ testing.TB, via http.RoundTripper, url string) do {
			return byHand(&http.Client{Transport: via}, url, false)
		}},
		resgen("bare-bytes", barePlan(), false),
		resgen("full-bytes", fullPlan(), false),
		{"net-http/json", func(_ testing.TB, via http.RoundTripper, url string) do {
			return byHand(&http.Client{Transport: via}, url, true)
		}},
		resgen("bare-json", barePlan(), true),
		resgen("full-json", fullPlan(), true),
		resgen("limits-json", limitsPlan(), true),
		resgen("model-json", modelPlan(), true),
		{"retryablehttp/json", func(_ testing.TB, via http.RoundTripper, url string) do {
			c := retryablehttp.NewClient()
			c.HTTPClient, c.Logger = &http.Client{Transport: via}, nil
			return byHand(retryable{c}, url, true)
		}},
		{"failsafehttp/full-bytes", func(_ testing.TB, via http.RoundTripper, url string) do {
			return byHand(&http.Client{Transport: failsafehttp.NewRoundTripper(via, failsafeFull()...)}, url, false)
		}},
		{"failsafehttp/full-json", func(_ testing.TB, via http.RoundTripper, url string) do {
			return byHand(&http.Client{Transport: failsafehttp.NewRoundTripper(via, failsafeFull()...)}, url, true)
		}},
	}
}

// sender is an http.Client, or what stands for one.
type sender interface {
	Do(r *http.Request) (*http.Response, error)
}

type retryable struct{ c *retryablehttp.Client }

func (r retryable) Do(plain *http.Request) (*http.Response, error) {
	again, err := retryablehttp.FromRequest(plain)
	if err != nil {
		return nil, err
	}
	return r.c.Do(again)
}

func failsafeFull() []failsafe.Policy[*http.Response] {
	return []failsafe.Policy[*http.Response]{
		failsafehttp.NewRetryPolicyBuilder().WithMaxAttempts(maxAttempts).WithBackoff(backoffBase, backoffMax).Build(),
		circuitbreaker.NewBuilder[*http.Response]().WithFailureRateThreshold(.5, 20, 10*time.Second).Build(),
		timeout.New[*http.Response](callTimeout),
		bulkhead.New[*http.Response](maxInFlight),
	}
}

var errUnexpected = errors.New("not the answer")

// byHand is the call as one writes it with net/http.
func byHand(by sender, url string, codec bool) do {
	return func(ctx context.Context) error {
		body := asked
		if codec {
			var err error
			if body, err = json.Marshal(ask); err != nil {
				return err
			}
		}
		r, err := http.NewRequestWithContext(ctx, http.MethodPost, url+path, bytes.NewReader(body))
		if err != nil {
			return err
		}
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Accept", "application/json")
		r.Header.Set("Authorization", "Bearer secret")
		resp, err := by.Do(r)
		if err != nil {
			return err
		}
		defer resp.Body.Close()
		got, err := io.ReadAll(resp.Body)
		if err != nil {
			return err
		}
		if resp.StatusCode != http.StatusOK {
			return fmt.Errorf("%w: status %d", errUnexpected, resp.StatusCode)
		}
		if !codec {
			return sized(got)
		}
		var c completion
		if err := json.Unmarshal(got, &c); err != nil {
			return err
		}
		return chosen(&c)
	}
}

// generated is the call as resgen writes it.
func generated(tb testing.TB, plan policy.Plan, via http.RoundTripper, url string, codec bool) do {
	tb.Helper()
	h := runtime.NewHTTP(
		runtime.HTTPSpec{Name: "chat", BaseURL: url, Schemes: []wire.Scheme{{Name: "bearer", Kind: wire.Bearer}}},
		runtime.WithHTTPClient(&http.Client{Transport: via}), runtime.WithCredential("bearer", "secret"),
	)
	op := h.Operation(plan)
	if err := h.Err(); err != nil {
		tb.Fatal(err)
	}
	text := string(asked)
	return func(ctx context.Context) error {
		r := wire.NewRequest(http.MethodPost, path)
		r.Security([]string{"bearer"})
		r.Accept("application/json")
		if !codec {
			r.Text("application/json", text) // bytes in memory, as JSON is once it is written
			got, err := runtime.Do(ctx, op, func(ctx context.Context, at runtime.Attempt) ([]byte, error) {
				return runtime.Send(ctx, h, at, r, wire.Bytes)
			})
			if err != nil {
				return err
			}
			return sized(got)
		}
		r.JSON(&ask)
		res, err := runtime.DoResult(ctx, op, func(ctx context.Context, at runtime.Attempt) (*completion, error) {
			return runtime.Send(ctx, h, at, r, wire.JSON[completion])
		}, r)
		if err != nil {
			return err
		}
		return chosen(res.Value)
	}
}

func sized(got []byte) error {
	if len(got) != len(answer) {
		return fmt.Errorf("%w: %d bytes", errUnexpected, len(got))
	}
	return nil
}

func chosen(c *completion) error {
	if len(c.Choices) != 1 {
		return fmt.Errorf("%w: %d choices", errUnexpected, len(c.Choices))
	}
	return nil
}

// barePlan is one attempt without a policy.
func barePlan() policy.Plan { return policy.Plan{Operation: "CreateChat", Idempotency: policy.Safe} }

// modelPlan is what one has for a language model: limitsPlan, and the provider's preset judges answers.
func modelPlan() policy.Plan {
	p := limitsPlan()
	p.Errors.Judge = true
	return p
}

// limitsPlan has limits of requests and of tokens, which the provider's preset counts, a breaker, a budget, and a ladder.
func limitsPlan() policy.Plan {
	const plenty = 1e12
	p := fullPlan()
	p.Errors = policy.Errors{Preset: "openai"}
	p.Budget = policy.Recommended(true).Budget
	p.Limit = policy.LimitConfig{
		Requests: policy.Rate{Amount: plenty, Per: time.Minute}, Tokens: policy.Rate{Amount: plenty, Per: time.Minute}, Burst: plenty,
	}
	p.Fallback.Rungs = []policy.Rung{{Name: "sorry", Sort: policy.RungStatic, When: []policy.Kind{policy.KindTimeout}, Level: policy.Canned}}
	return p
}

// fullPlan has the parts of the executor's full stack.
func fullPlan() policy.Plan {
	p := policy.Recommended(false)
	p.Operation, p.Idempotency, p.Retry.On = "CreateChat", policy.Safe, policy.RetryOn(policy.Safe)
	p.Retry.Attempts, p.Retry.RetryAfterMax = maxAttempts, 0
	p.Budget = policy.BudgetConfig{}
	p.Timeout = policy.Timeout{Attempt: callTimeout, Total: maxAttempts * callTimeout}
	p.Bulkhead = policy.BulkheadConfig{MaxConcurrent: maxInFlight}
	return p
}
