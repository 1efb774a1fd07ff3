// Command vectordb is a complete program on a wrapped Go interface: a VectorStore over a client of Chroma, with a full-text index below it. It
// starts an embedded server, takes away one thing after the other, and prints what the user saw of each search; with --chroma URL it searches
// in a real Chroma, once a second, which you may stop and start as you like.
//
// Read in this order: store.go, remote.go, vector_store_resilient.gen.go, main.go, walk.go; then the document of the client in
// testdata/specs/chroma.
package main

//go:generate go run ../../cmd/resgen generate --config ../../testdata/specs/chroma/options.yaml

import (
	"context"
	"flag"
	"fmt"
	"io"
	"net/http/httptest"
	"os"
	"os/signal"
	"time"

	"github.com/resgen-go/resgen/examples/vectordb/chroma"
	"github.com/resgen-go/resgen/examples/vectordb/server"
	"github.com/resgen-go/resgen/runtime"
	"github.com/resgen-go/resgen/runtime/cache"
)

func main() {
	url := flag.String("chroma", "", "the address of a Chroma server, such as http://127.0.0.1:8000; without it one is embedded")
	every := flag.Duration("every", time.Second, "how long to wait between two searches of a real Chroma")
	times := flag.Int("times", 0, "how often to search in a real Chroma; 0 is until the program is interrupted")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Stdout, *url, *every, *times); err != nil {
		fmt.Fprintln(os.Stderr, "vectordb:", err)
		os.Exit(1) //nolint:gocritic // the deferred stop only undoes the signal handler
	}
}

// run makes the store over a real Chroma, or over an embedded one, and searches.
func run(ctx context.Context, out io.Writer, url string, every time.Duration, times int) error {
	index, err := newKeywords()
	if err != nil {
		return err
	}
	defer index.Close() //nolint:errcheck // it is in memory
	if err := index.Add(documents); err != nil {
		return err
	}
	embedded, ranks := new(server.Server), new(overlap)
	isReal := url != ""
	if !isReal {
		s := httptest.NewServer(embedded)
		defer s.Close()
		defer embedded.SetFault(server.None)
		url = s.URL
	}
	client, err := chroma.New(chroma.WithBaseURL(url)) //nolint:contextcheck // it dials nothing
	if err != nil {
		return fmt.Errorf("make the client: %w", err)
	}
	defer client.CloseIdleConnections()
	store, err := newStore(client, index, ranks) //nolint:contextcheck // it calls nothing
	if err != nil {
		return err
	}
	lib := &library{store: store}
	if isReal {
		return watch(ctx, out, lib, every, times)
	}
	return walk(ctx, out, lib, &world{server: embedded, index: index, ranks: ranks})
}

// newStore wraps the store over Chroma with all its rungs.
func newStore(client *chroma.Client, index *keywords, ranks ranker) (*ResilientVectorStore, error) {
	store, err := NewResilientVectorStore(
		&remote{client: client, name: "help", ranker: ranks},
		WithVectorStoreRuntime(runtime.WithStore(cache.New(cache.Config{}))),
		WithVectorStoreKeywordSearch(index.Search),
		WithVectorStoreRefusal(refusal),
		WithVectorStoreBySimilarity(bySimilarity),
	)
	if err != nil {
		return nil, fmt.Errorf("wrap the store: %w", err)
	}
	return store, nil
}
