// Package part has interfaces that others embed.
package part

import "context"

type (
	// Key finds a Value.
	Key string
	// Value is found.
	Value struct{ N int }
)

// Store keeps values.
type Store interface {
	// Item returns a value.
	Item(ctx context.Context, k Key) (*Value, error)
	deep
}

type deep interface {
	// Deep lies deep.
	//
	//resgen:safe
	//resgen:retry attempts=2 backoff.base=1ms
	Deep(ctx context.Context, f func(Key) Value) ([]Key, error)
}

// Closer ends it.
type Closer interface {
	Close(ctx context.Context) error
}
