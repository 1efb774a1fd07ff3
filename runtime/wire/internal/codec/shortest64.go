package codec

import (
	"math"
	"math/bits"
)

// shortest64 is shortest32 for floats of 64 bits: the same method with products of 192 bits.
func shortest64(f float64) (digits uint64, exp int) {
	const (
		fraction = 52
		bias     = 1023 + fraction
	)
	b := math.Float64bits(f)
	c, q := b&(1<<fraction-1), int(b>>fraction)-bias // f is never so small that it has no hidden bit
	narrow := c == 0
	c |= 1 << fraction
	if q <= 0 && q > -fraction-1 && c&(1<<-q-1) == 0 {
		return c >> -q, 0 // an integer
	}
	left := 4*c - 2
	if narrow {
		left++
	}
	k, shift := scaleOf(q, narrow)
	g := powers64[-k-leastPower64]
	lower, at, upper := roundToOdd64(g, left<<shift), roundToOdd64(g, 4*c<<shift), roundToOdd64(g, (4*c+2)<<shift)
	if c&1 != 0 { // the ends of the interval round to even, which f is not
		lower++
		upper--
	}
	return shortestIn(lower, at, upper, k, narrow)
}

// roundToOdd64 returns what the product of 192 bits has above its lower 128, with the lowest bit set where more than the error of g is
// below.
func roundToOdd64(g [2]uint64, c uint64) uint64 {
	carried, _ := bits.Mul64(g[1], c)
	out, below := bits.Mul64(g[0], c)
	below, carry := bits.Add64(below, carried, 0)
	out += carry
	if below > 1 {
		out |= 1
	}
	return out
}

// leastPower64 is the exponent of the first power in powers64.
const leastPower64 = -7

// powers64 are the powers of ten from 1e-7 to 1e24, as numbers of 128 bits, the upper half first, of which the highest is set, rounded up.
// Floats that are written without an exponent need no more.
var powers64 = [...][2]uint64{
	{0xd6bf94d5e57a42bc, 0x3d32907604691b4d},
	{0x8637bd05af6c69b5, 0xa63f9a49c2c1b110},
	{0xa7c5ac471b478423, 0x0fcf80dc33721d54},
	{0xd1b71758e219652b, 0xd3c36113404ea4a9},
	{0x83126e978d4fdf3b, 0x645a1cac083126ea},
	{0xa3d70a3d70a3d70a, 0x3d70a3d70a3d70a4},
	{0xcccccccccccccccc, 0xcccccccccccccccd},
	{0x8000000000000000, 0x0000000000000000},
	{0xa000000000000000, 0x0000000000000000},
	{0xc800000000000000, 0x0000000000000000},
	{0xfa00000000000000, 0x0000000000000000},
	{0x9c40000000000000, 0x0000000000000000},
	{0xc350000000000000, 0x0000000000000000},
	{0xf424000000000000, 0x0000000000000000},
	{0x9896800000000000, 0x0000000000000000},
	{0xbebc200000000000, 0x0000000000000000},
	{0xee6b280000000000, 0x0000000000000000},
	{0x9502f90000000000, 0x0000000000000000},
	{0xba43b74000000000, 0x0000000000000000},
	{0xe8d4a51000000000, 0x0000000000000000},
	{0x9184e72a00000000, 0x0000000000000000},
	{0xb5e620f480000000, 0x0000000000000000},
	{0xe35fa931a0000000, 0x0000000000000000},
	{0x8e1bc9bf04000000, 0x0000000000000000},
	{0xb1a2bc2ec5000000, 0x0000000000000000},
	{0xde0b6b3a76400000, 0x0000000000000000},
	{0x8ac7230489e80000, 0x0000000000000000},
	{0xad78ebc5ac620000, 0x0000000000000000},
	{0xd8d726b7177a8000, 0x0000000000000000},
	{0x878678326eac9000, 0x0000000000000000},
	{0xa968163f0a57b400, 0x0000000000000000},
	{0xd3c21bcecceda100, 0x0000000000000000},
}
