package main

import (
	"bytes"
	"context"
	"errors"
	"net"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/google/go-cmp/cmp"

	"github.com/resgen-go/resgen/examples/llmclient/llm"
	"github.com/resgen-go/resgen/examples/llmclient/provider"
	"github.com/resgen-go/resgen/runtime"
	"github.com/resgen-go/resgen/runtime/wire"
)

// TestWalk plays the whole walk in virtual time, over connections in memory, and checks which rung answered each call.
func TestWalk(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		primary, secondary := &provider.Provider{Name: "primary"}, &provider.Provider{Name: "secondary"}
		client, err := newClient(
			llm.WithBaseURL("http://primary.test/v1"), llm.WithHTTPClient(connect(t, primary)),
			llm.WithTarget("secondary", llm.WithBaseURL("http://secondary.test/v1"), llm.WithHTTPClient(connect(t, secondary))),
		)
		if err != nil {
			t.Fatal(err)
		}
		var out bytes.Buffer
		if err := walk(t.Context(), &out, client, primary, secondary); err != nil {
			t.Fatal(err)
		}
		want := []string{
			"all is well: - equal", "all is well: - equal", "all is well: - equal",
			"one 503: - equal", "one 429, Retry-After: 1: - equal", "one 429 without a word: - equal",
			"one answer of broken JSON: - equal", "one answer cut in the middle: - equal", "primary hangs once: - equal",
			"primary is down: eu alternate", "all is well: - equal", "large model and secondary down: small reduced",
			"stream: all is well: - equal", "stream: primary is down: eu alternate", "stream: all is well: - equal",
			"stream: large model and secondary down: small reduced", "stream: stalls before the first token: - equal",
			"stream: stalls in the middle: - equal", "stream: is cut in the middle: - equal",
			"everything is down: remembered stale", "everything is down, in other words: remembered stale", "the same, from another user: passages reduced",
			"everything is down: passages reduced", "everything is down: passages reduced",
			"everything is down: sorry canned", "everything is down: sorry canned",
			"stream: everything is down: remembered stale", "stream: everything is down: passages reduced",
			"stream: everything is down: sorry canned",
			"all is well again: - equal", "all is well again: - equal", "all is well again: - equal",
		}
		if diff := cmp.Diff(want, rungs(out.String())); diff != "" {
			t.Errorf("rungs that answered (-want +got):\n%s\n%s", diff, &out)
		}
	})
}

// TestAWrongRequestIsNotAnswered makes a request that cannot be sent while everything is down: no rung answers it.
func TestAWrongRequestIsNotAnswered(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		p := &provider.Provider{}
		p.SetFaults(always(provider.Unavailable)...)
		client, err := newClient(llm.WithBaseURL("http://primary.test/v1"), llm.WithHTTPClient(connect(t, p)))
		if err != nil {
			t.Fatal(err)
		}
		for range 3 { // the breakers of both targets open
			if got := ask(t.Context(), client, "Is it you?"); got.rung != "sorry" {
				t.Fatalf("got %+v, want the last rung", got)
			}
		}
		got, err := client.CreateChatCompletion(t.Context(), nil)
		if !errors.Is(err, runtime.ErrCaller) || !errors.Is(err, wire.ErrNilRequest) {
			t.Errorf("got %+v, %v; want an error of the caller's", got, err)
		}
	})
}

// rungs reads the world, the rung and the level of each row.
func rungs(table string) []string {
	const title = 40
	var got []string
	for i, line := range strings.Split(strings.TrimSpace(table), "\n") {
		if i > 0 {
			got = append(got, strings.TrimSpace(line[:title])+": "+strings.Join(strings.Fields(line[title:])[:2], " "))
		}
	}
	return got
}

// connect serves a provider on connections in memory and returns a client that reaches nothing else.
func connect(t *testing.T, p *provider.Provider) *http.Client {
	t.Helper()
	l := &listener{conns: make(chan net.Conn), closed: make(chan struct{})}
	server := &http.Server{Handler: p}
	served := make(chan error, 1)
	go func() { served <- server.Serve(l) }()
	transport := &http.Transport{DialContext: l.dial}
	t.Cleanup(func() {
		transport.CloseIdleConnections()
		if err := server.Close(); err != nil {
			t.Error(err)
		}
		<-served
	})
	return &http.Client{Transport: transport}
}

// listener accepts what dial connects.
type listener struct {
	conns  chan net.Conn
	closed chan struct{}
}

func (l *listener) dial(ctx context.Context, _, _ string) (net.Conn, error) {
	ours, theirs := net.Pipe()
	select {
	case l.conns <- theirs:
		return ours, nil
	case <-l.closed:
		return nil, net.ErrClosed
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func (l *listener) Accept() (net.Conn, error) {
	select {
	case c := <-l.conns:
		return c, nil
	case <-l.closed:
		return nil, net.ErrClosed
	}
}

func (l *listener) Close() error {
	close(l.closed)
	return nil
}

func (*listener) Addr() net.Addr { return &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1)} }
