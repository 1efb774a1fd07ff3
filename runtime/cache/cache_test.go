package cache_test

import (
	"bytes"
	"context"
	"net/http"
	"strconv"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/resgen-go/resgen/runtime"
	"github.com/resgen-go/resgen/runtime/cache"
)

var _ runtime.Store = (*cache.Cache)(nil)

func set(t *testing.T, c *cache.Cache, key, body string, keep time.Duration) {
	t.Helper()
	if err := c.Set(t.Context(), key, runtime.Entry{Status: 200, Body: []byte(body), Stored: time.Now()}, keep); err != nil {
		t.Fatalf("Set(%q) = %v", key, err)
	}
}

// held returns the bodies under the keys; what is not there is "-".
func held(t *testing.T, c *cache.Cache, keys ...string) []string {
	t.Helper()
	var bodies []string
	for _, key := range keys {
		e, ok, err := c.Get(t.Context(), key)
		if err != nil {
			t.Fatalf("Get(%q) = %v", key, err)
		}
		if !ok {
			e.Body = []byte("-")
		}
		bodies = append(bodies, string(e.Body))
	}
	return bodies
}

func check(t *testing.T, what string, got, want any) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", what, diff)
	}
}

func TestCacheKeepsTheWholeEntry(t *testing.T) {
	t.Parallel()
	c := cache.New(cache.Config{})
	want := runtime.Entry{Status: 201, Header: http.Header{"Content-Type": {"application/json"}}, Body: []byte(`{}`), Stored: time.Now()}
	if err := c.Set(t.Context(), "a", want, time.Hour); err != nil {
		t.Fatal(err)
	}
	got, ok, err := c.Get(t.Context(), "a")
	if !ok || err != nil {
		t.Fatalf("Get = %v, %v", ok, err)
	}
	check(t, "entry", got, want)
}

func TestCacheForgetsWhatWasNotUsedForLongest(t *testing.T) {
	t.Parallel()
	c := cache.New(cache.Config{Entries: 2})
	set(t, c, "a", "1", time.Hour)
	set(t, c, "b", "2", time.Hour)
	held(t, c, "a")
	set(t, c, "c", "3", time.Hour)
	check(t, "bodies", held(t, c, "a", "b", "c"), []string{"1", "-", "3"})
	check(t, "length", c.Len(), 2)
}

func TestCacheIsBoundedInBytes(t *testing.T) {
	t.Parallel()
	const size, most = 1000, 20_000
	c := cache.New(cache.Config{Bytes: most})
	for i := range 100 {
		set(t, c, strconv.Itoa(i), string(bytes.Repeat([]byte{'x'}, size)), time.Hour)
		if got := c.Bytes(); got > most || got < int64(c.Len()*size) {
			t.Fatalf("after %d entries: %d bytes of %d in %d entries", i+1, got, most, c.Len())
		}
	}
	if got := c.Len(); got < 10 || got > 20 {
		t.Errorf("%d entries of %d bytes in %d bytes", got, size, most)
	}
	check(t, "the newest and the oldest", held(t, c, "99", "0")[1], "-")
	if got := held(t, c, "99"); len(got[0]) != size {
		t.Errorf("the newest is gone")
	}
}

func TestCacheAccountsForWhatItReplaces(t *testing.T) {
	t.Parallel()
	c := cache.New(cache.Config{Bytes: 100_000})
	set(t, c, "a", "1", time.Hour)
	one := c.Bytes()
	for range 10 {
		set(t, c, "a", "2", time.Hour)
	}
	check(t, "bytes of one", c.Bytes(), one)
	check(t, "body", held(t, c, "a"), []string{"2"})
	set(t, c, "a", string(make([]byte, 50_000)), time.Hour)
	check(t, "one that is too large, and the older one", held(t, c, "a"), []string{"-"})
	check(t, "bytes of none", c.Bytes(), int64(0))
	set(t, c, "a", "3", time.Hour)
	c.Purge()
	check(t, "bytes after Purge", c.Bytes(), int64(0))
	check(t, "after Purge", held(t, c, "a"), []string{"-"})
}

func TestCacheForgetsWhatIsTooOld(t *testing.T) {
	t.Parallel()
	for range 2 { // two bubbles in a row: nothing is left of the first
		synctest.Test(t, func(t *testing.T) {
			c := cache.New(cache.Config{})
			set(t, c, "a", "1", time.Minute)
			set(t, c, "none", "1", 0)
			check(t, "kept for no time", held(t, c, "none"), []string{"-"})
			time.Sleep(time.Minute - 1) // in the synctest bubble
			check(t, "a moment before", held(t, c, "a"), []string{"1"})
			time.Sleep(time.Nanosecond) // in the synctest bubble
			check(t, "then", held(t, c, "a"), []string{"-"})
			check(t, "bytes", c.Bytes(), int64(0))
		})
	}
}

func TestCacheIsSafeForConcurrentUse(t *testing.T) {
	t.Parallel()
	c := cache.New(cache.Config{Entries: 8, Bytes: 4000})
	var all sync.WaitGroup
	for g := range 8 {
		all.Go(func() {
			for i := range 200 {
				key := strconv.Itoa((g * i) % 16)
				_ = c.Set(context.Background(), key, runtime.Entry{Body: []byte(key)}, time.Hour)
				if e, ok, _ := c.Get(context.Background(), key); ok && string(e.Body) != key {
					t.Errorf("under %q is %q", key, e.Body)
				}
				c.Len()
			}
		})
	}
	all.Wait()
	if got := c.Bytes(); got > 4000 {
		t.Errorf("%d bytes", got)
	}
}
