package rungfaults_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/resgen-go/resgen/testdata/providers"
)

// does is what a target does at each request: how the connection is made, then a handler, then a script of testdata/providers.
type does struct {
	dial    dial
	handler http.HandlerFunc
	script  string
}

// dial is how a connection fails.
type dial uint8

const (
	dialWell dial = iota
	dialRefused
	dialReset
	dialLong
	dialNothing
)

// dialTimeout is that of the plan, which a transport of the caller's own has by itself.
const dialTimeout = 500 * time.Millisecond

// party is a target of one model. What it answers as it should says who it is.
type party struct {
	name     string
	provider *providers.Provider
	well     http.RoundTripper
	dials    [dialNothing + 1]*http.Transport

	mu    sync.Mutex
	plays does
	asked int
}

func newParty(t *testing.T, name string) *party {
	t.Helper()
	provider, err := providers.New("chat")
	if err != nil {
		t.Fatal(err)
	}
	p := &party{name: name, provider: provider}
	client, stop := providers.Serve(p)
	t.Cleanup(stop)
	p.well = client.Transport
	for d, dial := range map[dial]func(context.Context, string, string) (net.Conn, error){
		dialRefused: refused, dialReset: reset, dialLong: long, dialNothing: nothing,
	} {
		p.dials[d] = &http.Transport{DialContext: dial}
		t.Cleanup(p.dials[d].CloseIdleConnections)
	}
	p.play(does{script: providers.Right})
	return p
}

// play sets what is done from now on.
func (p *party) play(d does) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.plays = d; d.script != "" {
		p.provider.Play(d.script)
	}
}

// requests returns how many there were.
func (p *party) requests() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.asked
}

// RoundTrip sends a request to the party.
func (p *party) RoundTrip(r *http.Request) (*http.Response, error) {
	p.mu.Lock()
	p.asked++
	d := p.plays.dial
	p.mu.Unlock()
	if d == dialWell {
		return p.well.RoundTrip(r)
	}
	return p.dials[d].RoundTrip(r)
}

// ServeHTTP answers a request.
func (p *party) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	p.mu.Lock()
	d := p.plays
	p.mu.Unlock()
	w = named{ResponseWriter: w, name: p.name}
	if d.handler != nil {
		d.handler(w, r)
	}
	if d.script != "" && r.Context().Err() == nil {
		p.provider.ServeHTTP(w, r)
	}
}

// named puts a party's name in the place of the scripts' model.
type named struct {
	http.ResponseWriter

	name string
}

// Write writes the text with the name in it.
func (n named) Write(text []byte) (int, error) {
	_, err := n.ResponseWriter.Write(bytes.ReplaceAll(text, []byte(`"m-1"`), []byte(`"`+n.name+`"`)))
	return len(text), err
}

// Unwrap is for http.ResponseController.
func (n named) Unwrap() http.ResponseWriter { return n.ResponseWriter }

// byModel sends each request to the party that its address and its model name.
type byModel map[string]*party

var errNobody = errors.New("nobody has the model")

// RoundTrip sends a request.
func (m byModel) RoundTrip(r *http.Request) (*http.Response, error) {
	body, err := r.GetBody()
	if err != nil {
		return nil, err
	}
	var asks struct{ Model string }
	if err := json.NewDecoder(body).Decode(&asks); err != nil {
		return nil, err
	}
	host, _, _ := strings.Cut(r.URL.Host, ".")
	if p := m[host+" "+asks.Model]; p != nil {
		return p.RoundTrip(r)
	}
	return nil, errNobody
}

func refused(context.Context, string, string) (net.Conn, error) {
	return nil, &net.OpError{Op: "dial", Net: "tcp", Err: syscall.ECONNREFUSED}
}

func nothing(ctx context.Context, _, _ string) (net.Conn, error) {
	<-ctx.Done()
	return nil, &net.OpError{Op: "dial", Net: "tcp", Err: ctx.Err()}
}

func long(ctx context.Context, network, address string) (net.Conn, error) {
	ctx, cancel := context.WithTimeout(ctx, dialTimeout)
	defer cancel()
	return nothing(ctx, network, address)
}

func reset(context.Context, string, string) (net.Conn, error) {
	ours, theirs := net.Pipe()
	return &resetConn{Conn: ours, theirs: theirs, wrote: make(chan struct{})}, nil
}

// resetConn is reset when the request was written.
type resetConn struct {
	net.Conn

	theirs net.Conn
	once   sync.Once
	wrote  chan struct{}
}

func (c *resetConn) Write(b []byte) (int, error) {
	c.once.Do(func() { close(c.wrote) })
	return len(b), nil
}

func (c *resetConn) Read([]byte) (int, error) {
	<-c.wrote
	return 0, &net.OpError{Op: "read", Net: "tcp", Err: syscall.ECONNRESET}
}

func (c *resetConn) Close() error {
	c.once.Do(func() { close(c.wrote) })
	_ = c.theirs.Close()
	return c.Conn.Close()
}

// says answers with a fixed text.
func says(status int, mediaType, body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", mediaType)
		w.WriteHeader(status)
		_, _ = io.WriteString(w, body) // the client is gone if this fails
	}
}

// silence answers nothing, until the client goes. The request is read first, so that this is seen.
func silence(_ http.ResponseWriter, r *http.Request) {
	_, _ = io.Copy(io.Discard, r.Body) // what it asks does not matter
	<-r.Context().Done()
}

// after waits, and leaves the answer to the script.
func after(d time.Duration) http.HandlerFunc {
	return func(_ http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body) // the script says what is wrong with it
		r.Body = io.NopCloser(bytes.NewReader(body))
		timer := time.NewTimer(d)
		defer timer.Stop()
		select {
		case <-timer.C:
		case <-r.Context().Done():
		}
	}
}

func asksForStream(r *http.Request) bool {
	var asks struct{ Stream bool }
	return json.NewDecoder(r.Body).Decode(&asks) == nil && asks.Stream
}
