package semantic_test

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/resgen-go/resgen/runtime"
	"github.com/resgen-go/resgen/runtime/semantic"
)

// entry is an answer to a vector.
func entry(namespace, name string, vector ...float32) runtime.SemanticEntry {
	return runtime.SemanticEntry{Namespace: namespace, Vector: vector, Entry: runtime.Entry{Status: 200, Body: []byte(name), Stored: time.Now()}}
}

// keep keeps entries for an hour.
func keep(t *testing.T, s *semantic.Store, entries ...runtime.SemanticEntry) {
	t.Helper()
	for _, e := range entries {
		if err := s.Set(t.Context(), e, time.Hour); err != nil {
			t.Fatal(err)
		}
	}
}

// near are the names of what is found.
func near(t *testing.T, s *semantic.Store, namespace string, most int, vector ...float32) []string {
	t.Helper()
	found, err := s.Nearest(t.Context(), namespace, vector, most)
	if err != nil {
		t.Fatal(err)
	}
	names := []string{}
	for _, e := range found {
		if e.Namespace != namespace {
			t.Errorf("%q is of the namespace %q", e.Body, e.Namespace)
		}
		names = append(names, string(e.Body))
	}
	return names
}

// sleep lets virtual time pass; tests call it in bubbles only.
func sleep(d time.Duration) { time.Sleep(d) } // in a synctest bubble

func equal(t *testing.T, what string, got, want any) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", what, diff)
	}
}

func TestNearestIsTheMostSimilar(t *testing.T) {
	t.Parallel()
	s := semantic.New(semantic.Config{})
	keep(t, s, entry("a", "east", 1, 0), entry("a", "north", 0, 3), entry("a", "north-east", 1, 1), entry("b", "other", 1, 0), entry("a", "west", -1, 0))
	equal(t, "two", near(t, s, "a", 2, 2, 0.1), []string{"east", "north-east"})
	equal(t, "all", near(t, s, "a", 9, 2, 0.1), []string{"east", "north-east", "north", "west"})
	equal(t, "of the other", near(t, s, "b", 9, 0, 1), []string{"other"})
	equal(t, "of none", near(t, s, "c", 9, 0, 1), []string{})
	equal(t, "no more than none", near(t, s, "a", 0, 0, 1), []string{})
}

func TestEqualVectorsReplaceEachOther(t *testing.T) {
	t.Parallel()
	s := semantic.New(semantic.Config{})
	keep(t, s, entry("a", "old", 1, 0), entry("b", "other", 1, 0), entry("a", "new", 1, 0))
	equal(t, "found", near(t, s, "a", 9, 1, 0), []string{"new"})
	equal(t, "length", s.Len(), 2)
	if err := s.Set(t.Context(), entry("a", "never", 1, 0), 0); err != nil {
		t.Fatal(err)
	}
	equal(t, "kept for no time", near(t, s, "a", 9, 1, 0), []string{})
}

func TestAnswersAreKeptForTheirTime(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := semantic.New(semantic.Config{})
		keep(t, s, entry("a", "first", 1, 0))
		sleep(59 * time.Minute)
		keep(t, s, entry("a", "second", 0, 1))
		equal(t, "in time", near(t, s, "a", 9, 1, 0), []string{"first", "second"})
		sleep(time.Minute)
		equal(t, "too late", near(t, s, "a", 9, 1, 0), []string{"second"})
		equal(t, "length", s.Len(), 1)
	})
}

func TestBounds(t *testing.T) {
	t.Parallel()
	s := semantic.New(semantic.Config{Entries: 3})
	keep(t, s, entry("a", "1", 1, 0), entry("b", "2", 1, 0), entry("c", "3", 1, 0))
	near(t, s, "a", 1, 1, 0) // it is used: the one of b goes first
	keep(t, s, entry("d", "4", 1, 0))
	equal(t, "of b", near(t, s, "b", 9, 1, 0), []string{})
	equal(t, "of a", near(t, s, "a", 9, 1, 0), []string{"1"})

	s = semantic.New(semantic.Config{PerNamespace: 2})
	keep(t, s, entry("a", "1", 1, 0), entry("b", "of another", 1, 0), entry("a", "2", 1, 1), entry("a", "3", 0, 1))
	equal(t, "of the namespace", near(t, s, "a", 9, 1, 0), []string{"2", "3"})
	equal(t, "of the other", near(t, s, "b", 9, 1, 0), []string{"of another"})

	s = semantic.New(semantic.Config{Bytes: 10_000})
	for i := range 100 {
		keep(t, s, entry(fmt.Sprint(i), "x", 1, 0))
		if s.Bytes() > 10_000 {
			t.Fatalf("%d bytes after %d entries", s.Bytes(), i+1)
		}
	}
	large := entry("large", "", make([]float32, 1_000)...)
	large.Vector[0] = 1
	keep(t, s, large)
	equal(t, "too large", near(t, s, "large", 9, large.Vector...), []string{})
	if s.Len() < 10 {
		t.Errorf("%d entries are kept", s.Len())
	}
	s.Purge()
	equal(t, "purged", []int64{int64(s.Len()), s.Bytes()}, []int64{0, 0})
}

