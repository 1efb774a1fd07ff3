package wire_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/resgen-go/resgen/runtime/wire"
)

// server is a real one, for what only a socket shows.
func server(t *testing.T, h http.HandlerFunc) (url string, connections *atomic.Int32) {
	t.Helper()
	connections = new(atomic.Int32)
	s := httptest.NewUnstartedServer(h)
	s.Config.ConnState = func(_ net.Conn, state http.ConnState) {
		if state == http.StateNew {
			connections.Add(1)
		}
	}
	s.Start()
	t.Cleanup(s.Close)
	return s.URL, connections
}

func endpoint(t *testing.T, c wire.Config) *wire.Endpoint {
	t.Helper()
	e, err := wire.NewEndpoint(c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(e.CloseIdleConnections)
	return e
}

// T34, C031: small bodies of failed attempts are drained, so that the connection serves the next; big ones are given up early.
func TestT34_SmallBodiesAreDrained(t *testing.T) {
	t.Parallel()
	var hits atomic.Int32
	base, connections := server(t, func(w http.ResponseWriter, _ *http.Request) {
		if hits.Add(1)%5 == 0 {
			return
		}
		w.WriteHeader(http.StatusServiceUnavailable)
		_, _ = w.Write(bytes.Repeat([]byte("x"), 2<<10))
	})
	e := endpoint(t, wire.Config{BaseURL: base})
	for range 100 {
		resp, err := e.Send(t.Context(), wire.NewRequest("GET", "/"), wire.Outgoing{})
		if err != nil {
			t.Fatal(err)
		}
		resp.Release()
	}
	if n := connections.Load(); n > 2 {
		t.Errorf("%d connections for 100 attempts", n)
	}
}

func TestT34_BigBodiesAreGivenUp(t *testing.T) {
	t.Parallel()
	written := make(chan int64, 1)
	base, _ := server(t, func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusServiceUnavailable)
		n, _ := io.Copy(w, io.LimitReader(zeros{}, 50<<20))
		written <- n
	})
	resp, err := endpoint(t, wire.Config{BaseURL: base}).Send(t.Context(), wire.NewRequest("GET", "/"), wire.Outgoing{})
	if err != nil {
		t.Fatal(err)
	}
	var status *wire.StatusError
	if err := resp.Unexpected(); !errors.As(err, &status) || len(status.Body) != 64<<10 || !status.Truncated {
		t.Errorf("%v", err)
	}
	resp.Release()
	// what the server could write is what the client read and what lies in the buffers of the two sockets
	if n := <-written; n >= 50<<20 {
		t.Errorf("the server wrote all of %d bytes", n)
	}
}

// T34: a body that does not end holds the caller for 50 ms, not for ever.
func TestT34_DrainIsBoundedInTime(t *testing.T) {
	t.Parallel()
	gone := make(chan struct{})
	base, _ := server(t, func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.WriteString(w, "{}")
		_ = http.NewResponseController(w).Flush()
		<-r.Context().Done()
		close(gone)
	})
	resp, err := endpoint(t, wire.Config{BaseURL: base}).Send(t.Context(), wire.NewRequest("GET", "/"), wire.Outgoing{})
	if err != nil {
		t.Fatal(err)
	}
	began := time.Now()
	resp.Release()
	if took := time.Since(began); took < 50*time.Millisecond || took > 5*time.Second {
		t.Errorf("Release took %s", took)
	}
	<-gone
}

// T35, C032: a download is read after Send has returned, however slowly it comes; nothing is left of it after Close.
func TestT35_TheBodyOutlivesSend(t *testing.T) {
	const size = 2 << 20
	step := make(chan struct{})
	base, _ := server(t, func(w http.ResponseWriter, _ *http.Request) {
		for range 20 {
			<-step
			_, _ = w.Write(make([]byte, size/20+1))
			_ = http.NewResponseController(w).Flush()
		}
	})
	e := endpoint(t, wire.Config{BaseURL: base})
	before := runtime.NumGoroutine()
	for range 3 {
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		var n int64
		go func() {
			for range 20 {
				step <- struct{}{}
			}
		}()
		resp, err := e.Send(ctx, wire.NewRequest("GET", "/"), wire.Outgoing{})
		if err != nil {
			t.Fatal(err)
		}
		d, err := wire.NewDownload(resp)
		if err != nil {
			t.Fatal(err)
		}
		resp.Release()
		n, err = io.Copy(io.Discard, d)
		if err != nil || n < size {
			t.Fatalf("read %d bytes, %v", n, err)
		}
		if err := d.Close(); err != nil {
			t.Fatal(err)
		}
		cancel()
	}
	e.CloseIdleConnections()
	for deadline := time.Now().Add(10 * time.Second); runtime.NumGoroutine() > before; runtime.Gosched() {
		if time.Now().After(deadline) {
			t.Fatalf("%d goroutines, %d before", runtime.NumGoroutine(), before)
		}
	}
}

