package jsontext

import "strings"

// Steps returns the tokens of a JSON pointer, for Each. The token `*` stands for every item of a list and every member of an object.
func Steps(pointer string) []string {
	rest, isPointer := strings.CutPrefix(pointer, "/")
	if !isPointer {
		return nil
	}
	steps := strings.Split(rest, "/")
	for i := range steps {
		steps[i] = unescapeToken(steps[i])
	}
	return steps
}

// Each calls found with each value that steps lead to, as it was written, in the order of the text. Below a `*` it is called with nil where
// an item lacks what the steps ask for. It returns false where the structure is broken.
func Each(text []byte, steps []string, found func(value []byte)) bool {
	c := At(text)
	c.each(steps, false, found)
	return c.OK()
}

// each passes over the value. below says that a `*` led here.
func (c *Cursor) each(steps []string, below bool, found func(value []byte)) {
	if len(steps) == 0 {
		found(c.Skip())
		return
	}
	step, rest := steps[0], steps[1:]
	if step != "*" {
		value, ok := c.step(step)
		switch {
		case ok:
			inner := Cursor{text: value}
			inner.each(rest, below, found)
			c.bad = c.bad || inner.bad
		case below && !c.bad:
			found(nil)
		}
		return
	}
	switch {
	case c.Open('['):
		for c.Item() {
			c.each(rest, true, found)
		}
	case c.Open('{'):
		for _, ok := c.Member(); ok; _, ok = c.Member() {
			c.each(rest, true, found)
		}
	default:
		if c.Skip(); below && !c.bad {
			found(nil)
		}
	}
}

// step passes over the value, and returns its member or item of that name.
func (c *Cursor) step(token string) ([]byte, bool) {
	value := c.Skip()
	if c.bad {
		return nil, false
	}
	inner := Cursor{text: value}
	return inner.child(token)
}

// Count returns how many items a list has; false if the text is none.
func Count(text []byte) (int, bool) {
	c := At(text)
	if !c.Open('[') {
		return 0, false
	}
	n := 0
	for c.Item() {
		c.Skip()
		n++
	}
	return n, c.OK()
}
