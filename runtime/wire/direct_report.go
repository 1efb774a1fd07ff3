package wire

import (
	"context"
	"net/http"
	"net/http/httptrace"
	"net/textproto"
)

// report is who is told of the way of a direct request: the exchange alone, or a trace, which tells the exchange too.
type report struct {
	x     *exchange
	trace *httptrace.ClientTrace
}

// reportOf returns who is told of a request with that context. It is the exchange alone where neither the caller has a trace, nor an editor has
// given the request another context.
func reportOf(ctx context.Context) report {
	if x, ok := ctx.(*exchange); ok && x.traced {
		return report{x: x}
	}
	if trace := httptrace.ContextClientTrace(ctx); trace != nil {
		return report{trace: trace}
	}
	return report{trace: new(httptrace.ClientTrace)}
}

// isPlain reports whether the exchange alone is told.
func (r report) isPlain() bool { return r.x != nil }

func (r report) connects(address string) {
	if !r.isPlain() && r.trace.GetConn != nil {
		r.trace.GetConn(address)
	}
}

func (r report) connected(info httptrace.GotConnInfo) {
	switch {
	case r.isPlain():
		r.x.gotConn(info)
	case r.trace.GotConn != nil:
		r.trace.GotConn(info)
	}
}

func (r report) firstByte() {
	switch {
	case r.isPlain():
		r.x.gotFirstByte()
	case r.trace.GotFirstResponseByte != nil:
		r.trace.GotFirstResponseByte()
	}
}

// interim tells of an interim answer, and returns whether somebody heard.
func (r report) interim(resp *http.Response) (heard bool, err error) {
	if r.isPlain() || r.trace.Got1xxResponse == nil {
		return false, nil
	}
	return true, r.trace.Got1xxResponse(resp.StatusCode, textproto.MIMEHeader(resp.Header)) //nolint:wrapcheck // the caller's own
}

func (r report) idle(err error) {
	if !r.isPlain() && r.trace.PutIdleConn != nil {
		r.trace.PutIdleConn(err)
	}
}