// T33: attempts at the same time send the same bytes and do not disturb each other.
func TestT33_AttemptsAtOnceSendTheSame(t *testing.T) {
	t.Parallel()
	text := strings.Repeat("abc", 100_000)
	for name, body := range map[string]func(*wire.Request){
		"memory": func(r *wire.Request) { r.JSON(text) },
		"parts": func(r *wire.Request) {
			r.Multipart(&upload{Files: []wire.Content{wire.FromReader(strings.NewReader(text))}, Labels: []string{"l"}})
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var bodies sync.Map
			base, _ := server(t, func(_ http.ResponseWriter, r *http.Request) {
				data, _ := io.ReadAll(r.Body)
				bodies.Store(r.Header.Get("N"), string(data))
			})
			e := endpoint(t, wire.Config{BaseURL: base})
			r := wire.NewRequest("POST", "/")
			body(r)
			var wg sync.WaitGroup
			for i := range 16 {
				wg.Go(func() {
					resp, err := e.Send(t.Context(), r, wire.Outgoing{Fields: []wire.Field{{Name: "N", Value: fmt.Sprint(i)}}})
					if err != nil {
						t.Error(err)
						return
					}
					resp.Release()
				})
			}
			wg.Wait()
			first, _ := bodies.Load("0")
			count := 0
			bodies.Range(func(_, body any) bool {
				count++
				if body != first {
					t.Error("the bodies differ")
				}
				return true
			})
			if count != 16 || !strings.Contains(first.(string), text) {
				t.Errorf("%d bodies, the first of %d bytes", count, len(first.(string)))
			}
		})
	}
}

// C034: a 307 keeps method, body and headers, and is one attempt.
func TestC034_ARedirectKeepsTheRequest(t *testing.T) {
	t.Parallel()
	for _, status := range []int{307, 308} {
		var got string
		base, _ := server(t, func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == "/v1" {
				http.Redirect(w, r, "/v2", status)
				return
			}
			data, _ := io.ReadAll(r.Body)
			got = fmt.Sprintf("%s %s %s %s %s %s", r.Method, r.URL.Path, data, r.Header.Get("Idempotency-Key"), r.Header.Get("X-Api-Version"), r.Header.Get("Authorization"))
			w.WriteHeader(http.StatusCreated)
		})
		r := wire.NewRequest("POST", "/v1")
		r.JSON(map[string]int{"a": 1})
		r.Header("X-Api-Version", wire.Simple, "3")
		r.Security([]string{"bearer"})
		c := secured(map[string]wire.Credential{"bearer": secret("token")})
		c.BaseURL = base
		resp, err := endpoint(t, c).Send(t.Context(), r, wire.Outgoing{Fields: []wire.Field{{Name: "Idempotency-Key", Value: "k-1"}}})
		if err != nil {
			t.Fatal(err)
		}
		resp.Release()
		if want := `POST /v2 {"a":1} k-1 3 Bearer token`; got != want || resp.Status != 201 || resp.Sends != 1 {
			t.Errorf("%d: %q, want %q; status %d, %d sends", status, got, want, resp.Status, resp.Sends)
		}
	}
}

func TestRedirectLoop(t *testing.T) {
	t.Parallel()
	var hits atomic.Int32
	base, _ := server(t, func(w http.ResponseWriter, r *http.Request) {
		hits.Add(1)
		http.Redirect(w, r, "/again", http.StatusTemporaryRedirect)
	})
	resp, err := endpoint(t, wire.Config{BaseURL: base}).Send(t.Context(), wire.NewRequest("GET", "/"), wire.Outgoing{})
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Release()
	var status *wire.StatusError
	if err := resp.Unexpected(); !errors.As(err, &status) || status.Status != 307 || !strings.Contains(err.Error(), "too many redirects") || hits.Load() != 11 {
		t.Errorf("%v after %d requests", err, hits.Load())
	}
	// a body that cannot be sent again is not redirected
	r := wire.NewRequest("POST", "/")
	r.Content("text/plain", wire.FromReader(io.MultiReader(strings.NewReader("x"))))
	resp, err = endpoint(t, wire.Config{BaseURL: base}).Send(t.Context(), r, wire.Outgoing{})
	if err != nil || resp.Status != 307 || hits.Load() != 12 {
		t.Fatalf("%v, %v after %d requests", resp, err, hits.Load())
	}
	resp.Release()
}

