package runtime_test

import (
	"compress/gzip"
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/resgen-go/resgen/runtime"
	"github.com/resgen-go/resgen/runtime/policy"
	"github.com/resgen-go/resgen/runtime/wire"
)

// zips compresses what a step answers, flushing as it does.
func zips(step playStep) playStep {
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Encoding", "gzip")
		z := gzip.NewWriter(w)
		step(zipWriter{w, z}, r)
		_ = z.Close()
	}
}

type zipWriter struct {
	http.ResponseWriter

	z *gzip.Writer
}

func (w zipWriter) Write(p []byte) (int, error) { return w.z.Write(p) }

func (w zipWriter) FlushError() error {
	if err := w.z.Flush(); err != nil {
		return err
	}
	return http.NewResponseController(w.ResponseWriter).Flush()
}

func TestC029_CompressedBodiesAreDecoded(t *testing.T) {
	t.Parallel()
	for _, asked := range []bool{false, true} {
		in := func(t *testing.T) context.Context {
			t.Helper()
			if asked {
				return runtime.WithHeader(t.Context(), "Accept-Encoding", "gzip")
			}
			return t.Context()
		}
		synctest.Test(t, func(t *testing.T) {
			s := against(t, once(), []playStep{zips(ok()), zips(fails(503))})
			res, err := s.call(in(t), http.MethodGet)
			if err != nil || res.Value.Name != "a" {
				t.Errorf("asked=%t: %+v, %v; want it decoded", asked, res.Value, err)
			}
			var payload *wire.PayloadError[fault]
			if err := s.get(in(t)); !errors.As(err, &payload) || payload.Payload.Error.Code != "x1" {
				t.Errorf("asked=%t: %v; want the error's fields", asked, err)
			}
		})
		synctest.Test(t, func(t *testing.T) {
			s := streamsFrom(t, streamPlan(), []playStep{zips(sends(chunk{0, data(`{"name":"a"}`), nil}, chunk{time.Second, data(`{"name":"b"}`), nil}, chunk{0, done, nil}))})
			stream, err := s.open(in(t))
			if err != nil {
				t.Fatal(err)
			}
			start := time.Now()
			for item, err := range stream.All() {
				if err != nil || item.Name == "a" && time.Since(start) != 0 {
					t.Errorf("asked=%t: %+v, %v after %v; want each item as it is flushed", asked, item, err, time.Since(start))
				}
			}
			if got := stream.Partial(); len(got) != 2 {
				t.Errorf("asked=%t: %+v, want two items", asked, got)
			}
		})
		synctest.Test(t, func(t *testing.T) { // a bomb: the limit is on what comes out
			s := against(t, once(), []playStep{zips(answers(200, `{"name":"`+strings.Repeat("a", 8<<20)+`"}`))}, runtime.WithBodyLimit(1<<20))
			var limit *wire.LimitError
			if err := s.get(in(t)); !errors.As(err, &limit) || limit.Limit != 1<<20 || s.pushed.Load() > 1<<20 {
				t.Errorf("asked=%t: %v after %d bytes; want the limit named", asked, err, s.pushed.Load())
			}
		})
	}
}

func TestC031_ConnectionsAreReusedBetweenAttempts(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		small := answers(503, strings.Repeat("x", 2<<10))
		var steps []playStep
		for range 20 {
			steps = append(steps, times(4, small, ok())...)
		}
		s := against(t, retrying(5, time.Millisecond, time.Millisecond), steps)
		for range 20 {
			if err := s.get(t.Context()); err != nil {
				t.Error(err)
			}
		}
		if n := s.accepted.Load(); n > 2 || len(s.seen()) != 100 {
			t.Errorf("%d connections for %d requests, want at most 2 for 100", n, len(s.seen()))
		}
	})
	synctest.Test(t, func(t *testing.T) { // the control: draining is bounded
		big := func(w http.ResponseWriter, r *http.Request) {
			w.WriteHeader(http.StatusServiceUnavailable)
			_, _ = io.CopyN(w, zeros{}, 50<<20)
		}
		s := against(t, retrying(2, time.Millisecond, time.Millisecond), []playStep{big, ok()})
		if err := s.get(t.Context()); err != nil || s.pushed.Load() > 1<<20 {
			t.Errorf("%v after %d bytes, want less than 1 MiB", err, s.pushed.Load())
		}
	})
}

type zeros struct{}

func (zeros) Read(p []byte) (int, error) { return len(p), nil }

