// Command llmclient is a complete program on a generated client: it starts two embedded providers, breaks them one by one, walks
// down the client's fallback ladder and back up, and prints call by call what the user saw. With --base-url a real server answers behind them.
//
// Read in this order: main.go, walk.go, call.go, passages.go, embed.go, table.go, upstream.go, status.go; then the generated client in llm, and its document in
// testdata/specs/llm. README.md says what to try.
package main

//go:generate go run ../../cmd/resgen generate --spec ../../testdata/specs/llm/spec.yaml --out llm --package llm

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/signal"

	"github.com/resgen-go/resgen/examples/llmclient/llm"
	"github.com/resgen-go/resgen/examples/llmclient/provider"
	"github.com/resgen-go/resgen/runtime/cache"
	"github.com/resgen-go/resgen/runtime/semantic"
)

// keyVariable holds the key of the real server.
const keyVariable = "OPENAI_API_KEY"

func main() {
	var s server
	flag.StringVar(&s.url, "base-url", "", "an OpenAI-compatible server that answers, such as https://api.openai.com/v1; its key is in $"+keyVariable)
	flag.StringVar(&s.model, "model", "", "what the large model is called there; as in the document if empty")
	flag.StringVar(&s.small, "small-model", "", "what the small model is called there; as --model if empty")
	flag.StringVar(&s.status, "status", "", "where the status page and metrics are served, such as :9090, until the program is interrupted; without a host on 127.0.0.1")
	flag.Parse()
	s.key = os.Getenv(keyVariable)
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Stdout, &s); err != nil {
		fmt.Fprintln(os.Stderr, "llmclient:", err)
		os.Exit(1) //nolint:gocritic // the deferred stop only undoes the signal handler
	}
}

// server is the real server that answers; without a url there is none. status is where the client's status is served; empty is nowhere.
type server struct{ url, key, model, small, status string }

// run starts the providers, makes the client, and walks.
func run(ctx context.Context, out io.Writer, s *server) error {
	primary, secondary := &provider.Provider{Name: "primary"}, &provider.Provider{Name: "secondary"}
	if s.url != "" {
		small := s.small
		if small == "" {
			small = s.model
		}
		behind, err := upstream(s.url, map[string]string{"large": s.model, "small-fast": small})
		if err != nil {
			return err
		}
		primary.Upstream, secondary.Upstream = behind, behind
	}
	first, second := serve(primary), serve(secondary)
	defer first.Close()
	defer second.Close()
	options := []llm.Option{
		llm.WithBaseURL(first.URL), llm.WithBearer(s.key),
		llm.WithTarget("secondary", llm.WithBaseURL(second.URL), llm.WithBearer(s.key)),
	}
	if s.status == "" {
		return walkWith(ctx, out, options, primary, secondary)
	}
	return walkWatched(ctx, out, s.status, options, primary, secondary)
}

// walkWith walks with a client of these options.
func walkWith(ctx context.Context, out io.Writer, options []llm.Option, primary, secondary *provider.Provider) error {
	client, err := newClient(options...) //nolint:contextcheck // it dials nothing
	if err != nil {
		return err
	}
	defer client.CloseIdleConnections()
	return walk(ctx, out, client, primary, secondary)
}

// walkWatched walks while the client's status is served at the address, and goes on serving it until the context ends.
func walkWatched(ctx context.Context, out io.Writer, address string, options []llm.Option, primary, secondary *provider.Provider) error {
	shown, err := newBoard()
	if err != nil {
		return err
	}
	stop, err := shown.serve(ctx, out, address)
	if err != nil {
		return err
	}
	err = walkWith(ctx, out, append(options, shown.options...), primary, secondary)
	if err == nil {
		_, err = fmt.Fprintln(out, "\nThe status page stays until you interrupt the program.")
		<-ctx.Done()
	}
	return errors.Join(err, stop())
}

// newClient makes the client with all that its rungs need; the options say where its targets are.
func newClient(opts ...llm.Option) (*llm.Client, error) {
	client, err := llm.New(append(opts,
		llm.WithStore(cache.New(cache.Config{})),
		llm.WithEmbedder("byWords", embedder()),
		llm.WithSemanticStore(semantic.New(semantic.Config{})),
		llm.WithSearchPassages(searchPassages),
		llm.WithSearchPassagesStream(streamPassages),
	)...)
	if err != nil {
		return nil, fmt.Errorf("make the client: %w", err)
	}
	return client, nil
}

// serve runs a provider on the loopback interface.
func serve(p *provider.Provider) *httptest.Server {
	return httptest.NewServer(http.Handler(p))
}
