// Command llmclient is a complete program on a generated client: it starts two embedded providers, breaks them one by one, walks
// down the client's fallback ladder and back up, and prints call by call what the user saw.
//
// Read in this order: main.go, walk.go, passages.go, table.go; then the generated client in llm, and its document in
// testdata/specs/llm.
package main

//go:generate go run ../../cmd/resgen generate --spec ../../testdata/specs/llm/spec.yaml --out llm --package llm

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/signal"

	"github.com/resgen-go/resgen/examples/llmclient/llm"
	"github.com/resgen-go/resgen/examples/llmclient/provider"
	"github.com/resgen-go/resgen/runtime/cache"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx); err != nil {
		fmt.Fprintln(os.Stderr, "llmclient:", err)
		os.Exit(1) //nolint:gocritic // the deferred stop only undoes the signal handler
	}
}

// run starts the providers, makes the client, and walks.
func run(ctx context.Context) error {
	primary, secondary := &provider.Provider{Name: "primary"}, &provider.Provider{Name: "secondary"}
	first, second := serve(primary), serve(secondary)
	defer first.Close()
	defer second.Close()

	client, err := llm.New( //nolint:contextcheck // it dials nothing
		llm.WithBaseURL(first.URL+"/v1"),
		llm.WithBearer("key-of-the-primary"),
		llm.WithTarget("secondary", llm.WithBaseURL(second.URL+"/v1"), llm.WithBearer("key-of-the-secondary")),
		llm.WithStore(cache.New(cache.Config{})),
		llm.WithSearchPassages(searchPassages),
		llm.WithSearchPassagesStream(streamPassages),
	)
	if err != nil {
		return fmt.Errorf("make the client: %w", err)
	}
	return walk(ctx, os.Stdout, client, primary, secondary)
}

// serve runs a provider on the loopback interface.
func serve(p *provider.Provider) *httptest.Server {
	return httptest.NewServer(http.Handler(p))
}
