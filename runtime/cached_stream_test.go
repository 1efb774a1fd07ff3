package runtime_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/resgen-go/resgen/runtime"
	"github.com/resgen-go/resgen/runtime/cache"
	"github.com/resgen-go/resgen/runtime/policy"
	"github.com/resgen-go/resgen/runtime/runtimetest"
	"github.com/resgen-go/resgen/runtime/wire"
)

// kept is a client whose streams are kept.
type kept struct {
	*streamer
}

func keptBy(t *testing.T, store runtime.Store, p policy.Plan, u *upstream, opts ...runtime.ClientOption) *kept {
	t.Helper()
	s := &streamer{plan: p, up: u, group: still(), seen: new(runtimetest.Recorder)}
	s.http = runtime.NewHTTP(spec(), append(opts, runtime.WithHTTPClient(&http.Client{Transport: u}), runtime.WithGroup(s.group),
		runtime.WithObserver(s.seen), runtime.WithStore(store))...)
	s.op = s.http.Operation(p)
	if err := s.http.Err(); err != nil {
		t.Fatal(err)
	}
	return &kept{s}
}

// keptPlan is the plan of an operation that streams as a provider does, with a cache that is fresh for a minute.
func keptPlan(preset string, change ...func(*policy.Plan)) policy.Plan {
	return streamPlan(append([]func(*policy.Plan){noRetry, staleIfError, func(p *policy.Plan) {
		p.Operation, p.Errors.Preset, p.Stream = "Chat", preset, policy.Stream{Format: policy.SSE}
		p.Breaker.MinCalls, p.Breaker.Consecutive = 20, 0
	}}, change...)...)
}

// opened is a stream of what came, and what the call says of it.
type opened = runtime.Result[*runtime.Stream[json.RawMessage]]

func (k *kept) open(ctx context.Context, question string) (opened, error) {
	req := wire.NewRequest("POST", "/s")
	req.JSON(map[string]string{"ask": question})
	return runtime.OpenResult(ctx, k.op, func(ctx context.Context, at runtime.Attempt) (*runtime.Stream[json.RawMessage], error) {
		if at.Rung > 0 && at.Target == "" {
			return runtime.StreamOf(json.RawMessage(`"sorry"`)), nil
		}
		return runtime.SendStream(ctx, k.http, at, req, func(r *wire.Response) (*wire.Items[json.RawMessage], error) {
			if r.Status != http.StatusOK {
				return nil, r.Unexpected()
			}
			return wire.JSONItems[json.RawMessage](r, k.plan.Stream)
		})
	}, req)
}

// said is what came of a call: its text, who answered and how old that is, or the kind of its error.
func (k *kept) said(ctx context.Context, question string) string {
	res, err := k.open(ctx, question)
	if err != nil {
		return "never " + runtime.KindOf(err).String()
	}
	for _, err := range res.Value.All() {
		if err != nil {
			return res.Value.Text() + " " + runtime.KindOf(err).String()
		}
	}
	text := fmt.Sprintf("%s/%d", res.Value.Text(), len(res.Value.Partial()))
	if res.Rung != "" {
		text += " by " + res.Rung
	}
	if res.Age > 0 {
		text += fmt.Sprintf(" %s old", res.Age)
	}
	return text
}

// twice asks a question twice, and reports how often the target was asked.
func (k *kept) twice(t *testing.T) int64 {
	t.Helper()
	before := k.up.hits.Load()
	k.said(t.Context(), "a")
	sleep(time.Second)
	k.said(t.Context(), "a")
	return k.up.hits.Load() - before
}

