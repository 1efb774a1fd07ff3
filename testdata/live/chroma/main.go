// Command chroma drives the client that was generated from Chroma's document against a real server, and prints a line for each step as
// JSON: what the step was, what came of it, and the errors as types.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"

	rt "github.com/resgen-go/resgen/runtime"
	"github.com/resgen-go/resgen/runtime/wire"

	"live.test/chroma"
)

const (
	tenant   = "default_tenant"
	database = "default_database"
)

// report is what the test reads.
type report struct {
	Created, Nearest, Document string
	Count                      int
	Deleted, Gone              bool
	Dimension, Missing         failure // a vector of the wrong length; a body without a required field
	Unknown, Duplicate         failure // a collection that is not there; one that is there already
}

// failure is an error as its types tell it.
type failure struct {
	Status  int
	Kind    string
	Payload string // the typed body's message; empty where the document declares no body for the status
	Body    string
}

func main() {
	client, err := chroma.New(chroma.WithBaseURL(os.Args[1]))
	if err == nil {
		var r report
		if r, err = run(context.Background(), client); err == nil {
			err = json.NewEncoder(os.Stdout).Encode(r)
		}
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(ctx context.Context, c *chroma.Client) (report, error) {
	var r report
	made, err := create(ctx, c)
	if err != nil {
		return r, fmt.Errorf("create: %w", err)
	}
	r.Created = made.Name
	id := string(made.ID)
	if err := add(ctx, c, id, [][]float32{{1, 0, 0}, {0, 1, 0}}); err != nil {
		return r, fmt.Errorf("add: %w", err)
	}
	found, err := c.CollectionQuery(ctx, &chroma.CollectionQueryRequest{
		Tenant: tenant, Database: database, CollectionID: id,
		Body: chroma.QueryRequestPayload{QueryEmbeddings: [][]float32{{0, 0.9, 0.1}}, NResults: wire.SomeNotNull[int32](1)},
	})
	if err != nil {
		return r, fmt.Errorf("query: %w", err)
	}
	r.Nearest = found.IDs[0][0]
	got, err := c.CollectionGet(ctx, &chroma.CollectionGetRequest{
		Tenant: tenant, Database: database, CollectionID: id,
		Body: chroma.GetRequestPayload{
			IDs: wire.SomeNotNull([]string{"north"}), Include: chroma.IncludeList{chroma.IncludeDocuments},
		},
	})
	if err != nil {
		return r, fmt.Errorf("get: %w", err)
	}
	if documents, ok := got.Documents.Get(); ok && len(documents) == 1 {
		r.Document = documents[0].Or("null")
	}
	r.Dimension = fail(add(ctx, c, id, [][]float32{{1, 0}, {0, 1}}))
	_, err = c.CollectionAdd(ctx, &chroma.CollectionAddRequest{Tenant: tenant, Database: database, CollectionID: id})
	r.Missing = fail(err)
	_, err = create(ctx, c)
	r.Duplicate = fail(err)
	_, err = c.GetCollection(ctx, &chroma.GetCollectionRequest{Tenant: tenant, Database: database, CollectionID: "nowhere"})
	r.Unknown = fail(err)
	return r, remove(ctx, c, id, &r)
}

func create(ctx context.Context, c *chroma.Client) (*chroma.Collection, error) {
	return c.CreateCollection(ctx, &chroma.CreateCollectionRequest{
		Tenant: tenant, Database: database, Body: chroma.CreateCollectionPayload{Name: "compass"},
	})
}

func add(ctx context.Context, c *chroma.Client, id string, vectors [][]float32) error {
	_, err := c.CollectionAdd(ctx, &chroma.CollectionAddRequest{
		Tenant: tenant, Database: database, CollectionID: id,
		Body: chroma.AddCollectionRecordsPayload{
			IDs: []string{"east", "north"}, Embeddings: chroma.EmbeddingsPayloadOfFloatListList(vectors),
			Documents: wire.SomeNotNull([]wire.Null[string]{wire.NotNull("to the right"), wire.NotNull("upwards")}),
		},
	})
	return err
}

func remove(ctx context.Context, c *chroma.Client, id string, r *report) error {
	_, err := c.CollectionDelete(ctx, &chroma.CollectionDeleteRequest{
		Tenant: tenant, Database: database, CollectionID: id,
		Body: chroma.DeleteCollectionRecordsPayload{IDs: wire.SomeNotNull([]string{"east"})},
	})
	if err != nil {
		return fmt.Errorf("delete: %w", err)
	}
	count, err := c.CollectionCount(ctx, &chroma.CollectionCountRequest{Tenant: tenant, Database: database, CollectionID: id})
	if err != nil {
		return fmt.Errorf("count: %w", err)
	}
	r.Count, r.Deleted = int(count), true
	// the server takes the collection's name here, and its id everywhere else
	_, err = c.DeleteCollection(ctx, &chroma.DeleteCollectionRequest{Tenant: tenant, Database: database, CollectionID: "compass"})
	if err != nil {
		return fmt.Errorf("delete the collection: %w", err)
	}
	_, err = c.GetCollection(ctx, &chroma.GetCollectionRequest{Tenant: tenant, Database: database, CollectionID: "compass"})
	r.Gone = fail(err).Status == 404
	return nil
}

// fail reads an error by its types.
func fail(err error) failure {
	var f failure
	var status *wire.StatusError
	if errors.As(err, &status) {
		f.Status, f.Body = status.Status, string(status.Body)
	}
	var payload *wire.PayloadError[chroma.ErrorResponse]
	if errors.As(err, &payload) {
		f.Payload = payload.Payload.Message
	}
	f.Kind = rt.KindOf(err).String()
	return f
}
