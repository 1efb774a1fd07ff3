package cached_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/resgen-go/resgen/runtime"
	"github.com/resgen-go/resgen/runtime/cache"
	"github.com/resgen-go/resgen/runtime/semantic"
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

func (s *search) Advise(_ context.Context, topic string, q cached.Query) (string, error) {
	s.calls++
	return topic + ": " + q.Text, s.err
}

// embed is an embedder to which all texts mean the same.
func embed(context.Context, string) ([]float32, error) { return []float32{1}, nil }

func wrap(t *testing.T, next cached.Search) *cached.ResilientSearch {
	t.Helper()
	w, err := cached.NewResilientSearch(next, cached.WithSearchRuntime(
		runtime.WithStore(cache.New(cache.Config{})), runtime.WithSemanticStore(semantic.New(semantic.Config{})),
		runtime.WithEmbedder("local", runtime.Embedder{Embed: embed, Model: "local", Dimensions: 1}),
	))
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

// What means the same is answered from memory where all other arguments are equal, and only to the user who was answered.
func TestWhatMeansTheSame(t *testing.T) {
	t.Parallel()
	next := &search{}
	w := wrap(t, next)
	ada := runtime.WithSubject(runtime.WithTenant(t.Context(), "acme"), "ada")
	bob := runtime.WithSubject(ada, "bob")
	var got []string
	for _, ask := range []struct {
		ctx         context.Context //nolint:containedctx // of the call
		topic, text string
		limit       int
	}{
		{ada, "a", "Why?", 0}, {ada, "a", "why", 0}, {bob, "a", "why", 0}, {ada, "b", "why", 0}, {ada, "a", "how", 1}, {t.Context(), "a", "what", 0},
	} {
		text, err := w.Advise(ask.ctx, ask.topic, cached.Query{Text: ask.text, Limit: ask.limit})
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, text)
	}
	if diff := cmp.Diff([]string{"a: Why?", "a: Why?", "a: why", "b: why", "a: how", "a: what"}, got); diff != "" {
		t.Errorf("answers (-want +got):\n%s", diff)
	}
}
