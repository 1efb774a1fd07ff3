package runtime_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"strings"
	"sync"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/resgen-go/resgen/runtime"
	"github.com/resgen-go/resgen/runtime/policy"
	"github.com/resgen-go/resgen/runtime/wire"
)

// hit is a request that a target saw.
type hit struct {
	at   time.Time
	key  string
	body string
}

// server is a target in memory: it answers each request with the next of its steps, the last one again and again.
type server struct {
	mu    sync.Mutex
	steps []func(*http.Request) (*http.Response, error)
	hits  []hit
}

func (s *server) RoundTrip(r *http.Request) (*http.Response, error) {
	var body []byte
	if r.Body != nil {
		var err error
		if body, err = io.ReadAll(r.Body); err != nil {
			return nil, err
		}
	}
	s.mu.Lock()
	n := len(s.hits)
	s.hits = append(s.hits, hit{time.Now(), strings.Join(r.Header.Values("Idempotency-Key"), ","), string(body)})
	step := s.steps[min(n, len(s.steps)-1)]
	s.mu.Unlock()
	return step(r)
}

// reply answers with a status, a JSON body, and headers: name and value in turn.
func reply(status int, body string, header ...string) func(*http.Request) (*http.Response, error) {
	return func(r *http.Request) (*http.Response, error) {
		h := http.Header{"Content-Type": {"application/json"}}
		for i := 0; i+1 < len(header); i += 2 {
			h.Set(header[i], header[i+1])
		}
		return &http.Response{StatusCode: status, Header: h, Body: io.NopCloser(strings.NewReader(body)), ContentLength: -1, Request: r}, nil
	}
}

// lost takes the request and loses the reply.
func lost(*http.Request) (*http.Response, error) { return nil, syscall.ECONNRESET }

// truncated answers with a body that breaks off.
func truncated(*http.Request) (*http.Response, error) {
	body := io.MultiReader(strings.NewReader(`{"name":"a`), failingReader{})
	return &http.Response{
		StatusCode: http.StatusOK, Header: http.Header{"Content-Type": {"application/json"}}, Body: io.NopCloser(body), ContentLength: 500,
	}, nil
}

type failingReader struct{}

func (failingReader) Read([]byte) (int, error) { return 0, io.ErrUnexpectedEOF }

type thing struct {
	Name string `json:"name"`
}

type fault struct {
	Error struct {
		Code string `json:"code"`
	} `json:"error"`
}

// caller is a client of one operation.
type caller struct {
	http *runtime.HTTP
	op   *runtime.Operation
}

func newCaller(t *testing.T, p policy.Plan, s *server, opts ...runtime.ClientOption) *caller {
	t.Helper()
	c := &caller{http: runtime.NewHTTP(
		runtime.HTTPSpec{Name: "shop", BaseURL: "http://user:hunter2@h", Schemes: []wire.Scheme{{Name: "key", Kind: wire.APIKey, In: wire.InQuery, Param: "api_key"}}},
		append([]runtime.ClientOption{
			runtime.WithHTTPClient(&http.Client{Transport: s}), runtime.WithGroup(still()), runtime.WithCredential("key", "s3cr3t-key"),
		}, opts...)...)}
	c.op = c.http.Operation(p)
	if err := c.http.Err(); err != nil {
		t.Fatal(err)
	}
	return c
}

func (c *caller) create(ctx context.Context, method string) (*thing, error) {
	r := wire.NewRequest(method, "/things")
	r.Security([]string{"key"})
	if method == "POST" {
		r.JSON(thing{Name: "a"})
	}
	return runtime.Do(ctx, c.op, func(ctx context.Context, at runtime.Attempt) (*thing, error) {
		return runtime.Send(ctx, c.http, at, r, func(r *wire.Response) (*thing, error) {
			switch {
			case r.Status == 200 || r.Status == 201:
				return wire.JSON[thing](r)
			case r.Status >= 400:
				return nil, wire.Failure[fault](r)
			}
			return nil, r.Unexpected()
		})
	})
}

// unsafe makes a plan that of a POST which must not be executed twice.
func unsafe(p *policy.Plan) { p.Idempotency, p.Retry.On = policy.None, policy.RetryOn(policy.None) }

// keyed makes a plan that of a POST with an idempotency key.
func keyed(p *policy.Plan) {
	p.Idempotency, p.Retry.On, p.Key.Header = policy.Keyed, policy.RetryOn(policy.Keyed), "Idempotency-Key"
}

func TestC001_ALostReplyToAPOSTIsNotSentAgain(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := &server{steps: []func(*http.Request) (*http.Response, error){lost, reply(201, `{"name":"a"}`)}}
		_, err := newCaller(t, plan(unsafe), s).create(t.Context(), "POST")
		if len(s.hits) != 1 || !errors.Is(err, runtime.ErrReset) || !strings.Contains(err.Error(), "may have been processed") {
			t.Errorf("%d hits, %v; want one, and why", len(s.hits), err)
		}
	})
}

