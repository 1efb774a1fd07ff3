package jsontext

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"math/bits"
)

// Cursor goes through a JSON text value by value. It allocates nothing. Where the structure is broken it stops: Member and Item return
// false, Skip nothing, and OK is false from then on.
type Cursor struct {
	text  []byte
	long  Long // what is still ahead
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

// Long are where values of a text begin and end that somebody has passed over already, in the order of the text; not all of them, mostly the
// long ones. A walk does not look through them again.
type Long = [][2]int

// AtKnowing is At for a text that does not begin with a byte order mark, of which that is known.
func AtKnowing(text []byte, long Long) Cursor { return Cursor{text: text, long: long} }

// leap passes over the value if it is known where that ends.
func (c *Cursor) leap() bool {
	for len(c.long) > 0 {
		switch known := c.long[0]; {
		case known[0] > c.at:
			return false
		case known[0] == c.at:
			c.at = known[1]
			return true
		default: // it lies in what was passed over
			c.long = c.long[1:]
		}
	}
	return false
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
	escaped := c.key()
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
	if len(c.long) > 0 && c.leap() {
		c.fresh = false
		return c.text[from:c.at]
	}
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
	brackets    = 0x10 * ones // see marks
	word        = 8           // bytes that one look takes in
)

// key passes over a string, from its first quote, and reports whether there are escapes in it. It looks at eight bytes at a time.
func (c *Cursor) key() (escaped bool) {
	text, at := c.text, c.at+1
	for at < len(text) {
		if at+word <= len(text) {
			x := binary.LittleEndian.Uint64(text[at:])
			q, b := x^quotes, x^backslashes
			// The lowest of the high bits that are set belongs to the first byte that is one of the two.
			hit := ((q - ones) &^ q & highs) | ((b - ones) &^ b & highs)
			if hit == 0 {
				at += word
				continue
			}
			at += bits.TrailingZeros64(hit) / word
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

// string passes over a string, from its first quote: to the next quote that no backslash escapes.
func (c *Cursor) string() {
	from := c.at + 1
	for at := from; ; at++ {
		if at = quote(c.text, at); at >= len(c.text) {
			c.at, c.bad = len(c.text), true
			return
		}
		before := at
		for before > from && c.text[before-1] == '\\' {
			before--
		}
		if (at-before)%2 == 0 {
			c.at = at + 1
			return
		}
	}
}

// near is how far a quote is looked for eight bytes at a time; what is longer is worth a call that takes in many more.
const near = 64

// quote returns where the next quote is, from at on; the length of the text where there is none.
func quote(text []byte, at int) int {
	for far := at + near; at < far; at += word {
		if at+word > len(text) {
			break
		}
		x := binary.LittleEndian.Uint64(text[at:]) ^ quotes
		if hit := (x - ones) &^ x & highs; hit != 0 {
			return at + bits.TrailingZeros64(hit)/word
		}
	}
	if next := bytes.IndexByte(text[min(at, len(text)):], '"'); next >= 0 {
		return at + next
	}
	return len(text)
}

// nest passes over an object or an array, brackets within brackets, without regard to what is between them.
func (c *Cursor) nest() {
	for depth := 0; c.at < len(c.text); {
		if c.at+word <= len(c.text) {
			x := marks(binary.LittleEndian.Uint64(c.text[c.at:]))
			if x == 0 {
				c.at += word
				continue
			}
			c.at += bits.TrailingZeros64(x) / word
		}
		if len(c.long) > 0 && c.leap() {
			continue
		}
		switch c.text[c.at] {
		case '"':
			if c.string(); c.bad {
				return
			}
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

// marks returns, of eight bytes, which may be a quote or a bracket: a bit for each, the lowest of which is of the first. Quotes it tells
// exactly up to the first; brackets it takes for what they have in common: two bits that digits, signs, commas and spaces do not have.
func marks(x uint64) uint64 {
	q := x ^ quotes
	return (q-ones)&^q&highs | x&(x>>2)&brackets
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
