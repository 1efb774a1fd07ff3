package requests_test

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httptrace"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/resgen-go/resgen/runtime/internal/requests"
)

// sent is a request as a client makes it.
type sent struct {
	method, path, body string
	header             map[string]string
	chunked            bool
}

// watched is a context that has a watch, as that of an attempt has.
type watched struct {
	context.Context

	watch *requests.Watch
}

func (w watched) Value(key any) any {
	if key == requests.TraceKey {
		return w.watch.Trace()
	}
	return w.Context.Value(key)
}

func TestWhatIsSentAgainIsToldFromOtherRequests(t *testing.T) {
	t.Parallel()
	chat := sent{method: "POST", path: "/chat", body: `{"model":"m"}`}
	long := strings.Repeat("x", 1<<20) // more than a server takes before it reads
	with := func(s sent, fields ...string) sent {
		s.header = map[string]string{}
		for i := 0; i < len(fields); i += 2 {
			s.header[fields[i]] = fields[i+1]
		}
		return s
	}
	for name, c := range map[string]struct {
		sent         []sent
		want, wantH2 int32 // sends; over HTTP/1 and over HTTP/2
		agent        string
	}{
		"one request":             {[]sent{chat}, 0, 0, ""},
		"the same body again":     {[]sent{with(chat, "User-Agent", "x/1"), with(chat, "User-Agent", "x/1")}, 2, 2, "x/1"},
		"three times":             {[]sent{chat, chat, chat}, 3, 3, ""},
		"a login and a call":      {[]sent{{method: "POST", path: "/token", body: "grant"}, chat}, 0, 0, ""},
		"a login and two calls":   {[]sent{{method: "POST", path: "/token", body: "grant"}, chat, chat}, 2, 2, ""},
		"pages":                   {[]sent{{method: "GET", path: "/a?page=1"}, {method: "GET", path: "/a?page=2"}}, 0, 0, ""},
		"the same page again":     {[]sent{{method: "GET", path: "/a"}, {method: "GET", path: "/a"}}, 0, 2, ""},
		"ranges of one file":      {[]sent{with(sent{method: "GET", path: "/f"}, "Range", "bytes=0-9"), with(sent{method: "GET", path: "/f"}, "Range", "bytes=10-19")}, 0, 0, ""},
		"parts of an upload":      {[]sent{with(chat, "Content-Range", "bytes 0-12/26"), with(chat, "Content-Range", "bytes 13-25/26")}, 0, 0, ""},
		"other keys, so others":   {[]sent{with(chat, "Idempotency-Key", "a"), with(chat, "Idempotency-Key", "b")}, 0, 0, ""},
		"a counter says again":    {[]sent{with(chat, "X-Stainless-Retry-Count", "0"), with(chat, "X-Stainless-Retry-Count", "1")}, 2, 2, ""},
		"a counter says another":  {[]sent{with(chat, "X-Stainless-Retry-Count", "0"), with(chat, "X-Stainless-Retry-Count", "0")}, 0, 0, ""},
		"a counter of a GET":      {[]sent{with(sent{method: "GET", path: "/a"}, "X-Stainless-Retry-Count", "0"), with(sent{method: "GET", path: "/a"}, "X-Stainless-Retry-Count", "1")}, 2, 2, ""},
		"the attempts of AWS":     {[]sent{with(chat, "Amz-Sdk-Request", "attempt=1; max=3"), with(chat, "Amz-Sdk-Request", "attempt=2; max=3")}, 2, 2, ""},
		"the attempts of Google":  {[]sent{with(chat, "X-Goog-Api-Client", "gl-go/1 gccl-attempt-count/1"), with(chat, "X-Goog-Api-Client", "gl-go/1 gccl-attempt-count/2")}, 2, 2, ""},
		"a counter that is none":  {[]sent{with(chat, "X-Stainless-Retry-Count", "many"), with(chat, "X-Stainless-Retry-Count", "more")}, 2, 2, ""},
		"a redirect":              {[]sent{{method: "POST", path: "/moved", body: "xy"}}, 0, 0, ""},
		"bodies of no length":     {[]sent{{method: "POST", path: "/u?1", body: "a", chunked: true}, {method: "POST", path: "/u?2", body: "b", chunked: true}}, 0, 0, ""},
		"answered unread":         {[]sent{{method: "POST", path: "/hasty", body: long}, {method: "POST", path: "/hasty", body: long}}, 2, 2, ""},
		"pages asked for by POST": {[]sent{{method: "POST", path: "/s", body: `{"after":""}`}, {method: "POST", path: "/s", body: `{"after":"k"}`}}, 0, 0, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for proto, want := range map[string]int32{"HTTP/1": c.want, "HTTP/2": c.wantH2} {
				var sends atomic.Int32
				w := requests.New(t.Context(), &sends)
				play(t, watched{t.Context(), w}, proto == "HTTP/2", c.sent)
				if got := sends.Load(); got != want {
					t.Errorf("%s: %d sends, want %d", proto, got, want)
				}
				if want > 0 && c.agent != "" && w.Agent() != c.agent {
					t.Errorf("%s: the client is %q, want %q", proto, w.Agent(), c.agent)
				}
			}
		})
	}
}

