package wire_test

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httptrace"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/resgen-go/resgen/runtime/wire"
)

// Whatever became of a call, its connection serves the next, unless more is left of its body than is worth reading.
func TestConnectionsAreKept(t *testing.T) {
	t.Parallel()
	const calls, most = 1000, 5 // a machine that is busy may take longer than a drain may
	text := strings.Repeat("answer ", 1000)
	reply := func(w http.ResponseWriter, status int, body string) {
		w.WriteHeader(status)
		_, _ = io.WriteString(w, body)
	}
	base, connections := server(t, func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/sized":
			w.Header().Set("Content-Length", fmt.Sprint(len(text)))
			reply(w, http.StatusOK, text)
		case "/chunked":
			reply(w, http.StatusOK, text)
			_ = http.NewResponseController(w).Flush()
			_, _ = io.WriteString(w, text)
		case "/gzip":
			w.Header().Set("Content-Encoding", "gzip")
			z := gzip.NewWriter(w)
			_, _ = io.WriteString(z, text)
			_ = z.Close()
		case "/none":
			w.WriteHeader(http.StatusNoContent)
		case "/error":
			reply(w, http.StatusServiceUnavailable, text)
		case "/redirect":
			http.Redirect(w, r, "/sized", http.StatusTemporaryRedirect)
		case "/early": // with a body that nobody reads
			reply(w, http.StatusTooManyRequests, `{"error":"busy"}`)
		}
	})
	e := endpoint(t, wire.Config{BaseURL: base})
	posted := func(path string) *wire.Request {
		r := wire.NewRequest(http.MethodPost, path)
		r.Content("text/plain", wire.FromBytes(bytes.Repeat([]byte("x"), 20<<10)))
		return r
	}
	whole := func(r *wire.Response) error {
		got, err := wire.Text(r)
		if err == nil && !strings.HasPrefix(got, text) {
			err = fmt.Errorf("%d bytes of another body", len(got))
		}
		return err
	}
	unread := func(*wire.Response) error { return nil }
	partly := func(r *wire.Response) error {
		_, err := r.Read(make([]byte, 10))
		return err
	}
	failing := func(r *wire.Response) error {
		var status *wire.StatusError
		if err := r.Unexpected(); !errors.As(err, &status) {
			return err
		}
		return nil
	}
	get := func(path string) *wire.Request { return wire.NewRequest(http.MethodGet, path) }
	all := []struct {
		r    *wire.Request
		read func(*wire.Response) error
	}{
		{get("/sized"), whole},
		{get("/sized"), unread},
		{get("/sized"), partly},
		{get("/chunked"), whole},
		{get("/chunked"), unread},
		{get("/chunked"), partly},
		{get("/gzip"), whole},
		{get("/gzip"), unread},
		{get("/gzip"), partly},
		{get("/none"), unread},
		{wire.NewRequest(http.MethodHead, "/sized"), unread},
		{get("/error"), failing},
		{get("/error"), unread},
		{posted("/sized"), whole},
		{posted("/redirect"), whole},
		{posted("/early"), failing},
	}
	for i := range calls {
		c := all[i%len(all)]
		resp, err := e.Send(t.Context(), c.r, wire.Outgoing{Once: i%2 == 0})
		if err != nil {
			t.Fatalf("call %d: %v", i, err)
		}
		if err := c.read(resp); err != nil {
			t.Fatalf("call %d: %v", i, err)
		}
		resp.Release()
	}
	if n := connections.Load(); n > most {
		t.Errorf("%d connections for %d calls", n, calls)
	}
}

// A body of which there is more than the request says is no second request.
func TestABodyIsNoLongerThanItsLength(t *testing.T) {
	t.Parallel()
	came := make(chan string, 1)
	base := "http://" + listen(t, func(c net.Conn) {
		all, _ := io.ReadAll(c) // until it is closed, in whatever way
		came <- string(all)
	})
	const length, surplus = 40 << 10, "GET /smuggled HTTP/1.1\r\nHost: h\r\n\r\n"
	e := endpoint(t, wire.Config{BaseURL: base, Edit: []func(*http.Request) error{func(r *http.Request) error {
		r.Body = io.NopCloser(strings.NewReader(strings.Repeat("x", length) + surplus))
		r.GetBody, r.ContentLength = nil, length
		return nil
	}}})
	r := wire.NewRequest(http.MethodPost, "/")
	r.Text("text/plain", "edited")
	resp, err := e.Send(t.Context(), r, wire.Outgoing{})
	if err == nil {
		resp.Release()
		t.Error("a body that is longer than it says was sent")
	}
	if all := <-came; !strings.Contains(all, "xxx") || strings.Contains(all, "smuggled") {
		t.Errorf("%d bytes came: %.200q", len(all), strings.ReplaceAll(all, "x", ""))
	}
}

