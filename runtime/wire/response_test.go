package wire_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/resgen-go/resgen/runtime/wire"
)

type thing struct {
	V    string             `json:"v"`
	Raw  []byte             `json:"raw"`
	When time.Time          `json:"when"`
	In   []map[string]thing `json:"in"`
}

// C008, C098, C100, C101: what is taken for JSON, and what is not.
func TestJSON(t *testing.T) {
	t.Parallel()
	const good = `{"v":"x"}`
	tests := map[string]struct {
		mediaType, body string
		want            string // of V, or the error's text
		path            string
		is              error
	}{
		"json":              {mediaType: "application/json", body: good, want: "x"},
		"charset and case":  {mediaType: "Application/JSON;charset=UTF-8", body: good, want: "x"},
		"vendor":            {mediaType: "application/vnd.acme.item.v2+json", body: good, want: "x"},
		"text/json":         {mediaType: "text/json", body: good, want: "x"},
		"problem":           {mediaType: "application/problem+json; charset=\"utf-8\"", body: good, want: "x"},
		"missing":           {body: good, want: "x"},
		"sniffed":           {mediaType: "text/plain; charset=utf-8", body: good, want: "x"},
		"broken type":       {mediaType: "application/json; charset", body: good, want: "x"},
		"byte order mark":   {mediaType: "application/json", body: "\ufeff" + good, want: "x"},
		"space around":      {mediaType: "application/json", body: " \r\n" + good + "\n\n", want: "x"},
		"html":              {mediaType: "text/html; charset=utf-8", body: "<html>\n<b>502</b>", want: "decode response (status 200, text/html): JSON was expected: <html> <b>502</b>"},
		"xml":               {mediaType: "application/xml", body: good, want: "decode response (status 200, application/xml): JSON was expected: {\"v\":\"x\"}"},
		"html without type": {body: "<html>", want: "decode response (status 200): invalid character '<' at byte 0, expected a JSON value"},
		"empty":             {mediaType: "application/json", want: "decode response (status 200, application/json): empty body"},
		"spaces":            {mediaType: "application/json", body: " \n", want: "decode response (status 200, application/json): empty body"},
		"null":              {mediaType: "application/json", body: " null ", want: "decode response (status 200, application/json): null where a value is required"},
		"truncated":         {mediaType: "application/json", body: `{"v":"x","in":[{`, want: "decode response (status 200, application/json) at /in/0: unexpected EOF: the JSON text ends before its value does", path: "/in/0", is: io.ErrUnexpectedEOF},
		"trailing garbage":  {mediaType: "application/json", body: good + "}", want: "decode response (status 200, application/json): invalid character '}' at byte 9, expected the end of the text"},
		"two values":        {mediaType: "application/json", body: good + "\n" + good, want: "decode response (status 200, application/json): invalid character '{' at byte 10, expected the end of the text"},
		"another type":      {mediaType: "application/json", body: `[]`, want: "decode response (status 200, application/json): expected an object, found an array"},
		"base64":            {mediaType: "application/json", body: `{"raw":"a$"}`, want: "decode response (status 200, application/json) at /raw: illegal base64 data at input byte 1", path: "/raw"},
		"time, deep":        {mediaType: "application/json", body: `{"in":[{},{"a~/b":{"when":"yesterday"}}]}`, want: "decode response (status 200, application/json) at /in/1/a~0~1b/when: parsing time \"yesterday\" as \"2006-01-02T15:04:05Z07:00\": cannot parse \"yesterday\" as \"2006\"", path: "/in/1/a~0~1b/when"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			v, err := wire.JSON[thing](respond(t, answer(200, tt.mediaType, tt.body)))
			if err == nil {
				if v == nil || v.V != tt.want {
					t.Fatalf("read %+v, want %q", v, tt.want)
				}
				return
			}
			var decode *wire.DecodeError
			if v != nil || !errors.As(err, &decode) || decode.Status != 200 || decode.Path != tt.path {
				t.Fatalf("read %+v, %#v", v, err)
			}
			got := strings.Replace(err.Error(), base64Prefix, "", 1)
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("error (-want +got):\n%s", diff)
			}
			if tt.is != nil && !errors.Is(err, tt.is) {
				t.Errorf("%v is not %v", err, tt.is)
			}
			if errors.Is(err, io.EOF) {
				t.Error("it is io.EOF")
			}
		})
	}
}

