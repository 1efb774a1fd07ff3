package runtimetest

import (
	"context"
	"errors"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/resgen-go/resgen/runtime/policy"
)

// Answer is a right answer to a call, as the target would send it.
type Answer struct {
	// Status is the status code; 0 is 200.
	Status int
	// MediaType is the Content-Type of the body; empty where there is none.
	MediaType string
	// Header holds further headers; nil for none.
	Header http.Header
	// Body is the body. That of a stream holds each item of it, and its end.
	Body string
}

// stage is the connection of a client to all of its targets, in memory.
type stage struct {
	right *Answer
	// play says what becomes of a request; nil is that all are answered rightly.
	play func(a *asked) reply
	// pretend says what becomes of the functions of rungs; nil is that they answer.
	pretend func(name string) error

	mu     sync.Mutex
	seen   []*asked
	funcs  []string
	bodies int
	store  *entries
	limits policy.LimitPool // what calls of the stage use of shared limits
}

// stageKey is where the context of a call keeps the *stage.
type stageKey struct{}

// asked is a request as it came.
type asked struct {
	n      int // from 0
	at     time.Time
	ended  time.Time // when its context did, or when it was answered
	host   string
	path   string
	header http.Header
	body   string
}

// same reports whether two requests are one but for their keys.
func (a *asked) same(b *asked) bool { return a.host == b.host && a.path == b.path && a.body == b.body }

// reply is what is done about a request.
type reply struct {
	err    error
	hang   bool          // until the context ends
	stall  bool          // the header comes, and the body does not
	after  time.Duration // before anything else
	gate   chan struct{} // closed when it may go on; nil is at once
	answer *Answer
	cut    error // what follows the body in place of its end
}

// client returns what the runtime sends by.
func (st *stage) client() *http.Client { return &http.Client{Transport: st} }

// RoundTrip plays one request.
func (st *stage) RoundTrip(r *http.Request) (*http.Response, error) {
	a, err := st.take(r)
	if err != nil {
		return nil, err
	}
	re := reply{answer: st.right}
	if st.play != nil {
		re = st.play(a)
	}
	defer func() {
		st.mu.Lock()
		a.ended = time.Now()
		st.mu.Unlock()
	}()
	if err := re.wait(r.Context()); err != nil {
		return nil, err
	}
	if re.err != nil {
		return nil, re.err
	}
	return st.respond(r, &re), nil
}

// take notes a request. Its body is read and closed, as every transport must.
func (st *stage) take(r *http.Request) (*asked, error) {
	a := &asked{at: time.Now(), host: r.URL.Host, path: r.URL.RequestURI(), header: r.Header.Clone()}
	if r.Body != nil {
		body, err := io.ReadAll(r.Body)
		if err = errors.Join(err, r.Body.Close()); err != nil {
			return nil, err
		}
		a.body = string(body)
	}
	st.mu.Lock()
	defer st.mu.Unlock()
	a.n = len(st.seen)
	st.seen = append(st.seen, a)
	return a, nil
}

// wait lets pass what comes before the answer.
func (re *reply) wait(ctx context.Context) error {
	switch {
	case re.hang:
		<-ctx.Done()
		return ended(ctx)
	case re.gate != nil:
		select {
		case <-re.gate:
			return nil
		case <-ctx.Done():
			return ended(ctx)
		}
	case re.after > 0:
		timer := time.NewTimer(re.after)
		defer timer.Stop()
		select {
		case <-timer.C:
		case <-ctx.Done():
			return ended(ctx)
		}
	}
	return nil
}

// ended is what a transport returns that its request's context cut short.
func ended(ctx context.Context) error {
	return context.Cause(ctx) //nolint:wrapcheck // as net/http's own does
}

// pass lets virtual time pass.
func pass(d time.Duration) { <-time.After(d) }

// respond makes the response.
func (st *stage) respond(r *http.Request, re *reply) *http.Response {
	a := re.answer
	status := a.Status
	if status == 0 {
		status = http.StatusOK
	}
	st.mu.Lock()
	st.bodies++
	st.mu.Unlock()
	header := a.Header.Clone()
	if header == nil {
		header = http.Header{}
	}
	if a.MediaType != "" {
		header.Set("Content-Type", a.MediaType)
	}
	length := int64(len(a.Body))
	if re.cut != nil || re.stall {
		length = -1
	}
	return &http.Response{
		Status: strconv.Itoa(status) + " " + http.StatusText(status), StatusCode: status,
		Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1, Header: header, ContentLength: length, Request: r,
		Body: &played{st: st, ctx: r.Context(), text: strings.NewReader(a.Body), cut: re.cut, stall: re.stall},
	}
}

// played is the body of a response. It counts as open until it is closed.
type played struct {
	st    *stage
	ctx   context.Context //nolint:containedctx // the request's: a body ends with it
	text  *strings.Reader
	cut   error
	stall bool
	once  sync.Once
}

func (p *played) Read(b []byte) (int, error) {
	if p.stall {
		<-p.ctx.Done()
		return 0, ended(p.ctx)
	}
	n, err := p.text.Read(b)
	if errors.Is(err, io.EOF) && p.cut != nil {
		err = p.cut
	}
	return n, err
}

// Close gives the body back.
func (p *played) Close() error {
	p.once.Do(func() {
		p.st.mu.Lock()
		p.st.bodies--
		p.st.mu.Unlock()
	})
	return nil
}

// requests returns those so far.
func (st *stage) requests() []*asked {
	st.mu.Lock()
	defer st.mu.Unlock()
	return slices.Clone(st.seen)
}

// open returns how many bodies were not closed.
func (st *stage) open() int {
	st.mu.Lock()
	defer st.mu.Unlock()
	return st.bodies
}

// isJSON reports whether the body is JSON.
func (a *Answer) isJSON() bool {
	kind, _, _ := strings.Cut(a.MediaType, ";")
	return a.Body != "" && (strings.HasSuffix(kind, "/json") || strings.HasSuffix(kind, "+json"))
}

// half is the answer with only the first half of its body.
func (a *Answer) half() *Answer {
	h := *a
	h.Body = a.Body[:len(a.Body)/2]
	return &h
}
