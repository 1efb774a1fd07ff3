package codec

import (
	"strings"
	"unicode/utf8"
)

// appendText appends s as a JSON string: quotation marks, backslashes and control characters escaped, and so are U+2028 and U+2029, as
// encoding/json does (programs that split JSON Lines at every line end of Unicode would cut it there). Where s is not UTF-8, dst comes back
// as it was, and at is where the fault lies; else at is negative.
func appendText(dst []byte, s string) (out []byte, at int) {
	begin := len(dst)
	dst = append(dst, '"')
	for i, checked := 0, false; ; i++ {
		n, wide := plain([]byte(s[i:]), 0) // the compiler makes no copy for who only reads
		switch {
		case wide&highs == 0:
			dst = append(dst, s[i:i+n]...)
		case !checked && !utf8.ValidString(s[i:]):
			return dst[:begin], i + invalidAt(s[i:])
		default:
			checked = true // all that follows
			dst = appendSeparated(dst, s[i:i+n])
		}
		if i += n; i == len(s) {
			return append(dst, '"'), -1
		}
		dst = appendEscape(dst, s[i])
	}
}

// appendSeparated appends s with its line separators, U+2028 and U+2029, escaped.
func appendSeparated(dst []byte, s string) []byte {
	const begin = "\xe2\x80" // of U+2000 to U+203F
	from := 0
	for at := 0; ; {
		i := strings.Index(s[at:], begin)
		if i < 0 {
			return append(dst, s[from:]...)
		}
		at += i + len(begin)
		if last := s[at]; last == '\xa8' || last == '\xa9' {
			dst = append(dst, s[from:at-len(begin)]...)
			dst = append(dst, '\\', 'u', '2', '0', '2', last-'\xa0'+'0')
			from = at + 1
		}
	}
}

const hexadecimal = "0123456789abcdef"

// appendEscape appends the escape of a character that a JSON string does not hold as it is.
func appendEscape(dst []byte, c byte) []byte {
	switch c {
	case '"', '\\':
		return append(dst, '\\', c)
	case '\b':
		return append(dst, '\\', 'b')
	case '\f':
		return append(dst, '\\', 'f')
	case '\n':
		return append(dst, '\\', 'n')
	case '\r':
		return append(dst, '\\', 'r')
	case '\t':
		return append(dst, '\\', 't')
	default:
		return append(dst, '\\', 'u', '0', '0', hexadecimal[c>>4], hexadecimal[c&0xf])
	}
}

// invalidAt returns where s ceases to be UTF-8.
func invalidAt(s string) int {
	for at := 0; at < len(s); {
		r, size := utf8.DecodeRuneInString(s[at:])
		if r == utf8.RuneError && size == 1 {
			return at
		}
		at += size
	}
	return len(s)
}
