package wire

import (
	"bufio"
	"bytes"
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// readOf reads all of a body, in pieces, and says what it ended with.
func readOf(read func([]byte) (int, error)) (string, error) {
	var all []byte
	for piece := make([]byte, 7); ; {
		n, err := read(piece)
		all = append(all, piece[:n]...)
		if err != nil {
			return string(all), err
		}
	}
}

// compareAnswer holds what we make of a text to what http.ReadResponse makes of it, and reports whether we read it.
func compareAnswer(t *testing.T, method, text string) bool {
	t.Helper()
	req := &http.Request{Method: method}
	l := &link{in: bufio.NewReaderSize(strings.NewReader(text), bufferSize)}
	if _, err := l.in.Peek(1); err != nil {
		return false
	}
	before := l.in.Buffered()
	got := l.readUsual(req)
	if got == nil {
		if l.in.Buffered() != before {
			t.Errorf("%q was left to net/http, and %d bytes of it are missing", text, before-l.in.Buffered())
		}
		return false
	}
	rest := bufio.NewReader(strings.NewReader(text))
	want, err := http.ReadResponse(rest, req)
	if err != nil {
		t.Fatalf("%q was read, and net/http says: %v", text, err)
	}
	body, failed := readOf(got.Body.(*directAnswer).read)
	wantBody, wantFailed := readOf(want.Body.Read)
	got.Body, want.Body, got.Request, want.Request = nil, nil, nil, nil
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%q (-net/http +ours):\n%s", text, diff)
	}
	if body != wantBody || failed != wantFailed { //nolint:errorlint // these very errors
		t.Errorf("%q: body %q, %v; by net/http %q, %v", text, body, failed, wantBody, wantFailed)
	}
	left, _ := io.ReadAll(l.in)
	if wantLeft, _ := io.ReadAll(rest); !bytes.Equal(left, wantLeft) {
		t.Errorf("%q: %q is left, by net/http %q", text, left, wantLeft)
	}
	return true
}

// What is read is read as net/http reads it, and all else is left to it.
func TestUsualAnswers(t *testing.T) {
	t.Parallel()
	const head, body = "HTTP/1.1 200 OK\r\n", "\r\n\r\nok"
	for text, read := range map[string]bool{
		head + "Content-Length: 2" + body:                                                true,
		head + "content-length:  2\t\r\ncontent-type:text/plain" + body:                  true,
		head + "Date: x\r\nSet-Cookie: a\r\nSet-Cookie: b\r\nContent-Length: 2" + body:   true,
		head + "Content-Length: 2" + body + "HTTP/1.1 200 OK\r\n":                        true,
		head + "Content-Length: 3" + body:                                                true, // too short
		head + "Content-Length: 002" + body:                                              true,
		head + "Connection: keep-alive\r\nContent-Length: 2" + body:                      true,
		head + "Empty:\r\nContent-Length: 2" + body:                                      true,
		"HTTP/1.1 404 \r\nContent-Length: 2" + body:                                      true,
		"HTTP/1.1 599 \xff  x \r\nContent-Length: 2" + body:                              true,
		"HTTP/1.1 404\r\nContent-Length: 2" + body:                                       false,
		"HTTP/1.1  200 OK\r\nContent-Length: 2" + body:                                   false,
		"HTTP/1.1 204 None\r\nContent-Length: 2" + body:                                  false,
		"HTTP/1.1 304 Same\r\nContent-Length: 2" + body:                                  false,
		"HTTP/1.1 103 Early\r\nContent-Length: 2" + body:                                 false,
		"HTTP/1.1 099 None\r\nContent-Length: 2" + body:                                  false,
		"HTTP/1.1 2+0 None\r\nContent-Length: 2" + body:                                  false,
		"HTTP/1.0 200 OK\r\nContent-Length: 2" + body:                                    false,
		"HTTP/1.1 200 O\tK\r\nContent-Length: 2" + body:                                  false,
		head + "Content-Length: 0\r\n\r\n":                                               false,
		head + "Content-Length: 2\r\nContent-Length: 2" + body:                           false,
		head + "Content-Length: +2" + body:                                               false,
		head + "Content-Length: 2 2" + body:                                              false,
		head + "Content-Length: 9999999999999999999" + body:                              false,
		head + "Content-Length:" + body:                                                  false,
		head + "Content-Length: 2\r\nTransfer-Encoding: chunked" + body:                  false,
		head + "Content-Length: 2\r\nConnection: close" + body:                           false,
		head + "Content-Length: 2\r\nConnection: keep-alive\r\nConnection: close" + body: false,
		head + "Content-Length: 2\r\nTrailer: Sum" + body:                                false,
		head + "Content-Length: 2\r\nPragma: no-cache" + body:                            false,
		head + "Content-Length: 2\r\n folded" + body:                                     false,
		head + "Content-Length: 2\nA: b" + body:                                          false,
		head + "Content-Length: 2\r\nA b: c" + body:                                      false,
		head + "Content-Length: 2\r\nA : c" + body:                                       false,
		head + "Content-Length: 2\r\nA: \x00" + body:                                     false,
		head + "Content-Length: 2\r\nA" + body:                                           false,
		head + "Content-Length: 2\r\n: a" + body:                                         false,
		head + "Content-Length: 2\r\n":                                                   false,
		head + "A: b" + body:                                                             false,
		head + "\r\nok":                                                                  false,
	} {
		if compareAnswer(t, http.MethodGet, text) != read {
			t.Errorf("%q: read %v, want %v", text, !read, read)
		}
	}
	if compareAnswer(t, http.MethodHead, head+"Content-Length: 2"+body) {
		t.Error("an answer to HEAD has no body, and was read")
	}
}

