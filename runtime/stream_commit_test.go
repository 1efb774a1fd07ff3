package runtime_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/resgen-go/resgen/runtime"
	"github.com/resgen-go/resgen/runtime/policy"
	"github.com/resgen-go/resgen/runtime/wire"
)

// known is a client of a provider whose plan is changed.
type known struct {
	*streamer

	up *upstream
}

// knownFrom is a client whose streams are OpenAI's.
func knownFrom(t *testing.T, change func(*policy.Plan), answers ...[]chunk) *known {
	t.Helper()
	u := new(upstream)
	for _, chunks := range answers {
		u.answers = append(u.answers, u.sse(chunks...))
	}
	s := newStreamer(t, streamPlan(func(p *policy.Plan) {
		p.Stream, p.Errors.Preset = policy.Stream{Format: policy.SSE}, "openai"
		p.Breaker.MinCalls, p.Breaker.Consecutive = 20, 0
		if change != nil {
			change(p)
		}
	}), u)
	return &known{s, u}
}

func (k *known) open(ctx context.Context, body string) (*runtime.Stream[json.RawMessage], error) {
	return runtime.Open(ctx, k.op, func(ctx context.Context, at runtime.Attempt) (*runtime.Stream[json.RawMessage], error) {
		req := wire.NewRequest("POST", "/s")
		req.JSON(json.RawMessage(body))
		return runtime.SendStream(ctx, k.http, at, req, func(resp *wire.Response) (*wire.Items[json.RawMessage], error) {
			return wire.JSONItems[json.RawMessage](resp, policy.Stream{Format: policy.SSE})
		})
	})
}

// all reads a stream to its end.
func (k *known) all(ctx context.Context) (n int, err error) {
	s, err := k.open(ctx, `{}`)
	if err != nil {
		return 0, err
	}
	for _, err = range s.All() {
		if err == nil {
			n++
		}
	}
	return n, err
}

const (
	hello = `{"role":"assistant","content":""}`
	word  = `{"content":"word"}`
)

func whole() string { return chat(hello, "null") + chat(word, "null") + chat(`{}`, `"stop"`) + done }

func TestTheFirstItemIsTheFirstContent(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		talks := []chunk{{0, chat(hello, "null"), nil}}
		for range 100 {
			talks = append(talks, chunk{time.Second, chat(hello, "null"), nil})
		}
		k := knownFrom(t, nil, talks, []chunk{{0, whole(), nil}})
		start := time.Now()
		if n, err := k.all(t.Context()); n != 3 || err != nil || k.up.hits.Load() != 2 {
			t.Errorf("%d items, %v, %d hits; want the second try", n, err, k.up.hits.Load())
		}
		if took := time.Since(start); took < 4*time.Second || took > 6*time.Second {
			t.Errorf("after %v, want first-item, 4s, of talk without content", took)
		}
	})
}

func TestAPreambleIsHeldUpToABound(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		long := chat(`{"role":"`+strings.Repeat("a", 40<<10)+`"}`, "null")
		k := knownFrom(t, nil, []chunk{{0, long + long + long, nil}, {0, "", io.ErrUnexpectedEOF}})
		n, err := k.all(t.Context())
		if n != 3 || runtime.KindOf(err) != policy.KindReset || k.up.hits.Load() != 1 {
			t.Errorf("%d items, %v, %d hits; want it taken for begun after 64 KiB", n, err, k.up.hits.Load())
		}
	})
}

