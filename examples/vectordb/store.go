package main

import "context"

//go:generate go run ../../cmd/resgen generate --iface VectorStore

// Document is a text that can be found.
type Document struct {
	ID   string `json:"id"`
	Text string `json:"text"`
}

// Query is what is searched for.
type Query struct {
	Text string `json:"text"`
	// Limit is how many hits are wanted.
	Limit int `json:"limit"`
}

// Hit is a document that was found. A greater Score is a better one; scores of different rungs do not compare.
type Hit struct {
	Document

	Score float64 `json:"score"`
}

// Results are what a search comes to: hits, or words for the user who gets none.
type Results struct {
	Hits    []Hit  `json:"hits"`
	Apology string `json:"apology,omitempty"`
}

// VectorStore is what the program needs to find documents by what they mean. The directives say what is done when it is slow, wrong or gone;
// vector_store_resilient.gen.go is made of them.
//
//resgen:class search total=3s attempt=400ms
//resgen:class rank total=500ms attempt=200ms
//resgen:class write total=5s attempt=1s
type VectorStore interface {
	// Search finds documents whose texts mean what the query says.
	//
	//resgen:safe
	//resgen:timeout search
	//resgen:retry attempts=2 backoff.base=20ms backoff.max=200ms
	//resgen:budget ratio=20% min-per-second=2
	//resgen:breaker scope=operation consecutive=3 open-for=1s open-max=2s probes=1 close-after=1
	//resgen:bulkhead max-concurrent=32 max-queue=32 max-wait=50ms
	//resgen:cache ttl=0s stale-if-error=24h
	//resgen:fallback name=keywords func=keywordSearch when=any level=reduced
	//resgen:fallback name=remembered cache={} when=any
	//resgen:fallback name=refusal static=refusal when=any
	Search(ctx context.Context, q Query) (Results, error)

	// Upsert writes documents, in place of those with the same ids.
	//
	//resgen:idempotent
	//resgen:timeout write
	//resgen:retry attempts=3 backoff.base=50ms backoff.max=500ms
	//resgen:breaker scope=operation consecutive=5 open-for=1s open-max=2s probes=1 close-after=1
	//resgen:fallback refuse="a document that is not written must be seen not to be"
	Upsert(ctx context.Context, docs []Document) error

	// Rerank puts hits into the order of how well they answer the text.
	//
	//resgen:safe
	//resgen:timeout rank
	//resgen:breaker scope=operation consecutive=3 open-for=1s open-max=2s probes=1 close-after=1
	//resgen:fallback name=similarity func=bySimilarity when=any level=reduced
	Rerank(ctx context.Context, text string, hits []Hit) ([]Hit, error)
}
