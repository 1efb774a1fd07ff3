package codec

import (
	"encoding/base64"
	"encoding/binary"
	"math"
	"math/bits"
)

const (
	packedSize  = 4  // bytes of a float32
	packedChars = 16 // characters of base64 that are three of them
)

// sextets are the values of the characters of base64 (RFC 4648, section 4); noSextet for all others.
var sextets = func() (t [256]uint8) {
	for i := range t {
		t[i] = noSextet
	}
	for i, c := range "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/" {
		t[c] = uint8(i)
	}
	return t
}()

const noSextet = 0xff

// quad returns the 24 bits that four characters stand for; all has more than six bits set if one of them is none.
func quad(c []byte) (value, all uint32) {
	_ = c[3]
	s0, s1, s2, s3 := uint32(sextets[c[0]]), uint32(sextets[c[1]]), uint32(sextets[c[2]]), uint32(sextets[c[3]])
	return s0<<18 | s1<<12 | s2<<6 | s3, s0 | s1 | s2 | s3
}

// readPacked reads base64 of little-endian float32 into a vector, with no other memory for what is between.
func readPacked[T float32 | float64](d *decoder, p *[]T) error {
	from := d.at
	text, err := d.span()
	if err != nil {
		return err
	}
	out := (*p)[:0]
	if n := base64.StdEncoding.DecodedLen(len(text)) / packedSize; out == nil || cap(out) < n {
		out = make([]T, 0, n)
	}
	for len(text) >= packedChars {
		a, allA := quad(text)
		b, allB := quad(text[4:])
		c, allC := quad(text[8:])
		e, allE := quad(text[12:packedChars])
		if allA|allB|allC|allE > 63 {
			break // the padding at the end, or ends of lines, or no base64
		}
		out = append(out, unpack[T](a<<8|b>>16), unpack[T](b<<16|c>>8), unpack[T](c<<24|e))
		text = text[packedChars:]
	}
	rest := make([]byte, base64.StdEncoding.DecodedLen(len(text)))
	n, err := base64.StdEncoding.Decode(rest, text)
	if err != nil {
		return &Error{Offset: from, Err: err}
	}
	for b := rest[:n]; len(b) >= packedSize; b = b[packedSize:] {
		out = append(out, T(math.Float32frombits(binary.LittleEndian.Uint32(b))))
	}
	if n%packedSize != 0 {
		return misfit(from, "expected base64 of float32, found %d bytes", len(out)*packedSize+n%packedSize)
	}
	*p = out
	d.passed(from, d.at)
	return nil
}

// unpack returns the number whose bytes are those of b, the highest first.
func unpack[T float32 | float64](b uint32) T { return T(math.Float32frombits(bits.ReverseBytes32(b))) }
