package callers

import (
	"encoding/json"
	"strings"

	llmchat "github.com/resgen-go/resgen/testdata/specs/llmchat/want"
	llmcohere "github.com/resgen-go/resgen/testdata/specs/llmcohere/want"
	llmgemini "github.com/resgen-go/resgen/testdata/specs/llmgemini/want"
	llmmessages "github.com/resgen-go/resgen/testdata/specs/llmmessages/want"
	llmresponses "github.com/resgen-go/resgen/testdata/specs/llmresponses/want"
)

func shownByCompletion(c *llmchat.ChatCompletion) string {
	var b strings.Builder
	for i := range c.Choices {
		m := &c.Choices[i].Message
		b.WriteString(m.ReasoningContent.Or("") + m.Content.Or("") + m.Refusal.Or(""))
		for _, call := range m.ToolCalls {
			b.WriteString(call.Function.Name + call.Function.Arguments)
		}
	}
	return b.String()
}

func shownByChunk(c llmchat.ChatChunk) string {
	var b strings.Builder
	for i := range c.Choices {
		d := &c.Choices[i].Delta
		b.WriteString(d.ReasoningContent.Or("") + d.Content.Or("") + d.Refusal.Or(""))
		for _, call := range d.ToolCalls {
			if call.Function != nil {
				b.WriteString(call.Function.Name.Or("") + call.Function.Arguments.Or(""))
			}
		}
	}
	return b.String()
}

func shownByResponse(r *llmresponses.Response) string {
	var b strings.Builder
	for _, item := range r.Output {
		if call, ok := item.AsFunctionCall(); ok {
			b.WriteString(call.Name + call.Arguments)
		}
		if thoughts, ok := item.AsReasoning(); ok {
			for _, s := range thoughts.Summary {
				b.WriteString(s.Text)
			}
		}
		message, _ := item.AsMessage()
		for _, part := range message.Content {
			if text, ok := part.AsOutputText(); ok {
				b.WriteString(text.Text)
			}
			if refusal, ok := part.AsRefusal(); ok {
				b.WriteString(refusal.Refusal)
			}
		}
	}
	return b.String()
}

func shownByEvent(e llmresponses.Event) string {
	if delta, ok := e.AsDelta(); ok {
		return delta.Delta
	}
	if item, ok := e.AsItem(); ok && item.Type == llmresponses.ItemEventTypeResponseOutputItemAdded {
		call, _ := item.Item.AsFunctionCall()
		return call.Name
	}
	return ""
}

func shownByMessage(m *llmmessages.Message) string {
	var b strings.Builder
	for _, block := range m.Content {
		text, _ := block.AsText()
		thoughts, _ := block.AsThinking()
		b.WriteString(text.Text + thoughts.Thinking)
		if use, ok := block.AsToolUse(); ok {
			b.WriteString(use.Name + asText(use.Input))
		}
	}
	return b.String()
}

func shownByStep(e llmmessages.Event) string {
	if start, ok := e.AsBlockStart(); ok {
		use, _ := start.ContentBlock.AsToolUse()
		return use.Name
	}
	delta, _ := e.AsBlockDelta()
	return delta.Delta.Text.Or("") + delta.Delta.Thinking.Or("") + delta.Delta.PartialJSON.Or("")
}

func shownByContent(r *llmgemini.GenerateResponse) string {
	var b strings.Builder
	for i := range r.Candidates {
		if r.Candidates[i].Content == nil {
			continue
		}
		for _, part := range r.Candidates[i].Content.Parts {
			b.WriteString(part.Text.Or(""))
			if call := part.FunctionCall; call != nil {
				b.WriteString(call.Name + asText(call.Args))
			}
		}
	}
	return b.String()
}

func shownByChat(r *llmcohere.ChatResponse) string {
	var b strings.Builder
	for _, block := range r.Message.Content {
		b.WriteString(block.Thinking.Or("") + block.Text.Or(""))
	}
	for _, call := range r.Message.ToolCalls {
		b.WriteString(call.Function.Name.Or("") + call.Function.Arguments.Or(""))
	}
	return b.String()
}

func shownByTurn(e llmcohere.Event) string {
	if call, ok := e.AsToolCall(); ok {
		f := call.Delta.Message.ToolCalls.Function
		return f.Name.Or("") + f.Arguments.Or("")
	}
	if delta, ok := e.AsContentDelta(); ok {
		return delta.Delta.Message.Content.Thinking.Or("") + delta.Delta.Message.Content.Text.Or("")
	}
	return ""
}

// asText is JSON as the servers of the scripts write it.
func asText(v map[string]json.RawMessage) string {
	text, err := json.Marshal(v)
	if err != nil {
		return err.Error()
	}
	return string(text)
}
