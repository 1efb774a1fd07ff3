package generator_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"slices"
	"testing"
	"testing/synctest"

	"github.com/resgen-go/resgen/runtime"
	"github.com/resgen-go/resgen/runtime/policy"
	"github.com/resgen-go/resgen/runtime/wire"
	vec "github.com/resgen-go/resgen/testdata/specs/vectors/want"
)

// events keeps what happened.
type events struct{ all []runtime.EventKind }

func (e *events) Observe(_ context.Context, ev runtime.Event) { e.all = append(e.all, ev.What) }

// TestIDs sends again in doubt what names all that it writes, and nothing else.
func TestIDs(t *testing.T) {
	t.Parallel()
	point := func(id string) vec.QdrantPoint {
		p := vec.QdrantPoint{Vector: vec.Vector{1}}
		if id != "" {
			p.ID = vec.IDOfString(id)
		}
		return p
	}
	columns := func(ids ...vec.ID) vec.QdrantPoints {
		return vec.QdrantPointsOfColumns(vec.QdrantColumns{Batch: vec.QdrantColumnsBatch{IDs: ids}})
	}
	filter := map[string]json.RawMessage{"must": json.RawMessage(`[]`)}
	for name, c := range map[string]struct {
		call func(context.Context, *vec.Client) error
		want int // requests
	}{
		"points with ids": {func(ctx context.Context, c *vec.Client) error {
			_, err := c.QdrantUpsert(ctx, &vec.QdrantUpsertRequest{Collection: "c", Body: vec.QdrantPointsOfList(vec.QdrantList{Points: []vec.QdrantPoint{point("a"), point("b")}})})
			return err
		}, 3},
		"a point without": {func(ctx context.Context, c *vec.Client) error {
			_, err := c.QdrantUpsert(ctx, &vec.QdrantUpsertRequest{Collection: "c", Body: vec.QdrantPointsOfList(vec.QdrantList{Points: []vec.QdrantPoint{point("a"), point("")}})})
			return err
		}, 1},
		"no points": {func(ctx context.Context, c *vec.Client) error {
			_, err := c.QdrantUpsert(ctx, &vec.QdrantUpsertRequest{Collection: "c", Body: vec.QdrantPointsOfList(vec.QdrantList{})})
			return err
		}, 1},
		"columns": {func(ctx context.Context, c *vec.Client) error {
			_, err := c.QdrantUpsert(ctx, &vec.QdrantUpsertRequest{Collection: "c", Body: columns(vec.IDOfInt(7))})
			return err
		}, 3},
		"columns of nothing": {func(ctx context.Context, c *vec.Client) error {
			_, err := c.QdrantUpsert(ctx, &vec.QdrantUpsertRequest{Collection: "c", Body: columns(vec.IDOfInt(7), vec.ID{})})
			return err
		}, 1},
		"delete by ids": {func(ctx context.Context, c *vec.Client) error {
			_, err := c.QdrantDelete(ctx, &vec.QdrantDeleteRequest{Collection: "c", Body: vec.QdrantSelector{Points: []vec.ID{vec.IDOfString("a")}}})
			return err
		}, 3},
		"delete by filter": {func(ctx context.Context, c *vec.Client) error {
			_, err := c.QdrantDelete(ctx, &vec.QdrantDeleteRequest{Collection: "c", Body: vec.QdrantSelector{Filter: filter}})
			return err
		}, 3},
		"delete of nothing": {func(ctx context.Context, c *vec.Client) error {
			_, err := c.QdrantDelete(ctx, &vec.QdrantDeleteRequest{Collection: "c"})
			return err
		}, 1},
		"objects with ids": {func(ctx context.Context, c *vec.Client) error {
			_, err := c.WeaviateBatch(ctx, &vec.WeaviateObjects{Objects: []vec.WeaviateObject{{Class: "A", ID: wire.Some("1")}}})
			return err
		}, 3},
		"an object without": {func(ctx context.Context, c *vec.Client) error {
			_, err := c.WeaviateBatch(ctx, &vec.WeaviateObjects{Objects: []vec.WeaviateObject{{Class: "A", ID: wire.Some("1")}, {Class: "A"}}})
			return err
		}, 1},
		"vectors": {func(ctx context.Context, c *vec.Client) error {
			_, err := c.PineconeUpsert(ctx, &vec.PineconeVectors{Vectors: []vec.PineconeVectorsVectorsItem{{ID: "1"}}})
			return err
		}, 3},
		"vectors with an empty id": {func(ctx context.Context, c *vec.Client) error {
			_, err := c.PineconeUpsert(ctx, &vec.PineconeVectors{Vectors: []vec.PineconeVectorsVectorsItem{{ID: "1"}, {}}})
			return err
		}, 1},
		"delete of all": {func(ctx context.Context, c *vec.Client) error {
			_, err := c.PineconeDelete(ctx, &vec.PineconeSelector{DeleteAll: wire.Some(true)})
			return err
		}, 3},
		"added records": {func(ctx context.Context, c *vec.Client) error {
			_, err := c.ChromaAdd(ctx, &vec.ChromaAddRequest{Tenant: "t", Database: "d", Collection: "c", Body: vec.ChromaRecords{IDs: []string{"1"}}})
			return err
		}, 3},
		"upserted records": {func(ctx context.Context, c *vec.Client) error {
			_, err := c.ChromaUpsert(ctx, &vec.ChromaUpsertRequest{Tenant: "t", Database: "d", Collection: "c", Body: vec.ChromaRecords{IDs: []string{"1", ""}}})
			return err
		}, 1},
		"removed records": {func(ctx context.Context, c *vec.Client) error {
			_, err := c.ChromaDelete(ctx, &vec.ChromaDeleteRequest{Tenant: "t", Database: "d", Collection: "c", Body: vec.ChromaSelector{IDs: wire.SomeNotNull([]string{"1"})}})
			return err
		}, 3},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				seen := &events{}
				s := newVectors(t, vec.WithObserver(seen))
				s.answer = func(*http.Request) string { return "" } // in doubt: a 503
				var e *runtime.Error
				if err := c.call(t.Context(), s.Client); !errors.As(err, &e) || e.Kind != policy.KindTransient || !e.MayHaveActed {
					t.Errorf("got %v", err)
				}
				if got := len(s.sent); got != c.want {
					t.Errorf("%d requests, want %d", got, c.want)
				}
				if told, want := slices.Contains(seen.all, runtime.NotRepeatable), c.want == 1; told != want {
					t.Errorf("told that the call is not repeatable: %v, want %v", told, want)
				}
			})
		})
	}
}

// TestWithoutIDsNotExecuted sends again what was proven not to be executed, with ids or without.
func TestWithoutIDsNotExecuted(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newVectors(t)
		asked := 0
		limited := &http.Client{Transport: roundTrip(func(r *http.Request) (*http.Response, error) {
			if _, err := io.Copy(io.Discard, r.Body); err != nil {
				t.Error(err)
			}
			resp := responseOf(r, `[{"result":{"status":"SUCCESS"}}]`)
			if asked++; asked < 3 {
				resp.StatusCode = http.StatusTooManyRequests
			}
			return resp, nil
		})}
		client, err := vec.New(vec.WithHTTPClient(limited), vec.WithStore(noStore{}))
		if err != nil {
			t.Fatal(err)
		}
		s.Client = client
		if _, err := s.WeaviateBatch(t.Context(), &vec.WeaviateObjects{Objects: []vec.WeaviateObject{{Class: "A"}}}); err != nil || asked != 3 {
			t.Errorf("got %v after %d requests, want an answer to the third", err, asked)
		}
	})
}

// noStore keeps nothing.
type noStore struct{ runtime.Store }
