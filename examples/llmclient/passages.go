package main

import (
	"context"
	"errors"
	"strings"

	"github.com/resgen-go/resgen/examples/llmclient/llm"
	"github.com/resgen-go/resgen/runtime"
	"github.com/resgen-go/resgen/runtime/wire"
)

// passages are what the service knows by itself, by the word that asks for them.
var passages = []struct{ word, text string }{
	{"refund", "Refunds are paid within 14 days to the card that was charged."},
	{"invoice", "Invoices are under Account, Billing; they can be downloaded as PDF."},
	{"password", "A password is changed under Account, Security; the old one is not needed."},
}

var errNoPassage = errors.New("no passage fits the question")

// searchPassages is the rung "passages": it answers with the service's own texts when no model can. It fails where none fits, and
// the call goes on to the next rung.
func searchPassages(_ context.Context, req *llm.ChatRequest) (*llm.ChatCompletion, error) {
	question := ""
	if n := len(req.Messages); n > 0 {
		question = strings.ToLower(req.Messages[n-1].Content)
	}
	for _, p := range passages {
		if strings.Contains(question, p.word) {
			return &llm.ChatCompletion{
				ID:      "passage",
				Model:   "none",
				Choices: []llm.ChatChoice{{Message: llm.ChatMessage{Role: llm.RoleAssistant, Content: p.text}}},
			}, nil
		}
	}
	return nil, errNoPassage
}

// streamPassages is the same rung of the streamed form: the passage as a stream of one item.
func streamPassages(ctx context.Context, req *llm.ChatRequest) (*runtime.Stream[llm.ChatChunk], error) {
	answer, err := searchPassages(ctx, req)
	if err != nil {
		return nil, err
	}
	text := answer.Choices[0].Message.Content
	return runtime.StreamOf(llm.ChatChunk{
		ID:      answer.ID,
		Choices: []llm.ChatChunkChoicesItem{{Delta: llm.ChatChunkChoicesItemDelta{Content: wire.SomeNotNull(text)}}},
	}), nil
}
