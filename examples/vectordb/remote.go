package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"sync"

	"github.com/resgen-go/resgen/examples/vectordb/chroma"
	"github.com/resgen-go/resgen/runtime/wire"
)

const (
	tenant   = "default_tenant"
	database = "default_database"
)

// remote is the VectorStore over Chroma and a ranker, and nothing else: what happens when they fail is said at the interface.
type remote struct {
	client *chroma.Client
	name   string // of the collection
	ranker ranker

	mu sync.Mutex
	id string // of the collection; empty until it is known
}

// collection returns the id of the collection, which is made where there is none.
func (r *remote) collection(ctx context.Context) (string, error) {
	r.mu.Lock()
	id := r.id
	r.mu.Unlock()
	if id != "" {
		return id, nil
	}
	c, err := r.client.CreateCollection(ctx, &chroma.CreateCollectionRequest{
		Tenant: tenant, Database: database, Body: chroma.NewCollection{Name: r.name, GetOrCreate: wire.Some(true)},
	})
	if err != nil {
		return "", err
	}
	r.keep(c.ID)
	return c.ID, nil
}

func (r *remote) keep(id string) {
	r.mu.Lock()
	r.id = id
	r.mu.Unlock()
}

// forget forgets the collection where the server does not know it: it may have lost everything.
func (r *remote) forget(err error) error {
	var status *wire.StatusError
	if errors.As(err, &status) && status.Status == http.StatusNotFound {
		r.keep("")
	}
	return err
}

// Search asks for the nearest records.
func (r *remote) Search(ctx context.Context, q Query) (Results, error) {
	id, err := r.collection(ctx)
	if err != nil {
		return Results{}, err
	}
	found, err := r.client.QueryRecords(ctx, &chroma.QueryRecordsRequest{
		Tenant: tenant, Database: database, CollectionID: id,
		Body: chroma.VectorQuery{
			QueryEmbeddings: []chroma.Vector{embed(q.Text)}, NResults: wire.SomeNotNull(int32(q.Limit)),
			Include: []chroma.Include{chroma.IncludeDocuments, chroma.IncludeDistances},
		},
	})
	if err != nil {
		return Results{}, r.forget(err)
	}
	return resultsOf(found)
}

var errMalformed = errors.New("the lists of the answer differ in length")

// resultsOf turns the lists of the one vector that was asked for into hits.
func resultsOf(found *chroma.Neighbours) (Results, error) {
	texts, _ := found.Documents.Get()
	distances, _ := found.Distances.Get()
	if len(found.IDs) != 1 || len(texts) != 1 || len(distances) != 1 ||
		len(texts[0]) != len(found.IDs[0]) || len(distances[0]) != len(found.IDs[0]) {
		return Results{}, errMalformed
	}
	var out Results
	for i, id := range found.IDs[0] {
		distance := distances[0][i].Or(0)
		out.Hits = append(out.Hits, Hit{Document: Document{ID: id, Text: texts[0][i].Or("")}, Score: 1 / (1 + float64(distance))})
	}
	return out, nil
}

// Upsert writes documents with their vectors.
func (r *remote) Upsert(ctx context.Context, docs []Document) error {
	id, err := r.collection(ctx)
	if err != nil {
		return err
	}
	var records chroma.Records
	var texts []wire.Null[string]
	for _, d := range docs {
		records.IDs = append(records.IDs, d.ID)
		records.Embeddings = append(records.Embeddings, embed(d.Text))
		texts = append(texts, wire.NotNull(d.Text))
	}
	records.Documents = wire.SomeNotNull(texts)
	_, err = r.client.UpsertRecords(ctx, &chroma.UpsertRecordsRequest{Tenant: tenant, Database: database, CollectionID: id, Body: records})
	if err != nil {
		return fmt.Errorf("upsert %d documents: %w", len(docs), r.forget(err))
	}
	return nil
}

// Rerank asks the ranker.
func (r *remote) Rerank(ctx context.Context, text string, hits []Hit) ([]Hit, error) {
	return r.ranker.Rank(ctx, text, hits)
}
