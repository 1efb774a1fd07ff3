package conformance

import (
	"context"
	"errors"
	"io"
	"maps"
	"net/http"
	"strings"
	"sync"
	"time"
)

// answer is how a server answers one request.
type answer struct {
	status int
	header http.Header
	body   string
	long   int64         // the body goes on for so many bytes
	stuck  bool          // the body comes and does not end
	after  time.Duration // before the header
	late   time.Duration // before the second half of the body
	deaf   bool          // it comes however the request's context ends
	err    error         // instead of an answer, after the request was read
}

// server is a transport that answers by a script; the last answer serves all that follow. It counts what it is asked, and which bodies are
// given back.
type server struct {
	mu      sync.Mutex
	answers []answer
	seen    []request
	opened  int
	closed  int
	given   int64 // bytes of long bodies
}

// request is what a server was asked.
type request struct {
	at   time.Time
	body string
}

func newServer(answers ...answer) *server { return &server{answers: answers} }

func (s *server) RoundTrip(r *http.Request) (*http.Response, error) {
	sent := ""
	if r.Body != nil {
		all, err := io.ReadAll(r.Body)
		if err != nil {
			return nil, err
		}
		r.Body.Close()
		sent = string(all)
	}
	a := s.next(sent)
	if a.after > 0 {
		if err := wait(r.Context(), a.after, a.deaf); err != nil {
			return nil, err
		}
	}
	if a.err != nil {
		return nil, a.err
	}
	s.mu.Lock()
	s.opened++
	s.mu.Unlock()
	header := http.Header{"Content-Type": {"application/octet-stream"}}
	maps.Copy(header, a.header)
	return &http.Response{
		Status: http.StatusText(a.status), StatusCode: a.status, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header: header, ContentLength: -1, Request: r,
		Body: &body{server: s, ctx: r.Context(), answer: a, rest: strings.NewReader(a.body), ended: make(chan struct{})},
	}, nil
}

func (s *server) next(sent string) answer {
	s.mu.Lock()
	defer s.mu.Unlock()
	a := s.answers[min(len(s.seen), len(s.answers)-1)]
	s.seen = append(s.seen, request{time.Now(), sent})
	return a
}

// requests returns how many were made.
func (s *server) requests() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.seen)
}

// gap returns the time between the first two requests; false if there was no second.
func (s *server) gap() (time.Duration, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.seen) < 2 {
		return 0, false
	}
	return s.seen[1].at.Sub(s.seen[0].at), true
}

// bodies returns how many bodies were given out, and how many were closed.
func (s *server) bodies() (opened, closed int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.opened, s.closed
}

// body is the body of an answer.
type body struct {
	server *server
	ctx    context.Context
	answer answer
	rest   *strings.Reader
	halves int
	once   sync.Once
	ended  chan struct{}
}

var errBodyClosed = errors.New("the body is closed")

func (b *body) Read(p []byte) (int, error) {
	select {
	case <-b.ended:
		return 0, errBodyClosed
	default:
	}
	if err := b.ctx.Err(); err != nil {
		return 0, err
	}
	if b.answer.late > 0 && b.rest.Len() > 0 {
		if b.halves++; b.halves > 1 {
			if err := wait(b.ctx, b.answer.late, false); err != nil {
				return 0, err
			}
		}
		return b.rest.Read(p[:min(len(p), (len(b.answer.body)+1)/2)])
	}
	if b.answer.long > 0 {
		b.server.mu.Lock()
		defer b.server.mu.Unlock()
		if b.server.given >= b.answer.long {
			return 0, io.EOF
		}
		b.server.given += int64(len(p))
		return len(p), nil
	}
	if b.rest.Len() == 0 && b.answer.stuck {
		select {
		case <-b.ended:
			return 0, errBodyClosed
		case <-b.ctx.Done():
			return 0, b.ctx.Err()
		}
	}
	return b.rest.Read(p)
}

func (b *body) Close() error {
	b.once.Do(func() {
		close(b.ended)
		b.server.mu.Lock()
		b.server.closed++
		b.server.mu.Unlock()
	})
	return nil
}

// wait waits, unless the context ends and somebody listens.
func wait(ctx context.Context, d time.Duration, deaf bool) error {
	t := time.NewTimer(d)
	defer t.Stop()
	done := ctx.Done()
	if deaf {
		done = nil
	}
	select {
	case <-t.C:
		return nil
	case <-done:
		return ctx.Err()
	}
}
