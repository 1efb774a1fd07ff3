package wire_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptrace"
	"net/textproto"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/resgen-go/resgen/runtime/wire"
)

// told is what a caller is told of two calls, one after the other.
type told struct {
	Status, Sends int
	Body          string
	Header        string
	Failed        string // what of its kind an error is
	Trailer       bool
}

func tellOf(e *wire.Endpoint, ctx context.Context, r *wire.Request, once bool) told {
	resp, err := e.Send(ctx, r, wire.Outgoing{Once: once})
	if err != nil {
		return told{Failed: kindOf(err)}
	}
	defer resp.Release()
	got := told{Status: resp.Status, Sends: resp.Sends, Header: resp.Header.Get("Note")}
	body, err := io.ReadAll(resp)
	got.Body = string(body)
	if err != nil {
		got.Failed = kindOf(err)
	}
	return got
}

// kindOf says of an error what decides about it.
func kindOf(err error) string {
	var all []string
	if t, ok := errors.AsType[*wire.TransportError](err); ok {
		all = append(all, fmt.Sprintf("stage %d wrote %v refused %v sends %d", t.Stage, t.Wrote, t.Refused, t.Sends))
	}
	for name, target := range map[string]error{
		"EOF": io.EOF, "unexpected EOF": io.ErrUnexpectedEOF, "canceled": context.Canceled, "deadline": context.DeadlineExceeded,
	} {
		if errors.Is(err, target) {
			all = append(all, name)
		}
	}
	slices.Sort(all)
	return strings.Join(all, ", ")
}

// conversations are what a server may say on its connections, request by request. A text that ends in "\x00" is followed by the connection's
// end.
var conversations = map[string][]string{
	"sized":                     {"HTTP/1.1 200 OK\r\nContent-Length: 2\r\nNote: a\r\n\r\nok", "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nagain"},
	"chunked":                   {"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n", "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nagain"},
	"trailers":                  {"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTrailer: Sum\r\n\r\n2\r\nok\r\n0\r\nSum: 1\r\n\r\n", "HTTP/1.1 204 No Content\r\n\r\n"},
	"until the end":             {"HTTP/1.1 200 OK\r\n\r\nall of it\x00", "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"},
	"HTTP/1.0":                  {"HTTP/1.0 200 OK\r\nContent-Length: 2\r\n\r\nok\x00", "HTTP/1.0 200 OK\r\n\r\nall\x00"},
	"close":                     {"HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\nok\x00", "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"},
	"close and stay":            {"HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\nok", "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"},
	"none":                      {"HTTP/1.1 204 No Content\r\n\r\n", "HTTP/1.1 304 Not Modified\r\nContent-Length: 7\r\n\r\n"},
	"interim":                   {"HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok", "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"},
	"another protocol":          {"HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n", "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"},
	"cut in its body":           {"HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nok\x00", "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"},
	"cut in a chunk":            {"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n9\r\nok\x00", "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"},
	"cut before the last chunk": {"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n\x00", "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"},
	"cut in its header":         {"HTTP/1.1 200 OK\r\nContent-Le\x00", "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"},
	"nothing":                   {"\x00", "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"},
	"nothing the second time":   {"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok", "\x00", "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nthird"},
	"no status":                 {"HTTP/1.1 000 None\r\nContent-Length: 2\r\n\r\nok", "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nagain"},
	"no status, smuggling":      {"HTTP/1.1 099 None\r\nContent-Length: 44\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nforged", "HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nhonest"},
	"half the second time":      {"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok", "HTTP/1.1 2\x00", "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nthird"},
	"no HTTP":                   {"SSH-2.0-OpenSSH_9.2\r\n\x00", "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"},
	"two lengths":               {"HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\nok\x00", "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"},
	"length and chunks":         {"HTTP/1.1 200 OK\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n", "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nagain"},
	"a negative length":         {"HTTP/1.1 200 OK\r\nContent-Length: -2\r\n\r\nok\x00", "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"},
	"a chunk of no size":        {"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nok\r\n0\r\n\r\n", "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"},
	"too much of a header":      {"HTTP/1.1 200 OK\r\nNote: " + strings.Repeat("x", 11<<20) + "\r\n\r\n\x00", "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"},
}

