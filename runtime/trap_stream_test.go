package runtime_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	stdruntime "runtime"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/resgen-go/resgen/runtime"
	"github.com/resgen-go/resgen/runtime/policy"
	"github.com/resgen-go/resgen/runtime/runtimetest"
	"github.com/resgen-go/resgen/runtime/wire"
)

// chunk is a part of a response's body.
type chunk struct {
	after time.Duration
	text  string
	err   error // in place of text
}

// upstream is a target in memory. Each request gets the next of its answers, the last one again and again.
type upstream struct {
	answers []func(*http.Request) (*http.Response, error)
	hits    atomic.Int64
	bodies  atomic.Int64 // that are open
}

func (u *upstream) RoundTrip(r *http.Request) (*http.Response, error) {
	n := int(u.hits.Add(1)) - 1
	return u.answers[min(n, len(u.answers)-1)](r)
}

// sse answers with the chunks of an event stream, at their times, until the request ends.
func (u *upstream) sse(chunks ...chunk) func(*http.Request) (*http.Response, error) {
	return func(r *http.Request) (*http.Response, error) {
		pr, pw := io.Pipe()
		u.bodies.Add(1)
		go func() {
			for _, c := range chunks {
				select {
				case <-time.After(c.after):
				case <-r.Context().Done():
					pw.CloseWithError(r.Context().Err())
					return
				}
				if c.err != nil {
					pw.CloseWithError(c.err)
					return
				}
				if _, err := io.WriteString(pw, c.text); err != nil {
					return
				}
			}
			pw.Close()
		}()
		h := http.Header{"Content-Type": {"text/event-stream"}}
		return &http.Response{StatusCode: http.StatusOK, Header: h, Body: &countedBody{PipeReader: pr, u: u}, ContentLength: -1}, nil
	}
}

// countedBody counts how many bodies are open.
type countedBody struct {
	*io.PipeReader

	u      *upstream
	closed atomic.Bool
}

func (b *countedBody) Close() error {
	if b.closed.CompareAndSwap(false, true) {
		b.u.bodies.Add(-1)
	}
	return b.PipeReader.Close()
}

// fail answers with a status.
func fail(status int) func(*http.Request) (*http.Response, error) {
	return func(*http.Request) (*http.Response, error) {
		return &http.Response{StatusCode: status, Header: http.Header{}, Body: io.NopCloser(strings.NewReader(""))}, nil
	}
}

// silent answers nothing until the request ends.
func silent(r *http.Request) (*http.Response, error) {
	<-r.Context().Done()
	return nil, context.Cause(r.Context())
}

// data is one event.
func data(text string) string { return "data: " + text + "\n\n" }

const done = "data: [DONE]\n\n"

// streamPlan is a plan of two attempts at a stream: first-byte 2 s, first-item 4 s, idle 3 s, item-gap 5 s, max-stream 1 min.
func streamPlan(change ...func(*policy.Plan)) policy.Plan {
	return plan(append([]func(*policy.Plan){func(p *policy.Plan) {
		p.Stream = policy.Stream{Format: policy.SSE, Done: "[DONE]", ErrorEvent: "error", ErrorPointer: "/error"}
		p.Retry.Attempts = 2
		p.Timeout = policy.Timeout{
			Attempt: 8 * time.Second, Total: 20 * time.Second, FirstByte: 2 * time.Second, FirstItem: 4 * time.Second,
			Idle: 3 * time.Second, ItemGap: 5 * time.Second, MaxStream: time.Minute,
		}
		p.Breaker, p.Bulkhead = breaker(1), policy.BulkheadConfig{MaxConcurrent: 1}
		p.Breaker.Consecutive, p.Breaker.MinCalls = 0, 1
	}}, change...)...)
}

// streamer is a client of one operation that streams.
type streamer struct {
	http  *runtime.HTTP
	op    *runtime.Operation
	plan  policy.Plan
	up    *upstream
	group *runtime.Group
	seen  *runtimetest.Recorder
}

func newStreamer(t *testing.T, p policy.Plan, u *upstream) *streamer {
	t.Helper()
	s := &streamer{plan: p, up: u, group: still(), seen: new(runtimetest.Recorder)}
	s.http = runtime.NewHTTP(runtime.HTTPSpec{Name: "llm", BaseURL: "http://h"},
		runtime.WithHTTPClient(&http.Client{Transport: u}), runtime.WithGroup(s.group), runtime.WithObserver(s.seen))
	s.op = s.http.Operation(p)
	if err := s.http.Err(); err != nil {
		t.Fatal(err)
	}
	return s
}

