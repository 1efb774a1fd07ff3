// Package providers holds a scripted provider of language models for each wire shape: chat completions, responses, messages,
// generateContent and Cohere's chat. It answers as it should, or fails in one of the ways that are seen of real ones. What it sends is data,
// in scripts/*.txtar; it runs on a listener in memory too, and so in a bubble of testing/synctest.
//
// Read in this order: provider.go, script.go, listener.go.
package providers

import (
	"encoding/json"
	"net/http"
	"strings"
	"sync"
	"time"
)

// Right is the name of the answer that is as it should be.
const Right = "right"

// Provider answers every request by one script until it is given another. Safe for concurrent use.
type Provider struct {
	book *book

	mu       sync.Mutex
	faults   []string
	requests []Request
}

// Request is one request that a provider has read.
type Request struct {
	// At is when it came.
	At time.Time
	// Path and Query are where to.
	Path, Query string
	// Stream says that it asks for a stream.
	Stream bool
	// Body is what it holds.
	Body map[string]any
	// Key is its idempotency key.
	Key string
}

// New returns a provider of a shape that answers as it should.
func New(shape string) (*Provider, error) {
	b, err := open(shape)
	if err != nil {
		return nil, err
	}
	return &Provider{book: b, faults: []string{Right}}, nil
}

// Play has the requests from now on answered by the scripts of those names, one after the other, and all that follow by the last: see
// Faults.
func (p *Provider) Play(faults ...string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.faults = faults
}

// next takes the name of the script for a request.
func (p *Provider) next(req *Request) string {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.requests = append(p.requests, *req)
	fault := p.faults[0]
	if len(p.faults) > 1 {
		p.faults = p.faults[1:]
	}
	return fault
}

// Requests returns the requests so far, oldest first.
func (p *Provider) Requests() []Request {
	p.mu.Lock()
	defer p.mu.Unlock()
	return append([]Request(nil), p.requests...)
}

const maxBody = 1 << 20

// ServeHTTP notes a request and answers it. What cannot be answered is a status that no script has: 418, or 501 without a script.
func (p *Provider) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	req := Request{At: time.Now(), Path: r.URL.Path, Query: r.URL.RawQuery, Key: r.Header.Get("Idempotency-Key")}
	if err := json.NewDecoder(http.MaxBytesReader(w, r.Body, maxBody)).Decode(&req.Body); err != nil {
		http.Error(w, "the body is not JSON: "+err.Error(), http.StatusTeapot)
		return
	}
	flag, _ := req.Body["stream"].(bool)
	req.Stream = flag || strings.Contains(req.Path, ":stream")
	s, err := p.book.find(p.next(&req), req.Stream)
	if err != nil {
		http.Error(w, err.Error(), http.StatusNotImplemented)
		return
	}
	s.answer(w, r)
}

// answer plays the script.
func (s *script) answer(w http.ResponseWriter, r *http.Request) {
	for name, values := range s.header {
		w.Header()[name] = values
	}
	w.WriteHeader(s.status)
	flush := http.NewResponseController(w)
	for _, step := range s.steps {
		switch {
		case step.hang:
			<-r.Context().Done()
			return
		case step.cut:
			panic(http.ErrAbortHandler) // net/http's way to cut a connection
		case step.wait > 0:
			timer := time.NewTimer(step.wait)
			select {
			case <-timer.C:
			case <-r.Context().Done():
				timer.Stop()
				return
			}
		}
		_, _ = w.Write(step.text) // the client is gone if this fails
		if err := flush.Flush(); err != nil {
			return
		}
	}
}
