package runtime_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	goruntime "runtime"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/resgen-go/resgen/runtime"
	"github.com/resgen-go/resgen/runtime/cache"
	"github.com/resgen-go/resgen/runtime/policy"
	"github.com/resgen-go/resgen/runtime/runtimetest"
	"github.com/resgen-go/resgen/runtime/wire"
)

// cachedClient is a client with a cache in front of a target that counts, and a second target.
type cachedClient struct {
	h     *runtime.HTTP
	op    *runtime.Operation
	group *runtime.Group
	told  runtimetest.Recorder
	mu    sync.Mutex
	asked map[string]int // by host
	// answer is what a target answers next: by host, and the number of the request to it.
	answer func(host string, n int) (status int, body string)
	header http.Header
}

func newCached(t *testing.T, store runtime.Store, p policy.Plan, opts ...runtime.ClientOption) *cachedClient {
	t.Helper()
	c := &cachedClient{group: still(), asked: map[string]int{}, header: http.Header{"Content-Type": {"application/json"}}}
	opts = append(opts, runtime.WithStore(store), runtime.WithHTTPClient(&http.Client{Transport: c}), runtime.WithObserver(&c.told),
		runtime.WithGroup(c.group))
	c.h = runtime.NewHTTP(spec(), opts...)
	c.op = c.h.Operation(p)
	if err := c.h.Err(); err != nil {
		t.Fatal(err)
	}
	return c
}

func (c *cachedClient) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.Body != nil {
		_ = r.Body.Close()
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.asked[r.URL.Host]++
	n := c.asked[r.URL.Host]
	code, body := 200, fmt.Sprintf(`{"name":"%s %d"}`, r.URL.Host, n)
	if c.answer != nil {
		code, body = c.answer(r.URL.Host, n)
	}
	return &http.Response{
		StatusCode: code, Header: c.header.Clone(), Body: io.NopCloser(strings.NewReader(body)), ContentLength: int64(len(body)), Request: r,
		Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
	}, nil
}

// get asks for a thing.
func (c *cachedClient) get(ctx context.Context, id string) (runtime.Result[*thing], error) {
	r := wire.NewRequest("GET", "/things/"+id)
	return runtime.DoResult(ctx, c.op, func(ctx context.Context, at runtime.Attempt) (*thing, error) {
		if at.Rung > 0 && at.Target == "" {
			return &thing{Name: "sorry"}, nil
		}
		return runtime.Send(ctx, c.h, at, r, readThing)
	}, r)
}

// readThing reads an answer of 2xx, as generated code does.
func readThing(r *wire.Response) (*thing, error) {
	if r.Status/100 != 2 {
		return nil, r.Unexpected()
	}
	return wire.JSON[thing](r)
}

// names returns what calls get that ask for the things, one after the other: the name, and the age of what was remembered.
func (c *cachedClient) names(t *testing.T, ctx context.Context, ids ...string) []string {
	t.Helper()
	var all []string
	for _, id := range ids {
		res, err := c.get(ctx, id)
		switch {
		case err != nil:
			all = append(all, runtime.KindOf(err).String())
		case res.Age > 0:
			all = append(all, fmt.Sprintf("%s, %s old", res.Value.Name, res.Age))
		default:
			all = append(all, res.Value.Name)
		}
	}
	return all
}

func equal[T any](t *testing.T, what string, got, want T) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", what, diff)
	}
}

// caches gives a plan a cache: fresh for a minute, and with a rung for an hour more.
func caches(p *policy.Plan) { p.Cache = policy.CacheConfig{On: true, TTL: time.Minute} }

func staleIfError(p *policy.Plan) {
	p.Cache = policy.CacheConfig{On: true, TTL: time.Minute, StaleIfError: time.Hour}
	p.Fallback.Rungs = append(p.Fallback.Rungs, policy.Rung{Name: "remembered", Sort: policy.RungCache, When: anyKind(), Level: policy.Stale})
}

