package runtime_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/resgen-go/resgen/runtime"
	"github.com/resgen-go/resgen/runtime/policy"
	"github.com/resgen-go/resgen/runtime/wire"
)

// C004: one header, in the form that the server wants, whatever the request says.
func TestC004_KeyHeader(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		key    policy.Key
		own    string
		header string
		want   []string
		fails  bool
	}{
		"bare":                {key: policy.Key{Header: "Idempotency-Key"}, own: `order-77 "x"`, want: []string{`order-77 "x"`}},
		"string":              {key: policy.Key{Header: "Idempotency-Key", Format: policy.KeySFString}, own: `order-77 "x\y"`, want: []string{`"order-77 \"x\\y\""`}},
		"string that is none": {key: policy.Key{Header: "Idempotency-Key", Format: policy.KeySFString}, own: "größe", fails: true},
		"two lines":           {key: policy.Key{Header: "Idempotency-Key"}, own: "a\r\nX: y", fails: true},
		"replaces":            {key: policy.Key{Header: "idempotency-key"}, own: "k", header: "from the request", want: []string{"k"}},
		"the request's own":   {key: policy.Key{Header: "Idempotency-Key", Source: policy.KeyParam, From: "key"}, header: "from the request", want: []string{"from the request"}},
		"no header, no key":   {own: "k"},
		"a function gives it": {key: policy.Key{Header: "Idempotency-Key", Source: policy.KeyFunc, From: "mint"}, want: []string{"minted"}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var s seen
			h := runtime.NewHTTP(spec(), runtime.WithHTTPClient(s.client()), runtime.WithWired("mint", func(context.Context) (string, error) { return "minted", nil }))
			op := h.Operation(plan(keyed, func(p *policy.Plan) { p.Key = tt.key }))
			if err := h.Err(); err != nil {
				t.Fatal(err)
			}
			r := wire.NewRequest("POST", "/")
			if tt.header != "" {
				r.Header("Idempotency-Key", wire.Simple, tt.header)
			}
			ctx := t.Context()
			if tt.own != "" {
				ctx = runtime.WithIdempotencyKey(ctx, tt.own)
			}
			_, err := runtime.Do(ctx, op, func(ctx context.Context, at runtime.Attempt) (*thing, error) {
				return runtime.Send(ctx, h, at, r, wire.JSON[thing])
			})
			if tt.fails {
				if !errors.Is(err, runtime.ErrCaller) || len(s.requests) != 0 {
					t.Errorf("%v after %d requests", err, len(s.requests))
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, s.requests[0].Header.Values("Idempotency-Key")); diff != "" {
				t.Errorf("header (-want +got):\n%s", diff)
			}
		})
	}
}

// C058: a target that is ours is told which attempt this is and how much time is left: less each time, never more than there is, never
// nothing. Others are told nothing.
func TestC058_Signals(t *testing.T) {
	for _, target := range []string{"ours", "two"} {
		synctest.Test(t, func(t *testing.T) {
			var s seen
			var left []time.Duration
			began := time.Now()
			s.respond = func(r *http.Request) (*http.Response, error) {
				left = append(left, time.Second-time.Since(began))
				if len(s.requests) < 3 {
					return reply(503, "")(r)
				}
				return reply(200, `{"name":"a"}`)(r)
			}
			sp := spec()
			sp.Targets = append(sp.Targets, policy.Target{Name: "primary", Internal: target == "ours"})
			h := runtime.NewHTTP(sp, runtime.WithHTTPClient(s.client()), runtime.WithGroup(still()))
			op := h.Operation(plan(func(p *policy.Plan) { p.Timeout = policy.Timeout{} }))
			if err := h.Err(); err != nil {
				t.Fatal(err)
			}
			ctx, cancel := context.WithTimeout(runtime.WithCriticality(t.Context(), runtime.Sheddable), time.Second)
			defer cancel()
			_, err := runtime.Do(ctx, op, func(ctx context.Context, at runtime.Attempt) (*thing, error) {
				return runtime.Send(ctx, h, at, wire.NewRequest("GET", "/"), wire.JSON[thing])
			})
			if err != nil || len(s.requests) != 3 {
				t.Fatalf("%v after %d requests", err, len(s.requests))
			}
			before := time.Hour
			for i, r := range s.requests {
				if target != "ours" {
					for name := range r.Header {
						if strings.HasPrefix(name, "X-Resgen") {
							t.Errorf("%s goes to a target that is not ours", name)
						}
					}
					continue
				}
				ms, err := strconv.Atoi(r.Header.Get("X-Resgen-Timeout-Ms"))
				told := time.Duration(ms) * time.Millisecond
				if err != nil || told <= 0 || told > left[i] || told >= before {
					t.Errorf("attempt %d is told of %s (%v), %s are left", i+1, told, err, left[i])
				}
				before = told
				if got, want := r.Header.Get("X-Resgen-Attempt"), strconv.Itoa(i+1)+"/3"; got != want {
					t.Errorf("attempt %q, want %q", got, want)
				}
				if got := r.Header.Get("X-Resgen-Criticality"); got != "sheddable" {
					t.Errorf("criticality %q", got)
				}
			}
		})
	}
}

