package wire

import (
	"bytes"
	"encoding/json"
	"slices"
	"strconv"
	"strings"
)

// jsonText reads a valid JSON text, value by value, without decoding it: numbers and strings stay as they were written. The text is
// known to be valid: what calls it has made it, or has asked json.Valid.
type jsonText struct {
	data []byte
	at   int
}

// space passes over white space.
func (t *jsonText) space() {
	for t.at < len(t.data) && strings.IndexByte(" \t\r\n", t.data[t.at]) >= 0 {
		t.at++
	}
}

// begins reports whether the next sign is c, and passes over it.
func (t *jsonText) begins(c byte) bool {
	t.space()
	if t.at < len(t.data) && t.data[t.at] == c {
		t.at++
		return true
	}
	return false
}

// scalar passes over a string, a number or a literal, and returns it as it was written.
func (t *jsonText) scalar() []byte {
	t.space()
	from := t.at
	if t.begins('"') {
		for t.at < len(t.data) && t.data[t.at] != '"' {
			if t.data[t.at] == '\\' {
				t.at++
			}
			t.at++
		}
		t.at = min(t.at+1, len(t.data))
		return t.data[from:t.at]
	}
	for t.at < len(t.data) && strings.IndexByte(",]} \t\r\n", t.data[t.at]) < 0 {
		t.at++
	}
	return t.data[from:t.at]
}

// skip passes over a value, and returns it as it was written.
func (t *jsonText) skip() []byte {
	t.space()
	from := t.at
	for depth := 0; t.at < len(t.data); {
		switch {
		case t.begins('{'), t.begins('['):
			depth++
		case t.begins('}'), t.begins(']'):
			depth--
		case t.begins(','), t.begins(':'):
		default:
			t.scalar()
		}
		if depth == 0 {
			break
		}
	}
	return t.data[from:t.at]
}

// canonical appends the value to out with its members sorted and no white space, so that texts that differ in nothing else are equal
// (the order and form of RFC 8785, but for numbers and strings, which stay as they were written: two texts that are not sure to mean
// the same are never taken for equal). Of members with one key all are kept, in their order.
func (t *jsonText) canonical(out []byte) []byte {
	switch {
	case t.begins('{'):
		return t.canonicalObject(append(out, '{'))
	case t.begins('['):
		out = append(out, '[')
		for first := true; !t.begins(']') && t.at < len(t.data); first = false {
			if !first {
				t.begins(',')
				out = append(out, ',')
			}
			out = t.canonical(out)
		}
		return append(out, ']')
	default:
		return append(out, t.scalar()...)
	}
}

// canonicalObject appends the members of an object, after its brace.
func (t *jsonText) canonicalObject(out []byte) []byte {
	type member struct{ from, key, to int } // in out
	var members []member
	from := len(out)
	for !t.begins('}') && t.at < len(t.data) {
		t.begins(',')
		m := member{from: len(out)}
		out = append(out, t.scalar()...)
		m.key = len(out)
		t.begins(':')
		out = t.canonical(append(out, ':'))
		m.to = len(out)
		out = append(out, ',')
		members = append(members, m)
	}
	if len(members) == 0 {
		return append(out, '}')
	}
	byKey := func(a, b member) int { return bytes.Compare(out[a.from:a.key], out[b.from:b.key]) }
	if !slices.IsSortedFunc(members, byKey) {
		slices.SortStableFunc(members, byKey)
		sorted := make([]byte, 0, len(out)-from)
		for _, m := range members {
			sorted = append(append(sorted, out[m.from:m.to]...), ',')
		}
		copy(out[from:], sorted)
	}
	out[len(out)-1] = '}' // in place of the last comma
	return out
}

// find goes to the value at a JSON pointer (RFC 6901) and returns it as it was written; false if there is none. Of members with one
// key the last counts, as with encoding/json.
func (t *jsonText) find(pointer string) ([]byte, bool) {
	if pointer == "" {
		return t.skip(), true
	}
	first, rest, more := strings.Cut(strings.TrimPrefix(pointer, "/"), "/")
	if more {
		rest = "/" + rest
	}
	token := pointerUnescaper.Replace(first)
	var value []byte
	found := false
	switch {
	case pointer[0] != '/':
	case t.begins('{'):
		for !t.begins('}') && t.at < len(t.data) {
			t.begins(',')
			key := t.scalar()
			t.begins(':')
			if inner := t.skip(); isKey(key, token) {
				value, found = inner, true
			}
		}
	case t.begins('['):
		for i := 0; !t.begins(']') && t.at < len(t.data); i++ {
			t.begins(',')
			if inner := t.skip(); strconv.Itoa(i) == token {
				value, found = inner, true
			}
		}
	}
	if !found {
		return nil, false
	}
	return (&jsonText{data: value}).find(rest)
}

// isKey reports whether a key, as it was written, is that text.
func isKey(written []byte, text string) bool {
	if !bytes.ContainsRune(written, '\\') {
		return len(written) >= 2 && string(written[1:len(written)-1]) == text
	}
	var key string
	return json.Unmarshal(written, &key) == nil && key == text
}