func TestAFreshAnswerIsGivenWithoutAsking(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c := newCached(t, cache.New(cache.Config{}), plan(caches, func(p *policy.Plan) {
			p.Bulkhead = policy.BulkheadConfig{MaxConcurrent: 1}
		}))
		equal(t, "the first", c.names(t, t.Context(), "a", "b"), []string{"one 1", "one 2"})
		sleep(30 * time.Second)
		equal(t, "fresh", c.names(t, t.Context(), "a", "b"), []string{"one 1, 30s old", "one 2, 30s old"})
		sleep(30 * time.Second)
		equal(t, "too old", c.names(t, t.Context(), "a"), []string{"one 3"})
		res, err := c.get(t.Context(), "a")
		if err != nil || res.Attempts != 0 || res.Degraded || res.Rung != "" || res.Level != policy.Equal || res.Cause != nil {
			t.Errorf("%+v, %v", res, err)
		}
		var hits []string
		for _, e := range c.told.Events(runtime.CacheHit) {
			hits = append(hits, fmt.Sprintf("rung %d, %s", e.Rung, e.Age))
		}
		equal(t, "told", hits, []string{"rung 0, 30s", "rung 0, 30s", "rung 0, 0s"})
		if n := len(c.told.Events(runtime.AttemptStart)); n != 3 {
			t.Errorf("%d attempts told, want 3", n)
		}
	})
}

// Callers share no memory: one writes to its answer, and the next gets what came.
func TestAnAnswerIsDecodedAnew(t *testing.T) {
	t.Parallel()
	c := newCached(t, cache.New(cache.Config{}), plan(caches))
	first, _ := c.get(t.Context(), "a")
	first.Value.Name = "mine"
	second, err := c.get(t.Context(), "a")
	if err != nil || second.Value.Name != "one 1" || second.Value == first.Value {
		t.Errorf("%+v, %v", second.Value, err)
	}
	if c.asked["one"] != 1 {
		t.Errorf("%d requests", c.asked["one"])
	}
}

// A fresh hit is in front of everything that guards a target: an open breaker, a full bulkhead.
func TestAFreshAnswerPassesNoGuard(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c := newCached(t, cache.New(cache.Config{}), plan(noRetry, caches, func(p *policy.Plan) { p.Breaker = breaker(1) }))
		c.answer = func(_ string, n int) (int, string) {
			if n > 1 {
				return 503, ""
			}
			return 200, `{"name":"a"}`
		}
		equal(t, "names", c.names(t, t.Context(), "a", "b", "c", "a"), []string{"a", "transient", "breaker-open", "a"})
	})
}

// No tenant sees another's answer, nor does a caller who adds a header that may say who asks. The id of a request changes nothing.
func TestWhoAsksIsPartOfTheKey(t *testing.T) {
	t.Parallel()
	c := newCached(t, cache.New(cache.Config{}), plan(caches))
	for i, ctx := range []context.Context{
		t.Context(), runtime.WithTenant(t.Context(), "a"), runtime.WithTenant(t.Context(), "b"),
		runtime.WithHeader(t.Context(), "Authorization", "Bearer 1"), runtime.WithHeader(t.Context(), "Authorization", "Bearer 2"),
	} {
		want := fmt.Sprintf("one %d", i+1)
		got := c.names(t, ctx, "x", "x")
		if got[0] != want || !strings.HasPrefix(got[1], want) || c.asked["one"] != i+1 {
			t.Errorf("caller %d gets %q after %d requests", i, got, c.asked["one"])
		}
	}
	one := runtime.WithHeader(runtime.WithHeader(t.Context(), "Accept", "a"), "Role", "b")
	two := runtime.WithHeader(runtime.WithHeader(runtime.WithHeader(t.Context(), "Accept", "a"), "Accept", "Role"), "Accept", "b")
	if c.names(t, one, "y"); c.asked["one"] != 6 {
		t.Fatal("the first of both is a hit")
	}
	if c.names(t, two, "y"); c.asked["one"] != 7 {
		t.Error("a value passes for a name")
	}
	c.asked["one"] = 5
	c.names(t, runtime.WithHeader(t.Context(), "X-Request-Id", "7"), "x")
	if c.asked["one"] != 5 {
		t.Error("the id of a request is a miss")
	}
}

