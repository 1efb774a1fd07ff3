package jsontext

import (
	"bytes"
	"slices"
)

// Canonical appends a valid text to out with its members sorted and no white space, so that texts that differ in nothing else are equal
// (the order and form of RFC 8785, but for numbers and strings, which stay as they were written: two texts that are not sure to mean
// the same are never taken for equal). Of members with one key all are kept, in their order.
func Canonical(out, text []byte) []byte {
	c := At(text)
	return c.canonical(out)
}

func (c *Cursor) canonical(out []byte) []byte {
	switch {
	case c.Open('{'):
		return c.canonicalObject(append(out, '{'))
	case c.Open('['):
		out = append(out, '[')
		for first := true; c.Item(); first = false {
			if !first {
				out = append(out, ',')
			}
			out = c.canonical(out)
		}
		return append(out, ']')
	default:
		return append(out, c.Skip()...)
	}
}

// canonicalObject appends the members of an object, after its brace.
func (c *Cursor) canonicalObject(out []byte) []byte {
	type member struct{ from, key, to int } // in out
	var members []member
	from := len(out)
	for key, ok := c.Member(); ok; key, ok = c.Member() {
		m := member{from: len(out)}
		out = append(append(append(out, '"'), key.written...), '"')
		m.key = len(out)
		out = c.canonical(append(out, ':'))
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
