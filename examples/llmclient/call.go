package main

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/resgen-go/resgen/examples/llmclient/llm"
	"github.com/resgen-go/resgen/runtime"
)

// as says who asks: the semantic cache keeps what it was told for each user of each tenant, and nothing where it is not told whose it is.
func as(ctx context.Context, user string) context.Context {
	if user == "" {
		user = "ada"
	}
	return runtime.WithSubject(runtime.WithTenant(ctx, "acme"), user)
}

// ask makes one call and notes what the user saw.
func ask(ctx context.Context, client *llm.Client, question string) seen {
	started := time.Now()
	res, err := client.CreateChatCompletion(ctx, request(question))
	if err != nil {
		return seen{took: time.Since(started), text: "error: " + err.Error()}
	}
	saw := sawOf(&res, started)
	for _, choice := range res.Value.Choices {
		saw.text += choice.Message.Content
	}
	return saw
}

// listen makes one streamed call and notes what the user saw: the items until the end, or until the stream broke.
func listen(ctx context.Context, client *llm.Client, question string) seen {
	started := time.Now()
	res, err := client.CreateChatCompletionStream(ctx, request(question))
	if err != nil {
		return seen{took: time.Since(started), text: "error: " + err.Error()}
	}
	var text strings.Builder
	for chunk, err := range res.Value.All() {
		if err != nil {
			fmt.Fprintf(&text, " ... broken off (%s)", runtime.KindOf(err))
			break
		}
		for _, choice := range chunk.Choices {
			text.WriteString(choice.Delta.Content.Or(""))
		}
	}
	saw := sawOf(&res, started)
	saw.text = text.String()
	return saw
}

// sawOf is what a result says of its answer: by which rung it came, how good and how old it is, and why.
func sawOf[T any](res *runtime.Result[T], started time.Time) seen {
	return seen{
		rung: res.Rung, level: res.Level.String(), reason: res.Reason.String(), attempts: res.Attempts, age: res.Age, alike: res.Similarity, took: time.Since(started),
	}
}

func request(question string) *llm.ChatRequest {
	return &llm.ChatRequest{Model: "large", Messages: []llm.ChatMessage{{Role: llm.RoleUser, Content: question}}}
}
