// Package bounded is the list that the stores of this module keep their answers in: bounded in number and in bytes, each answer for its time.
//
//	Set ──▶ what is under the key goes ──▶ too large, or for no time: not kept
//	                                  └──▶ kept ──▶ those that were not used for longest go, as far as room is needed
//
// It is hashicorp/golang-lru's list, and what that lacks: a bound in bytes, and an age of each entry's own.
package bounded

import (
	"fmt"
	"net/http"
	"time"

	"github.com/hashicorp/golang-lru/v2/simplelru"
)

// What a list is bounded to where no bound is given, and the part of its bytes that one entry may take.
const (
	defaultEntries       = 10_000
	defaultBytes   int64 = 64 << 20
	largest              = 8
)

// Item is an entry of a list. It does not change.
type Item[K comparable, V any] struct {
	Key   K
	Value V
	size  int64
	until time.Time
}

// Old reports whether the time for which the item is kept is over.
func (i *Item[K, V]) Old(now time.Time) bool { return !now.Before(i.until) }

// List keeps the entries that were used last. It is not safe for concurrent use: the lock of its store, which may guard more, is held.
type List[K comparable, V any] struct {
	lru   *simplelru.LRU[K, *Item[K, V]]
	max   int64
	bytes int64
}

// New returns an empty list of so many entries and bytes; 0 and less are the defaults. Each item that leaves it, for whatever reason, is given
// to dropped, which may be nil, and which must not use the list.
func New[K comparable, V any](entries int, bytes int64, dropped func(*Item[K, V])) *List[K, V] {
	if entries <= 0 {
		entries = defaultEntries
	}
	if bytes <= 0 {
		bytes = defaultBytes
	}
	l := &List[K, V]{max: bytes}
	lru, err := simplelru.NewLRU(entries, func(_ K, i *Item[K, V]) {
		l.bytes -= i.size
		if dropped != nil {
			dropped(i)
		}
	})
	if err != nil { // for a size of 0 or less only
		panic(fmt.Sprintf("bounded: %v", err))
	}
	l.lru = lru
	return l
}

// Get returns the item under a key, and counts that as a use of it. One that is too old is dropped.
func (l *List[K, V]) Get(key K, now time.Time) (*Item[K, V], bool) {
	i, ok := l.lru.Get(key)
	if !ok {
		return nil, false
	}
	if i.Old(now) {
		l.lru.Remove(key)
		return nil, false
	}
	return i, true
}

// Takes reports whether an entry of a size is kept for a time at all. One that needs more than an eighth of the bytes is not, or it would drive
// out many.
func (l *List[K, V]) Takes(size int64, keep time.Duration) bool {
	return keep > 0 && size <= l.max/largest
}

// Set keeps an entry in the place of the one under its key, and drops those that were not used for longest as far as room is needed. It returns
// nil where the list does not take the entry; what was under its key is dropped all the same.
func (l *List[K, V]) Set(key K, value V, size int64, now time.Time, keep time.Duration) *Item[K, V] {
	l.lru.Remove(key) // replacing would not tell of what it replaces
	if !l.Takes(size, keep) {
		return nil
	}
	i := &Item[K, V]{Key: key, Value: value, size: size, until: now.Add(keep)}
	l.bytes += size
	l.lru.Add(key, i)
	for l.bytes > l.max {
		l.lru.RemoveOldest()
	}
	return i
}

// Remove drops the item under a key, if there is one.
func (l *List[K, V]) Remove(key K) { l.lru.Remove(key) }

// Purge drops everything.
func (l *List[K, V]) Purge() { l.lru.Purge() }

// Len returns the number of entries, too old ones among them.
func (l *List[K, V]) Len() int { return l.lru.Len() }

// Bytes returns the sum of their sizes.
func (l *List[K, V]) Bytes() int64 { return l.bytes }

// fieldOverhead is what a field of a header takes beside its text, and each value of it.
const fieldOverhead = 64

// HeaderSize returns the memory that a header takes, as near as can be told.
func HeaderSize(h http.Header) int64 {
	size := 0
	for name, values := range h {
		size += fieldOverhead + len(name)
		for _, v := range values {
			size += fieldOverhead + len(v)
		}
	}
	return int64(size)
}