// A stream that came to its proven end is given again to who asks the same, item by item, with its text, its usage and how old it is, in every
// form; nothing is asked, and nothing is held.
func TestAStreamIsReplayed(t *testing.T) {
	t.Parallel()
	for form, p := range providers() {
		for name, chunks := range map[string][]chunk{
			"at once": {{0, p.preamble + p.content + p.finish + p.end, nil}}, "byte by byte": bytewise(p.preamble + p.content + p.finish + p.end),
			"with pings":                {{0, p.preamble, nil}, {time.Second, ": ping\n\n", nil}, {time.Second, p.content + p.finish + p.end, nil}},
			"broken after its last end": {{0, p.preamble + p.content + p.finish + p.end, nil}, {0, "", errors.New("reset")}},
		} {
			t.Run(form+"/"+name, func(t *testing.T) {
				t.Parallel()
				synctest.Test(t, func(t *testing.T) { replays(t, &p, chunks) })
			})
		}
	}
}

func replays(t *testing.T, p *provider, chunks []chunk) {
	t.Helper()
	u := new(upstream)
	u.answers = append(u.answers, u.sse(chunks...), fail(http.StatusBadRequest))
	k := keptBy(t, cache.New(cache.Config{}), keptPlan(p.preset, func(plan *policy.Plan) { plan.Tokens = p.usage }), u)
	items := itemsIn(p.preamble + p.content + p.finish + p.end)
	equal(t, "first", k.said(t.Context(), "a"), fmt.Sprintf("Hello/%d", items))
	sleep(5 * time.Second)
	var meta runtime.Meta
	res, err := k.open(runtime.Capture(t.Context(), &meta), "a")
	if err != nil {
		t.Fatal(err)
	}
	for _, err = range res.Value.All() {
		if err != nil {
			t.Error(err)
		}
	}
	s := res.Value
	got := fmt.Sprintf("%s, %d items, %v, cut %q, degraded %t, %d attempts", s.Text(), len(s.Partial()), s.Usage(), s.Incomplete(), res.Degraded, res.Attempts)
	equal(t, "again", got, fmt.Sprintf("Hello, %d items, %v, cut \"\", degraded false, 0 attempts", items, p.used))
	if res.Age < 5*time.Second || res.Age != meta.Age || meta.Usage != (policy.Usage{}) || u.hits.Load() != 1 {
		t.Errorf("age %v and %v, usage %v, %d requests; want an old answer that costs nothing", res.Age, meta.Age, meta.Usage, u.hits.Load())
	}
	synctest.Wait()
	if m := k.group.Snapshot()[0]; m.Bulkhead.InFlight != 0 || m.Breaker.Calls != 1 || u.bodies.Load() != 0 {
		t.Errorf("permits %d, evidence %d, bodies %d", m.Bulkhead.InFlight, m.Breaker.Calls, u.bodies.Load())
	}
}

// What is no normal whole answer of the operation itself is never kept (trap T65).
func TestT65_StreamsThatAreNotKept(t *testing.T) {
	t.Parallel()
	for form, p := range providers() {
		begun := p.preamble + p.content
		for name, text := range map[string]string{
			"cut": begun + p.cut + p.end, "refused": begun + p.refused, "failed": begun + p.failed, "an error": begun + p.bare,
			"no end": begun, "empty": p.preamble + p.finish + p.end,
		} {
			t.Run(form+"/"+name, func(t *testing.T) {
				t.Parallel()
				synctest.Test(t, func(t *testing.T) {
					u := new(upstream)
					u.answers = append(u.answers, u.sse(chunk{0, text, nil}))
					k := keptBy(t, cache.New(cache.Config{}), keptPlan(p.preset), u)
					if n := k.twice(t); n < 2 {
						t.Errorf("%d requests, want another for the second call", n)
					}
				})
			})
		}
	}
}

