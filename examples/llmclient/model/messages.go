package model

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"

	"github.com/resgen-go/resgen/examples/llmclient/model/messages"
	"github.com/resgen-go/resgen/runtime"
	"github.com/resgen-go/resgen/runtime/wire"
)

// Messages is a model behind Anthropic's Messages. It has no policies but timeouts.
type Messages struct {
	// Client sends the requests.
	Client *messages.Client
	// Model is the one that answers.
	Model string
}

const (
	messagesVersion = "2023-06-01"
	// mostTokens is what an answer may have where the prompt does not say: the API wants a number.
	mostTokens = 4096
)

var errNoTemperature = errors.New("the client of Messages knows no temperature")

// Generate answers a conversation.
func (m *Messages) Generate(ctx context.Context, p *Prompt) (*Answer, error) {
	req, err := m.request(p)
	if err != nil {
		return nil, err
	}
	var meta runtime.Meta
	message, err := m.Client.CreateMessage(runtime.Capture(ctx, &meta), req)
	runtime.Report(ctx, &meta)
	if err != nil {
		return nil, fmt.Errorf("messages: %w", err)
	}
	answer := &Answer{Model: message.Model}
	for _, block := range message.Content {
		text, _ := block.AsText()
		thought, _ := block.AsThinking()
		answer.Text += text.Text
		answer.Thought += thought.Thinking
		if use, ok := block.AsToolUse(); ok {
			arguments, err := json.Marshal(use.Input)
			if err != nil {
				return nil, fmt.Errorf("messages: the arguments of %q: %w", use.Name, err)
			}
			answer.Calls = append(answer.Calls, Call{Name: use.Name, Arguments: string(arguments)})
		}
	}
	return answer, nil
}

// Stream answers it piece by piece. Of the events only those are yielded that show something: message_start and pings are none.
func (m *Messages) Stream(ctx context.Context, p *Prompt) iter.Seq2[Chunk, error] {
	return func(yield func(Chunk, error) bool) {
		req, err := m.request(p)
		if err != nil {
			yield(Chunk{}, err)
			return
		}
		var meta runtime.Meta
		stream, err := m.Client.CreateMessageStream(runtime.Capture(ctx, &meta), req)
		runtime.Report(ctx, &meta)
		defer func() { runtime.Report(ctx, &meta) }() // once more: what it used is known at the end
		if err != nil {
			yield(Chunk{}, fmt.Errorf("messages: %w", err))
			return
		}
		for event, err := range stream.All() {
			piece := chunkOfEvent(&event)
			switch {
			case err != nil:
				err = fmt.Errorf("messages: %w", err)
			case !piece.shows():
				continue
			}
			if !yield(piece, err) || err != nil {
				return
			}
		}
	}
}

// request writes a prompt as Messages has it. What has no counterpart there is refused as unfit, so that the ladder passes on: left out, it
// would be answered as if it had not been asked for.
func (m *Messages) request(p *Prompt) (*messages.CreateMessageRequest, error) {
	if p.Temperature != nil {
		return nil, fmt.Errorf("%w: %w", runtime.ErrUnfit, errNoTemperature)
	}
	body := messages.MessageRequest{Model: m.Model, MaxTokens: mostTokens}
	if p.MaxTokens > 0 {
		body.MaxTokens = p.MaxTokens
	}
	if p.System != "" {
		body.System = wire.Some(p.System)
	}
	for _, t := range p.Turns {
		role := messages.TurnRoleUser
		if t.Assistant {
			role = messages.TurnRoleAssistant
		}
		body.Messages = append(body.Messages, messages.Turn{Role: role, Content: t.Text})
	}
	return &messages.CreateMessageRequest{AnthropicVersion: messagesVersion, Body: body}, nil
}

// chunkOfEvent returns what an event shows.
func chunkOfEvent(e *messages.Event) (piece Chunk) {
	if start, ok := e.AsBlockStart(); ok {
		use, _ := start.ContentBlock.AsToolUse()
		piece.Call.Name = use.Name
	}
	if delta, ok := e.AsBlockDelta(); ok {
		piece.Text, piece.Thought = delta.Delta.Text.Or(""), delta.Delta.Thinking.Or("")
		piece.Call.Arguments = delta.Delta.PartialJSON.Or("")
	}
	return piece
}
