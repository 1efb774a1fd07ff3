package wire

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptrace"
	"net/textproto"
	"os"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// scripted is a connection that reads what it is given, and says how much of what is written to it goes out.
type scripted struct {
	net.Conn

	says   io.Reader
	takes  int // bytes, then writing fails
	took   strings.Builder
	closed bool
}

var errGone = errors.New("connection reset by peer")

func (c *scripted) Read(p []byte) (int, error) { return c.says.Read(p) }

func (c *scripted) Write(p []byte) (int, error) {
	n := min(len(p), c.takes)
	c.takes -= n
	c.took.Write(p[:n])
	if n < len(p) {
		return n, errGone
	}
	return n, nil
}

func (c *scripted) Close() error {
	c.closed = true
	return nil
}

// keep puts a scripted connection among those that an endpoint has kept, as one that has served a request.
func keep(t *testing.T, e *Endpoint, c *scripted) {
	t.Helper()
	k := &e.pool.connections(time.Now()).direct
	l := newLink(k, "h:80", &tracked{Conn: c})
	l.uses, l.isQuiet = 1, func() bool { return true }
	if err := k.put(l); err != nil {
		t.Fatal(err)
	}
}

const fine = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"

// A connection that breaks under a request is replaced by another where http.Transport would replace it: nothing went out, or the request may
// be sent twice.
func TestAConnectionThatBreaksIsReplaced(t *testing.T) {
	t.Parallel()
	const all = 1 << 20
	for name, tt := range map[string]struct {
		method string
		once   bool
		takes  int
		says   string
		sends  int // 0: it fails
	}{
		"nothing went out":             {method: "POST", sends: 2},
		"nothing went out, once":       {method: "POST", once: true, sends: 2},
		"some went out":                {method: "POST", takes: 10},
		"some went out, safe":          {method: "GET", takes: 10, sends: 2},
		"some went out, once":          {method: "GET", takes: 10, once: true},
		"some went out, answered":      {method: "POST", takes: 10, says: fine, sends: 1},
		"some went out, no body":       {method: "POST", takes: 10, says: "HTTP/1.1 413 Content Too Large\r\nContent-Length: 0\r\n\r\n", sends: 1},
		"all went out, no answer":      {method: "POST", takes: all},
		"all went out, safe":           {method: "GET", takes: all, sends: 2},
		"all went out, once":           {method: "GET", takes: all, once: true},
		"all went out, half an answer": {method: "GET", takes: all, says: "HTTP/1.1 20"},
		"all went out, answered":       {method: "POST", takes: all, says: fine, sends: 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			e, err := NewEndpoint(Config{BaseURL: "http://h"})
			if err != nil {
				t.Fatal(err)
			}
			broken := &scripted{takes: tt.takes, says: strings.NewReader(tt.says)}
			keep(t, e, broken)
			fresh := &scripted{takes: all, says: strings.NewReader(fine)}
			e.pool.current.direct.dial = func(context.Context, string, string) (*tracked, error) { return &tracked{Conn: fresh}, nil }
			r := NewRequest(tt.method, "/")
			if tt.method == http.MethodPost {
				r.Text("text/plain", "a body")
			}
			resp, err := e.Send(t.Context(), r, Outgoing{Once: tt.once})
			switch {
			case err != nil && tt.sends > 0:
				t.Fatal(err)
			case err == nil && tt.sends == 0:
				t.Fatalf("status %d after %d sends", resp.Status, resp.Sends)
			case err == nil:
				body, _ := io.ReadAll(resp)
				if resp.Release(); string(body) != "ok" && resp.Status == http.StatusOK || resp.Sends != tt.sends {
					t.Errorf("%q after %d sends", body, resp.Sends)
				}
			}
			if went := fresh.took.Len() > 0; went != (tt.sends == 2) {
				t.Errorf("to the new connection went %q", fresh.took.String())
			}
			if tt.sends == 2 && tt.method == http.MethodPost && !strings.HasSuffix(fresh.took.String(), "a body") {
				t.Errorf("to the new connection went %q", fresh.took.String())
			}
			if (tt.sends != 1 || tt.takes < all) && !broken.closed {
				t.Error("what broke is kept")
			}
		})
	}
}

