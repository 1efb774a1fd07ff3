package source

import (
	"strconv"
	"unicode/utf16"
	"unicode/utf8"
)

// string reads a string; the next byte is its opening quote.
func (r *jsonReader) string() (string, *Error) {
	r.at++
	start := r.at
	for r.at < len(r.text) {
		switch c := r.text[r.at]; {
		case c == '"':
			text := string(r.text[start:r.at])
			r.at++
			return text, nil
		case c == '\\':
			return r.escaped(start)
		case c < ' ':
			return "", r.rawControl(c)
		default:
			r.at++
		}
	}
	return "", r.unexpected("'\"' at the end of a string")
}

// escaped reads on from the first escape of a string that began at start.
func (r *jsonReader) escaped(start int) (string, *Error) {
	text := append([]byte(nil), r.text[start:r.at]...)
	for r.at < len(r.text) {
		switch c := r.text[r.at]; {
		case c == '"':
			r.at++
			return string(text), nil
		case c < ' ':
			return "", r.rawControl(c)
		case c != '\\':
			text = append(text, c)
			r.at++
		default:
			char, err := r.escape()
			if err != nil {
				return "", err
			}
			text = utf8.AppendRune(text, char)
		}
	}
	return "", r.unexpected("'\"' at the end of a string")
}

// escape reads one escape, or a pair of surrogate escapes.
func (r *jsonReader) escape() (rune, *Error) {
	pos := r.pos()
	r.at++
	c := r.peek()
	r.at++
	switch c {
	case '"', '\\', '/':
		return rune(c), nil
	case 'b':
		return '\b', nil
	case 'f':
		return '\f', nil
	case 'n':
		return '\n', nil
	case 'r':
		return '\r', nil
	case 't':
		return '\t', nil
	case 'u':
		if char, ok := r.hex4(); ok {
			return r.surrogate(char), nil
		}
	}
	r.at = min(r.at, len(r.text))
	return 0, &Error{
		Span: Span{Pos: pos, Len: 2}, What: "an escape that JSON does not have",
		Why: `the escapes are \" \\ \/ \b \f \n \r \t and \u with four hexadecimal digits`, Fix: `write \\ for a backslash`,
	}
}

// hex4 reads four hexadecimal digits.
func (r *jsonReader) hex4() (rune, bool) {
	const digits = 4
	if len(r.text)-r.at < digits {
		return 0, false
	}
	n, err := strconv.ParseUint(string(r.text[r.at:r.at+digits]), 16, 16)
	if err != nil {
		return 0, false
	}
	r.at += digits
	return rune(n), true
}

// surrogate joins a high surrogate with the low one that follows. A lone one is U+FFFD: Go strings cannot hold it.
func (r *jsonReader) surrogate(char rune) rune {
	if !utf16.IsSurrogate(char) {
		return char
	}
	back := r.at
	if r.peek() == '\\' && r.at+1 < len(r.text) && r.text[r.at+1] == 'u' {
		r.at += 2
		if low, ok := r.hex4(); ok {
			if joined := utf16.DecodeRune(char, low); joined != utf8.RuneError {
				return joined
			}
		}
	}
	r.at = back
	return utf8.RuneError
}

func (r *jsonReader) rawControl(c byte) *Error {
	const hexDigits = "0123456789abcdef"
	return &Error{
		Span: Span{Pos: r.pos(), Len: 1}, What: "a raw control character in a string: 0x" + string([]byte{hexDigits[c>>4], hexDigits[c&15]}),
		Why: "JSON strings hold control characters as escapes only", Fix: `write \n for a line break, \t for a tab`,
	}
}
