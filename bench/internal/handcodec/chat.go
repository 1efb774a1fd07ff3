package handcodec

import (
	"unicode/utf8"
	"unsafe"

	"github.com/resgen-go/resgen/bench/internal/payload"
)

// whole returns a cursor whose strings are cut from one copy of the text; from the text itself if the caller gives it away.
func whole(b []byte, given bool) (*cursor, error) {
	if !utf8.Valid(b) {
		return nil, ErrSyntax
	}
	if given {
		return &cursor{b: b, s: unsafe.String(unsafe.SliceData(b), len(b))}, nil
	}
	return &cursor{b: b, s: string(b)}, nil
}

// Chat reads a chat completion. Where given is true, its strings lie in b.
func Chat(b []byte, v *payload.ChatCompletion, given bool) error {
	c, err := whole(b, given)
	if err != nil {
		return err
	}
	for ok := c.open('{', '}'); ok; ok = c.more('}') {
		switch string(c.key()) {
		case "id":
			v.ID = c.str()
		case "object":
			v.Object = c.str()
		case "created":
			v.Created = c.integer()
		case "model":
			v.Model = c.str()
		case "choices":
			for ok := c.open('[', ']'); ok; ok = c.more(']') {
				v.Choices = append(v.Choices, payload.Choice{})
				c.choice(&v.Choices[len(v.Choices)-1])
			}
		case "usage":
			v.Usage = c.usage()
		case "service_tier":
			v.ServiceTier = c.str()
		case "system_fingerprint":
			v.SystemFingerprint = c.str()
		default:
			c.skip()
		}
	}
	return c.err()
}

func (c *cursor) choice(v *payload.Choice) {
	for ok := c.open('{', '}'); ok; ok = c.more('}') {
		switch string(c.key()) {
		case "index":
			v.Index = c.integer()
		case "message":
			c.answer(&v.Message)
		case "finish_reason":
			v.FinishReason = c.str()
		default:
			c.skip()
		}
	}
}

func (c *cursor) answer(v *payload.Answer) {
	for ok := c.open('{', '}'); ok; ok = c.more('}') {
		switch string(c.key()) {
		case "role":
			v.Role = c.str()
		case "content":
			v.Content = c.strOrNull()
		case "refusal":
			v.Refusal = c.strOrNull()
		case "tool_calls":
			for ok := c.open('[', ']'); ok; ok = c.more(']') {
				v.ToolCalls = append(v.ToolCalls, payload.ToolCall{})
				c.toolCall(&v.ToolCalls[len(v.ToolCalls)-1])
			}
		default:
			c.skip()
		}
	}
}

func (c *cursor) toolCall(v *payload.ToolCall) {
	for ok := c.open('{', '}'); ok; ok = c.more('}') {
		switch string(c.key()) {
		case "id":
			v.ID = c.str()
		case "type":
			v.Type = c.str()
		case "function":
			for ok := c.open('{', '}'); ok; ok = c.more('}') {
				switch string(c.key()) {
				case "name":
					v.Function.Name = c.str()
				case "arguments":
					v.Function.Arguments = c.str()
				default:
					c.skip()
				}
			}
		default:
			c.skip()
		}
	}
}

func (c *cursor) usage() *payload.Usage {
	if c.null() {
		return nil
	}
	v := new(payload.Usage)
	for ok := c.open('{', '}'); ok; ok = c.more('}') {
		switch string(c.key()) {
		case "prompt_tokens":
			v.PromptTokens = c.integer()
		case "completion_tokens":
			v.CompletionTokens = c.integer()
		case "total_tokens":
			v.TotalTokens = c.integer()
		case "prompt_tokens_details":
			v.PromptTokensDetails = c.promptDetails()
		case "completion_tokens_details":
			v.CompletionTokensDetails = c.completionDetails()
		default:
			c.skip()
		}
	}
	return v
}

func (c *cursor) promptDetails() *payload.PromptDetails {
	v := new(payload.PromptDetails)
	for ok := c.open('{', '}'); ok; ok = c.more('}') {
		switch string(c.key()) {
		case "cached_tokens":
			v.CachedTokens = c.integer()
		case "audio_tokens":
			v.AudioTokens = c.integer()
		default:
			c.skip()
		}
	}
	return v
}

func (c *cursor) completionDetails() *payload.CompletionDetails {
	v := new(payload.CompletionDetails)
	for ok := c.open('{', '}'); ok; ok = c.more('}') {
		switch string(c.key()) {
		case "reasoning_tokens":
			v.ReasoningTokens = c.integer()
		case "audio_tokens":
			v.AudioTokens = c.integer()
		case "accepted_prediction_tokens":
			v.AcceptedPredictionTokens = c.integer()
		case "rejected_prediction_tokens":
			v.RejectedPredictionTokens = c.integer()
		default:
			c.skip()
		}
	}
	return v
}

// Chunk reads an item of a streamed completion.
func Chunk(b []byte, v *payload.ChatChunk) error {
	c, err := whole(b, false)
	if err != nil {
		return err
	}
	for ok := c.open('{', '}'); ok; ok = c.more('}') {
		switch string(c.key()) {
		case "id":
			v.ID = c.str()
		case "object":
			v.Object = c.str()
		case "created":
			v.Created = c.integer()
		case "model":
			v.Model = c.str()
		case "choices":
			for ok := c.open('[', ']'); ok; ok = c.more(']') {
				v.Choices = append(v.Choices, payload.ChunkChoice{})
				c.chunkChoice(&v.Choices[len(v.Choices)-1])
			}
		case "usage":
			v.Usage = c.usage()
		case "service_tier":
			v.ServiceTier = c.str()
		case "system_fingerprint":
			v.SystemFingerprint = c.str()
		default:
			c.skip()
		}
	}
	return c.err()
}

func (c *cursor) chunkChoice(v *payload.ChunkChoice) {
	for ok := c.open('{', '}'); ok; ok = c.more('}') {
		switch string(c.key()) {
		case "index":
			v.Index = c.integer()
		case "delta":
			c.delta(&v.Delta)
		case "finish_reason":
			v.FinishReason = c.strOrNull()
		default:
			c.skip()
		}
	}
}

func (c *cursor) delta(v *payload.Delta) {
	for ok := c.open('{', '}'); ok; ok = c.more('}') {
		switch string(c.key()) {
		case "role":
			v.Role = c.str()
		case "content":
			v.Content = c.strOrNull()
		case "refusal":
			v.Refusal = c.strOrNull()
		default:
			c.skip()
		}
	}
}
