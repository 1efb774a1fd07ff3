package jsontext

import (
	"strconv"
	"strings"
)

// Find returns the value at a JSON pointer (RFC 6901) into a text, as it was written, and whether there is one; null is one. Of members
// with one key the last counts, as with encoding/json. A text whose structure is broken on the way has none.
func Find(text []byte, pointer string) ([]byte, bool) {
	c := At(text)
	for pointer != "" {
		if pointer[0] != '/' {
			return nil, false
		}
		token := pointer[1:]
		if end := strings.IndexByte(token, '/'); end >= 0 {
			token = token[:end]
		}
		pointer = pointer[1+len(token):]
		value, ok := c.child(unescapeToken(token))
		if !ok {
			return nil, false
		}
		c = Cursor{text: value}
	}
	value := c.Skip()
	return value, c.OK()
}

// Member returns the value of a member of the object that a text is, as it was written, and whether there is one; null is one. Of members with
// one key the last counts. Anything but an object has none, and neither has one whose structure is broken.
func Member(text []byte, name string) ([]byte, bool) {
	c := At(text)
	if c.peek() != '{' {
		return nil, false
	}
	return c.child(name)
}

// Members sets values[i] to the member names[i] of the object that a text is, as Member would return it, and to nil where there is none; names
// may be repeated. Anything but an object, and one whose structure is broken, has no members, and Members returns false.
func Members(text []byte, names []string, values [][]byte) bool {
	clear(values)
	c := At(text)
	if c.peek() != '{' {
		return false
	}
	c.Open('{')
	for key, ok := c.Member(); ok; key, ok = c.Member() {
		value := c.Skip()
		for i, name := range names {
			if key.Is(name) {
				values[i] = value
			}
		}
	}
	if c.bad {
		clear(values)
	}
	return !c.bad
}

// child returns the member of that name, or the item of that number.
func (c *Cursor) child(token string) (value []byte, found bool) {
	switch {
	case c.Open('{'):
		for key, ok := c.Member(); ok; key, ok = c.Member() {
			v := c.Skip()
			if key.Is(token) {
				value, found = v, true
			}
		}
	case c.Open('['):
		wanted, isNumber := index(token)
		for i := 0; c.Item(); i++ {
			v := c.Skip()
			if isNumber && i == wanted {
				value, found = v, true
			}
		}
	}
	return value, found && c.OK()
}

// index returns the number of an item that a token names.
func index(token string) (int, bool) {
	i, err := strconv.Atoi(token)
	return i, err == nil && i >= 0 && strconv.Itoa(i) == token
}

// unescapeToken returns what a token of a pointer means.
func unescapeToken(token string) string {
	if strings.IndexByte(token, '~') < 0 {
		return token
	}
	return strings.ReplaceAll(strings.ReplaceAll(token, "~1", "/"), "~0", "~")
}
