package conformance

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/resgen-go/resgen/runtime"
	"github.com/resgen-go/resgen/runtime/policy"
	"github.com/resgen-go/resgen/runtime/wire"
)

func resgenLibrary() library {
	guard := func(s settings) (*guard, string) { return resgenGuard(s, s.onChange != nil) }
	return library{name: "resgen", module: "github.com/resgen-go/resgen", guard: guard, http: resgenHTTP}
}

// resgenWatched is resgen with an observer: calls that nobody watches may take a shorter way, and both must be right.
func resgenWatched() library {
	lib := resgenLibrary()
	lib.guard = func(s settings) (*guard, string) { return resgenGuard(s, true) }
	return lib
}

func resgenGuard(s settings, watched bool) (*guard, string) {
	group := runtime.NewGroup()
	var wiring runtime.Wiring
	if watched {
		wiring.Observer = runtime.ObserverFunc(func(_ context.Context, e runtime.Event) {
			if e.What == runtime.BreakerChanged && s.onChange != nil {
				s.onChange()
			}
		})
	}
	op, err := runtime.NewOperation(group, "probe", resgenPlan(s), wiring)
	if err != nil {
		return nil, "resgen refuses the plan: " + err.Error()
	}
	return &guard{
		do: func(ctx context.Context, fn func(ctx context.Context) error) error {
			_, err := runtime.DoResult(ctx, op, func(ctx context.Context, at runtime.Attempt) (struct{}, error) {
				switch {
				case at.Rung > 0 && s.instead != nil:
					return struct{}{}, s.instead(ctx)
				case at.Rung > 0:
					return struct{}{}, nil
				}
				return struct{}{}, fn(ctx)
			})
			return err
		},
		inspect: func() { group.Snapshot() },
	}, ""
}

// resgenPlan is what a document would say, with nothing that a probe does not ask for.
func resgenPlan(s settings) policy.Plan {
	p := policy.Plan{
		Operation: "Get", Idempotency: policy.Safe, Timeout: policy.Timeout{Attempt: s.timeout},
		Bulkhead: policy.BulkheadConfig{MaxConcurrent: s.bulkhead, MaxQueue: s.queue, MaxWait: s.maxWait},
	}
	if b := s.breaker; b != nil {
		p.Breaker = policy.BreakerConfig{
			Mode: policy.BreakerOn, WindowCalls: 200, WindowAge: window, MinCalls: b.minCalls, FailureRate: failureRate,
			OpenFor: openFor, OpenMax: openFor, Probes: b.probes, CloseAfter: b.probes,
		}
		if s.slow > 0 {
			p.Breaker.SlowCall, p.Breaker.SlowRate = s.slow, .8
		}
	}
	if s.attempts > 1 {
		p.Retry = resgenRetry(s.attempts, s.backoff, s.backoffMax, policy.Safe)
	}
	if s.budget > 0 {
		p.Budget = policy.BudgetConfig{Ratio: s.budget}
	}
	if s.hedge > 0 || s.hedgeAuto {
		p.Hedgeable = true
		p.Hedge = policy.HedgeConfig{Max: 1, Delay: s.hedge, ExtraLoad: .05}
		if s.hedge > 0 {
			p.Hedge.ExtraLoad = 1
		}
	}
	if s.fallback {
		p.Fallback.Rungs = []policy.Rung{{Name: "fixed", Sort: policy.RungStatic, When: resgenAny(), Level: policy.Canned}}
	}
	if s.instead != nil {
		p.Fallback.Rungs = []policy.Rung{{
			Name: "instead", Sort: policy.RungFunc, Func: "instead", When: resgenAny(), Level: policy.Alternate, Reserve: s.reserve,
		}}
	}
	if s.rate > 0 {
		p.Limit = policy.LimitConfig{Requests: policy.Rate{Amount: float64(s.rate), Per: time.Second}, Burst: 1}
	}
	if s.throttle {
		p.Shed = policy.ShedConfig{Factor: 2, Window: 2 * time.Minute, MaxReject: .9, MinPerSecond: 5}
	}
	return p
}

func resgenRetry(attempts int, base, most time.Duration, i policy.Idempotency) policy.Retry {
	r := policy.Retry{
		Attempts: attempts, On: policy.RetryOn(i), RetryAfterMax: 30 * time.Second,
		Backoff: policy.Backoff{Base: base, Max: max(most, base), Multiplier: 2},
	}
	if most == 0 { // a fixed wait
		r.Backoff.Jitter = policy.NoJitter
	}
	return r
}

// resgenAny is `when: [any]`.
func resgenAny() []policy.Kind {
	var all []policy.Kind
	for _, k := range policy.Kinds() {
		if k.Any() {
			all = append(all, k)
		}
	}
	return all
}

// resgenRead is what a generated method reads a response with.
func resgenRead(r *wire.Response) ([]byte, error) {
	if r.Status != http.StatusOK {
		return nil, r.Unexpected()
	}
	return wire.Bytes(r)
}

func resgenHTTP(s httpSettings, via http.RoundTripper) (*client, string) {
	h := runtime.NewHTTP(runtime.HTTPSpec{Name: "probe", BaseURL: "http://stub.test"}, runtime.WithHTTPClient(&http.Client{Transport: via}))
	plan := func(method string, i policy.Idempotency) policy.Plan {
		p := policy.Plan{Operation: method, Idempotency: i, Timeout: policy.Timeout{Attempt: s.timeout}}
		if s.attempts > 1 {
			p.Retry = resgenRetry(s.attempts, s.backoff, s.backoffMax, i)
		}
		if s.hedge > 0 {
			p.Hedgeable, p.Hedge = true, policy.HedgeConfig{Max: 1, Delay: s.hedge, ExtraLoad: 1}
		}
		return p
	}
	get, put, post := h.Operation(plan("Get", policy.Safe)), h.Operation(plan("Put", policy.Idempotent)), (*runtime.Operation)(nil)
	if s.hedge == 0 { // a POST is never hedged
		post = h.Operation(plan("Post", policy.None))
	}
	ops := map[string]*runtime.Operation{http.MethodGet: get, http.MethodPut: put, http.MethodPost: post}
	if err := h.Err(); err != nil {
		return nil, "resgen refuses the plan: " + err.Error()
	}
	return &client{
		send: func(ctx context.Context, method string, body io.Reader) (int, error) {
			r := wire.NewRequest(method, "/")
			switch b := body.(type) {
			case nil:
			case *strings.Reader: // of which every library knows that it can be read again
				text, _ := io.ReadAll(b)
				r.Content("text/plain", wire.FromBytes(text))
			default:
				r.Content("text/plain", wire.FromReader(body))
			}
			_, err := runtime.Do(ctx, ops[method], func(ctx context.Context, at runtime.Attempt) ([]byte, error) {
				return runtime.Send(ctx, h, at, r, resgenRead)
			})
			var failed *runtime.Error
			switch {
			case err == nil:
				return http.StatusOK, nil
			case errors.As(err, &failed):
				return failed.Status, err
			default:
				return 0, err
			}
		},
		open: func(ctx context.Context) (io.ReadCloser, error) {
			return runtime.Open(ctx, get, func(ctx context.Context, at runtime.Attempt) (*wire.Download, error) {
				return runtime.Send(ctx, h, at, wire.NewRequest(http.MethodGet, "/"), wire.NewDownload)
			})
		},
	}, ""
}