// base64Prefix is what encoding/json says before the fault of a base64 text, from Go 1.27 on.
const base64Prefix = "json: cannot unmarshal string into Go struct field thing.raw of type []uint8: "

// C113: any JSON value at the top; null only where the type can hold it.
func TestJSONValue(t *testing.T) {
	t.Parallel()
	check := func(name string, got any, err error, want any) {
		t.Helper()
		if err != nil || !cmp.Equal(got, want) {
			t.Errorf("%s: %v, %v; want %v", name, got, err, want)
		}
	}
	read := func(body string) *wire.Response { return respond(t, answer(200, "application/json", body)) }
	list, err := wire.JSONValue[[][]string](read(`[["a"],[]]`))
	check("list", list, err, [][]string{{"a"}, {}})
	text, err := wire.JSONValue[string](read(`"a"`))
	check("string", text, err, "a")
	number, err := wire.JSONValue[json.Number](read(`12345678901234567890.10`))
	check("number", number, err, json.Number("12345678901234567890.10"))
	flag, err := wire.JSONValue[bool](read(`false`))
	check("bool", flag, err, false)
	free, err := wire.JSONValue[json.RawMessage](read(`{"n":1e400}`))
	check("raw", string(free), err, `{"n":1e400}`)
	free, err = wire.JSONValue[json.RawMessage](read(`null`))
	check("raw null", string(free), err, `null`)
	null, err := wire.JSONValue[wire.Null[[]int]](read(`null`))
	_, there := null.Get()
	check("null", there, err, false)
	union, err := wire.JSONValue[event](read(`null`))
	check("union null", wire.IsNull(union.Raw()), err, true)
	anything, err := wire.JSONValue[any](read(`null`))
	check("any null", anything, err, nil)
	for _, body := range []string{"null", ""} {
		if v, err := wire.JSONValue[[]int](read(body)); err == nil {
			t.Errorf("list %q: %v", body, v)
		}
		if v, err := wire.JSONValue[map[string]int](read(body)); err == nil {
			t.Errorf("map %q: %v", body, v)
		}
		if v, err := wire.JSONValue[time.Time](read(body)); err == nil {
			t.Errorf("time %q: %v", body, v)
		}
	}
	if _, err := wire.JSONValue[json.RawMessage](read("")); err == nil {
		t.Error("an empty body is a value")
	}
}

// C008: a body that ends before its length is a DecodeError, one whose connection broke a TransportError; both are
// io.ErrUnexpectedEOF and carry the status.
func TestC008_CutBodies(t *testing.T) {
	t.Parallel()
	cut := func(err error) *http.Response {
		resp := answer(200, "application/json", "")
		resp.Body = io.NopCloser(io.MultiReader(strings.NewReader(`{"v":`), failing{err}))
		resp.ContentLength = 500
		return resp
	}
	_, err := wire.JSON[thing](respond(t, cut(io.ErrUnexpectedEOF)))
	var decode *wire.DecodeError
	if !errors.As(err, &decode) || decode.Status != 200 || !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("cut: %v", err)
	}
	_, err = wire.JSON[thing](respond(t, cut(syscall.ECONNRESET)))
	var transport *wire.TransportError
	if !errors.As(err, &transport) || transport.Status != 200 || transport.Stage != wire.StageBody || !transport.Wrote || transport.Refused ||
		!errors.Is(err, io.ErrUnexpectedEOF) || !errors.Is(err, syscall.ECONNRESET) {
		t.Errorf("reset: %#v", err)
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	stop := errors.New("stopped")
	r := respondIn(ctx, t, cut(stop), wire.Config{})
	cancel(stop)
	_, err = wire.JSON[thing](r)
	if !errors.As(err, &transport) || !errors.Is(err, stop) || errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("stopped by us: %v", err)
	}
}

