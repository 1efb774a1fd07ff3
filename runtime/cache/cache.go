package cache

import (
	"context"
	"fmt"
	"net/http"
	"sync"
	"time"

	"github.com/hashicorp/golang-lru/v2/simplelru"

	"github.com/resgen-go/resgen/runtime"
)

// Config bounds a Cache.
type Config struct {
	// Entries is the number of answers that are kept; 0 is 10,000.
	Entries int
	// Bytes is the memory that they may take, as near as can be told; 0 is 64 MiB. An answer that needs more than an eighth of it is
	// not kept, or one would drive out many.
	Bytes int64
}

// What a Config that says nothing bounds a Cache to, and the part of it that one answer may take.
const (
	defaultEntries       = 10_000
	defaultBytes   int64 = 64 << 20
	largest              = 8
)

// Cache keeps answers in this process, the ones that were used last. It starts no goroutine: what is too old is dropped when it is asked
// for, or when room is needed. Safe for concurrent use. Make it with New, and share it between clients as you like.
type Cache struct {
	max int64

	mu    sync.Mutex
	lru   *simplelru.LRU[string, kept]
	bytes int64
}

// kept is an answer, how large it is, and until when it is kept.
type kept struct {
	entry runtime.Entry
	size  int64
	until time.Time
}

// New returns an empty Cache.
func New(cfg Config) *Cache {
	if cfg.Entries <= 0 {
		cfg.Entries = defaultEntries
	}
	if cfg.Bytes <= 0 {
		cfg.Bytes = defaultBytes
	}
	c := &Cache{max: cfg.Bytes}
	lru, err := simplelru.NewLRU(cfg.Entries, func(_ string, k kept) { c.bytes -= k.size })
	if err != nil { // for a size of 0 or less only
		panic(fmt.Sprintf("cache: %v", err))
	}
	c.lru = lru
	return c
}

// Get returns the entry under a key, unless it is gone or too old. It never fails.
func (c *Cache) Get(_ context.Context, key string) (runtime.Entry, bool, error) {
	now := time.Now()
	c.mu.Lock()
	defer c.mu.Unlock()
	k, ok := c.lru.Get(key)
	if !ok {
		return runtime.Entry{}, false, nil
	}
	if !now.Before(k.until) {
		c.lru.Remove(key)
		return runtime.Entry{}, false, nil
	}
	return k.entry, true, nil
}

// Set keeps an entry, and drops those that were not used for longest as far as room is needed. One that is too large is not kept, nor is
// an older one under its key. It never fails.
func (c *Cache) Set(_ context.Context, key string, e runtime.Entry, keep time.Duration) error {
	k := kept{entry: e, size: sizeOf(key, e), until: time.Now().Add(keep)}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.lru.Remove(key) // replacing would not tell of what it replaces
	if keep <= 0 || k.size > c.max/largest {
		return nil
	}
	c.bytes += k.size
	c.lru.Add(key, k)
	for c.bytes > c.max {
		c.lru.RemoveOldest()
	}
	return nil
}

// Local says that the cache answers at once; see runtime.Store.
func (*Cache) Local() {}

// Len returns the number of answers that are kept, too old ones among them.
func (c *Cache) Len() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.lru.Len()
}

// Bytes returns the memory that they take, as near as can be told.
func (c *Cache) Bytes() int64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.bytes
}

// Purge drops everything.
func (c *Cache) Purge() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.lru.Purge()
}

// What an entry takes beside its text: the list's and the map's own, and a header field's.
const (
	entryOverhead = 256
	fieldOverhead = 64
)

// sizeOf returns the memory that an entry takes.
func sizeOf(key string, e runtime.Entry) int64 {
	return int64(entryOverhead+len(key)+cap(e.Body)) + headerSize(e.Header)
}

// headerSize returns the memory that a header takes.
func headerSize(h http.Header) int64 {
	size := 0
	for name, values := range h {
		size += fieldOverhead + len(name)
		for _, v := range values {
			size += fieldOverhead + len(v)
		}
	}
	return int64(size)
}
