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

// received is a request as it came, byte by byte, and in how many packets.
type received struct {
	head    http.Header
	body    string
	packets int
	err     error
}

// packetReader counts the reads of a connection that brought something: where the sender is done before the receiver looks, each is a packet.
type packetReader struct {
	net.Conn

	n int
}

// Read counts.
func (p *packetReader) Read(b []byte) (int, error) {
	n, err := p.Conn.Read(b)
	if n > 0 {
		p.n++
	}
	return n, err
}

// receiver tells of each request that comes.
func receiver(t *testing.T) (base string, got chan received) {
	t.Helper()
	got = make(chan received, 10)
	base = "http://" + listen(t, func(c net.Conn) {
		p := &packetReader{Conn: c}
		in := bufio.NewReaderSize(p, 1<<20)
		for {
			p.n = 0
			r, err := http.ReadRequest(in)
			if errors.Is(err, io.EOF) {
				return
			}
			if err != nil {
				got <- received{err: err}
				return
			}
			body, err := io.ReadAll(r.Body)
			got <- received{r.Header, string(body), p.n, err}
			if err != nil {
				return
			}
			_, _ = io.WriteString(c, "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}")
		}
	})
	return base, got
}

// A body in memory goes out in the packet of its header, whole whatever its size, again on every attempt; the buffers of a connection are
// smaller than some and larger than others.
func TestBodiesInMemoryAreSentWhole(t *testing.T) {
	t.Parallel()
	base, got := receiver(t)
	e := endpoint(t, wire.Config{BaseURL: base})
	for _, size := range []int{1, 100, 8 << 10, 15 << 10, 16 << 10, 17 << 10, 100 << 10, 3 << 20} {
		body := strings.Repeat("0123456789abcdef", size/16+1)[:size]
		asBytes, asText := wire.NewRequest(http.MethodPost, "/"), wire.NewRequest(http.MethodPost, "/")
		asBytes.Content("text/plain", wire.FromBytes([]byte(body)))
		asText.Text("text/plain", body)
		for _, r := range []*wire.Request{asBytes, asBytes, asText} {
			resp, err := e.Send(t.Context(), r, wire.Outgoing{})
			if err != nil {
				t.Fatalf("%d bytes: %v", size, err)
			}
			resp.Release()
			now := <-got
			if now.err != nil || now.body != body || now.head.Get("Content-Length") != fmt.Sprint(size) {
				t.Errorf("%d bytes: %d came, %v, %v", size, len(now.body), now.head, now.err)
			}
			if size < 15<<10 && now.packets != 1 {
				t.Errorf("%d bytes came in %d packets", size, now.packets)
			}
		}
	}
}

// A body of which there is more than the request says is no second request.
func TestABodyIsNoLongerThanItsLength(t *testing.T) {
	t.Parallel()
	base, got := receiver(t)
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
	if first := <-got; first.err == nil && len(first.body) != length {
		t.Errorf("%d bytes came", len(first.body))
	}
	select {
	case second := <-got:
		if second.err == nil {
			t.Errorf("a second request came: %v", second.head)
		}
	default:
	}
}

// A caller's own trace hears what ours hears, of a transport of ours and of another.
func TestACallersTraceIsKept(t *testing.T) {
	t.Parallel()
	base, _ := server(t, func(http.ResponseWriter, *http.Request) {})
	for name, client := range map[string]*http.Client{"ours": nil, "theirs": {Transport: &http.Transport{DisableKeepAlives: true}}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var got, wrote atomic.Int32
			ctx := httptrace.WithClientTrace(t.Context(), &httptrace.ClientTrace{
				GotConn:      func(httptrace.GotConnInfo) { got.Add(1) },
				WroteRequest: func(httptrace.WroteRequestInfo) { wrote.Add(1) },
			})
			e := endpoint(t, wire.Config{BaseURL: base, Client: client})
			for _, ctx := range []context.Context{ctx, t.Context(), ctx} {
				resp, err := e.Send(ctx, wire.NewRequest(http.MethodGet, "/"), wire.Outgoing{})
				if err != nil || resp.Sends != 1 {
					t.Fatalf("%+v, %v", resp, err)
				}
				resp.Release()
			}
			if got.Load() != 2 || wrote.Load() != 2 {
				t.Errorf("the caller's trace heard of %d connections and %d requests, want 2 and 2", got.Load(), wrote.Load())
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
