package runtime

import (
	"encoding/json"
	"strings"
)

// completion is what an answer of a language model says of its end, as OpenAI writes it: the choices of a chat completion, or the status
// and the items of a response.
type completion struct {
	Choices []struct {
		FinishReason *string `json:"finish_reason"`
	} `json:"choices"`
	Object string `json:"object"`
	Status string `json:"status"`
	Output []struct {
		Type string `json:"type"`
	} `json:"output"`
}

// isNormal reports whether an answer is what was asked for, as far as the operation's preset can tell: an answer of a model that was cut at its
// length or filtered, or that wants a tool to be called, is right once, for the one who asked.
func isNormal(preset string, body []byte) bool {
	if preset != "openai" {
		return true
	}
	var c completion
	if json.Unmarshal(body, &c) != nil {
		return true // no completion
	}
	for _, choice := range c.Choices {
		if choice.FinishReason != nil && *choice.FinishReason != "stop" {
			return false
		}
	}
	for _, item := range c.Output {
		if strings.HasSuffix(item.Type, "_call") {
			return false
		}
	}
	return c.Object != "response" || c.Status == "completed"
}