// open opens a stream of texts.
func (s *streamer) open(ctx context.Context) (*runtime.Stream[string], error) {
	return runtime.Open(ctx, s.op, s.run)
}

func (s *streamer) run(ctx context.Context, at runtime.Attempt) (*runtime.Stream[string], error) {
	return runtime.SendStream(ctx, s.http, at, wire.NewRequest("GET", "/s"), func(r *wire.Response) (*wire.Items[string], error) {
		if r.Status != 200 {
			return nil, r.Unexpected()
		}
		return wire.TextItems(r, s.plan.Stream)
	})
}

// collect reads a stream to its end.
func collect(s *runtime.Stream[string]) (items []string, err error) {
	for item, e := range s.All() {
		if e != nil {
			return items, e
		}
		items = append(items, item)
	}
	return items, nil
}

// check reports what is not as after a stream that has ended.
func (s *streamer) check(t *testing.T, want policy.Counts) {
	t.Helper()
	synctest.Wait()
	m := s.group.Snapshot()[0]
	if m.Bulkhead.InFlight != 0 || m.Breaker.InFlight != 0 || s.up.bodies.Load() != 0 {
		t.Errorf("left behind: permits %d, tickets %d, bodies %d", m.Bulkhead.InFlight, m.Breaker.InFlight, s.up.bodies.Load())
	}
	got := policy.Counts{Calls: m.Breaker.Calls, Failures: m.Breaker.Failures, Slow: m.Breaker.Slow}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("evidence (-want +got):\n%s", diff)
	}
	if n := len(s.seen.Events(runtime.StreamEnd)); n > 1 {
		t.Errorf("%d ends told, want one", n)
	}
}

var (
	oneSuccess = policy.Counts{Calls: 1}
	oneFailure = policy.Counts{Calls: 1, Failures: 1}
	nothing    = policy.Counts{}
)

func TestAStreamYieldsItsItemsAndGivesEverythingBack(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		u := new(upstream)
		u.answers = append(u.answers, u.sse(chunk{time.Second, data("a"), nil}, chunk{time.Second, data("b") + data("c"), nil}, chunk{0, done, nil}))
		s := newStreamer(t, streamPlan(), u)
		stream, err := s.open(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if m := s.group.Snapshot()[0]; m.Bulkhead.InFlight != 1 {
			t.Errorf("%d permits held while the stream lives, want 1", m.Bulkhead.InFlight)
		}
		items, err := collect(stream)
		if diff := cmp.Diff([]string{"a", "b", "c"}, items); diff != "" || err != nil {
			t.Errorf("%v, items (-want +got):\n%s", err, diff)
		}
		s.check(t, oneSuccess)
		if again, err := collect(stream); len(again) != 0 || err != nil {
			t.Errorf("a second range: %v, %v; want nothing", again, err)
		}
		if diff := cmp.Diff(items, stream.Partial()); diff != "" {
			t.Errorf("partial (-want +got):\n%s", diff)
		}
	})
}

func TestT67_TimersOfAStream(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		chunks  []chunk
		hang    bool          // no header
		after   time.Duration // when it fails
		says    string
		opened  bool
		retried bool
	}{
		"no header":         {hang: true, after: 2*time.Second + 100*time.Millisecond + 2*time.Second, says: "no response for 2s", retried: true},
		"no first item":     {chunks: pings(10), after: 4*time.Second + 100*time.Millisecond + 4*time.Second, says: "no first item for 4s", retried: true},
		"no bytes at all":   {chunks: []chunk{{time.Hour, "", nil}}, after: 3*time.Second + 100*time.Millisecond + 3*time.Second, says: "no bytes for 3s", retried: true},
		"silence after one": {chunks: []chunk{{0, data("a"), nil}, {time.Hour, "", nil}}, after: 3 * time.Second, says: "no bytes for 3s", opened: true},
		"pings but no item": {chunks: append([]chunk{{0, data("a"), nil}}, pings(10)...), after: 5 * time.Second, says: "no item for 5s", opened: true},
		"never an end":      {chunks: endless(), after: 61 * time.Second, says: "not at its end for 1m0s", opened: true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				u := new(upstream)
				u.answers = append(u.answers, u.sse(c.chunks...))
				if c.hang {
					u.answers[0] = silent
				}
				s := newStreamer(t, streamPlan(func(p *policy.Plan) { p.Breaker = policy.BreakerConfig{} }), u)
				start := time.Now()
				stream, err := s.open(t.Context())
				if (err == nil) != c.opened {
					t.Fatalf("open: %v", err)
				}
				if c.opened {
					_, err = collect(stream)
				}
				if got := time.Since(start); got != c.after || err == nil || !strings.Contains(err.Error(), c.says) {
					t.Errorf("got %v after %v; want %q after %v", err, got, c.says, c.after)
				}
				if !errors.Is(err, runtime.ErrTimeout) || !errors.Is(err, context.DeadlineExceeded) {
					t.Errorf("got %v, want a timeout", err)
				}
				if want := map[bool]int64{true: 2, false: 1}[c.retried]; u.hits.Load() != want {
					t.Errorf("%d hits, want %d", u.hits.Load(), want)
				}
				synctest.Wait()
				if m := s.group.Snapshot()[0]; m.Bulkhead.InFlight != 0 || u.bodies.Load() != 0 {
					t.Errorf("left behind: permits %d, bodies %d", m.Bulkhead.InFlight, u.bodies.Load())
				}
			})
		})
	}
}

