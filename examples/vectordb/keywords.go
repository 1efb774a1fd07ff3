package main

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"

	"github.com/blevesearch/bleve/v2"
	"github.com/blevesearch/bleve/v2/analysis/lang/en"
	"github.com/blevesearch/bleve/v2/mapping"
)

// keywords is the rung below the vector store: a full-text index in this process, which ranks by BM25. It knows words, not what they mean.
type keywords struct {
	index bleve.Index
	down  atomic.Bool
}

func newKeywords() (*keywords, error) {
	m := bleve.NewIndexMapping()
	m.ScoringModel = "bm25"
	m.DefaultAnalyzer = en.AnalyzerName
	text := bleve.NewDocumentMapping()
	text.AddFieldMappingsAt("text", mapping.NewTextFieldMapping())
	m.DefaultMapping = text
	index, err := bleve.NewMemOnly(m)
	if err != nil {
		return nil, fmt.Errorf("make the keyword index: %w", err)
	}
	return &keywords{index: index}, nil
}

// Add indexes documents.
func (k *keywords) Add(docs []Document) error {
	batch := k.index.NewBatch()
	for _, d := range docs {
		if err := batch.Index(d.ID, d); err != nil {
			return fmt.Errorf("index %s: %w", d.ID, err)
		}
	}
	if err := k.index.Batch(batch); err != nil {
		return fmt.Errorf("index %d documents: %w", len(docs), err)
	}
	return nil
}

// Close frees the index.
func (k *keywords) Close() error {
	if err := k.index.Close(); err != nil {
		return fmt.Errorf("close the keyword index: %w", err)
	}
	return nil
}

var (
	errIndexDown = errors.New("the keyword index is being rebuilt")
	errNoHits    = errors.New("no document has any of these words")
)

// Search finds documents with the words of the query. None is a failure: a rung that has nothing to give leaves it to the next one.
func (k *keywords) Search(ctx context.Context, q Query) (Results, error) {
	if k.down.Load() {
		return Results{}, errIndexDown
	}
	request := bleve.NewSearchRequestOptions(bleve.NewMatchQuery(q.Text), q.Limit, 0, false)
	request.Fields = []string{"text"}
	found, err := k.index.SearchInContext(ctx, request)
	if err != nil {
		return Results{}, fmt.Errorf("search the keyword index: %w", err)
	}
	var out Results
	for _, hit := range found.Hits {
		text, _ := hit.Fields["text"].(string)
		out.Hits = append(out.Hits, Hit{Document: Document{ID: hit.ID, Text: text}, Score: hit.Score})
	}
	if len(out.Hits) == 0 {
		return Results{}, errNoHits
	}
	return out, nil
}
