package wire

import (
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptrace"
	"net/url"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/resgen-go/resgen/runtime/internal/requests"
	"github.com/resgen-go/resgen/runtime/wire/internal/codec"
)

// exchange is one attempt: the request, what is known of its way, and the response. It is the attempt's context too, so that dial functions
// and redirects find it, and net/http what it reports to. All of it is one piece of memory, since all of it lives until the response is
// closed.
type exchange struct {
	context.Context //nolint:containedctx // it is a context: the request's, with the attempt in it

	out      http.Request
	url      url.URL            // of out
	values   [headerRoom]string // of out's header, as far as they suffice
	response Response
	trace    *httptrace.ClientTrace // nil until somebody asks: see hooks

	used   uint8 // of values
	gzip   bool  // we asked for compression, as net/http would have done
	traced bool  // Value gives the trace
	once   bool  // the request must not be executed twice
	direct bool  // no transport of net/http was given the request
	apart  bool  // an editor gave the request a context without the exchange, which hears nothing
	heard  bool  // the connection brought the beginning of an answer; known for requests that are sent once only. By mu

	connect   time.Duration
	pool      *pool // nil with a transport of the user's own
	served    *connections
	body      io.ReadCloser // of out, where it is in memory
	data      []byte        // of body
	from      *bytes.Reader // of body
	lent      *codec.Loan   // whose text is shown by body; nil for none
	reader    bytes.Reader  // of the first body
	hide      redactor
	secrets   [3]string // what hide begins with, so that few credentials need no memory of their own
	note      string
	redirects int

	stage  atomic.Uint32
	waited atomic.Bool // a transport that tells of its connections asked for one

	mu    sync.Mutex
	conn  net.Conn // the last that it got
	count int      // how many
	raw   *tracked
	read  int64 // of raw, when it was got
	wrote int64
}

// headerRoom is how many values of a header need no memory of their own.
const headerRoom = 8

type exchangeKey struct{}

// Value finds the exchange in its own context, and the trace.
func (x *exchange) Value(key any) any {
	if _, ok := key.(exchangeKey); ok {
		return x
	}
	if x.traced && key == requests.TraceKey {
		return x.hooks()
	}
	return x.Context.Value(key)
}

// hooks returns the trace, whose hooks take memory: a direct request tells the exchange itself.
func (x *exchange) hooks() *httptrace.ClientTrace {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.trace != nil {
		return x.trace
	}
	x.trace = &httptrace.ClientTrace{GotConn: x.gotConn, WroteRequest: x.wroteRequest}
	if x.once {
		x.trace.GotFirstResponseByte = x.gotFirstByte
	}
	if x.pool == nil {
		x.trace.GetConn = func(string) { x.waited.Store(true) }
	}
	return x.trace
}

// begin begins the request. once says that it must not be executed twice.
func (x *exchange) begin(r *Request, once bool) *http.Request {
	x.stage.Store(uint32(StageConnect))
	x.once = once
	ctx := context.Context(x)
	if x.traced = requests.TraceKey != nil && x.Context.Value(requests.TraceKey) == nil; !x.traced {
		ctx = httptrace.WithClientTrace(x, x.hooks()) // with the caller's own
	}
	x.out = *(&http.Request{Method: r.method, URL: &x.url, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1}).WithContext(ctx)
	const more = 4
	x.out.Header = make(http.Header, len(r.header)+more)
	for _, f := range r.header {
		x.set(f.Name, f.Value)
	}
	return &x.out
}

// set sets a header of the request. The name is in canonical form.
func (x *exchange) set(name, value string) {
	if int(x.used) == len(x.values) {
		x.out.Header[name] = []string{value}
		return
	}
	at := x.used
	x.values[at], x.used = value, at+1
	x.out.Header[name] = x.values[at : at+1 : at+1]
}

// askForGzip asks for compression where net/http would, which then does not: it takes a map for that one field, and a new decompressor for
// each response.
func (x *exchange) askForGzip() {
	h := x.out.Header
	if h == nil || x.out.Method == http.MethodHead || len(h["Accept-Encoding"]) > 0 || len(h["Range"]) > 0 {
		return
	}
	x.gzip = true
	x.set("Accept-Encoding", "gzip")
}

// isUnread reports whether the body of a request is ours, in memory, and nobody has read of it.
func (x *exchange) isUnread(req *http.Request) bool {
	return req.Body == x.body && x.from.Len() == len(x.data)
}

// isOver notes that the request was sent, by nobody but us where it was direct: then nobody reads its body any more.
func (x *exchange) isOver() {
	if x.lent == nil || !x.direct {
		return
	}
	x.out.Body, x.out.GetBody, x.body, x.data = nil, nil, nil, nil
	x.reader.Reset(nil)
	x.lent.Hide()
	x.lent = nil
}

func (x *exchange) wroteRequest(info httptrace.WroteRequestInfo) {
	if info.Err == nil {
		x.stage.Store(uint32(StageWait))
	}
}

func (x *exchange) gotFirstByte() {
	x.mu.Lock()
	x.heard = true
	x.mu.Unlock()
}