// pings are comments, one a second.
func pings(n int) []chunk {
	all := make([]chunk, n)
	for i := range all {
		all[i] = chunk{time.Second, ": ping\n", nil}
	}
	return all
}

// endless is an item a second.
func endless() []chunk {
	all := make([]chunk, 100)
	for i := range all {
		all[i] = chunk{time.Second, data(fmt.Sprint(i)), nil}
	}
	return all
}

func TestT67_ASlowConsumerNeverTripsATimer(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		u := new(upstream)
		u.answers = append(u.answers, u.sse(chunk{0, data("a"), nil}, chunk{time.Second, data("b"), nil}, chunk{2 * time.Second, data("c"), nil}, chunk{0, done, nil}))
		s := newStreamer(t, streamPlan(), u)
		stream, err := s.open(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		n := 0
		for _, err := range stream.All() {
			if err != nil {
				t.Fatalf("after %d items: %v", n, err)
			}
			n++
			sleep(15 * time.Second) // longer than every silence that is allowed
		}
		if n != 3 {
			t.Errorf("%d items, want 3", n)
		}
		s.check(t, oneSuccess)
	})
}

func TestT67_PingsKeepAStreamAlive(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		u := new(upstream)
		chunks := append([]chunk{{0, data("a"), nil}}, pings(4)...)
		u.answers = append(u.answers, u.sse(append(chunks, chunk{0, data("b") + done, nil})...))
		s := newStreamer(t, streamPlan(), u)
		stream, err := s.open(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if items, err := collect(stream); len(items) != 2 || err != nil {
			t.Errorf("got %v, %v; want both items: no silence was longer than 1s", items, err)
		}
	})
}

func TestT69_BeforeTheFirstItemAStreamIsTriedAgain(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		good := []chunk{{0, data("a"), nil}, {0, done, nil}}
		for name, first := range map[string]func(*upstream) func(*http.Request) (*http.Response, error){
			"a status": func(*upstream) func(*http.Request) (*http.Response, error) { return fail(503) },
			"an error event": func(u *upstream) func(*http.Request) (*http.Response, error) {
				return u.sse(chunk{0, "event: error\ndata: {\"error\":{\"type\":\"overloaded_error\"}}\n\n", nil})
			},
			"a cut": func(u *upstream) func(*http.Request) (*http.Response, error) {
				return u.sse(chunk{0, ": hello\n", nil}, chunk{0, "", io.ErrUnexpectedEOF})
			},
			"an early end": func(u *upstream) func(*http.Request) (*http.Response, error) {
				return u.sse(chunk{0, ": hello\n\n", nil})
			},
			"a silent header": func(*upstream) func(*http.Request) (*http.Response, error) { return silent },
		} {
			u := new(upstream)
			u.answers = append(u.answers, first(u), u.sse(good...))
			s := newStreamer(t, streamPlan(func(p *policy.Plan) { p.Breaker = policy.BreakerConfig{} }), u)
			stream, err := s.open(t.Context())
			if err != nil {
				t.Errorf("%s: %v", name, err)
				continue
			}
			if items, err := collect(stream); len(items) != 1 || err != nil || u.hits.Load() != 2 {
				t.Errorf("%s: %v, %v after %d hits; want the good stream alone", name, items, err, u.hits.Load())
			}
		}
	})
}

