package alerts_test

import (
	"context"
	"io"
	"iter"
	"net/http"
	"strings"
	"time"

	"github.com/resgen-go/resgen/runtime"
	"github.com/resgen-go/resgen/runtime/policy"
	"github.com/resgen-go/resgen/runtime/wire"
)

// errCut is a connection that ended in the middle of an answer.
var errCut = io.ErrUnexpectedEOF

// callStream makes a call whose answer is a stream of ten items; it is cut after the first one where the incident's target fails.
func callStream(s *service) error {
	stream, err := runtime.OpenSeq2(s.ctx, s.op, func(ctx context.Context, at runtime.Attempt) (iter.Seq2[int, error], error) {
		s.mu.Lock()
		s.n++
		r := s.in.answer(time.Since(s.start), s.n, at)
		s.mu.Unlock()
		return func(yield func(int, error) bool) {
			for i := range 10 {
				if err := pause(ctx, 50*time.Millisecond); err != nil || !yield(i, nil) {
					return
				}
				if r.err != nil {
					yield(i, r.err)
					return
				}
			}
		}, nil
	})
	if err != nil {
		return err
	}
	for _, err = range stream {
		if err != nil {
			return err
		}
	}
	return nil
}

// page is what a server of the incidents by HTTP answers.
type page struct {
	status int
	body   string
}

// RoundTrip is the transport of incidents by HTTP: the hosts are the names of targets.
func (s *service) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.Body != nil {
		_ = r.Body.Close()
	}
	if err := pause(r.Context(), fine.takes); err != nil {
		return nil, err
	}
	p := s.in.serve(time.Since(s.start), r.URL.Host)
	return &http.Response{
		StatusCode: p.status, Header: http.Header{"Content-Type": {"application/json"}}, Body: io.NopCloser(strings.NewReader(p.body)),
		ContentLength: int64(len(p.body)), Request: r, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
	}, nil
}

// answered is what is read of a page.
type answered struct {
	Text string `json:"text"`
}

// overHTTP returns the operation of an incident by HTTP.
func (s *service) overHTTP(p policy.Plan, w runtime.Wiring) (*runtime.Operation, error) {
	opts := []runtime.ClientOption{
		runtime.WithHTTPClient(&http.Client{Transport: s}), runtime.WithObserver(w.Observer), runtime.WithGroup(s.group),
	}
	if w.Chaos != nil {
		opts = append(opts, runtime.WithChaos(w.Chaos))
	}
	if w.Store != nil {
		opts = append(opts, runtime.WithStore(w.Store))
	}
	s.http = runtime.NewHTTP(runtime.HTTPSpec{
		Name: "llm", BaseURL: "http://primary", Targets: []policy.Target{{Name: "second", BaseURL: "http://second"}},
	}, opts...)
	op := s.http.Operation(p)
	return op, s.http.Err()
}

// callHTTP makes a call of an incident by HTTP.
func callHTTP(s *service) error {
	r := wire.NewRequest(http.MethodPost, "/chat")
	r.JSON(map[string]any{"model": "large", "max_tokens": 1000})
	_, err := runtime.DoResult(s.ctx, s.op, func(ctx context.Context, at runtime.Attempt) (*answered, error) {
		if at.Rung > 0 && at.Target == "" {
			return &answered{Text: "sorry"}, nil
		}
		return runtime.Send(ctx, s.http, at, r, func(r *wire.Response) (*answered, error) {
			if r.Status != http.StatusOK {
				return nil, r.Unexpected()
			}
			return wire.JSON[answered](r)
		})
	}, r)
	return err
}

// broken is a store that fails.
type broken struct{}

func (broken) Get(context.Context, string) (runtime.Entry, bool, error) {
	return runtime.Entry{}, false, errCut
}

func (broken) Set(context.Context, string, runtime.Entry, time.Duration) error {
	return errCut
}

// tell has the observer told of an event that calls of an incident do not lead to.
func (s *service) tell(e runtime.Event) {
	e.Client, e.Operation, e.Time = "llm", s.op.Name(), time.Now()
	s.observer.Observe(s.ctx, e)
}

// deaf is an attempt that does not end with its context.
func (s *service) deaf(context.Context, runtime.Attempt) (string, error) {
	time.Sleep(15 * time.Minute) // virtual: synctest; to be deaf to the context is the point
	return "late", nil
}

// panicOnce is an attempt whose copy panics when it has lost, in one call.
func (s *service) panicOnce(ctx context.Context, at runtime.Attempt) (string, error) {
	if !at.Hedge {
		return s.attempt(ctx, at)
	}
	<-ctx.Done()
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.panicked {
		s.panicked = true
		panic("a bug")
	}
	return "", context.Cause(ctx)
}
