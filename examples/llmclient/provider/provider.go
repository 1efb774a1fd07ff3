// Package provider is an OpenAI-compatible server that fails on command, or stands before another one and fails in its place. The example
// runs two of them on the loopback interface and breaks them one by one.
//
// Read in this order: provider.go, fault.go, answer.go.
package provider

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"sync"
)

// Provider answers chat completions, embeddings and models, or fails as its faults say. The zero value answers everything. It is
// safe for concurrent use.
type Provider struct {
	// Name is the owner that its models name, so that an answer tells who gave it.
	Name string
	// Upstream answers what no fault applies to; nil is the provider itself. It is to be set before the first request.
	Upstream http.Handler

	mu       sync.Mutex
	faults   []Rule
	requests []Request
}

// Rule makes some requests fail.
type Rule struct {
	// Fault is what happens to them.
	Fault Fault
	// Model limits the rule to requests for that model; empty means all.
	Model string
	// Times is how often the rule applies; 0 means until the faults are set anew.
	Times int
}

// Request is one request that the provider has read.
type Request struct {
	Path  string
	Model string
	// Key is the request's idempotency key.
	Key string
	// Fault is what the provider did to it; None where it answered.
	Fault Fault
}

// SetFaults replaces the rules. The first that matches a request applies. No rules: everything is answered.
func (p *Provider) SetFaults(rules ...Rule) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.faults = append([]Rule(nil), rules...)
}

// Requests returns the requests read since the last call of Requests, oldest first.
func (p *Provider) Requests() []Request {
	p.mu.Lock()
	defer p.mu.Unlock()
	read := p.requests
	p.requests = nil
	return read
}

// chatRequest is what the provider reads of a request's body.
type chatRequest struct {
	Model    string `json:"model"`
	Messages []struct {
		Content string `json:"content"`
	} `json:"messages"`
	Input  []string `json:"input"`
	Stream bool     `json:"stream"`
}

const maxBody = 1 << 20

// ServeHTTP reads one request, notes it, and fails or answers it.
func (p *Provider) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var req chatRequest
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
	if err == nil && r.Method == http.MethodPost {
		err = json.Unmarshal(body, &req)
	}
	if err != nil {
		fail(w, http.StatusBadRequest, "invalid_request_error", "the body is not JSON: "+err.Error())
		return
	}
	fault := p.note(r, req.Model)
	switch {
	case fault.beforeAnswer(w, r):
	case fault == None && p.Upstream != nil:
		r.Body = io.NopCloser(bytes.NewReader(body))
		p.Upstream.ServeHTTP(w, r)
	default:
		p.answer(w, r, &req, fault)
	}
}

// note records the request and returns the fault that applies to it.
func (p *Provider) note(r *http.Request, model string) Fault {
	p.mu.Lock()
	defer p.mu.Unlock()
	fault := p.take(model)
	p.requests = append(p.requests, Request{Path: r.URL.Path, Model: model, Key: r.Header.Get("Idempotency-Key"), Fault: fault})
	return fault
}

// take returns the fault of the first rule that matches, and counts its use.
func (p *Provider) take(model string) Fault {
	for i := range p.faults {
		rule := &p.faults[i]
		if rule.Model != "" && rule.Model != model {
			continue
		}
		fault := rule.Fault
		if rule.Times > 0 {
			if rule.Times--; rule.Times == 0 {
				p.faults = append(p.faults[:i], p.faults[i+1:]...)
			}
		}
		return fault
	}
	return None
}
