package runtime_test

import (
	"context"
	"errors"
	"math"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/resgen-go/resgen/runtime"
	"github.com/resgen-go/resgen/runtime/policy"
	"github.com/resgen-go/resgen/runtime/wire"
)

// answerOf is an answer of a language model.
type answerOf struct {
	Text  string `json:"text"`
	Usage *struct {
		In  int64 `json:"in"`
		Out int64 `json:"out"`
	} `json:"usage,omitzero"`
}

// tokened gives a plan a limit of tokens.
func tokened(amount float64) func(*policy.Plan) {
	return func(p *policy.Plan) {
		p.Limit.Tokens = policy.Rate{Amount: amount, Per: time.Minute}
		p.Tokens = policy.Tokens{Max: "/max_tokens", Input: "/usage/in", Output: "/usage/out"}
	}
}

// ask makes a call whose body has 400 bytes and allows so many tokens of output.
func (c *caller) ask(ctx context.Context, most int) (*answerOf, error) {
	r := wire.NewRequest("POST", "/ask")
	body := map[string]any{"max_tokens": most, "text": ""}
	const size = 400
	body["text"] = strings.Repeat("x", size-len(`{"max_tokens":,"text":""}`)-len(strconv.Itoa(most)))
	r.JSON(body)
	return runtime.Do(ctx, c.op, func(ctx context.Context, at runtime.Attempt) (*answerOf, error) {
		return runtime.Send(ctx, c.http, at, r, func(r *wire.Response) (*answerOf, error) {
			if r.Status != 200 {
				return nil, r.Unexpected()
			}
			return wire.JSON[answerOf](r)
		})
	}, r)
}

func (c *caller) limit(g *runtime.Group) policy.LimiterSnapshot { return g.Snapshot()[0].Limit }

func steps(s ...func(*http.Request) (*http.Response, error)) *server { return &server{steps: s} }

func TestTokensAreReservedAndReconciled(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		g := still()
		s := steps(reply(200, `{"text":"hi","usage":{"in":90,"out":10}}`))
		c := newCaller(t, once(tokened(6000), unsafe), s, runtime.WithGroup(g))
		var meta runtime.Meta
		if _, err := c.ask(runtime.Capture(t.Context(), &meta), 1000); err != nil {
			t.Fatal(err)
		}
		if got := math.Round(c.limit(g).Tokens.Balance); got != 5900 {
			t.Errorf("balance %v, want what was used gone: 5900", got)
		}
		if want := (policy.Usage{Input: 90, Output: 10}); meta.Usage != want {
			t.Errorf("captured %+v, want %+v", meta.Usage, want)
		}
		if got := g.Snapshot()[0].Estimates["Get"]; got.Observed != 1 || got.Output != 10 || math.Abs(got.Error-10) > 0.01 {
			t.Errorf("estimates %+v; want the 1100 that were expected of 100 to show", got)
		}
	})
}

func TestTokensThatNobodyTellsStayCharged(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		answer func(*http.Request) (*http.Response, error)
		want   float64
	}{
		"no usage":        {reply(200, `{"text":"hi"}`), 4900},
		"null":            {reply(200, `{"text":"hi","usage":null}`), 4900},
		"only the output": {reply(200, `{"text":"hi","usage":{"out":500}}`), 5400},
		"a failure":       {reply(500, `{}`), 4900},
		"a lost reply":    {lost, 4900},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				g := still()
				cl := newCaller(t, once(tokened(6000), unsafe), steps(c.answer), runtime.WithGroup(g))
				_, _ = cl.ask(t.Context(), 1000)
				if got := math.Round(cl.limit(g).Tokens.Balance); got != c.want {
					t.Errorf("balance %v, want %v", got, c.want)
				}
			})
		})
	}
}

func TestTokensThatNoBucketHolds(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := steps(reply(200, `{"text":"hi"}`))
		c := newCaller(t, once(tokened(6000), unsafe), s)
		_, err := c.ask(t.Context(), 6000)
		const want = `shop.Get: permanent: limit "shop": the call needs more tokens than the 6000 that it ever holds`
		if !errors.Is(err, runtime.ErrPermanent) || err.Error() != want || len(s.hits) != 0 {
			t.Errorf("got %v after %d hits, want %s", err, len(s.hits), want)
		}
	})
}

func TestTokensMakeCallsWait(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := steps(reply(200, `{"text":"hi","usage":{"in":100,"out":2900}}`))
		c := newCaller(t, once(tokened(6000), unsafe), s)
		start := time.Now()
		for range 3 { // 2900 are reserved at first, and 3000 in the end
			if _, err := c.ask(t.Context(), 2900); err != nil {
				t.Fatal(err)
			}
		}
		if took := time.Since(start).Round(time.Second); took != 30*time.Second {
			t.Errorf("three calls of 3000 took %v, want 30s for the half that was not there", took)
		}
	})
}

