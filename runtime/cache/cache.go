package cache

import (
	"context"
	"sync"
	"time"

	"github.com/resgen-go/resgen/runtime"
	"github.com/resgen-go/resgen/runtime/internal/bounded"
)

// Config bounds a Cache.
type Config struct {
	// Entries is the number of answers that are kept; 0 is 10,000.
	Entries int
	// Bytes is the memory that they may take, as near as can be told; 0 is 64 MiB. An answer that needs more than an eighth of it is
	// not kept, or one would drive out many.
	Bytes int64
}

// Cache keeps answers in this process, the ones that were used last. It starts no goroutine: what is too old is dropped when it is asked
// for, or when room is needed. Safe for concurrent use. Make it with New, and share it between clients as you like.
type Cache struct {
	mu   sync.Mutex
	list *bounded.List[string, runtime.Entry]
}

// New returns an empty Cache.
func New(cfg Config) *Cache {
	return &Cache{list: bounded.New[string, runtime.Entry](cfg.Entries, cfg.Bytes, nil)}
}

// Get returns the entry under a key, unless it is gone or too old. It never fails.
func (c *Cache) Get(_ context.Context, key string) (runtime.Entry, bool, error) {
	now := time.Now()
	c.mu.Lock()
	defer c.mu.Unlock()
	item, ok := c.list.Get(key, now)
	if !ok {
		return runtime.Entry{}, false, nil
	}
	return item.Value, true, nil
}

// Set keeps an entry, and drops those that were not used for longest as far as room is needed. One that is too large is not kept, nor is
// an older one under its key. It never fails.
func (c *Cache) Set(_ context.Context, key string, e runtime.Entry, keep time.Duration) error {
	size, now := sizeOf(key, e), time.Now()
	c.mu.Lock()
	defer c.mu.Unlock()
	c.list.Set(key, e, size, now, keep)
	return nil
}

// Local says that the cache answers at once; see runtime.Store.
func (*Cache) Local() {}

// Len returns the number of answers that are kept, too old ones among them.
func (c *Cache) Len() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.list.Len()
}

// Bytes returns the memory that they take, as near as can be told.
func (c *Cache) Bytes() int64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.list.Bytes()
}

// Purge drops everything.
func (c *Cache) Purge() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.list.Purge()
}

// entryOverhead is what an entry takes beside its text: the list's and the map's own.
const entryOverhead = 256

// sizeOf returns the memory that an entry takes.
func sizeOf(key string, e runtime.Entry) int64 {
	return int64(entryOverhead+len(key)+cap(e.Body)) + bounded.HeaderSize(e.Header)
}
