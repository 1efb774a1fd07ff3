package model

import (
	"context"
	"fmt"
	"iter"

	"github.com/resgen-go/resgen/examples/llmclient/model/chat"
	"github.com/resgen-go/resgen/runtime"
	"github.com/resgen-go/resgen/runtime/wire"
)

// Chat is a model behind chat completions. It has no policies but timeouts.
type Chat struct {
	// Client sends the requests.
	Client *chat.Client
	// Model is the one that answers.
	Model string
}

// Generate answers a conversation.
func (m *Chat) Generate(ctx context.Context, p *Prompt) (*Answer, error) {
	var meta runtime.Meta
	completion, err := m.Client.CreateChatCompletion(runtime.Capture(ctx, &meta), m.request(p))
	runtime.Report(ctx, &meta)
	if err != nil {
		return nil, fmt.Errorf("chat: %w", err)
	}
	answer := &Answer{Model: completion.Model}
	for i := range completion.Choices {
		said := &completion.Choices[i].Message
		if words := said.Refusal.Or(""); words != "" {
			return nil, declined(words)
		}
		answer.Text += said.Content.Or("")
		answer.Thought += said.ReasoningContent.Or("")
		for _, call := range said.ToolCalls {
			answer.Calls = append(answer.Calls, Call{Name: call.Function.Name, Arguments: call.Function.Arguments})
		}
	}
	return answer, nil
}

// Stream answers it piece by piece.
func (m *Chat) Stream(ctx context.Context, p *Prompt) iter.Seq2[Chunk, error] {
	return func(yield func(Chunk, error) bool) {
		var meta runtime.Meta
		stream, err := m.Client.CreateChatCompletionStream(runtime.Capture(ctx, &meta), m.request(p))
		runtime.Report(ctx, &meta)
		defer func() { runtime.Report(ctx, &meta) }() // once more: what it used is known at the end
		if err != nil {
			yield(Chunk{}, fmt.Errorf("chat: %w", err))
			return
		}
		for item, err := range stream.All() {
			piece, said := chunkOf(&item)
			switch {
			case err != nil:
				err = fmt.Errorf("chat: %w", err)
			case said != nil:
				err = said
			case !piece.shows():
				continue
			}
			if !yield(piece, err) || err != nil {
				return
			}
		}
	}
}

// request writes a prompt as chat completions have it.
func (m *Chat) request(p *Prompt) *chat.ChatRequest {
	req := &chat.ChatRequest{Model: m.Model}
	if p.System != "" {
		req.Messages = append(req.Messages, chat.ChatMessage{Role: chat.ChatMessageRoleSystem, Content: wire.SomeNotNull(p.System)})
	}
	for _, t := range p.Turns {
		role := chat.ChatMessageRoleUser
		if t.Assistant {
			role = chat.ChatMessageRoleAssistant
		}
		req.Messages = append(req.Messages, chat.ChatMessage{Role: role, Content: wire.SomeNotNull(t.Text)})
	}
	if p.MaxTokens > 0 {
		req.MaxCompletionTokens = wire.Some(p.MaxTokens)
	}
	if p.Temperature != nil {
		req.Temperature = wire.Some(*p.Temperature)
	}
	return req
}

// chunkOf returns what a chunk shows, or that the model declines.
func chunkOf(item *chat.ChatChunk) (piece Chunk, err error) {
	for i := range item.Choices {
		delta := &item.Choices[i].Delta
		if words := delta.Refusal.Or(""); words != "" {
			return piece, declined(words)
		}
		piece.Text += delta.Content.Or("")
		piece.Thought += delta.ReasoningContent.Or("")
		for _, call := range delta.ToolCalls {
			if f := call.Function; f != nil {
				piece.Call.Name += f.Name.Or("")
				piece.Call.Arguments += f.Arguments.Or("")
			}
		}
	}
	return piece, nil
}

// declined is the error of a model that declines in words. Messages has it as a reason to stop, which its client knows for what it is.
func declined(words string) error {
	return fmt.Errorf("%w: the model says %q", runtime.ErrRefused, words)
}
