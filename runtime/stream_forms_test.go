package runtime_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
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

// provider is how a kind of API streams: what its preset knows by heart.
type provider struct {
	preset   string
	preamble string // before any content
	content  string // two items that say "Hel" and "lo"
	finish   string // what ends a whole answer, without what comes after it
	end      string // what comes after it: usage and the marker; empty where nothing does
	cut      string // in place of finish: the answer is too long
	why      string // of cut
	refused  string // in place of finish: a filter; empty where the wire does not know it
	failed   string // in place of finish: it failed; empty where the wire does not know it
	kind     policy.Kind
	usage    policy.Tokens
	used     policy.Usage
	bare     string // an error as an item that says no more than that
	bareKind policy.Kind
}

func chat(delta, finish string) string {
	return data(`{"id":"c","object":"chat.completion.chunk","choices":[{"index":0,"delta":` + delta + `,"finish_reason":` + finish + `}],"error":null}`)
}

func named(name, rest string) string {
	return "event: " + name + "\n" + data(`{"type":"`+name+`"`+rest+`}`)
}

func gemini(parts, finish string) string {
	return data(`{"candidates":[{"content":{"parts":` + parts + `,"role":"model"}` + finish + `}],"usageMetadata":{"promptTokenCount":3,"candidatesTokenCount":2}}`)
}

var overloaded = `,"error":{"type":"overloaded_error","message":"later"}`

// providers are the wire shapes.
func providers() map[string]provider {
	chatUsage := policy.Tokens{Input: "/usage/prompt_tokens", Output: "/usage/completion_tokens"}
	used := policy.Usage{Input: 3, Output: 2}
	return map[string]provider{
		"chat completions": {
			preset: "openai", preamble: chat(`{"role":"assistant","content":"","refusal":null}`, "null"),
			content: chat(`{"content":"Hel"}`, "null") + chat(`{"content":"lo"}`, "null"), finish: chat(`{}`, `"stop"`),
			end: data(`{"object":"chat.completion.chunk","choices":[],"usage":{"prompt_tokens":3,"completion_tokens":2}}`) + done,
			cut: chat(`{}`, `"length"`), why: "length", refused: chat(`{}`, `"content_filter"`), failed: chat(`{}`, `"error"`),
			kind: policy.KindTransient, usage: chatUsage, used: used, bare: data(`{"error":{"type":"overloaded_error"},"choices":[]}`),
		},
		"a compatible server": {
			preset: "openai-compatible", preamble: chat(`{"role":"assistant"}`, `""`),
			content: chat(`{"content":"Hel"}`, `""`) + chat(`{"content":"lo"}`, "null"), finish: chat(`{}`, `"stop"`),
			cut: chat(`{}`, `"length"`), why: "length", refused: chat(`{}`, `"content_filter"`), failed: chat(`{}`, `"abort"`),
			kind: policy.KindTransient, bare: data(`{"object":"error","type":"overloaded_error","message":"later"}`),
		},
		"responses": {
			preset: "openai", preamble: named("response.created", `,"response":{"error":null}`) + named("response.in_progress", "") +
				named("response.output_item.added", `,"item":{"type":"message"}`) + named("response.content_part.added", ""),
			content: named("response.output_text.delta", `,"delta":"Hel"`) + named("response.output_text.delta", `,"delta":"lo"`),
			finish:  named("response.completed", `,"response":{"usage":{"input_tokens":3,"output_tokens":2}}`),
			cut:     named("response.incomplete", `,"response":{"incomplete_details":{"reason":"max_output_tokens"}}`), why: "max_output_tokens",
			refused: named("response.incomplete", `,"response":{"incomplete_details":{"reason":"content_filter"}}`),
			failed:  named("response.failed", `,"response":{"error":{"code":"insufficient_quota"}}`), kind: policy.KindUnusable,
			usage: policy.Tokens{Input: "/response/usage/input_tokens", Output: "/response/usage/output_tokens"}, used: used,
			bare: data(`{"type":"error","code":"server_is_overloaded","message":"later"}`),
		},
		"messages": {
			preset: "anthropic", preamble: named("message_start", `,"message":{"usage":{"input_tokens":3,"output_tokens":1}}`) + named("ping", "") +
				named("content_block_start", `,"content_block":{"type":"text","text":""}`),
			content: named("content_block_delta", `,"delta":{"type":"text_delta","text":"Hel"}`) + named("ping", "") +
				named("content_block_delta", `,"delta":{"type":"text_delta","text":"lo"}`),
			finish: named("message_delta", `,"delta":{"stop_reason":"end_turn"},"usage":{"output_tokens":2}`) + named("message_stop", ""),
			cut:    named("message_delta", `,"delta":{"stop_reason":"max_tokens"}`) + named("message_stop", ""), why: "max_tokens",
			refused: named("message_delta", `,"delta":{"stop_reason":"refusal"}`),
			bare:    named("error", overloaded), bareKind: policy.KindThrottle, used: used, // where it is, the preset knows
		},
		"generateContent": {
			preset: "gemini", preamble: gemini(`[{"text":""}]`, ""),
			content: gemini(`[{"text":"Hel"},{"text":"think","thought":true}]`, "") + gemini(`[{"text":"lo"}]`, ""),
			finish:  gemini(`[]`, `,"finishReason":"STOP"`), cut: gemini(`[]`, `,"finishReason":"MAX_TOKENS"`), why: "MAX_TOKENS",
			refused: gemini(`[]`, `,"finishReason":"SAFETY"`), failed: gemini(`[]`, `,"finishReason":"MALFORMED_FUNCTION_CALL"`),
			kind:  policy.KindTransient,
			usage: policy.Tokens{Input: "/usageMetadata/promptTokenCount", Output: "/usageMetadata/candidatesTokenCount"}, used: used,
			bare: data(`{"error":{"code":503,"status":"UNAVAILABLE","message":"later"}}`),
		},
		"Cohere": {
			preset: "cohere", preamble: named("message-start", "") + named("content-start", ""),
			content: named("content-delta", `,"delta":{"message":{"content":{"text":"Hel"}}}`) +
				named("content-delta", `,"delta":{"message":{"content":{"text":"lo"}}}`),
			finish: named("message-end", `,"delta":{"finish_reason":"COMPLETE","usage":{"tokens":{"input_tokens":3,"output_tokens":2}}}`),
			cut:    named("message-end", `,"delta":{"finish_reason":"MAX_TOKENS"}`), why: "MAX_TOKENS",
			failed: named("message-end", `,"delta":{"finish_reason":"ERROR","error":"boom"}`), kind: policy.KindTransient,
			usage: policy.Tokens{Input: "/delta/usage/tokens/input_tokens", Output: "/delta/usage/tokens/output_tokens"}, used: used,
			bare: data(`{"error":{"type":"server_error"}}`),
		},
	}
}

