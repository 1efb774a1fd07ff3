// Package cached has an interface whose answers are remembered.
package cached

import "context"

// Hit is a document that was found.
type Hit struct {
	ID    string  `json:"id"`
	Score float64 `json:"score"`
}

// Query is what is searched for.
type Query struct {
	Text  string `json:"text"`
	Limit int    `json:"limit,omitempty"`
	Trace string `json:"trace,omitempty"`
}

// Search finds documents.
//
//resgen:class point total=2s attempt=500ms
//resgen:timeout point
//resgen:safe
type Search interface {
	// Find answers equal queries from memory, for a minute, and for an hour when there is nobody else to ask.
	//
	//resgen:cache ttl=1m stale-if-error=1h
	//resgen:fallback name=remembered cache={} when=any
	Find(ctx context.Context, collection string, q Query) ([]Hit, error)

	// Count counts what is there.
	//
	//resgen:cache ttl=1m key=/0
	Count(ctx context.Context, collection string) (int, error)

	// Advise answers what means the same from memory, for one user of one tenant.
	//
	//resgen:safe
	//resgen:cache ttl=1m semantic.threshold=0.9 semantic.subject=true semantic.embedder=local semantic.turn=/1/text
	Advise(ctx context.Context, topic string, q Query) (string, error)
}
