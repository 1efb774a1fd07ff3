package httpcall

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"

	"github.com/resgen-go/resgen/bench/internal/payload"
	"github.com/resgen-go/resgen/bench/llm"
)

var (
	chat     = payload.NewChatRequest(4)
	chatText = payload.ChatResponse()
)

// own is the generated client as it comes, with connections of its own.
var own = client{"resgen", func(tb testing.TB, _ http.RoundTripper, url string) do {
	tb.Helper()
	return whole(tb, url)
}}

// whole calls by the generated client. It has timeouts, retries, a budget, a breaker and a bulkhead; see llm/openapi.yaml.
func whole(tb testing.TB, url string, opts ...llm.Option) do {
	tb.Helper()
	c, err := llm.New(append(opts, llm.WithBaseURL(url+"/v1"), llm.WithBearer("secret"))...)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(c.CloseIdleConnections)
	req := as[llm.ChatRequest](tb, chat)
	return func(ctx context.Context) error {
		got, err := c.CreateChatCompletion(ctx, req)
		if err != nil {
			return err
		}
		return one(len(got.Choices))
	}
}

// chats are whole calls over a transport that the user chose.
func chats() []client {
	return []client{
		{"resgen-net-http", func(tb testing.TB, via http.RoundTripper, url string) do {
			tb.Helper()
			return whole(tb, url, llm.WithHTTPClient(&http.Client{Transport: via}))
		}},
		{"net-http-bytes", func(tb testing.TB, via http.RoundTripper, url string) do {
			tb.Helper()
			text, err := json.Marshal(chat)
			if err != nil {
				tb.Fatal(err)
			}
			by := &http.Client{Transport: via}
			return func(ctx context.Context) error {
				_, err := exchange(ctx, by, url, text)
				return err
			}
		}},
		{"net-http+encoding-json", func(_ testing.TB, via http.RoundTripper, url string) do {
			return handmade(&http.Client{Transport: via}, url, 0)
		}},
		{"net-http+encoding-json+timeout", func(_ testing.TB, via http.RoundTripper, url string) do {
			return handmade(&http.Client{Transport: via}, url, callTimeout)
		}},
		{"openai-go", func(tb testing.TB, via http.RoundTripper, url string) do {
			tb.Helper()
			c := openai.NewClient(option.WithBaseURL(url+"/v1/"), option.WithAPIKey("secret"), option.WithHTTPClient(&http.Client{Transport: via}))
			req := openaiRequest()
			return func(ctx context.Context) error {
				got, err := c.Chat.Completions.New(ctx, req, option.WithRequestTimeout(callTimeout))
				if err != nil {
					return err
				}
				return one(len(got.Choices))
			}
		}},
	}
}

// as returns v as another type of the same JSON.
func as[T any](tb testing.TB, v any) *T {
	tb.Helper()
	text, err := json.Marshal(v)
	if err != nil {
		tb.Fatal(err)
	}
	same := new(T)
	if err := json.Unmarshal(text, same); err != nil {
		tb.Fatal(err)
	}
	return same
}

func openaiRequest() openai.ChatCompletionNewParams {
	p := openai.ChatCompletionNewParams{
		Model: chat.Model, User: openai.String(chat.User),
		Temperature: openai.Float(*chat.Temperature), MaxCompletionTokens: openai.Int(*chat.MaxTokens),
	}
	for _, m := range chat.Messages {
		if m.Role == "user" {
			p.Messages = append(p.Messages, openai.UserMessage(m.Content))
		} else {
			p.Messages = append(p.Messages, openai.AssistantMessage(m.Content))
		}
	}
	return p
}

// handmade is the call as one writes it, without resilience but a deadline, if there is one.
func handmade(by *http.Client, url string, deadline time.Duration) do {
	return func(ctx context.Context) error {
		if deadline > 0 {
			var cancel context.CancelFunc
			ctx, cancel = context.WithTimeout(ctx, deadline)
			defer cancel()
		}
		body, err := json.Marshal(chat)
		if err != nil {
			return err
		}
		text, err := exchange(ctx, by, url, body)
		if err != nil {
			return err
		}
		var got payload.ChatCompletion
		if err := json.Unmarshal(text, &got); err != nil {
			return err
		}
		return one(len(got.Choices))
	}
}

// exchange posts bytes and reads bytes: what is left of the call without JSON.
func exchange(ctx context.Context, by *http.Client, url string, body []byte) ([]byte, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, url+path, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Authorization", "Bearer secret")
	resp, err := by.Do(r)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err == nil && resp.StatusCode != http.StatusOK {
		err = fmt.Errorf("%w: status %d", errUnexpected, resp.StatusCode)
	}
	return text, err
}

func one(choices int) error {
	if choices != 1 {
		return fmt.Errorf("%w: %d choices", errUnexpected, choices)
	}
	return nil
}

// BenchmarkChatStub is the whole call without a network.
func BenchmarkChatStub(b *testing.B) { bench(b, chats(), newStub(chatText), "http://stub.test") }

// BenchmarkChatLean is the whole call to a server that allocates next to nothing.
func BenchmarkChatLean(b *testing.B) {
	bench(b, append([]client{own}, chats()...), pooled(b), serve(b, chatText))
}

// BenchmarkChatServer is the whole call to net/http's server.
func BenchmarkChatServer(b *testing.B) {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body)
		w.Header().Set("Content-Type", "application/json")
		w.Write(chatText)
	}))
	b.Cleanup(s.Close)
	bench(b, append([]client{own}, chats()...), pooled(b), s.URL)
}

// The clients ask for the same.
func TestChatsAskForTheSame(t *testing.T) {
	t.Parallel()
	var want any
	for _, c := range chats() {
		var got any
		seen := seeing{newStub(chatText), func(body []byte) {
			if err := json.Unmarshal(body, &got); err != nil {
				t.Errorf("%s: %v", c.name, err)
			}
		}}
		if err := c.make(t, seen, "http://stub.test")(t.Context()); err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
		if want == nil {
			want = got
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-%s +%s):\n%s", c.name, chats()[0].name, c.name, diff)
		}
	}
}

// seeing hands the body of a request on.
type seeing struct {
	http.RoundTripper

	body func(body []byte)
}

func (s seeing) RoundTrip(r *http.Request) (*http.Response, error) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, err
	}
	s.body(body)
	r.Body = io.NopCloser(bytes.NewReader(body))
	return s.RoundTripper.RoundTrip(r)
}
