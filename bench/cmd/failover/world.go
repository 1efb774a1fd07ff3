package main

import (
	"context"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	toxiproxy "github.com/Shopify/toxiproxy/v2"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/rs/zerolog"
)

// answers are log-normal.
const (
	median = 300 * time.Millisecond
	sigma  = 0.4
)

// answer answers after a while.
func answer(w http.ResponseWriter, r *http.Request) {
	_, _ = io.Copy(io.Discard, r.Body) // an error of the caller's
	timer := time.NewTimer(time.Duration(float64(median) * math.Exp(sigma*rand.NormFloat64())))
	defer timer.Stop()
	select {
	case <-timer.C:
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, `{"text":"hello"}`) // as above
	case <-r.Context().Done():
	}
}

// capped works off so many requests a second, one after the other, beside the time that each takes.
func capped(perSecond int, next http.HandlerFunc) http.HandlerFunc {
	var mu sync.Mutex
	var free time.Time
	return func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		now := time.Now()
		if free.Before(now) {
			free = now
		}
		wait := free.Sub(now)
		free = free.Add(time.Second / time.Duration(perSecond))
		mu.Unlock()
		if until(r.Context(), time.Now().Add(wait)) == nil {
			next(w, r)
		}
	}
}

// hole is what stands between the client and the primary.
type hole interface {
	address() string
	// open has it swallow what is sent; shut ends that.
	open() error
	shut(ctx context.Context) error
	close()
}

// toxic is a proxy of toxiproxy.
type toxic struct{ proxy *toxiproxy.Proxy }

func newToxic(upstream string) (*toxic, error) {
	server := toxiproxy.NewServer(toxiproxy.NewMetricsContainer(prometheus.NewRegistry()), zerolog.Nop())
	p := toxiproxy.NewProxy(server, "primary", "127.0.0.1:0", upstream)
	if err := p.Start(); err != nil {
		return nil, fmt.Errorf("start toxiproxy: %w", err)
	}
	return &toxic{p}, nil
}

func (t *toxic) address() string { return t.proxy.Listen }
func (t *toxic) close()          { t.proxy.Stop() }

func (t *toxic) open() error {
	const black = `{"name": "hole", "type": "timeout", "stream": "upstream", "toxicity": 1, "attributes": {"timeout": 0}}`
	_, err := t.proxy.Toxics.AddToxicJson(strings.NewReader(black))
	return err //nolint:wrapcheck // it says what
}

func (t *toxic) shut(ctx context.Context) error {
	return t.proxy.Toxics.RemoveToxic(ctx, "hole") //nolint:wrapcheck // as above
}

// freezer passes connections on until it is opened: those that are there then are dead, and say nothing; new ones work. It is what a
// firewall does that has forgotten its connections.
type freezer struct {
	listener net.Listener
	upstream string
	mu       sync.Mutex
	pairs    []*pair
}

type pair struct {
	near, far net.Conn
	dead      atomic.Bool
}

func newFreezer(upstream string) (*freezer, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0") //nolint:noctx // nothing is waited for
	if err != nil {
		return nil, err //nolint:wrapcheck // it says what
	}
	f := &freezer{listener: l, upstream: upstream}
	go f.serve()
	return f, nil
}

func (f *freezer) serve() {
	for {
		near, err := f.listener.Accept()
		if err != nil {
			return // closed
		}
		far, err := net.Dial("tcp", f.upstream) //nolint:noctx // loopback
		if err != nil {
			_ = near.Close()
			continue
		}
		p := &pair{near: near, far: far}
		f.mu.Lock()
		f.pairs = append(f.pairs, p)
		f.mu.Unlock()
		go p.pass(near, far)
		go p.pass(far, near)
	}
}

// pass copies what comes, and swallows it once the connection is dead.
func (p *pair) pass(from, to net.Conn) {
	buffer := make([]byte, 32<<10)
	for {
		n, err := from.Read(buffer)
		if p.dead.Load() {
			if err != nil {
				return
			}
			continue
		}
		if _, failed := to.Write(buffer[:n]); err != nil || failed != nil {
			_, _ = p.near.Close(), p.far.Close()
			return
		}
	}
}

func (f *freezer) address() string          { return f.listener.Addr().String() }
func (*freezer) shut(context.Context) error { return nil }

func (f *freezer) open() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, p := range f.pairs {
		p.dead.Store(true)
	}
	return nil
}

func (f *freezer) close() {
	_ = f.listener.Close()
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, p := range f.pairs {
		_, _ = p.near.Close(), p.far.Close()
	}
}

// primary serves the primary, and what stands before it.
func (r *row) primary() (*httptest.Server, hole, error) {
	server := httptest.NewUnstartedServer(http.HandlerFunc(answer))
	between, err := r.before(server)
	if err != nil {
		server.Close()
		return nil, nil, err
	}
	return server, between, nil
}

// before starts the server, and what stands before it.
func (r *row) before(server *httptest.Server) (hole, error) {
	upstream := server.Listener.Addr().String()
	if !r.pooled {
		server.Start()
		return newToxic(upstream)
	}
	server.EnableHTTP2 = true
	server.StartTLS()
	if err := trust(server.Certificate()); err != nil {
		return nil, err
	}
	return newFreezer(upstream)
}

// trust has this process trust the certificate, as it would trust that of an authority: nothing has asked for the system's yet. The
// connections that the runtime makes by itself are the matter, so no http.Client is given to it.
func trust(c *x509.Certificate) error {
	f, err := os.CreateTemp("", "failover-*.pem")
	if err != nil {
		return err //nolint:wrapcheck // it says what
	}
	if err := errors.Join(pem.Encode(f, &pem.Block{Type: "CERTIFICATE", Bytes: c.Raw}), f.Close()); err != nil {
		return err
	}
	return os.Setenv("SSL_CERT_FILE", f.Name()) //nolint:wrapcheck // as above
}
