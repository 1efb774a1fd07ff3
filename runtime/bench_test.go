package runtime_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/resgen-go/resgen/runtime"
	"github.com/resgen-go/resgen/runtime/policy"
	"github.com/resgen-go/resgen/runtime/wire"
)

func BenchmarkDo(b *testing.B) {
	op, err := runtime.NewOperation(nil, "llm", full(), runtime.Wiring{})
	if err != nil {
		b.Fatal(err)
	}
	ctx := b.Context()
	b.ReportAllocs()
	for b.Loop() {
		if _, err := runtime.Do(ctx, op, answer); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkBreakerOpen(b *testing.B) {
	p := full()
	p.Breaker.Mode = policy.BreakerForcedOpen
	op, err := runtime.NewOperation(nil, "llm", p, runtime.Wiring{})
	if err != nil {
		b.Fatal(err)
	}
	ctx := b.Context()
	b.ReportAllocs()
	for b.Loop() {
		if _, err := runtime.Do(ctx, op, answer); err == nil {
			b.Fatal("the breaker is forced open")
		}
	}
}

// endlessEvents is a body of events without an end.
type endlessEvents struct{ *strings.Reader }

func (e endlessEvents) Read(p []byte) (int, error) {
	n, err := e.Reader.Read(p)
	if err != nil {
		e.Reset(events)
		n, err = e.Reader.Read(p)
	}
	return n, err
}

func (endlessEvents) Close() error { return nil }

var events = strings.Repeat(data(strings.Repeat("x", 280)), 100)

// BenchmarkStreamItem compares a stream's item with what the wire alone costs.
func BenchmarkStreamItem(b *testing.B) {
	target := roundTrip(func(*http.Request) (*http.Response, error) {
		return &http.Response{
			StatusCode: http.StatusOK, Header: http.Header{"Content-Type": {"text/event-stream"}}, Body: endlessEvents{strings.NewReader(events)}, ContentLength: -1,
		}, nil
	})
	p := full()
	p.Stream.Format = policy.SSE
	p.Timeout = policy.BuiltIn(true)
	p.Timeout.MaxStream, p.Timeout.Attempt = time.Hour, 20*time.Second
	h := runtime.NewHTTP(runtime.HTTPSpec{Name: "llm", BaseURL: "http://h"}, runtime.WithHTTPClient(&http.Client{Transport: target}))
	op := h.Operation(p)
	if err := h.Err(); err != nil {
		b.Fatal(err)
	}
	read := func(r *wire.Response) (*wire.Items[string], error) { return wire.TextItems(r, p.Stream) }
	b.Run("wire", func(b *testing.B) {
		_, err := runtime.Do(b.Context(), op, func(ctx context.Context, at runtime.Attempt) (int, error) {
			return runtime.Send(ctx, h, at, wire.NewRequest("GET", "/s"), func(r *wire.Response) (int, error) {
				items, err := read(r)
				for err == nil && b.Loop() {
					_, err = items.Next()
				}
				return 0, err
			})
		})
		if err != nil && !errors.Is(err, io.EOF) {
			b.Fatal(err)
		}
	})
	b.Run("stream", func(b *testing.B) {
		s, err := runtime.Open(b.Context(), op, func(ctx context.Context, at runtime.Attempt) (*runtime.Stream[string], error) {
			return runtime.SendStream(ctx, h, at, wire.NewRequest("GET", "/s"), read)
		})
		if err != nil {
			b.Fatal(err)
		}
		for _, err := range s.All() {
			if err != nil || !b.Loop() {
				break
			}
		}
	})
}

type roundTrip func(*http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// BenchmarkDoHedge is a call whose hedge is armed, and does not fire.
func BenchmarkDoHedge(b *testing.B) {
	p := full()
	p.Hedgeable, p.Hedge = true, policy.HedgeConfig{Max: 1, Delay: time.Minute, ExtraLoad: 1}
	op, err := runtime.NewOperation(nil, "llm", p, runtime.Wiring{})
	if err != nil {
		b.Fatal(err)
	}
	ctx := b.Context()
	b.ReportAllocs()
	for b.Loop() {
		if _, err := runtime.Do(ctx, op, answer); err != nil {
			b.Fatal(err)
		}
	}
}
