package runtime_test

import (
	"context"
	"errors"
	"io"
	stdruntime "runtime"
	"testing"
	"testing/synctest"
	"time"

	"github.com/resgen-go/resgen/runtime"
	"github.com/resgen-go/resgen/runtime/policy"
	"github.com/resgen-go/resgen/runtime/wire"
)

// C068 for a download: nobody reads it when its context ends, and nothing of it stays behind.
func TestC068_ADownloadEndsWithItsContext(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		end  func(cancel context.CancelFunc)
		want policy.Kind
	}{
		"canceled": {func(cancel context.CancelFunc) { sleep(time.Second); cancel() }, policy.KindCanceled},
		"deadline": {func(context.CancelFunc) { sleep(time.Minute) }, policy.KindDeadline},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				u := new(upstream)
				u.answers = append(u.answers, u.sse(chunk{0, "first", nil}, chunk{time.Hour, "", nil}))
				s := newStreamer(t, streamPlan(func(p *policy.Plan) { p.Stream = policy.Stream{} }), u)
				ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
				defer cancel()
				d, err := s.download(ctx)
				if err != nil {
					t.Fatal(err)
				}
				c.end(cancel)
				synctest.Wait()
				if m := s.group.Snapshot()[0]; m.Bulkhead.InFlight != 0 || m.Breaker.InFlight != 0 {
					t.Errorf("permits %d, tickets %d after the end; want none", m.Bulkhead.InFlight, m.Breaker.InFlight)
				}
				if _, err := io.ReadAll(d); err == nil {
					t.Error("it reads on after its context has ended")
				}
				if err := d.Close(); err != nil {
					t.Error(err)
				}
				s.check(t, nothing)
				if got := s.seen.Events(runtime.StreamEnd); len(got) != 1 || got[0].Kind != c.want {
					t.Errorf("ends told: %+v; want one, %s", got, c.want)
				}
			})
		})
	}
}

func TestTheEndOfADownloadIsToldWithItsKind(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		u := new(upstream)
		u.answers = append(u.answers, u.sse(chunk{0, "first", nil}, chunk{0, "", io.ErrUnexpectedEOF}))
		s := newStreamer(t, streamPlan(func(p *policy.Plan) { p.Stream = policy.Stream{} }), u)
		d, err := s.download(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		_, err = io.ReadAll(d)
		if got := s.seen.Events(runtime.StreamEnd); len(got) != 1 || got[0].Kind != policy.KindReset || !errors.Is(got[0].Err, io.ErrUnexpectedEOF) {
			t.Errorf("%v; ends told: %+v; want one, a reset", err, got)
		}
		_ = d.Close()
		s.check(t, oneFailure)
	})
}

func TestADroppedDownloadIsCollected(t *testing.T) {
	t.Parallel()
	u := new(upstream)
	u.answers = append(u.answers, u.sse(chunk{0, "first", nil}, chunk{time.Hour, "", nil}))
	s := newStreamer(t, streamPlan(func(p *policy.Plan) { p.Stream, p.Timeout = policy.Stream{}, policy.Timeout{} }), u)
	if _, err := s.download(t.Context()); err != nil {
		t.Fatal(err)
	}
	for range 1000 {
		stdruntime.GC()
		if s.group.Snapshot()[0].Bulkhead.InFlight == 0 && u.bodies.Load() == 0 {
			return
		}
		stdruntime.Gosched()
	}
	t.Errorf("permits %d, bodies %d; want a dropped download to give both back", s.group.Snapshot()[0].Bulkhead.InFlight, u.bodies.Load())
}

// owner is an answer that owns something, and may misbehave.
type owner struct {
	closed int
	onEnd  func()
}

func (o *owner) Close() error { o.closed++; return nil }

func (o *owner) OnEnd(func(error)) {
	if o.onEnd != nil {
		o.onEnd()
	}
}

// Whoever panics, or ends the goroutine, after the answer came: nothing is left behind, and the answer is closed.
func TestT04_NothingIsLeftOfAnAnswerThatNobodyGets(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		at    runtime.EventKind // when the observer ends the goroutine
		onEnd func()
	}{
		"observer of the attempt": {at: runtime.AttemptEnd},
		"observer of the call":    {at: runtime.CallEnd},
		"the answer panics":       {onEnd: func() { panic("no") }},
		"the answer ends it":      {onEnd: stdruntime.Goexit},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			g := still()
			op := operationIn(t, g, once(withBreaker(9), func(p *policy.Plan) { p.Bulkhead.MaxConcurrent = 1 }),
				runtime.ObserverFunc(func(_ context.Context, e runtime.Event) {
					if e.What == c.at {
						stdruntime.Goexit()
					}
				}))
			o := &owner{onEnd: c.onEnd}
			within(func() {
				defer func() { _ = recover() }()
				_, _ = runtime.Open(t.Context(), op, func(context.Context, runtime.Attempt) (*owner, error) { return o, nil })
			})
			if m := g.Snapshot()[0]; m.Bulkhead.InFlight != 0 || m.Breaker.InFlight != 0 || o.closed != 1 {
				t.Errorf("permits %d, tickets %d, closed %d times; want none left and closed once", m.Bulkhead.InFlight, m.Breaker.InFlight, o.closed)
			}
		})
	}
}

// An answer that owns something and is nil is a failure, which leads to the next rung.
func TestANilAnswerIsNone(t *testing.T) {
	t.Parallel()
	check := func(name string, open func(*runtime.Operation) (any, error)) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			g := still()
			op := operationIn(t, g, once(func(p *policy.Plan) { p.Bulkhead.MaxConcurrent = 1 }), nil)
			v, err := open(op)
			if !errors.Is(err, runtime.ErrPermanent) || g.Snapshot()[0].Bulkhead.InFlight != 0 {
				t.Errorf("got %v, %v, %d permits; want a failure that holds nothing", v, err, g.Snapshot()[0].Bulkhead.InFlight)
			}
		})
	}
	check("stream", func(op *runtime.Operation) (any, error) {
		return runtime.Open(t.Context(), op, func(context.Context, runtime.Attempt) (*runtime.Stream[string], error) { return nil, nil })
	})
	check("download", func(op *runtime.Operation) (any, error) {
		return runtime.Open(t.Context(), op, func(context.Context, runtime.Attempt) (*wire.Download, error) { return nil, nil })
	})
	check("interface", func(op *runtime.Operation) (any, error) {
		return runtime.Open(t.Context(), op, func(context.Context, runtime.Attempt) (io.Closer, error) { return nil, nil })
	})
	t.Run("next rung", func(t *testing.T) {
		t.Parallel()
		op := operationIn(t, still(), once(ladder(function("other"))), nil)
		res, err := runtime.OpenResult(t.Context(), op, func(_ context.Context, at runtime.Attempt) (*owner, error) {
			if at.Rung == 0 {
				return nil, nil
			}
			return new(owner), nil
		})
		if err != nil || res.Rung != "other" || res.Value == nil {
			t.Errorf("got %+v, %v; want the other rung", res, err)
		}
	})
}