// An internal target is told how important a call is also where the operation says so, and not the caller.
func TestTheImportanceOfAnOperationIsTold(t *testing.T) {
	t.Parallel()
	for said, want := range map[runtime.Criticality]string{policy.CriticalityUnset: "critical", runtime.Sheddable: "sheddable"} {
		var s seen
		sp := spec()
		sp.Targets = append(sp.Targets, policy.Target{Name: policy.PrimaryTarget, Internal: true})
		h := runtime.NewHTTP(sp, runtime.WithHTTPClient(s.client()))
		op := h.Operation(plan(func(p *policy.Plan) { p.Criticality = policy.Critical }))
		if err := h.Err(); err != nil {
			t.Fatal(err)
		}
		_, _ = runtime.Do(runtime.WithCriticality(t.Context(), said), op, func(ctx context.Context, at runtime.Attempt) (*thing, error) {
			return runtime.Send(ctx, h, at, wire.NewRequest("GET", "/"), wire.JSON[thing])
		})
		if got := s.requests[0].Header.Get("X-Resgen-Criticality"); got != want {
			t.Errorf("the caller says %q: the target is told %q, want %q", said, got, want)
		}
	}
}

// C058: without a deadline there is no header; with less than a millisecond left, and when it has passed, nothing is sent.
func TestC058_NoTimeLeft(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var s seen
		h := runtime.NewHTTP(spec(), runtime.WithHTTPClient(s.client()))
		h.Operation(plan(ladder(other("ours"))))
		if err := h.Err(); err != nil {
			t.Fatal(err)
		}
		at := runtime.Attempt{Target: "ours", Number: 1}
		if err := call(t.Context(), h, at); err != nil || s.requests[0].Header.Get("X-Resgen-Timeout-Ms") != "" {
			t.Fatalf("no deadline: %v, %v", err, s.requests[0].Header)
		}
		for _, left := range []time.Duration{999 * time.Microsecond, 0, -time.Second} {
			ctx, cancel := context.WithTimeout(t.Context(), left)
			err := call(ctx, h, at)
			cancel()
			var transport *wire.TransportError
			if !errors.Is(err, context.DeadlineExceeded) || !errors.As(err, &transport) || !transport.Refused || len(s.requests) != 1 {
				t.Errorf("%s left: %v after %d requests", left, err, len(s.requests))
			}
		}
	})
}

func TestHeadersOfACall(t *testing.T) {
	t.Parallel()
	var s seen
	h := runtime.NewHTTP(spec(), runtime.WithHTTPClient(s.client()), runtime.WithCredential("bearer", "t"))
	op := h.Operation(plan())
	if err := h.Err(); err != nil {
		t.Fatal(err)
	}
	ctx := runtime.WithHeader(runtime.WithHeader(t.Context(), "x-call", "1"), "X-Call", "2")
	_, err := runtime.Do(ctx, op, func(ctx context.Context, at runtime.Attempt) (*thing, error) {
		r := wire.NewRequest("GET", "/")
		r.Header("X-Call", wire.Simple, "of the operation")
		r.Security([]string{"bearer"})
		return runtime.Send(ctx, h, at, r, wire.JSON[thing])
	})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(http.Header{"X-Call": {"1", "2"}, "Authorization": {"Bearer t"}}, s.requests[0].Header); diff != "" {
		t.Errorf("header (-want +got):\n%s", diff)
	}
}

// The body is closed whatever becomes of the answer: read, given up, or a panic of the reader. An answer that keeps it closes it itself.
func TestSendClosesTheBody(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		read func(*wire.Response) (io.Closer, error)
		want int
	}{
		"read":     {func(r *wire.Response) (io.Closer, error) { _, err := wire.Text(r); return io.NopCloser(nil), err }, 1},
		"unread":   {func(*wire.Response) (io.Closer, error) { return io.NopCloser(nil), nil }, 1},
		"error":    {func(r *wire.Response) (io.Closer, error) { return nil, r.Unexpected() }, 1},
		"panic":    {func(*wire.Response) (io.Closer, error) { panic("reader") }, 1},
		"download": {func(r *wire.Response) (io.Closer, error) { return wire.NewDownload(r) }, 0},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			body := &counted{Reader: strings.NewReader("body")}
			s := seen{respond: func(*http.Request) (*http.Response, error) {
				return &http.Response{StatusCode: http.StatusOK, Header: http.Header{}, Body: body, ContentLength: 4}, nil
			}}
			h := runtime.NewHTTP(spec(), runtime.WithHTTPClient(s.client()))
			h.Operation(plan())
			if err := h.Err(); err != nil {
				t.Fatal(err)
			}
			var v io.Closer
			func() {
				defer func() {
					if p := recover(); (p != nil) != (name == "panic") {
						t.Errorf("panic: %v", p)
					}
				}()
				var err error
				v, err = runtime.Send(t.Context(), h, runtime.Attempt{}, wire.NewRequest("GET", "/"), tt.read)
				if (err != nil) != (name == "error") {
					t.Errorf("error: %v", err)
				}
			}()
			if body.closed != tt.want {
				t.Errorf("closed %d times, want %d", body.closed, tt.want)
			}
			if name == "download" {
				if err := v.Close(); err != nil || body.closed != 1 {
					t.Errorf("close: %v, %d times", err, body.closed)
				}
			}
		})
	}
}