// A request whose own fault it is that it cannot be written is not sent again, and leaves other connections alone.
func TestARequestThatCannotBeWrittenIsNotSentAgain(t *testing.T) {
	t.Parallel()
	e, err := NewEndpoint(Config{BaseURL: "http://h", Edit: []func(*http.Request) error{func(r *http.Request) error {
		r.ContentLength = 3
		return nil
	}}})
	if err != nil {
		t.Fatal(err)
	}
	first, second := &scripted{takes: 1 << 20, says: strings.NewReader(fine)}, &scripted{takes: 1 << 20, says: strings.NewReader(fine)}
	keep(t, e, first)
	keep(t, e, second)
	r := NewRequest(http.MethodPost, "/")
	r.Text("text/plain", "a longer body")
	if resp, err := e.Send(t.Context(), r, Outgoing{}); err == nil {
		t.Fatalf("status %d", resp.Status)
	}
	if first.closed || !second.closed || strings.Contains(second.took.String(), "longer") {
		t.Errorf("closed %v and %v, sent %q", first.closed, second.closed, second.took.String())
	}
}

// What broke is told, whatever net/http makes of it: an error while a body is written says it to errors.Is too.
func TestWhatBreaksUnderARequestIsTold(t *testing.T) {
	t.Parallel()
	for _, size := range []int{1, bufferSize, directBody} {
		e, err := NewEndpoint(Config{BaseURL: "http://h"})
		if err != nil {
			t.Fatal(err)
		}
		keep(t, e, &scripted{takes: size / 2, says: strings.NewReader("")})
		e.pool.current.direct.dial = func(context.Context, string, string) (*tracked, error) {
			return &tracked{Conn: &scripted{takes: size / 2, says: strings.NewReader("")}}, nil
		}
		r := NewRequest(http.MethodPost, "/")
		r.Content("text/plain", FromBytes(make([]byte, size)))
		if _, err := e.Send(t.Context(), r, Outgoing{}); !errors.Is(err, errGone) {
			t.Errorf("%d bytes: %v, want %v", size, err, errGone)
		}
	}
}

// A request whose context ended while it was made is not sent: it has not acted.
func TestARequestThatEndedBeforeIsNotSent(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancelCause(t.Context())
	e, err := NewEndpoint(Config{BaseURL: "http://h", Edit: []func(*http.Request) error{func(*http.Request) error {
		cancel(errGone)
		return nil
	}}})
	if err != nil {
		t.Fatal(err)
	}
	c := &scripted{takes: 1 << 20, says: strings.NewReader(fine)}
	keep(t, e, c)
	_, err = e.Send(ctx, NewRequest(http.MethodGet, "/"), Outgoing{})
	failed, ok := errors.AsType[*TransportError](err)
	if !ok || failed.Wrote || !failed.Refused || !errors.Is(err, errGone) || c.took.Len() > 0 || c.closed {
		t.Errorf("got %+v, sent %q, closed %v", err, c.took.String(), c.closed)
	}
}

// late is a context that ends a moment after its deadline, as all do.
type late struct {
	context.Context

	until time.Time
}

func (l late) Deadline() (time.Time, bool) { return l.until, true }

// The system may notice a deadline first: what is told is still why the context ended.
func TestADialThatIsLateEndsForTheReasonOfItsContext(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		own, cancel := context.WithCancelCause(t.Context())
		ctx := late{own, time.Now()}
		time.AfterFunc(time.Millisecond, func() { cancel(fmt.Errorf("%w: in time", errConnectTimeout)) })
		err := connectError(ctx, &net.OpError{Op: "dial", Err: os.ErrDeadlineExceeded})
		if !errors.Is(err, errConnectTimeout) || own.Err() == nil {
			t.Errorf("got %v", err)
		}
		if err := connectError(late{t.Context(), time.Now()}, &net.OpError{Op: "dial", Err: os.ErrDeadlineExceeded}); !errors.Is(err, os.ErrDeadlineExceeded) {
			t.Errorf("one that does not end: %v", err)
		}
	})
}