func FuzzUsualAnswer(f *testing.F) {
	for _, text := range []string{
		"HTTP/1.1 200 OK\r\nContent-Length: 2\r\nDate: x\r\n\r\nok", "HTTP/1.1 404 Not Found\r\ncontent-type: a\r\ncontent-length: 3\r\n\r\nok",
		"HTTP/1.1 200 OK\r\nSet-Cookie: a\r\nset-cookie: b\r\nContent-Length: 2\r\nConnection: keep-alive\r\n\r\nokHTTP",
	} {
		f.Add(text, false)
	}
	f.Fuzz(func(t *testing.T, text string, posted bool) {
		method := http.MethodGet
		if posted {
			method = http.MethodPost
		}
		compareAnswer(t, method, text)
	})
}

// compareRequest holds what we write of a request to what http.Request.Write writes, and reports whether we wrote it.
func compareRequest(t *testing.T, method, at, host string, header http.Header, body string, length int64) bool {
	t.Helper()
	u, err := url.Parse(at)
	if err != nil || u.Scheme != "http" || !isPlainHost(u) {
		return false
	}
	req := &http.Request{Method: method, URL: u, Host: host, Header: header, ContentLength: length}
	x := &exchange{data: []byte(body), from: bytes.NewReader([]byte(body))}
	if body != "" {
		req.Body = io.NopCloser(x.from)
		x.body = req.Body
	}
	if !x.isDirect(req) {
		return false
	}
	got, ok := appendRequest(make([]byte, 0, bufferSize), req, []byte(body))
	if !ok {
		return false
	}
	var want bytes.Buffer
	if err := req.Write(&want); err != nil {
		t.Fatalf("%q was written, and net/http says: %v", got, err)
	}
	if diff := cmp.Diff(want.String(), string(got)); diff != "" {
		t.Errorf("(-net/http +ours):\n%s", diff)
	}
	return true
}

// What is written is what net/http writes, and all else is left to it.
func TestUsualRequests(t *testing.T) {
	t.Parallel()
	type with = map[string][]string
	for name, c := range map[string]struct {
		method, at, host string
		header           with
		body             string
		length           int64
		written          bool
	}{
		"a chat":             {"POST", "http://h:80/v1/chat?a=b&c", "h:80", with{"Content-Type": {"a/b"}, "Authorization": {"Bearer x"}}, "{}", 2, true},
		"no method":          {"", "http://h", "", with{}, "", 0, true},
		"no path":            {"GET", "http://h?", "h", with{}, "", 0, true},
		"an escaped path":    {"GET", "http://h/a%2Fb%20c/ä?q=ü", "h", with{}, "", 0, true},
		"nothing posted":     {"POST", "http://h/", "h", with{}, "", 0, true},
		"nothing put":        {"PUT", "http://h/", "h", with{}, "", 0, true},
		"nothing patched":    {"PATCH", "http://h/", "h", with{}, "", 0, true},
		"nothing deleted":    {"DELETE", "http://h/", "h", with{}, "", 0, true},
		"a deletion":         {"DELETE", "http://h/", "h", with{}, "x", 1, true},
		"a length of none":   {"POST", "http://h/", "h", with{}, "", 5, false},
		"an agent":           {"GET", "http://h/", "h", with{"User-Agent": {" a ", "b"}}, "", 0, true},
		"an empty agent":     {"GET", "http://h/", "h", with{"User-Agent": {""}}, "", 0, true},
		"no agent":           {"GET", "http://h/", "h", with{"User-Agent": {}}, "", 0, true},
		"what is ours":       {"POST", "http://h/", "h", with{"Host": {"other"}, "Content-Length": {"9"}, "Zero": {}}, "x", 1, true},
		"many of one":        {"GET", "http://h/", "h", with{"B": {" b\t", "", "c"}, "A": {"a"}}, "", 0, true},
		"another host":       {"GET", "http://h/", "other.example", with{}, "", 0, true},
		"an IPv6 host":       {"GET", "http://[::1]:8080/", "[::1]:8080", with{}, "", 0, true},
		"a host with a zone": {"GET", "http://[fe80::1%25eth0]/", "", with{}, "", 0, false},
		"letters":            {"GET", "http://h/", "bücher.example", with{}, "", 0, false},
		"a wrong host":       {"GET", "http://h/", "a b", with{}, "", 0, false},
		"too long":           {"POST", "http://h/", "h", with{}, strings.Repeat("x", bufferSize), bufferSize, false},
		"another length":     {"POST", "http://h/", "h", with{}, "xx", 1, false},
		"no length":          {"POST", "http://h/", "h", with{}, "xx", 0, false},
		"a long header":      {"GET", "http://h/", "h", with{"A": {strings.Repeat("x", directHeader-10)}, "B": {"b"}}, "", 0, false},
	} {
		if got := compareRequest(t, c.method, c.at, c.host, c.header, c.body, c.length); got != c.written {
			t.Errorf("%s: written %v, want %v", name, got, c.written)
		}
	}
}

func FuzzUsualRequest(f *testing.F) {
	f.Add("POST", "http://h/v1/chat?a=b", "h", "Content-Type", "a/b", "Accept", "*/*", "{}", int64(2))
	f.Add("GET", "http://h:80?x%20y", "[::1]:80", "User-Agent", "", "user-agent", "x", "", int64(0))
	f.Fuzz(func(t *testing.T, method, at, host, name, value, other, text, body string, length int64) {
		compareRequest(t, method, at, host, http.Header{name: {value, text}, other: {text}}, body, length)
	})
}
