package wire

import (
	"context"
	"errors"
	"net"
	"net/http"
	"net/http/httptrace"
	"net/url"
	"time"
	"unicode/utf8"
)

// A direct request goes over plain HTTP/1.1, by the goroutine that makes it. http.Transport has two goroutines for each connection and hands a
// request from one to another seven times; where an answer takes its time, each hand-over wakes a thread, and together they cost more than the
// rest of a call. A request with a small body in memory needs none of it: it fits into the buffers of a connection, so that whoever wrote it
// can go on to read the answer. What is unusual of the one or the other net/http's own code writes and reads (http.Request.Write,
// http.ReadResponse); see direct_head.go and direct_answer.go for the rest. All else goes by an http.Transport. See
// docs/adr/0054-direct-requests.md and 0060-usual-requests.md.

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
	if !hasNoBody(req) && (!x.isUnread(req) || len(x.data) > directBody || req.ContentLength < 0) || !hasPlainHeader(req) {
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
	tell := reportOf(ctx)
	for {
		if ctx.Err() != nil { // while credentials were fetched, or the request edited
			return nil, context.Cause(ctx) //nolint:wrapcheck // as http.Transport does
		}
		l, err := k.get(ctx, req, tell)
		if err != nil {
			return nil, causeOf(ctx, err)
		}
		resp, err := l.send(ctx, req, tell)
		if err == nil {
			return resp, nil
		}
		l.end(false)
		switch {
		case ctx.Err() == nil && errors.Is(err, errEnded):
			continue // nobody has read the body
		case ctx.Err() != nil || !l.mayBeReplaced(req):
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
func (k *keptLinks) get(ctx context.Context, req *http.Request, tell report) (*link, error) {
	address := req.URL.Host
	if req.URL.Port() == "" {
		address = net.JoinHostPort(req.URL.Hostname(), "80")
	}
	tell.connects(address)
	info := httptrace.GotConnInfo{}
	l := k.take(address, tell.isPlain())
	if l != nil {
		info = httptrace.GotConnInfo{Reused: true, WasIdle: true, IdleTime: time.Since(l.since)}
	} else {
		conn, err := k.dial(ctx, "tcp", address)
		if err != nil {
			return nil, err
		}
		l = newLink(k, address, conn)
	}
	info.Conn = l.conn
	tell.connected(info)
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
