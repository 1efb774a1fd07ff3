package wire

import (
	"bufio"
	"context"
	"io"
	"math"
	"net/http"
	"net/http/httptrace"
	"sync/atomic"
	"time"
)

// link is a connection of direct requests, one at a time. It belongs to whoever took it; only interrupt, and Close of an answer's body, may be
// called from elsewhere.
type link struct {
	of      *keptLinks
	address string
	conn    *tracked
	in      *bufio.Reader
	out     *bufio.Writer
	socket  *socket     // nil for none
	isQuiet func() bool // whether it can have a request; nil: nobody knows, so that it has one only
	since   time.Time   // when it was put back
	date    time.Time   // the same, by the clock on the wall

	asks  []byte // what the next Read is to write first
	uses  int    // how many requests, this one included
	left  int64  // what may still be read
	wrote int64  // of conn, when this request began
	heard bool   // something of the answer came
	broke bool   // the connection did, before that
	last  bool   // no other request may follow
	stop  func() bool
	ctx   context.Context //nolint:containedctx // of the request
	tell  report

	interrupt func()
}

const unlimited = math.MaxInt64

func newLink(of *keptLinks, address string, conn *tracked) *link {
	l := &link{of: of, address: address, conn: conn, left: unlimited, socket: newSocket(conn)}
	if l.socket != nil {
		l.isQuiet = l.socket.isQuiet
	}
	l.in, l.out = bufio.NewReaderSize(bounded{l}, bufferSize), bufio.NewWriterSize(conn, bufferSize)
	l.interrupt = func() { _ = conn.Close() } // who reads or writes asks the context why
	return l
}

// bounded reads the connection as far as the header of an answer may go.
type bounded struct{ *link }

// Read reads.
func (b bounded) Read(p []byte) (int, error) {
	if b.left <= 0 {
		return 0, errHeaderSize
	}
	p = p[:min(int64(len(p)), b.left)]
	n, err := b.next(p)
	b.left -= int64(n)
	return n, err
}

// next reads, once what is asked has been written.
func (l *link) next(p []byte) (int, error) {
	if l.asks == nil {
		return l.conn.Read(p)
	}
	text := l.asks
	l.asks = nil
	n, err := l.socket.ask(text, p, l.uses > 1)
	if l.conn.written.Load() == l.wrote+int64(len(text)) {
		l.tell.x.wroteRequest(httptrace.WroteRequestInfo{})
	}
	return n, err
}

// answer gives the answer a body with whose end that of the request comes. Where it changes the protocol, for which nobody asked, it has none.
func (l *link) answer(resp *http.Response) *http.Response {
	l.last = l.last || resp.Close || resp.StatusCode < http.StatusOK
	if resp.Body == http.NoBody {
		l.end(true)
	} else {
		resp.Body = &directAnswer{link: l, from: resp.Body}
	}
	return resp
}

// end ends the request: its connection is put back where it may serve another, else closed.
func (l *link) end(whole bool) {
	stopped := l.stop() // else the context has ended, and closes the connection
	if !stopped || !whole || l.last || l.in.Buffered() > 0 {
		_ = l.conn.Close() // it is given up
		return
	}
	tell := l.tell
	l.ctx, l.tell, l.stop = nil, report{}, nil
	tell.idle(l.of.put(l))
}

// directAnswer is the body of the answer to a direct request.
type directAnswer struct {
	link  *link
	from  io.ReadCloser // net/http's
	left  int64         // else: how much there is of it
	state atomic.Uint32
}

const (
	answerOpen = iota
	answerEnded
	answerClosed
)

// Read reads the body. The connection serves other requests from its end on.
func (a *directAnswer) Read(p []byte) (int, error) {
	switch a.state.Load() {
	case answerEnded:
		return 0, io.EOF
	case answerClosed:
		return 0, http.ErrBodyReadAfterClose
	}
	ctx := a.link.ctx
	n, err := a.read(p)
	if err == nil {
		return n, nil
	}
	if err != io.EOF { //nolint:errorlint // io.Reader says that it is this very error
		err = causeOf(ctx, err)
		_ = a.Close()
		return n, err
	}
	if a.state.CompareAndSwap(answerOpen, answerEnded) {
		a.link.end(true)
	}
	return n, io.EOF
}

func (a *directAnswer) read(p []byte) (int, error) {
	if a.from != nil {
		return a.from.Read(p) //nolint:wrapcheck // a body passes errors through
	}
	return a.readSized(p)
}

// Close gives the connection up, unless the body was read to its end. A Read that is outstanding ends.
func (a *directAnswer) Close() error {
	if a.state.CompareAndSwap(answerOpen, answerClosed) {
		a.link.end(false)
	}
	return nil
}
