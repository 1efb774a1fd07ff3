package wire

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptrace"
	"net/textproto"
	"net/url"
	"time"
	"unicode/utf8"
)

// A direct request goes over plain HTTP/1.1, by the goroutine that makes it. http.Transport has two goroutines for each connection and hands a
// request from one to another seven times; where an answer takes its time, each hand-over wakes a thread, and together they cost more than the
// rest of a call. A request with a small body in memory needs none of it: it fits into the buffers of a connection, so that whoever wrote it
// can go on to read the answer. net/http's own code writes the one and reads the other (http.Request.Write, http.ReadResponse); what is ours is
// by which connection, and how that ends. All else goes by an http.Transport. See docs/adr/0054-direct-requests.md.

// directBody is how large the body of a direct request may be, and directHeader its header: together what the system takes of a connection that
// nobody reads. So a server that answers before it has read the request does not keep it from being written.
const (
	directBody   = 64 << 10
	directHeader = 16 << 10
)

// isDirect reports whether a request may be direct: what it asks for is what every connection can do. What is wrong with it is for
// http.Transport to say.
func (x *exchange) isDirect(req *http.Request) bool {
	if !canLook || req.URL == nil || req.URL.Scheme != "http" || !isPlainHost(req.URL) || req.Header == nil || req.Close ||
		req.Method == http.MethodConnect || escape(req.Method, inToken, false) != req.Method || req.TransferEncoding != nil ||
		req.Trailer != nil || req.Cancel != nil { //nolint:staticcheck // http.Client sets it where it has a timeout
		return false
	}
	if !hasNoBody(req) && (req.Body != x.body || req.ContentLength < 0 || req.ContentLength > directBody) || !hasPlainHeader(req) {
		return false
	}
	proxy, err := http.ProxyFromEnvironment(req)
	return proxy == nil && err == nil
}

// hasPlainHeader reports whether the header asks nothing of the connection, is well-formed and small.
func hasPlainHeader(req *http.Request) bool {
	size := max(len(req.URL.Path), len(req.URL.RawPath)) + len(req.URL.RawQuery)
	for name, values := range req.Header {
		if ofConnections[name] {
			return false
		}
		for _, value := range values {
			if size += len(name) + len(value); checkHeader(name, value) != nil {
				return false
			}
		}
	}
	return size <= directHeader
}

// isPlainHost reports whether a URL's host is one to dial as it is. Other letters than those of ASCII have another form for that, which
// http.Transport knows.
func isPlainHost(u *url.URL) bool {
	for i := range len(u.Host) {
		if u.Host[i] >= utf8.RuneSelf {
			return false
		}
	}
	return u.Hostname() != ""
}

// ofConnections are the headers that ask for more of a connection than to carry a request and its answer.
var ofConnections = map[string]bool{
	"Connection": true, "Expect": true, "Keep-Alive": true, "Proxy-Connection": true, "Te": true, "Trailer": true, "Transfer-Encoding": true,
	"Upgrade": true,
}

func hasNoBody(req *http.Request) bool { return req.Body == nil || req.Body == http.NoBody }

// roundTrip makes a direct request. Where a kept connection turns out to have ended it goes on with another, in the cases in which an
// http.Transport does.
func (k *keptLinks) roundTrip(req *http.Request) (*http.Response, error) {
	ctx := req.Context()
	trace := httptrace.ContextClientTrace(ctx)
	if trace == nil {
		trace = new(httptrace.ClientTrace)
	}
	for {
		if ctx.Err() != nil { // while credentials were fetched, or the request edited
			return nil, context.Cause(ctx) //nolint:wrapcheck // as http.Transport does
		}
		l, err := k.get(ctx, req, trace)
		if err != nil {
			return nil, causeOf(ctx, err)
		}
		resp, err := l.send(ctx, req, trace)
		if err == nil {
			return resp, nil
		}
		l.end(false)
		if ctx.Err() != nil || !l.mayBeReplaced(req) {
			return nil, causeOf(ctx, err)
		}
		if req, err = rewound(req); err != nil {
			return nil, err
		}
	}
}

// causeOf returns why the context ended, where it did, as http.Transport does; else err.
func causeOf(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return context.Cause(ctx) //nolint:wrapcheck // as above
	}
	return err
}

