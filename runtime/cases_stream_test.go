package runtime_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/resgen-go/resgen/runtime"
	"github.com/resgen-go/resgen/runtime/policy"
	"github.com/resgen-go/resgen/runtime/wire"
)

// sends is an event stream: each chunk is flushed at its time, until the request ends.
func sends(chunks ...chunk) playStep {
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		for _, c := range chunks {
			select {
			case <-time.After(c.after):
			case <-r.Context().Done():
				return
			}
			if c.err != nil {
				panic(http.ErrAbortHandler)
			}
			if _, err := io.WriteString(w, c.text); err != nil {
				return
			}
			_ = http.NewResponseController(w).Flush()
		}
	}
}

// streams is a client of one operation whose items are things.
type streams struct {
	*played

	plan policy.Plan
}

func streamsFrom(t *testing.T, p policy.Plan, steps []playStep, opts ...runtime.ClientOption) *streams {
	t.Helper()
	return &streams{against(t, p, steps, opts...), p}
}

func (s *streams) open(ctx context.Context) (*runtime.Stream[thing], error) {
	return runtime.Open(ctx, s.op, func(ctx context.Context, at runtime.Attempt) (*runtime.Stream[thing], error) {
		return runtime.SendStream(ctx, s.http, at, wire.NewRequest("GET", "/s"), func(r *wire.Response) (*wire.Items[thing], error) {
			if r.Status != http.StatusOK {
				return nil, r.Unexpected()
			}
			return wire.JSONItems[thing](r, s.plan.Stream)
		})
	})
}

// read opens a stream and returns the names of its items, and how it ended.
func (s *streams) read(ctx context.Context) (names []string, err error) {
	stream, err := s.open(ctx)
	if err != nil {
		return nil, err
	}
	for item, err := range stream.All() {
		if err != nil {
			return names, err
		}
		names = append(names, item.Name)
	}
	return names, nil
}

func item(name string) string {
	text, _ := json.Marshal(thing{Name: name})
	return data(string(text))
}

func TestC061_AStalledStreamEnds(t *testing.T) {
	t.Parallel()
	idle := streamPlan(func(p *policy.Plan) {
		p.Timeout = policy.Timeout{Idle: 200 * time.Millisecond}
	})
	synctest.Test(t, func(t *testing.T) {
		var gone atomic.Bool
		s := streamsFrom(t, idle, []playStep{func(w http.ResponseWriter, r *http.Request) {
			sends(chunk{0, item("a") + item("b") + item("c"), nil})(w, r)
			<-r.Context().Done()
			gone.Store(true)
		}})
		start := time.Now()
		names, err := s.read(t.Context())
		took := time.Since(start)
		synctest.Wait()
		if !errors.Is(err, runtime.ErrTimeout) || len(names) != 3 || took < 200*time.Millisecond || took > 400*time.Millisecond || !gone.Load() {
			t.Errorf("%v, %v after %v, server told: %t; want a timeout after 200 to 400 ms, and the server told", names, err, took, gone.Load())
		}
	})
	synctest.Test(t, func(t *testing.T) {
		var chunks []chunk
		for range 10 {
			chunks = append(chunks, chunk{100 * time.Millisecond, ": ping\n\n", nil})
		}
		s := streamsFrom(t, idle, []playStep{sends(append(chunks, chunk{0, item("a") + done, nil})...)})
		if names, err := s.read(t.Context()); err != nil || len(names) != 1 {
			t.Errorf("%v, %v; want pings to keep it alive", names, err)
		}
	})
}

