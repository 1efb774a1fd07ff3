package codec

import (
	"math"
	"math/bits"
	"strconv"
)

// The magnitudes between which a float is written without an exponent, as ECMAScript and encoding/json write numbers.
const (
	leastPlain = 1e-6
	pastPlain  = 1e21
)

// appendPlain appends a float that has no exponent when it is written. It takes half of strconv's time, which most of a vector's is.
func appendPlain(dst []byte, f float64, size int) []byte {
	sign := int(math.Float64bits(f) >> 63)
	dst = append(dst, '-')[:len(dst)+sign] // no branch: of a vector's signs none can be guessed
	f = math.Abs(f)
	var digits uint64
	var exp int
	if size == 32 {
		digits, exp = shortest32(float32(f))
	} else {
		digits, exp = shortest64(f)
	}
	return appendDecimal(dst, digits, exp)
}

// appendDecimal appends digits * 10^exp, which has at least one digit that is not zero, without an exponent.
func appendDecimal(dst []byte, digits uint64, exp int) []byte {
	for exp < 0 && digits%10 == 0 {
		digits /= 10
		exp++
	}
	n := digitsOf(digits)
	from := len(dst)
	dst = append(dst, zeros...) // room for all that may come; what of it is not written over are the zeros
	out := dst[from:]
	switch point := n + exp; {
	case exp >= 0:
		putDigits(out[:n], digits)
		return dst[:from+point]
	case point > 0:
		putDigits(out[1:n+1], digits)
		copy(out, out[1:point+1])
		out[point] = '.'
		return dst[:from+n+1]
	default:
		out[1] = '.'
		putDigits(out[2-point:2-point+n], digits)
		return dst[:from+2-point+n]
	}
}

// digitsOf returns how many decimal digits a number has.
func digitsOf(v uint64) int {
	n := bits.Len64(v) * 1233 >> 12 // log10(2) * 2^12
	if v >= tens[n] {
		n++
	}
	return n
}

// putDigits writes the last digits of a number, as many as there is room for.
func putDigits(out []byte, v uint64) {
	n := len(out)
	for ; n >= 2; n -= 2 {
		pair := v % 100 * 2
		v /= 100
		out[n-1], out[n-2] = pairs[pair+1], pairs[pair]
	}
	if n == 1 {
		out[0] = byte('0' + v)
	}
}

const (
	zeros = "00000000000000000000000000000000"
	pairs = "00010203040506070809" + "10111213141516171819" + "20212223242526272829" + "30313233343536373839" + "40414243444546474849" +
		"50515253545556575859" + "60616263646566676869" + "70717273747576777879" + "80818283848586878889" + "90919293949596979899"
)

// appendFloat appends f as the shortest number that reads as f again, in a type of size bits. ok is false, and nothing is appended,
// where f is no number of JSON: an infinity or NaN.
func appendFloat(dst []byte, f float64, size int) (out []byte, ok bool) {
	switch magnitude := math.Abs(f); {
	case isPlain(magnitude, size):
		return appendPlain(dst, f, size), true
	case magnitude == 0:
		return strconv.AppendFloat(dst, f, 'f', -1, size), true // it may be -0
	case !(magnitude <= math.MaxFloat64):
		return dst, false
	}
	dst = strconv.AppendFloat(dst, f, 'e', -1, size)
	if n := len(dst); dst[n-4] == 'e' && dst[n-3] == '-' && dst[n-2] == '0' { // e-09 is e-9
		dst[n-2] = dst[n-1]
		dst = dst[:n-1]
	}
	return dst, true
}

// isPlain reports whether a float is written without an exponent. One of 32 bits is compared as such: the bounds are no floats.
func isPlain(magnitude float64, size int) bool {
	if size == 32 {
		return float32(magnitude) >= leastPlain && float32(magnitude) < pastPlain
	}
	return magnitude >= leastPlain && magnitude < pastPlain
}