// An editor may replace what there is of a request, also by nothing.
func TestAnEditorMayTakeTheHeaderAway(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Came", r.Header.Get("Sent"))
	}))
	t.Cleanup(server.Close)
	for name, client := range map[string]*http.Client{"ours": nil, "theirs": {Transport: new(http.Transport)}} {
		for want, header := range map[string]http.Header{"": nil, "edited": {"Sent": {"edited"}}} {
			e := endpoint(t, wire.Config{BaseURL: server.URL, Client: client, Edit: []func(*http.Request) error{func(r *http.Request) error {
				r.Header = header
				return nil
			}}})
			r := wire.NewRequest(http.MethodGet, "/")
			r.Header("Sent", wire.Simple, "first")
			resp, err := e.Send(t.Context(), r, wire.Outgoing{})
			if err != nil {
				t.Errorf("%s, %q: %v", name, want, err)
				continue
			}
			if got := resp.Header.Get("Came"); got != want {
				t.Errorf("%s: the header that came is %q, want %q", name, got, want)
			}
			resp.Release()
		}
	}
}

// A caller's own trace hears of the connections, and ours still knows that net/http replayed a request.
func TestACallersTraceIsKept(t *testing.T) {
	t.Parallel()
	for name, client := range map[string]*http.Client{"ours": nil, "theirs": {Transport: new(http.Transport)}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var hits, got, wrote atomic.Int32
			base := listen(t, func(c net.Conn) {
				in := bufio.NewReader(c)
				for {
					if _, err := http.ReadRequest(in); err != nil || hits.Add(1) == 2 {
						return // of the second nothing is answered
					}
					_, _ = io.WriteString(c, "HTTP/1.1 204 No Content\r\n\r\n")
				}
			})
			ctx := httptrace.WithClientTrace(t.Context(), &httptrace.ClientTrace{
				GotConn:      func(httptrace.GotConnInfo) { got.Add(1) },
				WroteRequest: func(httptrace.WroteRequestInfo) { wrote.Add(1) },
			})
			e := endpoint(t, wire.Config{BaseURL: "http://" + base, Client: client})
			for i, ctx := range []context.Context{ctx, ctx, t.Context(), ctx} {
				resp, err := e.Send(ctx, wire.NewRequest(http.MethodGet, "/"), wire.Outgoing{})
				if err != nil || i == 1 != (resp.Sends == 2) {
					t.Fatalf("call %d: %+v, %v", i, resp, err)
				}
				resp.Release()
			}
			if got.Load() != 4 || wrote.Load() != 4 {
				t.Errorf("the caller's trace heard of %d connections and %d requests, want 4 and 4", got.Load(), wrote.Load())
			}
		})
	}
}

// Compression is asked for as net/http does, and nobody sees it but the wire.
func TestCompressionIsAskedFor(t *testing.T) {
	t.Parallel()
	const text = `{"name":"a name that is compressed"}`
	var asked atomic.Value
	base, _ := server(t, func(w http.ResponseWriter, r *http.Request) {
		asked.Store(r.Header.Values("Accept-Encoding"))
		if r.URL.Path == "/empty" {
			w.Header().Set("Content-Encoding", "gzip")
			_ = http.NewResponseController(w).Flush()
			return
		}
		if r.Header.Get("Accept-Encoding") != "gzip" {
			_, _ = io.WriteString(w, text)
			return
		}
		var zipped bytes.Buffer
		z := gzip.NewWriter(&zipped)
		_, _ = io.WriteString(z, text)
		_ = z.Close()
		w.Header().Set("Content-Encoding", "gzip")
		w.Header().Set("Content-Length", fmt.Sprint(zipped.Len()))
		_, _ = w.Write(zipped.Bytes())
	})
	e := endpoint(t, wire.Config{BaseURL: base})
	with := func(method, path string, header ...string) *wire.Request {
		r := wire.NewRequest(method, path)
		for i := 0; i < len(header); i += 2 {
			r.Header(header[i], wire.Simple, header[i+1])
		}
		return r
	}
	for name, tt := range map[string]struct {
		r     *wire.Request
		asked []string
		body  string
	}{
		"plain":       {with("GET", "/"), []string{"gzip"}, text},
		"its own":     {with("GET", "/", "Accept-Encoding", "gzip"), []string{"gzip"}, text},
		"identity":    {with("GET", "/", "Accept-Encoding", "identity"), []string{"identity"}, text},
		"a range":     {with("GET", "/", "Range", "bytes=0-"), nil, text},
		"head":        {with("HEAD", "/"), nil, ""},
		"empty":       {with("GET", "/empty"), []string{"gzip"}, ""},
		"plain again": {with("GET", "/"), []string{"gzip"}, text},
	} {
		resp, err := e.Send(t.Context(), tt.r, wire.Outgoing{})
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		got, err := wire.Text(resp)
		if err != nil || got != tt.body {
			t.Errorf("%s: %q, %v", name, got, err)
		}
		if diff := cmp.Diff(tt.asked, asked.Load()); diff != "" {
			t.Errorf("%s: asked for (-want +got):\n%s", name, diff)
		}
		if name == "plain" && (resp.Header.Get("Content-Encoding") != "" || resp.Header.Get("Content-Length") != "") {
			t.Errorf("the header tells of compression: %v", resp.Header)
		}
		resp.Release()
	}
}
