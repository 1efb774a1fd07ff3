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

func TestAppendFloat64IsStrconv(t *testing.T) {
	t.Parallel()
	floatTexts(50_000, func(text string) {
		f, err := strconv.ParseFloat(text, 64)
		if err != nil {
			return // it is no float
		}
		if got, ok := appendFloat(nil, f, 64); !ok || string(got) != asStandard(f, 64) {
			t.Fatalf("%s: got %s, want %s", text, got, asStandard(f, 64))
		}
	})
}
