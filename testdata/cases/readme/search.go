package search

import (
	"context"
	"errors"
)

// ErrBusy is an index that asks to be left alone for a while.
var ErrBusy = errors.New("the index is busy")

// Hit is a document that was found.
type Hit struct{ ID string }

// Index is what this service needs of a search engine.
//
//resgen:use recommended
//resgen:class point total=2s attempt=600ms
//resgen:target replica
type Index interface {
	// Search finds documents.
	//
	//resgen:safe
	//resgen:timeout point
	//resgen:errors transient=ErrBusy
	//resgen:fallback name=replica target=replica when=any
	//resgen:fallback name=titles func=searchTitles when=any
	Search(ctx context.Context, query string, limit int) ([]Hit, error)

	// Add adds documents. Nothing says that it may be repeated, so it is not.
	Add(ctx context.Context, hits ...Hit) error

	//resgen:skip
	Close() error
}
