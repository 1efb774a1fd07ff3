package chaos

import (
	"context"
	"io"
	"net"
	"net/http"
	"net/http/httptrace"
	"os"
	"strings"
	"syscall"
	"time"
)

// RoundTrip answers a request as the fault has it. What it does in place of a connection it tells by the request's httptrace, as a connection
// would: that is how it is known how far an attempt came, and whether the target may have executed it.
func (in *injection) RoundTrip(req *http.Request, next http.RoundTripper) (*http.Response, error) {
	switch in.fault.Effect {
	case Slow:
		resp, err := next.RoundTrip(req)
		return in.late(req.Context(), resp, err)
	case SlowStart, Stall, Cut, Garble:
		resp, err := next.RoundTrip(uncompressed(req))
		if resp, err = in.late(req.Context(), resp, err); err == nil {
			in.flaw(req.Context(), resp)
		}
		return resp, err
	default:
		defer closeBody(req)
		return in.standIn(req)
	}
}

// late holds an answer back.
func (in *injection) late(ctx context.Context, resp *http.Response, err error) (*http.Response, error) {
	if err != nil || in.fault.Effect == SlowStart {
		return resp, err
	}
	if err = wait(ctx, in.fault.Latency); err != nil {
		_ = resp.Body.Close() // nobody takes it
		return nil, err
	}
	return resp, nil
}

// standIn answers in place of the target, or does not.
func (in *injection) standIn(req *http.Request) (*http.Response, error) {
	ctx, f := req.Context(), in.fault
	trace := httptrace.ContextClientTrace(ctx)
	if trace == nil {
		trace = new(httptrace.ClientTrace)
	}
	if trace.GetConn != nil {
		trace.GetConn(addressOf(req))
	}
	if f.Effect == Refuse {
		return nil, in.refused(wait(ctx, f.Latency))
	}
	send(trace)
	if err := in.end(ctx); err != nil {
		return nil, err
	}
	if trace.GotFirstResponseByte != nil {
		trace.GotFirstResponseByte()
	}
	header, body := in.answer()
	return &http.Response{
		Status: http.StatusText(f.Status), StatusCode: f.Status, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header: header, Body: io.NopCloser(strings.NewReader(body)), ContentLength: int64(len(body)), Request: req,
	}, nil
}

// end waits as long as the fault takes to show, and returns what the attempt comes to; nil for an answer.
func (in *injection) end(ctx context.Context) error {
	if in.fault.Effect == Hang {
		<-ctx.Done()
		return context.Cause(ctx) //nolint:wrapcheck // as connections do
	}
	if err := wait(ctx, in.fault.Latency); err != nil {
		return err
	}
	switch in.fault.Effect {
	case Reset:
		return in.failed(&net.OpError{Op: "read", Net: "tcp", Err: os.NewSyscallError("read", syscall.ECONNRESET)})
	case Fail:
		return in.failed(in.fault.Err)
	default:
		return nil
	}
}

// refused returns the error of a connection that was never made, because the context ended or because it was refused.
func (in *injection) refused(ended error) error {
	if ended != nil {
		return &net.OpError{Op: "dial", Net: "tcp", Err: ended}
	}
	return in.failed(&net.OpError{Op: "dial", Net: "tcp", Err: os.NewSyscallError("connect", syscall.ECONNREFUSED)})
}

// wait lets time pass, and returns why the context ended if it did before.
func wait(ctx context.Context, d time.Duration) error {
	if d <= 0 {
		return nil
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx) //nolint:wrapcheck // as connections do
	}
}

// send tells of a connection by which the request was sent whole.
func send(trace *httptrace.ClientTrace) {
	conn, other := net.Pipe() // tracers may look at its addresses
	_, _ = conn.Close(), other.Close()
	if trace.GotConn != nil {
		trace.GotConn(httptrace.GotConnInfo{Conn: conn})
	}
	if trace.WroteHeaders != nil {
		trace.WroteHeaders()
	}
	if trace.WroteRequest != nil {
		trace.WroteRequest(httptrace.WroteRequestInfo{})
	}
}

// addressOf returns the host and port that a request goes to.
func addressOf(req *http.Request) string {
	port := req.URL.Port()
	switch {
	case port != "":
	case req.URL.Scheme == "https":
		port = "443"
	default:
		port = "80"
	}
	return net.JoinHostPort(req.URL.Hostname(), port)
}

func closeBody(req *http.Request) {
	if req.Body != nil {
		_ = req.Body.Close() // a RoundTripper owes it
	}
}

// uncompressed returns the request without the compression that the client asks for by itself: items are counted in what is sent.
func uncompressed(req *http.Request) *http.Request {
	if req.Header.Get("Accept-Encoding") != "gzip" {
		return req
	}
	plain := *req
	plain.Header = req.Header.Clone()
	plain.Header.Set("Accept-Encoding", "identity")
	return &plain
}
