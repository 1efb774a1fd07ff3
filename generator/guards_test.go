package generator_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/resgen-go/resgen/runtime"
	"github.com/resgen-go/resgen/runtime/cache"
	"github.com/resgen-go/resgen/runtime/policy"
	"github.com/resgen-go/resgen/runtime/semantic"
	"github.com/resgen-go/resgen/runtime/wire"
	"github.com/resgen-go/resgen/testdata/specs/guards/want"
)

// guarded is a client of testdata/specs/guards whose targets are functions.
type guarded struct {
	*guards.Client

	// primary and eu answer requests; a nil one hangs until the attempt is given up.
	primary, eu answering
	// asked counts the requests to primary, and elsewhere those to eu.
	asked, elsewhere atomic.Int64
}

// answering is a target: what it answers to a request, as JSON. The empty text is a 503.
type answering func(r *http.Request) string

// newGuarded makes the client. It must be called in a bubble.
func newGuarded(t *testing.T) *guarded {
	t.Helper()
	g := &guarded{}
	target := func(asked *atomic.Int64, answer *answering) *http.Client {
		return &http.Client{Transport: roundTrip(func(r *http.Request) (*http.Response, error) {
			asked.Add(1)
			if *answer == nil {
				<-r.Context().Done()
				return nil, r.Context().Err()
			}
			return responseOf(r, (*answer)(r)), nil
		})}
	}
	client, err := guards.New(
		guards.WithGroup(runtime.NewGroup(runtime.WithRand(func() float64 { return 0.999 }))), // which exercises no rung: it would be left alone in the bubble
		guards.WithHTTPClient(target(&g.asked, &g.primary)), guards.WithStore(cache.New(cache.Config{})),
		guards.WithEmbedder("local", runtime.Embedder{Embed: embedLocally, Model: "local", Dimensions: 1}),
		guards.WithSemanticStore(semantic.New(semantic.Config{})),
		guards.WithTarget("eu", guards.WithHTTPClient(target(&g.elsewhere, &g.eu))),
		guards.WithTarget("us", guards.WithHTTPClient(target(&g.elsewhere, &g.eu))),
		guards.WithAnswerLocally(func(context.Context) (string, error) { return "local", nil }),
	)
	if err != nil {
		t.Fatal(err)
	}
	g.Client = client
	return g
}

// embedLocally is an embedder to which all texts mean the same.
func embedLocally(context.Context, string) ([]float32, error) { return []float32{1}, nil }

// A generated client answers what means the same, for the same user of the same tenant alone.
func TestGeneratedSemanticCache(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		g := newGuarded(t)
		g.primary = func(*http.Request) string { return `{"text":"answer ` + strconv.FormatInt(g.asked.Load(), 10) + `"}` }
		ask := func(subject, text string) runtime.Result[*guards.Answer] {
			ctx := runtime.WithSubject(runtime.WithTenant(t.Context(), "acme"), subject)
			res, err := g.Chat(ctx, &guards.Question{Model: "large", Text: text})
			if err != nil {
				t.Fatal(err)
			}
			return res
		}
		ask("ada", "What do I owe?")
		if res := ask("ada", "what do i owe"); res.Value.Text != "answer 1" || res.Similarity != 1 || res.Degraded {
			t.Errorf("%+v", res)
		}
		if res := ask("bob", "what do i owe"); res.Value.Text != "answer 2" || res.Similarity != 0 {
			t.Errorf("another's answer: %+v", res)
		}
	})
}

type roundTrip func(*http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

func responseOf(r *http.Request, body string) *http.Response {
	status := http.StatusOK
	if body == "" {
		status = http.StatusServiceUnavailable
	}
	return &http.Response{
		StatusCode: status, Header: http.Header{"Content-Type": {"application/json"}}, Body: io.NopCloser(strings.NewReader(body)), Request: r,
	}
}

func fixed(body string) answering { return func(*http.Request) string { return body } }

// TestGuardedCache answers equal calls from what was answered before, by the values that `key` points at, and no tenant from another's.
func TestGuardedCache(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		g := newGuarded(t)
		g.primary = func(*http.Request) string { return `{"values": [` + strconv.FormatInt(g.asked.Load(), 10) + `]}` }
		for i, c := range []struct {
			ctx  context.Context
			text guards.Text
			want float64
		}{
			{t.Context(), guards.Text{Model: "m", Input: "a"}, 1},
			{t.Context(), guards.Text{Model: "m", Input: "a"}, 1},
			{t.Context(), guards.Text{Model: "m", Input: "a", User: wire.Some("somebody")}, 1},
			{t.Context(), guards.Text{Model: "m", Input: "b"}, 2},
			{runtime.WithTenant(t.Context(), "other"), guards.Text{Model: "m", Input: "a"}, 3},
			{runtime.WithTenant(t.Context(), "other"), guards.Text{Model: "m", Input: "a"}, 3},
		} {
			got, err := g.Embed(c.ctx, &c.text)
			if err != nil || len(got.Values) != 1 || got.Values[0] != c.want {
				t.Errorf("call %d: got %+v, %v, want the answer to request %v", i+1, got, err, c.want)
			}
		}
	})
}

