package sdks_test

import (
	"context"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/aws/retry"
	"github.com/aws/aws-sdk-go-v2/service/bedrockruntime"
	cohere "github.com/cohere-ai/cohere-go/v2"
	cohereclient "github.com/cohere-ai/cohere-go/v2/client"
	"google.golang.org/genai"

	"github.com/resgen-go/resgen/bench/sdks/model"
	"github.com/resgen-go/resgen/runtime"
	"github.com/resgen-go/resgen/testdata/providers"
)

// seen keeps the events of one kind.
type seen struct {
	mu     sync.Mutex
	events []runtime.Event
}

func (s *seen) Observe(_ context.Context, e runtime.Event) {
	if e.What == runtime.InnerRetry {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.events = append(s.events, e)
	}
}

// The SDKs that try again by themselves, as they come.
var stubborn = map[string]struct {
	off  string // what turns it off
	call func(ctx context.Context, c *http.Client) error
}{
	"openai-go": {"option.WithMaxRetries(0)", func(ctx context.Context, c *http.Client) error {
		_, err := chat{newOpenAI(c)}.Complete(ctx, question)
		return err
	}},
	"anthropic-sdk-go": {"option.WithMaxRetries(0)", func(ctx context.Context, c *http.Client) error {
		_, err := message{newAnthropic(c)}.Complete(ctx, question)
		return err
	}},
	"aws-sdk-go-v2": {"aws.NopRetryer", func(ctx context.Context, c *http.Client) error {
		_, err := bedrock(c, retry.NewStandard()).InvokeModel(ctx, &bedrockruntime.InvokeModelInput{ModelId: aws.String("m-1"), Body: []byte("{}")})
		return err
	}},
	"cohere-go": {"client.WithMaxAttempts(1)", func(ctx context.Context, c *http.Client) error {
		client := cohereclient.NewClient(cohereclient.WithBaseURL("http://provider.test"), cohereclient.WithToken("key"),
			cohereclient.WithHTTPClient(c))
		_, err := client.Chat(ctx, &cohere.ChatRequest{Message: question})
		return err
	}},
	"genai": {"no RetryOptions", func(ctx context.Context, c *http.Client) error {
		client, err := genai.NewClient(ctx, &genai.ClientConfig{
			APIKey: "key", Backend: genai.BackendGeminiAPI, HTTPClient: c,
			HTTPOptions: genai.HTTPOptions{BaseURL: "http://provider.test", RetryOptions: &genai.HTTPRetryOptions{}},
		})
		if err != nil {
			return err
		}
		_, err = client.Models.GenerateContent(ctx, "m-1", genai.Text(question), nil)
		return err
	}},
}

// completing makes a function a model.
type completing struct {
	model.OpenAI

	call func(ctx context.Context) error
}

func (c completing) Complete(ctx context.Context, _ string) (string, error) { return "", c.call(ctx) }

func TestOwnRetriesOfSDKs(t *testing.T) {
	t.Parallel()
	for name, c := range stubborn {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				requests := 0
				h, stop := providers.Serve(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
					requests++
					w.WriteHeader(http.StatusServiceUnavailable)
				}))
				defer stop()
				s := new(seen)
				m, err := model.NewResilientOpenAI(completing{call: func(ctx context.Context) error { return c.call(ctx, h) }},
					model.WithOpenAIRuntime(runtime.WithObserver(s)))
				if err != nil {
					t.Fatal(err)
				}
				var meta runtime.Meta
				if _, err = m.Complete(runtime.Capture(t.Context(), &meta), question); err == nil {
					t.Fatal("no error")
				}
				if requests < 2 || meta.Attempts+meta.Replays != requests || meta.Replays == 0 {
					t.Errorf("%d requests: %d attempts and %d replays", requests, meta.Attempts, meta.Replays)
				}
				if len(s.events) == 0 || !strings.Contains(s.events[0].Advice, c.off) {
					t.Errorf("told: %+v", s.events)
				}
			})
		})
	}
}
