package sdks_test

import (
	"context"
	"errors"
	"io"
	"iter"
	"net/http"

	"github.com/anthropics/anthropic-sdk-go"
	anthropicoption "github.com/anthropics/anthropic-sdk-go/option"
	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"
	"github.com/openai/openai-go/v3/responses"
	goopenai "github.com/sashabaranov/go-openai"

	"github.com/resgen-go/resgen/bench/sdks/model"
	"github.com/resgen-go/resgen/runtime"
	"github.com/resgen-go/resgen/testdata/providers/callers"
)

const question = "What do you say?"

// chat is openai-go's chat completions.
type chat struct{ client openai.Client }

func newOpenAI(h *http.Client, opts ...option.RequestOption) openai.Client {
	return openai.NewClient(append([]option.RequestOption{
		option.WithAPIKey("key"), option.WithBaseURL("http://provider.test/v1"), option.WithHTTPClient(h),
	}, opts...)...)
}

func (chat) params(prompt string) openai.ChatCompletionNewParams {
	return openai.ChatCompletionNewParams{Model: "m-1", Messages: []openai.ChatCompletionMessageParamUnion{openai.UserMessage(prompt)}}
}

func (c chat) Complete(ctx context.Context, prompt string) (string, error) {
	res, err := c.client.Chat.Completions.New(ctx, c.params(prompt))
	if err != nil || len(res.Choices) == 0 {
		return "", err
	}
	return res.Choices[0].Message.Content, nil
}

func (c chat) Stream(ctx context.Context, prompt string) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		s := c.client.Chat.Completions.NewStreaming(ctx, c.params(prompt))
		defer func() { _ = s.Close() }()
		for s.Next() {
			if chunk := s.Current(); len(chunk.Choices) > 0 && !yield(chunk.Choices[0].Delta.Content, nil) {
				return
			}
		}
		if err := s.Err(); err != nil {
			yield("", err)
		}
	}
}

// response is openai-go's responses.
type response struct{ client openai.Client }

func (response) params(prompt string) responses.ResponseNewParams {
	return responses.ResponseNewParams{Model: "m-1", Input: responses.ResponseNewParamsInputUnion{OfString: openai.String(prompt)}}
}

func (r response) Complete(ctx context.Context, prompt string) (string, error) {
	res, err := r.client.Responses.New(ctx, r.params(prompt))
	if err != nil {
		return "", err
	}
	return res.OutputText(), nil
}

func (r response) Stream(ctx context.Context, prompt string) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		s := r.client.Responses.NewStreaming(ctx, r.params(prompt))
		defer func() { _ = s.Close() }()
		for s.Next() {
			text := ""
			if e := s.Current(); e.Type == "response.output_text.delta" {
				text = e.Delta
			}
			if !yield(text, nil) {
				return
			}
		}
		if err := s.Err(); err != nil {
			yield("", err)
		}
	}
}

// message is anthropic-sdk-go's messages.
type message struct{ client anthropic.Client }

func newAnthropic(h *http.Client, opts ...anthropicoption.RequestOption) anthropic.Client {
	return anthropic.NewClient(append([]anthropicoption.RequestOption{
		anthropicoption.WithAPIKey("key"), anthropicoption.WithBaseURL("http://provider.test"), anthropicoption.WithHTTPClient(h),
	}, opts...)...)
}

func (message) params(prompt string) anthropic.MessageNewParams {
	return anthropic.MessageNewParams{
		Model: "m-1", MaxTokens: 100, Messages: []anthropic.MessageParam{anthropic.NewUserMessage(anthropic.NewTextBlock(prompt))},
	}
}

func (m message) Complete(ctx context.Context, prompt string) (string, error) {
	res, err := m.client.Messages.New(ctx, m.params(prompt))
	if err != nil {
		return "", err
	}
	text := ""
	for _, block := range res.Content {
		text += block.Text
	}
	return text, nil
}

func (m message) Stream(ctx context.Context, prompt string) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		s := m.client.Messages.NewStreaming(ctx, m.params(prompt))
		defer func() { _ = s.Close() }()
		for s.Next() {
			if !yield(s.Current().Delta.Text, nil) {
				return
			}
		}
		if err := s.Err(); err != nil {
			yield("", err)
		}
	}
}