func TestC002_OneKeyOnTheWire(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := &server{steps: []func(*http.Request) (*http.Response, error){reply(503, ""), lost, reply(201, `{"name":"a"}`)}}
		c := newCaller(t, plan(keyed), s)
		for range 2 {
			if _, err := c.create(t.Context(), "POST"); err != nil {
				t.Fatal(err)
			}
		}
		h := s.hits
		if len(h) != 4 || h[0].key == "" || h[0].key != h[1].key || h[1].key != h[2].key || h[3].key == h[0].key {
			t.Errorf("hits %+v; want one key for each call", h)
		}
		for i, h := range h {
			if h.body != `{"name":"a"}` || strings.Contains(h.key, ",") {
				t.Errorf("hit %d: body %q, key %q; want the whole body and one key", i, h.body, h.key)
			}
		}
		s.hits = nil
		if _, err := c.create(runtime.WithIdempotencyKey(t.Context(), "order-77"), "POST"); err != nil {
			t.Fatal(err)
		}
		for _, h := range s.hits {
			if h.key != "order-77" {
				t.Errorf("key %q, want the caller's own", h.key)
			}
		}
	})
}

func TestC008_ATruncatedBodyIsRetriedWhereThatIsSafe(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := &server{steps: []func(*http.Request) (*http.Response, error){truncated, reply(200, `{"name":"b"}`)}}
		if got, err := newCaller(t, plan(), s).create(t.Context(), "GET"); err != nil || got.Name != "b" || len(s.hits) != 2 {
			t.Errorf("GET: %+v, %v after %d hits; want the second answer", got, err, len(s.hits))
		}
		s = &server{steps: []func(*http.Request) (*http.Response, error){truncated}}
		_, err := newCaller(t, plan(unsafe), s).create(t.Context(), "POST")
		var e *runtime.Error
		if !errors.As(err, &e) || e.Status != 200 || !errors.Is(err, io.ErrUnexpectedEOF) || len(s.hits) != 1 {
			t.Errorf("POST: %v after %d hits; want a cut body of a 200, once", err, len(s.hits))
		}
	})
}

func TestC022_TheLastRealErrorOnTheWire(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := &server{steps: []func(*http.Request) (*http.Response, error){reply(503, `{"error":{"code":"x1"}}`)}}
		_, err := newCaller(t, plan(), s).create(t.Context(), "GET")
		var typed *wire.PayloadError[fault]
		var e *runtime.Error
		if !errors.As(err, &typed) || typed.Payload.Error.Code != "x1" || !errors.As(err, &e) || e.Attempts != 3 {
			t.Errorf("got %v; want the typed 503 after 3 attempts", err)
		}
	})
}

func TestC026_TheSameTableForEveryOperation(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		for _, c := range []struct {
			statuses []int
			hits     int
		}{
			{[]int{408, 429, 500, 502, 503, 504, 520, 522, 524, 529}, 2},
			{[]int{400, 401, 403, 404, 405, 409, 410, 422, 425, 501, 505}, 1},
		} {
			for _, status := range c.statuses {
				s := &server{steps: []func(*http.Request) (*http.Response, error){reply(status, ""), reply(200, `{"name":"a"}`)}}
				_, err := newCaller(t, plan(func(p *policy.Plan) { p.Retry.Attempts = 2 }), s).create(t.Context(), "GET")
				if len(s.hits) != c.hits || (err == nil) != (c.hits == 2) {
					t.Errorf("%d: %d hits, %v; want %d", status, len(s.hits), err, c.hits)
				}
			}
		}
	})
}

func TestOpenAIsErrors(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		for body, want := range map[string]policy.Kind{
			`{"error":{"code":"insufficient_quota","type":"insufficient_quota"}}`:                                    policy.KindUnusable,
			`{"error":{"code":"rate_limit_exceeded"}}`:                                                               policy.KindThrottle,
			`{"error":{"code":"rate_limit_exceeded","message":"Request too large for gpt-4: Limit 1, Requested 2"}}`: policy.KindContextTooLong,
			`{"error":{"code":"context_length_exceeded"}}`:                                                           policy.KindContextTooLong,
			`{"error":{"code":"content_policy_violation"}}`:                                                          policy.KindRefused,
			`{"error":{"code":null,"message":"slow"}}`:                                                               policy.KindThrottle,
			`not json`: policy.KindThrottle,
		} {
			s := &server{steps: []func(*http.Request) (*http.Response, error){reply(429, body)}}
			_, err := newCaller(t, plan(noRetry, func(p *policy.Plan) { p.Errors.Preset = "openai" }), s).create(t.Context(), "GET")
			if got := runtime.KindOf(err); got != want {
				t.Errorf("%s: %v, want %v", body, got, want)
			}
		}
	})
}

