package policy

import (
	"bytes"
	"slices"
	"strings"

	"github.com/resgen-go/resgen/runtime/internal/jsontext"
)

// spot is where something is looked for in an item: in one of the members that were asked for, and from there on by a pointer.
type spot struct {
	root  int // the index of the member; -1 is the name of the event
	rest  string
	stars bool // there is a `*` in rest
}

// spots gathers the members of an item that spots begin in.
type spots struct{ roots []string }

// root returns the index of a member.
func (p *spots) root(name string) int {
	if i := slices.Index(p.roots, name); i >= 0 {
		return i
	}
	p.roots = append(p.roots, name)
	return len(p.roots) - 1
}

// of returns the place that a pointer leads to, or ItemEvent.
func (p *spots) of(pointer string) spot {
	if pointer == ItemEvent {
		return spot{root: -1}
	}
	token, _, _ := strings.Cut(strings.TrimPrefix(pointer, "/"), "/")
	rest := strings.TrimPrefix(strings.TrimPrefix(pointer, "/"), token)
	return spot{root: p.root(unescapeToken(token)), rest: rest, stars: hasStar(rest)}
}

// unescapeToken returns what a token of a pointer means.
func unescapeToken(token string) string {
	return strings.ReplaceAll(strings.ReplaceAll(token, "~1", "/"), "~0", "~")
}

func hasStar(pointer string) bool {
	return strings.HasSuffix(pointer, "/*") || strings.Contains(pointer, "/*/")
}

// isOneOf reports whether one of the values stands there; without values, anything but null.
func (p spot) isOneOf(it *StreamItem, values []string) bool {
	if p.root < 0 {
		return len(it.Event) > 0 && (len(values) == 0 || slices.ContainsFunc(values, func(v string) bool { return v == string(it.Event) }))
	}
	return find(it.Roots[p.root], p.rest, p.stars, func(raw []byte) bool { return isOneOf(raw, values) })
}

// hasSubstance reports whether anything stands there that is not empty.
func (p spot) hasSubstance(it *StreamItem) bool {
	if p.root < 0 {
		return len(it.Event) > 0
	}
	return find(it.Roots[p.root], p.rest, p.stars, func(raw []byte) bool { return hasSubstance(raw, 0) })
}

// text returns the text that stands there.
func (p spot) text(it *StreamItem) []byte {
	if p.root < 0 {
		return it.Event
	}
	raw := it.Roots[p.root]
	if raw == nil {
		return nil
	}
	if p.rest != "" {
		raw, _ = jsontext.Find(raw, p.rest)
	}
	return wordOf(raw)
}

// find reports whether f holds for a value that the pointer leads to.
func find(raw []byte, pointer string, stars bool, f func(raw []byte) bool) bool {
	switch {
	case raw == nil:
		return false
	case pointer == "":
		return f(raw)
	case !stars:
		value, ok := jsontext.Find(raw, pointer)
		return ok && f(value)
	}
	end := strings.IndexByte(pointer[1:], '/') + 1
	if end == 0 {
		end = len(pointer)
	}
	token, rest := pointer[:end], pointer[end:]
	if token != "/*" {
		value, ok := jsontext.Find(raw, token)
		return ok && find(value, rest, hasStar(rest), f)
	}
	found := false
	c := jsontext.At(raw)
	switch {
	case c.Open('['):
		for !found && c.Item() {
			found = find(c.Skip(), rest, hasStar(rest), f)
		}
	case c.Open('{'):
		for _, ok := c.Member(); ok && !found; _, ok = c.Member() {
			found = find(c.Skip(), rest, hasStar(rest), f)
		}
	}
	return found
}

// wordOf returns the text of a scalar, without a copy where it is written as it is meant; nil for null, an object or an array.
func wordOf(raw []byte) []byte {
	raw = jsontext.Trim(raw)
	if n := len(raw); n > 1 && raw[0] == '"' && raw[n-1] == '"' && bytes.IndexByte(raw[1:n-1], '\\') < 0 {
		return raw[1 : n-1]
	}
	text, ok := jsontext.Text(raw)
	if !ok || text == "" {
		return nil
	}
	return []byte(text)
}

// isOneOf reports whether a value is one of the texts; without texts, whether it is anything but null.
func isOneOf(raw []byte, values []string) bool {
	if len(values) == 0 {
		return raw != nil && !jsontext.IsNull(raw)
	}
	text := wordOf(raw)
	return text != nil && slices.ContainsFunc(values, func(v string) bool { return v == string(text) })
}

// deepest is how deep content is looked for; what lies deeper is some.
const deepest = 8

// hasSubstance reports whether a value says anything: no null, empty text or false, and no list or object of such values alone.
func hasSubstance(raw []byte, depth int) bool {
	c := jsontext.At(raw)
	return c.Says(deepest - depth)
}

// hasMember reports whether an object has a member that says anything, beside one.
func hasMember(raw []byte, beside string, depth int) bool {
	c := jsontext.At(raw)
	if !c.Open('{') {
		return hasSubstance(raw, depth)
	}
	for key, ok := c.Member(); ok; key, ok = c.Member() {
		if key.Is(beside) {
			c.Skip()
			continue
		}
		if c.Says(deepest - depth - 1) {
			return true
		}
	}
	return false
}