// community is go-openai's chat completions.
type community struct{ client *goopenai.Client }

func newCommunity(h *http.Client) *goopenai.Client {
	cfg := goopenai.DefaultConfig("key")
	cfg.BaseURL, cfg.HTTPClient = "http://provider.test/v1", h
	return goopenai.NewClientWithConfig(cfg)
}

func (community) request(prompt string) goopenai.ChatCompletionRequest {
	return goopenai.ChatCompletionRequest{Model: "m-1", Messages: []goopenai.ChatCompletionMessage{{Role: "user", Content: prompt}}}
}

func (c community) Complete(ctx context.Context, prompt string) (string, error) {
	res, err := c.client.CreateChatCompletion(ctx, c.request(prompt))
	if err != nil || len(res.Choices) == 0 {
		return "", err
	}
	return res.Choices[0].Message.Content, nil
}

func (c community) Stream(ctx context.Context, prompt string) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		s, err := c.client.CreateChatCompletionStream(ctx, c.request(prompt))
		if err != nil {
			yield("", err)
			return
		}
		defer func() { _ = s.Close() }()
		for {
			chunk, err := s.Recv()
			switch {
			case errors.Is(err, io.EOF): // the documented end
				return
			case err != nil:
				yield("", err)
				return
			case len(chunk.Choices) > 0 && !yield(chunk.Choices[0].Delta.Content, nil):
				return
			}
		}
	}
}

// generated is a client that resgen generated, without its ladder.
type generated struct{ call callers.Call }

func newGenerated(shape string, h *http.Client) (generated, error) {
	call, err := callers.New(shape, runtime.WithHTTPClient(h), runtime.WithBaseURL("http://provider.test"),
		runtime.WithTarget("second", runtime.WithHTTPClient(h), runtime.WithBaseURL("http://provider.test")))
	return generated{call}, err
}

func (g generated) Complete(ctx context.Context, prompt string) (string, error) {
	o := g.call(runtime.WithoutFallback(ctx), prompt, false)
	return o.Text, o.Err
}

func (g generated) Stream(ctx context.Context, prompt string) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		o := g.call(runtime.WithoutFallback(ctx), prompt, true)
		if o.Text == "" || yield(o.Text, nil) {
			if o.Err != nil {
				yield("", o.Err)
			}
		}
	}
}

// arm is one way to call a provider.
type arm struct {
	name string
	make func(h *http.Client) (model.OpenAI, error)
}

// arms are the ways to call a provider of a shape: the SDKs as they come, resgen over an SDK whose retries are off, and resgen's client.
func arms(shape string) []arm {
	plain := func(name string, make func(h *http.Client) model.OpenAI) arm {
		return arm{name, func(h *http.Client) (model.OpenAI, error) { return make(h), nil }}
	}
	own := arm{"resgen's client", func(h *http.Client) (model.OpenAI, error) { return newGenerated(shape, h) }}
	switch shape {
	case "chat":
		return []arm{
			plain("openai-go", func(h *http.Client) model.OpenAI { return chat{newOpenAI(h)} }),
			plain("go-openai", func(h *http.Client) model.OpenAI { return community{newCommunity(h)} }),
			{"resgen over openai-go", func(h *http.Client) (model.OpenAI, error) {
				return model.NewResilientOpenAI(chat{newOpenAI(h, option.WithMaxRetries(0))})
			}},
			{"resgen over go-openai", func(h *http.Client) (model.OpenAI, error) {
				return model.NewResilientOpenAI(community{newCommunity(h)})
			}},
			own,
		}
	case "responses":
		return []arm{
			plain("openai-go", func(h *http.Client) model.OpenAI { return response{newOpenAI(h)} }),
			{"resgen over openai-go", func(h *http.Client) (model.OpenAI, error) {
				return model.NewResilientOpenAI(response{newOpenAI(h, option.WithMaxRetries(0))})
			}},
			own,
		}
	default:
		return []arm{
			plain("anthropic-sdk-go", func(h *http.Client) model.OpenAI { return message{newAnthropic(h)} }),
			{"resgen over anthropic-sdk-go", func(h *http.Client) (model.OpenAI, error) {
				return model.NewResilientAnthropic(message{newAnthropic(h, anthropicoption.WithMaxRetries(0))})
			}},
			own,
		}
	}
}
