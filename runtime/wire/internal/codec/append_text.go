package codec

import (
	"encoding/binary"
	"math/bits"
	"slices"
	"strings"
	"unicode/utf8"
)

// appendText appends a text that needs no escaping, and s as a JSON string: quotation marks, backslashes and control characters escaped, and so
// are U+2028 and U+2029, as encoding/json does (programs that split JSON Lines at every line end of Unicode would cut it there). Where s is not
// UTF-8, dst comes back as it was, and at is where the fault lies; else at is negative.
//
// Where a block has something to escape, all of its escapes are known at once; what is between them is written in words, with room for whole
// ones, and the next escape over what is too much. So the many short parts take no call.
func appendText(dst []byte, before, s string) (out []byte, at int) {
	src, begin, known := bytesOf(s), len(dst), false
	dst = roomFor(dst, begin, len(before)+len(s))
	n := begin + copy(dst[begin:], before)
	dst[n] = '"'
	n++
	far := len(src) >= block
	if !far {
		if size := copyShort(dst[n:], src); size == len(src) {
			n += size
			dst[n] = '"'
			return dst[:n+1], -1
		}
	}
	for i := 0; ; {
		var stops, wide, passed uint32
		if far {
			at, stops, wide, passed = lookFar(src, i)
		} else {
			at, stops, wide = lookNear(src, i)
		}
		if passed|wide != 0 && !known {
			from := i
			if passed == 0 {
				from = at + bits.TrailingZeros32(wide)
			}
			switch odd, isText := oddAt(s, from); {
			case !isText:
				return dst[:begin], odd
			case odd < len(s):
				return appendSeparated(dst[:begin+len(before)], s), -1
			}
			known = true // for all that follows
		}
		if i < at {
			n += copy(dst[n:], src[i:at])
			i = at
		}
		for ; stops != 0; stops &= stops - 1 {
			stop := at + bits.TrailingZeros32(stops)
			for ; i < stop; i += word {
				binary.LittleEndian.PutUint64(dst[n:], load(src, i))
				n += word
			}
			n -= i - stop
			if stop == len(src) {
				dst[n] = '"'
				return dst[:n+1], -1
			}
			if cap(dst)-n < len(src)-stop+roomToEscape {
				dst = roomFor(dst, n, len(src)-stop)
			}
			escape := escapes[src[stop]]
			binary.LittleEndian.PutUint64(dst[n:], escape)
			n += int(escape >> escapeSize)
			i = stop + 1
		}
	}
}

// copyShort copies a short text while it is ASCII and nothing has to be escaped, and returns how much that is.
func copyShort(dst, src []byte) int {
	for i := 0; ; i += word {
		w := load(src, i)
		binary.LittleEndian.PutUint64(dst[i:], w)
		if stop := (stops(w) | w) & highs; stop != 0 {
			return i + bits.TrailingZeros64(stop)/bitsOfByte
		}
	}
}

const (
	// roomToEscape is what has to be there at an escape besides what is left of the text: an escape is up to six bytes for one, and after it
	// comes a word or the quote.
	roomToEscape = 2 * word
)

// roomFor returns dst, of which n bytes count, with room for a text of a size and some escapes. Its length is its capacity.
func roomFor(dst []byte, n, size int) []byte {
	const some = 2 * roomToEscape
	dst = slices.Grow(dst[:n], size+some)
	return dst[:cap(dst)]
}

// oddAt returns where s, from a place on, has what is not UTF-8, or else a line separator, which is text; its length if there is neither.
func oddAt(s string, from int) (at int, isText bool) {
	const long = 2 * word // there, two calls are quicker than one rune after the other
	if len(s)-from >= long && utf8.ValidString(s[from:]) {
		if at = separator(s, from); at < 0 {
			at = len(s)
		}
		return at, true
	}
	odd := len(s)
	for at = from; at < len(s); {
		r, size := utf8.DecodeRuneInString(s[at:])
		switch {
		case r == utf8.RuneError && size == 1:
			return at, false
		case (r == '\u2028' || r == '\u2029') && odd == len(s):
			odd = at
		}
		at += size
	}
	return odd, true
}

// separator returns where the next line separator is, U+2028 or U+2029, from a place on; less than zero if there is none.
func separator(s string, from int) int {
	const begin = "\xe2\x80" // of U+2000 to U+203F
	for {
		i := strings.Index(s[from:], begin)
		if i < 0 {
			return i
		}
		from += i + len(begin)
		if last := s[from]; last == '\xa8' || last == '\xa9' {
			return from - len(begin)
		}
	}
}

// appendSeparated is appendText for what is UTF-8 and has line separators.
func appendSeparated(dst []byte, s string) []byte {
	i := separator(s, 0)
	dst, _ = appendText(dst, "", s[:i])
	for i < len(s) {
		const size = len("\u2028")
		digit := s[i+size-1] - '\xa8' + '8'
		s = s[i+size:]
		if i = separator(s, 0); i < 0 {
			i = len(s)
		}
		dst = append(dst[:len(dst)-1], `\u202`...)
		at := len(dst)
		dst, _ = appendText(dst, "", s[:i])
		dst[at] = digit // where the quote was
	}
	return dst
}

const escapeSize = 56 // bits before the size of an escape

// escapes are the escapes of what a JSON string does not hold as it is: its bytes, the first in the lowest bits, and their number in the
// highest byte.
var escapes = func() (t ['\\' + 1]uint64) {
	for c := range t {
		text := ""
		switch c {
		case '"', '\\':
			text = `\` + string(rune(c))
		case '\b':
			text = `\b`
		case '\f':
			text = `\f`
		case '\n':
			text = `\n`
		case '\r':
			text = `\r`
		case '\t':
			text = `\t`
		default:
			const hexadecimal = "0123456789abcdef"
			text = `\u00` + hexadecimal[c>>4:c>>4+1] + hexadecimal[c&0xf:c&0xf+1]
		}
		t[c] = uint64(len(text)) << escapeSize
		for i := range len(text) {
			t[c] |= uint64(text[i]) << (i * bitsOfByte)
		}
	}
	return t
}()