// C035: no credential follows a redirect to another origin, in whatever header, and the first origin still gets them.
func TestC035_NoCredentialFollowsToAnotherOrigin(t *testing.T) {
	t.Parallel()
	var other http.Header
	away, _ := server(t, func(_ http.ResponseWriter, r *http.Request) { other = r.Header.Clone() })
	var own []http.Header
	base, _ := server(t, func(w http.ResponseWriter, r *http.Request) {
		own = append(own, r.Header.Clone())
		http.Redirect(w, r, away+"/x", http.StatusTemporaryRedirect)
	})
	c := secured(map[string]wire.Credential{"bearer": secret("t"), "key": secret("k"), "cookie": secret("c"), "query": secret("q")})
	c.BaseURL = base
	c.Edit = []func(*http.Request) error{func(r *http.Request) error {
		r.Header.Set("X-Signature", "s")
		return nil
	}}
	e := endpoint(t, c)
	r := wire.NewRequest("GET", "/")
	r.Accept("application/json")
	r.Security([]string{"bearer", "key", "cookie", "query"})
	for range 2 {
		resp, err := e.Send(t.Context(), r, wire.Outgoing{Header: http.Header{"X-Call": {"secret"}}})
		if err != nil {
			t.Fatal(err)
		}
		resp.Release()
		for name := range other {
			switch name {
			case "Accept", "Accept-Encoding", "User-Agent":
			default:
				t.Errorf("%s goes to another origin: %q", name, other[name])
			}
		}
		if other.Get("Accept") != "application/json" {
			t.Errorf("Accept is lost: %v", other)
		}
	}
	for _, h := range own {
		if h.Get("Authorization") != "Bearer t" || h.Get("Api-Key") != "k" || h.Get("Cookie") != "sid=c" || h.Get("X-Signature") != "s" {
			t.Errorf("the first origin got %v", h)
		}
	}
}

// The user's own client keeps its cookies, its redirect policy and its transport.
func TestOwnClient(t *testing.T) {
	t.Parallel()
	var cookies []string
	base, _ := server(t, func(w http.ResponseWriter, r *http.Request) {
		cookies = append(cookies, r.Header.Get("Cookie"))
		http.SetCookie(w, &http.Cookie{Name: "jar", Value: "1"})
		if r.URL.Path == "/go" {
			http.Redirect(w, r, "/there", http.StatusFound)
		}
	})
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	own := &http.Client{Jar: jar, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	e := endpoint(t, wire.Config{BaseURL: base, Client: own})
	for range 2 {
		r := wire.NewRequest("GET", "/go")
		r.Cookie("own", wire.Form, "2")
		resp, err := e.Send(t.Context(), r, wire.Outgoing{})
		if err != nil || resp.Status != http.StatusFound {
			t.Fatalf("%+v, %v", resp, err)
		}
		resp.Release()
	}
	if diff := cmp.Diff([]string{"own=2", "own=2; jar=1"}, cookies); diff != "" {
		t.Errorf("cookies (-want +got):\n%s", diff)
	}
	if own.Transport != nil {
		t.Error("the user's client was changed")
	}
}

// C029: whoever set Accept-Encoding, bodies are decompressed; a compressed stream delivers what was flushed.
func TestC029_ACompressedStream(t *testing.T) {
	t.Parallel()
	next := make(chan struct{})
	base, _ := server(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Encoding", "gzip")
		w.Header().Set("Content-Type", "text/event-stream")
		z := gzip.NewWriter(w)
		for i := range 3 {
			_, _ = fmt.Fprintf(z, "data: {\"d\":\"%d\"}\n\n", i)
			_ = z.Flush()
			_ = http.NewResponseController(w).Flush()
			select {
			case <-next:
			case <-r.Context().Done():
				return
			}
		}
		_ = z.Close()
	})
	for _, header := range []http.Header{nil, {"Accept-Encoding": {"gzip"}}} {
		resp, err := endpoint(t, wire.Config{BaseURL: base}).Send(t.Context(), wire.NewRequest("GET", "/"), wire.Outgoing{Header: header})
		if err != nil {
			t.Fatal(err)
		}
		items, err := wire.JSONItems[delta](resp, sse(""))
		if err != nil {
			t.Fatal(err)
		}
		for i := range 3 {
			if item, err := items.Next(); err != nil || item.D != fmt.Sprint(i) {
				t.Fatalf("item %d: %v, %v", i, item, err)
			}
			next <- struct{}{} // the server writes on only after the item was delivered
		}
		if _, err := items.Next(); !errors.Is(err, io.EOF) {
			t.Errorf("the end: %v", err)
		}
		if err := items.Close(); err != nil {
			t.Error(err)
		}
	}
}

