package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"github.com/resgen-go/resgen/examples/llmclient/llm"
	"github.com/resgen-go/resgen/runtime"
	"github.com/resgen-go/resgen/runtime/promobserver"
	"github.com/resgen-go/resgen/runtime/status"
)

// board is what shows what the client does: the status page, its JSON, the endpoints of health, and metrics for Prometheus.
type board struct {
	options []llm.Option
	handler http.Handler
}

// newBoard makes a board for the client that is made with its options.
func newBoard() (*board, error) {
	group := runtime.NewGroup()
	page, metrics, registry := status.New(group), promobserver.New(group), prometheus.NewRegistry()
	page.Title = "llmclient"
	if err := registry.Register(metrics); err != nil {
		return nil, fmt.Errorf("register the metrics: %w", err)
	}
	mux := page.Mux()
	mux.Handle("/metrics", promhttp.HandlerFor(registry, promhttp.HandlerOpts{}))
	return &board{
		options: []llm.Option{llm.WithGroup(group), llm.WithObserver(runtime.Observers(page.Observer(), metrics))},
		handler: mux,
	}, nil
}

// serve serves the board at the address, and says where, until the returned function is called.
func (b *board) serve(ctx context.Context, out io.Writer, address string) (stop func() error, err error) {
	address, err = loopback(address)
	if err != nil {
		return nil, err
	}
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", address)
	if err != nil {
		return nil, fmt.Errorf("serve the status page: %w", err)
	}
	server := &http.Server{Handler: b.handler, ReadHeaderTimeout: time.Second}
	served := make(chan error, 1)
	go func() { served <- server.Serve(listener) }()
	stop = func() error {
		err := server.Close()
		if ended := <-served; !errors.Is(ended, http.ErrServerClosed) {
			err = errors.Join(err, ended)
		}
		if err != nil {
			return fmt.Errorf("serve the status page: %w", err)
		}
		return nil
	}
	if _, err := fmt.Fprintf(out, "http://%s/status shows what follows, http://%[1]s/metrics counts it\n\n", listener.Addr()); err != nil {
		return nil, errors.Join(fmt.Errorf("print the address: %w", err), stop())
	}
	return stop, nil
}

// loopback returns an address as net.Listen has it; one without a host is of this machine alone, since names of what is called are on the page.
func loopback(address string) (string, error) {
	host, port, err := net.SplitHostPort(address)
	if err != nil {
		return "", fmt.Errorf("--status: %w", err)
	}
	if host == "" {
		host = "127.0.0.1"
	}
	return net.JoinHostPort(host, port), nil
}