// What is kept in a store that clients share is told apart by the client's name, the operation, and the address.
func TestClientsThatShareAStore(t *testing.T) {
	t.Parallel()
	store := cache.New(cache.Config{})
	a := newCached(t, store, plan(caches))
	b := newCached(t, store, plan(caches), runtime.WithBaseURL("http://else"))
	op := newCached(t, store, plan(caches, func(p *policy.Plan) { p.Operation = "List" }))
	twin := newCached(t, store, plan(caches))
	for _, c := range []*cachedClient{a, b, op, twin} {
		c.names(t, t.Context(), "x", "x")
	}
	equal(t, "requests", []int{a.asked["one"], b.asked["else"], op.asked["one"], twin.asked["one"]}, []int{1, 1, 1, 0})
}

// What is degraded, canned, or no success is never kept (trap T65).
func TestT65_OnlyNormalAnswersOfTheOperationItselfAreKept(t *testing.T) {
	t.Parallel()
	fails := func(n int) func(string, int) (int, string) {
		return func(host string, i int) (int, string) {
			if host == "one" && i <= n {
				return 503, ""
			}
			return 200, `{"name":"` + host + `"}`
		}
	}
	big := `{"name":"` + strings.Repeat("x", 1<<20) + `"}`
	tests := []struct {
		name   string
		plan   policy.Plan
		answer func(string, int) (int, string)
		header http.Header
		want   int // requests for two calls of the same
	}{
		{"the operation itself", plan(caches), nil, nil, 1},
		{"after a retry", plan(caches), fails(1), nil, 2},
		{"another target", plan(noRetry, caches, ladder(other("two"))), fails(1), nil, 2 + 1},
		{"a fixed answer", plan(noRetry, caches, ladder(static("sorry"))), fails(1), nil, 2},
		{"an error", plan(noRetry, caches), fails(1), nil, 2},
		{"no content", plan(noRetry, caches), func(string, int) (int, string) { return 204, "" }, nil, 2},
		{"what does not decode", plan(noRetry, caches), func(string, int) (int, string) { return 200, `{"name":` }, nil, 2},
		{"what is too large", plan(caches), func(string, int) (int, string) { return 200, big }, nil, 2},
		{"what is not to be kept", plan(caches), nil, http.Header{"Cache-Control": {"private, No-Store"}}, 2},
		{"what another line says", plan(caches), nil, http.Header{"Cache-Control": {"private", "no-store"}}, 2},
		{"what depends on more than the request", plan(caches), nil, http.Header{"Vary": {"Accept", "*"}}, 2},
		{"what depends on the request", plan(caches), nil, http.Header{"Vary": {"Accept"}}, 1},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				store := cache.New(cache.Config{})
				c := newCached(t, store, tt.plan)
				c.answer = tt.answer
				maps.Copy(c.header, tt.header)
				c.names(t, t.Context(), "a", "a")
				if got := c.asked["one"] + c.asked["two"]; got != tt.want {
					t.Errorf("%d requests, want %d", got, tt.want)
				}
			})
		})
	}
}

// An answer of a model that was cut, filtered, or wants a tool to be called is not kept.
func TestT65_CompletionsThatAreNotNormal(t *testing.T) {
	t.Parallel()
	openai := plan(caches, func(p *policy.Plan) { p.Errors.Preset = "openai" })
	for body, want := range map[string]int{
		`{"choices":[{"finish_reason":"stop"}]}`:                                         1,
		`{"choices":[{"finish_reason":"stop"},{"finish_reason":"length"}]}`:              2,
		`{"choices":[{"finish_reason":"content_filter"}]}`:                               2,
		`{"choices":[{"finish_reason":"tool_calls"}]}`:                                   2,
		`{"object":"response","status":"completed","output":[]}`:                         1,
		`{"object":"response","status":"incomplete","output":[]}`:                        2,
		`{"object":"response","status":"completed","output":[{"type":"function_call"}]}`: 2,
		`{"object":"batch","status":"in_progress"}`:                                      1,
		`{"object":"embedding"}`:                                                         1,
	} {
		c := newCached(t, cache.New(cache.Config{}), openai)
		c.answer = func(string, int) (int, string) { return 200, body }
		c.names(t, t.Context(), "a", "a")
		if c.asked["one"] != want {
			t.Errorf("%s: %d requests, want %d", body, c.asked["one"], want)
		}
	}
	c := newCached(t, cache.New(cache.Config{}), plan(caches))
	c.answer = func(string, int) (int, string) { return 200, `{"choices":[{"finish_reason":"length"}]}` }
	if c.names(t, t.Context(), "a", "a"); c.asked["one"] != 1 {
		t.Error("an API that is no model's has a preset's rules")
	}
}

