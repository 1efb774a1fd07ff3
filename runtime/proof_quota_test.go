package runtime_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/resgen-go/resgen/runtime"
	"github.com/resgen-go/resgen/runtime/policy"
	"github.com/resgen-go/resgen/runtime/wire"
)

// quotas is a provider that enforces requests, input tokens and output tokens of a minute, each by a bucket that fills all the time, as
// Anthropic documents it. Input counts when a request comes, output as it is made; a request that comes when a bucket is empty gets a 429
// that says when it is not.
type quotas struct {
	rpm, in, out float64

	mu       sync.Mutex
	at       time.Time
	left     [3]float64 // requests, input, output
	used     [3]float64
	answered int
	refused  int
	windowed bool // whole minutes are counted, instead of buckets
}

func (q *quotas) limits() [3]float64 { return [3]float64{q.rpm, q.in, q.out} }

// fill has time fill the buckets.
func (q *quotas) fill(now time.Time) {
	first := q.at.IsZero()
	d := now.Sub(q.at).Minutes()
	fresh := q.windowed && now.Truncate(time.Minute).After(q.at)
	for i, most := range q.limits() {
		switch {
		case first || fresh:
			q.left[i] = most
		case !q.windowed:
			q.left[i] = min(q.left[i]+d*most, most)
		}
	}
	q.at = now
}

// wait returns how long a bucket that lacks so much takes to have it.
func (q *quotas) wait(now time.Time, i int, lacks float64) time.Duration {
	if q.windowed {
		return now.Truncate(time.Minute).Add(time.Minute).Sub(now)
	}
	return time.Duration(lacks / q.limits()[i] * float64(time.Minute))
}

// RoundTrip answers a request whose body says what it takes: input tokens, output tokens and milliseconds.
func (q *quotas) RoundTrip(r *http.Request) (*http.Response, error) {
	var body struct {
		In, Out, Millis int64
	}
	if err := json.NewDecoder(r.Body).Decode(&body); err != nil {
		return nil, err
	}
	q.mu.Lock()
	now := time.Now()
	q.fill(now)
	need := [3]float64{1, float64(body.In), 1}
	for i, n := range need {
		if q.left[i] < n {
			q.refused++
			seconds := math.Ceil(q.wait(now, i, n-q.left[i]).Seconds())
			q.mu.Unlock()
			return quotaAnswer(r, 429, `{}`, "Retry-After", strconv.Itoa(int(seconds))), nil
		}
	}
	q.left[0]--
	q.left[1] -= float64(body.In)
	q.mu.Unlock()
	time.Sleep(time.Duration(body.Millis) * time.Millisecond) // in a synctest bubble
	q.mu.Lock()
	defer q.mu.Unlock()
	q.fill(time.Now())
	q.left[2] -= float64(body.Out)
	for i, n := range [3]float64{1, float64(body.In), float64(body.Out)} {
		q.used[i] += n
	}
	q.answered++
	return quotaAnswer(r, 200, fmt.Sprintf(`{"text":"hi","usage":{"in":%d,"out":%d}}`, body.In, body.Out)), nil
}

// quotaAnswer is a response of a simulated provider.
func quotaAnswer(r *http.Request, code int, body string, header ...string) *http.Response {
	h := http.Header{"Content-Type": {"application/json"}}
	for i := 0; i+1 < len(header); i += 2 {
		h.Set(header[i], header[i+1])
	}
	return &http.Response{
		Status: http.StatusText(code), StatusCode: code, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1, Header: h,
		Body: io.NopCloser(strings.NewReader(body)), ContentLength: int64(len(body)), Request: r,
	}
}

// request is a request of the proof: what it will take, as the provider finds out, in a text of some four bytes a token.
func quotaRequest(rnd *rand.Rand) *wire.Request {
	in := int64(min(math.Exp(6+0.8*rnd.NormFloat64()), 8000)) // a median of 400
	out := int64(min(math.Exp(5+rnd.NormFloat64()), 4000))    // a median of 150
	bytes := float64(in) * (3.2 + 1.6*rnd.Float64())          // 3.2 to 4.8 for a token
	r := wire.NewRequest("POST", "/ask")
	r.JSON(map[string]any{
		"in": in, "out": out, "millis": 200 + out*8, "max_tokens": 4096, "text": strings.Repeat("x", int(bytes)),
	})
	return r
}

// TestProofQuotasAreUsedUpAndNotExceeded: 10,000 requests of random size, from 200 callers who always have another one, against a provider that
// enforces three limits. The plan states the provider's limits, and nothing else.
func TestProofQuotasAreUsedUpAndNotExceeded(t *testing.T) {
	t.Parallel()
	const callers = 200
	requests := 10_000
	if raceEnabled {
		requests = 3000
	}
	for name, q := range map[string]*quotas{
		"requests are scarce": {rpm: 500, in: 600_000, out: 400_000},
		"input is scarce":     {rpm: 2000, in: 300_000, out: 400_000},
		"output is scarce":    {rpm: 2000, in: 900_000, out: 100_000},
		// a provider that counts whole minutes
		"requests are scarce, by the minute": {windowed: true, rpm: 500, in: 600_000, out: 400_000},
		"input is scarce, by the minute":     {windowed: true, rpm: 2000, in: 300_000, out: 400_000},
		"output is scarce, by the minute":    {windowed: true, rpm: 2000, in: 900_000, out: 100_000},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				minute := func(x float64) policy.Rate { return policy.Rate{Amount: x, Per: time.Minute} }
				c := newCaller(t, plan(func(p *policy.Plan) {
					p.Timeout = policy.Timeout{Total: time.Hour, Attempt: 2 * time.Minute}
					p.Limit = policy.LimitConfig{Requests: minute(q.rpm), InputTokens: minute(q.in), OutputTokens: minute(q.out)}
					p.Tokens = policy.Tokens{Max: "/max_tokens", Input: "/usage/in", Output: "/usage/out"}
					p.Idempotency = policy.Safe
				}), nil, runtime.WithHTTPClient(&http.Client{Transport: q}))
				rnd := rand.New(rand.NewPCG(1, 2))
				var mu sync.Mutex
				sent, failed := 0, 0
				next := func() *wire.Request {
					mu.Lock()
					defer mu.Unlock()
					if sent == requests {
						return nil
					}
					sent++
					return quotaRequest(rnd)
				}
				start := time.Now()
				var wg sync.WaitGroup
				for range callers {
					wg.Go(func() {
						for r := next(); r != nil; r = next() {
							for {
								_, err := runtime.Do(t.Context(), c.op, func(ctx context.Context, at runtime.Attempt) (*answerOf, error) {
									return runtime.Send(ctx, c.http, at, r, func(r *wire.Response) (*answerOf, error) {
										if r.Status != 200 {
											return nil, r.Unexpected()
										}
										return wire.JSON[answerOf](r)
									})
								}, r)
								if err == nil {
									break
								}
								mu.Lock()
								failed++
								mu.Unlock()
								sleep(time.Second)
							}
						}
					})
				}
				wg.Wait()
				took := time.Since(start).Minutes()
				best := 0.0
				for i, most := range q.limits() {
					best = max(best, q.used[i]/(most*took))
				}
				share := float64(q.refused) / float64(requests)
				t.Logf("%.1f minutes, %.1f%% of the scarcest quota, %d answered 429 (%.2f%%), %d calls failed locally", took, 100*best, q.refused, 100*share, failed)
				if best < 0.95 || share > 0.005 || q.answered != requests {
					t.Errorf("want at least 95%% used, at most 0.5%% refused, and %d answers, not %d", requests, q.answered)
				}
			})
		})
	}
}