// reads is a client whose items are what came.
type reads struct {
	*streamer
}

func readsFrom(t *testing.T, p *provider, answers ...func(*http.Request) (*http.Response, error)) (*reads, *upstream) {
	t.Helper()
	u := &upstream{answers: answers}
	s := newStreamer(t, streamPlan(func(plan *policy.Plan) {
		plan.Stream = policy.Stream{Format: policy.SSE}
		plan.Errors.Preset, plan.Tokens, plan.Breaker.MinCalls = p.preset, p.usage, 20
		plan.Breaker.Consecutive = 0
	}), u)
	return &reads{s}, u
}

// ended is how a stream came to its end.
type ended struct {
	Items      int
	Text       string
	Kind       policy.Kind
	Incomplete string
	Hits       int64
	Acted      bool
	Used       policy.Usage
}

// read makes one call, and says what came of it.
func (r *reads) read(t *testing.T, u *upstream) (e ended, err error) {
	t.Helper()
	var meta runtime.Meta
	stream, err := runtime.Open(runtime.Capture(t.Context(), &meta), r.op,
		func(ctx context.Context, at runtime.Attempt) (*runtime.Stream[json.RawMessage], error) {
			return runtime.SendStream(ctx, r.http, at, wire.NewRequest("GET", "/s"), func(resp *wire.Response) (*wire.Items[json.RawMessage], error) {
				if resp.Status != http.StatusOK {
					return nil, resp.Unexpected()
				}
				return wire.JSONItems[json.RawMessage](resp, policy.Stream{Format: policy.SSE})
			})
		})
	if err == nil {
		for _, err = range stream.All() {
		}
		e.Items, e.Text, e.Incomplete, e.Used = len(stream.Partial()), stream.Text(), stream.Incomplete(), stream.Usage()
		if diff := cmp.Diff(e.Used, meta.Usage); diff != "" {
			t.Errorf("usage told to the caller (-stream +meta):\n%s", diff)
		}
	}
	e.Kind, e.Hits = runtime.KindOf(err), u.hits.Load()
	if failure, ok := errors.AsType[*runtime.Error](err); ok {
		e.Acted = failure.MayHaveActed
	}
	return e, err
}

func itemsIn(text string) int { return strings.Count(text, "data: ") - strings.Count(text, "[DONE]") }