func TestStaleIfError(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c := newCached(t, cache.New(cache.Config{}), plan(noRetry, staleIfError, func(p *policy.Plan) {
			p.Fallback.Rungs = append(p.Fallback.Rungs, static("sorry"))
		}))
		down := false
		c.answer = func(_ string, n int) (int, string) {
			if down {
				return 503, ""
			}
			return 200, fmt.Sprintf(`{"name":"%d"}`, n)
		}
		c.names(t, t.Context(), "a")
		down = true
		equal(t, "fresh", c.names(t, t.Context(), "a"), []string{"1"})
		sleep(2 * time.Minute)
		res, err := c.get(t.Context(), "a")
		if err != nil || res.Cause == nil {
			t.Fatalf("%+v, %v", res, err)
		}
		res.Cause = nil
		equal(t, "stale", res, runtime.Result[*thing]{
			Value: &thing{Name: "1"}, Degraded: true, Rung: "remembered", Level: policy.Stale, Reason: policy.KindTransient, Age: 2 * time.Minute,
			Attempts: 1,
		})
		equal(t, "never asked before", c.names(t, t.Context(), "b"), []string{"sorry"})
		equal(t, "a caller that wants nothing stale", c.names(t, runtime.WithMinLevel(t.Context(), policy.Reduced), "a"), []string{"transient"})
		equal(t, "a caller that wants no fallback", c.names(t, runtime.WithoutFallback(t.Context()), "a"), []string{"transient"})
		sleep(59*time.Minute - 1)
		equal(t, "at the end", c.names(t, t.Context(), "a"), []string{fmt.Sprintf("1, %s old", 61*time.Minute-1)})
		sleep(1)
		equal(t, "too old", c.names(t, t.Context(), "a"), []string{"sorry"})
		down = false
		equal(t, "well again", c.names(t, t.Context(), "a", "a"), []string{"8", "8"})
		var took []string
		for _, e := range c.told.Events(runtime.CacheHit) {
			took = append(took, fmt.Sprintf("%q %s", e.RungName, e.Age))
		}
		equal(t, "told", took, []string{`"" 0s`, `"remembered" 2m0s`, `"remembered" ` + (61*time.Minute - 1).String(), `"" 0s`})
	})
}

// What was remembered and cannot be read any more is as if it were not there.
func TestAnEntryThatDoesNotDecodeIsAMiss(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		store := &farStore{entry: runtime.Entry{Status: 200, Body: []byte(`{"name":1}`), Stored: time.Now()}, found: true}
		c := newCached(t, store, plan(noRetry, staleIfError, func(p *policy.Plan) {
			p.Fallback.Rungs = append(p.Fallback.Rungs, static("sorry"))
		}))
		equal(t, "fresh", c.names(t, t.Context(), "a"), []string{"one 1"})
		c.answer = func(string, int) (int, string) { return 503, "" }
		equal(t, "and no rung has it", c.names(t, t.Context(), "a"), []string{"sorry"})
		store.entry.Stored = time.Now().Add(-2 * time.Minute)
		equal(t, "stale", c.names(t, t.Context(), "a"), []string{"sorry"})
		if n := len(c.told.Events(runtime.CacheHit)); n != 0 {
			t.Errorf("%d hits are told", n)
		}
	})
}

// farStore is a store outside the process.
type farStore struct {
	entry runtime.Entry
	found bool
	get   func(ctx context.Context) error
	set   func(ctx context.Context) error
	mu    sync.Mutex
	keys  []string
	kept  []time.Duration
}

func (s *farStore) Get(ctx context.Context, key string) (runtime.Entry, bool, error) {
	s.mu.Lock()
	s.keys = append(s.keys, key)
	s.mu.Unlock()
	if s.get != nil {
		if err := s.get(ctx); err != nil {
			return runtime.Entry{}, true, err
		}
	}
	return s.entry, s.found, nil
}

func (s *farStore) asked() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.keys)
}