func TestLimits(t *testing.T) {
	t.Parallel()
	long := `"` + strings.Repeat("a", 2000) + `"`
	for name, resp := range map[string]*http.Response{
		"length":   answer(200, "application/json", long),
		"chunked":  chunked(answer(200, "application/json", long)),
		"lying":    lying(answer(200, "application/json", long)),
		"gzip":     zipped(t, answer(200, "application/json", long)),
		"gzip bad": zipped(t, answer(200, "application/json", strings.Repeat("a", 2<<20))),
	} {
		r := respondIn(t.Context(), t, resp, wire.Config{Limit: 1000})
		_, err := wire.JSONValue[string](r)
		var decode *wire.DecodeError
		var limit *wire.LimitError
		if !errors.As(err, &decode) || !errors.As(err, &limit) || limit.Limit != 1000 || !strings.Contains(err.Error(), "1000") {
			t.Errorf("%s: %v", name, err)
		}
	}
	fits := `"` + strings.Repeat("a", 998) + `"`
	for name, resp := range map[string]*http.Response{
		"length": answer(200, "", fits), "chunked": chunked(answer(200, "", fits)), "gzip": zipped(t, answer(200, "", fits)),
	} {
		if v, err := wire.JSONValue[string](respondIn(t.Context(), t, resp, wire.Config{Limit: 1000})); err != nil || len(v) != 998 {
			t.Errorf("%s of the limit: %d bytes, %v", name, len(v), err)
		}
	}
}

func chunked(resp *http.Response) *http.Response {
	resp.ContentLength = -1
	return resp
}

func lying(resp *http.Response) *http.Response {
	resp.ContentLength = 1 << 60
	return resp
}

func zipped(t *testing.T, resp *http.Response) *http.Response {
	t.Helper()
	var buf bytes.Buffer
	w := gzip.NewWriter(&buf)
	if _, err := io.Copy(w, resp.Body); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	resp.Body = io.NopCloser(&buf)
	resp.ContentLength = int64(buf.Len())
	resp.Header.Set("Content-Encoding", "gzip")
	return resp
}

