package play

import (
	"maps"
	"net/url"
	"slices"
	"strings"
)

// match is an operation that an exchange may be a call of, with the texts of its path parameters as they travel.
type match struct {
	op   *Operation
	path map[string]string
	// fits is how well it fits: literal text of the path weighs most, then what the query, the headers and the body say.
	fits int
}

// find returns the operations that a request can be a call of, the one that fits best first.
func (t *Table) find(e *Exchange) []match {
	path := e.Path
	if t.Prefix != "" {
		rest, ok := strings.CutPrefix(path, t.Prefix)
		if !ok {
			return nil
		}
		if path = rest; path == "" {
			path = "/"
		}
	}
	var all []match
	for i := range t.Operations {
		op := &t.Operations[i]
		if op.Method != e.Method {
			continue
		}
		template, fixed, _ := strings.Cut(op.Path, "?")
		values, literal, ok := matchPath(template, path)
		if ok && hasFixed(fixed, e.Query) {
			all = append(all, match{op: op, path: values, fits: 100*literal + op.fits(e)})
		}
	}
	slices.SortStableFunc(all, func(a, b match) int { return b.fits - a.fits })
	return all
}

// hasFixed reports whether a query has the fixed values of a path's template.
func hasFixed(fixed string, query map[string][]string) bool {
	want, err := url.ParseQuery(fixed)
	if err != nil {
		return false
	}
	for name, values := range want {
		if !slices.Equal(query[name], values) {
			return false
		}
	}
	return true
}

// fixed are the names in the query of the operation's path.
func (op *Operation) fixed() []string {
	_, text, _ := strings.Cut(op.Path, "?")
	query, err := url.ParseQuery(text)
	if err != nil {
		return nil
	}
	return slices.Collect(maps.Keys(query))
}

// fits counts what of a request the operation has a place for.
func (op *Operation) fits(e *Exchange) int {
	n := 0
	for i := range op.Params {
		p := &op.Params[i]
		if p.In == "query" && len(e.Query[p.Name]) > 0 || p.In == "header" && len(e.headers(p.Name)) > 0 {
			n++
		}
	}
	if accept := e.headers("accept"); len(accept) > 0 && slices.Contains(op.Accept, accept[0]) {
		if n++; len(op.Accept) == 1 {
			n++
		}
	}
	if (op.Body != nil) == (e.Body != nil) {
		n++
	}
	if op.Body != nil && e.Body != nil && strings.HasPrefix(e.Body.ContentType, op.Body.MediaType) {
		n++
	}
	return n
}

// headers returns the values of a header by its name, in any case.
func (e *Exchange) headers(name string) []string {
	for key, values := range e.Header {
		if strings.EqualFold(key, name) {
			return values
		}
	}
	return nil
}

// matchPath holds a path against a template and returns what stands for its parameters, and how much literal text there was. A
// parameter takes as little as the rest allows.
func matchPath(template, path string) (values map[string]string, literal int, ok bool) {
	before, rest, found := strings.Cut(template, "{")
	if !strings.HasPrefix(path, before) {
		return nil, 0, false
	}
	path = path[len(before):]
	if !found {
		return map[string]string{}, len(before), path == ""
	}
	name, rest, _ := strings.Cut(rest, "}")
	for end := 0; end <= len(path); end++ {
		if end == 0 && len(path) > 0 {
			continue // an empty parameter only at the end of the path
		}
		if values, literal, ok = matchPath(rest, path[end:]); ok {
			values[name] = path[:end]
			return values, literal + len(before), true
		}
	}
	return nil, 0, false
}
