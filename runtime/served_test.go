package runtime_test

import (
	"context"
	"maps"
	"net/http"
	"net/http/httptest"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/resgen-go/resgen/runtime"
	"github.com/resgen-go/resgen/runtime/policy"
	"github.com/resgen-go/resgen/runtime/wire"
)

// answered is what the tests read of an answer.
type answered struct {
	Text string `json:"text"`
}

// askModel makes one call for gpt-4o to a server that answers with that header and body.
func askModel(t *testing.T, served policy.Served, layered bool, header http.Header, body string) (runtime.Result[*answered], runtime.Meta, []runtime.Event) {
	t.Helper()
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		maps.Copy(w.Header(), header)
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write([]byte(body))
	}))
	t.Cleanup(srv.Close)
	var mu sync.Mutex
	var events []runtime.Event
	targets := []policy.Target{{Name: policy.PrimaryTarget, Layered: layered}}
	h := runtime.NewHTTP(runtime.HTTPSpec{Name: "llm", Targets: targets}, runtime.WithBaseURL(srv.URL),
		runtime.WithObserver(runtime.ObserverFunc(func(_ context.Context, e runtime.Event) {
			mu.Lock()
			defer mu.Unlock()
			events = append(events, e)
		})))
	op := h.Operation(policy.Plan{Operation: "Ask", Idempotency: policy.Safe, Served: served, Targets: targets})
	if err := h.Err(); err != nil {
		t.Fatal(err)
	}
	var meta runtime.Meta
	res, err := runtime.DoResult(runtime.Capture(t.Context(), &meta), op, func(ctx context.Context, at runtime.Attempt) (*answered, error) {
		req := wire.NewRequest(http.MethodPost, "/ask")
		req.JSON(map[string]string{"model": "gpt-4o"})
		return runtime.Send(ctx, h, at, req, wire.JSON[answered])
	})
	if err != nil {
		t.Fatal(err)
	}
	return res, meta, events
}

// TestServed: who gave an answer is told, from the body or a header, and another than was asked for is no equal answer where the target may
// have asked somebody else.
func TestServed(t *testing.T) {
	t.Parallel()
	model := policy.Served{Pointer: "/model", Asked: "/model"}
	for name, c := range map[string]struct {
		served      policy.Served
		layered     bool
		header      http.Header
		body        string
		want        string
		substituted bool
	}{
		"the same":              {model, true, nil, `{"text": "x", "model": "gpt-4o-2024-08-06"}`, "gpt-4o-2024-08-06", false},
		"another":               {model, true, nil, `{"model": "small", "text": "x"}`, "small", true},
		"another, as equal":     {policy.Served{Pointer: "/model", Asked: "/model", Equal: []string{"small"}}, true, nil, `{"model": "small"}`, "small", false},
		"no layered target":     {model, false, nil, `{"model": "small"}`, "small", false},
		"not said":              {model, true, nil, `{"text": "x"}`, "", false},
		"no text":               {model, true, nil, `{"model": {"name": "small"}}`, "", false},
		"by a header":           {policy.Served{Header: "X-Model-Id", Asked: "/model"}, true, http.Header{"X-Model-Id": {"small"}}, `{}`, "small", true},
		"nothing is compared":   {policy.Served{Pointer: "/model"}, true, nil, `{"model": "small"}`, "small", false},
		"nothing is looked for": {policy.Served{}, true, nil, `{"model": "small"}`, "", false},
		"unfit to be shown":     {model, false, nil, `{"model": "a\n\u0007b"}`, "ab", false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			res, meta, events := askModel(t, c.served, c.layered, c.header, c.body)
			level, told := policy.Equal, 0
			if c.substituted {
				level, told = policy.Alternate, 1
			}
			if meta.Served != c.want || meta.Substituted != c.substituted || meta.Level != level || meta.Degraded != c.substituted {
				t.Errorf("meta %q, %v, %v, %v; want %q, substituted %v", meta.Served, meta.Substituted, meta.Level, meta.Degraded, c.want, c.substituted)
			}
			if res.Degraded != c.substituted || res.Level != level {
				t.Errorf("result: degraded %v, level %v", res.Degraded, res.Level)
			}
			for i := range events {
				e := &events[i]
				if e.What == runtime.Substituted {
					told--
					if e.Served != c.want || e.Asked != "gpt-4o" || e.Target != policy.PrimaryTarget {
						t.Errorf("event %+v", e)
					}
				}
				if e.What == runtime.CallEnd && (e.Served != c.want || e.Level != level) {
					t.Errorf("the call ends served by %q at level %v", e.Served, e.Level)
				}
			}
			if told != 0 {
				t.Errorf("%d events of a substitute are missing", told)
			}
		})
	}
}

