package runtime_test

import (
	"bytes"
	"context"
	"errors"
	"math"
	"net/http"
	goruntime "runtime"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/resgen-go/resgen/runtime"
	"github.com/resgen-go/resgen/runtime/policy"
	"github.com/resgen-go/resgen/runtime/semantic"
)

// vectorStore is a store of vectors outside the process, made of functions; those that are nil do as an empty store does.
type vectorStore struct {
	nearest func(ctx context.Context, namespace string, vector []float32) ([]runtime.SemanticEntry, error)
	set     func(ctx context.Context, e runtime.SemanticEntry) error

	mu   sync.Mutex
	kept []runtime.SemanticEntry
}

func (s *vectorStore) Nearest(ctx context.Context, namespace string, vector []float32, _ int) ([]runtime.SemanticEntry, error) {
	if s.nearest == nil {
		return nil, nil
	}
	return s.nearest(ctx, namespace, vector)
}

func (s *vectorStore) Set(ctx context.Context, e runtime.SemanticEntry, _ time.Duration) error {
	s.mu.Lock()
	s.kept = append(s.kept, e)
	s.mu.Unlock()
	if s.set == nil {
		return nil
	}
	return s.set(ctx, e)
}

// Whatever a store says, a call is answered by its target where what the store gives is no answer to it, and observers are told.
func TestStoresOfVectorsThatLie(t *testing.T) {
	t.Parallel()
	// entry is what a good store would give; change makes a lie of it.
	entry := func(change func(*runtime.SemanticEntry)) func(context.Context, string, []float32) ([]runtime.SemanticEntry, error) {
		return func(_ context.Context, namespace string, vector []float32) ([]runtime.SemanticEntry, error) {
			e := runtime.SemanticEntry{
				Namespace: namespace, Vector: bytesOf(vector),
				Entry: runtime.Entry{
					Status: 200, Header: http.Header{"Content-Type": {"application/json"}}, Stored: time.Now().Add(-time.Second), Body: []byte(`{"name":"kept"}`),
				},
			}
			change(&e)
			return []runtime.SemanticEntry{e}, nil
		}
	}
	body := func(text string) func(*runtime.SemanticEntry) {
		return func(e *runtime.SemanticEntry) { e.Body = []byte(text) }
	}
	number := func(x float64) func(*runtime.SemanticEntry) {
		return func(e *runtime.SemanticEntry) { e.Vector[1] = float32(x) }
	}
	for name, c := range map[string]struct {
		nearest func(context.Context, string, []float32) ([]runtime.SemanticEntry, error)
		told    bool // that the store failed
	}{
		"another namespace": {entry(func(e *runtime.SemanticEntry) { e.Namespace = strings.Repeat("0", 64) }), true},
		"no namespace":      {entry(func(e *runtime.SemanticEntry) { e.Namespace = "" }), true},
		"from the future":   {entry(func(e *runtime.SemanticEntry) { e.Stored = time.Now().Add(time.Hour) }), true},
		"of no time":        {entry(func(e *runtime.SemanticEntry) { e.Stored = time.Time{} }), true},
		"too old":           {entry(func(e *runtime.SemanticEntry) { e.Stored = time.Now().Add(-2 * time.Hour) }), false},
		"a failure":         {entry(func(e *runtime.SemanticEntry) { e.Status = 503 }), true},
		"too large":         {entry(func(e *runtime.SemanticEntry) { e.Body = bytes.Repeat([]byte(" "), 1<<20+1) }), true},
		"not alike":         {entry(func(e *runtime.SemanticEntry) { clear(e.Vector); e.Vector[2] = 1 }), false},
		"NaN":               {entry(number(math.NaN())), true},
		"Inf":               {entry(number(math.Inf(-1))), true},
		"another length":    {entry(func(e *runtime.SemanticEntry) { e.Vector = e.Vector[1:] }), true},
		"zeros":             {entry(func(e *runtime.SemanticEntry) { clear(e.Vector) }), true},
		"no JSON":           {entry(body("<html>")), false},
		"half of it":        {entry(body(`{"name":"ke`)), false},
		"another type":      {entry(body(`{"name":{"first":"a"}}`)), false},
		"a list":            {entry(body(`[]`)), false},
		"cut":               {entry(body(`{"name":"kept","choices":[{"finish_reason":"length","message":{"content":"a"}}]}`)), false},
		"a call of a tool":  {entry(body(`{"name":"kept","choices":[{"finish_reason":"tool_calls","message":{"tool_calls":[{}]}}]}`)), false},
		"filtered":          {entry(body(`{"name":"kept","choices":[{"finish_reason":"content_filter","message":{"content":"a"}}]}`)), false},
		"another encoding":  {entry(func(e *runtime.SemanticEntry) { e.Header.Set("Content-Type", "text/html") }), false},
		"an error": {func(context.Context, string, []float32) ([]runtime.SemanticEntry, error) {
			return nil, errors.New("no")
		}, true},
		"a panic": {func(context.Context, string, []float32) ([]runtime.SemanticEntry, error) { panic("no") }, true},
		"no return": {func(ctx context.Context, _ string, _ []float32) ([]runtime.SemanticEntry, error) {
			<-ctx.Done()
			return nil, ctx.Err()
		}, true},
		"deaf": {func(context.Context, string, []float32) ([]runtime.SemanticEntry, error) {
			sleep(time.Minute)
			return nil, nil
		}, true},
		"nothing but nothing": {func(context.Context, string, []float32) ([]runtime.SemanticEntry, error) {
			return make([]runtime.SemanticEntry, 1_000), nil
		}, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				client := newAlike(t, &vectorStore{nearest: c.nearest}, constant, func(p *policy.Plan) { p.Errors.Judge = true })
				began := time.Now()
				if got := client.said(ada(t.Context()), question("Who?")); got != "one 1" {
					t.Errorf("it got %q", got)
				}
				if took := time.Since(began); took > 100*time.Millisecond {
					t.Errorf("it took %v", took)
				}
				if told := len(client.told.Events(runtime.StoreFailed)) > 0; told != c.told {
					t.Errorf("told: %v", told)
				}
				sleep(2 * time.Minute) // until what was left behind has returned
			})
		})
	}
}

