package codec

import (
	"math/rand"
	"testing"
)

// ending reports whether a byte ends the plain part of a string.
func ending(c byte) bool { return c < ' ' || c == '"' || c == '\\' }

// checkLook holds look and plain to what is said of them, byte by byte.
func checkLook(t *testing.T, data []byte, i int) {
	t.Helper()
	at, stops, wide, passed := look(data, i)
	left := len(data) - at
	if at < i || left < 0 {
		t.Fatalf("%q from %d: came to %d", data, i, at)
	}
	high := false
	for _, c := range data[i:at] {
		if ending(c) {
			t.Fatalf("%q from %d: passed over %q on the way to %d", data, i, c, at)
		}
		high = high || c >= 0x80
	}
	if passed != 0 != high {
		t.Fatalf("%q from %d to %d: passed is %x", data, i, at, passed)
	}
	whole := left >= block
	for k := range min(block, left) {
		c := data[at+k]
		if stops>>k&1 == 1 != ending(c) || wide>>k&1 == 1 != (c >= 0x80) {
			t.Fatalf("%q from %d: stops %b, wide %b at %d, where bit %d is for %q", data, i, stops, wide, at, k, c)
		}
	}
	if whole && stops == 0 || !whole && (stops>>left&1 == 0 || wide>>left != 0) {
		t.Fatalf("%q from %d: stops %b, wide %b at %d", data, i, stops, wide, at)
	}

	want, high := i, false
	for want < len(data) && !ending(data[want]) {
		high = high || data[want] >= 0x80
		want++
	}
	if end, wide := plain(data, i); end != want || wide&highs != 0 != high {
		t.Fatalf("%q from %d: plain ends at %d, wide is %x; want %d, %v", data, i, end, wide, want, high)
	}
}

const (
	enders = "\"\\\x00\x01\x1f"
	others = " !#[]~\x7f"                   // which are next to them
	beyond = "\x80\x81\x9f\xa0\xa2\xdc\xff" // which differ from these, or from enders, in the highest bit
)

func TestLook(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewSource(1))
	data := make([]byte, 0, 2*block+5)
	for size := range cap(data) + 1 {
		data = data[:size]
		for i := range size + 1 {
			for stop := i; stop <= size; stop++ { // none at the end
				signs := others
				if r.Intn(2) == 0 {
					signs += beyond
				}
				for k := range data {
					data[k] = signs[r.Intn(len(signs))]
					if k < i && r.Intn(4) == 0 || k > stop && r.Intn(8) == 0 {
						data[k] = enders[r.Intn(len(enders))]
					}
				}
				if stop < size {
					data[stop] = enders[r.Intn(len(enders))]
				}
				checkLook(t, data, i)
			}
		}
	}
}

func FuzzLook(f *testing.F) {
	f.Add([]byte("0123456789abcdef0123456789abcdef\"01234"), 3)
	f.Add([]byte("0123456789abcdef0123456789\u00e9\\#]\x1f!"), 0)
	f.Fuzz(func(t *testing.T, data []byte, i int) {
		if i >= 0 && i <= len(data) {
			checkLook(t, data, i)
		}
	})
}
