package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync/atomic"
)

// ranker says how well hits answer a text.
type ranker interface {
	Rank(ctx context.Context, text string, hits []Hit) ([]Hit, error)
}

var errRankerDown = errors.New("the ranker is down")

// overlap is a ranker in this process, which counts the words that text and hit share. A real one is a model behind an API; this one can be
// taken down like it.
type overlap struct{ down, hangs atomic.Bool }

// Rank puts the hits with the most words of the text first.
func (o *overlap) Rank(ctx context.Context, text string, hits []Hit) ([]Hit, error) {
	if o.hangs.Load() {
		<-ctx.Done()
		return nil, fmt.Errorf("rank: %w", ctx.Err())
	}
	if o.down.Load() {
		return nil, errRankerDown
	}
	asked := map[string]bool{}
	for _, w := range words(text) {
		asked[w] = true
	}
	ranked := slices.Clone(hits)
	for i := range ranked {
		all := words(ranked[i].Text)
		shared := 0
		for _, w := range all {
			if asked[w] {
				shared++
			}
		}
		ranked[i].Score = float64(shared) / float64(len(all)+1)
	}
	slices.SortStableFunc(ranked, func(a, b Hit) int { return cmp.Compare(b.Score, a.Score) })
	return ranked, nil
}

// bySimilarity is the rung below a ranker: the hits in the order of the search.
func bySimilarity(_ context.Context, _ string, hits []Hit) ([]Hit, error) { return hits, nil }
