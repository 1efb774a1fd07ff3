package codec

import (
	"encoding/binary"
	"math"
	"math/bits"
)

// decimal is a number as it is written: mant × 10^exp.
type decimal struct {
	mant uint64
	exp  int
	neg  bool
	// long says that there are more digits than mant holds; it means nothing then.
	long bool
}

// maxDigits is how many decimal digits always fit an uint64.
const maxDigits = 19

// scanDecimal reads a number; like scanNumber, but it keeps what it reads.
func scanDecimal(data []byte, i int) (n decimal, _ int, _ fault) {
	sign := 0
	if i < len(data) && data[i] == '-' { // half of a vector's numbers have it: no branch is to be guessed
		sign = 1
	}
	n.neg = sign != 0
	i += sign
	from := i
	for i < len(data) && data[i]-'0' <= 9 {
		n.mant = n.mant*10 + uint64(data[i]-'0')
		i++
	}
	count := i - from
	if count == 0 {
		return n, i, missing(data, i)
	}
	if data[from] == '0' && count > 1 {
		return n, from + 1, faultNumber
	}
	if i < len(data) && data[i] == '.' {
		i++
		fraction := i
		n.mant, i = moreDigits(data, i, n.mant)
		if i == fraction {
			return n, i, missing(data, i)
		}
		n.exp = fraction - i
		count += i - fraction
	}
	if count > maxDigits {
		n.long = count-leadingZeros(data[from:i]) > maxDigits
	}
	if i < len(data) && data[i]|0x20 == 'e' {
		end, f := n.exponent(data, i+1)
		return n, end, f
	}
	return n, i, fine
}

// moreDigits reads digits after those of m, eight at a time.
func moreDigits(data []byte, i int, m uint64) (uint64, int) {
	for i+word <= len(data) {
		w := binary.LittleEndian.Uint64(data[i:]) ^ '0'*ones
		other := (w + (0x80-10)*ones | w) & highs // exact for the first byte that is no digit
		if other == 0 {
			m = m*1e8 + eight(w)
			i += word
			continue
		}
		n := bits.TrailingZeros64(other) / word
		return m*tens[n] + eight(w<<(64-word*n)), i + n
	}
	for i < len(data) && data[i]-'0' <= 9 {
		m = m*10 + uint64(data[i]-'0')
		i++
	}
	return m, i
}

var tens = [...]uint64{1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19}

// eight returns the number that eight digits make, each the value of a byte, the first in the lowest: neighbours are joined to twos, twos to
// fours, fours to eight.
func eight(w uint64) uint64 {
	w = w*10 + w>>8
	const twos, low, high = 0x000000FF000000FF, 100 + 1000000<<32, 1 + 10000<<32
	return ((w&twos)*low + (w>>16&twos)*high) >> 32
}

// leadingZeros counts the zeros before the first digit that counts.
func leadingZeros(digits []byte) int {
	n := 0
	for _, c := range digits {
		switch c {
		case '0':
			n++
		case '.':
		default:
			return n
		}
	}
	return n
}

// exponent reads what follows the e.
func (n *decimal) exponent(data []byte, i int) (int, fault) {
	minus := i < len(data) && data[i] == '-'
	if minus || i < len(data) && data[i] == '+' {
		i++
	}
	const most = 1 << 20 // larger ones are as good
	e, from := 0, i
	for i < len(data) && data[i]-'0' <= 9 {
		e = min(e*10+int(data[i]-'0'), most)
		i++
	}
	if i == from {
		return i, missing(data, i)
	}
	if minus {
		e = -e
	}
	n.exp += e
	return i, fine
}

// Powers of ten that are exact as floating-point numbers.
var pow10 = [...]float64{
	1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
}

const (
	maxPow10 = len(pow10) - 1
	mantBits = 53
	exactInt = 1 << mantBits // integers below are exact as floating-point numbers
	signBit  = 63
)

