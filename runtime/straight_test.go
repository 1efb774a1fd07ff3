package runtime_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/resgen-go/resgen/runtime"
	"github.com/resgen-go/resgen/runtime/policy"
	"github.com/resgen-go/resgen/runtime/wire"
)

// indifferent is an observer that does nothing: with one, no call goes straight.
type indifferent struct{}

func (indifferent) Observe(context.Context, runtime.Event) {}

// What calls come to, and what they leave in the machines, is the same whether they go straight or the long way.
func TestStraightCallsComeToTheSame(t *testing.T) {
	t.Parallel()
	seeds := uint64(100)
	if testing.Short() {
		seeds = 20
	}
	for seed := range seeds {
		var straight, long []string
		synctest.Test(t, func(t *testing.T) { straight = history(t, seed) })
		synctest.Test(t, func(t *testing.T) { long = history(t, seed, runtime.WithObserver(indifferent{})) })
		if diff := cmp.Diff(long, straight); diff != "" {
			t.Fatalf("seed %d (-long +straight):\n%s", seed, diff)
		}
	}
}

// drawnPlan draws a plan by which calls may go straight.
func drawnPlan(r *rand.Rand) policy.Plan {
	return plan(func(p *policy.Plan) {
		p.Timeout = policy.Timeout{
			Attempt: time.Duration(r.IntN(2)) * time.Second, Total: []time.Duration{0, 3 * time.Second, 10 * time.Second}[r.IntN(3)],
		}
		p.Retry.Attempts, p.Budget = 1+r.IntN(3), policy.BudgetConfig{Ratio: 0.1, MinPerSecond: 0.1}
		if p.Breaker = breaker(3); r.IntN(3) == 0 {
			p.Breaker.Mode = policy.BreakerOff
		}
		p.Bulkhead = policy.BulkheadConfig{MaxConcurrent: 2}
		p.Errors.Preset, p.Errors.Judge = "openai", r.IntN(2) == 0
		p.Limit = []policy.LimitConfig{
			{},
			{Requests: policy.Rate{Amount: 3, Per: time.Second}, Burst: 3},
			{Requests: policy.Rate{Amount: 3, Per: time.Second}, Per: policy.PerTenant},
			{Tokens: policy.Rate{Amount: 600, Per: time.Second}, Requests: policy.Rate{Amount: 5, Per: time.Second}, Burst: 3},
		}[r.IntN(4)]
		p.Fallback.Rungs = [][]policy.Rung{nil, {static("sorry")}, {other("two"), static("sorry")}}[r.IntN(3)]
	})
}

// drawnTarget draws what a target does with each request.
type drawnTarget struct{ r *rand.Rand }

func (d drawnTarget) RoundTrip(r *http.Request) (*http.Response, error) {
	_ = r.Body.Close()
	took, code := time.Duration(0), 200
	body := fmt.Sprintf(`{"name":"a","choices":[{"finish_reason":"stop","message":{"content":"a"}}],"usage":{"prompt_tokens":%d,"completion_tokens":%d}}`,
		d.r.IntN(50), d.r.IntN(200))
	switch d.r.IntN(10) {
	case 0:
		code, body = 503, ""
	case 1:
		code, body = 429, ""
	case 2:
		code, body = 400, `{"error":{"message":"no"}}`
	case 3:
		took = time.Minute
	case 4:
		took = time.Duration(d.r.IntN(1500)) * time.Millisecond
	case 5:
		return nil, errors.New("reset")
	case 6:
		body = `{"name":`
	case 7:
		body = `{"name":"a","choices":[{"finish_reason":"content_filter","message":{"content":""}}]}`
	default:
	}
	if took > 0 {
		select {
		case <-time.After(took):
		case <-r.Context().Done():
			return nil, r.Context().Err()
		}
	}
	return &http.Response{
		StatusCode: code, Header: http.Header{"Content-Type": {"application/json"}}, Body: io.NopCloser(strings.NewReader(body)), Request: r,
		Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1, ContentLength: int64(len(body)),
	}, nil
}

// drawnContext draws what a caller wants.
func drawnContext(ctx context.Context, r *rand.Rand) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(ctx)
	if r.IntN(2) == 0 {
		ctx = runtime.WithTenant(ctx, string(rune('a'+r.IntN(2))))
	}
	switch r.IntN(12) {
	case 0, 1, 2:
		var release context.CancelFunc
		ctx, release = context.WithTimeout(ctx, time.Duration(r.IntN(2000))*time.Millisecond)
		return ctx, func() { release(); cancel() }
	case 3:
		timer := time.AfterFunc(time.Duration(r.IntN(1000))*time.Millisecond, cancel)
		return ctx, func() { timer.Stop(); cancel() }
	case 4:
		ctx = runtime.WithoutFallback(ctx)
	case 5:
		ctx = runtime.WithMinLevel(ctx, policy.Alternate)
	case 6:
		ctx = runtime.WithoutRetries(ctx)
	default:
	}
	return ctx, cancel
}

// history makes calls that are drawn, and returns what each came to, and in the end the machines.
func history(t *testing.T, seed uint64, opts ...runtime.ClientOption) (lines []string) {
	t.Helper()
	r, g := rand.New(rand.NewPCG(seed, 7)), still()
	h := runtime.NewHTTP(spec(), append(opts, runtime.WithHTTPClient(&http.Client{Transport: drawnTarget{r}}), runtime.WithGroup(g))...)
	op := h.Operation(drawnPlan(r))
	if err := h.Err(); err != nil {
		t.Fatal(err)
	}
	for range 60 {
		ctx, cancel := drawnContext(t.Context(), r)
		began, panics := time.Now(), r.IntN(30) == 0
		line := cameTo(ctx, h, op, asking(question("Who?")), panics)
		cancel()
		synctest.Wait()
		lines = append(lines, fmt.Sprintf("%s, in %s", line, time.Since(began)))
		if r.IntN(3) == 0 {
			sleep(time.Duration(r.IntN(3000)) * time.Millisecond)
		}
	}
	for _, m := range g.Snapshot() {
		lines = append(lines, fmt.Sprintf("%+v", m))
	}
	return lines
}

// cameTo makes a call, and returns all that it came to.
func cameTo(ctx context.Context, h *runtime.HTTP, op *runtime.Operation, req *wire.Request, panics bool) (line string) {
	defer func() {
		if p := recover(); p != nil {
			line = fmt.Sprint("panic: ", p)
		}
	}()
	res, err := runtime.DoResult(ctx, op, func(ctx context.Context, at runtime.Attempt) (*thing, error) {
		switch {
		case panics:
			panic("no")
		case at.Rung > 0 && at.Target == "":
			return &thing{Name: "sorry"}, nil
		default:
			return runtime.Send(ctx, h, at, req, readThing)
		}
	}, req)
	if e, ok := errors.AsType[*runtime.Error](err); ok {
		return fmt.Sprintf("%v: %v, acted %v, %d attempts, %s", err, e.Kind, e.MayHaveActed, e.Attempts, e.Elapsed)
	}
	value := res.Value
	res.Value = nil // where it lies says nothing
	return fmt.Sprintf("%v, %+v, %+v", err, value, res)
}