func TestC062_ALongLine(t *testing.T) {
	t.Parallel()
	var body string
	sizes := []int{70 << 10, 3 << 19, 4 << 20, 1}
	for _, n := range sizes {
		body += item(strings.Repeat("x", n))
	}
	steps := []playStep{sends(chunk{0, body + done, nil})}
	synctest.Test(t, func(t *testing.T) {
		names, err := streamsFrom(t, streamPlan(), steps).read(t.Context())
		var got []int
		for _, n := range names {
			got = append(got, len(n))
		}
		if diff := cmp.Diff(sizes, got); diff != "" || err != nil {
			t.Errorf("%v, sizes (-want +got):\n%s", err, diff)
		}
	})
	endless := []playStep{func(w http.ResponseWriter, r *http.Request) {
		sends(chunk{0, item("a") + "data: ", nil})(w, r)
		for _, err := io.WriteString(w, "x"); err == nil; _, err = io.WriteString(w, strings.Repeat("x", 1<<10)) {
			_ = http.NewResponseController(w).Flush()
		}
	}}
	for _, steps := range [][]playStep{steps, endless} {
		synctest.Test(t, func(t *testing.T) {
			s := streamsFrom(t, streamPlan(), steps, runtime.WithBodyLimit(1<<20))
			names, err := s.read(t.Context())
			var limit *wire.LimitError
			if !errors.As(err, &limit) || limit.Limit != 1<<20 || len(names) != 1 || s.pushed.Load() > 4<<20 {
				t.Errorf("%d items, %v after %d bytes; want the limit named after one", len(names), err, s.pushed.Load())
			}
		})
	}
}

// C064: heartbeats, empty and unknown events. C065: UTF-8 and BOM cut by packet boundaries.
func TestC064_C065_WhatStreamsLookLike(t *testing.T) {
	t.Parallel()
	bytewise := func(text string) (all []chunk) {
		for i := range len(text) {
			all = append(all, chunk{0, text[i : i+1], nil})
		}
		return all
	}
	texts := []string{"\u6f22\u5b57\u304b\u306a", "\U0001f469\u200d\U0001f469\u200d\U0001f467", "e\u0301\u0323", "in\ufeffner"}
	var unicode string
	for _, text := range texts {
		unicode += "event: delta\n" + item(text)
	}
	noise := ":\n: OPENROUTER PROCESSING\n\nevent: ping\n\ndata:\n\nid: 7\n\nretry: 10\n\nunknown: field\n\n"
	for name, c := range map[string]struct {
		chunks []chunk
		want   []string
		is     error
	}{
		"C064 noise":              {[]chunk{{0, noise + item("a") + done, nil}}, []string{"a"}, nil},
		"C064 noise, bytewise":    {bytewise(noise + item("a") + done), []string{"a"}, nil},
		"C065 bytewise":           {bytewise("\ufeff" + unicode + done), texts, nil},
		"C065 BOM before an item": {bytewise("\ufeff" + item("a") + item("b") + done), []string{"a", "b"}, nil},
		"CR only":                 {[]chunk{{0, strings.ReplaceAll(noise+item("a")+item("b")+done, "\n", "\r"), nil}}, []string{"a", "b"}, nil},
		"CRLF, bytewise":          {bytewise(strings.ReplaceAll(noise+item("a")+item("b")+done, "\n", "\r\n")), []string{"a", "b"}, nil},
		"no blank line at end":    {[]chunk{{0, item("a") + "data: [DONE]", nil}}, []string{"a"}, nil},
		"done in the middle":      {[]chunk{{0, item("a") + done + item("b") + done, nil}}, []string{"a"}, nil},
		"two dones":               {[]chunk{{0, item("a") + done + done, nil}}, []string{"a"}, nil},
		"no done":                 {[]chunk{{0, item("a"), nil}}, []string{"a"}, io.ErrUnexpectedEOF},
		"cut":                     {[]chunk{{0, item("a") + "data: {", nil}, {0, "", io.EOF}}, []string{"a"}, io.ErrUnexpectedEOF},
		"stalls before an item":   {[]chunk{{time.Hour, "", nil}}, nil, runtime.ErrTimeout},
		"stalls in an item":       {[]chunk{{0, item("a") + "data: {", nil}, {time.Hour, "", nil}}, []string{"a"}, runtime.ErrTimeout},
		"comments without end":    {endlessComments(), []string{"a"}, runtime.ErrTimeout},
		"half a JSON":             {[]chunk{{0, item("a") + data(`{"name":`), nil}}, []string{"a"}, runtime.ErrDecode},
		"an error comes first":    {[]chunk{{0, "event: error\n" + data(`{"error":{"type":"overloaded_error"}}`), nil}}, nil, runtime.ErrTransient},
		"HTML in place of items":  {[]chunk{{0, item("a") + "data: <html>\n\n", nil}}, []string{"a"}, runtime.ErrDecode},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				s := streamsFrom(t, streamPlan(func(p *policy.Plan) { p.Retry = policy.Retry{} }), []playStep{sends(c.chunks...)})
				names, err := s.read(t.Context())
				if diff := cmp.Diff(c.want, names); diff != "" || !errors.Is(err, c.is) || (err == nil) != (c.is == nil) {
					t.Errorf("%v, want %v; items (-want +got):\n%s", err, c.is, diff)
				}
				synctest.Wait()
				if m := s.machines(); m.Bulkhead.InFlight != 0 || m.Breaker.InFlight != 0 {
					t.Errorf("left behind: %+v", m)
				}
			})
		})
	}
}

