package wire

import (
	"bytes"
	"context"
	"io"
	"net"
	"sync"
	"time"
)

// network is one without sockets, which can be used in a bubble of testing/synctest: all its waiting is that of virtual time, so that no
// machine is too slow for it. Whoever writes waits for nobody, as with a socket that has room.
type network struct {
	accept chan net.Conn
	closed chan struct{}

	mu    sync.Mutex
	conns []net.Conn
}

func newNetwork() *network { return &network{accept: make(chan net.Conn), closed: make(chan struct{})} }

// dial connects to whoever accepts.
func (m *network) dial(ctx context.Context, _, _ string) (net.Conn, error) {
	there, back := newPipe(), newPipe()
	ours, theirs := &end{in: back, out: there}, &end{in: there, out: back}
	select {
	case m.accept <- theirs:
		m.mu.Lock()
		m.conns = append(m.conns, theirs)
		m.mu.Unlock()
		return ours, nil
	case <-m.closed:
		return nil, net.ErrClosed
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// serve has each connection served, with its number, from 1, until the network is closed.
func (m *network) serve(one func(c net.Conn, n int)) {
	for n := 1; ; n++ {
		select {
		case c := <-m.accept:
			go one(c, n)
		case <-m.closed:
			return
		}
	}
}

// close ends all connections, and whoever accepts.
func (m *network) close() {
	close(m.closed)
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, c := range m.conns {
		_ = c.Close() // it fails for none
	}
}

// pipe is one direction of a connection.
type pipe struct {
	mu     sync.Mutex
	change *sync.Cond
	text   bytes.Buffer
	closed bool
}

func newPipe() *pipe {
	p := &pipe{}
	p.change = sync.NewCond(&p.mu)
	return p
}

func (p *pipe) close() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.closed = true
	p.change.Broadcast()
}

// end is one end of a connection. It has no deadlines.
type end struct{ in, out *pipe }

// Read waits for bytes, or for the end.
func (e *end) Read(b []byte) (int, error) {
	p := e.in
	p.mu.Lock()
	defer p.mu.Unlock()
	for p.text.Len() == 0 {
		if p.closed {
			return 0, io.EOF
		}
		p.change.Wait()
	}
	return p.text.Read(b)
}

// Write writes.
func (e *end) Write(b []byte) (int, error) {
	p := e.out
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		return 0, net.ErrClosed
	}
	p.change.Broadcast()
	return p.text.Write(b)
}

// Close ends both directions.
func (e *end) Close() error {
	e.in.close()
	e.out.close()
	return nil
}

func (*end) LocalAddr() net.Addr              { return &net.TCPAddr{} }
func (*end) RemoteAddr() net.Addr             { return &net.TCPAddr{} }
func (*end) SetDeadline(time.Time) error      { return nil }
func (*end) SetReadDeadline(time.Time) error  { return nil }
func (*end) SetWriteDeadline(time.Time) error { return nil }