func TestT69_AfterTheFirstItemAStreamIsCommitted(t *testing.T) {
	t.Parallel()
	two := chunk{0, data("a") + data("b"), nil}
	for name, c := range map[string]struct {
		end  chunk
		kind policy.Kind
		is   error
	}{
		"cut":               {chunk{0, "", io.ErrUnexpectedEOF}, policy.KindReset, io.ErrUnexpectedEOF},
		"ended too early":   {chunk{0, ": bye\n\n", nil}, policy.KindReset, io.ErrUnexpectedEOF},
		"reset":             {chunk{0, "", errors.New("connection reset by peer")}, policy.KindReset, io.ErrUnexpectedEOF},
		"an error event":    {chunk{0, "event: error\ndata: {\"error\":{\"type\":\"overloaded_error\"}}\n\n", nil}, policy.KindTransient, nil},
		"an in-band status": {chunk{0, data(`{"error":{"code":502,"message":"m"}}`), nil}, policy.KindTransient, nil},
		"an unknown error":  {chunk{0, data(`{"error":{"message":"m"}}`), nil}, policy.KindPermanent, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				u := new(upstream)
				u.answers = append(u.answers, u.sse(two, c.end))
				s := newStreamer(t, streamPlan(), u)
				stream, err := s.open(t.Context())
				if err != nil {
					t.Fatal(err)
				}
				items, err := collect(stream)
				if diff := cmp.Diff([]string{"a", "b"}, stream.Partial()); diff != "" || len(items) != 2 {
					t.Errorf("partial (-want +got):\n%s", diff)
				}
				var e *runtime.Error
				if !errors.As(err, &e) || e.Kind != c.kind || !e.MayHaveActed || c.is != nil && !errors.Is(err, c.is) {
					t.Errorf("got %v, want kind %v", err, c.kind)
				}
				if u.hits.Load() != 1 {
					t.Errorf("%d hits, want one", u.hits.Load())
				}
				s.check(t, oneFailure)
				if _, again := collect(stream); !errors.Is(again, err) {
					t.Errorf("a second range: %v, want the same error", again)
				}
			})
		})
	}
}

func TestC068_AStreamThatIsLeftGivesEverythingBack(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		leave func(t *testing.T, s *runtime.Stream[string], cancel func())
		want  policy.Counts
	}{
		"break": {func(_ *testing.T, s *runtime.Stream[string], _ func()) {
			for range s.All() {
				break
			}
		}, oneSuccess},
		"panic in the loop": {func(_ *testing.T, s *runtime.Stream[string], _ func()) {
			defer func() { _ = recover() }()
			for range s.All() {
				panic("consumer")
			}
		}, oneSuccess},
		"close without reading": {func(t *testing.T, s *runtime.Stream[string], _ func()) {
			t.Helper()
			if err := errors.Join(s.Close(), s.Close()); err != nil {
				t.Error(err)
			}
			if _, err := collect(s); !errors.Is(err, runtime.ErrStreamClosed) {
				t.Errorf("reading a closed stream: %v", err)
			}
		}, oneSuccess},
		"close while reading": {func(t *testing.T, s *runtime.Stream[string], _ func()) {
			t.Helper()
			time.AfterFunc(1500*time.Millisecond, func() { _ = s.Close() })
			if items, err := collect(s); len(items) != 2 || !errors.Is(err, runtime.ErrStreamClosed) {
				t.Errorf("got %v, %v", items, err)
			}
		}, oneSuccess},
		"cancel without reading": {func(_ *testing.T, _ *runtime.Stream[string], cancel func()) { cancel() }, nothing},
		"cancel while reading": {func(t *testing.T, s *runtime.Stream[string], cancel func()) {
			t.Helper()
			time.AfterFunc(1500*time.Millisecond, cancel)
			if items, err := collect(s); len(items) != 2 || !errors.Is(err, runtime.ErrCanceled) || !errors.Is(err, context.Canceled) {
				t.Errorf("got %v, %v", items, err)
			}
		}, nothing},
		"left until its longest": {func(_ *testing.T, _ *runtime.Stream[string], _ func()) { sleep(2 * time.Minute) }, nothing},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				u := new(upstream)
				u.answers = append(u.answers, u.sse(append([]chunk{{0, data("first"), nil}}, endless()...)...))
				s := newStreamer(t, streamPlan(), u)
				ctx, cancel := context.WithCancel(t.Context())
				defer cancel()
				stream, err := s.open(ctx)
				if err != nil {
					t.Fatal(err)
				}
				c.leave(t, stream, cancel)
				s.check(t, c.want)
			})
		})
	}
}

