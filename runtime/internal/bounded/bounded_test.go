package bounded_test

import (
	"math/rand/v2"
	"net/http"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/resgen-go/resgen/runtime/internal/bounded"
)

// start is when the tests begin; the list has no clock.
var start = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)

type item = bounded.Item[string, int]

// kept is a list, and the keys of what it dropped, in order.
type kept struct {
	*bounded.List[string, int]

	dropped []string
}

func newList(entries int, bytes int64) *kept {
	k := &kept{}
	k.List = bounded.New(entries, bytes, func(i *item) { k.dropped = append(k.dropped, i.Key) })
	return k
}

// add keeps entries of a size for an hour.
func (k *kept) add(size int64, keys ...string) {
	for _, key := range keys {
		k.Set(key, 1, size, start, time.Hour)
	}
}

func equal(t *testing.T, what string, got, want any) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", what, diff)
	}
}

func TestWhatWasNotUsedForLongestGoesFirst(t *testing.T) {
	t.Parallel()
	l := newList(3, 0)
	l.add(1, "a", "b", "c")
	if _, ok := l.Get("a", start); !ok {
		t.Fatal("a is not there")
	}
	l.add(1, "d", "e")
	equal(t, "dropped", l.dropped, []string{"b", "c"})
	equal(t, "length", l.Len(), 3)
	equal(t, "bytes", l.Bytes(), int64(3))
}

func TestBytesAreBounded(t *testing.T) {
	t.Parallel()
	l := newList(0, 80)
	l.add(10, "a", "b", "c", "d", "e", "f", "g", "h")
	equal(t, "dropped of what fits", l.dropped, []string(nil))
	l.add(1, "i")
	equal(t, "dropped for one byte", l.dropped, []string{"a"})
	equal(t, "bytes", l.Bytes(), int64(71))
	l.add(10, "j", "k")
	equal(t, "dropped for more", l.dropped, []string{"a", "b", "c"})
	equal(t, "bytes", l.Bytes(), int64(71))
}

func TestWhatIsReplacedIsAccountedFor(t *testing.T) {
	t.Parallel()
	l := newList(0, 800)
	l.add(10, "a", "b")
	for size := range int64(50) {
		l.add(size, "a")
	}
	equal(t, "bytes", l.Bytes(), int64(59))
	equal(t, "length", l.Len(), 2)
	i := l.Set("a", 7, 1, start, time.Hour)
	got, ok := l.Get("a", start)
	if !ok || got != i || got.Value != 7 || got.Key != "a" {
		t.Errorf("under a is %+v, %v; want %+v", got, ok, i)
	}
	l.Remove("a")
	l.Remove("a")
	l.Remove("never")
	equal(t, "bytes after Remove", l.Bytes(), int64(10))
	l.dropped = nil
	l.Purge()
	equal(t, "dropped by Purge", l.dropped, []string{"b"})
	equal(t, "bytes after Purge", l.Bytes(), int64(0))
	equal(t, "length after Purge", l.Len(), 0)
}

func TestWhatIsNotTakenReplacesAllTheSame(t *testing.T) {
	t.Parallel()
	cases := map[string]struct {
		size int64
		keep time.Duration
		want bool
	}{
		"an eighth":      {10, time.Hour, true},
		"more than that": {11, time.Hour, false},
		"for no time":    {10, 0, false},
		"for less":       {10, -1, false},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l := newList(0, 80)
			l.add(5, "a")
			equal(t, "takes", l.Takes(c.size, c.keep), c.want)
			equal(t, "kept", l.Set("a", 2, c.size, start, c.keep) != nil, c.want)
			equal(t, "dropped", l.dropped, []string{"a"})
			_, ok := l.Get("a", start)
			equal(t, "found", ok, c.want)
			equal(t, "length", l.Len() == 1, c.want)
			equal(t, "bytes", l.Bytes() == c.size, c.want)
		})
	}
}

func TestEntriesAreKeptForTheirTime(t *testing.T) {
	t.Parallel()
	l := newList(0, 0)
	i := l.Set("a", 1, 10, start, time.Minute)
	if _, ok := l.Get("a", start.Add(time.Minute-1)); !ok || i.Old(start.Add(time.Minute-1)) {
		t.Error("a moment before, it is old")
	}
	equal(t, "old", i.Old(start.Add(time.Minute)), true)
	equal(t, "length before it is asked for", l.Len(), 1)
	if _, ok := l.Get("a", start.Add(time.Minute)); ok {
		t.Error("what is old is given")
	}
	equal(t, "dropped", l.dropped, []string{"a"})
	equal(t, "bytes", l.Bytes(), int64(0))
}

func TestDefaultBounds(t *testing.T) {
	t.Parallel()
	l := bounded.New[int, int](0, -1, nil)
	for i := range 10_001 {
		l.Set(i, i, 1, start, time.Hour)
	}
	equal(t, "entries", l.Len(), 10_000)
	equal(t, "an eighth of 64 MiB", l.Takes(8<<20, 1), true)
	equal(t, "more than that", l.Takes(8<<20+1, 1), false)
}

func TestSizeOfHeader(t *testing.T) {
	t.Parallel()
	equal(t, "none", bounded.HeaderSize(nil), int64(0))
	equal(t, "one field of two values", bounded.HeaderSize(http.Header{"Vary": {"a", "bc"}}), int64(3*64+4+3))
}

// TestAgreesWithASlice plays random uses against the plainest list there is.
func TestAgreesWithASlice(t *testing.T) {
	t.Parallel()
	const entries, bytes = 6, 100
	random := rand.New(rand.NewPCG(1, 2))
	l := newList(entries, bytes)
	var naive []item // that which was not used for longest first
	sizes := map[string]int64{}
	total := func() (sum int64) {
		for _, i := range naive {
			sum += sizes[i.Key]
		}
		return sum
	}
	for step := range 20_000 {
		key := string(rune('a' + random.IntN(12)))
		at := slices.IndexFunc(naive, func(i item) bool { return i.Key == key })
		switch random.IntN(4) {
		case 0, 1:
			size := random.Int64N(15)
			l.Set(key, step, size, start, time.Hour)
			if at >= 0 {
				naive = slices.Delete(naive, at, at+1)
			}
			if size <= bytes/8 {
				naive, sizes[key] = append(naive, item{Key: key, Value: step}), size
			}
			for len(naive) > entries || total() > bytes {
				naive = naive[1:]
			}
		case 2:
			got, ok := l.Get(key, start)
			if ok != (at >= 0) || ok && got.Value != naive[at].Value {
				t.Fatalf("step %d: under %q is %+v, %v", step, key, got, ok)
			}
			if ok {
				naive = append(slices.Delete(naive, at, at+1), item{Key: key, Value: got.Value})
			}
		default:
			l.Remove(key)
			if at >= 0 {
				naive = slices.Delete(naive, at, at+1)
			}
		}
		if l.Len() != len(naive) || l.Bytes() != total() {
			t.Fatalf("step %d: %d entries of %d bytes, want %d of %d", step, l.Len(), l.Bytes(), len(naive), total())
		}
	}
}
