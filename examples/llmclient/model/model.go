// Package model holds one interface for language models, and two providers behind it whose APIs have nothing in common: chat completions, which
// most providers copy from OpenAI, and Anthropic's Messages. Each has a generated client, and an adapter that is written by hand; the wrapper
// around them is generated too, and has all the policies.
//
// Read in this order: model.go, prompt.go, chat.go, messages.go, model_resilient.gen.go; then inner.yaml, which takes the policies out of the
// clients.
package model

import (
	"context"
	"iter"
)

//go:generate go run ../../../cmd/resgen generate --spec ../../../testdata/specs/llmchat/spec.yaml --policy inner.yaml --out chat --package chat
//go:generate go run ../../../cmd/resgen generate --spec ../../../testdata/specs/llmmessages/spec.yaml --policy inner.yaml --out messages --package messages
//go:generate go run ../../../cmd/resgen generate --iface Model

// Model is a language model, whoever runs it. The directives say what is done when it is slow, wrong or gone.
//
//resgen:class generate total=30s attempt=6s first-item=4s item-gap=3s max-stream=5m
//resgen:timeout generate
//resgen:retry attempts=2 backoff.base=100ms backoff.max=2s respect-retry-after.max=5s
//resgen:budget ratio=10% min-per-second=1
//resgen:breaker scope=target window.calls=100 window.age=60s min-calls=20 failure-rate=50% consecutive=5 open-for=5s open-max=15s probes=2 close-after=2
//resgen:target second
type Model interface {
	// Generate answers a conversation.
	//
	//resgen:safe
	//resgen:hedgeable false
	//resgen:fallback name=second target=second when=any
	//resgen:fallback name=passages func=passages when=any
	//resgen:fallback name=apology static=apology when=any
	Generate(ctx context.Context, p *Prompt) (*Answer, error)

	// Stream answers it piece by piece. Every piece shows something.
	//
	//resgen:safe
	//resgen:fallback name=second target=second when=any
	//resgen:fallback name=passages func=streamPassages when=any
	Stream(ctx context.Context, p *Prompt) iter.Seq2[Chunk, error]
}