// Calls of tools are right for who asked, and for nobody else.
func TestT65_StreamsThatCallToolsAreNotKept(t *testing.T) {
	t.Parallel()
	shapes := providers()
	for name, c := range map[string]struct{ form, calls, finish string }{
		"chat":           {"chat completions", chat(`{"tool_calls":[{"index":0,"id":"c","function":{"name":"f"}}]}`, "null"), chat(`{}`, `"stop"`) + done},
		"chat, finish":   {"chat completions", "", chat(`{}`, `"tool_calls"`) + done},
		"chat, function": {"a compatible server", chat(`{"function_call":{"name":"f"}}`, "null"), chat(`{}`, `"stop"`)},
		"responses": {
			"responses", named("response.output_item.added", `,"item":{"type":"function_call"}`), named("response.completed", `,"response":{"output":[]}`),
		},
		"responses, whole": {
			"responses", "", named("response.completed", `,"response":{"output":[{"type":"message"},{"type":"web_search_call"}]}`),
		},
		"messages": {
			"messages", named("content_block_start", `,"content_block":{"type":"tool_use"}`),
			named("message_delta", `,"delta":{"stop_reason":"tool_use"}`) + named("message_stop", ""),
		},
		"generateContent": {"generateContent", gemini(`[{"functionCall":{"name":"f"}}]`, ""), gemini(`[]`, `,"finishReason":"STOP"`)},
		"Cohere":          {"Cohere", named("tool-call-start", `,"delta":{"message":{"tool_calls":{"id":"c"}}}`), named("message-end", `,"delta":{"finish_reason":"TOOL_CALL"}`)},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				p, u := shapes[c.form], new(upstream)
				u.answers = append(u.answers, u.sse(chunk{0, p.preamble + p.content + c.calls + c.finish, nil}))
				k := keptBy(t, cache.New(cache.Config{}), keptPlan(p.preset), u)
				if n := k.twice(t); n != 2 {
					t.Errorf("%d requests, want 2", n)
				}
			})
		})
	}
}

// A stream that somebody left is not kept, whatever was still to come; nor is one that is too large, or that another rung gave.
func TestT65_StreamsThatWereLeftAreNotKept(t *testing.T) {
	t.Parallel()
	many := strings.Repeat(chat(word, "null"), 17_000)
	for name, c := range map[string]struct {
		text  string
		leave func(k *kept, s *runtime.Stream[json.RawMessage], cancel func())
	}{
		"break": {whole(), func(_ *kept, s *runtime.Stream[json.RawMessage], _ func()) {
			for range s.All() {
				break
			}
		}},
		"close":               {whole(), func(_ *kept, s *runtime.Stream[json.RawMessage], _ func()) { _ = s.Close() }},
		"cancel":              {whole(), func(_ *kept, _ *runtime.Stream[json.RawMessage], cancel func()) { cancel() }},
		"nobody reads it":     {whole(), func(*kept, *runtime.Stream[json.RawMessage], func()) {}},
		"too many items":      {chat(hello, "null") + many + chat(`{}`, `"stop"`) + done, nil},
		"too large":           {chat(hello, "null") + chat(`{"content":"`+strings.Repeat("x", 5<<20)+`"}`, "null") + chat(`{}`, `"stop"`) + done, nil},
		"the last item alone": {chat(hello, "null") + chat(word, "null") + chat(`{}`, `"stop"`), nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				u := new(upstream)
				u.answers = append(u.answers, u.sse(chunk{0, c.text, nil}))
				k := keptBy(t, cache.New(cache.Config{}), keptPlan("openai"), u)
				ctx, cancel := context.WithCancel(t.Context())
				defer cancel()
				res, err := k.open(ctx, "a")
				if err != nil {
					t.Fatal(err)
				}
				if c.leave != nil {
					c.leave(k, res.Value, cancel)
				} else {
					for range res.Value.All() {
					}
				}
				sleep(2 * time.Minute) // the longest that a stream lasts
				if k.said(t.Context(), "a"); u.hits.Load() != 2 {
					t.Errorf("%d requests, want 2", u.hits.Load())
				}
			})
		})
	}
}

