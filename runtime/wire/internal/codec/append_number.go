package codec

import (
	"math"
	"strconv"
)

// The magnitudes between which a float is written without an exponent, as ECMAScript and encoding/json write numbers.
const (
	leastPlain = 1e-6
	pastPlain  = 1e21
)

// appendFloat appends f as the shortest number that reads as f again, in a type of that many bits. ok is false, and nothing is appended,
// where f is no number of JSON: an infinity or NaN.
func appendFloat(dst []byte, f float64, bits int) (out []byte, ok bool) {
	size := math.Abs(f)
	if !(size <= math.MaxFloat64) {
		return dst, false
	}
	format := byte('f')
	if size != 0 && (bits == 64 && (size < leastPlain || size >= pastPlain) ||
		bits == 32 && (float32(size) < leastPlain || float32(size) >= pastPlain)) {
		format = 'e'
	}
	dst = strconv.AppendFloat(dst, f, format, -1, bits)
	if n := len(dst); format == 'e' && n >= 4 && dst[n-4] == 'e' && dst[n-3] == '-' && dst[n-2] == '0' { // e-09 is e-9
		dst[n-2] = dst[n-1]
		dst = dst[:n-1]
	}
	return dst, true
}