type counted struct {
	io.Reader

	closed int
}

func (c *counted) Close() error {
	c.closed++
	return nil
}

// C005: a body that is a plain reader is sent once, and the second attempt says why it is not made.
func TestC005_AOneShotBodyIsNotSentTwice(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &server{steps: []func(*http.Request) (*http.Response, error){reply(503, ""), reply(200, `{"name":"a"}`)}}
		c := newCaller(t, plan(), s)
		r := wire.NewRequest("PUT", "/")
		r.Content("text/plain", wire.FromReader(io.MultiReader(strings.NewReader(strings.Repeat("x", 100<<10)))))
		_, err := runtime.Do(t.Context(), c.op, func(ctx context.Context, at runtime.Attempt) (*thing, error) {
			return runtime.Send(ctx, c.http, at, r, wire.JSON[thing])
		})
		if err == nil || !errors.Is(err, wire.ErrNotReplayable) || len(s.hits) != 1 || len(s.hits[0].body) != 100<<10 {
			t.Errorf("%v after %d hits", err, len(s.hits))
		}
	})
}

// What is ours is told of the trace, and that somebody above retries already; others are not.
func TestT30_T38_AnInternalTargetIsToldWhoRetries(t *testing.T) {
	t.Parallel()
	type traceKey struct{}
	tests := []struct {
		name    string
		ctx     func(context.Context) context.Context
		attempt string
		above   string
	}{
		{"we retry", nil, "1/3", ""},
		{"somebody above retries", runtime.WithoutRetries, "1/1", "1"},
		{"both", func(ctx context.Context) context.Context {
			return runtime.AllowNestedRetries(runtime.WithoutRetries(ctx))
		}, "1/3", "1"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			var s seen
			sp := runtime.HTTPSpec{Name: "llm", BaseURL: "http://llm.test", Targets: []policy.Target{{Name: "primary", Internal: true}}}
			h := runtime.NewHTTP(sp, runtime.WithHTTPClient(s.client()), runtime.WithInjector(func(ctx context.Context, h http.Header) {
				h.Set("Traceparent", ctx.Value(traceKey{}).(string))
				h["Tracestate"] = []string{"a=1", "b=2"}
				h.Set("X-Resgen-Attempt", "9/9")
			}))
			op := h.Operation(plan(func(p *policy.Plan) { p.Targets = sp.Targets }))
			if err := h.Err(); err != nil {
				t.Fatal(err)
			}
			ctx := context.WithValue(t.Context(), traceKey{}, "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01")
			if tt.ctx != nil {
				ctx = tt.ctx(ctx)
			}
			_, _ = runtime.Do(ctx, op, func(ctx context.Context, at runtime.Attempt) (*thing, error) {
				return runtime.Send(ctx, h, at, wire.NewRequest("GET", "/"), wire.JSON[thing])
			})
			got := s.requests[0].Header
			for name, want := range map[string]string{
				"Traceparent": "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01", "Tracestate": "a=1, b=2",
				"X-Resgen-Attempt": tt.attempt, "X-Resgen-Do-Not-Retry": tt.above,
			} {
				if got.Get(name) != want {
					t.Errorf("%s: %q, want %q", name, got.Get(name), want)
				}
			}
		})
	}
}

func TestNothingIsInjectedForOthers(t *testing.T) {
	t.Parallel()
	var s seen
	h := runtime.NewHTTP(spec(), runtime.WithHTTPClient(s.client()), runtime.WithInjector(func(_ context.Context, h http.Header) {
		h.Set("Traceparent", "00-1-1-01")
	}))
	h.Operation(plan())
	if err := h.Err(); err != nil {
		t.Fatal(err)
	}
	if _ = call(runtime.WithoutRetries(t.Context()), h, runtime.Attempt{Number: 1}); s.requests[0].Header.Get("Traceparent") != "" {
		t.Errorf("a stranger is told: %v", s.requests[0].Header)
	}
}
