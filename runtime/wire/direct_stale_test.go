package wire_test

import (
	"bufio"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/resgen-go/resgen/runtime/wire"
)

// leaving answers each request on a connection of its own, which it closes without a word, and tells when it has.
func leaving(t *testing.T, answer func(r *http.Request, body string) string) (base string, closed <-chan struct{}) {
	t.Helper()
	done := make(chan struct{}, 1)
	return "http://" + listen(t, func(c net.Conn) {
		if r, err := http.ReadRequest(bufio.NewReader(c)); err == nil {
			body, _ := io.ReadAll(r.Body)
			_, _ = io.WriteString(c, answer(r, string(body)))
		}
		_ = c.Close()
		done <- struct{}{}
	}), done
}

// A connection that the server closed under a redirect is not used for where that leads. Nothing was written to it, so that what is sent once goes on
// by another.
func TestAConnectionThatClosesUnderARedirectIsNotUsed(t *testing.T) {
	t.Parallel()
	base, closed := leaving(t, func(r *http.Request, body string) string {
		if r.URL.Path != "/there" || body != "a body" {
			return "HTTP/1.1 307 Temporary Redirect\r\nLocation: /there\r\nContent-Length: 0\r\n\r\n"
		}
		return fine
	})
	e := endpoint(t, wire.Config{BaseURL: base, Client: &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error {
		<-closed
		return nil
	}}})
	r := wire.NewRequest("POST", "/")
	r.Text("text/plain", "a body")
	if got := tellOf(e, t.Context(), r, true); got.Status != http.StatusOK || got.Sends != 1 {
		t.Errorf("%+v", got)
	}
}

// Nor does another need the body anew: nobody has read it. An editor may have taken GetBody away.
func TestARequestWithoutGetBodyGoesOn(t *testing.T) {
	t.Parallel()
	base, closed := leaving(t, func(*http.Request, string) string { return fine })
	e := endpoint(t, wire.Config{BaseURL: base, Edit: []func(*http.Request) error{func(r *http.Request) error {
		r.GetBody = nil
		return nil
	}}})
	for _, size := range []int{2, 30 << 10} { // one that is written at once, and one that is not
		r := wire.NewRequest("POST", "/")
		r.Text("text/plain", strings.Repeat("x", size))
		for i := range 2 {
			if got := tellOf(e, t.Context(), r, true); got.Status != http.StatusOK {
				t.Fatalf("%d bytes, call %d: %+v", size, i, got)
			}
			<-closed
		}
	}
}

const fine = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"

// What an editor made of a body is what goes out, or nothing, as by an http.Transport.
func TestEditedBodiesGoAsTheyAre(t *testing.T) {
	t.Parallel()
	for name, edit := range map[string]func(*http.Request){
		"read":      func(r *http.Request) { _, _ = io.Copy(io.Discard, r.Body) },
		"half read": func(r *http.Request) { _, _ = io.CopyN(io.Discard, r.Body, 3) },
		"a copy read": func(r *http.Request) {
			b, _ := r.GetBody()
			_, _ = io.Copy(io.Discard, b)
		},
		"a copy read, and sent": func(r *http.Request) {
			r.Body, _ = r.GetBody()
			_, _ = io.Copy(io.Discard, r.Body)
		},
		"no length": func(r *http.Request) { r.ContentLength = 0 },
		"another":   func(r *http.Request) { r.Body = io.NopCloser(strings.NewReader("A BODY")) },
	} {
		var got [2]told
		for i, client := range []*http.Client{nil, {Transport: new(http.Transport)}} {
			base, _ := server(t, func(w http.ResponseWriter, r *http.Request) { _, _ = io.Copy(w, r.Body) })
			e := endpoint(t, wire.Config{BaseURL: base, Client: client, Edit: []func(*http.Request) error{func(r *http.Request) error {
				edit(r)
				return nil
			}}})
			r := wire.NewRequest("POST", "/")
			r.Text("text/plain", "a body")
			if got[i] = tellOf(e, t.Context(), r, false); got[i].Failed != "" {
				got[i].Failed = "failed"
			}
		}
		if diff := cmp.Diff(got[1], got[0]); diff != "" {
			t.Errorf("%s (-http.Transport +direct):\n%s", name, diff)
		}
	}
}

// What an editor has GetBody return is what goes out when a request is sent again.
func TestAnEditedGetBodyGoesAsItIs(t *testing.T) {
	t.Parallel()
	var hits atomic.Int32
	base := listen(t, func(c net.Conn) {
		for in := bufio.NewReader(c); ; {
			r, err := http.ReadRequest(in)
			if err != nil {
				return
			}
			body, _ := io.ReadAll(r.Body)
			if hits.Add(1) == 2 {
				return // the request came, and no answer goes
			}
			_, _ = io.WriteString(c, "HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\n"+string(body))
		}
	})
	e := endpoint(t, wire.Config{BaseURL: "http://" + base, Edit: []func(*http.Request) error{func(r *http.Request) error {
		r.Header.Set("Idempotency-Key", "a") // so that it may be sent twice
		r.GetBody = func() (io.ReadCloser, error) { return io.NopCloser(strings.NewReader("A BODY")), nil }
		return nil
	}}})
	r := wire.NewRequest("POST", "/")
	r.Text("text/plain", "a body")
	for i, want := range []string{"a body", "A BODY"} {
		if got := tellOf(e, t.Context(), r, false); got.Body != want || got.Sends != i+1 {
			t.Errorf("%+v, want %q", got, want)
		}
	}
}

// Where an editor gave the request a context of its own, nobody tells how far it came: it may have acted, and what is sent once is not sent again.
func TestARequestWithAnotherContextMayHaveActed(t *testing.T) {
	t.Parallel()
	var hits atomic.Int32
	base := listen(t, func(c net.Conn) {
		for in := bufio.NewReader(c); ; {
			if _, err := http.ReadRequest(in); err != nil || hits.Add(1) > 1 {
				return
			}
			_, _ = io.WriteString(c, fine)
		}
	})
	e := endpoint(t, wire.Config{BaseURL: "http://" + base, Edit: []func(*http.Request) error{func(r *http.Request) error {
		*r = *r.WithContext(context.Background())
		return nil
	}}})
	r := wire.NewRequest("GET", "/")
	if got := tellOf(e, t.Context(), r, true); got.Body != "ok" {
		t.Errorf("%+v", got)
	}
	_, err := e.Send(t.Context(), r, wire.Outgoing{Once: true})
	if failed, ok := errors.AsType[*wire.TransportError](err); !ok || !failed.Wrote || failed.Refused || hits.Load() != 2 {
		t.Errorf("got %v after %d requests", err, hits.Load())
	}
}