// C034: 307/308 must keep method and body. C035: credentials follow a cross-host redirect.
func TestC034_C035_Redirects(t *testing.T) {
	t.Parallel()
	to := func(status int, url string) playStep { return answers(status, "", "Location", url) }
	show := func(r request) string {
		return r.method + r.path + "|" + r.body + "|" + r.header.Get("Idempotency-Key") + "|" + r.header.Get("X-Api-Version") + "|" + r.header.Get("Authorization")
	}
	for name, c := range map[string]struct {
		steps    []playStep
		want     string
		attempts int
		err      error
	}{
		"307": {
			[]playStep{to(307, "/v2"), answers(201, `{"name":"a"}`)},
			`POST/things|{"name":"a"}|k|3|Bearer s3cr3t POST/v2|{"name":"a"}|k|3|Bearer s3cr3t`, 1, nil,
		},
		"308": {
			[]playStep{to(308, "/v2"), answers(201, `{"name":"a"}`)},
			`POST/things|{"name":"a"}|k|3|Bearer s3cr3t POST/v2|{"name":"a"}|k|3|Bearer s3cr3t`, 1, nil,
		},
		"another host, then a retry": {
			[]playStep{to(307, "http://other.test/x"), fails(503), ok()},
			`POST/things|{"name":"a"}|k|3|Bearer s3cr3t POST/x|{"name":"a"}||| POST/things|{"name":"a"}|k|3|Bearer s3cr3t`, 2, nil,
		},
		"loop": {
			[]playStep{to(307, "/things")},
			strings.TrimSpace(strings.Repeat(`POST/things|{"name":"a"}|k|3|Bearer s3cr3t `, 11)), 1, runtime.ErrPermanent,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				s := against(t, retrying(3, time.Millisecond, time.Millisecond, keyed, func(p *policy.Plan) { p.Breaker = breaker(9) }), c.steps)
				ctx := runtime.WithHeader(runtime.WithIdempotencyKey(t.Context(), "k"), "X-Api-Version", "3")
				_, err := s.call(ctx, http.MethodPost)
				if !errors.Is(err, c.err) {
					t.Errorf("got %v, want %v", err, c.err)
				}
				if diff := cmp.Diff(c.want, texts(s.seen(), show)); diff != "" {
					t.Errorf("requests (-want +got):\n%s", diff)
				}
				if n := len(s.told.Events(runtime.AttemptEnd)); n != c.attempts || s.machines().Breaker.Calls != c.attempts {
					t.Errorf("%d attempts, evidence %+v; want %d", n, s.machines().Breaker, c.attempts)
				}
			})
		})
	}
}

// C001 and C008 over real connections: what a POST may have done is not done twice.
func TestC001_C008_OverConnections(t *testing.T) {
	t.Parallel()
	cut := func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Content-Length", "500")
		_, _ = io.WriteString(w, `{"name":"`+strings.Repeat("a", 111))
		_ = http.NewResponseController(w).Flush()
		panic(http.ErrAbortHandler)
	}
	for name, c := range map[string]struct {
		first  playStep
		method string
		change func(*policy.Plan)
		hits   int
		want   error
	}{
		"C001 POST, reply lost":         {resets, http.MethodPost, unsafe, 1, runtime.ErrReset},
		"C001 GET, reply lost":          {resets, http.MethodGet, func(*policy.Plan) {}, 2, nil},
		"C001 GET that must not repeat": {resets, http.MethodGet, unsafe, 1, runtime.ErrReset},
		"C008 GET, cut":                 {cut, http.MethodGet, func(*policy.Plan) {}, 2, nil},
		"C008 POST, cut":                {cut, http.MethodPost, unsafe, 1, io.ErrUnexpectedEOF},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				s := against(t, retrying(3, time.Millisecond, time.Millisecond, c.change), []playStep{c.first, ok()})
				_, err := s.call(t.Context(), c.method)
				var e *runtime.Error
				if !errors.Is(err, c.want) || len(s.seen()) != c.hits {
					t.Errorf("%v after %d hits, want %v after %d", err, len(s.seen()), c.want, c.hits)
				}
				if c.want != nil && (!errors.As(err, &e) || !e.MayHaveActed || e.Attempts != 1 || !strings.Contains(err.Error(), "may have")) {
					t.Errorf("%v, %+v; want it to say that the request may have been executed", err, e)
				}
			})
		})
	}
}

// The request's editor, and a credential, are the caller's code: their panic is the caller's, and nothing is left behind.
func TestT04_APanicOfTheCallersCodeGivesEverythingBack(t *testing.T) {
	t.Parallel()
	for name, option := range map[string]runtime.ClientOption{
		"editor":     runtime.WithRequestEditor(func(*http.Request) error { panic("mine") }),
		"credential": runtime.WithCredentialFunc("bearer", func(context.Context) (string, error) { panic("mine") }),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				s := against(t, once(func(p *policy.Plan) { p.Breaker, p.Bulkhead.MaxConcurrent = breaker(9), 1 }), []playStep{ok()}, option)
				func() {
					defer func() {
						if p := recover(); p != "mine" {
							t.Errorf("panic %v, want the caller's own", p)
						}
					}()
					_ = s.get(t.Context())
				}()
				if m := s.machines(); m.Bulkhead.InFlight != 0 || m.Breaker.InFlight != 0 || len(s.seen()) != 0 {
					t.Errorf("%+v after %d hits, want nothing left and nothing sent", m, len(s.seen()))
				}
			})
		})
	}
}
