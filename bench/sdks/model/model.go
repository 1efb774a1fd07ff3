// Package model holds what an application asks of language models, as interfaces that are implemented with SDKs and wrapped.
package model

import (
	"context"
	"iter"
)

// OpenAI is a model behind OpenAI's API, or one like it.
//
//resgen:errors openai
//resgen:class generate total=3m attempt=60s first-item=20s item-gap=20s
//resgen:timeout generate
//resgen:use recommended
type OpenAI interface {
	// Complete answers at once. It has no effect but its price.
	//
	//resgen:safe
	Complete(ctx context.Context, prompt string) (string, error)
	// Stream answers piece by piece.
	//
	//resgen:safe
	Stream(ctx context.Context, prompt string) iter.Seq2[string, error]
}

// Anthropic is a model behind Anthropic's API.
//
//resgen:errors anthropic
//resgen:class generate total=3m attempt=60s first-item=20s item-gap=20s
//resgen:timeout generate
//resgen:use recommended
type Anthropic interface {
	// Complete answers at once. It has no effect but its price.
	//
	//resgen:safe
	Complete(ctx context.Context, prompt string) (string, error)
	// Stream answers piece by piece.
	//
	//resgen:safe
	Stream(ctx context.Context, prompt string) iter.Seq2[string, error]
}
