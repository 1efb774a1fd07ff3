package codec

import (
	"math"
	"math/bits"
)

// shortest32 returns the decimal digits * 10^exp that has the fewest digits of those which read as f, and of these the one nearest to f:
// what strconv.AppendFloat writes with the precision -1. f is at least leastPlain and less than pastPlain; digits may end in zeros.
//
// The method is Schubfach (Raffaello Giulietti, The Schubfach way to render doubles, 2021; section 9 has the figures for 32 bits). A float
// stands for all numbers of an interval. There is a power of ten so fine that the interval has a multiple of it, and so coarse that it has
// one or two of the next: three multiplications with that power, rounded to odd so that no comparison comes out otherwise for the bits that
// are cut off, tell which.
func shortest32(f float32) (digits uint64, exp int) {
	const (
		fraction = 23
		bias     = 127 + fraction
	)
	b := math.Float32bits(f)
	c, q := b&(1<<fraction-1), int(b>>fraction)
	narrow := c == 0 && q > 1 // below a power of two floats are twice as near
	if q == 0 {
		q = 1
	} else {
		c |= 1 << fraction
	}
	q -= bias
	if q <= 0 && q > -fraction-1 && c&(1<<-q-1) == 0 {
		return uint64(c >> -q), 0 // an integer
	}
	left := 4*c - 2
	if narrow {
		left++
	}
	k, shift := scaleOf(q, narrow)
	g := powers32[-k-leastPower32]
	lower, at, upper := roundToOdd32(g, left<<shift), roundToOdd32(g, 4*c<<shift), roundToOdd32(g, (4*c+2)<<shift)
	if c&1 != 0 { // the ends of the interval round to even, which f is not
		lower++
		upper--
	}
	return shortestIn(uint64(lower), uint64(at), uint64(upper), k, narrow)
}

// scaleOf returns the power of ten that has one or two multiples in the interval of a float, which is a multiple of 2^q, and by how many bits
// what is multiplied with it is shifted.
func scaleOf(q int, narrow bool) (k, shift int) {
	scale := q * 1262611 // log10(2) * 2^22
	if narrow {
		scale -= 524031 // log10(4/3) * 2^22
	}
	k = scale >> 22
	return k, q + (-k*1741647)>>19 + 1 // log2(10) * 2^19
}

// shortestIn returns the shortest number, and of these the nearest to at, that lies between lower and upper. All three are in quarters of
// 10^k.
func shortestIn(lower, at, upper uint64, k int, narrow bool) (digits uint64, exp int) {
	s := at / 4
	if s >= 10 {
		ten := s / 10 * 40
		below, above := lower <= ten, ten+40 <= upper
		if below != above {
			if above {
				ten += 40
			}
			return ten / 40, k + 1
		}
	}
	below, above := lower <= 4*s, 4*s+4 <= upper
	middle := 4*s + 2
	if below != above && above || below == above && (at > middle || at == middle && (narrow && upAtPowers || s&1 != 0)) {
		s++
	}
	return s, k
}

// roundToOdd32 returns what the product of 96 bits has above its lower 64, with the lowest bit set where more than the error of g is below.
func roundToOdd32(g uint64, c uint32) uint32 {
	out, below := bits.Mul64(g, uint64(c))
	if below>>32 > 1 {
		out |= 1
	}
	return uint32(out)
}

// leastPower32 is the exponent of the first power in powers32.
const leastPower32 = -14

// powers32 are the powers of ten from 1e-14 to 1e14, as numbers of 64 bits of which the highest is set, rounded up. Floats that are written
// without an exponent need no more.
var powers32 = [...]uint64{
	0xb424dc35095cd810, 0xe12e13424bb40e14, 0x8cbccc096f5088cc, 0xafebff0bcb24aaff, 0xdbe6fecebdedd5bf,
	0x89705f4136b4a598, 0xabcc77118461cefd, 0xd6bf94d5e57a42bd, 0x8637bd05af6c69b6, 0xa7c5ac471b478424,
	0xd1b71758e219652c, 0x83126e978d4fdf3c, 0xa3d70a3d70a3d70b, 0xcccccccccccccccd, 0x8000000000000000,
	0xa000000000000000, 0xc800000000000000, 0xfa00000000000000, 0x9c40000000000000, 0xc350000000000000,
	0xf424000000000000, 0x9896800000000000, 0xbebc200000000000, 0xee6b280000000000, 0x9502f90000000000,
	0xba43b74000000000, 0xe8d4a51000000000, 0x9184e72a00000000, 0xb5e620f480000000,
}
