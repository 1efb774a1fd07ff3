package model

import (
	"context"
	"errors"
	"iter"
	"strings"
)

// Passages answer without a model: they are what the service knows by itself, by the word that asks for them.
type Passages map[string]string

// ErrNoPassage is that no passage fits the question.
var ErrNoPassage = errors.New("no passage fits the question")

// Generate is the rung "passages": it fails where no passage fits, and the call goes on to the next rung.
func (s Passages) Generate(_ context.Context, p *Prompt) (*Answer, error) {
	question := strings.ToLower(p.question())
	for word, text := range s {
		if strings.Contains(question, word) {
			return &Answer{Text: text}, nil
		}
	}
	return nil, ErrNoPassage
}

// Stream is the same rung of Stream: the passage as one piece.
func (s Passages) Stream(ctx context.Context, p *Prompt) iter.Seq2[Chunk, error] {
	return func(yield func(Chunk, error) bool) {
		answer, err := s.Generate(ctx, p)
		if err != nil {
			yield(Chunk{}, err)
			return
		}
		yield(Chunk{Text: answer.Text}, nil)
	}
}

// Apology is the value of the rung "apology".
func Apology() *Answer {
	return &Answer{Text: "I cannot answer right now."}
}
