package jsontext

import (
	"encoding/binary"
	"encoding/json"
	"math/bits"
)

// Cursor goes through a JSON text value by value. It allocates nothing. Where the structure is broken it stops: Member and Item return
// false, Skip nothing, and OK is false from then on.
type Cursor struct {
	text  []byte
	at    int
	fresh bool // a bracket was just opened: no comma comes before what is in it
	bad   bool
}

// At returns a cursor before the value that the text is. A byte order mark before it is passed over.
func At(text []byte) Cursor {
	if len(text) > 2 && text[0] == 0xEF && text[1] == 0xBB && text[2] == 0xBF {
		text = text[3:]
	}
	return Cursor{text: text}
}

// OK reports whether the structure was sound so far.
func (c *Cursor) OK() bool { return !c.bad }

// Open enters the value if it begins with that bracket: '{' or '['. Otherwise it stays before the value.
func (c *Cursor) Open(bracket byte) bool {
	if c.bad || c.peek() != bracket {
		return false
	}
	c.at++
	c.fresh = true
	return true
}

// Member goes to the value of the object's next member, and returns the key. It is false after the last.
func (c *Cursor) Member() (Key, bool) {
	if !c.follows('}') {
		return Key{}, false
	}
	if c.peek() != '"' {
		c.bad = true
		return Key{}, false
	}
	from := c.at + 1
	escaped := c.string()
	key := Key{written: c.text[from:max(from, c.at-1)], escaped: escaped}
	if c.peek() != ':' {
		c.bad = true
		return Key{}, false
	}
	c.at++
	return key, !c.bad
}

// Item goes to the array's next item. It is false after the last.
func (c *Cursor) Item() bool { return c.follows(']') }

// Skip passes over the value, and returns it as it was written; nothing where there is none.
func (c *Cursor) Skip() []byte {
	if c.bad {
		return nil
	}
	first := c.peek()
	from := c.at
	switch first {
	case '"':
		c.string()
	case '{', '[':
		c.nest()
	default:
		c.scalar()
	}
	if c.bad {
		return nil
	}
	c.fresh = false
	return c.text[from:c.at]
}

// peek passes over white space and returns the byte that follows; 0 at the end of the text.
func (c *Cursor) peek() byte {
	for c.at < len(c.text) {
		b := c.text[c.at]
		if b > ' ' || b != ' ' && b != '\n' && b != '\r' && b != '\t' {
			return b
		}
		c.at++
	}
	return 0
}

// follows goes to what follows in a bracket, over the comma before it. It is false at the bracket's end, which it passes over.
func (c *Cursor) follows(end byte) bool {
	if c.bad {
		return false
	}
	fresh := c.fresh
	c.fresh = false
	switch b := c.peek(); {
	case b == end:
		c.at++
		return false
	case fresh:
		return true
	case b != ',':
		c.bad = true
		return false
	}
	c.at++
	if c.peek() == end {
		c.bad = true
		return false
	}
	return true
}

const (
	ones        = 0x0101010101010101
	highs       = 0x8080808080808080
	quotes      = '"' * ones
	backslashes = '\\' * ones
)

// string passes over a string, from its first quote, and reports whether there are escapes in it. It looks at eight bytes at a time.
func (c *Cursor) string() (escaped bool) {
	text, at := c.text, c.at+1
	for at < len(text) {
		if at+8 <= len(text) {
			x := binary.LittleEndian.Uint64(text[at:])
			q, b := x^quotes, x^backslashes
			// The lowest of the high bits that are set belongs to the first byte that is one of the two.
			hit := ((q - ones) &^ q & highs) | ((b - ones) &^ b & highs)
			if hit == 0 {
				at += 8
				continue
			}
			at += bits.TrailingZeros64(hit) / 8
		}
		switch text[at] {
		case '"':
			c.at = at + 1
			return escaped
		case '\\':
			escaped = true
			at++
		}
		at++
	}
	c.at, c.bad = len(text), true
	return escaped
}

// nest passes over an object or an array, brackets within brackets, without regard to what is between them.
func (c *Cursor) nest() {
	for depth := 0; c.at < len(c.text); {
		switch c.text[c.at] {
		case '"':
			c.string()
			continue
		case '{', '[':
			depth++
		case '}', ']':
			depth--
		}
		c.at++
		if depth == 0 {
			return
		}
	}
	c.bad = true
}

// scalar passes over a number or a literal.
func (c *Cursor) scalar() {
	from := c.at
	for c.at < len(c.text) {
		switch c.text[c.at] {
		case ',', ']', '}', ':', ' ', '\t', '\r', '\n', '"', '{', '[':
			c.bad = c.at == from
			return
		}
		c.at++
	}
	c.bad = c.at == from
}

// Key is the key of a member. It is part of the text that it was found in.
type Key struct {
	written []byte // between the quotes
	escaped bool
}

// Is reports whether the key is that name.
func (k Key) Is(name string) bool {
	if !k.escaped {
		return string(k.written) == name
	}
	return k.Text() == name
}

// Text returns the key.
func (k Key) Text() string {
	if !k.escaped {
		return string(k.written)
	}
	return unescape(k.written)
}

// unescape returns what a string means that is written so between its quotes; nothing where it is no string.
func unescape(written []byte) string {
	quoted := make([]byte, 0, len(written)+2)
	quoted = append(append(append(quoted, '"'), written...), '"')
	var text string
	if json.Unmarshal(quoted, &text) != nil {
		return ""
	}
	return text
}
