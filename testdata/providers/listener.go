package providers

import (
	"context"
	"io"
	"log"
	"net"
	"net/http"
	"sync"
)

// Serve runs a handler on connections in memory until stop is called, and returns a client whose every request goes there, whatever its
// address. stop ends the server and its connections; nothing is left when it returns. It can be used in a bubble of testing/synctest.
func Serve(h http.Handler) (client *http.Client, stop func()) {
	l := &pipes{conns: make(chan net.Conn), closed: make(chan struct{})}
	server := &http.Server{Handler: h, ErrorLog: log.New(io.Discard, "", 0)} //nolint:gosec // nobody else can reach it
	var wg sync.WaitGroup
	wg.Go(func() { _ = server.Serve(l) }) // it ends with an error, always
	transport := &http.Transport{DialContext: l.dial, DisableCompression: true}
	return &http.Client{Transport: transport}, func() {
		transport.CloseIdleConnections()
		_ = server.Close() // it has no other connections than these
		wg.Wait()
	}
}

// pipes is a listener whose connections are in memory.
type pipes struct {
	conns  chan net.Conn
	closed chan struct{}
	once   sync.Once
}

func (p *pipes) dial(ctx context.Context, _, _ string) (net.Conn, error) {
	ours, theirs := net.Pipe()
	select {
	case p.conns <- theirs:
		return ours, nil
	case <-p.closed:
		return nil, net.ErrClosed
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// Accept waits for the next connection.
func (p *pipes) Accept() (net.Conn, error) {
	select {
	case c := <-p.conns:
		return c, nil
	case <-p.closed:
		return nil, net.ErrClosed
	}
}

// Close ends Accept and dial.
func (p *pipes) Close() error {
	p.once.Do(func() { close(p.closed) })
	return nil
}

// Addr returns an address that nobody can dial.
func (*pipes) Addr() net.Addr { return address{} }

type address struct{}

func (address) Network() string { return "memory" }
func (address) String() string  { return "memory" }