// TestASubstituteIsNotTakenByWhoWantsNone: WithMinLevel holds for the operation itself too.
func TestASubstituteIsNotTakenByWhoWantsNone(t *testing.T) {
	t.Parallel()
	small, large := `{"model": "small", "text": "x"}`, `{"model": "gpt-4o", "text": "x"}`
	for name, c := range map[string]struct {
		worst      runtime.Level
		body, eu   string
		rung       string
		level      runtime.Level
		kind       policy.Kind
		asked, two int
	}{
		"the very model":                      {policy.Equal, large, "", "", policy.Equal, policy.KindNone, 1, 0},
		"another, and that will do":           {policy.Alternate, small, "", "", policy.Alternate, policy.KindNone, 1, 0},
		"another, and none is good enough":    {policy.Equal, small, "", "", policy.Equal, policy.KindUnfit, 1, 0},
		"another, and then the very model":    {policy.Equal, small, large, "eu", policy.Equal, policy.KindNone, 1, 1},
		"another twice":                       {policy.Equal, small, small, "", policy.Equal, policy.KindUnfit, 1, 1},
		"nobody says who, and nobody can say": {policy.Equal, `{"text": "x"}`, "", "", policy.Equal, policy.KindNone, 1, 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var asked, two atomic.Int64
			serve := func(n *atomic.Int64, body string) string {
				srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
					n.Add(1)
					w.Header().Set("Content-Type", "application/json")
					_, _ = w.Write([]byte(body))
				}))
				t.Cleanup(srv.Close)
				return srv.URL
			}
			targets := []policy.Target{{Name: policy.PrimaryTarget, Layered: true}, {Name: "eu", Layered: true}}
			h := runtime.NewHTTP(runtime.HTTPSpec{Name: "llm", Targets: targets}, runtime.WithBaseURL(serve(&asked, c.body)),
				runtime.WithTarget("eu", runtime.WithBaseURL(serve(&two, c.eu))))
			p := policy.Plan{
				Operation: "Ask", Idempotency: policy.Safe, Served: policy.Served{Pointer: "/model", Asked: "/model"}, Targets: targets,
			}
			if c.eu != "" {
				p.Fallback.Rungs = []policy.Rung{{Name: "eu", Sort: policy.RungTarget, Target: "eu", When: anyKind(), Level: policy.Equal}}
			}
			op := h.Operation(p)
			if err := h.Err(); err != nil {
				t.Fatal(err)
			}
			ctx := runtime.WithMinLevel(t.Context(), c.worst)
			res, err := runtime.DoResult(ctx, op, func(ctx context.Context, at runtime.Attempt) (*answered, error) {
				req := wire.NewRequest(http.MethodPost, "/ask")
				req.JSON(map[string]string{"model": "gpt-4o"})
				return runtime.Send(ctx, h, at, req, wire.JSON[answered])
			})
			if got := runtime.KindOf(err); got != c.kind || res.Rung != c.rung || res.Level != c.level {
				t.Errorf("%q, %v, %v; want %q, %v, kind %v", res.Rung, res.Level, err, c.rung, c.level, c.kind)
			}
			if asked.Load() != int64(c.asked) || two.Load() != int64(c.two) {
				t.Errorf("asked %d times, and %d times", asked.Load(), two.Load())
			}
		})
	}
}

// TestAStreamOfASubstituteIsClosed: it is not taken, and nothing of it is held.
func TestAStreamOfASubstituteIsClosed(t *testing.T) {
	t.Parallel()
	closed := make(chan struct{})
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		_, _ = w.Write([]byte("data: {\"model\":\"small\",\"text\":\"x\"}\n\n"))
		_ = http.NewResponseController(w).Flush()
		<-r.Context().Done()
		close(closed)
	}))
	t.Cleanup(srv.Close)
	targets := []policy.Target{{Name: policy.PrimaryTarget, Layered: true}}
	h := runtime.NewHTTP(runtime.HTTPSpec{Name: "llm", Targets: targets}, runtime.WithBaseURL(srv.URL))
	op := h.Operation(policy.Plan{
		Operation: "Ask", Idempotency: policy.Safe, Served: policy.Served{Pointer: "/model", Asked: "/model"}, Targets: targets,
		Stream: policy.Stream{Format: policy.SSE},
	})
	if err := h.Err(); err != nil {
		t.Fatal(err)
	}
	_, err := runtime.Open(runtime.WithMinLevel(t.Context(), policy.Equal), op,
		func(ctx context.Context, at runtime.Attempt) (*runtime.Stream[answered], error) {
			req := wire.NewRequest(http.MethodPost, "/ask")
			req.JSON(map[string]string{"model": "gpt-4o"})
			return runtime.SendStream(ctx, h, at, req, func(r *wire.Response) (*wire.Items[answered], error) {
				return wire.JSONItems[answered](r, policy.Stream{Format: policy.SSE})
			})
		})
	if runtime.KindOf(err) != policy.KindUnfit {
		t.Errorf("%v: want it not to be taken", err)
	}
	<-closed
}
