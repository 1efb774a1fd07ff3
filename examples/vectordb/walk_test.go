package main

import (
	"bytes"
	"context"
	"net"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/google/go-cmp/cmp"

	"github.com/resgen-go/resgen/examples/vectordb/chroma"
	"github.com/resgen-go/resgen/examples/vectordb/server"
)

// TestWalk plays the whole walk in virtual time, over connections in memory, and checks which rung answered each search, and which one ranked.
func TestWalk(t *testing.T) {
	t.Parallel()
	index, err := newKeywords() // with goroutines of its own, which are none of the walk's
	if err != nil {
		t.Fatal(err)
	}
	if err := index.Add(documents); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := index.Close(); err != nil {
			t.Error(err)
		}
	})
	synctest.Test(t, func(t *testing.T) {
		w := &world{server: new(server.Server), index: index, ranks: new(overlap)}
		client, err := chroma.New(chroma.WithBaseURL("http://chroma.test"), chroma.WithHTTPClient(connect(t, w.server)))
		if err != nil {
			t.Fatal(err)
		}
		store, err := newStore(client, index, w.ranks)
		if err != nil {
			t.Fatal(err)
		}
		var out bytes.Buffer
		if err := walk(t.Context(), &out, &library{store: store}, w); err != nil {
			t.Fatalf("%v\n%s", err, &out)
		}
		want := []string{
			"all is well: - equal, ranker", "all is well: - equal, ranker",
			"the ranker is down: - equal, similarity",
			"the ranker hangs: - equal, similarity", "the ranker hangs: - equal, similarity",
			"the ranker's breaker is open: - equal, similarity",
			"all is well: - equal, ranker",
			"the store answers 503: keywords reduced, ranker",
			"the store breaks connections: keywords reduced, ranker",
			"the store hangs: keywords reduced, ranker",
			"the store is down: keywords reduced, ranker", "the store is down: keywords reduced, ranker",
			"store and index are down: remembered stale, ranker",
			"the same, never asked before: refusal canned, -",
			"all is well again: - equal, ranker", "all is well again: - equal, ranker",
		}
		if diff := cmp.Diff(want, rungs(t, out.String())); diff != "" {
			t.Errorf("rungs that answered (-want +got):\n%s\n%s", diff, &out)
		}
		if strings.Contains(out.String(), "error:") {
			t.Errorf("a search failed:\n%s", &out)
		}
		w.server.SetFault(server.None)
		synctest.Wait()
	})
}

// rungs reads the world, the rung of the search, its level, and the rung of the ranking of each row.
func rungs(t *testing.T, text string) []string {
	t.Helper()
	text, _, _ = strings.Cut(text, "\n\n")
	lines := strings.Split(strings.TrimSpace(text), "\n")
	head := lines[0]
	column := func(line, name, next string) string {
		from, to := strings.Index(head, name), strings.Index(head, next)
		if from < 0 || to < 0 || len(line) < to {
			t.Fatalf("no column %q in %q", name, line)
		}
		return strings.TrimSpace(line[from:to])
	}
	var got []string
	for _, line := range lines[1:] {
		got = append(got, column(line, "the world", "rung")+": "+column(line, "rung", "level")+" "+column(line, "level", "why")+", "+
			column(line, "ranked by", "attempts"))
	}
	return got
}

// TestKeywords finds words, and says so where there are none.
func TestKeywords(t *testing.T) {
	t.Parallel()
	index, err := newKeywords()
	if err != nil {
		t.Fatal(err)
	}
	defer index.Close()
	if err := index.Add(documents); err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]string{
		"refunds": "refund", "a refund to my card": "refund", "passwords": "password", "warehouse": "shipping", "zzz": "", "": "",
	} {
		found, err := index.Search(t.Context(), Query{Text: text, Limit: 3})
		if (err != nil) != (want == "") {
			t.Errorf("%q: %v", text, err)
			continue
		}
		if want != "" && found.Hits[0].ID != want {
			t.Errorf("%q finds %+v, want %s first", text, found.Hits, want)
		}
	}
}

// connect serves a handler on connections in memory and returns a client that reaches nothing else.
func connect(t *testing.T, h http.Handler) *http.Client {
	t.Helper()
	l := &listener{conns: make(chan net.Conn), closed: make(chan struct{})}
	s := &http.Server{Handler: h}
	served := make(chan error, 1)
	go func() { served <- s.Serve(l) }()
	transport := &http.Transport{DialContext: l.dial}
	t.Cleanup(func() {
		transport.CloseIdleConnections()
		if err := s.Close(); err != nil {
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
