package runtimetest

import (
	"fmt"
	"mime"
	"net/http"
	"net/url"
	"regexp"
	"strings"
)

// route tells the requests of an operation.
type route struct {
	op *ServerOperation
	// path matches an escaped path; names are its parameters, one for each group.
	path  *regexp.Regexp
	names []string
	query url.Values
	// fixed is how much of the path is not a parameter: of two templates that match, the one with more of it is meant.
	fixed int
}

var placeholder = regexp.MustCompile(`\{[^{}]*\}`)

// newRoute reads a template.
func newRoute(op *ServerOperation) (route, error) {
	r := route{op: op}
	path, query, _ := strings.Cut(op.Path, "?")
	var err error
	if r.query, err = url.ParseQuery(query); err != nil {
		return r, fmt.Errorf("query of the path: %w", err)
	}
	var pattern strings.Builder
	at := 0
	for _, span := range placeholder.FindAllStringIndex(path, -1) {
		r.addFixed(&pattern, path[at:span[0]])
		r.names = append(r.names, path[span[0]+1:span[1]-1])
		pattern.WriteString(`(.+?)`)
		at = span[1]
	}
	r.addFixed(&pattern, path[at:])
	r.path, err = regexp.Compile("^" + pattern.String() + "$")
	if err != nil {
		return r, fmt.Errorf("path: %w", err)
	}
	return r, nil
}

func (r *route) addFixed(pattern *strings.Builder, text string) {
	r.fixed += len(text)
	pattern.WriteString(regexp.QuoteMeta((&url.URL{Path: text}).EscapedPath()))
}

// match returns the path's parameters, and how well a request matches; -1 is not at all.
func (r *route) match(req *http.Request, path string) (params map[string]string, quality int) {
	if req.Method != r.op.Method {
		return nil, -1
	}
	found := r.path.FindStringSubmatch(path)
	if found == nil {
		return nil, -1
	}
	given := req.URL.Query()
	for name, values := range r.query {
		if len(values) > 0 && given.Get(name) != values[0] {
			return nil, -1
		}
	}
	params = make(map[string]string, len(r.names))
	for i, name := range r.names {
		value := found[i+1]
		if plain, err := url.PathUnescape(value); err == nil {
			value = plain
		}
		params[name] = value
	}
	// What a parameter takes must not hold a slash where another template has it fixed; the media types only break ties.
	const byMedia = 4
	quality = (2*r.fixed - strings.Count(strings.Join(found[1:], ""), "/") + len(r.query)) * byMedia
	if r.op.Accept == req.Header.Get("Accept") {
		quality += 2
	}
	if r.op.Body != nil && mediaBase(r.op.Body.MediaType) == mediaBase(req.Header.Get("Content-Type")) {
		quality++
	}
	return params, max(quality, 0)
}

// find returns the operation of a request; nil for none.
func (s *Server) find(req *http.Request) (op *ServerOperation, params map[string]string) {
	best := -1
	path := req.URL.EscapedPath()
	for _, p := range []string{path, strings.TrimPrefix(path, s.api.BasePath)} {
		for i := range s.routes {
			if found, quality := s.routes[i].match(req, p); quality > best {
				op, params, best = s.routes[i].op, found, quality
			}
		}
		if op != nil {
			break
		}
	}
	return op, params
}

// mediaBase is a media type without its parameters.
func mediaBase(text string) string {
	base, _, err := mime.ParseMediaType(text)
	if err != nil {
		base, _, _ = strings.Cut(strings.ToLower(text), ";")
	}
	return strings.TrimSpace(base)
}
