package runtime_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/resgen-go/resgen/runtime"
	"github.com/resgen-go/resgen/runtime/policy"
	"github.com/resgen-go/resgen/runtime/wire"
)

// download opens the body of a streamer's target as it comes.
func (s *streamer) download(ctx context.Context) (*wire.Download, error) {
	return runtime.Open(ctx, s.op, func(ctx context.Context, at runtime.Attempt) (*wire.Download, error) {
		return runtime.Send(ctx, s.http, at, wire.NewRequest("GET", "/file"), wire.NewDownload)
	})
}

func TestC032_ADownloadOutlivesItsCallAndGivesEverythingBack(t *testing.T) {
	t.Parallel()
	body := []chunk{{0, "first ", nil}, {30 * time.Second, "second ", nil}, {30 * time.Second, "third", nil}}
	for name, c := range map[string]struct {
		end    chunk
		finish func(t *testing.T, d *wire.Download, cancel func())
		want   policy.Counts
	}{
		"read to its end": {chunk{0, "", nil}, func(t *testing.T, d *wire.Download, _ func()) {
			t.Helper()
			sleep(100 * time.Millisecond)
			if data, err := io.ReadAll(d); string(data) != "first second third" || err != nil {
				t.Errorf("got %q, %v; want all of it, long after the timeouts of the call", data, err)
			}
			_ = d.Close()
		}, oneSuccess},
		"closed early": {chunk{0, "", nil}, func(t *testing.T, d *wire.Download, _ func()) {
			t.Helper()
			if err := errors.Join(d.Close(), d.Close()); err != nil {
				t.Error(err)
			}
		}, oneSuccess},
		"cut": {chunk{0, "", io.ErrUnexpectedEOF}, func(t *testing.T, d *wire.Download, _ func()) {
			t.Helper()
			if _, err := io.ReadAll(d); !errors.Is(err, io.ErrUnexpectedEOF) {
				t.Errorf("got %v, want a truncation", err)
			}
			_ = d.Close()
		}, oneFailure},
		"canceled": {chunk{0, "", nil}, func(t *testing.T, d *wire.Download, cancel func()) {
			t.Helper()
			time.AfterFunc(time.Second, cancel)
			if _, err := io.ReadAll(d); !errors.Is(err, context.Canceled) {
				t.Errorf("got %v, want the cancel", err)
			}
			_ = d.Close()
		}, nothing},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				u := new(upstream)
				u.answers = append(u.answers, u.sse(append(append([]chunk(nil), body...), c.end)...))
				s := newStreamer(t, streamPlan(func(p *policy.Plan) { p.Stream = policy.Stream{} }), u)
				ctx, cancel := context.WithCancel(t.Context())
				defer cancel()
				d, err := s.download(ctx)
				if err != nil {
					t.Fatal(err)
				}
				if m := s.group.Snapshot()[0]; m.Bulkhead.InFlight != 1 {
					t.Errorf("%d permits held while the download lives, want 1", m.Bulkhead.InFlight)
				}
				c.finish(t, d, cancel)
				s.check(t, c.want)
			})
		})
	}
}

// plainCloser is an answer that does not say when it ends.
type plainCloser struct{ closed *int }

func (c plainCloser) Close() error {
	*c.closed++
	return nil
}

func TestAnAnswerThatDoesNotSayWhenItEndsHoldsNothing(t *testing.T) {
	t.Parallel()
	g, closed := still(), 0
	op := operationIn(t, g, plan(func(p *policy.Plan) { p.Bulkhead.MaxConcurrent = 1 }), nil)
	var kept context.Context
	got, err := runtime.Open(t.Context(), op, func(ctx context.Context, _ runtime.Attempt) (plainCloser, error) {
		kept = ctx //nolint:fatcontext // to be looked at
		return plainCloser{&closed}, nil
	})
	if err != nil || got.closed == nil || closed != 0 {
		t.Fatalf("got %v, %v; want the answer, open", got, err)
	}
	if kept.Err() != nil || g.Snapshot()[0].Bulkhead.InFlight != 0 {
		t.Errorf("context %v, %d permits; want it alive, and none", kept.Err(), g.Snapshot()[0].Bulkhead.InFlight)
	}
}

func TestAnAnswerThatComesTooLateIsClosedAndTriedAgain(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		op, _ := operation(t, plan())
		closed, attempts := 0, 0
		_, err := runtime.Open(t.Context(), op, func(context.Context, runtime.Attempt) (plainCloser, error) {
			if attempts++; attempts == 1 {
				sleep(2 * time.Second) // it does not listen
			}
			return plainCloser{&closed}, nil
		})
		if err != nil || attempts != 2 || closed != 1 {
			t.Errorf("%v after %d attempts, %d closed; want the late one closed: its context has ended", err, attempts, closed)
		}
	})
}

func TestAnOpenThatFailsKeepsNothing(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		u := &upstream{answers: []func(*http.Request) (*http.Response, error){fail(http.StatusNotFound)}}
		s := newStreamer(t, streamPlan(), u)
		_, err := s.open(t.Context())
		if !errors.Is(err, runtime.ErrCaller) || !strings.Contains(err.Error(), "404") {
			t.Errorf("got %v, want the 404", err)
		}
		s.check(t, oneSuccess)
	})
}