func TestEveryChoiceHasToEnd(t *testing.T) {
	t.Parallel()
	choice := func(index, finish string) string {
		return data(`{"choices":[{"index":` + index + `,"delta":{"content":"x"},"finish_reason":` + finish + `}]}`)
	}
	usage := data(`{"choices":[],"usage":{"prompt_tokens":1}}`)
	for text, whole := range map[string]bool{
		choice("0", "null") + choice("1", "null") + choice("0", `"stop"`) + choice("1", `"stop"`) + usage + done: true,
		choice("0", "null") + choice("1", "null") + choice("0", `"stop"`) + usage + done:                         false,
		choice("0", "null") + choice("0", `"stop"`) + choice("300", "null") + done:                               false,
		choice("0", `"stop"`) + choice("0", "null") + done:                                                       true,
		choice("0", `"stop"`) + usage: false,
		choice("0", "null") + data(`{"choices":[{"index":0,"delta":{},"finish_reason":null},{"index":1,"delta":{},"finish_reason":null}]}`) +
			choice("0", `"stop"`) + done: false,
	} {
		synctest.Test(t, func(t *testing.T) {
			k := knownFrom(t, nil, []chunk{{0, text, nil}})
			if _, err := k.all(t.Context()); (err == nil) != whole || err != nil && !errors.Is(err, io.ErrUnexpectedEOF) {
				t.Errorf("%q: %v, want whole: %t", text, err, whole)
			}
		})
	}
}

func TestAStreamOfNoKnownForm(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]struct {
		items int
		kind  policy.Kind
	}{
		data(`{"line":1}`) + data(`{"line":2}`):                                    {2, policy.KindNone},
		data(`{"line":1}`) + done:                                                  {1, policy.KindNone},
		data(`{"line":1}`) + data(`{"type":"error","line":2}`):                     {2, policy.KindNone},
		data(`{"line":1,"error":null}`) + data(`{"error":""}`):                     {2, policy.KindNone},
		data(`{"line":1}`) + data(`{"line":2,"error":{"code":503}}`):               {1, policy.KindTransient},
		data(`{"line":1}`) + chat(word, "null") + done:                             {2, policy.KindReset},
		strings.Repeat(data(`{"line":1}`), 20) + chat(word, "null") + done:         {21, policy.KindNone},
		data(`"a text"`) + data(`[1]`) + data(`7`) + data(`{"choices":"no list"}`): {4, policy.KindNone},
	} {
		synctest.Test(t, func(t *testing.T) {
			k := knownFrom(t, nil, []chunk{{0, text, nil}})
			if n, err := k.all(t.Context()); n != want.items || runtime.KindOf(err) != want.kind {
				t.Errorf("%q: %d items, %v; want %d, %v", text, n, err, want.items, want.kind)
			}
		})
	}
}

func TestRulesOfThePlan(t *testing.T) {
	t.Parallel()
	rule := func(pointer string, values ...string) []policy.ItemRule {
		return []policy.ItemRule{{{Pointer: pointer, Values: values}}}
	}
	own := policy.Stream{
		Format: policy.SSE, Preamble: rule("/state", "queued"), Complete: rule("/state", "ended"), Incomplete: rule("/steps/*/cut", "true"),
		Failed: rule("event", "failed"), Errors: []policy.ItemRule{{{Pointer: "/level", Values: []string{"fatal"}}, {Pointer: "/why"}}},
	}
	queued, work, end := data(`{"state":"queued"}`), data(`{"state":"works"}`), data(`{"state":"ended"}`)
	for name, c := range map[string]struct {
		first string
		want  string // kind, items, hits, why it was cut
	}{
		"whole":               {queued + work + end, "none 3 1 "},
		"and what follows":    {queued + work + end + work, "none 4 1 "},
		"truncated":           {queued + work, "reset 2 1 "},
		"the marker is none":  {queued + work + done, "reset 2 1 "},
		"cut":                 {work + data(`{"steps":[{"cut":false},{"cut":true}]}`), "none 2 1 incomplete"},
		"failed":              {work + "event: failed\n" + data(`{"state":"works"}`), "transient 1 1 "},
		"failed by its code":  {work + "event: failed\n" + data(`{"code":"insufficient_quota"}`), "unusable 1 1 "},
		"an error":            {work + data(`{"level":"fatal","why":"x"}`), "permanent 1 1 "},
		"half an error":       {work + data(`{"level":"fatal","why":null}`) + end, "none 3 1 "},
		"failed while queued": {queued + "event: failed\n" + data(`{}`), "none 2 2 "},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				k := knownFrom(t, func(p *policy.Plan) { p.Stream = own }, []chunk{{0, c.first, nil}}, []chunk{{0, work + end, nil}})
				var meta runtime.Meta
				n, err := k.all(runtime.Capture(t.Context(), &meta))
				kind := "none"
				if err != nil {
					kind = runtime.KindOf(err).String()
				}
				if got := strings.Join([]string{kind, strconv.Itoa(n), strconv.FormatInt(k.up.hits.Load(), 10), meta.IncompleteReason}, " "); got != c.want {
					t.Errorf("got %q, want %q: %v", got, c.want, err)
				}
			})
		})
	}
}

