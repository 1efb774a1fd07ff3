package wire

import (
	"errors"
	"strconv"
	"strings"
)

// Style says how a parameter's value becomes text (OpenAPI 3.1, section 4.8.12.3): one of the constants Simple to TabDelimited,
// combined by | with Explode and AllowReserved. The zero value is the default of the place: Simple for paths and headers, Form
// for queries, cookies and form bodies, exploded where OpenAPI says so.
type Style uint8

// The styles, after RFC 6570 where it has them: Simple {v}, Label {.v}, Matrix {;v}, Form {?v}.
const (
	// Simple is for paths and headers: blue,black.
	Simple Style = iota + 1
	// Label is for paths: .blue,black.
	Label
	// Matrix is for paths: ;color=blue,black.
	Matrix
	// Form is for queries, cookies and forms: color=blue,black.
	Form
	// SpaceDelimited is for lists in queries: color=blue%20black.
	SpaceDelimited
	// PipeDelimited is for lists in queries: color=blue%7Cblack.
	PipeDelimited
	// DeepObject is for objects in queries: color[R]=100. Objects in objects nest, color[a][b]=1, and lists are numbered,
	// color[l][0]=v. OpenAPI leaves both open; this is what most servers that take such names read.
	DeepObject
	// JSONStyle is for parameters with content application/json: one JSON document.
	JSONStyle
	// TabDelimited is for lists in queries, color=blue%09black: collectionFormat tsv of OpenAPI 2.0.
	TabDelimited

	// Explode gives each item or member a pair of its own.
	Explode Style = 1 << 6
	// AllowReserved leaves reserved characters in queries and paths as they are, save those that would end the query or begin
	// another parameter (# & + and brackets). What is percent-encoded already stays.
	AllowReserved Style = 1 << 7

	styleMask = Explode - 1
)

func (s Style) base() Style   { return s & styleMask }
func (s Style) explode() bool { return s&Explode != 0 }

// or returns s, or fallback with s's flags where s names no style.
func (s Style) or(fallback Style) Style {
	if s.base() == 0 {
		return s | fallback
	}
	return s
}

var (
	errNested = errors.New("lists and objects inside it can be sent in style deepObject or as JSON only")
	errStyle  = errors.New("the style cannot be used here")
)

// texts returns the escaped texts of a list's items, or of an object's keys and values in turn.
func (n node) texts(esc func(string) string) ([]string, error) {
	if n.kind == scalar {
		return []string{esc(n.text)}, nil
	}
	all := make([]string, 0, len(n.keys)+len(n.list))
	for i, item := range n.list {
		if item.kind != scalar {
			return nil, errNested
		}
		if n.kind == object {
			all = append(all, esc(n.keys[i]))
		}
		all = append(all, esc(item.text))
	}
	return all, nil
}

// members returns an object as key=value texts, and anything else as texts does.
func (n node) members(esc func(string) string, empty string) ([]string, error) {
	all, err := n.texts(esc)
	if err != nil || n.kind != object {
		return all, err
	}
	pairs := make([]string, 0, len(all)/2)
	for i := 0; i < len(all); i += 2 {
		pairs = append(pairs, pair(all[i], all[i+1], empty))
	}
	return pairs, nil
}

// pair joins a name and a value; empty stands between them where there is no value.
func pair(name, value, empty string) string {
	if value == "" {
		return name + empty
	}
	return name + "=" + value
}

// simple expands in style Simple.
func (n node) simple(s Style, esc func(string) string) (string, error) {
	if s.explode() {
		all, err := n.members(esc, "=")
		return strings.Join(all, ","), err
	}
	all, err := n.texts(esc)
	return strings.Join(all, ","), err
}

// label expands in style Label.
func (n node) label(s Style, esc func(string) string) (string, error) {
	if s.explode() {
		all, err := n.members(esc, "=")
		return "." + strings.Join(all, "."), err
	}
	all, err := n.texts(esc)
	return "." + strings.Join(all, ","), err
}

// matrix expands in style Matrix: an empty value has no equals sign (RFC 6570, section 3.2.7).
func (n node) matrix(name string, s Style, esc func(string) string) (string, error) {
	name = esc(name)
	if !s.explode() || n.kind == scalar {
		all, err := n.texts(esc)
		return ";" + pair(name, strings.Join(all, ","), ""), err
	}
	all, err := n.members(esc, "")
	if n.kind == list {
		for i, item := range all {
			all[i] = pair(name, item, "")
		}
	}
	return ";" + strings.Join(all, ";"), err
}

// form expands into pairs of name and value, joined by sep. An empty list or object is not sent. A list in an exploded object is
// exploded too, which OpenAPI leaves open.
func (n node) form(name string, s Style, esc func(string) string, delimiter string) ([]string, error) {
	if n.kind != scalar && len(n.list) == 0 {
		return nil, nil
	}
	if !s.explode() || n.kind == scalar {
		all, err := n.texts(esc)
		return []string{esc(name) + "=" + strings.Join(all, delimiter)}, err
	}
	if n.kind == list {
		all, err := n.texts(esc)
		for i, item := range all {
			all[i] = esc(name) + "=" + item
		}
		return all, err
	}
	all := make([]string, 0, len(n.list))
	for i, item := range n.list {
		if item.kind == object {
			return nil, errNested
		}
		pairs, err := item.form(n.keys[i], s, esc, delimiter)
		if err != nil {
			return nil, err
		}
		all = append(all, pairs...)
	}
	return all, nil
}

// deep expands in style DeepObject into pairs. The brackets are percent-encoded, as RFC 3986 asks in a query.
func (n node) deep(name string, esc func(string) string, pairs []string) []string {
	switch n.kind {
	case scalar:
		return append(pairs, esc(name)+"="+esc(n.text))
	case object:
		for i, item := range n.list {
			pairs = item.deep(name+"["+n.keys[i]+"]", esc, pairs)
		}
	case list:
		for i, item := range n.list {
			pairs = item.deep(name+"["+strconv.Itoa(i)+"]", esc, pairs)
		}
	case nothing:
	}
	return pairs
}

// pairs expands a query parameter, a cookie or a member of a form into name=value texts.
func (n node) pairs(name string, s Style, esc func(string) string) ([]string, error) {
	switch s.base() {
	case Form:
		return n.form(name, s, esc, ",")
	case SpaceDelimited:
		return n.form(name, s, esc, esc(" "))
	case PipeDelimited:
		return n.form(name, s, esc, esc("|"))
	case TabDelimited:
		return n.form(name, s, esc, esc("\t"))
	case DeepObject:
		return n.deep(name, esc, nil), nil
	default:
		return nil, errStyle
	}
}
