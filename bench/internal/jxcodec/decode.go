package jxcodec

import (
	"github.com/go-faster/jx"

	"github.com/resgen-go/resgen/bench/internal/payload"
)

// set stores what read returns.
func set[T any](to *T, read func() (T, error)) (err error) {
	*to, err = read()
	return err
}

func strOrNull(d *jx.Decoder, to **string) error {
	if d.Next() == jx.Null {
		return d.Null()
	}
	s, err := d.Str()
	if err != nil {
		return err
	}
	*to = &s
	return nil
}

// vector reads a list of numbers by read.
func vector[F float32 | float64](d *jx.Decoder, to *[]F, hint int, read func() (F, error)) error {
	out := make([]F, 0, hint)
	items, err := d.ArrIter()
	if err != nil {
		return err
	}
	for items.Next() {
		f, err := read()
		if err != nil {
			return err
		}
		out = append(out, f)
	}
	*to = out
	return items.Err()
}

// Chat reads a chat completion.
func Chat(d *jx.Decoder, v *payload.ChatCompletion) error {
	return d.ObjBytes(func(d *jx.Decoder, key []byte) error {
		switch string(key) {
		case "id":
			return set(&v.ID, d.Str)
		case "object":
			return set(&v.Object, d.Str)
		case "created":
			return set(&v.Created, d.Int64)
		case "model":
			return set(&v.Model, d.Str)
		case "choices":
			return d.Arr(func(d *jx.Decoder) error {
				v.Choices = append(v.Choices, payload.Choice{})
				return choice(d, &v.Choices[len(v.Choices)-1])
			})
		case "usage":
			return usage(d, &v.Usage)
		case "service_tier":
			return set(&v.ServiceTier, d.Str)
		case "system_fingerprint":
			return set(&v.SystemFingerprint, d.Str)
		}
		return d.Skip()
	})
}

func choice(d *jx.Decoder, v *payload.Choice) error {
	return d.ObjBytes(func(d *jx.Decoder, key []byte) error {
		switch string(key) {
		case "index":
			return set(&v.Index, d.Int64)
		case "message":
			return answer(d, &v.Message)
		case "finish_reason":
			return set(&v.FinishReason, d.Str)
		}
		return d.Skip()
	})
}

func answer(d *jx.Decoder, v *payload.Answer) error {
	return d.ObjBytes(func(d *jx.Decoder, key []byte) error {
		switch string(key) {
		case "role":
			return set(&v.Role, d.Str)
		case "content":
			return strOrNull(d, &v.Content)
		case "refusal":
			return strOrNull(d, &v.Refusal)
		case "tool_calls":
			return toolCalls(d, &v.ToolCalls)
		}
		return d.Skip()
	})
}

func toolCalls(d *jx.Decoder, v *[]payload.ToolCall) error {
	return d.Arr(func(d *jx.Decoder) error {
		*v = append(*v, payload.ToolCall{})
		call := &(*v)[len(*v)-1]
		return d.ObjBytes(func(d *jx.Decoder, key []byte) error {
			switch string(key) {
			case "id":
				return set(&call.ID, d.Str)
			case "type":
				return set(&call.Type, d.Str)
			case "function":
				return d.ObjBytes(func(d *jx.Decoder, key []byte) error {
					switch string(key) {
					case "name":
						return set(&call.Function.Name, d.Str)
					case "arguments":
						return set(&call.Function.Arguments, d.Str)
					}
					return d.Skip()
				})
			}
			return d.Skip()
		})
	})
}

func usage(d *jx.Decoder, to **payload.Usage) error {
	if d.Next() == jx.Null {
		return d.Null()
	}
	v := new(payload.Usage)
	*to = v
	return d.ObjBytes(func(d *jx.Decoder, key []byte) error {
		switch string(key) {
		case "prompt_tokens":
			return set(&v.PromptTokens, d.Int64)
		case "completion_tokens":
			return set(&v.CompletionTokens, d.Int64)
		case "total_tokens":
			return set(&v.TotalTokens, d.Int64)
		case "prompt_tokens_details":
			v.PromptTokensDetails = new(payload.PromptDetails)
			return promptDetails(d, v.PromptTokensDetails)
		case "completion_tokens_details":
			v.CompletionTokensDetails = new(payload.CompletionDetails)
			return completionDetails(d, v.CompletionTokensDetails)
		}
		return d.Skip()
	})
}

func promptDetails(d *jx.Decoder, v *payload.PromptDetails) error {
	return d.ObjBytes(func(d *jx.Decoder, key []byte) error {
		switch string(key) {
		case "cached_tokens":
			return set(&v.CachedTokens, d.Int64)
		case "audio_tokens":
			return set(&v.AudioTokens, d.Int64)
		}
		return d.Skip()
	})
}

func completionDetails(d *jx.Decoder, v *payload.CompletionDetails) error {
	return d.ObjBytes(func(d *jx.Decoder, key []byte) error {
		switch string(key) {
		case "reasoning_tokens":
			return set(&v.ReasoningTokens, d.Int64)
		case "audio_tokens":
			return set(&v.AudioTokens, d.Int64)
		case "accepted_prediction_tokens":
			return set(&v.AcceptedPredictionTokens, d.Int64)
		case "rejected_prediction_tokens":
			return set(&v.RejectedPredictionTokens, d.Int64)
		}
		return d.Skip()
	})
}
