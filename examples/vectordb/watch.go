package main

import (
	"context"
	"fmt"
	"io"
	"time"
)

// watch searches in a real Chroma again and again, and prints what the user saw. It writes the documents when it can: at the start, and as soon
// as the server is there again that was not there before.
func watch(ctx context.Context, out io.Writer, lib *library, every time.Duration, times int) error {
	t, err := newTable(out)
	if err != nil {
		return err
	}
	written := false
	for n := 1; !isOver(ctx) && (times == 0 || n <= times); n++ {
		if !written {
			written = lib.store.Upsert(ctx, documents) == nil
		}
		questions := []string{"when is my refund paid", "how do I change my password", "download an invoice"}
		found := lib.find(ctx, questions[n%len(questions)])
		if found.err == nil && found.search.Rung == "" && len(found.hits) == 0 {
			written = false // a server that has lost its records
		}
		if isOver(ctx) {
			break
		}
		if err := t.row(fmt.Sprintf("search %d", n), &found); err != nil {
			return err
		}
		_ = rest(ctx, every) // that it was cut short is seen above
	}
	return nil
}

// isOver reports whether the program is to end.
func isOver(ctx context.Context) bool { return ctx.Err() != nil }