func TestT04_APanicBeforeTheFirstItemGivesEverythingBack(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		u := new(upstream)
		u.answers = append(u.answers, u.sse(endless()...))
		s := newStreamer(t, streamPlan(), u)
		func() {
			defer func() {
				if got := recover(); got != "decoder" {
					t.Errorf("recovered %v, want the panic's own value", got)
				}
			}()
			_, _ = runtime.Open(t.Context(), s.op, func(ctx context.Context, at runtime.Attempt) (*runtime.Stream[string], error) {
				return runtime.SendStream(ctx, s.http, at, wire.NewRequest("GET", "/s"), func(*wire.Response) (*wire.Items[string], error) { panic("decoder") })
			})
		}()
		s.check(t, oneFailure)
	})
}

func TestADroppedStreamIsCollected(t *testing.T) {
	t.Parallel()
	u := new(upstream)
	u.answers = append(u.answers, u.sse(chunk{0, data("first"), nil}, chunk{time.Hour, "", nil}))
	s := newStreamer(t, streamPlan(func(p *policy.Plan) { p.Timeout.MaxStream = 0 }), u)
	if _, err := s.open(t.Context()); err != nil {
		t.Fatal(err)
	}
	for range 1000 {
		stdruntime.GC()
		if s.group.Snapshot()[0].Bulkhead.InFlight == 0 && u.bodies.Load() == 0 {
			return
		}
		stdruntime.Gosched()
	}
	t.Errorf("permits %d, bodies %d; want a dropped stream to give both back", s.group.Snapshot()[0].Bulkhead.InFlight, u.bodies.Load())
}

func TestTheTotalBoundsTheTimeToTheFirstItemOnly(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		u := new(upstream)
		u.answers = append(u.answers, u.sse(append(endless()[:40], chunk{0, done, nil})...))
		s := newStreamer(t, streamPlan(), u)
		stream, err := s.open(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if items, err := collect(stream); len(items) != 40 || err != nil {
			t.Errorf("%d items, %v; want 40, long after the total of 20s", len(items), err)
		}
		u.answers = []func(*http.Request) (*http.Response, error){u.sse(pings(100)...)}
		p := streamPlan(func(p *policy.Plan) { p.Timeout.FirstItem, p.Retry.Attempts, p.Timeout.Attempt = 0, 1, 0 })
		s = newStreamer(t, p, u)
		start := time.Now()
		if _, err := s.open(t.Context()); !errors.Is(err, runtime.ErrTimeout) || time.Since(start) != 20*time.Second {
			t.Errorf("got %v after %v; want a timeout at the total", err, time.Since(start))
		}
		s.check(t, oneFailure)
	})
}

func TestHalfOpenLearnsAtTheFirstItem(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		u := new(upstream)
		u.answers = append(u.answers, fail(500), u.sse(endless()...))
		s := newStreamer(t, streamPlan(func(p *policy.Plan) { p.Retry.Attempts = 1 }), u)
		if _, err := s.open(t.Context()); err == nil {
			t.Fatal("want the 500")
		}
		sleep(5 * time.Second)
		stream, err := s.open(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if got := state(s.group); got != policy.StateClosed {
			t.Errorf("breaker %v while the probe's stream goes on, want closed", got)
		}
		_ = stream.Close()
		s.check(t, nothing)
	})
}

func TestStreamsHaveLadders(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		u := &upstream{answers: []func(*http.Request) (*http.Response, error){fail(503)}}
		s := newStreamer(t, streamPlan(noRetry, ladder(static("sorry"))), u)
		res, err := runtime.OpenResult(t.Context(), s.op, func(ctx context.Context, at runtime.Attempt) (*runtime.Stream[string], error) {
			if at.Rung == 1 {
				return runtime.StreamOf("so", "rry"), nil
			}
			return s.run(ctx, at)
		})
		if err != nil || res.Rung != "sorry" {
			t.Fatalf("got %+v, %v; want the static rung", res, err)
		}
		if items, err := collect(res.Value); strings.Join(items, "") != "sorry" || err != nil {
			t.Errorf("got %v, %v", items, err)
		}
		s.check(t, oneFailure)
	})
}
