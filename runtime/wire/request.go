package wire

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"reflect"
	"strings"
)

// Request is what an operation sends: built once, by the methods below, then never changed. Until it is settled it may be sent any number of times, at
// the same time too: every attempt sends the same bytes, unless its body is a one-shot reader (see Replayable). A mistake made
// while building is kept, and Endpoint.Send returns it before anything is sent: it is ErrRequest. Build it on one goroutine.
type Request struct {
	method   string
	path     string // escaped; {name} stands where no value was given yet
	query    string // escaped pairs, in order
	server   string
	header   []Field  // names in canonical form, each once
	few      [4]Field // what header begins with, so that most requests need no other memory
	security [][]string
	body     body
	err      error
}

// NewRequest begins a request. The path is a template as OpenAPI writes it: {name} for parameters, perhaps a fixed query after '?'.
// Its literal parts are sent as they are; what no URL may hold is percent-encoded. A fragment is never sent.
func NewRequest(method, path string) *Request {
	path, _, _ = strings.Cut(path, "#")
	path, query, _ := strings.Cut(path, "?")
	if !strings.HasPrefix(path, "/") {
		path = "/" + path
	}
	r := &Request{method: method, path: escapeTemplate(path), query: escape(query, inQuery, true)}
	r.header = r.few[:0]
	return r
}

// escapeTemplate escapes the literal parts of a path template and leaves {names} alone.
func escapeTemplate(path string) string {
	var b strings.Builder
	for {
		literal, rest, found := strings.Cut(path, "{")
		name, after, closed := strings.Cut(rest, "}")
		if !found || !closed {
			if b.Len() == 0 {
				return escape(path, inPath, true)
			}
			b.WriteString(escape(path, inPath, true))
			return b.String()
		}
		b.WriteString(escape(literal, inPath, true))
		b.WriteString("{" + name + "}")
		path = after
	}
}

// Fail keeps an error for Endpoint.Send to return; the first one counts. It returns r.
func (r *Request) Fail(err error) *Request {
	if r.err == nil && err != nil {
		r.err = requestError(err)
	}
	return r
}

func (r *Request) failParam(place, name string, err error) {
	if err != nil {
		r.Fail(fmt.Errorf("%s parameter %q: %w", place, name, err))
	}
}

// Err returns what is wrong with the request: a mistake made while building, or a path parameter without a value. It is ErrRequest.
func (r *Request) Err() error {
	if r.err == nil && strings.Contains(r.path, "{") {
		_, rest, _ := strings.Cut(r.path, "{")
		name, _, _ := strings.Cut(rest, "}")
		return requestError(fmt.Errorf("path parameter %q: %w", name, errNoValue))
	}
	return r.err
}

// Replayable reports whether the body can be sent more than once. Only a body that was given as a plain io.Reader cannot.
func (r *Request) Replayable() bool { return !r.body.once }

// errSettled is a request that was sent after Settle.
var errSettled = requestError(errors.New("it was settled: its call has ended, and nothing of it is left"))

// Settle says that the request is sent no more: it gives back the memory of its body for those that come, where it is known that nobody can read that
// any more. Sending it then is ErrRequest. Whoever settles a request was the only one that had it: nobody sends it, or looks into it, at that
// time or later.
func (r *Request) Settle() { r.settle() }

// settle reports whether the memory will be used again. Where it will not, a transport may be reading the body.
func (r *Request) settle() (again bool) {
	r.err = errSettled
	if lent := r.body.lent; lent == nil || !lent.Free() {
		return false
	}
	r.body = body{}
	return true
}

// Method returns the HTTP method.
func (r *Request) Method() string { return r.method }

var (
	errNoValue = errors.New("it has no value, and an empty one would be another route")
	errDots    = errors.New(`"." and ".." as a path segment would be another route`)
	errNoPlace = errors.New("the path has no place for it")
)

// Path fills {name}. A value that would change the route is an error: an empty one, and the segments "." and "..".
func (r *Request) Path(name string, style Style, value any) {
	if style.base() == JSONStyle {
		if data, ok := r.jsonText("path", name, value); ok {
			value, style = data, Simple|style&AllowReserved
		} else {
			value = nil // which is refused below
		}
	}
	n, err := nodeOf(value)
	if err == nil && (n.kind == nothing || n.kind == scalar && n.text == "" || n.kind != scalar && len(n.list) == 0) {
		err = errNoValue
	}
	if err != nil {
		r.failParam("path", name, err)
		return
	}
	text, err := n.inPath(name, style.or(Simple))
	if err == nil && text == "" {
		err = errNoValue // a list of one empty text
	}
	if err != nil {
		r.failParam("path", name, err)
		return
	}
	place := "{" + name + "}"
	if !strings.Contains(r.path, place) {
		r.failParam("path", name, errNoPlace)
	}
	for at := strings.Index(r.path, place); at >= 0; at = strings.Index(r.path, place) {
		r.path = r.path[:at] + text + r.path[at+len(place):]
		if changesRoute(r.path, at, at+len(text)) {
			r.failParam("path", name, errDots)
		}
	}
}

func (n node) inPath(name string, style Style) (string, error) {
	esc := escaper(style)
	switch style.base() {
	case Simple:
		return n.simple(style, esc)
	case Label:
		return n.label(style, esc)
	case Matrix:
		return n.matrix(name, style, esc)
	default:
		return "", errStyle
	}
}

