package runtimetest

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// Server is a fake of the server that a generated client calls: it routes requests to operations, checks them, keeps them, and answers what
// it was told, else a sample. The packages that resgen generates beside clients (`llmtest` beside `llm`) have one with a method for each
// operation; see Served. A request that the API does not have, or that is not as the document says, fails the test and is answered 400.
//
// It is safe for concurrent use, and for tests that run in parallel, each with its own.
type Server struct {
	t    testing.TB
	api  ServerAPI
	url  string
	http *http.Client

	routes []route
	mu     sync.Mutex
	plans  map[string]*script
	seen   []Request
}

// ServerAPI is what a Server is of. Generated code has one.
type ServerAPI struct {
	// Name is what faults and messages call it: "llmtest".
	Name string
	// BasePath is the path that the addresses of the API's own servers end in; requests may have it before their path. Empty for none.
	BasePath string
	// Operations are the methods of the client.
	Operations []ServerOperation
}

// ServerOperation is one method of the client.
type ServerOperation struct {
	// Name is the Go name of the method.
	Name string
	// Method and Path are as the client sends them; the path is a template, and may have a fixed query.
	Method, Path string
	// Accept is the Accept header of the method, by which methods of one path are told apart.
	Accept string
	// Preset is how the target writes its errors, as the preset of the operation's errors has it; empty is not known.
	Preset string
	// Query, Header and Cookie are the parameters that a request must have.
	Query, Header, Cookie []string
	// Body is how a request body is checked; nil for an operation without one.
	Body *ServerBody
	// Sample is what is answered where nothing is scripted. Missing says why there is none.
	Sample  Answer
	Missing string
	// Streams says that the answer comes item by item; Done is the marker that ends it, empty for none.
	Streams bool
	Done    string
	// Encode makes an answer of one of several that the operation may give; nil for an operation with one.
	Encode func(v any) (Answer, error)
}

// Request is a request that a Server was asked.
type Request struct {
	// Operation is the Go name of the method that it is of.
	Operation string
	// At is when it came.
	At time.Time
	// Method, URL and Header are its own.
	Method string
	URL    *url.URL
	Header http.Header
	// Body is the whole body.
	Body []byte
	// Path are the values of the parameters in the path, unescaped, by name.
	Path map[string]string
}

// servers counts the servers in memory, each of which has an address of its own.
var servers atomic.Int64

// NewMemoryServer returns a server in memory, which answers what its HTTPClient asks: no port, no goroutine, and time that may be virtual, so that it
// works in testing/synctest bubbles.
func NewMemoryServer(tb testing.TB, api ServerAPI) *Server {
	tb.Helper()
	s := newServer(tb, api)
	s.url = "http://" + strings.ToLower(api.Name) + "-" + strconv.FormatInt(servers.Add(1), 10) + ".test"
	s.http = &http.Client{Transport: s}
	return s
}

// NewServer returns a server that listens on a port of this machine, until the test ends. It does not work in synctest bubbles.
func NewServer(tb testing.TB, api ServerAPI) *Server {
	tb.Helper()
	s := newServer(tb, api)
	listening := httptest.NewServer(s)
	tb.Cleanup(listening.Close)
	s.url, s.http = listening.URL, listening.Client()
	return s
}

func newServer(tb testing.TB, api ServerAPI) *Server {
	tb.Helper()
	s := &Server{t: tb, api: api, plans: make(map[string]*script, len(api.Operations))}
	for i := range api.Operations {
		op := &api.Operations[i]
		r, err := newRoute(op)
		if err != nil {
			tb.Fatalf("%s: %s: %v", api.Name, op.Name, err)
		}
		s.routes = append(s.routes, r)
		s.plans[op.Name] = new(script)
	}
	return s
}

// URL is the address, for WithBaseURL.
func (s *Server) URL() string { return s.url }

// HTTPClient is what to ask the server with, for WithHTTPClient. For a server that listens any other will do.
func (s *Server) HTTPClient() *http.Client { return s.http }

// Requests are the requests so far, in the order in which they came. Those that the API does not have are not among them.
func (s *Server) Requests() []Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.seen)
}

// requestsOf are the requests of one operation.
func (s *Server) requestsOf(operation string) []Request {
	return slices.DeleteFunc(s.Requests(), func(r Request) bool { return r.Operation != operation })
}

// Made returns a client that was made for the server, or fails the test.
func Made[C any](s *Server, client C, err error) C {
	s.t.Helper()
	if err != nil {
		s.t.Fatalf("%s: the client: %v", s.api.Name, err)
	}
	return client
}

// script returns what an operation is to answer.
func (s *Server) script(operation string) *script {
	s.t.Helper()
	p := s.plans[operation]
	if p == nil {
		s.t.Fatalf("%s has no operation %q", s.api.Name, operation)
	}
	return p
}