// At the rung, what is remembered is stale and says how old it is, also after the caller's deadline, and never for another question or tenant.
func TestAStreamIsRememberedWhereTheTargetFails(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		u := new(upstream)
		u.answers = append(u.answers, u.sse(chunk{0, whole(), nil}), fail(http.StatusServiceUnavailable))
		k := keptBy(t, cache.New(cache.Config{}), keptPlan("openai", func(p *policy.Plan) {
			p.Fallback.Rungs[0].When = append(p.Fallback.Rungs[0].When, policy.KindDeadline)
			p.Fallback.Rungs = append(p.Fallback.Rungs, static("sorry"))
		}), u)
		equal(t, "asked", k.said(t.Context(), "a"), "word/3")
		sleep(2 * time.Minute)
		equal(t, "stale", k.said(t.Context(), "a"), "word/3 by remembered 2m0s old")
		equal(t, "another question", k.said(t.Context(), "b"), "/1 by sorry")
		equal(t, "another tenant", k.said(runtime.WithTenant(t.Context(), "x"), "a"), "/1 by sorry")
		equal(t, "nothing stale", k.said(runtime.WithMinLevel(t.Context(), policy.Reduced), "a"), "never transient")
		u.answers[1] = silent
		late, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		equal(t, "after the deadline", k.said(late, "a"), "word/3 by remembered 2m1s old")
		equal(t, "no time to look", k.said(late, "a"), "/1 by sorry")
	})
}

// A replay ends as every stream does: by Close, with the caller's context, at its end; all of it is told once.
func TestTheEndsOfAReplay(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		leave func(s *runtime.Stream[json.RawMessage], cancel func()) error
		want  error
	}{
		"its end": {func(s *runtime.Stream[json.RawMessage], _ func()) error { return last(s) }, nil},
		"break": {func(s *runtime.Stream[json.RawMessage], _ func()) error {
			for range s.All() {
				break
			}
			return last(s)
		}, runtime.ErrStreamClosed},
		"close": {func(s *runtime.Stream[json.RawMessage], _ func()) error { _ = s.Close(); return last(s) }, runtime.ErrStreamClosed},
		"cancel": {func(s *runtime.Stream[json.RawMessage], cancel func()) error {
			cancel()
			synctest.Wait()
			return last(s)
		}, runtime.ErrCanceled},
		"a consumer of an hour":             {func(s *runtime.Stream[json.RawMessage], _ func()) error { sleep(time.Hour); return last(s) }, nil},
		"a cancel that nobody is there for": {func(_ *runtime.Stream[json.RawMessage], cancel func()) error { cancel(); synctest.Wait(); return nil }, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				u := new(upstream)
				u.answers = append(u.answers, u.sse(chunk{0, whole(), nil}))
				k := keptBy(t, cache.New(cache.Config{}), keptPlan("openai"), u)
				k.said(t.Context(), "a")
				ctx, cancel := context.WithCancel(t.Context())
				defer cancel()
				res, err := k.open(ctx, "a")
				if err != nil {
					t.Fatal(err)
				}
				if err = c.leave(res.Value, cancel); !errors.Is(err, c.want) {
					t.Errorf("%v, want %v", err, c.want)
				}
				synctest.Wait()
				if n := len(k.seen.Events(runtime.StreamEnd)); n != 2 {
					t.Errorf("%d ends told, want that of each stream", n)
				}
				if m := k.group.Snapshot()[0]; m.Bulkhead.InFlight != 0 || m.Breaker.Calls > 1 {
					t.Errorf("permits %d, evidence %d", m.Bulkhead.InFlight, m.Breaker.Calls)
				}
			})
		})
	}
}