func TestLimitsLearnFromHeaders(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		g := still()
		s := steps(
			reply(200, `{"name":"a"}`, "X-RateLimit-Limit-Requests", "120", "X-RateLimit-Remaining-Requests", "7", "X-RateLimit-Reset-Requests", "30s"),
			reply(500, `{}`, "X-RateLimit-Remaining-Requests", "0", "X-RateLimit-Reset-Requests", "4s"),
			reply(200, `{"name":"a"}`),
		)
		c := newCaller(t, once(limit(600, time.Minute, 20), func(p *policy.Plan) { p.Limit.Headers = policy.LimitHeadersX }), s, runtime.WithGroup(g))
		start := time.Now()
		if _, err := c.create(t.Context(), "GET"); err != nil {
			t.Fatal(err)
		}
		if got := c.limit(g).Requests; math.Round(got.PerSecond) != 2 || got.Balance != 7 || !got.LearnedUntil.Equal(start.Add(30*time.Second)) {
			t.Errorf("got %+v; want 2 in a second until the reset, and 7 left", got)
		}
		if _, err := c.create(t.Context(), "GET"); err == nil {
			t.Fatal("a 500 is no answer")
		}
		if _, err := c.create(t.Context(), "GET"); err != nil || time.Since(start) != 4*time.Second {
			t.Errorf("%v after %v, want the next call to wait for the reset", err, time.Since(start))
		}
	})
}

// A gateway and what is behind it each have a line of their own: the limit that presses most counts, wherever it stands.
func TestLimitsLearnFromEveryLine(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		g := still()
		s := steps(func(r *http.Request) (*http.Response, error) {
			resp, err := reply(200, `{"name":"a"}`)(r)
			resp.Header["Ratelimit"] = []string{`"gateway";r=500;t=30`, `"service";r=3;t=30`}
			return resp, err
		})
		c := newCaller(t, once(limit(600, time.Minute, 20), func(p *policy.Plan) { p.Limit.Headers = policy.LimitHeadersDraft }), s, runtime.WithGroup(g))
		if _, err := c.create(t.Context(), "GET"); err != nil {
			t.Fatal(err)
		}
		if got := c.limit(g).Requests.Balance; got != 3 {
			t.Errorf("%v are left, want the 3 of the second line", got)
		}
	})
}

// chat opens a stream of answers.
func (s *streamer) chat(ctx context.Context) (*runtime.Stream[answerOf], error) {
	return runtime.Open(ctx, s.op, func(ctx context.Context, at runtime.Attempt) (*runtime.Stream[answerOf], error) {
		return runtime.SendStream(ctx, s.http, at, wire.NewRequest("GET", "/s"), func(r *wire.Response) (*wire.Items[answerOf], error) {
			return wire.JSONItems[answerOf](r, s.plan.Stream)
		})
	})
}

func TestAStreamIsReconciledAtItsEnd(t *testing.T) {
	t.Parallel()
	const text = `{"text":"a","usage":null}`
	for name, c := range map[string]struct {
		chunks []chunk
		want   float64
		used   policy.Usage
	}{
		"usage in the last item": {
			[]chunk{{text: data(text)}, {text: data(`{"text":"","usage":{"in":50,"out":5}}`)}, {text: data(text)}, {text: done}},
			5945,
			policy.Usage{Input: 50, Output: 5},
		},
		"the last that is not null": {
			[]chunk{{text: data(`{"text":"a","usage":{"in":50,"out":1}}`)}, {text: data(`{"text":"b","usage":{"in":50,"out":9}}`)}, {text: data(text)}, {text: done}},
			5941,
			policy.Usage{Input: 50, Output: 9},
		},
		"none: as many as items": {[]chunk{{text: data(text) + data(text) + data(text)}, {text: done}}, 5997, policy.Usage{}},
		"broken off":             {[]chunk{{text: data(text) + data(text)}, {err: errors.New("connection reset")}}, 5998, policy.Usage{}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				u := &upstream{}
				u.answers = append(u.answers, u.sse(c.chunks...))
				s := newStreamer(t, streamPlan(tokened(6000)), u)
				var meta runtime.Meta
				stream, err := s.chat(runtime.Capture(t.Context(), &meta))
				if err != nil {
					t.Fatal(err)
				}
				for _, err := range stream.All() {
					if err != nil {
						break
					}
				}
				if got := math.Round(s.group.Snapshot()[0].Limit.Tokens.Balance); got != c.want || meta.Usage != c.used {
					t.Errorf("balance %v, usage %+v; want %v, %+v", got, meta.Usage, c.want, c.used)
				}
			})
		})
	}
}

func TestALoserIsChargedToo(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		g := still()
		slow := func(r *http.Request) (*http.Response, error) {
			<-r.Context().Done()
			return nil, r.Context().Err()
		}
		s := steps(slow, reply(200, `{"text":"hi","usage":{"in":100,"out":10}}`))
		c := newCaller(t, hedged(tokened(6000)), s, runtime.WithGroup(g))
		if _, err := c.ask(t.Context(), 1000); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		if got := math.Round(c.limit(g).Tokens.Balance); got > 4800 || got < 4780 {
			t.Errorf("balance %v, want the 1100 of the loser gone beside the 110 of the winner", got)
		}
	})
}

func TestUsageIsCapturedWhereNothingIsLimited(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c := newCaller(t, once(unsafe, func(p *policy.Plan) {
			p.Tokens = policy.Tokens{Input: "/usage/in", Cached: "/usage/details/cached", Reasoning: "/usage/out"}
		}), steps(reply(200, `{"usage":{"in":7,"out":3,"details":{"cached":2}}}`), reply(200, `{"usage":{"in":-7,"out":9000000000000000}}`), reply(200, `{}`)))
		for _, want := range []policy.Usage{{Input: 7, Cached: 2, Reasoning: 3}, {Reasoning: 1 << 40}, {}} {
			meta := runtime.Meta{Usage: policy.Usage{Output: 5}} // of another call
			if _, err := c.ask(runtime.Capture(t.Context(), &meta), 10); err != nil || meta.Usage != want {
				t.Errorf("captured %+v, %v, want %+v", meta.Usage, err, want)
			}
		}
	})
}
