package codec

import (
	"math"
	"math/bits"
)

// shortest32 returns the decimal digits * 10^exp that has the fewest digits of those which read as f, and of these the one nearest to f:
// what strconv.AppendFloat writes with the precision -1. f is positive and finite; digits may end in zeros.
//
// The method is Schubfach (Raffaello Giulietti, The Schubfach way to render doubles, 2021; section 9 has the figures for 32 bits). A float
// stands for all numbers of an interval. There is a power of ten so fine that the interval has a multiple of it, and so coarse that it has
// one or two of the next: three multiplications with that power, rounded to odd so that no comparison comes out otherwise for the bits that
// are cut off, tell which.
func shortest32(f float32) (digits uint32, exp int) {
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
		return c >> -q, 0 // an integer
	}
	left := 4*c - 2
	scale := q * 1262611 // log10(2) * 2^22
	if narrow {
		left++
		scale -= 524031 // log10(4/3) * 2^22
	}
	k := scale >> 22
	shift := q + (-k*1741647)>>19 + 1 // log2(10) * 2^19
	g := powers32[-k-leastPower32]
	lower, at, upper := roundToOdd(g, left<<shift), roundToOdd(g, 4*c<<shift), roundToOdd(g, (4*c+2)<<shift)
	if c&1 != 0 { // the ends of the interval round to even, which f is not
		lower++
		upper--
	}
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
	if below != above && above || below == above && (at > middle || at == middle && (narrow || s&1 != 0)) {
		s++
	}
	return s, k
}

// roundToOdd returns what the product of 96 bits has above its lower 64, with the lowest bit set where more than the error of g is below.
func roundToOdd(g uint64, c uint32) uint32 {
	out, below := bits.Mul64(g, uint64(c))
	if below>>32 > 1 {
		out |= 1
	}
	return uint32(out)
}

// leastPower32 is the exponent of the first power in powers32, which begins with it.
const leastPower32 = -31

// powers32 are the powers of ten from 1e-31 to 1e46, as numbers of 64 bits of which the highest is set, rounded up.
var powers32 = [...]uint64{
	0x81ceb32c4b43fcf5, 0xa2425ff75e14fc32, 0xcad2f7f5359a3b3f, 0xfd87b5f28300ca0e, 0x9e74d1b791e07e49,
	0xc612062576589ddb, 0xf79687aed3eec552, 0x9abe14cd44753b53, 0xc16d9a0095928a28, 0xf1c90080baf72cb2,
	0x971da05074da7bef, 0xbce5086492111aeb, 0xec1e4a7db69561a6, 0x9392ee8e921d5d08, 0xb877aa3236a4b44a,
	0xe69594bec44de15c, 0x901d7cf73ab0acda, 0xb424dc35095cd810, 0xe12e13424bb40e14, 0x8cbccc096f5088cc,
	0xafebff0bcb24aaff, 0xdbe6fecebdedd5bf, 0x89705f4136b4a598, 0xabcc77118461cefd, 0xd6bf94d5e57a42bd,
	0x8637bd05af6c69b6, 0xa7c5ac471b478424, 0xd1b71758e219652c, 0x83126e978d4fdf3c, 0xa3d70a3d70a3d70b,
	0xcccccccccccccccd, 0x8000000000000000, 0xa000000000000000, 0xc800000000000000, 0xfa00000000000000,
	0x9c40000000000000, 0xc350000000000000, 0xf424000000000000, 0x9896800000000000, 0xbebc200000000000,
	0xee6b280000000000, 0x9502f90000000000, 0xba43b74000000000, 0xe8d4a51000000000, 0x9184e72a00000000,
	0xb5e620f480000000, 0xe35fa931a0000000, 0x8e1bc9bf04000000, 0xb1a2bc2ec5000000, 0xde0b6b3a76400000,
	0x8ac7230489e80000, 0xad78ebc5ac620000, 0xd8d726b7177a8000, 0x878678326eac9000, 0xa968163f0a57b400,
	0xd3c21bcecceda100, 0x84595161401484a0, 0xa56fa5b99019a5c8, 0xcecb8f27f4200f3a, 0x813f3978f8940985,
	0xa18f07d736b90be6, 0xc9f2c9cd04674edf, 0xfc6f7c4045812297, 0x9dc5ada82b70b59e, 0xc5371912364ce306,
	0xf684df56c3e01bc7, 0x9a130b963a6c115d, 0xc097ce7bc90715b4, 0xf0bdc21abb48db21, 0x96769950b50d88f5,
	0xbc143fa4e250eb32, 0xeb194f8e1ae525fe, 0x92efd1b8d0cf37bf, 0xb7abc627050305ae, 0xe596b7b0c643c71a,
	0x8f7e32ce7bea5c70, 0xb35dbf821ae4f38c, 0xe0352f62a19e306f,
}
