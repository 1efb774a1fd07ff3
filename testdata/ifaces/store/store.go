// Package store is the plainest case: a context first, an error last, and policies from one named policy.
package store

import "context"

// Item is what a Store keeps.
type Item struct{ Name string }

// Store keeps items by their keys.
//
//resgen:class point total=2s attempt=500ms
//resgen:timeout point
type Store interface {
	// Get returns the item of a key.
	//
	//resgen:safe
	//resgen:use recommended
	//resgen:retry attempts=3 backoff.base=10ms backoff.jitter=none
	Get(ctx context.Context, key string) (Item, error)

	// Put keeps an item.
	//
	//resgen:idempotent
	//resgen:retry attempts=2 backoff.base=10ms backoff.jitter=none
	Put(ctx context.Context, key string, item Item) error

	// Append adds to an item, and may not be repeated.
	Append(ctx context.Context, key, more string) (length int, err error)

	// Close frees what the store holds.
	Close() error
}
