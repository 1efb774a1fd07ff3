package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/resgen-go/resgen/examples/vectordb/server"
	"github.com/resgen-go/resgen/runtime"
)

// world is what can be taken away.
type world struct {
	server *server.Server
	index  *keywords
	ranks  *overlap
}

// scene is one state of the world and the searches that are made in it.
type scene struct {
	title    string
	server   server.Fault
	noIndex  bool
	noRanker bool
	slowRank bool
	text     string
	searches int
	// rest is how long the scene waits first, for a breaker to let a probe through.
	rest time.Duration
}

// scenes walk down the ladder and back up.
func scenes() []scene {
	const refund, odd = "when is my refund paid", "zzz"
	return []scene{
		{title: "all is well", text: refund, searches: 2},
		{title: "the ranker is down", noRanker: true, text: refund, searches: 1},
		{title: "the ranker hangs", slowRank: true, text: refund, searches: 2},
		{title: "the ranker's breaker is open", slowRank: true, text: "how do I change my password", searches: 1},
		{title: "all is well", text: "how do I change my password", searches: 1, rest: 3 * time.Second},
		{title: "the store answers 503", server: server.Unavailable, text: refund, searches: 1},
		{title: "the store breaks connections", server: server.Gone, text: "download an invoice", searches: 1},
		{title: "the store hangs", server: server.Hang, text: "return goods", searches: 1, rest: 3 * time.Second},
		{title: "the store is down", server: server.Unavailable, text: refund, searches: 2},
		{title: "store and index are down", server: server.Unavailable, noIndex: true, text: refund, searches: 1},
		{title: "the same, never asked before", server: server.Unavailable, noIndex: true, text: odd, searches: 1},
		{title: "all is well again", text: refund, searches: 2, rest: 3 * time.Second},
	}
}

// set makes the world what the scene says.
func (w *world) set(s scene) {
	w.server.SetFault(s.server)
	w.index.down.Store(s.noIndex)
	w.ranks.down.Store(s.noRanker)
	w.ranks.hangs.Store(s.slowRank)
}

// walk writes the documents, plays the scenes, and prints what the user saw of each search. In the end it writes into a store that is down,
// which must be seen to fail.
func walk(ctx context.Context, out io.Writer, lib *library, w *world) error {
	if err := lib.store.Upsert(ctx, documents); err != nil {
		return fmt.Errorf("write the documents: %w", err)
	}
	t, err := newTable(out)
	if err != nil {
		return err
	}
	for _, s := range scenes() {
		w.set(s)
		if err := rest(ctx, s.rest); err != nil {
			return err
		}
		for range s.searches {
			found := lib.find(ctx, s.text)
			if err := t.row(s.title, &found); err != nil {
				return err
			}
		}
	}
	w.server.SetFault(server.Unavailable)
	err = lib.store.Upsert(ctx, documents[:1])
	if !errors.Is(err, runtime.ErrTransient) {
		return fmt.Errorf("a write into a store that is down: %w", errors.Join(errNotSeen, err))
	}
	_, err = fmt.Fprintf(out, "\na write while the store is down fails, as it says: %v\n", err)
	return err //nolint:wrapcheck // it says what went wrong
}

var errNotSeen = errors.New("it was not seen to fail")

// rest waits, or ends with the program.
func rest(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return fmt.Errorf("rest: %w", ctx.Err())
	}
}