// headOf returns what there is of a text without the body of its last answer. What comes of it after HEAD nobody asked for, which http.Transport
// sees in time, or does not.
func headOf(text string) string {
	const end = "\r\n\r\n"
	for from := 0; ; {
		at := strings.Index(text[from:], end)
		if at < 0 {
			return text
		}
		interim := strings.HasPrefix(text[from:], "HTTP/1.1 10")
		if from += at + len(end); !interim {
			return text[:from]
		}
	}
}

// converse says what a conversation has for each request, over whatever connections they come.
func converse(t *testing.T, says []string) string {
	t.Helper()
	var at atomic.Int32
	return "http://" + listen(t, func(c net.Conn) {
		in := bufio.NewReader(c)
		for {
			r, err := http.ReadRequest(in)
			if err != nil {
				return
			}
			if _, err := io.Copy(io.Discard, r.Body); err != nil {
				return
			}
			i := int(at.Add(1)) - 1
			if i >= len(says) {
				return
			}
			text, end := strings.CutSuffix(says[i], "\x00")
			if r.Method == http.MethodHead && strings.Contains(text, "\r\n\r\n") {
				text, end = headOf(text), false // the end of a connection that is kept is seen in time, or not
			}
			if _, err := io.WriteString(c, text); err != nil || end {
				return
			}
		}
	})
}

// again is how often http.Transport is asked anew where it came to something else: it closes a connection whose writer does not get its turn
// within 50 ms, and then has none to use again.
const again = 3

// A direct request comes to what one by an http.Transport comes to, whatever the server says.
func TestDirectRequestsAreAnsweredAsOthers(t *testing.T) {
	t.Parallel()
	for name, says := range conversations {
		for _, method := range []string{"GET", "POST", "HEAD"} {
			for _, once := range []bool{false, true} {
				t.Run(fmt.Sprint(name, " ", method, " once ", once), func(t *testing.T) {
					t.Parallel()
					r := wire.NewRequest(method, "/path?a=b")
					if method == "POST" {
						r.Text("text/plain", "a body")
					}
					two := func(client *http.Client) (got []told) {
						e := endpoint(t, wire.Config{BaseURL: converse(t, says), Client: client})
						for range 2 {
							got = append(got, tellOf(e, t.Context(), r, once))
						}
						return got
					}
					direct, other := two(nil), two(&http.Client{Transport: new(http.Transport)})
					for i := 0; i < again && !cmp.Equal(other, direct); i++ {
						other = two(&http.Client{Transport: new(http.Transport)})
					}
					if diff := cmp.Diff(other, direct); diff != "" {
						t.Errorf("(-http.Transport +direct):\n%s", diff)
					}
				})
			}
		}
	}
}