// endlessComments is one item, and then comments for longer than any gap between items may be.
func endlessComments() []chunk {
	all := []chunk{{0, item("a"), nil}}
	for range 100 {
		all = append(all, chunk{time.Second, ": still here\n", nil})
	}
	return all
}

func TestC067_AnErrorInTheStream(t *testing.T) {
	t.Parallel()
	overloaded := "event: error\n" + data(`{"type":"error","error":{"type":"overloaded_error","message":"busy"}}`)
	for name, c := range map[string]struct {
		steps []playStep
		want  []string
		hits  int
		fails bool
		calls policy.Counts
	}{
		"a before any item": {
			[]playStep{sends(chunk{0, overloaded, nil}), sends(chunk{0, item("a") + item("b") + done, nil})},
			[]string{"a", "b"},
			2, false,
			policy.Counts{Calls: 2, Failures: 1},
		},
		"b after two":       {[]playStep{sends(chunk{0, item("a") + item("b") + overloaded, nil})}, []string{"a", "b"}, 1, true, oneFailure},
		"c outside of form": {[]playStep{sends(chunk{0, item("a") + item("b") + `{"error":{"type":"overloaded_error","message":"busy"}}` + "\n", nil})}, []string{"a", "b"}, 1, true, oneFailure},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				s := streamsFrom(t, streamPlan(func(p *policy.Plan) { p.Retry.Attempts, p.Breaker = 3, breaker(9) }), c.steps)
				names, err := s.read(t.Context())
				var event *wire.EventError
				if c.fails && (!errors.As(err, &event) || event.Type != "overloaded_error" || event.Message != "busy") || !c.fails && err != nil {
					t.Errorf("got %v", err)
				}
				if diff := cmp.Diff(c.want, names); diff != "" || len(s.seen()) != c.hits {
					t.Errorf("%d hits, want %d; items (-want +got):\n%s", len(s.seen()), c.hits, diff)
				}
				m := s.machines().Breaker
				if got := (policy.Counts{Calls: m.Calls, Failures: m.Failures}); got != c.calls {
					t.Errorf("evidence %+v, want %+v", got, c.calls)
				}
			})
		})
	}
}

func TestC068_StreamsThatAreLeftOverConnections(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var open atomic.Int64
		s := streamsFrom(t, streamPlan(func(p *policy.Plan) { p.Bulkhead.MaxConcurrent, p.Breaker = 10, policy.BreakerConfig{} }),
			[]playStep{func(w http.ResponseWriter, r *http.Request) {
				open.Add(1)
				defer open.Add(-1)
				var chunks []chunk
				for range 1000 {
					chunks = append(chunks, chunk{10 * time.Millisecond, item("a"), nil})
				}
				sends(chunks...)(w, r)
			}})
		for i := range 120 {
			ctx, cancel := context.WithCancel(t.Context())
			stream, err := s.open(ctx)
			if err != nil {
				t.Fatal(err)
			}
			switch {
			case i < 100:
				for range stream.All() {
					if len(stream.Partial()) == 2 {
						break
					}
				}
			case i < 110:
				if err := errors.Join(stream.Close(), stream.Close()); err != nil {
					t.Error(err)
				}
			default:
				cancel()
				synctest.Wait()
			}
			for _, err := range stream.All() {
				if err == nil {
					t.Error("a stream that was left reads on")
				}
			}
			cancel()
		}
		sleep(time.Second)
		if m := s.machines().Bulkhead; m.InFlight != 0 || open.Load() != 0 {
			t.Errorf("%d permits, %d streams at the server; want none", m.InFlight, open.Load())
		}
	})
}