// What is known of an attempt that failed: how far it came, if anything was written, and if it is proven that nothing was executed.
func TestTransportErrors(t *testing.T) {
	t.Parallel()
	nobody := nobody(t)
	reset := listen(t, func(c net.Conn) {
		_, _ = c.Read(make([]byte, 4<<10))
		_ = c.(*net.TCPConn).SetLinger(0)
	})
	plain := listen(t, func(c net.Conn) { _, _ = io.WriteString(c, "HTTP/1.1 200 OK\r\n\r\n") })
	half := listen(t, func(c net.Conn) {
		_, _ = c.Read(make([]byte, 4<<10))
		_, _ = io.WriteString(c, "HTTP/1.1 200 OK\r\nContent-Le")
	})
	tests := map[string]struct {
		base   string
		client *http.Client
		want   wire.TransportError
		is     error
	}{
		"refused by a transport of the user's": {
			base: "http://" + nobody, client: &http.Client{Transport: new(http.Transport)},
			want: wire.TransportError{Stage: wire.StageDial, Refused: true}, is: syscall.ECONNREFUSED,
		},
		"refused":       {base: "http://" + nobody, want: wire.TransportError{Stage: wire.StageDial, Refused: true}, is: syscall.ECONNREFUSED},
		"no TLS":        {base: "https://" + plain, want: wire.TransportError{Stage: wire.StageTLS, Refused: true}},
		"reset":         {base: "http://" + reset, want: wire.TransportError{Stage: wire.StageWait, Wrote: true}},
		"half a header": {base: "http://" + half, want: wire.TransportError{Stage: wire.StageWait, Wrote: true}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := endpoint(t, wire.Config{BaseURL: tt.base, Client: tt.client}).Send(t.Context(), wire.NewRequest("POST", "/secret-path"), wire.Outgoing{})
			var got *wire.TransportError
			if !errors.As(err, &got) {
				t.Fatalf("%v", err)
			}
			if got.Stage != tt.want.Stage || got.Wrote != tt.want.Wrote || got.Refused != tt.want.Refused || got.Status != 0 || got.Sends != 1 {
				t.Errorf("%+v (%v), want %+v", got, err, tt.want)
			}
			if tt.is != nil && !errors.Is(err, tt.is) {
				t.Errorf("%v is not %v", err, tt.is)
			}
			if strings.Contains(err.Error(), "secret-path") {
				t.Errorf("%q shows the URL", err)
			}
		})
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := endpoint(t, wire.Config{BaseURL: "http://" + nobody}).Send(ctx, wire.NewRequest("GET", "/"), wire.Outgoing{})
	var got *wire.TransportError
	if !errors.As(err, &got) || !got.Refused || got.Wrote || !errors.Is(err, context.Canceled) {
		t.Errorf("a context that has ended: %#v", err)
	}
}

// nobody returns an address that refuses connections until the test ends: the port is taken, by the near end of a connection, so that no other
// server can be given it meanwhile.
func nobody(t *testing.T) string {
	t.Helper()
	c, err := net.Dial("tcp", listen(t, func(c net.Conn) { _, _ = io.Copy(io.Discard, c) }))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() })
	return c.LocalAddr().String()
}

// listen accepts connections and closes each when serve returns.
func listen(t *testing.T, serve func(net.Conn)) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go func() {
				defer c.Close()
				serve(c)
			}()
		}
	}()
	return l.Addr().String()
}

// A transport that tells nothing of its connections proves nothing, but for a failed dial.
func TestUntoldTransports(t *testing.T) {
	t.Parallel()
	for err, refused := range map[error]bool{
		errors.New("odd"): false, io.EOF: false, context.DeadlineExceeded: false, syscall.ECONNRESET: false,
		error(&net.OpError{Op: "dial", Err: errors.New("no route")}): true, syscall.ECONNREFUSED: true,
	} {
		e := endpoint(t, wire.Config{BaseURL: "http://h", Client: &http.Client{Transport: roundTrip(func(*http.Request) (*http.Response, error) { return nil, err })}})
		_, got := e.Send(t.Context(), wire.NewRequest("GET", "/"), wire.Outgoing{})
		var transport *wire.TransportError
		if !errors.As(got, &transport) || transport.Refused != refused || transport.Wrote == refused || !errors.Is(got, err) {
			t.Errorf("%v: %#v", err, got)
		}
	}
}

