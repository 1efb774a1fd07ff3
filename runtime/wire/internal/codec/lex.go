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
	block = 4 * word
)

// stops returns, of eight bytes, which end the plain part of a string: a high bit for each control character, quote and backslash. It is
// exact for the first, which is all that counts. A byte xor 2 is less than 0x21 for the first two, and for these alone.
func stops(w uint64) uint64 {
	return (((w ^ 0x02*ones) - 0x21*ones) | ((w ^ '\\'*ones) - ones)) &^ w
}

// goes is the other way round, for eight bytes of ASCII: a high bit for each that does not end the plain part. It takes less, for nothing is
// carried from one byte to the next.
func goes(w uint64) uint64 {
	return ((w ^ 0x02*ones) + (0x80-0x21)*ones) & ((w ^ '\\'*ones) + 0x7f*ones)
}

// plain passes over the part of a string without escapes; wide has a high bit set if there is a byte beyond ASCII. Most parts are short: blocks
// are looked at only after two words.
func plain(data []byte, i int) (_ int, wide uint64) {
	for short := i + 2*word; i < short && i+word <= len(data); i += word {
		w := binary.LittleEndian.Uint64(data[i:])
		if stop := stops(w) & highs; stop != 0 {
			return stopped(i, wide, w, stop)
		}
		wide |= w
	}
	for i+block <= len(data) {
		b := data[i : i+block]
		w0, w1 := binary.LittleEndian.Uint64(b), binary.LittleEndian.Uint64(b[word:])
		w2, w3 := binary.LittleEndian.Uint64(b[2*word:]), binary.LittleEndian.Uint64(b[3*word:])
		if all := w0 | w1 | w2 | w3; all&highs == 0 {
			if goes(w0)&goes(w1)&goes(w2)&goes(w3)&highs != highs {
				break
			}
		} else {
			if (stops(w0)|stops(w1)|stops(w2)|stops(w3))&highs != 0 {
				break
			}
			wide |= all
		}
		i += block
	}
	for ; i+word <= len(data); i += word {
		w := binary.LittleEndian.Uint64(data[i:])
		if stop := stops(w) & highs; stop != 0 {
			return stopped(i, wide, w, stop)
		}
		wide |= w
	}
	if len(data) >= word { // the last word, without what was looked at: zeros stand after it, which stop
		const bitsOfByte = 8
		w := binary.LittleEndian.Uint64(data[len(data)-word:]) >> (bitsOfByte * (word - (len(data) - i)))
		return stopped(i, wide, w, stops(w)&highs)
	}
	for i < len(data) && data[i] != '"' && data[i] != '\\' && data[i] >= ' ' {
		wide |= uint64(data[i])
		i++
	}
	return i, wide
}

// stopped is plain in the word at i, which it does not pass over as a whole.
func stopped(i int, wide, w, stop uint64) (int, uint64) {
	return i + bits.TrailingZeros64(stop)/word, wide | w&(stop^(stop-1))
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