// float64 returns the number that is nearest, as strconv.ParseFloat does, bit for bit. It is false for numbers that it leaves to that.
func (n *decimal) float64() (float64, bool) {
	if n.mant >= exactInt || n.exp < -maxPow10 || n.exp > maxPow10 || n.long {
		m, e, ok := n.nearest(mantBits)
		const bias = 1023
		return math.Float64frombits(m&(1<<(mantBits-1)-1) | uint64(e+bias)<<(mantBits-1) | n.sign()<<signBit), ok
	}
	f := n.clinger()
	if n.neg {
		f = -f
	}
	return f, true
}

// clinger returns the nearest number where both parts are exact: one operation rounds once (W. D. Clinger, How to read floating point
// numbers accurately, 1990).
func (n *decimal) clinger() float64 {
	if n.exp < 0 {
		return float64(n.mant) / pow10[-n.exp]
	}
	return float64(n.mant) * pow10[n.exp]
}

// float32 is float64 for the narrower kind.
func (n *decimal) float32() (float32, bool) {
	const narrow = 24
	if n.mant < exactInt && n.exp >= -maxPow10 && n.exp <= maxPow10 && !n.long {
		f := n.clinger()
		// The number was rounded to 53 bits. Rounding again, to 24, is right unless the first one came to lie just between two.
		const below, half = 1<<(mantBits-narrow) - 1, 1 << (mantBits - narrow - 1)
		if bits := math.Float64bits(f); bits&below != half {
			return float32(math.Float64frombits(bits | n.sign()<<signBit)), true
		}
	}
	m, e, ok := n.nearest(narrow)
	const bias = 127
	if e > bias {
		return 0, false
	}
	return math.Float32frombits(uint32(m&(1<<(narrow-1)-1) | uint64(e+bias)<<(narrow-1) | n.sign()<<31)), ok
}

func (n *decimal) sign() uint64 {
	if n.neg {
		return 1
	}
	return 0
}

// pow5 are the powers of five that fit 64 bits.
var pow5 = func() (p [28]uint64) {
	p[0] = 1
	for i := 1; i < len(p); i++ {
		p[i] = p[i-1] * 5
	}
	return p
}()

// nearest returns the number as m × 2^(e-width+1) with m of width bits, rounded to the nearest, to the even one of two. The arithmetic is
// exact: 10^k is 5^k × 2^k, and for k up to 27 a product with 5^k fits 128 bits, and a quotient's remainder says on which side of the
// middle it lies. It is false for zero, for exponents beyond that, and for more digits than fit.
func (n *decimal) nearest(width int) (m uint64, e int, ok bool) {
	if n.long || n.mant == 0 || n.exp <= -len(pow5) || n.exp >= len(pow5) {
		return 0, 0, false
	}
	zeros := bits.LeadingZeros64(n.mant)
	m, e = n.mant<<zeros, n.exp-zeros // the number is m × 5^exp × 2^e
	more := false                     // is there anything below m's last bit
	switch {
	case n.exp < 0:
		by := pow5[-n.exp]
		shift := bits.LeadingZeros64(by)
		by <<= shift
		hi, lo := m, uint64(0)
		if hi >= by { // so that the quotient fits
			hi, lo = m>>1, m<<63
			e++
		}
		var rest uint64
		m, rest = bits.Div64(hi, lo, by)
		e += shift - 64
		more = rest != 0
	case n.exp > 0:
		hi, lo := bits.Mul64(m, pow5[n.exp])
		shift := bits.LeadingZeros64(hi)
		m = hi<<shift | lo>>(64-shift)
		e += 64 - shift
		more = lo<<shift != 0
	}
	// m has its highest bit set: its upper bits are the number, the lower ones say how to round.
	drop := 64 - width
	rest, half := m&(1<<drop-1), uint64(1)<<(drop-1)
	m >>= drop
	if rest > half || rest == half && (more || m&1 == 1) {
		m++
	}
	e += 63
	if m>>width != 0 { // rounded up to a power of two
		m >>= 1
		e++
	}
	return m, e, true
}
