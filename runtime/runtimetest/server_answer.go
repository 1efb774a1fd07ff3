package runtimetest

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"net/http/httptrace"
	"strings"
	"time"

	"github.com/resgen-go/resgen/runtime"
)

// RoundTrip answers a request in memory: it makes a Server an http.RoundTripper.
func (s *Server) RoundTrip(req *http.Request) (*http.Response, error) {
	if err := req.Context().Err(); err != nil {
		return nil, err //nolint:wrapcheck // as connections do
	}
	if want := strings.TrimPrefix(s.url, "http://"); req.URL.Host != want {
		if req.Body != nil {
			_ = req.Body.Close() // a RoundTripper owes it
		}
		return nil, &net.OpError{Op: "dial", Net: "tcp", Err: fmt.Errorf(
			"%s is not the address of this server, %s: give each target its own HTTP client", req.URL.Host, want,
		)}
	}
	return s.answer(req)
}

// answer answers a request, or has it meet a fault.
func (s *Server) answer(req *http.Request) (*http.Response, error) {
	var body []byte
	if req.Body != nil {
		var err error
		body, err = io.ReadAll(req.Body)
		if err = errors.Join(err, req.Body.Close()); err != nil {
			return nil, err
		}
	}
	op, params := s.find(req)
	if op == nil {
		return s.refuse(req, fmt.Errorf("no operation is %s %s", req.Method, req.URL.Path)), nil
	}
	seen := Request{
		Operation: op.Name, At: time.Now(), Method: req.Method, URL: req.URL, Header: req.Header.Clone(), Body: body, Path: params,
	}
	s.mu.Lock()
	s.seen = append(s.seen, seen)
	step := s.plans[op.Name].next()
	s.mu.Unlock()
	if err := op.check(req, body, params); err != nil {
		return s.refuse(req, fmt.Errorf("%s: %w", op.Name, err)), nil
	}
	read := *req // its body is read, and closed
	read.Body = http.NoBody
	return s.play(op, step, &read)
}

// play answers as a step says.
func (s *Server) play(op *ServerOperation, step step, req *http.Request) (*http.Response, error) {
	said := transport(func(req *http.Request) (*http.Response, error) {
		told(req)
		switch {
		case step.answer != nil:
			return respond(req, step.answer), nil
		case op.Missing != "":
			return s.refuse(req, fmt.Errorf("%s has no sample: %s; script an answer", op.Name, op.Missing)), nil
		default:
			return respond(req, &op.Sample), nil
		}
	})
	if step.fault == nil {
		return said(req)
	}
	fault, err := step.fault.Alone(s.api.Name, runtime.ChaosAttempt{Operation: op.Name, Preset: op.Preset})
	if err != nil {
		return s.refuse(req, fmt.Errorf("%s: %w", op.Name, err)), nil
	}
	return fault.RoundTrip(req, said)
}

// refuse fails the test, and answers that the request is wrong.
func (s *Server) refuse(req *http.Request, why error) *http.Response {
	s.t.Errorf("%s: %v", s.api.Name, why)
	return respond(req, &Answer{Status: http.StatusBadRequest, MediaType: "text/plain; charset=utf-8", Body: s.api.Name + ": " + why.Error()})
}

// respond makes a response of an answer.
func respond(req *http.Request, a *Answer) *http.Response {
	header := a.Header.Clone()
	if header == nil {
		header = http.Header{}
	}
	if a.MediaType != "" {
		header.Set("Content-Type", a.MediaType)
	}
	text, status := a.Body, cmp.Or(a.Status, http.StatusOK)
	if req.Method == http.MethodHead {
		text = ""
	}
	resp := &http.Response{
		Status: fmt.Sprintf("%d %s", status, http.StatusText(status)), StatusCode: status, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header: header, Body: http.NoBody, ContentLength: int64(len(text)), Request: req,
	}
	if text != "" {
		resp.Body = &reader{Reader: bytes.NewReader([]byte(text)), req: req}
	}
	return resp
}

// told tells by the request's httptrace that it was sent, as a connection would.
func told(req *http.Request) {
	trace := httptrace.ContextClientTrace(req.Context())
	if trace == nil {
		return
	}
	if trace.GetConn != nil {
		trace.GetConn(req.URL.Host)
	}
	if trace.GotConn != nil {
		conn, other := net.Pipe() // tracers may look at its addresses
		_, _ = conn.Close(), other.Close()
		trace.GotConn(httptrace.GotConnInfo{Conn: conn})
	}
	if trace.WroteHeaders != nil {
		trace.WroteHeaders()
	}
	if trace.WroteRequest != nil {
		trace.WroteRequest(httptrace.WroteRequestInfo{})
	}
}

// transport is a function that is an http.RoundTripper.
type transport func(*http.Request) (*http.Response, error)

// RoundTrip calls the function.
func (f transport) RoundTrip(req *http.Request) (*http.Response, error) { return f(req) }

// ServeHTTP answers a request that came over a connection. A connection that is refused by a fault is one that is reset here: it was made.
func (s *Server) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	resp, err := s.answer(req)
	if err != nil {
		drop(w)
		return
	}
	defer func() { _ = resp.Body.Close() }() // it was read, or the connection is dropped
	maps.Copy(w.Header(), resp.Header)
	w.WriteHeader(resp.StatusCode)
	flusher := http.NewResponseController(w)
	buffer := make([]byte, 4096)
	for {
		_ = flusher.Flush() // what was said is sent, before what comes is waited for
		n, err := resp.Body.Read(buffer)
		if n > 0 {
			if _, failed := w.Write(buffer[:n]); failed != nil {
				return
			}
		}
		switch {
		case errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF):
			return
		case err != nil:
			drop(w)
			return
		}
	}
}

// drop breaks the connection: what was sent over it is thrown away.
func drop(w http.ResponseWriter) {
	conn, _, err := http.NewResponseController(w).Hijack()
	if err != nil { // HTTP/2 has no connection to break
		panic(http.ErrAbortHandler)
	}
	if tcp, ok := conn.(*net.TCPConn); ok {
		_ = tcp.SetLinger(0)
	}
	_ = conn.Close()
}