// A connection that the server closed while nobody used it is not used: no request is lost for that, and none is sent twice.
func TestAClosedConnectionIsNotUsed(t *testing.T) {
	t.Parallel()
	const calls = 100
	closed := make(chan struct{}, 1)
	base := listen(t, func(c net.Conn) {
		if r, err := http.ReadRequest(bufio.NewReader(c)); err == nil {
			_, _ = io.Copy(io.Discard, r.Body)
			_, _ = io.WriteString(c, "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
		}
		_ = c.Close()
		closed <- struct{}{}
	})
	e := endpoint(t, wire.Config{BaseURL: "http://" + base})
	r := wire.NewRequest("POST", "/")
	r.Text("text/plain", "a body")
	for i := range calls {
		if got := tellOf(e, t.Context(), r, true); got.Failed != "" || got.Sends != 1 {
			t.Fatalf("call %d: %+v", i, got)
		}
		<-closed
	}
}

// What a server says without having been asked is no answer to the request that comes next.
func TestWhatNobodyAskedForIsNoAnswer(t *testing.T) {
	t.Parallel()
	said := make(chan struct{})
	base := listen(t, func(c net.Conn) {
		in := bufio.NewReader(c)
		if _, err := http.ReadRequest(in); err != nil {
			return
		}
		_, _ = io.WriteString(c, "HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nhonest")
		<-said
		_, _ = io.WriteString(c, "HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nforged")
		said <- struct{}{}
		_, _ = io.Copy(io.Discard, c)
	})
	e := endpoint(t, wire.Config{BaseURL: "http://" + base})
	for range 5 {
		if got := tellOf(e, t.Context(), wire.NewRequest("GET", "/"), false); got.Body != "honest" {
			t.Fatalf("%+v", got)
		}
		said <- struct{}{}
		<-said
	}
}

// What comes with an answer and stands behind its end is none to the next request either. http.Transport may take it for one.
func TestWhatStandsBehindAnAnswerIsNoAnswer(t *testing.T) {
	t.Parallel()
	const honest, forged = "HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nhonest", "HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nforged"
	for name, says := range map[string]string{
		"sized": honest + forged, "chunked": "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n6\r\nhonest\r\n0\r\n\r\n" + forged,
	} {
		e := endpoint(t, wire.Config{BaseURL: converse(t, []string{says, says, says})})
		for i := range 3 {
			if got := tellOf(e, t.Context(), wire.NewRequest("GET", "/"), true); got.Body != "honest" || got.Sends != 1 {
				t.Errorf("%s, request %d: %+v", name, i, got)
			}
		}
	}
	e := endpoint(t, wire.Config{BaseURL: converse(t, []string{"HTTP/1.1 204 No Content\r\n\r\n" + forged, honest})})
	tellOf(e, t.Context(), wire.NewRequest("GET", "/"), true)
	if got := tellOf(e, t.Context(), wire.NewRequest("GET", "/"), true); got.Body != "honest" {
		t.Errorf("after an answer without a body: %+v", got)
	}
}

// A server may answer before it has read a request, and close: its answer is what the caller gets, where it came at all.
func TestAnEarlyAnswerIsRead(t *testing.T) {
	t.Parallel()
	base := listen(t, func(c net.Conn) {
		if _, err := bufio.NewReaderSize(c, 16).ReadString('\n'); err == nil {
			_, _ = io.WriteString(c, "HTTP/1.1 413 Content Too Large\r\nContent-Length: 4\r\nConnection: close\r\n\r\nmuch")
			if tcp, ok := c.(*net.TCPConn); ok {
				_ = tcp.CloseWrite()
			}
			_, _ = io.Copy(io.Discard, c)
		}
	})
	e := endpoint(t, wire.Config{BaseURL: "http://" + base})
	r := wire.NewRequest("POST", "/")
	r.Text("text/plain", strings.Repeat("x", 60<<10))
	for range 20 {
		if got := tellOf(e, t.Context(), r, false); got.Status != http.StatusRequestEntityTooLarge || got.Body != "much" {
			t.Fatalf("%+v", got)
		}
	}
}

// Neither is a header that is too large for the buffers of a connection written before the answer is read, nor a body whose length nobody says.
func TestAnEarlyAnswerToALargeRequestIsRead(t *testing.T) {
	t.Parallel()
	const large = 16 << 20 // more than the system takes of a connection that nobody reads
	posted := wire.NewRequest("POST", "/")
	posted.Text("text/plain", strings.Repeat("x", large))
	told := wire.NewRequest("GET", "/")
	told.Header("Note", wire.Simple, strings.Repeat("x", large))
	lengths := map[string]int64{"a body": -1} // both are unknown, for net/http
	for name, r := range map[string]*wire.Request{
		"a header": told, "a query": wire.NewRequest("GET", "/?"+strings.Repeat("x", large)), "a path": wire.NewRequest("GET", "/"+strings.Repeat("x", large)),
		"a body": posted, "a body of no length": posted,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			base := listen(t, func(c net.Conn) {
				if _, err := io.ReadFull(c, make([]byte, 3)); err == nil {
					_, _ = io.WriteString(c, "HTTP/1.1 413 Content Too Large\r\nContent-Length: 4\r\n\r\nmuch")
					<-t.Context().Done() // what else it says is not read
				}
			})
			e := endpoint(t, wire.Config{BaseURL: "http://" + base, Edit: []func(*http.Request) error{func(r *http.Request) error {
				if r.Body != nil {
					r.ContentLength = lengths[name]
				}
				return nil
			}}})
			ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
			defer cancel()
			if got := tellOf(e, ctx, r, false); got.Status != http.StatusRequestEntityTooLarge || got.Body != "much" {
				t.Fatalf("%+v", got)
			}
		})
	}
}