// get returns a connection: one that was kept, or a new one.
func (k *keptLinks) get(ctx context.Context, req *http.Request, trace *httptrace.ClientTrace) (*link, error) {
	address := req.URL.Host
	if req.URL.Port() == "" {
		address = net.JoinHostPort(req.URL.Hostname(), "80")
	}
	if trace.GetConn != nil {
		trace.GetConn(address)
	}
	info := httptrace.GotConnInfo{}
	l := k.take(address)
	if l != nil {
		info = httptrace.GotConnInfo{Reused: true, WasIdle: true, IdleTime: time.Since(l.since)}
	} else {
		conn, err := k.dial(ctx, "tcp", address)
		if err != nil {
			return nil, err
		}
		l = newLink(k, address, conn)
	}
	if info.Conn = l.conn; trace.GotConn != nil {
		trace.GotConn(info)
	}
	return l, nil
}

// mayBeReplaced reports whether http.Transport would send the request again, by another connection: this one was kept from an earlier request,
// it broke before an answer came, and nothing was sent, or net/http takes the request for one that may be sent twice.
func (l *link) mayBeReplaced(req *http.Request) bool {
	if l.uses <= 1 || l.heard || !l.broke || !hasNoBody(req) && req.GetBody == nil {
		return false
	}
	return l.conn.written.Load() == l.wrote || replaysEmpty(req)
}

// rewound returns the request with its body from the beginning.
func rewound(req *http.Request) (*http.Request, error) {
	if hasNoBody(req) {
		return req, nil
	}
	body, err := req.GetBody()
	if err != nil {
		return nil, err //nolint:wrapcheck // it is our own
	}
	again := *req
	again.Body = body
	return &again, nil
}

// send writes the request and reads the header of its answer. After an error the connection is of no use.
func (l *link) send(ctx context.Context, req *http.Request, trace *httptrace.ClientTrace) (*http.Response, error) {
	l.ctx, l.trace = ctx, trace
	l.wrote, l.heard, l.broke = l.conn.written.Load(), false, false
	l.uses++
	l.stop = afterFunc(ctx, l.interrupt)
	err := req.Write(l.out)
	if err == nil {
		err = l.out.Flush()
	}
	if err == nil {
		return l.receive(req)
	}
	if l.broke = l.conn.failed.Load(); l.broke {
		if broken := l.out.Flush(); broken != nil {
			err = broken // Write hides it from errors.Is, where it was writing the body
		}
	}
	if !l.broke || l.conn.written.Load() == l.wrote {
		return nil, err
	}
	l.last = true
	resp, lost := l.receive(req) // it may have answered before it closed the connection
	if lost != nil {
		return nil, err
	}
	return resp, nil
}

// afterFunc is context.AfterFunc for the context of a request. That of an attempt may know of a cheaper way, which what is around it hides.
func afterFunc(ctx context.Context, f func()) (stop func() bool) {
	if x, ok := ctx.(*exchange); ok {
		if own, ok := x.Context.(interface{ AfterFunc(f func()) func() bool }); ok {
			return own.AfterFunc(f)
		}
	}
	return context.AfterFunc(ctx, f)
}

// maxHeader is how many bytes the header of an answer may have, interim answers included, as of http.Transport.
const maxHeader = 10 << 20

var (
	errHeaderSize = fmt.Errorf("the header of the answer has more than %d bytes", maxHeader)
	errNoAnswer   = errors.New("the connection ended before an answer came")
)

// receive reads the header of the answer. Interim answers are passed over (RFC 9110, section 15.2).
func (l *link) receive(req *http.Request) (*http.Response, error) {
	l.left = maxHeader
	if _, err := l.in.Peek(1); err != nil {
		if l.broke = true; errors.Is(err, io.EOF) {
			err = fmt.Errorf("%w: %w", errNoAnswer, err)
		}
		return nil, err
	}
	l.heard = true
	if l.trace.GotFirstResponseByte != nil {
		l.trace.GotFirstResponseByte()
	}
	for {
		resp, err := http.ReadResponse(l.in, req)
		switch {
		case l.left <= 0:
			return nil, errHeaderSize
		case err != nil:
			return nil, fmt.Errorf("HTTP/1.1: the header of the answer: %w", err)
		case resp.StatusCode >= 100 && resp.StatusCode < 200 && resp.StatusCode != http.StatusSwitchingProtocols:
			if err := l.tellInterim(resp); err != nil {
				return nil, err
			}
		default:
			l.left = unlimited
			return l.answer(resp), nil
		}
	}
}

// tellInterim tells of an interim answer. Whoever hears of them bounds their number, as with http.Transport.
func (l *link) tellInterim(resp *http.Response) error {
	if l.trace.Got1xxResponse == nil {
		return nil
	}
	l.left = maxHeader
	return l.trace.Got1xxResponse(resp.StatusCode, textproto.MIMEHeader(resp.Header)) //nolint:wrapcheck // the caller's own
}
