// Command twoshapes asks one Go interface that two APIs stand behind: chat completions first, Anthropic's Messages second. It starts a provider
// of each, breaks them in the ways that real ones break, and prints what the user saw.
//
// Read in this order: ../model/model.go and what that names, then main.go and walk.go.
package main

import (
	"context"
	"fmt"
	"net/http/httptest"
	"os"
	"os/signal"

	"github.com/resgen-go/resgen/examples/llmclient/model"
	"github.com/resgen-go/resgen/examples/llmclient/model/chat"
	"github.com/resgen-go/resgen/examples/llmclient/model/messages"
	"github.com/resgen-go/resgen/runtime"
	"github.com/resgen-go/resgen/testdata/providers"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx); err != nil {
		fmt.Fprintln(os.Stderr, "twoshapes:", err)
		os.Exit(1) //nolint:gocritic // the deferred stop only undoes the signal handler
	}
}

// run starts the providers, wraps the models, and walks.
func run(ctx context.Context) error {
	first, err := providers.New("chat")
	if err != nil {
		return fmt.Errorf("the first provider: %w", err)
	}
	second, err := providers.New("messages")
	if err != nil {
		return fmt.Errorf("the second provider: %w", err)
	}
	atFirst, atSecond := httptest.NewServer(first), httptest.NewServer(second)
	defer atFirst.Close()
	defer atSecond.Close()
	m, err := newModel([]runtime.Option{runtime.WithBaseURL(atFirst.URL)}, []runtime.Option{runtime.WithBaseURL(atSecond.URL)}) //nolint:contextcheck // it dials nothing
	if err != nil {
		return err
	}
	return walk(ctx, os.Stdout, m, first, second)
}

// passages are what the service knows by itself.
func passages() model.Passages {
	return model.Passages{"refund": "Refunds are paid within 14 days to the card that was charged."}
}

// newModel wires the two models, and what answers when neither does. The options say where each is.
func newModel(toFirst, toSecond []runtime.Option) (model.Model, error) {
	first := append(make([]chat.Option, 0, 1+len(toFirst)), chat.WithBearer("key-of-the-first"))
	for _, o := range toFirst {
		first = append(first, o)
	}
	second := append(make([]messages.Option, 0, 1+len(toSecond)), messages.WithAPIKey("key-of-the-second"))
	for _, o := range toSecond {
		second = append(second, o)
	}
	speaksChat, err := chat.New(first...)
	if err != nil {
		return nil, fmt.Errorf("the first client: %w", err)
	}
	speaksMessages, err := messages.New(second...)
	if err != nil {
		return nil, fmt.Errorf("the second client: %w", err)
	}
	known := passages()
	m, err := model.NewResilientModel(&model.Chat{Client: speaksChat, Model: "large"},
		model.WithModelTarget("second", &model.Messages{Client: speaksMessages, Model: "large-too"}),
		model.WithModelPassages(known.Generate),
		model.WithModelStreamPassages(known.Stream),
		model.WithModelApology(model.Apology()),
	)
	if err != nil {
		return nil, fmt.Errorf("wrap the models: %w", err)
	}
	return m, nil
}