// C029: a compressed body that nobody asked for is decompressed, in errors too; a broken one is a DecodeError.
func TestC029_Gzip(t *testing.T) {
	t.Parallel()
	if v, err := wire.JSON[thing](respond(t, zipped(t, answer(200, "application/json", `{"v":"x"}`)))); err != nil || v.V != "x" {
		t.Errorf("gzip: %+v, %v", v, err)
	}
	err := wire.Failure[thing](respond(t, zipped(t, answer(503, "application/json", `{"v":"x"}`))))
	var payload *wire.PayloadError[thing]
	if !errors.As(err, &payload) || payload.Payload.V != "x" {
		t.Errorf("gzip failure: %v", err)
	}
	broken := map[string]*http.Response{
		"not gzip":  answer(200, "application/json", `{"v":"x"}`),
		"empty":     answer(200, "application/json", ""),
		"truncated": zipped(t, answer(200, "application/json", `{"v":"`+strings.Repeat("xyz", 100)+`"}`)),
		"br":        answer(200, "application/json", `{"v":"x"}`),
	}
	truncated, err := io.ReadAll(broken["truncated"].Body)
	if err != nil {
		t.Fatal(err)
	}
	broken["truncated"].Body = io.NopCloser(bytes.NewReader(truncated[:len(truncated)-9]))
	for name, resp := range broken {
		resp.Header.Set("Content-Encoding", "gzip")
		if name == "br" {
			resp.Header.Set("Content-Encoding", name)
		}
		var decode *wire.DecodeError
		if _, err := wire.JSON[thing](respond(t, resp)); !errors.As(err, &decode) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// C029: what is no encoding is not undone, one that nobody can undo is an error that names it.
func TestC029_ContentEncodings(t *testing.T) {
	t.Parallel()
	const text = `{"v":"x"}`
	for _, header := range [][]string{{""}, {"identity"}, {"UTF-8"}, {"none"}, {"binary"}, {"aws-chunked"}, {"identity", "utf-8, none"}} {
		resp := answer(200, "application/json", text)
		resp.Header["Content-Encoding"] = header
		if v, err := wire.JSON[thing](respond(t, resp)); err != nil || v.V != "x" {
			t.Errorf("%q: %+v, %v", header, v, err)
		}
	}
	for _, header := range [][]string{{"GZip"}, {"x-gzip"}, {"gzip, identity"}, {"aws-chunked,gzip"}, {"identity", "gzip"}} {
		resp := zipped(t, answer(200, "application/json", text))
		resp.Header["Content-Encoding"] = header
		if v, err := wire.JSON[thing](respond(t, resp)); err != nil || v.V != "x" {
			t.Errorf("%q: %+v, %v", header, v, err)
		}
	}
	for want, header := range map[string][]string{`"deflate"`: {"deflate"}, `"gzip, br"`: {"gzip", "br"}, `"zstd"`: {"utf-8, zstd"}, `"odd"`: {"odd"}} {
		resp := answer(200, "application/json", text)
		resp.Header["Content-Encoding"] = header
		if _, err := wire.JSON[thing](respond(t, resp)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", header, err)
		}
	}
}

// C029: members of gzip follow each other, padding follows the last; one that is cut is an error.
func TestC029_GzipMembers(t *testing.T) {
	t.Parallel()
	member := func(text string) string {
		data, err := io.ReadAll(zipped(t, answer(200, "", text)).Body)
		if err != nil {
			t.Fatal(err)
		}
		return string(data)
	}
	first, second := member(`{"v":`), member(`"x"}`)
	for name, tt := range map[string]struct {
		body string
		ok   bool
	}{
		"two members":   {first + second, true},
		"zeros after":   {first + second + "\x00\x00\x00", true},
		"a sign after":  {first + second + "\n", true},
		"text after":    {first + second + "<!-- 0.02 s -->", true},
		"a cut head":    {first + second[:5], false},
		"a cut body":    {first + second[:14], false},
		"a cut trailer": {first + second[:len(second)-3], false},
		"a bad sum":     {first + second[:len(second)-8] + "abcdefgh", false},
	} {
		resp := answer(200, "application/json", tt.body)
		resp.Header.Set("Content-Encoding", "gzip")
		v, err := wire.JSON[thing](respond(t, resp))
		if got := err == nil && v.V == "x"; got != tt.ok {
			t.Errorf("%s: %+v, %v", name, v, err)
		}
	}
}

func TestFailures(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		resp      *http.Response
		payload   string
		truncated bool
		body      int
		text      string
	}{
		"payload":       {resp: answer(429, "application/json", `{"v":"slow"}`), payload: "slow", body: 12, text: `status 429 Too Many Requests: {"v":"slow"}`},
		"html":          {resp: answer(502, "text/html", "<b>no</b>"), body: 9, text: "status 502 Bad Gateway: <b>no</b>"},
		"not JSON":      {resp: answer(529, "application/json", "overloaded\nsorry"), body: 16, text: "status 529: overloaded sorry"},
		"another shape": {resp: answer(400, "application/json", `{"v":1}`), body: 7, text: `status 400 Bad Request: {"v":1}`},
		"null":          {resp: answer(400, "application/json", `null`), body: 4, text: `status 400 Bad Request: null`},
		"empty":         {resp: answer(503, "", ""), text: "status 503 Service Unavailable"},
		"of the limit":  {resp: answer(500, "", strings.Repeat("x", 64<<10)), body: 64 << 10, text: "status 500 Internal Server Error: " + strings.Repeat("x", 256) + " …"},
		"too long":      {resp: answer(500, "", strings.Repeat("x", 64<<10+1)), body: 64 << 10, truncated: true, text: "status 500 Internal Server Error: " + strings.Repeat("x", 256) + " …"},
		"cut": {
			resp: &http.Response{StatusCode: http.StatusInternalServerError, Header: http.Header{}, Body: io.NopCloser(io.MultiReader(strings.NewReader(`{"v":"a"}`), failing{io.ErrUnexpectedEOF}))},
			body: 9, truncated: true, text: `status 500 Internal Server Error: {"v":"a"}`,
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			tt.resp.Header.Set("Retry-After", "7")
			err := wire.Failure[thing](respond(t, tt.resp))
			var status *wire.StatusError
			if !errors.As(err, &status) {
				t.Fatalf("%#v", err)
			}
			if status.Status != tt.resp.StatusCode || len(status.Body) != tt.body || status.Truncated != tt.truncated || status.Header.Get("Retry-After") != "7" {
				t.Errorf("status %d, %d bytes, truncated %t, %v", status.Status, len(status.Body), status.Truncated, status.Header)
			}
			var payload *wire.PayloadError[thing]
			if errors.As(err, &payload) != (tt.payload != "") || payload != nil && payload.Payload.V != tt.payload {
				t.Errorf("payload %+v, want %q", payload, tt.payload)
			}
			if diff := cmp.Diff(tt.text, err.Error()); diff != "" {
				t.Errorf("text (-want +got):\n%s", diff)
			}
		})
	}
	if err := respond(t, answer(204, "", "")).Unexpected(); err.Error() != "status 204 No Content" {
		t.Errorf("unexpected: %v", err)
	}
}