func TestRulesOfTheUserComeFirst(t *testing.T) {
	t.Parallel()
	p := plan(noRetry, func(p *policy.Plan) {
		p.Errors = policy.Errors{Preset: "openai", Rules: []policy.ErrorRule{
			{Kind: policy.KindUnusable, Status: 404, Pointer: "/error/code", Equals: "deployment_gone"},
			{Kind: policy.KindTransient, Pointer: "/error/inner~1code/n", Equals: "7"},
			{Kind: policy.KindThrottle, Status: 418},
		}}
	})
	for _, c := range []struct {
		status int
		body   string
		want   policy.Kind
	}{
		{404, `{"error":{"code":"deployment_gone"}}`, policy.KindUnusable},
		{404, `{"error":{"code":"no_such_user"}}`, policy.KindCaller},
		{400, `{"error":{"inner/code":{"n":7}}}`, policy.KindTransient},
		{418, ``, policy.KindThrottle},
		{429, `{"error":{"code":"insufficient_quota"}}`, policy.KindUnusable},
	} {
		s := &server{steps: []func(*http.Request) (*http.Response, error){reply(c.status, c.body)}}
		_, err := newCaller(t, p, s).create(t.Context(), "GET")
		if got := runtime.KindOf(err); got != c.want {
			t.Errorf("%d %s: %v, want %v", c.status, c.body, got, c.want)
		}
	}
}

func TestCaptureTellsWhatIsBesideTheAnswer(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := &server{steps: []func(*http.Request) (*http.Response, error){reply(503, ""), reply(200, `{"name":"a"}`, "X-Request-Id", "r-2")}}
		var meta runtime.Meta
		if _, err := newCaller(t, plan(), s).create(runtime.Capture(t.Context(), &meta), "GET"); err != nil {
			t.Fatal(err)
		}
		meta.Header = nil
		want := runtime.Meta{Status: 200, RequestID: "r-2", Attempts: 2, Target: policy.PrimaryTarget, Elapsed: 100 * time.Millisecond}
		if diff := cmp.Diff(want, meta); diff != "" {
			t.Errorf("meta (-want +got):\n%s", diff)
		}
	})
}

func TestSecretsAreInNoErrorAndNoLog(t *testing.T) {
	t.Parallel()
	for name, step := range map[string]func(*http.Request) (*http.Response, error){
		"a transport that names the URL": func(r *http.Request) (*http.Response, error) {
			return nil, errors.New("cannot reach " + r.URL.String())
		},
		"a server that echoes the key": func(r *http.Request) (*http.Response, error) { return reply(400, r.URL.String())(r) },
	} {
		var log bytes.Buffer
		logger := slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug}))
		s := &server{steps: []func(*http.Request) (*http.Response, error){step}}
		c := newCaller(t, plan(noRetry), s, runtime.WithObserver(runtime.Slog(logger)))
		_, err := c.create(t.Context(), "GET")
		if err == nil || log.Len() == 0 {
			t.Fatalf("%s: %v, log %q", name, err, log.String())
		}
		for _, text := range []string{err.Error(), log.String()} {
			if strings.Contains(text, "s3cr3t-key") || strings.Contains(text, "hunter2") {
				t.Errorf("%s: a secret in %q", name, text)
			}
		}
	}
}

func TestT01_OverHTTP(t *testing.T) {
	t.Parallel()
	hang := func(r *http.Request) (*http.Response, error) {
		<-r.Context().Done()
		return nil, r.Context().Err()
	}
	synctest.Test(t, func(t *testing.T) {
		s := &server{steps: []func(*http.Request) (*http.Response, error){hang}}
		c := newCaller(t, plan(withBreaker(5)), s)
		for i := range 50 {
			ctx, cancel := context.WithCancel(t.Context())
			if i%2 == 0 {
				ctx, cancel = context.WithTimeout(t.Context(), 20*time.Millisecond)
			} else {
				time.AfterFunc(20*time.Millisecond, cancel)
			}
			if _, err := c.create(ctx, "GET"); !errors.Is(err, ctx.Err()) {
				t.Errorf("got %v, want %v", err, ctx.Err())
			}
			cancel()
		}
		s.steps = append(s.steps[:0], reply(200, `{"name":"a"}`))
		if _, err := c.create(t.Context(), "GET"); err != nil {
			t.Errorf("after 50 cancels: %v; want an answer: the breaker has seen no evidence", err)
		}
		s.steps = append(s.steps[:0], hang)
		for range 5 {
			if _, err := c.create(t.Context(), "GET"); !errors.Is(err, runtime.ErrTimeout) {
				t.Errorf("got %v, want our timeout", err)
			}
		}
		if _, err := c.create(t.Context(), "GET"); !errors.Is(err, runtime.ErrBreakerOpen) {
			t.Errorf("after five timeouts: %v, want an open breaker", err)
		}
	})
}