// Every fault of a stream, for every form: what comes of it, how often the target is asked, and what that says about it.
func TestFormsOfStreams(t *testing.T) {
	t.Parallel()
	for form, p := range providers() {
		if p.bareKind == policy.KindNone {
			p.bareKind = policy.KindTransient
		}
		whole := p.preamble + p.content + p.finish + p.end
		good := ended{Items: itemsIn(whole), Text: "Hello", Hits: 1, Used: p.used}
		again := good
		again.Hits = 2
		broken := func(kind policy.Kind) ended {
			return ended{Items: itemsIn(p.preamble + p.content), Text: "Hello", Kind: kind, Hits: 1, Acted: true}
		}
		cut := good
		cut.Items, cut.Incomplete = itemsIn(p.preamble+p.content+p.cut+p.end), p.why
		faults := map[string]struct {
			chunks []chunk
			want   ended
			counts policy.Counts
		}{
			"whole":                           {[]chunk{{0, whole, nil}}, good, oneSuccess},
			"byte by byte":                    {bytewise(whole), good, oneSuccess},
			"cut by the target":               {[]chunk{{0, p.preamble + p.content + p.cut + p.end, nil}}, cut, oneSuccess},
			"clean end without a terminal":    {[]chunk{{0, p.preamble + p.content, nil}}, broken(policy.KindReset), oneFailure},
			"marker without a terminal":       {[]chunk{{0, p.preamble + p.content + done, nil}}, broken(policy.KindReset), oneFailure},
			"error in mid-stream":             {[]chunk{{0, p.preamble + p.content + p.bare, nil}}, broken(p.bareKind), oneFailure},
			"connection cut":                  {[]chunk{{0, p.preamble + p.content, nil}, {0, "", io.ErrUnexpectedEOF}}, broken(policy.KindReset), oneFailure},
			"silence":                         {[]chunk{{0, p.preamble + p.content, nil}, {time.Hour, "", nil}}, broken(policy.KindTimeout), oneFailure},
			"no JSON":                         {[]chunk{{0, p.preamble + p.content + data(`{"a":`), nil}}, broken(policy.KindDecode), oneFailure},
			"preamble then error":             {[]chunk{{0, p.preamble + p.bare, nil}}, again, policy.Counts{Calls: 2, Failures: 1}},
			"preamble then silence":           {[]chunk{{0, p.preamble, nil}, {time.Hour, "", nil}}, again, policy.Counts{Calls: 2, Failures: 1}},
			"preamble then end":               {[]chunk{{0, p.preamble, nil}}, again, policy.Counts{Calls: 2, Failures: 1}},
			"preamble then marker":            {[]chunk{{0, p.preamble + done, nil}}, again, policy.Counts{Calls: 2, Failures: 1}},
			"error as the first event":        {[]chunk{{0, p.bare, nil}}, again, policy.Counts{Calls: 2, Failures: 1}},
			"an error event of no known form": {[]chunk{{0, "event: error\ndata: {\"type\":\"overloaded_error\"}\n\n", nil}}, again, policy.Counts{Calls: 2, Failures: 1}},
			"empty":                           {[]chunk{{0, ": hello\n\n", nil}}, again, policy.Counts{Calls: 2, Failures: 1}},
			"nothing but the marker":          {[]chunk{{0, done, nil}}, again, policy.Counts{Calls: 2, Failures: 1}},
		}
		if p.refused != "" {
			faults["refused"] = struct {
				chunks []chunk
				want   ended
				counts policy.Counts
			}{[]chunk{{0, p.preamble + p.content + p.refused, nil}}, broken(policy.KindRefused), oneSuccess}
		}
		if p.failed != "" {
			faults["failed"] = struct {
				chunks []chunk
				want   ended
				counts policy.Counts
			}{[]chunk{{0, p.preamble + p.content + p.failed, nil}}, broken(p.kind), oneFailure}
		}
		for fault, c := range faults {
			t.Run(form+"/"+fault, func(t *testing.T) {
				t.Parallel()
				synctest.Test(t, func(t *testing.T) {
					u := new(upstream)
					r, up := readsFrom(t, &p, u.sse(c.chunks...), u.sse(chunk{0, whole, nil}))
					got, err := r.read(t, up)
					if c.want.Kind != policy.KindNone {
						got.Used = policy.Usage{} // of as much as came: see TestUsageOfAStreamThatBroke
					}
					if strings.HasPrefix(fault, "cut by") {
						got.Used = c.want.Used
					}
					if diff := cmp.Diff(c.want, got); diff != "" {
						t.Errorf("%v (-want +got):\n%s", err, diff)
					}
					r.check(t, c.counts)
				})
			})
		}
	}
}

func bytewise(text string) (all []chunk) {
	for i := range len(text) {
		all = append(all, chunk{0, text[i : i+1], nil})
	}
	return all
}
