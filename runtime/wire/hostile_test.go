package wire_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/resgen-go/resgen/runtime/wire"
)

// speak answers one request on a connection with these bytes, and keeps the connection open.
func speak(bytes string) func(net.Conn) {
	return func(c net.Conn) {
		if _, err := http.ReadRequest(bufio.NewReader(c)); err == nil {
			_, _ = io.WriteString(c, bytes)
			_, _ = io.Copy(io.Discard, c)
		}
	}
}

// whole is a response with a JSON body.
func whole(body string) string {
	return fmt.Sprintf("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", len(body), body)
}

// A server that changes the protocol although nobody asked for it gives the bare connection in place of a body: reading it ended with no
// context.
func TestSwitchingProtocolsIsAnAnswerWithoutABody(t *testing.T) {
	t.Parallel()
	url := "http://" + listen(t, speak("HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: other\r\n\r\nbytes of it"))
	e := endpoint(t, wire.Config{BaseURL: url})
	resp, err := e.Send(t.Context(), wire.NewRequest("GET", "/"), wire.Outgoing{})
	if err != nil {
		t.Fatal(err)
	}
	var status *wire.StatusError
	if err := resp.Unexpected(); !errors.As(err, &status) || status.Status != 101 || len(status.Body) != 0 {
		t.Errorf("got %v, want the status alone", err)
	}
	if err := resp.Close(); err != nil {
		t.Error(err)
	}
}

type quoting struct {
	Number int            `json:"number"`
	Time   time.Time      `json:"time"`
	Map    map[string]int `json:"map"`
}

// What an error quotes is the target's word. Its text is one line that can be logged.
func TestErrorTextsAreOneBoundedLine(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("7", 100<<10)
	for name, answer := range map[string]string{
		"status line": long + "\r\n\r\n",
		"header":      "HTTP/1.1 200 OK\r\n" + long + "\r\n\r\n",
		"location":    "HTTP/1.1 302 Found\r\nContent-Length: 0\r\nLocation: http://[" + long + "\r\n\r\n",
		"media type":  "HTTP/1.1 200 OK\r\nContent-Length: 0\r\nContent-Type: text/html;" + long + "\r\n\r\n",
		"number":      whole(`{"number":` + long + `}`),
		"time":        whole(`{"time":"` + long + `"}`),
		"key":         whole(`{"map":{"a\nlevel=ERROR forged` + long + `":"b"}}`),
		"text":        whole(`{"number":"\u2028` + long + `"}`),
		"not JSON":    whole("\r\n\v" + long),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			e := endpoint(t, wire.Config{BaseURL: "http://" + listen(t, speak(answer))})
			resp, err := e.Send(t.Context(), wire.NewRequest("GET", "/"), wire.Outgoing{})
			if err == nil {
				_, err = wire.JSON[quoting](resp)
				resp.Release()
			}
			if err == nil {
				t.Fatal("got an answer")
			}
			if text := err.Error(); len(text) > 2<<10 || strings.ContainsAny(text, "\n\r\v\u2028") {
				t.Errorf("a text of %d bytes: %.300q", len(text), text)
			}
		})
	}
}

// The cut of a text may fall into a credential that the target sends back: no part of it may be left.
func TestACutLeavesNoPartOfASecret(t *testing.T) {
	t.Parallel()
	short, long := "sk-live-"+strings.Repeat("k", 32), "sk-live-"+strings.Repeat("k", 3<<10)
	type echo struct{ secret, body string }
	echoes := []echo{{long, strings.Repeat(long, 40)}} // also past the bytes that are kept
	for at := 200; at < 260; at += 6 {
		echoes = append(echoes, echo{short, strings.Repeat("x", at) + short + strings.Repeat("y", 300)})
	}
	for _, c := range echoes {
		for name, read := range map[string]func(*wire.Response) error{
			"status": (*wire.Response).Unexpected,
			"page":   func(r *wire.Response) error { _, err := wire.JSON[quoting](r); return err },
			"stream": func(r *wire.Response) error { _, err := wire.JSONItems[quoting](r, sse("")); return err },
			"event":  func(r *wire.Response) error { return firstError(wire.TextItems(r, sse(""))) },
		} {
			mediaType, body := "text/html", c.body
			if name == "event" {
				mediaType, body = "text/event-stream", "event: error\ndata: "+c.body+"\n\n"
			}
			config := secured(map[string]wire.Credential{"bearer": secret(c.secret)})
			config.BaseURL = "http://h"
			config.Client = &http.Client{Transport: roundTrip(func(*http.Request) (*http.Response, error) {
				return answer(http.StatusOK, mediaType, body), nil
			})}
			r := wire.NewRequest("GET", "/")
			r.Security([]string{"bearer"})
			resp, err := endpoint(t, config).Send(t.Context(), r, wire.Outgoing{})
			if err != nil {
				t.Fatal(err)
			}
			if err = read(resp); err == nil || strings.Contains(err.Error(), "sk-") {
				t.Errorf("%s: %v", name, err)
			}
			resp.Release()
		}
	}
}

