package runtime_test

import (
	"context"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/resgen-go/resgen/runtime"
	"github.com/resgen-go/resgen/runtime/policy"
	"github.com/resgen-go/resgen/runtime/runtimetest"
	"github.com/resgen-go/resgen/runtime/wire"
)

// The tests TestC… play cases from public bug reports: a server that is scripted request by request, over net/http on connections in
// memory, in virtual time.

// play is how the server answers one request.
type playStep func(w http.ResponseWriter, r *http.Request)

// scripted is a server that answers each request with the next of its steps, the last one again and again.
type scripted struct {
	steps []playStep

	mu       sync.Mutex
	hits     []request
	accepted atomic.Int32 // connections
	pushed   atomic.Int64 // bytes that went to the client
}

// request is what the server saw.
type request struct {
	at     time.Time
	method string
	path   string
	header http.Header
	body   string
}

func (s *scripted) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	at := time.Now()
	body, _ := io.ReadAll(r.Body)
	s.mu.Lock()
	n := len(s.hits)
	s.hits = append(s.hits, request{at, r.Method, r.URL.Path, r.Header.Clone(), string(body)})
	s.mu.Unlock()
	s.steps[min(n, len(s.steps)-1)](w, r)
}

// seen returns the requests so far.
func (s *scripted) seen() []request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]request(nil), s.hits...)
}

// gaps returns the times between the requests.
func (s *scripted) gaps() []time.Duration {
	hits := s.seen()
	var all []time.Duration
	for i := 1; i < len(hits); i++ {
		all = append(all, hits[i].at.Sub(hits[i-1].at))
	}
	return all
}

// answers is a status with a JSON body; header is name and value in turn.
func answers(status int, body string, header ...string) playStep {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		for i := 0; i+1 < len(header); i += 2 {
			w.Header().Set(header[i], header[i+1])
		}
		w.WriteHeader(status)
		_, _ = io.WriteString(w, body)
	}
}

func ok() playStep { return answers(http.StatusOK, `{"name":"a"}`) }

// fails is a status with an error that the document knows.
func fails(status int, header ...string) playStep {
	return answers(status, `{"error":{"code":"x1"}}`, header...)
}

// hangs never answers.
func hangs(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }

// resets closes the connection in place of an answer.
func resets(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }

// slow waits, and then answers, unless the request ends before.
func slow(after time.Duration, then playStep) playStep {
	return func(w http.ResponseWriter, r *http.Request) {
		select {
		case <-time.After(after):
			then(w, r)
		case <-r.Context().Done():
		}
	}
}

// times is a step again and again, and then others.
func times(n int, step playStep, then ...playStep) []playStep {
	var all []playStep
	for range n {
		all = append(all, step)
	}
	return append(all, then...)
}

// pipes is a listener whose connections are in memory.
type pipes struct {
	s      *scripted
	conns  chan net.Conn
	closed chan struct{}
}

func (p *pipes) dial(ctx context.Context, _, _ string) (net.Conn, error) {
	ours, theirs := net.Pipe()
	select {
	case p.conns <- theirs:
		p.s.accepted.Add(1)
		return &countedConn{ours, p.s}, nil
	case <-p.closed:
		return nil, net.ErrClosed
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// countedConn counts what the client reads.
type countedConn struct {
	net.Conn

	s *scripted
}

func (c *countedConn) Read(p []byte) (int, error) {
	n, err := c.Conn.Read(p)
	c.s.pushed.Add(int64(n))
	return n, err
}

func (p *pipes) Accept() (net.Conn, error) {
	select {
	case c := <-p.conns:
		return c, nil
	case <-p.closed:
		return nil, net.ErrClosed
	}
}

func (p *pipes) Close() error { close(p.closed); return nil }

func (*pipes) Addr() net.Addr { return &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1)} }

// serve starts a scripted server, and returns it with a client that reaches nothing else.
func serve(t *testing.T, steps ...playStep) (*scripted, *http.Client) {
	t.Helper()
	s := &scripted{steps: steps}
	l := &pipes{s: s, conns: make(chan net.Conn), closed: make(chan struct{})}
	server := &http.Server{Handler: s, ReadHeaderTimeout: time.Hour}
	served := make(chan error, 1)
	go func() { served <- server.Serve(l) }()
	transport := &http.Transport{DialContext: l.dial, MaxIdleConnsPerHost: 100}
	t.Cleanup(func() {
		transport.CloseIdleConnections()
		if err := server.Close(); err != nil {
			t.Error(err)
		}
		<-served
	})
	return s, &http.Client{Transport: transport}
}

// played is a client of one operation whose targets are scripted.
type played struct {
	*scripted

	http  *runtime.HTTP
	op    *runtime.Operation
	group *runtime.Group
	told  *runtimetest.Recorder
}

// against returns a client of the plan's operation against the steps.
func against(t *testing.T, p policy.Plan, steps []playStep, opts ...runtime.ClientOption) *played {
	t.Helper()
	s, client := serve(t, steps...)
	c := &played{scripted: s, group: runtime.NewGroup(), told: new(runtimetest.Recorder)}
	c.http = runtime.NewHTTP(
		runtime.HTTPSpec{
			Name: "shop", BaseURL: "http://primary.test", Targets: []policy.Target{{Name: "eu", BaseURL: "http://eu.test"}},
			Schemes: []wire.Scheme{{Name: "bearer", Kind: wire.Bearer}},
		},
		append([]runtime.ClientOption{
			runtime.WithHTTPClient(client), runtime.WithGroup(c.group), runtime.WithObserver(c.told), runtime.WithCredential("bearer", "s3cr3t"),
		}, opts...)...)
	c.op = c.http.Operation(p)
	if err := c.http.Err(); err != nil {
		t.Fatal(err)
	}
	return c
}

// call makes one call with a method; a POST has a JSON body.
func (c *played) call(ctx context.Context, method string) (runtime.Result[*thing], error) {
	r := wire.NewRequest(method, "/things")
	r.Security([]string{"bearer"})
	if method == http.MethodPost {
		r.JSON(thing{Name: "a"})
	}
	return runtime.DoResult(ctx, c.op, func(ctx context.Context, at runtime.Attempt) (*thing, error) {
		return runtime.Send(ctx, c.http, at, r, func(r *wire.Response) (*thing, error) {
			switch {
			case r.Status == http.StatusOK || r.Status == http.StatusCreated:
				return wire.JSON[thing](r)
			case r.Status >= http.StatusBadRequest:
				return nil, wire.Failure[fault](r)
			}
			return nil, r.Unexpected()
		})
	})
}

func (c *played) get(ctx context.Context) error {
	_, err := c.call(ctx, http.MethodGet)
	return err
}

// machines returns the primary target's.
func (c *played) machines() runtime.Machines {
	for _, m := range c.group.Snapshot() {
		if m.Target == policy.PrimaryTarget {
			return m
		}
	}
	return runtime.Machines{}
}

// retrying is a plan of that many attempts, with those waits and the default jitter.
func retrying(attempts int, base, longest time.Duration, change ...func(*policy.Plan)) policy.Plan {
	return plan(append([]func(*policy.Plan){func(p *policy.Plan) {
		p.Timeout, p.Retry.Attempts, p.Retry.RetryAfterMax = policy.Timeout{}, attempts, 5*time.Second
		p.Retry.Backoff = policy.Backoff{Base: base, Max: longest}
	}}, change...)...)
}

// texts joins what a test shows of requests.
func texts(hits []request, show func(request) string) string {
	all := make([]string, 0, len(hits))
	for _, h := range hits {
		all = append(all, show(h))
	}
	return strings.Join(all, " ")
}