// Whoever is told of interim answers bounds their number; else the bound of the header does.
func TestInterimAnswersAreBounded(t *testing.T) {
	t.Parallel()
	interim := "HTTP/1.1 103 Early Hints\r\nLink: " + strings.Repeat("x", 1<<20) + "\r\n\r\n"
	for _, hears := range []bool{true, false} {
		e, err := NewEndpoint(Config{BaseURL: "http://h"})
		if err != nil {
			t.Fatal(err)
		}
		keep(t, e, &scripted{takes: 1 << 20, says: strings.NewReader(strings.Repeat(interim, 11) + fine)})
		ctx, heard := t.Context(), 0
		if hears {
			ctx = httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{Got1xxResponse: func(int, textproto.MIMEHeader) error {
				heard++
				return nil
			}})
		}
		resp, err := e.Send(ctx, NewRequest(http.MethodGet, "/"), Outgoing{})
		if err == nil {
			resp.Release()
		}
		if hears && (err != nil || heard != 11) || !hears && !errors.Is(err, errHeaderSize) {
			t.Errorf("heard %v: %d interim answers, %v", hears, heard, err)
		}
	}
}

// pass lets virtual time pass.
func pass(d time.Duration) { <-time.After(d) }

// Connections are kept up to a number and an age, and not when they are replaced.
func TestKeptConnectionsAreBounded(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		k := &keptLinks{most: 2}
		put := func(address string) (*scripted, error) {
			c := &scripted{}
			l := newLink(k, address, &tracked{Conn: c})
			l.isQuiet = func() bool { return true }
			return c, k.put(l)
		}
		first, _ := put("a:80")
		pass(idleTimeout / 2)
		second, _ := put("a:80")
		other, _ := put("b:80")
		if third, err := put("a:80"); !errors.Is(err, errTooMany) || !third.closed {
			t.Errorf("one too many: %v", err)
		}
		pass(idleTimeout/2 + time.Second)
		synctest.Wait()
		if !first.closed || second.closed || other.closed {
			t.Errorf("after %s: closed %v, %v, %v", idleTimeout, first.closed, second.closed, other.closed)
		}
		if l := k.take("a:80", false); l == nil || l.conn.Conn != second {
			t.Errorf("took %v", l)
		}
		if l := k.take("a:80", false); l != nil {
			t.Errorf("took %v", l)
		}
		pass(idleTimeout)
		synctest.Wait()
		if !other.closed {
			t.Error("what is too old is kept")
		}
		idle, _ := put("a:80")
		k.closeIdle(true)
		late, err := put("a:80")
		if !idle.closed || !late.closed || !errors.Is(err, errRetired) {
			t.Errorf("replaced: closed %v and %v, %v", idle.closed, late.closed, err)
		}
	})
}

// One that has become too old between two sweeps is not used; nor one that is too old by the clock on the wall, after the system has slept.
func TestAnOldConnectionIsNotUsed(t *testing.T) {
	t.Parallel()
	for name, age := range map[string]func(l *link){
		"by time": func(l *link) { l.since = l.since.Add(-idleTimeout) },
		"by date": func(l *link) { l.date = l.date.Add(-idleTimeout) },
	} {
		k := &keptLinks{most: 2}
		c := &scripted{}
		l := newLink(k, "a:80", &tracked{Conn: c})
		l.isQuiet = func() bool { return true }
		if err := k.put(l); err != nil {
			t.Fatal(err)
		}
		age(l)
		if got := k.take("a:80", false); got != nil || !c.closed {
			t.Errorf("%s: took %v, closed %v", name, got, c.closed)
		}
	}
}
