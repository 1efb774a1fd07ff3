package wire_test

import (
	"context"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/resgen-go/resgen/runtime/policy"
	"github.com/resgen-go/resgen/runtime/wire"
)

// roundTrip is an http.RoundTripper without a socket.
type roundTrip func(*http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// answer is a response with a body.
func answer(status int, mediaType, body string) *http.Response {
	h := http.Header{}
	if mediaType != "" {
		h.Set("Content-Type", mediaType)
	}
	return &http.Response{StatusCode: status, Header: h, Body: io.NopCloser(strings.NewReader(body)), ContentLength: int64(len(body))}
}

// sent is what a request became on the wire.
type sent struct {
	uri    string
	header http.Header
	body   string
	raw    *http.Request
}

// send builds nothing and sends the request to a base URL, in memory.
func send(t *testing.T, c wire.Config, r *wire.Request) sent {
	t.Helper()
	s, err := trySend(t, c, r)
	if err != nil {
		t.Fatalf("send: %v", err)
	}
	return s
}

func trySend(t *testing.T, c wire.Config, r *wire.Request) (sent, error) {
	t.Helper()
	var s sent
	if c.BaseURL == "" {
		c.BaseURL = "http://h"
	}
	c.Client = &http.Client{Transport: roundTrip(func(r *http.Request) (*http.Response, error) {
		s = sent{uri: r.URL.RequestURI(), header: r.Header, raw: r}
		if r.Body != nil {
			data, err := io.ReadAll(r.Body)
			if err != nil {
				return nil, err
			}
			s.body = string(data)
		}
		return answer(http.StatusOK, "application/json", "{}"), nil
	})}
	e, err := wire.NewEndpoint(c)
	if err != nil {
		t.Fatalf("NewEndpoint: %v", err)
	}
	resp, err := e.Send(t.Context(), r, wire.Outgoing{})
	if err != nil {
		return s, err
	}
	return s, resp.Close()
}

// respond returns a Response that holds what an HTTP response holds.
func respond(t *testing.T, resp *http.Response) *wire.Response {
	t.Helper()
	return respondIn(t.Context(), t, resp, wire.Config{})
}

func respondIn(ctx context.Context, t *testing.T, resp *http.Response, c wire.Config) *wire.Response {
	t.Helper()
	c.BaseURL = "http://h"
	c.Client = &http.Client{Transport: roundTrip(func(*http.Request) (*http.Response, error) { return resp, nil })}
	e, err := wire.NewEndpoint(c)
	if err != nil {
		t.Fatalf("NewEndpoint: %v", err)
	}
	r, err := e.Send(ctx, wire.NewRequest(http.MethodGet, "/"), wire.Outgoing{})
	if err != nil {
		t.Fatalf("Send: %v", err)
	}
	t.Cleanup(r.Release)
	return r
}

func sse(done string) policy.Stream {
	return policy.Stream{Format: policy.SSE, Done: done, ErrorEvent: "error", ErrorPointer: "/error"}
}
