package codec

import (
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"
)

// floatTexts yields n numbers in all the ways that they are written, and then the edges: powers of two and ten, halves between two
// neighbours, the smallest, the largest and what lies beyond.
func floatTexts(n int, yield func(text string)) {
	r := rand.New(rand.NewPCG(1, 2))
	for range n {
		switch x := math.Float64frombits(r.Uint64()); r.IntN(8) {
		case 0:
			if !math.IsNaN(x) && !math.IsInf(x, 0) {
				yield(strconv.FormatFloat(x, 'g', -1, 64))
			}
		case 1:
			y := math.Float32frombits(r.Uint32())
			if y == y && !math.IsInf(float64(y), 0) {
				yield(strconv.FormatFloat(float64(y), 'g', -1, 32))
			}
		case 2: // vectors
			yield(strconv.FormatFloat(r.NormFloat64()/40, 'f', -1, 32))
		case 3:
			yield(strconv.FormatFloat(r.NormFloat64()/40, 'f', -1, 64))
		case 4: // just between two neighbours of the narrow kind, and a little beside that
			y := float32(r.NormFloat64())
			half := (float64(y) + float64(math.Nextafter32(y, 9))) / 2
			yield(strconv.FormatFloat(half, 'f', -1, 64))
			yield(strconv.FormatFloat(half, 'f', 40, 64) + "1")
		case 5: // digits and exponents at random
			yield(strconv.FormatUint(r.Uint64()>>r.IntN(64), 10) + "e" + strconv.Itoa(r.IntN(80)-40))
		case 6:
			yield(strconv.FormatUint(r.Uint64()>>r.IntN(64), 10) + "." + strconv.FormatUint(r.Uint64()>>r.IntN(64), 10) + "E" + strconv.Itoa(r.IntN(700)-350))
		default: // just between two neighbours of the wide kind: 54 bits
			yield(strconv.FormatUint(1<<53+r.Uint64()>>11|1, 10) + "e" + strconv.Itoa(r.IntN(54)-27))
		}
	}
	for e := -1080; e <= 1030; e++ {
		x := math.Ldexp(1, e)
		for _, x := range []float64{x, math.Nextafter(x, 0), math.Nextafter(x, math.Inf(1))} {
			if !math.IsInf(x, 0) {
				yield(strconv.FormatFloat(x, 'g', -1, 64))
				yield(strconv.FormatFloat(-x, 'e', 25, 64))
			}
		}
	}
	for e := -400; e <= 400; e++ {
		for _, m := range []string{"1", "-1", "9", "17976931348623157", "3.4028235", "3.4028236", "0", "-0", "18446744073709551615", "99999999999999999999"} {
			yield(m + "e" + strconv.Itoa(e))
		}
	}
	for _, text := range []string{
		"0", "-0", "0.0", "-0.0", "0e5", "0.00000000000000000000000000000000000001", "9007199254740993", "9007199254740993.0", "9007199254740992.5",
		"16777217", "16777219", "1.00000005960464477539062500", "1.00000005960464477539062501", "2.2250738585072011e-308", "5e-324", "2e-324",
		"4.9406564584124654e-324", "1.7976931348623158e308", "1.7976931348623159e308", "1e-45", "7e-46", "1.1754943e-38", "3.4028235677973366e38",
		"123456789012345678901234567890", "0.1234567890123456789012345", "0000"[:1] + ".5", "7450580596923828125e-27",
	} {
		yield(text)
	}
}

// TestFloats holds that every number is the one that strconv reads, bit for bit, in both widths: alone, and as an item of a vector.
func TestFloats(t *testing.T) {
	t.Parallel()
	n := 1_000_000
	if testing.Short() || raced {
		n = 50_000
	}
	wide, narrow := &shape{typ: float64Type}, &shape{typ: float32Type}
	d, count := &decoder{}, 0
	floatTexts(n, func(text string) {
		count++
		want, err := strconv.ParseFloat(text, 64)
		d.data, d.at = []byte(text), 0
		if got, gotErr := d.float64(wide); (err == nil) != (gotErr == nil) || err == nil && math.Float64bits(got) != math.Float64bits(want) {
			t.Errorf("%s: got %x, %v; want %x, %v", text, got, gotErr, want, err)
		}
		want, err = strconv.ParseFloat(text, 32)
		d.at = 0
		if got, gotErr := d.float32(narrow); (err == nil) != (gotErr == nil) || err == nil && math.Float32bits(got) != math.Float32bits(float32(want)) {
			t.Errorf("%s: got %x, %v; want %x, %v", text, got, gotErr, float32(want), err)
		}
	})
	if count < n {
		t.Errorf("%d numbers were read, want %d", count, n)
	}
}

// TestVectors holds the same for lists, which have a reader of their own, with and without white space.
func TestVectors(t *testing.T) {
	t.Parallel()
	for _, between := range []string{",", " ,", ", ", "\n\t,\r\n  "} {
		var wide []float64
		var narrow []float32
		text64, text32 := []byte("[ "), []byte("[")
		floatTexts(5_000, func(text string) {
			if x, err := strconv.ParseFloat(text, 64); err == nil {
				wide, text64 = append(wide, x), append(append(text64, text...), between...)
			}
			if x, err := strconv.ParseFloat(text, 32); err == nil {
				narrow, text32 = append(narrow, float32(x)), append(append(text32, text...), between...)
			}
		})
		var got64 []float64
		if err := Decode(append(text64, "0]"...), &got64); err != nil {
			t.Fatal(err)
		}
		var got32 []float32
		if err := Decode(append(text32, "0 ]"...), &got32); err != nil {
			t.Fatal(err)
		}
		if !slices.EqualFunc(got64, append(wide, 0), func(a, b float64) bool { return math.Float64bits(a) == math.Float64bits(b) }) {
			t.Errorf("%q: []float64 differs", between)
		}
		if !slices.EqualFunc(got32, append(narrow, 0), func(a, b float32) bool { return math.Float32bits(a) == math.Float32bits(b) }) {
			t.Errorf("%q: []float32 differs", between)
		}
	}
}
