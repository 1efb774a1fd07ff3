package main

import (
	"context"
	"strings"
	"time"

	"github.com/resgen-go/resgen/runtime"
)

// library is the program above a VectorStore: it finds documents for users.
type library struct{ store VectorStore }

// seen is what the user saw of one search, and how it came about.
type seen struct {
	search, rank runtime.Meta
	err          error
	hits         []Hit
	apology      string
	took         time.Duration
}

// find searches, and ranks what was found. The interface of the store says nothing of rungs: runtime.Capture does.
func (l *library) find(ctx context.Context, text string) seen {
	const most = 3
	began := time.Now()
	var s seen
	found, err := l.store.Search(runtime.Capture(ctx, &s.search), Query{Text: text, Limit: most})
	if s.err = err; err == nil && len(found.Hits) > 0 {
		s.hits, s.err = l.store.Rerank(runtime.Capture(ctx, &s.rank), text, found.Hits)
	}
	s.apology, s.took = found.Apology, time.Since(began)
	return s
}

// text is what the user reads.
func (s *seen) text() string {
	switch {
	case s.err != nil:
		return "error: " + s.err.Error()
	case s.apology != "":
		return s.apology
	case len(s.hits) == 0:
		return "nothing was found"
	}
	names := make([]string, len(s.hits))
	for i, h := range s.hits {
		names[i] = h.ID
	}
	return strings.Join(names, ", ") + ": " + s.hits[0].Text
}