// bytesOf is a copy of a vector.
func bytesOf(v []float32) []float32 { return append([]float32(nil), v...) }

// Writes go beside the call; what comes while too many are under way is dropped, counted and told.
func TestWritesOfVectorsAreBounded(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		store := &vectorStore{set: func(context.Context, runtime.SemanticEntry) error { sleep(time.Hour); return nil }}
		c := newAlike(t, store, words)
		began := time.Now()
		for i := range 20 {
			c.said(ada(t.Context()), question(strings.Repeat("a", i+1)))
		}
		if took := time.Since(began); took > 0 {
			t.Errorf("calls waited %v for the store", took)
		}
		synctest.Wait()
		store.mu.Lock()
		kept := len(store.kept)
		store.mu.Unlock()
		dropped := int64(0)
		for _, m := range c.group.Snapshot() {
			dropped += m.Caches["Get"].Dropped
		}
		if kept != 16 || dropped != 4 || len(c.told.Events(runtime.StoreFailed)) != 4 {
			t.Errorf("%d kept, %d dropped, %d told", kept, dropped, len(c.told.Events(runtime.StoreFailed)))
		}
		for _, e := range store.kept {
			if strings.Contains(e.Namespace, "ada") || strings.Contains(e.Namespace, "acme") || len(e.Namespace) != 64 {
				t.Errorf("the namespace tells whose it is: %q", e.Namespace)
			}
		}
		sleep(2 * time.Hour)
	})
}

// Many calls at once, of several subjects, over one store: none is given another's.
func TestSubjectsAtOnce(t *testing.T) {
	t.Parallel()
	c := newAlike(t, semantic.New(semantic.Config{Entries: 20}), constant)
	var all sync.WaitGroup
	for i := range 8 {
		all.Go(func() {
			subject := string(rune('a' + i))
			ctx := runtime.WithSubject(runtime.WithTenant(t.Context(), "acme"), subject)
			mine := map[string]bool{}
			for n := range 50 {
				res, err := c.talk(ctx, question(strings.Repeat("x", n%7+1)))
				if err != nil {
					t.Error(err)
					return
				}
				if res.Similarity > 0 && !mine[res.Value.Name] {
					t.Errorf("%s was given %q", subject, res.Value.Name)
				}
				mine[res.Value.Name] = true
			}
		})
	}
	all.Wait()
}

// An entry that cannot be read hides none that can be: the rung gives the older answer.
func TestWhatCannotBeReadHidesNothing(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		store := &vectorStore{}
		c := newAlike(t, store, constant)
		c.said(ada(t.Context()), question("Who?"))
		sleep(5 * time.Minute)
		c.answer = func(string, int) (int, string) { return 503, "" }
		store.nearest = func(_ context.Context, namespace string, vector []float32) ([]runtime.SemanticEntry, error) {
			return []runtime.SemanticEntry{{
				Namespace: namespace, Vector: bytesOf(vector), Entry: runtime.Entry{Status: 200, Stored: time.Now().Add(-time.Second), Body: []byte(`{"name":"ke`)},
			}}, nil
		}
		equal(t, "the very question", c.said(ada(t.Context()), question("Who?")), "one 1, 5m0s old, 0.00 alike remembered")
		equal(t, "another", c.said(ada(t.Context()), question("How?")), "transient")
	})
}

// A write that fails in any way is counted and told, and gives its place to the next.
func TestWritesThatFailAreTold(t *testing.T) {
	t.Parallel()
	for name, set := range map[string]func() error{
		"an error":            func() error { return errors.New("no") },
		"a panic":             func() error { panic("no") },
		"the goroutine's end": func() error { goruntime.Goexit(); return nil },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				c := newAlike(t, &vectorStore{set: func(context.Context, runtime.SemanticEntry) error { return set() }}, words)
				for i := range 20 { // more than may be under way
					c.said(ada(t.Context()), question(strings.Repeat("a", i+1)))
					synctest.Wait()
				}
				counted := policy.CacheSnapshot{}
				for _, m := range c.group.Snapshot() {
					if at, ok := m.Caches["Get"]; ok && at.Missed > 0 {
						counted = at
					}
				}
				if told := len(c.told.Events(runtime.StoreFailed)); counted.Failed != 20 || counted.Dropped != 0 || told != 20 {
					t.Errorf("%+v, %d told", counted, told)
				}
			})
		})
	}
}