func (s *farStore) Set(ctx context.Context, _ string, e runtime.Entry, keep time.Duration) error {
	if s.set != nil {
		if err := s.set(ctx); err != nil {
			return err
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.kept = append(s.kept, keep)
	return nil
}

// A store that is slow, broken or panics costs a call ten milliseconds at most, and is told; it never fails a call.
func TestAStoreNeverFailsACall(t *testing.T) {
	t.Parallel()
	slow := func(ctx context.Context) error { <-ctx.Done(); return ctx.Err() }
	broken := func(context.Context) error { return errors.New("broken") }
	panics := func(context.Context) error { panic("no") }
	for name, tt := range map[string]struct {
		store *farStore
		took  time.Duration
		told  int
	}{
		"slow":         {&farStore{get: slow}, 10 * time.Millisecond, 1},
		"broken":       {&farStore{get: broken, set: broken}, 0, 2},
		"panics":       {&farStore{get: panics, set: panics}, 0, 2},
		"slow writing": {&farStore{set: slow}, 0, 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				c := newCached(t, tt.store, plan(caches))
				began := time.Now()
				equal(t, "answer", c.names(t, t.Context(), "a"), []string{"one 1"})
				if took := time.Since(began); took != tt.took {
					t.Errorf("the call took %s, want %s", took, tt.took)
				}
				sleep(time.Minute)
				synctest.Wait()
				failed := c.told.Events(runtime.StoreFailed)
				if len(failed) != tt.told || failed[0].Err == nil || failed[0].Operation != "shop.Get" {
					t.Errorf("told: %+v", failed)
				}
			})
		})
	}
}

// A store that does not end with its context is left behind, and soon not asked any more, until it has answered.
func TestAStoreThatIsDeafHoldsNobodyUp(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		deaf := make(chan struct{})
		store := &farStore{get: func(context.Context) error { <-deaf; return nil }}
		c := newCached(t, store, plan(caches))
		began := time.Now()
		for i := range 20 {
			c.names(t, t.Context(), fmt.Sprint(i))
		}
		if took, asked := time.Since(began), store.asked(); took != 16*10*time.Millisecond || asked != 16 {
			t.Errorf("20 calls took %v and asked %d times, want that 16 waited for 10 ms and the others not at all", took, asked)
		}
		if n := len(c.told.Events(runtime.StoreFailed)); n != 20 {
			t.Errorf("%d failures are told, want 20", n)
		}
		close(deaf)
		synctest.Wait()
		c.names(t, t.Context(), "x")
		if store.asked() != 17 {
			t.Error("it is not asked again, although it has answered")
		}
	})
}

func TestWritesBesideTheCallAreBounded(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		store := &farStore{set: func(ctx context.Context) error { <-ctx.Done(); return nil }}
		c := newCached(t, store, plan(caches, func(p *policy.Plan) { p.Cache.StaleIfError = 0 }))
		ctx, cancel := context.WithCancel(t.Context())
		for i := range 40 {
			c.names(t, ctx, fmt.Sprint(i))
		}
		cancel() // what is written is kept all the same
		if n := len(c.told.Events(runtime.StoreFailed)); n != 24 {
			t.Errorf("%d of 40 not kept, want all but 16", n)
		}
		sleep(2 * time.Second)
		synctest.Wait()
		if len(store.kept) != 16 || store.kept[0] != time.Minute {
			t.Errorf("kept for %v", store.kept)
		}
		for _, key := range store.keys {
			if len(key) != 64 || strings.Contains(key, "things") {
				t.Fatalf("the key is %q", key)
			}
		}
	})
}

func TestAClientWithACacheNeedsAStore(t *testing.T) {
	t.Parallel()
	want := "shop: shop.Get: its policy has a cache, and the client has no store: give it " +
		"runtime.WithStore(cache.New(cache.Config{})), with package github.com/resgen-go/resgen/runtime/cache"
	for _, opts := range [][]runtime.ClientOption{nil, {runtime.WithStore(nil)}, {runtime.WithStore((*cache.Cache)(nil))}} {
		h := runtime.NewHTTP(spec(), opts...)
		h.Operation(plan(caches))
		if err := h.Err(); err == nil || err.Error() != want {
			t.Errorf("error %v, want %s", err, want)
		}
	}
}

