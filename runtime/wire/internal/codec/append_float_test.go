package codec

import (
	"math"
	"math/rand/v2"
	"strconv"
	"testing"
)

// asStandard is how encoding/json writes a float: strconv's shortest form, the exponent without a zero before a single digit.
func asStandard(f float64, size int) string {
	format := byte('f')
	if m := math.Abs(f); m != 0 && (size == 64 && (m < 1e-6 || m >= 1e21) || size == 32 && (float32(m) < 1e-6 || float32(m) >= 1e21)) {
		format = 'e'
	}
	text := strconv.FormatFloat(f, format, -1, size)
	if n := len(text); format == 'e' && text[n-4:n-1] == "e-0" {
		return text[:n-2] + text[n-1:]
	}
	return text
}

// floats32 yields n floats in all the ways that they are distributed, and then the edges: each power of two with its neighbours, small
// fractions of powers of two (which lie just between two decimals), integers, decimals of few digits.
func floats32(n int, yield func(f float32)) {
	r := rand.New(rand.NewPCG(3, 4))
	for range n / 3 {
		yield(math.Float32frombits(r.Uint32()))
		yield(float32(r.NormFloat64() / 40))
		yield(float32(math.Ldexp(float64(r.Uint32()>>(8+r.IntN(20))|1), -r.IntN(40))))
	}
	for e := range uint32(256) {
		for _, m := range []uint32{0, 1, 2, 3, 1 << 22, 1<<23 - 2, 1<<23 - 1} {
			yield(math.Float32frombits(e<<23 | m))
			yield(-math.Float32frombits(e<<23 | m))
		}
	}
	for i := range n / 100 {
		for _, by := range []float32{1, 10, 1000, 1e6, 1e9} {
			yield(float32(i) / by)
			yield(float32(i) * by)
		}
	}
}

func TestAppendFloat32IsStrconv(t *testing.T) {
	t.Parallel()
	n := 1_000_000
	if raced {
		n = 20_000
	}
	buf := make([]byte, 0, 64)
	floats32(n, func(f float32) {
		got, ok := appendFloat(buf, float64(f), 32)
		switch is := !math.IsNaN(float64(f)) && !math.IsInf(float64(f), 0); {
		case ok != is:
			t.Fatalf("%v: written is %v", f, ok)
		case ok && string(got) != asStandard(float64(f), 32):
			t.Fatalf("%x: got %s, want %s", math.Float32bits(f), got, asStandard(float64(f), 32))
		}
	})
}

// floats64 is floats32 for floats of 64 bits.
func floats64(n int, yield func(f float64)) {
	r := rand.New(rand.NewPCG(5, 6))
	for range n / 5 {
		yield(math.Float64frombits(r.Uint64()))
		yield(math.Float64frombits(r.Uint64N(93<<52) + 1002<<52)) // those without an exponent, 2^-21 to 2^72
		yield(r.NormFloat64() / 40)
		yield(float64(float32(r.NormFloat64() / 40)))
		yield(math.Ldexp(float64(r.Uint64()>>(11+r.IntN(50))|1), -r.IntN(80)))
	}
	for e := range uint64(2048) {
		for _, m := range []uint64{0, 1, 2, 3, 1 << 51, 1<<52 - 2, 1<<52 - 1} {
			yield(math.Float64frombits(e<<52 | m))
			yield(-math.Float64frombits(e<<52 | m))
		}
	}
	for i := range n / 100 {
		for _, by := range []float64{1, 10, 1000, 1e6, 1e9, 1e15} {
			yield(float64(i) / by)
			yield(float64(i) * by)
		}
	}
	for _, f := range []float64{1e-6, 1e21, 0.1, 0.3, 2.0 / 3, 1 << 53, 1<<53 + 2, 1e15, 1e16, 1e20, 123456789012345678, 0.0000012345678901234567} {
		yield(f)
		yield(math.Nextafter(f, 0))
		yield(math.Nextafter(f, math.Inf(1)))
	}
}

func TestAppendFloat64IsStrconv(t *testing.T) {
	t.Parallel()
	n := 1_000_000
	if raced {
		n = 20_000
	}
	buf := make([]byte, 0, 64)
	floats64(n, func(f float64) {
		got, ok := appendFloat(buf, f, 64)
		switch is := !math.IsNaN(f) && !math.IsInf(f, 0); {
		case ok != is:
			t.Fatalf("%v: written is %v", f, ok)
		case ok && string(got) != asStandard(f, 64):
			t.Fatalf("%x: got %s, want %s", math.Float64bits(f), got, asStandard(f, 64))
		}
	})
}