func TestOtherBodies(t *testing.T) {
	t.Parallel()
	if v, err := wire.Text(respond(t, answer(200, "text/csv", "a,b\n"))); err != nil || v != "a,b\n" {
		t.Errorf("text %q, %v", v, err)
	}
	if v, err := wire.Bytes(respond(t, answer(200, "image/png", ""))); err != nil || v == nil || len(v) != 0 {
		t.Errorf("bytes %q, %v", v, err)
	}
	if _, err := wire.NoBody(respond(t, answer(204, "application/json", ""))); err != nil {
		t.Errorf("no body: %v", err)
	}
	if v, err := wire.Example[thing](`{"v":"canned"}`); err != nil || v.V != "canned" {
		t.Errorf("example %+v, %v", v, err)
	}
	if v, err := wire.ExampleValue[[]int](`{}`); err == nil {
		t.Errorf("example of another type: %v", v)
	}
}

// C104: a download is the caller's, with what the response says of it.
func TestC104_Download(t *testing.T) {
	t.Parallel()
	resp := answer(206, "Application/PDF; a=b", "content")
	resp.Header.Set("Content-Range", "bytes 0-6/10")
	closed := &closing{Reader: strings.NewReader("content")}
	resp.Body = closed
	r := respond(t, resp)
	d, err := wire.NewDownload(r)
	if err != nil {
		t.Fatal(err)
	}
	r.Release()
	if d.Status != 206 || d.MediaType != "application/pdf" || d.Size != 7 || d.Header.Get("Content-Range") == "" || closed.times != 0 {
		t.Errorf("%+v, closed %d times", d, closed.times)
	}
	if data, err := io.ReadAll(d); err != nil || string(data) != "content" {
		t.Errorf("read %q, %v", data, err)
	}
	if err := errors.Join(d.Close(), d.Close()); err != nil || closed.times != 1 {
		t.Errorf("close: %v, %d times", err, closed.times)
	}
	if _, err := d.Read(make([]byte, 1)); err == nil || errors.Is(err, io.EOF) {
		t.Errorf("read after Close: %v", err)
	}
	resp = answer(200, "", "")
	resp.Body = io.NopCloser(io.MultiReader(strings.NewReader("abc"), failing{io.ErrUnexpectedEOF}))
	d, err = wire.NewDownload(respond(t, resp))
	if err != nil {
		t.Fatal(err)
	}
	if data, err := io.ReadAll(d); string(data) != "abc" || !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("cut: %q, %v", data, err)
	}
}

type closing struct {
	io.Reader

	times int
}

func (c *closing) Close() error {
	c.times++
	return nil
}

// Whoever keeps something for a download is told once of its end.
func TestDownloadTellsItsEnd(t *testing.T) {
	t.Parallel()
	cut := io.MultiReader(strings.NewReader("abc"), failing{io.ErrUnexpectedEOF})
	for name, tt := range map[string]struct {
		body io.Reader
		read int64
		want error
	}{
		"closed": {strings.NewReader("abcdef"), 2, nil}, "read": {strings.NewReader("abc"), 9, nil}, "cut": {cut, 9, io.ErrUnexpectedEOF},
	} {
		resp := answer(200, "", "")
		resp.Body = io.NopCloser(tt.body)
		d, err := wire.NewDownload(respond(t, chunked(resp)))
		if err != nil {
			t.Fatal(err)
		}
		var ends []error
		d.OnEnd(func(err error) { ends = append(ends, err) })
		_, _ = io.CopyN(io.Discard, d, tt.read)
		if early := len(ends); (early == 1) != (name != "closed") {
			t.Errorf("%s: told %d times before Close", name, early)
		}
		if err := errors.Join(d.Close(), d.Close()); err != nil || len(ends) != 1 || !errors.Is(ends[0], tt.want) {
			t.Errorf("%s: %v, told %v, want once %v", name, err, ends, tt.want)
		}
	}
}

// C104: 300 MiB pass without being held.
func TestC104_ABigDownloadIsNotHeld(t *testing.T) {
	const size = 300 << 20
	resp := answer(200, "application/octet-stream", "")
	resp.Body = io.NopCloser(io.LimitReader(zeros{}, size))
	d, err := wire.NewDownload(respond(t, chunked(resp)))
	if err != nil {
		t.Fatal(err)
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	n, err := io.Copy(io.Discard, d)
	runtime.ReadMemStats(&after)
	if grown := after.TotalAlloc - before.TotalAlloc; err != nil || n != size || grown > 16<<20 {
		t.Errorf("read %d bytes, %v, allocated %d", n, err, grown)
	}
}
