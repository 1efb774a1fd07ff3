package handcodec

import (
	"bytes"
	"errors"
	"strconv"
	"strings"
	"unicode/utf8"
	"unsafe"
)

// ErrSyntax is what all faults are.
var ErrSyntax = errors.New("syntax")

// cursor stands at i in b. Where s is set, it has the same bytes, and strings are cut from it.
type cursor struct {
	b   []byte
	s   string
	i   int
	bad bool
}

func (c *cursor) err() error {
	if c.bad {
		return ErrSyntax
	}
	return nil
}

// space moves over white space and returns what is behind it.
func (c *cursor) space() byte {
	for c.i < len(c.b) {
		if at := c.b[c.i]; at > ' ' {
			return at
		}
		c.i++
	}
	c.bad = true
	return 0
}

func (c *cursor) eat(what byte) bool {
	if c.space() != what {
		return false
	}
	c.i++
	return true
}

func (c *cursor) want(what byte) {
	if !c.eat(what) {
		c.bad = true
	}
}

// open moves into an object or list; false if it is empty.
func (c *cursor) open(start, end byte) bool {
	c.want(start)
	return !c.bad && !c.eat(end)
}

// more moves to the next member or item; false if there is none.
func (c *cursor) more(end byte) bool {
	if c.bad || c.eat(end) {
		return false
	}
	c.want(',')
	return !c.bad
}

// key moves over a member's name and the colon.
func (c *cursor) key() []byte {
	from, to, _ := c.span()
	c.want(':')
	return c.b[from:to]
}

// span moves over a string, and returns where its content is.
func (c *cursor) span() (from, to int, escaped bool) {
	c.want('"')
	from = c.i
	n := bytes.IndexByte(c.b[from:], '"')
	if n < 0 {
		c.bad = true
		return from, from, false
	}
	to = from + n
	escaped = bytes.IndexByte(c.b[from:to], '\\') >= 0
	// From quote to quote: one behind an odd number of backslashes is no end.
	for escaped && backslashes(c.b[from:to])%2 == 1 {
		n := bytes.IndexByte(c.b[to+1:], '"')
		if n < 0 {
			c.bad = true
			return from, from, false
		}
		to += 1 + n
	}
	c.i = to + 1
	return from, to, escaped
}

// backslashes counts those at the end.
func backslashes(b []byte) int {
	n := 0
	for n < len(b) && b[len(b)-1-n] == '\\' {
		n++
	}
	return n
}

func (c *cursor) str() string {
	from, to, escaped := c.span()
	switch {
	case escaped:
		return c.unescape(c.b[from:to])
	case c.s == "":
		return string(c.b[from:to])
	default:
		return c.s[from:to]
	}
}

func (c *cursor) unescape(b []byte) string {
	out := make([]byte, 0, len(b))
	for {
		n := bytes.IndexByte(b, '\\')
		if n < 0 || n+1 >= len(b) {
			out = append(out, b...)
			return unsafe.String(unsafe.SliceData(out), len(out)) // nobody else has it
		}
		out = append(out, b[:n]...)
		var size int
		out, size = c.escape(out, b[n:])
		b = b[n+size:]
	}
}

// escape appends what the escape at the start of b stands for, and returns its size.
func (c *cursor) escape(out, b []byte) ([]byte, int) {
	switch b[1] {
	case 'n':
		return append(out, '\n'), 2
	case 't':
		return append(out, '\t'), 2
	case 'r':
		return append(out, '\r'), 2
	case 'b':
		return append(out, '\b'), 2
	case 'f':
		return append(out, '\f'), 2
	case 'u':
		code, err := strconv.ParseUint(string(b[2:min(6, len(b))]), 16, 16)
		if err != nil {
			c.bad = true
		}
		return utf8.AppendRune(out, rune(code)), min(6, len(b))
	default:
		return append(out, b[1]), 2
	}
}

func (c *cursor) null() bool {
	if c.space() != 'n' {
		return false
	}
	c.i += len("null")
	return true
}

func (c *cursor) strOrNull() *string {
	if c.null() {
		return nil
	}
	s := c.str()
	return &s
}

func (c *cursor) boolean() bool {
	if c.space() == 't' {
		c.i += len("true")
		return true
	}
	c.i += len("false")
	return false
}

func (c *cursor) skip() {
	switch c.space() {
	case '"':
		c.span()
	case '{', '[':
		c.skipNested()
	default:
		for c.i < len(c.b) && strings.IndexByte(",}] \n", c.b[c.i]) < 0 {
			c.i++
		}
	}
}

func (c *cursor) skipNested() {
	for depth := 0; c.i < len(c.b); {
		switch c.b[c.i] {
		case '"':
			c.span()
			continue
		case '{', '[':
			depth++
		case '}', ']':
			depth--
		}
		c.i++
		if depth == 0 {
			return
		}
	}
	c.bad = true
}