// A host has another form for the network where it has other letters than those of ASCII.
func TestAHostOfOtherLetters(t *testing.T) {
	t.Parallel()
	base, _ := server(t, func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) })
	e := endpoint(t, wire.Config{BaseURL: strings.Replace(base, "127", "\uff11\uff12\uff17", 1)}) // full-width digits
	if got := tellOf(e, t.Context(), wire.NewRequest("GET", "/"), false); got.Status != http.StatusNoContent {
		t.Errorf("%+v", got)
	}
}

// The end of its context ends a request wherever it is, and its connection, also where nobody closes the answer.
func TestADirectRequestEndsWithItsContext(t *testing.T) {
	t.Parallel()
	cause := errors.New("the reason") //nolint:err113 // the test's own
	for name, says := range map[string]string{
		"no answer": "", "half a header": "HTTP/1.1 200 OK\r\nConte", "half a body": "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf",
	} {
		for _, reads := range []bool{true, false} {
			t.Run(fmt.Sprint(name, " read ", reads), func(t *testing.T) {
				t.Parallel()
				asked, ended := make(chan struct{}), make(chan struct{})
				base := listen(t, func(c net.Conn) {
					defer close(ended)
					if _, err := http.ReadRequest(bufio.NewReader(c)); err != nil {
						return
					}
					_, _ = io.WriteString(c, says)
					close(asked)
					_, _ = io.Copy(io.Discard, c) // until it is closed
				})
				e := endpoint(t, wire.Config{BaseURL: "http://" + base})
				ctx, cancel := context.WithCancelCause(t.Context())
				go func() {
					<-asked
					if reads || !strings.HasSuffix(says, "half") {
						cancel(cause)
					}
				}()
				resp, err := e.Send(ctx, wire.NewRequest("GET", "/"), wire.Outgoing{})
				switch {
				case err != nil:
				case reads:
					_, err = io.ReadAll(resp)
				default:
					cancel(cause)
					<-ended // though the answer is not closed
					resp.Release()
					return
				}
				if !errors.Is(err, cause) {
					t.Errorf("got %v, want the cause of the context", err)
				}
				<-ended
			})
		}
	}
}

// Close ends a Read that another goroutine is in.
func TestCloseEndsARead(t *testing.T) {
	t.Parallel()
	base := listen(t, speak("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf"))
	e := endpoint(t, wire.Config{BaseURL: "http://" + base})
	for range 50 {
		resp, err := e.Send(t.Context(), wire.NewRequest("GET", "/"), wire.Outgoing{})
		if err != nil {
			t.Fatal(err)
		}
		half, ended := make(chan struct{}), make(chan error, 1)
		go func() {
			_, err := io.ReadFull(resp, make([]byte, 4))
			close(half)
			if err == nil {
				_, err = resp.Read(make([]byte, 10))
			}
			ended <- err
		}()
		<-half
		_ = resp.Close()
		if err := <-ended; err == nil || errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
			t.Fatalf("the read ended with %v", err)
		}
	}
}

