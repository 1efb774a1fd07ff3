package runtimetest_test

import (
	"context"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/resgen-go/resgen/runtime"
	"github.com/resgen-go/resgen/runtime/policy"
	"github.com/resgen-go/resgen/runtime/runtimetest"
	"github.com/resgen-go/resgen/runtime/wire"
)

// small is a client of one operation, as generated code makes it.
type small struct {
	http *runtime.HTTP
	op   *runtime.Operation
	help func(context.Context) (*answer, error)
}

type answer struct {
	Text string `json:"text"`
}

// made returns what makes clients with a plan.
func made(plan policy.Plan) func(opts ...runtime.ClientOption) (*small, error) {
	return func(opts ...runtime.ClientOption) (*small, error) {
		h := runtime.NewHTTP(runtime.HTTPSpec{
			Name: "small", BaseURL: "http://primary.test",
			Targets: []policy.Target{{Name: policy.PrimaryTarget}, {Name: "eu", BaseURL: "http://eu.test"}},
		}, opts...)
		c := &small{http: h, op: h.Operation(plan)}
		if slices.ContainsFunc(plan.Fallback.Rungs, func(r policy.Rung) bool { return r.Sort == policy.RungFunc }) {
			c.help = runtime.Wired[func(context.Context) (*answer, error)](h, "help")
		}
		return c, h.Err()
	}
}

func (c *small) ask(ctx context.Context, plan *policy.Plan) (runtime.Result[*answer], error) {
	request := func(text string) *wire.Request {
		r := wire.NewRequest("POST", "/ask")
		r.JSON(answer{text})
		return r
	}
	read := func(r *wire.Response) (*answer, error) {
		if r.Status == http.StatusOK {
			return wire.JSON[answer](r)
		}
		return nil, r.Unexpected()
	}
	return runtime.DoResult(ctx, c.op, func(ctx context.Context, at runtime.Attempt) (*answer, error) {
		if at.Rung > 0 {
			switch plan.Fallback.Rungs[at.Rung-1].Sort {
			case policy.RungPatch:
				return runtime.Send(ctx, c.http, at, request("shorter"), read)
			case policy.RungFunc:
				return c.help(ctx)
			case policy.RungStatic:
				return &answer{"sorry"}, nil
			case policy.RungTarget, policy.RungCache, policy.RungOperation:
			}
		}
		return runtime.Send(ctx, c.http, at, request("question"), read)
	}, request("question"))
}

// suite is of a client that was made with one plan, of which another is told.
func suite(is, told policy.Plan) runtimetest.Suite[*small] {
	return runtimetest.Suite[*small]{
		New: made(is),
		Options: []runtime.ClientOption{
			runtime.WithStore(runtimetest.Store()),
			runtime.WithWired("help", func(ctx context.Context) (*answer, error) {
				return runtimetest.Func(ctx, "help", func() (*answer, error) { return &answer{"help"}, nil })
			}),
		},
		Cases: []runtimetest.Case[*small]{{
			Name: "ask", Plan: told, Answer: runtimetest.Answer{MediaType: "application/json", Body: `{"text":"well"}`},
			Call: func(ctx context.Context, c *small) runtimetest.Outcome { return runtimetest.Result(c.ask(ctx, &is)) },
		}},
	}
}

var ours = []policy.Kind{policy.KindThrottle, policy.KindTransient, policy.KindTimeout, policy.KindConnect, policy.KindReset, policy.KindDecode}