// Without something to tell what a call asks, nothing is cached.
func TestWhatCannotBeToldIsNotCached(t *testing.T) {
	t.Parallel()
	store := &farStore{}
	c := newCached(t, store, plan(caches))
	for range 2 {
		_, err := runtime.Do(t.Context(), c.op, func(ctx context.Context, at runtime.Attempt) (*thing, error) {
			return runtime.Send(ctx, c.h, at, wire.NewRequest("GET", "/things"), readThing)
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if c.asked["one"] != 2 || len(store.keys) != 0 {
		t.Errorf("%d requests, the store was asked for %q", c.asked["one"], store.keys)
	}
}

func TestASnapshotShowsWhatCachesGave(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c := newCached(t, cache.New(cache.Config{}), plan(noRetry, staleIfError))
		c.names(t, t.Context(), "a", "b", "a")
		sleep(2 * time.Minute)
		c.answer = func(string, int) (int, string) { return 503, "" }
		c.names(t, t.Context(), "a", "c")
		equal(t, "snapshot", c.group.Snapshot()[0].Caches, map[string]policy.CacheSnapshot{"Get": {Fresh: 1, Stale: 1, Missed: 4, Stored: 2}})
		other := newCached(t, &farStore{get: func(context.Context) error { return errors.New("broken") }}, plan(caches))
		other.names(t, t.Context(), "a")
		synctest.Wait()
		equal(t, "failures", other.group.Snapshot()[0].Caches, map[string]policy.CacheSnapshot{"Get": {Missed: 1, Stored: 1, Failed: 1}})
	})
}

// What the caller captures says how old its answer is, and no more of an answer before.
// A program that makes a client for each request, of one group, keeps nothing of those that are gone, and counts for all of them.
func TestAGroupKeepsNoClients(t *testing.T) { // alone: it looks at the heap
	g, store := runtime.NewGroup(), cache.New(cache.Config{})
	make1 := func() {
		if _, err := runtime.NewOperation(g, "shop", plan(caches), runtime.Wiring{Store: store}); err != nil {
			t.Fatal(err)
		}
	}
	heap := func() int64 {
		var m goruntime.MemStats
		goruntime.GC()
		goruntime.ReadMemStats(&m)
		return int64(m.HeapAlloc)
	}
	make1()
	before := heap()
	const many = 5000
	for range many {
		make1()
	}
	if each := (heap() - before) / many; each > 20 {
		t.Errorf("%d bytes are kept of each client", each)
	}
	goruntime.KeepAlive(g)
}

func TestTheCallerCapturesTheAge(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c := newCached(t, cache.New(cache.Config{}), plan(caches))
		var meta runtime.Meta
		ctx := runtime.Capture(t.Context(), &meta)
		c.names(t, ctx, "a")
		sleep(30 * time.Second)
		c.names(t, ctx, "a")
		if meta.Age != 30*time.Second || meta.Attempts != 0 || meta.Target != "" {
			t.Errorf("captured of an answer that was remembered: %+v", meta)
		}
		sleep(time.Minute)
		if c.names(t, ctx, "a"); meta.Age != 0 || meta.Attempts != 1 {
			t.Errorf("captured of an answer that came: %+v", meta)
		}
	})
}

// A function that panics while it reads what is remembered leaves nothing behind, and what the call held is nothing.
func TestAPanicWhileReadingWhatIsRemembered(t *testing.T) {
	t.Parallel()
	c := newCached(t, cache.New(cache.Config{}), plan(caches))
	c.names(t, t.Context(), "a")
	r := wire.NewRequest("GET", "/things/a")
	func() {
		defer func() {
			if recover() == nil {
				t.Error("the panic is lost")
			}
		}()
		_, _ = runtime.DoResult(t.Context(), c.op, func(context.Context, runtime.Attempt) (*thing, error) { panic("no") }, r)
	}()
	if starts, ends := c.told.Events(runtime.AttemptStart), c.told.Events(runtime.AttemptEnd); len(starts) != 1 || len(ends) != 1 {
		t.Errorf("%d starts and %d ends of attempts are told, want those of the first call", len(starts), len(ends))
	}
	if ends := c.told.Events(runtime.CallEnd); len(ends) != 2 || ends[1].Err == nil {
		t.Errorf("ends of calls: %+v", ends)
	}
}