// What a request asks of its connection, and what is wrong with it, is for net/http: the same goes out, or nothing.
func TestEditedRequestsGoAsTheySay(t *testing.T) {
	t.Parallel()
	came := make(chan *http.Request, 1)
	base, connections := server(t, func(_ http.ResponseWriter, r *http.Request) { came <- r })
	for name, edit := range map[string]func(*http.Request){
		"close":         func(r *http.Request) { r.Close = true },
		"connection":    func(r *http.Request) { r.Header.Set("Connection", "close") },
		"user agent":    func(r *http.Request) { r.Header.Set("User-Agent", "") },
		"host":          func(r *http.Request) { r.Host = "other.example" },
		"a header name": func(r *http.Request) { r.Header["A b"] = []string{"c"} },
		"a value":       func(r *http.Request) { r.Header["Note"] = []string{"a\r\nForged: b"} },
		"a method":      func(r *http.Request) { r.Method = "GE T" },
		"fragment":      func(r *http.Request) { r.URL.Fragment = "x" },
	} {
		var got [2]string
		for i, client := range []*http.Client{nil, {Transport: &http.Transport{DisableCompression: true}}} {
			e := endpoint(t, wire.Config{BaseURL: base, Client: client, Edit: []func(*http.Request) error{func(r *http.Request) error {
				r.Header.Set("Accept-Encoding", "identity")
				edit(r)
				return nil
			}}})
			before := connections.Load()
			resp, err := e.Send(t.Context(), wire.NewRequest("GET", "/a"), wire.Outgoing{})
			if err != nil {
				got[i] = fmt.Sprint("refused; connections: ", connections.Load()-before)
				continue
			}
			resp.Release()
			r := <-came
			got[i] = fmt.Sprint(r.Method, r.URL, r.Host, r.Header, r.Close)
		}
		if got[0] != got[1] {
			t.Errorf("%s: %s, and by http.Transport %s", name, got[0], got[1])
		}
	}
}

// A caller's trace hears of a direct request what it hears of others.
func TestADirectRequestIsTraced(t *testing.T) {
	t.Parallel()
	hear := func(client *http.Client) (heard []string) {
		url := converse(t, []string{"HTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok", "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"})
		e := endpoint(t, wire.Config{BaseURL: url, Client: client})
		say := func(format string, args ...any) { heard = append(heard, fmt.Sprintf(format, args...)) }
		ctx := httptrace.WithClientTrace(t.Context(), &httptrace.ClientTrace{
			GetConn:              func(hostPort string) { say("get %v", strings.HasPrefix(hostPort, "127.0.0.1:")) },
			GotConn:              func(info httptrace.GotConnInfo) { say("got %v %v", info.Reused, info.WasIdle) },
			WroteHeaders:         func() { say("header") },
			WroteRequest:         func(info httptrace.WroteRequestInfo) { say("wrote %v", info.Err) },
			GotFirstResponseByte: func() { say("first byte") },
			Got1xxResponse:       func(code int, _ textproto.MIMEHeader) error { say("interim %d", code); return nil },
		})
		for range 2 {
			tellOf(e, ctx, wire.NewRequest("GET", "/"), false)
		}
		return heard
	}
	direct, other := hear(nil), hear(&http.Client{Transport: new(http.Transport)})
	for i := 0; i < again && !cmp.Equal(other, direct); i++ {
		other = hear(&http.Client{Transport: new(http.Transport)})
	}
	if diff := cmp.Diff(other, direct); diff != "" {
		t.Errorf("(-http.Transport +direct):\n%s", diff)
	}
}

// proxied is where the child of TestAProxyIsAsked sends its request.
const proxied = "RESGEN_TEST_PROXIED"

// A proxy of the environment is asked, as by an http.Transport. It is read once in a process, so that this needs one of its own.
func TestAProxyIsAsked(t *testing.T) {
	t.Parallel()
	if url := os.Getenv(proxied); url != "" {
		got := tellOf(endpoint(t, wire.Config{BaseURL: url}), t.Context(), wire.NewRequest("GET", "/a"), false)
		if got.Body != "by proxy" {
			t.Errorf("%+v", got)
		}
		return
	}
	base, _ := server(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.String() == "http://service.test/a" {
			_, _ = io.WriteString(w, "by proxy")
		}
	})
	child := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestAProxyIsAsked$")
	child.Env = append(os.Environ(), proxied+"=http://service.test", "HTTP_PROXY="+base, "http_proxy="+base, "NO_PROXY=", "no_proxy=")
	if out, err := child.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}