func TestTheNextRungServesAStreamThatSaidHelloOnly(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		k := knownFrom(t, func(p *policy.Plan) {
			noRetry(p)
			ladder(static("sorry"))(p)
		}, []chunk{{0, chat(hello, "null") + data(`{"error":{"code":"insufficient_quota"}}`), nil}})
		res, err := runtime.OpenResult(t.Context(), k.op, func(ctx context.Context, at runtime.Attempt) (*runtime.Stream[json.RawMessage], error) {
			if at.Rung == 1 {
				return runtime.StreamOf(json.RawMessage(`"sorry"`)), nil
			}
			return runtime.SendStream(ctx, k.http, at, wire.NewRequest("GET", "/s"), func(resp *wire.Response) (*wire.Items[json.RawMessage], error) {
				return wire.JSONItems[json.RawMessage](resp, policy.Stream{Format: policy.SSE})
			})
		})
		if err != nil || res.Rung != "sorry" || res.Reason != policy.KindUnusable {
			t.Errorf("%+v, %v; want the rung, because of unusable", res, err)
		}
	})
}

// trickle is a chat that says a word at each step.
func trickle(words int, step time.Duration) []chunk {
	chunks := []chunk{{0, chat(hello, "null"), nil}}
	for range words {
		chunks = append(chunks, chunk{step, chat(word, "null"), nil})
	}
	return append(chunks, chunk{0, chat(`{}`, `"stop"`) + done, nil})
}

func TestMinRate(t *testing.T) {
	t.Parallel()
	rate := policy.MinRate{PerSecond: 2, Over: 10 * time.Second}
	enforced, bytes := rate, rate
	enforced.Enforce, bytes.Bytes, bytes.PerSecond = true, true, 1000
	slow := policy.Counts{Calls: 1, Slow: 1}
	for name, c := range map[string]struct {
		limit  policy.MinRate
		chunks []chunk
		kind   policy.Kind
		counts policy.Counts
		after  time.Duration
	}{
		"fast":               {rate, trickle(60, 400*time.Millisecond), policy.KindNone, oneSuccess, 24 * time.Second},
		"slow":               {rate, trickle(30, time.Second), policy.KindNone, slow, 30 * time.Second},
		"slow, enforced":     {enforced, trickle(30, time.Second), policy.KindTimeout, policy.Counts{Calls: 1, Failures: 1, Slow: 1}, 10 * time.Second},
		"few bytes":          {bytes, trickle(60, 400*time.Millisecond), policy.KindNone, slow, 24 * time.Second},
		"fast, then silence": {enforced, append(trickle(40, 100*time.Millisecond)[:41], chunk{time.Hour, "", nil}), policy.KindTimeout, policy.Counts{Calls: 1, Failures: 1, Slow: 1}, 14 * time.Second},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				k := knownFrom(t, func(p *policy.Plan) {
					p.Timeout.MinRate, p.Timeout.ItemGap, p.Timeout.Idle = c.limit, 30*time.Second, 30*time.Second
					p.Breaker.SlowRate, p.Breaker.SlowCall = 0.9, 5*time.Second
					p.Breaker.MinCalls = 100
				}, c.chunks)
				start := time.Now()
				_, err := k.all(t.Context())
				if got := time.Since(start); runtime.KindOf(err) != c.kind || got != c.after {
					t.Errorf("%v after %v; want %v after %v", err, got, c.kind, c.after)
				}
				k.check(t, c.counts)
			})
		})
	}
	synctest.Test(t, func(t *testing.T) {
		k := knownFrom(t, func(p *policy.Plan) {
			p.Timeout.MinRate, p.Timeout.FirstItem, p.Timeout.Attempt, p.Timeout.Total = rate, 0, 0, 0
		}, trickleHello(), []chunk{{0, whole(), nil}})
		start := time.Now()
		if n, err := k.all(t.Context()); n != 3 || err != nil || k.up.hits.Load() != 2 {
			t.Errorf("%d items, %v, %d hits; want the second try", n, err, k.up.hits.Load())
		}
		if got := time.Since(start); got < 10*time.Second || got > 12*time.Second {
			t.Errorf("after %v, want a timeout before the first content at 10s", got)
		}
	})
}