// changesRoute reports whether a segment that path[from:to] takes part in is "." or "..", which proxies and servers remove (RFC 3986,
// section 5.2.4), also when they are percent-encoded.
func changesRoute(path string, from, to int) bool {
	from = strings.LastIndexByte(path[:from], '/') + 1
	if end := strings.IndexByte(path[to:], '/'); end >= 0 {
		to += end
	} else {
		to = len(path)
	}
	for segment := range strings.SplitSeq(path[from:to], "/") {
		switch strings.ReplaceAll(strings.ToUpper(segment), "%2E", ".") {
		case ".", "..":
			return true
		}
	}
	return false
}

// escaper returns how a value in a path or a query is escaped.
func escaper(style Style) func(string) string {
	if style&AllowReserved != 0 {
		return func(s string) string { return escape(s, inReserved, true) }
	}
	return func(s string) string { return escape(s, inValue, false) }
}

// Query adds a query parameter, after those that were added before. An absent value, and an empty list, are not sent. One in JSONStyle
// without a name is the query itself.
func (r *Request) Query(name string, style Style, value any) {
	esc := escaper(style)
	if style.base() == JSONStyle {
		data, ok := r.jsonText("query", name, value)
		switch {
		case ok && name == "":
			r.addQuery(esc(data))
		case ok:
			r.addQuery(esc(name) + "=" + esc(data))
		}
		return
	}
	n, err := nodeOf(value)
	if err != nil || n.kind == nothing {
		r.failParam("query", name, err)
		return
	}
	pairs, err := n.pairs(name, style.or(Form), esc)
	r.failParam("query", name, err)
	for _, p := range pairs {
		r.addQuery(p)
	}
}

func (r *Request) addQuery(pair string) { r.query = joinQuery(r.query, pair) }

func joinQuery(a, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	return a + "&" + b
}

// jsonText returns the JSON text of a parameter's value; false if there is nothing to send.
func (r *Request) jsonText(place, name string, value any) (string, bool) {
	if isAbsent(value) {
		return "", false
	}
	data, err := Marshal(value)
	r.failParam(place, name, err)
	return string(data), err == nil
}

// Header sets a header. Its value is sent as it is, not percent-encoded; control characters in it are an error.
func (r *Request) Header(name string, style Style, value any) {
	var text string
	if style.base() == JSONStyle {
		data, ok := r.jsonText("header", name, value)
		if !ok {
			return
		}
		text = data
	} else {
		n, err := nodeOf(value)
		if err != nil || n.kind == nothing || n.kind != scalar && len(n.list) == 0 {
			r.failParam("header", name, err)
			return
		}
		text, err = n.simple(style.or(Simple), func(s string) string { return s })
		r.failParam("header", name, err)
	}
	r.setHeader(name, text)
	r.failParam("header", name, checkHeader(name, text))
}

// setHeader sets a header field, in place of one with the same name.
func (r *Request) setHeader(name, value string) { *r.headerField(name) = value }

// headerField returns where the value of a header field is, which is there from then on.
func (r *Request) headerField(name string) *string {
	name = http.CanonicalHeaderKey(name)
	for i := range r.header {
		if r.header[i].Name == name {
			return &r.header[i].Value
		}
	}
	r.header = append(r.header, Field{Name: name})
	return &r.header[len(r.header)-1].Value
}

// HeaderValue returns what the request's own header holds under a name; empty where it holds nothing.
func (r *Request) HeaderValue(name string) string {
	name = http.CanonicalHeaderKey(name)
	for i := range r.header {
		if r.header[i].Name == name {
			return r.header[i].Value
		}
	}
	return ""
}

// Cookie adds a cookie. What a cookie may not hold (RFC 6265, section 4.1.1) is percent-encoded.
func (r *Request) Cookie(name string, style Style, value any) {
	esc := func(s string) string { return escape(s, inCookie, false) }
	var pairs []string
	if style.base() == JSONStyle {
		if data, ok := r.jsonText("cookie", name, value); ok {
			pairs = []string{esc(name) + "=" + esc(data)}
		}
	} else {
		n, err := nodeOf(value)
		if err == nil && n.kind != nothing {
			pairs, err = n.pairs(name, style.or(Form), esc)
		}
		r.failParam("cookie", name, err)
	}
	for _, p := range pairs {
		at := r.headerField("Cookie")
		*at = joinCookies(*at, p)
	}
}

func joinCookies(a, b string) string {
	if a == "" {
		return b
	}
	return a + "; " + b
}

// Accept says which media types the operation can read, best first.
func (r *Request) Accept(mediaTypes ...string) {
	if len(mediaTypes) > 0 {
		r.setHeader("Accept", strings.Join(mediaTypes, ", "))
	}
}

// Security names alternatives of security schemes; within one, all are needed. The first whose credentials are all wired is used. An
// empty alternative needs none. Where none is complete, the request goes out without credentials: a proxy may add them.
func (r *Request) Security(alternatives ...[]string) { r.security = alternatives }

// Server gives the operation a base URL of its own, for targets whose base URL no option gave.
func (r *Request) Server(url string) { r.server = url }

// isAbsent reports whether v is nothing to send: nil, a nil pointer, an Opt that is not set, a union or a RawMessage without JSON.
func isAbsent(v any) bool {
	r := reflect.ValueOf(v)
	if !r.IsValid() || r.Kind() == reflect.Pointer && r.IsNil() {
		return true
	}
	if _, state, known := optionalOf(r); known {
		return state == absent
	}
	switch v := v.(type) {
	case json.RawMessage:
		return len(v) == 0
	case interface{ Raw() json.RawMessage }:
		return r.IsZero() // one of a value that cannot be encoded has no JSON either, and an error
	}
	return false
}