// keyed is a plan with most that a unary operation can have.
func keyed() policy.Plan {
	return policy.Plan{
		Operation: "ask", Idempotency: policy.Keyed, Key: policy.Key{Header: "Idempotency-Key"},
		Timeout: policy.Timeout{Total: 20 * time.Second, Attempt: time.Second},
		Retry: policy.Retry{
			Attempts: 3, On: ours, RetryAfterMax: 5 * time.Second,
			Backoff: policy.Backoff{Base: 100 * time.Millisecond, Max: 150 * time.Millisecond, Jitter: policy.EqualJitter},
		},
		Budget: policy.BudgetConfig{Ratio: 0.2, MinPerSecond: 1},
		Breaker: policy.BreakerConfig{
			Mode: policy.BreakerOn, WindowCalls: 50, WindowAge: 10 * time.Second, MinCalls: 20, FailureRate: 0.5, Consecutive: 5,
			OpenFor: time.Second, OpenMax: 3 * time.Second, Probes: 2, CloseAfter: 3,
		},
		Bulkhead: policy.BulkheadConfig{MaxConcurrent: 32, MaxQueue: 8, MaxWait: 50 * time.Millisecond},
		Fallback: policy.Fallback{Rungs: []policy.Rung{
			{Name: "europe", Sort: policy.RungTarget, Target: "eu", When: ours, Level: policy.Alternate, MayDuplicate: "it may"},
			{Name: "short", Sort: policy.RungPatch, When: ours, Level: policy.Reduced, MayDuplicate: "it may"},
			{Name: "helped", Sort: policy.RungFunc, Func: "help", When: ours, Level: policy.Reduced},
			{Name: "sorry", Sort: policy.RungStatic, When: ours, Level: policy.Canned},
		}},
	}
}

// safe is one with a cache, whose calls are hedged.
func safe() policy.Plan {
	p := keyed()
	p.Idempotency, p.Key, p.Hedgeable = policy.Safe, policy.Key{}, true
	p.Cache = policy.CacheConfig{On: true, TTL: time.Minute, StaleIfError: time.Hour}
	p.Fallback.Rungs = append(p.Fallback.Rungs[:1:1], policy.Rung{Name: "remembered", Sort: policy.RungCache, When: ours, Level: policy.Stale})
	p.Fallback.Rungs[0].MayDuplicate = ""
	p.Hedge = policy.HedgeConfig{Max: 1, Delay: 200 * time.Millisecond, ExtraLoad: 0.1}
	return p
}

// TestVerifyPasses holds clients to the very plans that they were made with.
func TestVerifyPasses(t *testing.T) {
	t.Parallel()
	auto, none := safe(), keyed()
	auto.Hedge.Delay = 0
	for i := range none.Fallback.Rungs {
		none.Fallback.Rungs[i].MayDuplicate, none.Fallback.Rungs[i].When = "", []policy.Kind{policy.KindThrottle, policy.KindConnect}
	}
	none.Idempotency, none.Key, none.Retry.On = policy.None, policy.Key{}, []policy.Kind{policy.KindThrottle, policy.KindConnect}
	limited := safe()
	limited.Limit = policy.LimitConfig{Requests: policy.Rate{Amount: 600, Per: time.Minute}, Burst: 60}
	bare := policy.Plan{Operation: "ask", Timeout: policy.Timeout{Total: time.Minute, Attempt: time.Minute}}
	for name, plan := range map[string]policy.Plan{"keyed": keyed(), "safe": safe(), "auto": auto, "none": none, "bare": bare, "limited": limited} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			wrong, noted := runtimetest.Examine(t, suite(plan, plan))
			if len(wrong) > 0 || len(noted) > 0 {
				t.Errorf("wrong: %q\nnoted: %q", wrong, noted)
			}
		})
	}
	runtimetest.Verify(t, suite(keyed(), keyed()))
}

