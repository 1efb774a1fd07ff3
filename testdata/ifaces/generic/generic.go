// Package generic has interfaces with type parameters, one in terms of the other.
package generic

import (
	"cmp"
	"context"
	"iter"
)

// Entity has a key.
type Entity[ID cmp.Ordered] interface{ Key() ID }

// Repo keeps entities.
//
//resgen:target replica
//resgen:class point total=2s attempt=500ms
//resgen:timeout point
//resgen:safe
type Repo[T Entity[ID], ID cmp.Ordered] interface {
	// Find returns the entity of a key.
	//
	//resgen:retry attempts=2 backoff.base=10ms backoff.jitter=none
	//resgen:fallback name=replica target=replica when=any
	//resgen:fallback name=lookup func=lookup when=any
	Find(ctx context.Context, id ID) (*T, error)

	// All yields entities by key.
	All(ctx context.Context) (iter.Seq2[ID, T], error)

	// Index returns all keys, and what has them.
	Index(ctx context.Context) ([]ID, map[ID][]T, error)

	// Update changes an entity by a function.
	//
	//resgen:none
	Update(ctx context.Context, id ID, change func(context.Context, T) (T, error)) (old T, err error)
}

// Sum adds what a list has.
//
//resgen:class short total=1s attempt=1s
type Sum[T ~int | ~float64, L ~[]T] interface {
	//resgen:timeout short
	Sum(ctx context.Context, list L) (T, error)
}