// firstError reads the first item.
func firstError(items *wire.Items[string], err error) error {
	if err == nil {
		_, err = items.Next()
	}
	return err
}

// nested is of a recursive type. Its leaf counts how often it is decoded.
type nested struct {
	Child *nested `json:"child,omitzero"`
	Leaf  *leaf   `json:"leaf,omitzero"`
	Pad   string  `json:"pad"`
}

type leaf struct{}

var leafDecoded atomic.Int64

var errLeaf = errors.New("no leaf")

func (*leaf) UnmarshalJSON([]byte) error {
	leafDecoded.Add(1)
	return errLeaf
}

// Where a text fails is looked for with bounded work: it would grow with the square of the depth.
func TestThePathOfAFailureIsFoundWithBoundedWork(t *testing.T) {
	t.Parallel()
	deep := func(depth, pad int) string {
		return strings.Repeat(`{"child":`, depth) + `{"leaf":1,"pad":"` + strings.Repeat("p", pad) + `"}` + strings.Repeat("}", depth)
	}
	for _, c := range []struct {
		depth, pad int
		most       int64
		want       string // how the path begins
	}{
		{3, 10, 20, "/child/child/child/leaf"},
		{200, 1 << 20, 8, "/child"},
	} {
		before := leafDecoded.Load()
		_, err := wire.JSON[nested](respond(t, answer(http.StatusOK, "application/json", deep(c.depth, c.pad))))
		var decode *wire.DecodeError
		if !errors.As(err, &decode) || !errors.Is(err, errLeaf) || !strings.HasPrefix(decode.Path, c.want) {
			t.Errorf("depth %d: got %v, want it at %s", c.depth, err, c.want)
		}
		if n := leafDecoded.Load() - before; n > c.most {
			t.Errorf("depth %d: decoded %d times, want at most %d", c.depth, n, c.most)
		}
	}
}

// held is a body whose Read lasts until Close. It counts the Reads that run at once.
type held struct {
	started chan struct{}
	closed  chan struct{}
	now     atomic.Int32
	most    atomic.Int32
}

func (h *held) Read([]byte) (int, error) {
	if n := h.now.Add(1); n > h.most.Load() {
		h.most.Store(n)
	}
	defer h.now.Add(-1)
	select {
	case h.started <- struct{}{}:
	default:
	}
	<-h.closed
	return 0, net.ErrClosed
}

func (h *held) Close() error {
	select {
	case <-h.closed:
	default:
		close(h.closed)
	}
	return nil
}

// Close may come from another goroutine while a Read waits: it takes nothing of the body from that Read.
func TestCloseDuringARead(t *testing.T) {
	t.Parallel()
	body := &held{started: make(chan struct{}, 1), closed: make(chan struct{})}
	resp := respond(t, &http.Response{StatusCode: http.StatusOK, Header: http.Header{}, Body: body, ContentLength: -1})
	d, err := wire.NewDownload(resp)
	if err != nil {
		t.Fatal(err)
	}
	read := make(chan error, 1)
	go func() {
		_, err := d.Read(make([]byte, 1))
		read <- err
	}()
	<-body.started
	if err := d.Close(); err != nil {
		t.Error(err)
	}
	if err := <-read; err == nil || errors.Is(err, io.EOF) {
		t.Errorf("the read ended with %v, want an error", err)
	}
	if n := body.most.Load(); n != 1 {
		t.Errorf("%d reads at once, want 1", n)
	}
}

