// Package generic is of the kind of C122: type parameters with constraints, some named like what a wrapper needs.
package generic

import (
	"cmp"
	"context"
	"fmt"
	"iter"
)

// Entity has a key.
type Entity[ID cmp.Ordered] interface{ Key() ID }

// Repo keeps entities.
type Repo[T Entity[ID], ID cmp.Ordered] interface {
	Find(ctx context.Context, id ID) (*T, error)
	Get(ctx context.Context, id ID, T T) (T, error)
	Put(ctx context.Context, k ID, v T, more ...T) error
	All(ctx context.Context) (iter.Seq2[ID, T], error)
	Update(ctx context.Context, id ID, fn func(context.Context, T) (T, error)) (old T, err error)
	Index(ctx context.Context) ([]ID, map[ID][]T, *Page[T], error)
}

// Page is a part of a list.
type Page[T any] struct {
	Items []T
	Next  *Page[T]
}

// Number is a number that says what it is.
type Number interface {
	~int | ~int64 | ~float64
	fmt.Stringer
}

// Sum adds.
type Sum[w ~int | ~float64, runtime ~[]w, _ Number] interface {
	Sum(ctx context.Context, l runtime) (w, error)
}