// play makes requests one after the other.
func play(t *testing.T, ctx context.Context, h2 bool, all []sent) {
	t.Helper()
	s := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/hasty" { // it answers what it has not read
			_, _ = io.Copy(io.Discard, r.Body)
		}
		if r.URL.Path == "/moved" {
			http.Redirect(w, r, "/here", http.StatusTemporaryRedirect)
		}
	}))
	s.EnableHTTP2 = h2
	if h2 {
		s.StartTLS()
	} else {
		s.Start()
	}
	defer s.Close()
	for _, r := range all {
		var body io.Reader
		if r.body != "" {
			body = strings.NewReader(r.body)
		}
		if r.chunked {
			body = io.MultiReader(body)
		}
		req, err := http.NewRequestWithContext(ctx, r.method, s.URL+r.path, body)
		if err != nil {
			t.Fatal(err)
		}
		for name, value := range r.header {
			req.Header.Set(name, value)
		}
		resp, err := s.Client().Do(req)
		if err != nil {
			t.Fatal(err)
		}
		if want := map[bool]int{false: 1, true: 2}[h2]; resp.ProtoMajor != want {
			t.Fatalf("HTTP/%d, want %d", resp.ProtoMajor, want)
		}
		_ = resp.Body.Close()
	}
}

// A client whose requests nobody answers sends them again as well.
func TestUnansweredRequestsThatAreSentAgainAreSeen(t *testing.T) {
	t.Parallel()
	s := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }))
	defer s.Close()
	var sends atomic.Int32
	w := requests.New(t.Context(), &sends)
	for range 3 {
		req, err := http.NewRequestWithContext(watched{t.Context(), w}, http.MethodPost, s.URL, strings.NewReader("x"))
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("X-Stainless-Retry-Count", "0") // it is not the client that does it
		if resp, err := s.Client().Do(req); err == nil {
			_ = resp.Body.Close()
			t.Fatal("it was answered")
		}
	}
	if got := sends.Load(); got != 3 {
		t.Errorf("%d sends, want 3", got)
	}
}

// A client that tries again with a body that is used up sends nothing: net/http cannot write the request.
func TestWhatCannotBeWrittenIsNotSent(t *testing.T) {
	t.Parallel()
	var sends atomic.Int32
	trace := requests.New(t.Context(), &sends).Trace()
	write := func(err error, answered bool) {
		trace.WroteHeaderField("Content-Length", []string{"7"})
		trace.WroteHeaders()
		trace.WroteRequest(httptrace.WroteRequestInfo{Err: err})
		if answered {
			trace.GotFirstResponseByte()
		}
	}
	trace.WroteRequest(httptrace.WroteRequestInfo{Err: io.ErrUnexpectedEOF}) // of nothing
	write(nil, true)
	write(io.ErrUnexpectedEOF, false)
	if got := sends.Load(); got > 1 {
		t.Errorf("%d sends, want 1", got)
	}
	write(nil, true)
	trace.WroteRequest(httptrace.WroteRequestInfo{Err: io.ErrUnexpectedEOF}) // its stream ended later
	if got := sends.Load(); got != 2 {
		t.Errorf("%d sends, want 2", got)
	}
}