// TestVerifyFails makes clients with a plan that differs in one place from what is told, and wants the check that is about it to say so.
func TestVerifyFails(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		from   func() policy.Plan
		change func(*policy.Plan)
		want   string
	}{
		"fewer attempts":        {keyed, func(p *policy.Plan) { p.Retry.Attempts = 2 }, "retries"},
		"more attempts":         {keyed, func(p *policy.Plan) { p.Retry.Attempts = 4 }, "retries"},
		"no retry of a kind":    {keyed, func(p *policy.Plan) { p.Retry.On = slices.Clone(ours[1:]) }, "retries"},
		"longer waits":          {keyed, func(p *policy.Plan) { p.Retry.Backoff.Base, p.Retry.Backoff.Max = time.Second, time.Second }, "retries"},
		"no waits":              {keyed, func(p *policy.Plan) { p.Retry.Backoff = policy.Backoff{} }, "retries"},
		"a shorter Retry-After": {keyed, func(p *policy.Plan) { p.Retry.RetryAfterMax = time.Second }, "Retry-After"},
		"a longer Retry-After":  {keyed, func(p *policy.Plan) { p.Retry.RetryAfterMax = 10 * time.Minute; p.Timeout.Total = time.Hour }, "Retry-After"},
		"no key":                {keyed, func(p *policy.Plan) { p.Key.Header = "" }, "key"},
		"longer attempts":       {keyed, func(p *policy.Plan) { p.Timeout.Attempt = 2 * time.Second }, "deadline"},
		"longer calls":          {keyed, func(p *policy.Plan) { p.Timeout.Total = time.Minute; p.Timeout.Attempt = 0 }, "deadline"},
		"a breaker that waits":  {keyed, func(p *policy.Plan) { p.Breaker.Consecutive = 6 }, "breaker"},
		"no breaker":            {keyed, func(p *policy.Plan) { p.Breaker = policy.BreakerConfig{} }, "breaker"},
		"open for longer":       {keyed, func(p *policy.Plan) { p.Breaker.OpenFor = 2 * time.Second }, "breaker"},
		"more probes":           {keyed, func(p *policy.Plan) { p.Breaker.Probes = 3 }, "breaker"},
		"it does not close":     {keyed, func(p *policy.Plan) { p.Breaker.CloseAfter = 30 }, "breaker"},
		"another order": {keyed, func(p *policy.Plan) {
			p.Fallback.Rungs[0], p.Fallback.Rungs[1] = p.Fallback.Rungs[1], p.Fallback.Rungs[0]
		}, "ladder"},
		"a rung less":             {keyed, func(p *policy.Plan) { p.Fallback.Rungs = p.Fallback.Rungs[1:] }, "ladder"},
		"another level":           {keyed, func(p *policy.Plan) { p.Fallback.Rungs[3].Level = policy.Equal }, "ladder"},
		"a rung that hides":       {keyed, func(p *policy.Plan) { p.Fallback.Rungs[2].When = []policy.Kind{policy.KindThrottle} }, "ladder"},
		"the primary as a target": {keyed, func(p *policy.Plan) { p.Fallback.Rungs[0].Target = policy.PrimaryTarget }, "ladder"},
		"a cache for longer":      {safe, func(p *policy.Plan) { p.Cache.TTL = time.Hour }, "cache"},
		"no cache":                {safe, func(p *policy.Plan) { p.Cache.TTL = 0 }, "cache"},
		"hedged all the same":     {safe, nil, "hedge"},
		"no hedge":                {safe, func(p *policy.Plan) { p.Hedge = policy.HedgeConfig{} }, "hedge"},
		"hedged later":            {safe, func(p *policy.Plan) { p.Hedge.Delay = 300 * time.Millisecond }, "hedge"},
		"hedged elsewhere":        {safe, func(p *policy.Plan) { p.Hedge.Target = "eu" }, "hedge"},
		"hedged too seldom":       {safe, func(p *policy.Plan) { p.Hedge.ExtraLoad = 0.001 }, "hedge"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			is, told := c.from(), c.from()
			if c.change != nil {
				c.change(&is)
			} else {
				told.Hedge = policy.HedgeConfig{}
			}
			wrong, _ := runtimetest.Examine(t, suite(is, told))
			if wrong[c.want] == "" {
				t.Errorf("the check %q finds nothing; these do: %q", c.want, slices.Sorted(maps.Keys(wrong)))
			}
			t.Log(strings.TrimSpace(wrong[c.want]))
		})
	}
}

// TestWhatCannotBeReachedIsNamed wants a note, and nothing wrong, of a rung that no fault leads to, and of one that cannot be wired.
func TestWhatCannotBeReachedIsNamed(t *testing.T) {
	t.Parallel()
	plan := keyed()
	plan.Fallback.Rungs[3].When = []policy.Kind{policy.KindContextTooLong}
	s := suite(plan, plan)
	s.Cases[0].Unwired = []string{"helped"}
	wrong, noted := runtimetest.Examine(t, s)
	want := []string{
		`ladder: the rung "helped" needs what only its author can wire`,
		`ladder: no fault that can be made here leads to the rung "sorry"`,
	}
	if diff := cmp.Diff(want, noted); diff != "" || len(wrong) > 0 {
		t.Errorf("wrong: %q, noted (-want +got):\n%s", wrong, diff)
	}
}
