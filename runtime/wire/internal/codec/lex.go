package codec

import (
	"encoding/binary"
	"math/bits"
	"unicode/utf8"
)

// The functions of this file read a text without decoding it. They know no state: each takes the text and where to begin, and returns
// where it came to; with a fault, that is where the fault is.

// space returns the first place from i on that is no white space.
func space(data []byte, i int) int {
	for i < len(data) && (data[i] == ' ' || data[i] == '\n' || data[i] == '\t' || data[i] == '\r') {
		i++
	}
	return i
}

const (
	ones  = 0x0101010101010101
	highs = 0x80 * ones
	word  = 8 // bytes that one look takes in
	half  = word / 2
	block = 4 * word

	bitsOfByte = 8
)

// stops returns, of eight bytes, which end the plain part of a string: a high bit for each control character, quote and backslash. It is
// exact for the first, which is all that counts. A byte xor 2 is less than 0x21 for the first two, and for these alone.
func stops(w uint64) uint64 {
	return (((w ^ 0x02*ones) - 0x21*ones) | ((w ^ '\\'*ones) - ones)) &^ w
}

// ends is stops where all of the bytes count: what is added is never carried from one to the next.
func ends(w uint64) uint64 {
	low := w &^ highs
	return ^(((low ^ 0x02*ones) + (0x80-0x21)*ones) & ((low ^ '\\'*ones) + 0x7f*ones)) &^ w
}

// mask makes a bit of the high bit of each byte.
func mask(w uint64) uint32 {
	const gather = 1<<49 | 1<<42 | 1<<35 | 1<<28 | 1<<21 | 1<<14 | 1<<7 | 1
	return uint32(w & highs * gather >> 56)
}

// plain passes over the part of a string without escapes; wide has a high bit set if there is a byte beyond ASCII. Most parts are short: blocks
// are looked at only after four words.
func plain(data []byte, i int) (_ int, wide uint64) {
	for short := i + block; i < short && i+word <= len(data); i += word {
		w := binary.LittleEndian.Uint64(data[i:])
		if stop := stops(w) & highs; stop != 0 {
			return stopped(i, wide, w, stop)
		}
		wide |= w
	}
	at, stops, high, passed := look(data, i)
	size := bits.TrailingZeros32(stops)
	if passed|high&(1<<size-1) != 0 {
		wide = highs
	}
	return at + size, wide
}

// stopped is plain in the word at i, which it does not pass over as a whole.
func stopped(i int, wide, w, stop uint64) (int, uint64) {
	return i + bits.TrailingZeros64(stop)/word, wide | w&(stop^(stop-1))
}

// look passes over blocks without anything that ends the plain part of a string, from i on, to the block that has it, or to where less than a
// block is left. That begins at at: of its bytes, the first of which has the lowest bit, stops says which end the plain part, and wide which are
// beyond ASCII. The end of data stops too; what is in stops after that means nothing. passed is not zero where a byte that was passed over
// is beyond ASCII.
func look(data []byte, i int) (at int, stops, wide, passed uint32) {
	if len(data) >= block {
		return lookFar(data, i)
	}
	at, stops, wide = lookNear(data, i)
	return at, stops, wide, 0
}

// lookNear is look for the block that begins at i.
func lookNear(data []byte, i int) (at int, stops, wide uint32) {
	for k := 0; k < block && i+k <= len(data); k += word {
		w := load(data, i+k)
		stops |= mask(ends(w)) << k
		wide |= mask(w) << k
	}
	return i, stops, wide
}

// load returns eight bytes of data; zeros, which stop, after its end.
func load(data []byte, i int) uint64 {
	if i+word <= len(data) {
		return binary.LittleEndian.Uint64(data[i:])
	}
	return rest(data, i)
}

// rest returns what is left of data from i on, less than a word, and zeros after it, which stop.
func rest(data []byte, i int) uint64 {
	n := len(data)
	switch left := n - i; {
	case n >= word: // the last word, without what is before i
		return binary.LittleEndian.Uint64(data[n-word:]) >> (bitsOfByte * (word - left))
	case left >= half:
		return uint64(binary.LittleEndian.Uint32(data[i:])) | uint64(binary.LittleEndian.Uint32(data[n-half:]))<<(bitsOfByte*(left-half))
	case left > 0: // the first, the one in the middle and the last of three are all
		return uint64(data[i]) | uint64(data[i+left/2])<<(bitsOfByte*(left/2)) | uint64(data[n-1])<<(bitsOfByte*(left-1))
	default:
		return 0
	}
}