// TestGuardedStale serves what is older than its ttl once nothing answers, and says so.
func TestGuardedStale(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		g := newGuarded(t)
		g.primary, g.eu = fixed(`["a"]`), fixed("")
		ask := func(page int64) (runtime.Result[[]string], error) {
			return g.ListThings(t.Context(), &guards.ListThingsRequest{Page: wire.Some(page)})
		}
		for range 2 { // a ttl of 0s: each is sent
			if res, err := ask(1); err != nil || res.Degraded {
				t.Fatalf("got %+v, %v", res, err)
			}
		}
		if n := g.asked.Load(); n != 2 {
			t.Errorf("%d requests, want 2: nothing is fresh", n)
		}
		g.primary = fixed("")
		<-time.After(30 * time.Minute)
		res, err := ask(1)
		if err != nil || res.Rung != "remembered" || res.Level != policy.Stale || res.Age != 30*time.Minute || len(res.Value) != 1 {
			t.Errorf("got %+v, %v, want what was answered half an hour ago", res, err)
		}
		if res, err := ask(2); err == nil {
			t.Errorf("got %+v for a page that nobody asked for before", res)
		}
		<-time.After(time.Hour)
		if res, err := ask(1); err == nil {
			t.Errorf("got %+v, which is too old", res)
		}
	})
}

// TestGuardedHedge sends a copy elsewhere after the delay, and takes the answer that comes first.
func TestGuardedHedge(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		g := newGuarded(t)
		g.primary, g.eu = fixed(`["primary"]`), fixed(`["eu"]`)
		for range 40 { // each pays a part of a hedge
			if res, err := g.ListThings(t.Context(), nil); err != nil || res.Value[0] != "primary" {
				t.Fatalf("got %+v, %v", res, err)
			}
		}
		if n := g.elsewhere.Load(); n != 0 {
			t.Errorf("%d copies of calls that were answered at once", n)
		}
		g.primary = nil
		began := time.Now()
		res, err := g.ListThings(t.Context(), nil)
		if err != nil || res.Value[0] != "eu" || res.Degraded {
			t.Errorf("got %+v, %v, want the answer of the copy", res, err)
		}
		if took := time.Since(began); took != 150*time.Millisecond {
			t.Errorf("it took %v, want the delay", took)
		}
		synctest.Wait()
	})
}

// TestGuardedLimit refuses what the limit of a day does not let through in the time of the call.
func TestGuardedLimit(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		g := newGuarded(t)
		g.primary = fixed(`"a"`)
		if got, err := g.GetOverlaid(t.Context()); err != nil || got != "a" {
			t.Fatalf("got %q, %v", got, err)
		}
		if got, err := g.GetOverlaid(t.Context()); err != nil || got != "a" || g.asked.Load() != 1 {
			t.Errorf("got %q, %v after %d requests, want it from the cache", got, err, g.asked.Load())
		}
		other := runtime.WithTenant(t.Context(), "other") // whose answers are others
		if got, err := g.GetOverlaid(other); !errors.Is(err, runtime.ErrRateLimited) {
			t.Errorf("got %q, %v, want the limit", got, err)
		}
		<-time.After(24 * time.Hour / 9000)
		if got, err := g.GetOverlaid(other); err != nil || got != "a" {
			t.Errorf("got %q, %v once it is the call's turn", got, err)
		}
	})
}

// TestGuardedForcedOpen sends nothing, and goes on to the rung.
func TestGuardedForcedOpen(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		g := newGuarded(t)
		g.primary = fixed(`"a"`)
		res, err := g.GetRuled(t.Context())
		if err != nil || res.Value != "local" || res.Rung != "local" || g.asked.Load() != 0 {
			t.Errorf("got %+v, %v after %d requests, want the local answer after none", res, err, g.asked.Load())
		}
	})
}
