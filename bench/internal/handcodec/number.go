package handcodec

import (
	"encoding/binary"
	"math"
	"strconv"
	"unsafe"
)

func (c *cursor) integer() int64 {
	negative := c.space() == '-'
	if negative {
		c.i++
	}
	from, n := c.i, int64(0)
	for c.i < len(c.b) {
		digit := c.b[c.i] - '0'
		if digit > 9 {
			break
		}
		n = n*10 + int64(digit)
		c.i++
	}
	if c.i == from {
		c.bad = true
	}
	if negative {
		return -n
	}
	return n
}

// number is a decimal: mantissa times ten to the power of exponent.
type number struct {
	mantissa uint64
	exponent int
	negative bool
	// digits are how many there are: 19 fit the mantissa.
	digits int
}

// scan reads the number at i, and returns where it ends.
func scan(b []byte, i int) (n number, end int) {
	if i < len(b) && b[i] == '-' {
		n.negative = true
		i++
	}
	from := i
	n.mantissa, i = digits(b, i, 0)
	n.digits = i - from
	if i < len(b) && b[i] == '.' {
		i++
		from := i
		for i+8 <= len(b) {
			word := binary.LittleEndian.Uint64(b[i:])
			if !areDigits(word) {
				break
			}
			n.mantissa = n.mantissa*1e8 + eightDigits(word)
			i += 8
		}
		n.mantissa, i = digits(b, i, n.mantissa)
		n.exponent = from - i
		n.digits += i - from
	}
	if i < len(b) && b[i]|0x20 == 'e' {
		i++
		negative := i < len(b) && b[i] == '-'
		if i < len(b) && (b[i] == '-' || b[i] == '+') {
			i++
		}
		var exponent uint64
		exponent, i = digits(b, i, 0)
		if negative {
			n.exponent -= int(exponent)
		} else {
			n.exponent += int(exponent)
		}
	}
	return n, i
}

func digits(b []byte, i int, n uint64) (uint64, int) {
	for i < len(b) {
		digit := b[i] - '0'
		if digit > 9 {
			break
		}
		n = n*10 + uint64(digit)
		i++
	}
	return n, i
}

// areDigits and eightDigits take eight bytes at once.
func areDigits(word uint64) bool {
	return (word&0xF0F0F0F0F0F0F0F0)|(((word+0x0606060606060606)&0xF0F0F0F0F0F0F0F0)>>4) == 0x3333333333333333
}

func eightDigits(word uint64) uint64 {
	word -= 0x3030303030303030
	word = word*10 + word>>8
	return ((word&0x000000FF000000FF)*0x000F424000000064 + ((word>>16)&0x000000FF000000FF)*0x0000271000000001) >> 32
}

var powers = [...]float64{
	1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
}

// quotient is the value if one division gives it exactly rounded: both operands are exact then (Clinger 1990).
func (n *number) quotient() (float64, bool) {
	if n.digits == 0 || n.digits > 19 || n.mantissa >= 1<<53 || n.exponent > 0 || n.exponent < -22 {
		return 0, false
	}
	f := float64(n.mantissa) / powers[-n.exponent]
	if n.negative {
		return -f, true
	}
	return f, true
}

// Float32 reads the number at i and returns where it ends. Rounded to float64 first, it is exact unless that is halfway between two float32,
// or smaller than the smallest normal one.
func Float32(b []byte, i int) (f float32, end int, ok bool) {
	n, end := scan(b, i)
	if f, ok := n.quotient(); ok {
		raw := math.Float64bits(f)
		if raw&(1<<29-1) != 1<<28 && (n.mantissa == 0 || raw<<1>>53 >= 1023-126) {
			return float32(f), end, true
		}
	}
	if end == i {
		return 0, i, false
	}
	exact, err := strconv.ParseFloat(unsafe.String(&b[i], end-i), 32)
	return float32(exact), end, err == nil
}

// Float64 is the same for 64 bits.
func Float64(b []byte, i int) (f float64, end int, ok bool) {
	n, end := scan(b, i)
	if f, ok := n.quotient(); ok {
		return f, end, true
	}
	if end == i {
		return 0, i, false
	}
	exact, err := strconv.ParseFloat(unsafe.String(&b[i], end-i), 64)
	return exact, end, err == nil
}

func (c *cursor) float() float64 {
	c.space()
	f, end, ok := Float64(c.b, c.i)
	if !ok {
		c.bad = true
	}
	c.i = end
	return f
}

// floats32 reads a list of numbers into a slice of the size hint. It is there for each width, since a call through a value costs.
func (c *cursor) floats32(hint int) []float32 {
	out := make([]float32, 0, hint)
	if !c.open('[', ']') {
		return out
	}
	b, i := c.b, c.i
	for {
		i = behindSpace(b, i)
		f, end, ok := Float32(b, i)
		if !ok {
			break
		}
		out = append(out, f)
		i = behindSpace(b, end)
		if i >= len(b) || b[i] != ',' {
			break
		}
		i++
	}
	c.i = i
	c.want(']')
	return out
}

// floats64 reads a list of numbers into a slice of the size hint. It is there for each width, since a call through a value costs.
func (c *cursor) floats64(hint int) []float64 {
	out := make([]float64, 0, hint)
	if !c.open('[', ']') {
		return out
	}
	b, i := c.b, c.i
	for {
		i = behindSpace(b, i)
		f, end, ok := Float64(b, i)
		if !ok {
			break
		}
		out = append(out, f)
		i = behindSpace(b, end)
		if i >= len(b) || b[i] != ',' {
			break
		}
		i++
	}
	c.i = i
	c.want(']')
	return out
}

func behindSpace(b []byte, i int) int {
	for i < len(b) && b[i] <= ' ' {
		i++
	}
	return i
}