// Over HTTP/2 an answer and the end of writing are told by goroutines of their own: in any order, and while the next request is written.
func TestWhatIsAnsweredBeforeItWasWrittenIsSent(t *testing.T) {
	t.Parallel()
	field := func(trace *httptrace.ClientTrace) { trace.WroteHeaderField("Content-Length", []string{"7"}) }
	header := func(trace *httptrace.ClientTrace) { trace.WroteHeaders() }
	answer := func(trace *httptrace.ClientTrace) { trace.GotFirstResponseByte() }
	wrote := func(trace *httptrace.ClientTrace) { trace.WroteRequest(httptrace.WroteRequestInfo{}) }
	cut := func(trace *httptrace.ClientTrace) {
		trace.WroteRequest(httptrace.WroteRequestInfo{Err: io.ErrClosedPipe})
	}
	for name, c := range map[string]struct {
		told []func(*httptrace.ClientTrace)
		want int32
	}{
		"the answer first of all":          {[]func(*httptrace.ClientTrace){field, answer, header, cut, field, answer, header, cut}, 2},
		"nothing is told after the answer": {[]func(*httptrace.ClientTrace){field, header, answer, field, answer}, 2},
		"cut while the next is written": {
			[]func(*httptrace.ClientTrace){field, header, answer, field, header, cut, wrote, answer}, 2,
		},
		"cut when the next is written": {
			[]func(*httptrace.ClientTrace){field, header, answer, field, header, wrote, cut, answer}, 2,
		},
		"cut when the next is answered": {
			[]func(*httptrace.ClientTrace){field, header, answer, field, header, answer, cut, cut, field, header, wrote, answer}, 3,
		},
		"the end is told late, and the third is not sent": {
			[]func(*httptrace.ClientTrace){field, header, answer, field, header, wrote, answer, wrote, field, header, cut}, 2,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var sends atomic.Int32
			trace := requests.New(t.Context(), &sends).Trace()
			for _, tell := range c.told {
				tell(trace)
			}
			if got := sends.Load(); got != c.want {
				t.Errorf("%d sends, want %d", got, c.want)
			}
		})
	}
}

func TestTheCallersOwnTraceIsCalledToo(t *testing.T) {
	t.Parallel()
	var heard, sends atomic.Int32
	ctx := httptrace.WithClientTrace(t.Context(), &httptrace.ClientTrace{WroteHeaders: func() { heard.Add(1) }})
	w := requests.New(ctx, &sends)
	chat := sent{method: "POST", path: "/chat", body: "x"}
	play(t, watched{ctx, w}, false, []sent{chat, chat})
	if heard.Load() != 2 || sends.Load() != 2 {
		t.Errorf("the caller heard of %d requests, we of %d; want 2 and 2", heard.Load(), sends.Load())
	}
}

// Somebody who makes very many requests is remembered in bounded memory, and is not taken for somebody who tries again.
func TestVeryManyRequestsOfOneAttempt(t *testing.T) {
	t.Parallel()
	var sends atomic.Int32
	trace := requests.New(t.Context(), &sends).Trace()
	for i := range 10_000 {
		trace.WroteHeaderField("Content-Length", []string{strings.Repeat("1", 1+i%50_000)})
		trace.WroteHeaders()
	}
	if got := sends.Load(); got != 0 {
		t.Errorf("%d sends, want 0: all differ", got)
	}
}