// Vectors that have no direction are found by nobody, and drive nobody out of the results.
func TestVectorsWithoutDirection(t *testing.T) {
	t.Parallel()
	s := semantic.New(semantic.Config{})
	nan, inf := float32(math.NaN()), float32(math.Inf(1))
	keep(t, s, entry("a", "NaN", nan, 1), entry("a", "good", 1, 0), entry("a", "zero", 0, 0), entry("a", "Inf", inf, 1), entry("a", "short", 1), entry("a", "none"))
	equal(t, "found", near(t, s, "a", 9, 1, 0), []string{"good"})
	for _, asked := range [][]float32{{nan, 1}, {0, 0}, {inf, 1}, {}, {1, 2, 3}} {
		equal(t, fmt.Sprint(asked), near(t, s, "a", 9, asked...), []string{})
	}
}

// What the store keeps track of is what it has, whatever is done at once.
func TestAtOnce(t *testing.T) {
	t.Parallel()
	s := semantic.New(semantic.Config{Entries: 50, PerNamespace: 5, Bytes: 20_000})
	var all sync.WaitGroup
	for worker := range 8 {
		all.Go(func() {
			r := rand.New(rand.NewPCG(uint64(worker), 1))
			for range 500 {
				namespace := string(rune('a' + r.IntN(20)))
				vector := []float32{r.Float32(), r.Float32()}
				switch r.IntN(8) {
				case 0:
					_ = s.Set(context.Background(), entry(namespace, "x", vector...), 0)
				case 1, 2, 3:
					_, _ = s.Nearest(context.Background(), namespace, vector, 3)
				default:
					_ = s.Set(context.Background(), entry(namespace, "x", vector...), time.Hour)
				}
			}
		})
	}
	all.Wait()
	found := 0
	for i := range 20 {
		names := near(t, s, string(rune('a'+i)), 99, 1, 1)
		if len(names) > 5 {
			t.Errorf("%d entries in a namespace", len(names))
		}
		found += len(names)
	}
	if found != s.Len() || s.Len() > 50 || s.Bytes() > 20_000 {
		t.Errorf("%d found, %d kept, %d bytes", found, s.Len(), s.Bytes())
	}
	s.Purge()
	equal(t, "purged", []int64{int64(s.Len()), s.Bytes()}, []int64{0, 0})
}

// The nearest are those that comparing with all finds, in their order.
func TestNearestAgreesWithSorting(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 2))
	s := semantic.New(semantic.Config{})
	vectors := map[string][]float32{}
	random := func() []float32 {
		v := make([]float32, 8)
		for i := range v {
			v[i] = r.Float32()*2 - 1
		}
		return v
	}
	for i := range 200 {
		name := fmt.Sprint(i)
		vectors[name] = random()
		keep(t, s, entry("a", name, vectors[name]...))
	}
	for range 50 {
		asked := random()
		names := make([]string, 0, len(vectors))
		for name := range vectors {
			names = append(names, name)
		}
		slices.SortFunc(names, func(a, b string) int {
			if cosine(asked, vectors[a]) > cosine(asked, vectors[b]) {
				return -1
			}
			return 1
		})
		equal(t, "nearest", near(t, s, "a", 5, asked...), names[:5])
	}
}

func cosine(a, b []float32) float64 {
	var dot, x, y float64
	for i := range a {
		dot, x, y = dot+float64(a[i])*float64(b[i]), x+float64(a[i])*float64(a[i]), y+float64(b[i])*float64(b[i])
	}
	return dot / math.Sqrt(x*y)
}