// Streams, those that are kept and those that are replayed, may be closed, or end with their call, while somebody reads them.
func TestStreamsAreClosedWhileTheyAreRead(t *testing.T) {
	t.Parallel()
	u := new(upstream)
	u.answers = append(u.answers, u.sse(chunk{0, whole(), nil}))
	k := keptBy(t, cache.New(cache.Config{Entries: 3}), keptPlan("openai", func(p *policy.Plan) { p.Bulkhead.MaxConcurrent = 16 }), u)
	var all sync.WaitGroup
	for worker := range 8 {
		all.Go(func() {
			for n := range 200 {
				ctx, cancel := context.WithCancel(t.Context())
				res, err := k.open(ctx, fmt.Sprint(n%7)) // more questions than are kept
				if err != nil {
					t.Error(err)
					cancel()
					continue
				}
				s := res.Value
				switch (worker + n) % 4 {
				case 0:
					all.Go(func() { _ = s.Close() })
				case 1:
					cancel()
				}
				err = last(s)
				cancel()
				if err != nil && !errors.Is(err, runtime.ErrStreamClosed) && !errors.Is(err, runtime.ErrCanceled) || s.Incomplete() != "" {
					t.Errorf("%v, cut %q", err, s.Incomplete())
				}
			}
		})
	}
	all.Wait()
	if m := k.group.Snapshot()[0]; m.Bulkhead.InFlight != 0 {
		t.Errorf("permits %d", m.Bulkhead.InFlight)
	}
}

// last reads a stream to its end, and returns how it ended.
func last(s *runtime.Stream[json.RawMessage]) (err error) {
	for _, err = range s.All() {
	}
	return err
}

// lying is a store that gives what it was made with.
type lying struct{ runtime.Entry }

func (l lying) Get(context.Context, string) (runtime.Entry, bool, error) { return l.Entry, true, nil }

func (lying) Set(context.Context, string, runtime.Entry, time.Duration) error { return nil }

func (lying) Local() {}

// What a store gives that is no whole stream is no answer: the target is asked, although the first items could have been given.
func TestAStoreThatLiesIsAMiss(t *testing.T) {
	t.Parallel()
	sse, page := http.Header{"Content-Type": {"text/event-stream"}}, http.Header{"Content-Type": {"application/json"}}
	half := chat(hello, "null") + chat(word, "null")
	for name, e := range map[string]runtime.Entry{
		"nothing": {}, "garbage": {Status: 200, Header: sse, Body: []byte("\x00\xff{")}, "half a stream": {Status: 200, Header: sse, Body: []byte(half)},
		"an error in it":    {Status: 200, Header: sse, Body: []byte(half + data(`{"error":{"message":"x"}}`))},
		"an item cut":       {Status: 200, Header: sse, Body: []byte(half + "data: {\"cho")},
		"a whole answer":    {Status: 200, Header: page, Body: []byte(`{"choices":[]}`)},
		"another status":    {Status: 500, Header: sse, Body: []byte(whole())},
		"no end of items":   {Status: 200, Header: sse, Body: []byte(chat(hello, "null") + strings.Repeat(chat(word, "null"), 20_000) + chat(`{}`, `"stop"`) + done)},
		"no header at all":  {Status: 200, Body: []byte(half)},
		"a cut one":         {Status: 200, Header: sse, Body: []byte(half + chat(`{}`, `"length"`) + done)},
		"a call of a tool":  {Status: 200, Header: sse, Body: []byte(half + chat(`{}`, `"tool_calls"`) + done)},
		"nothing was shown": {Status: 200, Header: sse, Body: []byte(chat(hello, "null") + chat(`{}`, `"stop"`) + done)},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				e.Stored = time.Now().Add(time.Hour) // it lies about that too
				u := new(upstream)
				u.answers = append(u.answers, u.sse(chunk{0, whole(), nil}))
				k := keptBy(t, lying{e}, keptPlan("openai"), u)
				equal(t, "the target's", k.said(t.Context(), "a"), "word/3")
				synctest.Wait()
				if c := k.group.Snapshot()[0].Caches["Chat"]; u.hits.Load() != 1 || c.Fresh != 0 || c.Missed != 1 {
					t.Errorf("%d requests, %+v", u.hits.Load(), c)
				}
			})
		})
	}
}