// isHeldBack reports whether the answer came before the request was sent whole, on a connection of HTTP/2.
func (x *exchange) isHeldBack() bool {
	if Stage(x.stage.Load()) >= StageWait {
		return false
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.multiplexed()
}

func (x *exchange) gotConn(info httptrace.GotConnInfo) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.stage.Store(uint32(StageSend))
	x.heard = false
	x.count++
	x.conn, x.raw = info.Conn, trackedOf(info.Conn)
	if x.raw != nil {
		x.read, x.wrote = x.raw.read.Load(), x.raw.written.Load()
	}
}

// reach notes a stage of making a connection, unless another has taken some of the request by now: then this one is made for whoever comes next, which
// net/http goes on with.
func (x *exchange) reach(s Stage) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.count == 0 || x.raw != nil && x.raw.written.Load() == x.wrote {
		x.stage.Store(uint32(s))
	}
}

// lostConn takes back a connection that had ended before anything was written to it.
func (x *exchange) lostConn() {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.stage.Store(uint32(StageConnect))
	x.count--
	x.conn, x.raw = nil, nil
}

// trackedOf returns our connection below TLS; nil for a connection of another dialer.
func trackedOf(c net.Conn) *tracked {
	if t, ok := c.(*tls.Conn); ok {
		c = t.NetConn()
	}
	raw, _ := c.(*tracked)
	return raw
}

// mayHaveActed reports whether the target may have executed the request that net/http is about to send again. It may not where nothing
// was written, nor where it answered: then this is a redirect. HTTP/2 asks only where the target said that it did not. Where nobody tells, it may.
func (x *exchange) mayHaveActed() bool {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.apart || x.count > 0 && !x.heard && !x.multiplexed() && (x.raw == nil || x.raw.written.Load() != x.wrote)
}

// sends returns how often the request was sent, redirects not counted.
func (x *exchange) sends() int {
	x.mu.Lock()
	defer x.mu.Unlock()
	return max(x.count-x.redirects, 1)
}

// failed turns an error of net/http into a TransportError, with what is known of the attempt.
func (x *exchange) failed(err error) *TransportError {
	if u, ok := errors.AsType[*url.Error](err); ok {
		err = u.Err // the rest of it is the URL, and the query may hold a key
	}
	t := &TransportError{Stage: Stage(x.stage.Load()), Wrote: true, Sends: x.sends(), Err: err, hide: x.secret()}
	x.mu.Lock()
	defer x.mu.Unlock()
	switch {
	case x.count > 0:
		t.Wrote = x.raw == nil || x.count > 1 || x.multiplexed() || x.raw.written.Load() != x.wrote
	case x.pool != nil && !x.apart || x.waited.Load() || isDial(err):
		t.Wrote = false  // there was no connection
		if isDial(err) { // whoever dialled
			t.Stage = max(t.Stage, StageDial)
		}
	default: // nobody tells how far it came
		t.Stage = StageSend
	}
	t.Refused = !t.Wrote || isRefused(err)
	return t
}

// secret returns what texts are to be cleaned of, for errors, which may live longer than the exchange.
func (x *exchange) secret() redactor { return slices.Clone(x.hide) }

// multiplexed reports whether the connection is HTTP/2, which other requests write to as well. x.mu is held.
func (x *exchange) multiplexed() bool {
	t, ok := x.conn.(*tls.Conn)
	return ok && t.ConnectionState().NegotiatedProtocol == "h2"
}

// poison has a connection no longer used on which the attempt ran into a timeout without one byte read. With HTTP/1 net/http
// closes the connection of every request that is cancelled. With HTTP/2 it goes on using it, so new requests get fresh
// connections; those in flight on the old one are left alone, for it may only be slow. An answer to the PING that net/http sends
// when it gives a stream up is a byte read: such a connection is not stuck.
func (x *exchange) poison() {
	if x.pool == nil || x.Err() == nil || errors.Is(context.Cause(x), context.Canceled) {
		return
	}
	x.mu.Lock()
	stuck := x.raw != nil && x.multiplexed() && x.raw.read.Load() == x.read
	x.mu.Unlock()
	if stuck {
		x.pool.retire(x.served, time.Now())
	}
}

// isDial reports whether the error is of a connection that was never made, for transports that tell nothing.
func isDial(err error) bool {
	var op *net.OpError
	return errors.As(err, &op) && op.Op == "dial" || errors.Is(err, syscall.ECONNREFUSED)
}

// streamError has the fields of net/http's unexported http2StreamError, which errors.As fills by name.
type streamError struct {
	StreamID uint32
	Code     uint32
	Cause    error
}

// Error is never shown; it makes the type one that errors.As takes.
func (streamError) Error() string { return "stream error" }

const refusedStream = 7 // RFC 9113, section 7

// isRefused reports whether the target said that it did not process the request: RFC 9113, section 8.7.
func isRefused(err error) bool {
	var s streamError
	if errors.As(err, &s) && s.Code == refusedStream {
		return true
	}
	// net/http keeps these errors to itself. It makes them for streams above the last stream of a GOAWAY only.
	text := err.Error()
	return strings.Contains(text, "http2: Transport received") && strings.Contains(text, "GOAWAY") ||
		strings.Contains(text, "REFUSED_STREAM")
}

// cut returns the error of a body that ended too early: io.ErrUnexpectedEOF, whatever the transport calls it, unless it was we who
// ended it.
func (x *exchange) cut(err error) error {
	if x.Err() != nil || errors.Is(err, io.ErrUnexpectedEOF) {
		return err
	}
	return fmt.Errorf("%w: %w", io.ErrUnexpectedEOF, err)
}
