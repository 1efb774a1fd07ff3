package cached_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/resgen-go/resgen/runtime"
	"github.com/resgen-go/resgen/runtime/cache"
	"github.com/resgen-go/resgen/testdata/ifaces/cached"
)

// search is a Search that counts its calls.
type search struct {
	err   error
	calls int
}

func (s *search) Find(_ context.Context, collection string, q cached.Query) ([]cached.Hit, error) {
	s.calls++
	return []cached.Hit{{ID: collection + "/" + q.Text, Score: .1}}, s.err
}

func (s *search) Count(context.Context, string) (int, error) {
	s.calls++
	return s.calls, s.err
}

func wrap(t *testing.T, next cached.Search) *cached.ResilientSearch {
	t.Helper()
	w, err := cached.NewResilientSearch(next, cached.WithSearchRuntime(runtime.WithStore(cache.New(cache.Config{}))))
	if err != nil {
		t.Fatal(err)
	}
	return w
}

func TestEqualQueriesAreRemembered(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		next := &search{}
		w := wrap(t, next)
		for i, q := range []struct {
			collection, text string
			calls            int
		}{{"a", "x", 1}, {"a", "x", 1}, {"a", "y", 2}, {"b", "x", 3}, {"a", "x", 3}} {
			got, err := w.Find(t.Context(), q.collection, cached.Query{Text: q.text})
			if diff := cmp.Diff([]cached.Hit{{ID: q.collection + "/" + q.text, Score: .1}}, got); err != nil || diff != "" || next.calls != q.calls {
				t.Errorf("%d: %v after %d calls, want %d (-want +got):\n%s", i, err, next.calls, q.calls, diff)
			}
			synctest.Wait()
		}
	})
}

func TestStaleAnswerWhenNobodyElseAnswers(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		next := &search{}
		w := wrap(t, next)
		if _, err := w.Find(t.Context(), "a", cached.Query{Text: "x"}); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		time.Sleep(10 * time.Minute)
		next.err = context.DeadlineExceeded
		var meta runtime.Meta
		got, err := w.Find(runtime.Capture(t.Context(), &meta), "a", cached.Query{Text: "x"})
		if err != nil || len(got) != 1 || meta.Rung != "remembered" || meta.Age != 10*time.Minute {
			t.Errorf("got %v, %v, %+v; want the answer of ten minutes ago", got, err, meta)
		}
	})
}

func TestNoStoreIsRefused(t *testing.T) {
	t.Parallel()
	if _, err := cached.NewResilientSearch(&search{}); err == nil {
		t.Error("want an error: there is no store")
	}
}