// Compressed data that is none is told from a connection that broke, whoever undoes the compression.
func TestCorruptCompression(t *testing.T) {
	t.Parallel()
	good := bytes.NewBufferString("")
	resp := zipped(t, answer(http.StatusOK, "application/json", `{"number":1}`))
	if _, err := io.Copy(good, resp.Body); err != nil {
		t.Fatal(err)
	}
	data := good.Bytes()
	data[10] = 0x07 // a block of the reserved type (RFC 1951, section 3.2.3)
	for _, own := range []bool{false, true} {
		url, _ := server(t, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Encoding", "gzip")
			w.Header().Set("Content-Type", "application/json")
			_, _ = w.Write(data)
		})
		r := wire.NewRequest("GET", "/")
		if own {
			r.Header("Accept-Encoding", wire.Simple, "gzip")
		}
		resp, err := endpoint(t, wire.Config{BaseURL: url}).Send(context.Background(), r, wire.Outgoing{})
		if err != nil {
			t.Fatal(err)
		}
		_, err = wire.JSON[json.RawMessage](resp)
		var decode *wire.DecodeError
		if !errors.As(err, &decode) || errors.Is(err, io.ErrUnexpectedEOF) {
			t.Errorf("own=%t: got %v, want a DecodeError that is no truncation", own, err)
		}
		resp.Release()
	}
}

// What must not be executed twice is not sent again on a connection that broke after it was written, whatever net/http thinks of its
// method and its header; and it follows redirects all the same.
func TestOnceIsNotReplayed(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		method, body, key string
		redirect          bool
	}{
		"POST with a key":           {"POST", "body", "k", false},
		"PUT with a key":            {"PUT", "body", "k", false},
		"POST, no body, a key":      {"POST", "", "k", false},
		"GET":                       {"GET", "", "", false},
		"GET with a body":           {"GET", "body", "", false},
		"redirect, POST with a key": {"POST", "body", "k", true},
		"redirect, POST":            {"POST", "body", "", true},
		"redirect, GET":             {"GET", "", "", true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var hits atomic.Int32
			var last atomic.Pointer[string]
			e := endpoint(t, wire.Config{BaseURL: "http://" + listen(t, func(c2 net.Conn) {
				in := bufio.NewReader(c2)
				for {
					req, err := http.ReadRequest(in)
					if err != nil {
						return
					}
					body, _ := io.ReadAll(req.Body)
					text := req.Method + req.URL.Path + string(body)
					last.Store(&text)
					switch {
					case hits.Add(1) != 2:
						_, _ = io.WriteString(c2, whole("{}"))
					case c.redirect:
						_, _ = io.WriteString(c2, "HTTP/1.1 307 Temporary Redirect\r\nLocation: /there\r\nContent-Length: 0\r\n\r\n")
					default:
						return // read whole, never answered
					}
				}
			})})
			var err error
			for range 2 {
				r := wire.NewRequest(c.method, "/here")
				if c.key != "" {
					r.Header("Idempotency-Key", wire.Simple, c.key)
				}
				if c.body != "" {
					r.Text("text/plain", c.body)
				}
				var resp *wire.Response
				if resp, err = e.Send(t.Context(), r, wire.Outgoing{Once: true}); err == nil {
					if resp.Status != http.StatusOK {
						t.Errorf("status %d", resp.Status)
					}
					resp.Release()
				}
			}
			if c.redirect {
				if want := c.method + "/there" + c.body; err != nil || *last.Load() != want || hits.Load() != 3 {
					t.Errorf("%v, %q after %d hits; want %q", err, *last.Load(), hits.Load(), want)
				}
				return
			}
			var transport *wire.TransportError
			if !errors.As(err, &transport) || !transport.Wrote || transport.Refused || hits.Load() != 2 {
				t.Errorf("%#v after %d hits; want an error that proves nothing after 2", err, hits.Load())
			}
		})
	}
}
