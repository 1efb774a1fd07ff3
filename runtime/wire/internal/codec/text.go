package codec

import (
	"bytes"
	"encoding/binary"
	"unicode/utf16"
	"unicode/utf8"
)

const hexDigits = 4

// hex returns the value of a hexadecimal digit; more than 15 for what is none.
func hex(c byte) rune {
	switch {
	case c-'0' <= 9:
		return rune(c - '0')
	case c|0x20 >= 'a' && c|0x20 <= 'f':
		return rune(c|0x20-'a') + 10
	default:
		return 1 << 16
	}
}

// unescape appends the inside of a string that was scanned, its escapes undone. A surrogate without its other half becomes U+FFFD: what
// cuts texts by UTF-16, as programs in JavaScript do, sends halves, one at the end of an item and one at the beginning of the next.
func unescape(dst, inside []byte) []byte {
	for {
		at := bytes.IndexByte(inside, '\\')
		if at < 0 || at+1 >= len(inside) {
			return append(dst, inside...)
		}
		dst, at = unescapeOne(append(dst, inside[:at]...), inside, at)
		inside = inside[at:]
	}
}

// unescapeOne appends what the escape at a place means, and returns where it ends. It was scanned; the half of a pair that may follow it was not.
func unescapeOne(dst, data []byte, at int) (out []byte, end int) {
	end = at + len(`\n`)
	switch c := data[at+1]; c {
	case 'b':
		return append(dst, '\b'), end
	case 'f':
		return append(dst, '\f'), end
	case 'n':
		return append(dst, '\n'), end
	case 'r':
		return append(dst, '\r'), end
	case 't':
		return append(dst, '\t'), end
	case 'u':
		r, size := escapedRune(data[at:])
		return utf8.AppendRune(dst, r), at + size
	default:
		return append(dst, c), end
	}
}

// appendPart appends a part of a text. Most parts between escapes are short, and taken with what follows them: two words are quicker than
// asking how many bytes to move.
func appendPart(dst, data []byte, from, to int) []byte {
	const short = 2 * word
	n := len(dst)
	if to-from > short || from+short > len(data) || n+short > cap(dst) {
		return append(dst, data[from:to]...)
	}
	room, part := dst[n:n+short], data[from:from+short]
	binary.LittleEndian.PutUint64(room, binary.LittleEndian.Uint64(part))
	binary.LittleEndian.PutUint64(room[word:], binary.LittleEndian.Uint64(part[word:]))
	return dst[:n+to-from]
}

// escapedRune reads \uXXXX, and the other half of a pair after it.
func escapedRune(inside []byte) (r rune, size int) {
	const escape = len(`\u`) + hexDigits
	r = unit(inside)
	if !utf16.IsSurrogate(r) {
		return r, escape
	}
	if rest := inside[escape:]; len(rest) >= escape && rest[0] == '\\' && rest[1] == 'u' {
		if pair := utf16.DecodeRune(r, unit(rest)); pair != utf8.RuneError {
			return pair, 2 * escape
		}
	}
	return utf8.RuneError, escape
}

// unit returns the value of the four digits in \uXXXX.
func unit(inside []byte) rune {
	return hex(inside[2])<<12 | hex(inside[3])<<8 | hex(inside[4])<<4 | hex(inside[5])
}

// words remembers short texts that were read before, so that what comes again and again (the values of enums, roles, the names of models)
// is kept once. A text takes the place of another with the same sum.
type words [64]string

const longestWord = 32

func (w *words) text(data []byte) string {
	n := len(data)
	if n > longestWord || n == 0 {
		return string(data)
	}
	at := (uint(n)*31 + uint(data[0])*7 + uint(data[n-1]) + uint(data[n/2])*3) % uint(len(w))
	if w[at] == string(data) {
		return w[at]
	}
	w[at] = string(data)
	return w[at]
}
