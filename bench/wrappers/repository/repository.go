// Package repository has a generic interface, as applications write them for their own stores.
package repository

import (
	"cmp"
	"context"
	"iter"
)

// Entity has a key.
type Entity[ID cmp.Ordered] interface{ Key() ID }

// Repository keeps entities.
type Repository[T Entity[ID], ID cmp.Ordered] interface {
	// Find returns the entity of a key.
	Find(ctx context.Context, id ID) (*T, error)
	// All yields all of them.
	All(ctx context.Context) (iter.Seq2[ID, T], error)
	// Save keeps some.
	Save(ctx context.Context, entities ...T) error
}