// scanString passes over a string whose quote is just before i, and its closing quote; escaped says that it has escapes. Escapes and UTF-8
// are checked.
func scanString(data []byte, i int) (end int, escaped bool, _ fault) {
	end, wide := plain(data, i)
	return scanRest(data, i, end, wide)
}

// scanRest goes on where plain has come to, from i.
func scanRest(data []byte, from, i int, wide uint64) (end int, escaped bool, _ fault) {
	for {
		if i >= len(data) {
			return i, escaped, faultEnd
		}
		if wide&highs != 0 && !utf8.Valid(data[from:i]) {
			return badUTF8(data, from), escaped, faultUTF8
		}
		switch data[i] {
		case '"':
			return i + 1, escaped, fine
		case '\\':
			escaped = true
			end, f := scanEscape(data, i+1)
			if f != fine {
				return end, escaped, f
			}
			from = end
			i, wide = plain(data, from)
		default:
			return i, escaped, faultControl
		}
	}
}

// scanEscape passes over an escape whose backslash is just before i.
func scanEscape(data []byte, i int) (int, fault) {
	if i >= len(data) {
		return i, faultEnd
	}
	switch data[i] {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		return i + 1, fine
	case 'u':
		for end := i + hexDigits; i < end; {
			if i++; i >= len(data) {
				return i, faultEnd
			}
			if hex(data[i]) > 0xf {
				return i, faultEscape
			}
		}
		return i + 1, fine
	default:
		return i, faultEscape
	}
}

// badUTF8 returns where the first byte is that is no UTF-8.
func badUTF8(data []byte, i int) int {
	for i < len(data) {
		r, size := utf8.DecodeRune(data[i:])
		if r == utf8.RuneError && size <= 1 {
			return i
		}
		i += size
	}
	return i
}

// scanNumber passes over a number (RFC 8259, section 6).
func scanNumber(data []byte, i int) (int, fault) {
	if i < len(data) && data[i] == '-' {
		i++
	}
	from := i
	if i = digits(data, i); i == from {
		return i, missing(data, i)
	}
	if data[from] == '0' && i > from+1 {
		return from + 1, faultNumber
	}
	if i < len(data) && data[i] == '.' {
		from = i + 1
		if i = digits(data, from); i == from {
			return i, missing(data, i)
		}
	}
	if i < len(data) && data[i]|0x20 == 'e' {
		i++
		if i < len(data) && (data[i] == '+' || data[i] == '-') {
			i++
		}
		from = i
		if i = digits(data, i); i == from {
			return i, missing(data, i)
		}
	}
	return i, fine
}

// digits passes over decimal digits.
func digits(data []byte, i int) int {
	for i < len(data) && data[i]-'0' <= 9 {
		i++
	}
	return i
}

// missing says why there is no digit.
func missing(data []byte, i int) fault {
	if i >= len(data) {
		return faultEnd
	}
	return faultNumber
}

// scanLiteral passes over true, false or null, which begins at i.
func scanLiteral(data []byte, i int, literal string) (int, fault) {
	for j := range len(literal) {
		if i+j >= len(data) {
			return i + j, faultEnd
		}
		if data[i+j] != literal[j] {
			return i + j, faultSign
		}
	}
	return i + len(literal), fine
}

// scanScalar passes over a value that is no list and no object.
func scanScalar(data []byte, i int) (int, fault) {
	if i >= len(data) {
		return i, faultEnd
	}
	switch c := data[i]; c {
	case '"':
		end, _, f := scanString(data, i+1)
		return end, f
	case 't':
		return scanLiteral(data, i, "true")
	case 'f':
		return scanLiteral(data, i, "false")
	case 'n':
		return scanLiteral(data, i, "null")
	default:
		if isNumber(c) {
			return scanNumber(data, i)
		}
		return i, faultSign
	}
}