// net/http replays a GET on another connection when a kept one breaks. It is counted, and not done for what must not run twice.
func TestReplays(t *testing.T) {
	t.Parallel()
	var hits atomic.Int32
	base := listen(t, func(c net.Conn) {
		buf := make([]byte, 4<<10)
		for {
			if n, err := c.Read(buf); err != nil || n == 0 {
				return
			}
			if hits.Add(1) == 2 {
				return // read whole, never answered
			}
			_, _ = io.WriteString(c, "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}")
		}
	})
	for _, once := range []bool{false, true} {
		hits.Store(0)
		e := endpoint(t, wire.Config{BaseURL: "http://" + base})
		resp, err := e.Send(t.Context(), wire.NewRequest("GET", "/"), wire.Outgoing{Once: once})
		if err != nil {
			t.Fatal(err)
		}
		resp.Release()
		resp, err = e.Send(t.Context(), wire.NewRequest("GET", "/"), wire.Outgoing{Once: once})
		var transport *wire.TransportError
		switch {
		case once && (!errors.As(err, &transport) || !transport.Wrote || transport.Refused || hits.Load() != 2):
			t.Errorf("once: %#v after %d hits", err, hits.Load())
		case !once && (err != nil || resp.Sends != 2 || hits.Load() != 3):
			t.Errorf("not once: %+v, %v after %d hits", resp, err, hits.Load())
		}
		if resp != nil {
			resp.Release()
		}
	}
}

func TestOutgoing(t *testing.T) {
	t.Parallel()
	var got *http.Request
	c := secured(map[string]wire.Credential{"bearer": secret("t")})
	c.BaseURL = "http://h"
	c.Client = &http.Client{Transport: roundTrip(func(r *http.Request) (*http.Response, error) {
		got = r
		return answer(200, "", ""), nil
	})}
	r := wire.NewRequest("GET", "/")
	r.Header("X-A", wire.Simple, "request")
	r.Header("X-B", wire.Simple, "request")
	r.Security([]string{"bearer"})
	e := endpoint(t, c)
	resp, err := e.Send(t.Context(), r, wire.Outgoing{
		Header: http.Header{"x-a": {"call", "call 2"}, "Authorization": {"Bearer own"}, "Host": {"other"}}, Fields: []wire.Field{{"X-B", "field"}},
	})
	if err != nil {
		t.Fatal(err)
	}
	resp.Release()
	want := http.Header{"X-A": {"call", "call 2"}, "X-B": {"field"}, "Authorization": {"Bearer own"}}
	if diff := cmp.Diff(want, got.Header); diff != "" || got.Host != "other" || got.URL.Host != "h" {
		t.Errorf("host %s to %s, header (-want +got):\n%s", got.Host, got.URL.Host, diff)
	}
	for _, o := range []wire.Outgoing{{Header: http.Header{"X": {"a\nb"}}}, {Fields: []wire.Field{{"X", "a\rb"}}}} {
		if _, err := e.Send(t.Context(), r, o); !errors.Is(err, wire.ErrRequest) {
			t.Errorf("%+v: %v", o, err)
		}
	}
	c.Edit = []func(*http.Request) error{func(*http.Request) error { return io.ErrNoProgress }}
	if _, err := endpoint(t, c).Send(t.Context(), r, wire.Outgoing{}); !errors.Is(err, wire.ErrRequest) || !errors.Is(err, io.ErrNoProgress) {
		t.Errorf("an editor's error: %v", err)
	}
}

// What stands around the transport sees each request, and is no part of the transport that tokens are asked for by.
func TestAround(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) }))
	defer server.Close()
	seen := 0
	e := endpoint(t, wire.Config{BaseURL: server.URL, Around: func(next http.RoundTripper) http.RoundTripper {
		return roundTrip(func(req *http.Request) (*http.Response, error) {
			seen++
			return next.RoundTrip(req)
		})
	}})
	resp, err := e.Send(t.Context(), wire.NewRequest(http.MethodGet, "/"), wire.Outgoing{})
	if err != nil {
		t.Fatal(err)
	}
	_ = resp.Close()
	req, _ := http.NewRequestWithContext(t.Context(), http.MethodGet, server.URL, nil)
	other, err := e.Transport().RoundTrip(req)
	if err != nil {
		t.Fatal(err)
	}
	_ = other.Body.Close()
	if seen != 1 {
		t.Errorf("%d requests were seen, want 1", seen)
	}
	e.CloseIdleConnections()
}
