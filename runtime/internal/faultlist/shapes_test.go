package faultlist_test

import (
	"context"
	"net/http"
	"testing"

	"github.com/resgen-go/resgen/runtime"
	"github.com/resgen-go/resgen/runtime/wire"
	llmchat "github.com/resgen-go/resgen/testdata/specs/llmchat/want"
	llmcohere "github.com/resgen-go/resgen/testdata/specs/llmcohere/want"
	llmgemini "github.com/resgen-go/resgen/testdata/specs/llmgemini/want"
	llmmessages "github.com/resgen-go/resgen/testdata/specs/llmmessages/want"
	llmresponses "github.com/resgen-go/resgen/testdata/specs/llmresponses/want"
)

// caller makes a call of a generated client, for a whole answer or a stream, and reads what comes to its end.
type caller func(ctx context.Context, stream bool) outcome

// outcome is what a caller sees.
type outcome struct {
	err       error // of the call, or of reading the stream
	began     bool  // there was an answer, if only a part of it
	rung      string
	level     runtime.Level
	reason    runtime.Kind
	text      string // of all that was shown: words, refusals, thoughts, calls of tools
	partial   string // the same of what Partial returned after an error
	afterward error  // what All gives once more
}

// dial makes the client of a shape with its two targets.
func dial(t *testing.T, shape string, g *runtime.Group, first, second *http.Client) caller {
	t.Helper()
	opts := []runtime.ClientOption{
		runtime.WithHTTPClient(first), runtime.WithGroup(g),
		runtime.WithTarget("second", runtime.WithHTTPClient(second), runtime.WithBaseURL("http://second.test")),
		runtime.WithBaseURL("http://first.test"),
	}
	switch shape {
	case "chat":
		return chat(t, append(opts, llmchat.WithBearer("k")))
	case "responses":
		return responses(t, append(opts, llmresponses.WithBearer("k")))
	case "messages":
		return messages(t, append(opts, llmmessages.WithAPIKey("k")))
	case "gemini":
		return gemini(t, append(opts, llmgemini.WithAPIKey("k")))
	case "cohere":
		return cohere(t, append(opts, llmcohere.WithBearer("k")))
	}
	t.Fatalf("no client of the shape %q", shape)
	return nil
}

func chat(t *testing.T, opts []runtime.ClientOption) caller {
	t.Helper()
	c, err := llmchat.New(opts...)
	must(t, err)
	req := &llmchat.ChatRequest{
		Model:    "m-1",
		Messages: []llmchat.ChatMessage{{Role: llmchat.ChatMessageRoleUser, Content: wire.SomeNotNull("Hello?")}},
	}
	return func(ctx context.Context, stream bool) outcome {
		if stream {
			res, err := c.CreateChatCompletionStream(ctx, req)
			return read(res, err, shownByChunk)
		}
		res, err := c.CreateChatCompletion(ctx, req)
		return whole(res, err, shownByCompletion)
	}
}

func responses(t *testing.T, opts []runtime.ClientOption) caller {
	t.Helper()
	c, err := llmresponses.New(opts...)
	must(t, err)
	req := &llmresponses.ResponseRequest{Model: "m-1", Input: llmresponses.ResponseRequestInputOfString("Hello?")}
	return func(ctx context.Context, stream bool) outcome {
		if stream {
			res, err := c.CreateResponseStream(ctx, req)
			return read(res, err, shownByEvent)
		}
		res, err := c.CreateResponse(ctx, req)
		return whole(res, err, shownByResponse)
	}
}

func messages(t *testing.T, opts []runtime.ClientOption) caller {
	t.Helper()
	c, err := llmmessages.New(opts...)
	must(t, err)
	req := &llmmessages.CreateMessageRequest{AnthropicVersion: "2023-06-01", Body: llmmessages.MessageRequest{
		Model: "m-1", MaxTokens: 100, Messages: []llmmessages.Turn{{Role: llmmessages.TurnRoleUser, Content: "Hello?"}},
	}}
	return func(ctx context.Context, stream bool) outcome {
		if stream {
			res, err := c.CreateMessageStream(ctx, req)
			return read(res, err, shownByStep)
		}
		res, err := c.CreateMessage(ctx, req)
		return whole(res, err, shownByMessage)
	}
}

func gemini(t *testing.T, opts []runtime.ClientOption) caller {
	t.Helper()
	c, err := llmgemini.New(opts...)
	must(t, err)
	body := llmgemini.GenerateRequest{Contents: []llmgemini.Content{{
		Role: wire.Some(llmgemini.ContentRoleUser), Parts: []llmgemini.Part{{Text: wire.Some("Hello?")}},
	}}}
	return func(ctx context.Context, stream bool) outcome {
		if stream {
			res, err := c.StreamGenerateContent(ctx, &llmgemini.StreamGenerateContentRequest{
				Model: "m-1", Alt: llmgemini.StreamGenerateContentAltSse, Body: body,
			})
			return read(res, err, func(r llmgemini.GenerateResponse) string { return shownByContent(&r) })
		}
		res, err := c.GenerateContent(ctx, &llmgemini.GenerateContentRequest{Model: "m-1", Body: body})
		return whole(res, err, shownByContent)
	}
}

func cohere(t *testing.T, opts []runtime.ClientOption) caller {
	t.Helper()
	c, err := llmcohere.New(opts...)
	must(t, err)
	req := &llmcohere.ChatRequest{
		Model:    "m-1",
		Messages: []llmcohere.ChatRequestMessagesItem{{Role: llmcohere.ChatRequestMessagesItemRoleUser, Content: "Hello?"}},
	}
	return func(ctx context.Context, stream bool) outcome {
		if stream {
			res, err := c.ChatStream(ctx, req)
			return read(res, err, shownByTurn)
		}
		res, err := c.Chat(ctx, req)
		return whole(res, err, shownByChat)
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// whole is what a caller sees of a whole answer.
func whole[T any](res runtime.Result[*T], err error, shown func(*T) string) outcome {
	o := outcome{err: err, rung: res.Rung, level: res.Level, reason: res.Reason}
	if o.began = err == nil; o.began {
		o.text = shown(res.Value)
	}
	return o
}

// read is what a caller sees who reads a stream to its end.
func read[T any](res runtime.Result[*runtime.Stream[T]], err error, shown func(T) string) outcome {
	o := outcome{err: err, rung: res.Rung, level: res.Level, reason: res.Reason}
	if o.began = err == nil; !o.began {
		return o
	}
	for item, err := range res.Value.All() {
		if o.err = err; err != nil {
			break
		}
		o.text += shown(item)
	}
	for _, item := range res.Value.Partial() {
		o.partial += shown(item)
	}
	for _, err := range res.Value.All() {
		o.afterward = err
	}
	return o
}
