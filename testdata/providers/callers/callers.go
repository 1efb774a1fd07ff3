// Package callers calls the generated clients of the wire shapes that package providers scripts, all in one way, and says what a caller
// sees of each answer.
package callers

import (
	"context"
	"fmt"

	"github.com/resgen-go/resgen/runtime"
	"github.com/resgen-go/resgen/runtime/wire"
	llmchat "github.com/resgen-go/resgen/testdata/specs/llmchat/want"
	llmcohere "github.com/resgen-go/resgen/testdata/specs/llmcohere/want"
	llmgemini "github.com/resgen-go/resgen/testdata/specs/llmgemini/want"
	llmmessages "github.com/resgen-go/resgen/testdata/specs/llmmessages/want"
	llmresponses "github.com/resgen-go/resgen/testdata/specs/llmresponses/want"
)

// Call makes a call of a generated client, for a whole answer or a stream, and reads what comes to its end.
type Call func(ctx context.Context, question string, stream bool) Outcome

// Outcome is what a caller sees.
type Outcome struct {
	// Err is the error of the call, or of reading the stream.
	Err error
	// Began says that there was an answer, if only a part of one.
	Began bool
	// Rung, Level and Reason are those of the result.
	Rung   string
	Level  runtime.Level
	Reason runtime.Kind
	// Text is all that was shown: words, refusals, thoughts, calls of tools.
	Text string
	// Items is the number of items that a stream yielded.
	Items int
	// Partial is the same of what the stream's Partial returns after its end.
	Partial string
	// Afterward is what ranging over the stream once more gives.
	Afterward error
}

// New makes the client of a shape.
func New(shape string, opts ...runtime.ClientOption) (Call, error) {
	make, ok := map[string]func([]runtime.ClientOption) (Call, error){
		"chat": chat, "responses": responses, "messages": messages, "gemini": gemini, "cohere": cohere,
	}[shape]
	if !ok {
		return nil, fmt.Errorf("no client of the shape %q", shape)
	}
	return make(opts)
}

func chat(opts []runtime.ClientOption) (Call, error) {
	c, err := llmchat.New(append(opts, llmchat.WithBearer("key"))...)
	if err != nil {
		return nil, err //nolint:wrapcheck // it says itself whose it is
	}
	return func(ctx context.Context, question string, stream bool) Outcome {
		req := &llmchat.ChatRequest{
			Model:    "m-1",
			Messages: []llmchat.ChatMessage{{Role: llmchat.ChatMessageRoleUser, Content: wire.SomeNotNull(question)}},
		}
		if stream {
			res, err := c.CreateChatCompletionStream(ctx, req)
			return read(res, err, shownByChunk)
		}
		res, err := c.CreateChatCompletion(ctx, req)
		return whole(res, err, shownByCompletion)
	}, nil
}

func responses(opts []runtime.ClientOption) (Call, error) {
	c, err := llmresponses.New(append(opts, llmresponses.WithBearer("key"))...)
	if err != nil {
		return nil, err //nolint:wrapcheck // it says itself whose it is
	}
	return func(ctx context.Context, question string, stream bool) Outcome {
		req := &llmresponses.ResponseRequest{Model: "m-1", Input: llmresponses.ResponseRequestInputOfString(question)}
		if stream {
			res, err := c.CreateResponseStream(ctx, req)
			return read(res, err, shownByEvent)
		}
		res, err := c.CreateResponse(ctx, req)
		return whole(res, err, shownByResponse)
	}, nil
}

func messages(opts []runtime.ClientOption) (Call, error) {
	c, err := llmmessages.New(append(opts, llmmessages.WithAPIKey("key"))...)
	if err != nil {
		return nil, err //nolint:wrapcheck // it says itself whose it is
	}
	return func(ctx context.Context, question string, stream bool) Outcome {
		req := &llmmessages.CreateMessageRequest{AnthropicVersion: "2023-06-01", Body: llmmessages.MessageRequest{
			Model: "m-1", MaxTokens: 100, Messages: []llmmessages.Turn{{Role: llmmessages.TurnRoleUser, Content: question}},
		}}
		if stream {
			res, err := c.CreateMessageStream(ctx, req)
			return read(res, err, shownByStep)
		}
		res, err := c.CreateMessage(ctx, req)
		return whole(res, err, shownByMessage)
	}, nil
}

func gemini(opts []runtime.ClientOption) (Call, error) {
	c, err := llmgemini.New(append(opts, llmgemini.WithAPIKey("key"))...)
	if err != nil {
		return nil, err //nolint:wrapcheck // it says itself whose it is
	}
	return func(ctx context.Context, question string, stream bool) Outcome {
		body := llmgemini.GenerateRequest{Contents: []llmgemini.Content{{
			Role: wire.Some(llmgemini.ContentRoleUser), Parts: []llmgemini.Part{{Text: wire.Some(question)}},
		}}}
		if stream {
			res, err := c.StreamGenerateContent(ctx, &llmgemini.StreamGenerateContentRequest{
				Model: "m-1", Alt: llmgemini.StreamGenerateContentAltSse, Body: body,
			})
			return read(res, err, func(r llmgemini.GenerateResponse) string { return shownByContent(&r) })
		}
		res, err := c.GenerateContent(ctx, &llmgemini.GenerateContentRequest{Model: "m-1", Body: body})
		return whole(res, err, shownByContent)
	}, nil
}

func cohere(opts []runtime.ClientOption) (Call, error) {
	c, err := llmcohere.New(append(opts, llmcohere.WithBearer("key"))...)
	if err != nil {
		return nil, err //nolint:wrapcheck // it says itself whose it is
	}
	return func(ctx context.Context, question string, stream bool) Outcome {
		req := &llmcohere.ChatRequest{
			Model:    "m-1",
			Messages: []llmcohere.ChatRequestMessagesItem{{Role: llmcohere.ChatRequestMessagesItemRoleUser, Content: question}},
		}
		if stream {
			res, err := c.ChatStream(ctx, req)
			return read(res, err, shownByTurn)
		}
		res, err := c.Chat(ctx, req)
		return whole(res, err, shownByChat)
	}, nil
}

// whole is what a caller sees of a whole answer.
func whole[T any](res runtime.Result[*T], err error, shown func(*T) string) Outcome {
	o := Outcome{Err: err, Rung: res.Rung, Level: res.Level, Reason: res.Reason}
	if o.Began = err == nil; o.Began {
		o.Text = shown(res.Value)
	}
	return o
}

// read is what a caller sees who reads a stream to its end.
func read[T any](res runtime.Result[*runtime.Stream[T]], err error, shown func(T) string) Outcome {
	o := Outcome{Err: err, Rung: res.Rung, Level: res.Level, Reason: res.Reason}
	if o.Began = err == nil; !o.Began {
		return o
	}
	for item, err := range res.Value.All() {
		if o.Err = err; err != nil {
			break
		}
		o.Text += shown(item)
		o.Items++
	}
	for _, item := range res.Value.Partial() {
		o.Partial += shown(item)
	}
	for _, err := range res.Value.All() {
		o.Afterward = err
	}
	return o
}