func trickleHello() (chunks []chunk) {
	for range 60 {
		chunks = append(chunks, chunk{500 * time.Millisecond, chat(hello, "null"), nil})
	}
	return chunks
}

func TestASlowConsumerIsNoSlowStream(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		k := knownFrom(t, func(p *policy.Plan) {
			p.Timeout.MinRate = policy.MinRate{PerSecond: 2, Over: 5 * time.Second, Enforce: true}
		}, []chunk{{0, chat(hello, "null") + strings.Repeat(chat(word, "null"), 20) + chat(`{}`, `"stop"`) + done, nil}})
		s, err := k.open(t.Context(), `{}`)
		if err != nil {
			t.Fatal(err)
		}
		for _, err := range s.All() {
			if err != nil {
				t.Fatal(err)
			}
			sleep(2 * time.Second)
		}
		k.check(t, oneSuccess)
	})
}

func TestPerTokenBoundsAStream(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]time.Duration{`{"max":100}`: 10 * time.Second, `{}`: time.Minute, `{"max":1000000}`: time.Minute} {
		synctest.Test(t, func(t *testing.T) {
			k := knownFrom(t, func(p *policy.Plan) { p.Timeout.PerToken, p.Tokens.Max = 100*time.Millisecond, "/max" }, trickle(100, time.Second))
			s, err := k.open(t.Context(), body)
			if err != nil {
				t.Fatal(err)
			}
			start := time.Now()
			for _, err = range s.All() {
			}
			if got := time.Since(start); got != want || !errors.Is(err, runtime.ErrTimeout) {
				t.Errorf("%s: %v after %v, want a timeout after %v", body, err, got, want)
			}
		})
	}
}

func TestUsageOfAStreamThatBroke(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		used := func(n string) string {
			return data(`{"choices":[{"index":0,"delta":{"content":"x"},"finish_reason":null}],"usage":{"out":` + n + `}}`)
		}
		k := knownFrom(t, func(p *policy.Plan) { p.Tokens.Output = "/usage/out" },
			[]chunk{{0, used("1") + used("2") + used("null") + data(`{"error":{"code":500},"usage":{"out":7}}`), nil}})
		var meta runtime.Meta
		_, err := k.all(runtime.Capture(t.Context(), &meta))
		if diff := cmp.Diff(policy.Usage{Output: 7}, meta.Usage); diff != "" || err == nil || meta.Broke == nil {
			t.Errorf("%v, usage (-want +got):\n%s", err, diff)
		}
	})
}

func TestHalfOpenLearnsAtTheFirstContent(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		k := knownFrom(t, func(p *policy.Plan) {
			noRetry(p)
			p.Breaker.Consecutive = 1
		})
		k.up.answers = []func(*http.Request) (*http.Response, error){
			fail(500), k.up.sse(chunk{0, chat(hello, "null"), nil}, chunk{time.Second, chat(word, "null"), nil}, chunk{time.Hour, "", nil}),
		}
		if _, err := k.open(t.Context(), `{}`); err == nil {
			t.Fatal("want the 500")
		}
		sleep(6 * time.Second)
		seen := make(chan policy.State, 1)
		time.AfterFunc(500*time.Millisecond, func() { seen <- state(k.group) })
		s, err := k.open(t.Context(), `{}`)
		if err != nil {
			t.Fatal(err)
		}
		if early, got := <-seen, state(k.group); early != policy.StateHalfOpen || got != policy.StateClosed {
			t.Errorf("breaker %v after the preamble and %v after the first content, want half-open and closed", early, got)
		}
		_ = s.Close()
	})
}
