// Package streams has a method of each kind that answers item by item, or with something that is used when the method has returned.
package streams

import (
	"context"
	"io"
	"iter"
)

// Rows are read when the method has returned.
type Rows struct {
	io.ReadCloser

	Columns []string
}

// Feed gives items.
//
//resgen:class feed total=4s attempt=1s first-item=500ms item-gap=300ms max-stream=10s
//resgen:timeout feed
//resgen:safe
//resgen:hedgeable false
//resgen:retry attempts=3 backoff.base=10ms backoff.jitter=none
type Feed interface {
	// Items yields items, each range a new call.
	Items(ctx context.Context, topic string) iter.Seq2[int, error]

	// Numbers yields numbers once, after an error that it may return itself.
	Numbers(ctx context.Context, topic string) (iter.Seq[int], error)

	// Pairs yields pairs once.
	Pairs(ctx context.Context, topic string) (iter.Seq2[string, int], error)

	// Faults yields items once, each with an error.
	Faults(ctx context.Context, topic string) (iter.Seq2[int, error], error)

	// Events sends items.
	Events(ctx context.Context, topic string) (<-chan int, error)

	// Download gives bytes.
	Download(ctx context.Context, name string) (io.ReadCloser, error)

	// Query gives rows, which are read when it has returned.
	Query(ctx context.Context, q string) (*Rows, error)

	// Watch sends items until stop is called.
	Watch(ctx context.Context, topic string) (events chan int, stop func(), err error)
}
