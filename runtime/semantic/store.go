package semantic

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"sync"
	"time"

	"github.com/hashicorp/golang-lru/v2/simplelru"

	"github.com/resgen-go/resgen/runtime"
)

// Config bounds a Store.
type Config struct {
	// Entries is the number of answers that are kept; 0 is 10,000.
	Entries int
	// Bytes is the memory that they and their vectors may take, as near as can be told; 0 is 64 MiB. An answer that needs more than an eighth
	// of it is not kept, or one would drive out many.
	Bytes int64
	// PerNamespace is the number of answers that are kept for one namespace, each of which a search compares: the last turns of one conversation
	// so far, of one subject. 0 is 1,000.
	PerNamespace int
}

// What a Config that says nothing bounds a Store to, and the part of it that one answer may take.
const (
	defaultEntries            = 10_000
	defaultPerNamespace       = 1_000
	defaultBytes        int64 = 64 << 20
	largest                   = 8
)

// Store keeps answers in this process, the ones that were given last. It starts no goroutine: what is too old is dropped when it is come across,
// or when room is needed. Safe for concurrent use. Make it with New, and share it between clients as you like.
type Store struct {
	max int64
	per int

	mu     sync.Mutex
	lru    *simplelru.LRU[*kept, struct{}]
	spaces map[string][]*kept // the oldest first; never changed in place, so that searches need no lock
	bytes  int64
}

// kept is an answer, how large it is, and until when it is kept. It does not change.
type kept struct {
	entry runtime.SemanticEntry
	size  int64
	until time.Time
}

// New returns an empty Store.
func New(cfg Config) *Store {
	if cfg.Entries <= 0 {
		cfg.Entries = defaultEntries
	}
	if cfg.Bytes <= 0 {
		cfg.Bytes = defaultBytes
	}
	if cfg.PerNamespace <= 0 {
		cfg.PerNamespace = defaultPerNamespace
	}
	s := &Store{max: cfg.Bytes, per: cfg.PerNamespace, spaces: map[string][]*kept{}}
	lru, err := simplelru.NewLRU(cfg.Entries, func(k *kept, _ struct{}) { s.dropped(k) })
	if err != nil { // for a size of 0 or less only
		panic(fmt.Sprintf("semantic: %v", err))
	}
	s.lru = lru
	return s
}

// dropped forgets an entry that is no longer kept. The lock is held.
func (s *Store) dropped(k *kept) {
	s.bytes -= k.size
	rest := make([]*kept, 0, len(s.spaces[k.entry.Namespace]))
	for _, other := range s.spaces[k.entry.Namespace] {
		if other != k {
			rest = append(rest, other)
		}
	}
	if len(rest) == 0 {
		delete(s.spaces, k.entry.Namespace)
		return
	}
	s.spaces[k.entry.Namespace] = rest
}

// Nearest returns the entries of a namespace whose vectors are the most similar to the given one, the nearest first, and no more than most. It
// never fails.
func (s *Store) Nearest(_ context.Context, namespace string, vector []float32, most int) ([]runtime.SemanticEntry, error) {
	s.mu.Lock()
	space := s.spaces[namespace]
	s.mu.Unlock()
	near, old := nearest(space, vector, most, time.Now())
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, k := range old {
		s.lru.Remove(k)
	}
	found := make([]runtime.SemanticEntry, len(near))
	for i, n := range near {
		if i == 0 {
			s.lru.Get(n.kept) // it is used
		}
		found[i] = n.entry
	}
	return found, nil
}

// Set keeps an entry, and drops those that were not given for longest as far as room is needed. One that is too large, or without a vector, is
// not kept, nor is an older one of its namespace with its vector. It never fails.
func (s *Store) Set(_ context.Context, e runtime.SemanticEntry, keep time.Duration) error {
	k := &kept{entry: e, size: sizeOf(&e), until: time.Now().Add(keep)}
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, other := range s.spaces[e.Namespace] {
		if slices.Equal(other.entry.Vector, e.Vector) {
			s.lru.Remove(other)
			break
		}
	}
	if keep <= 0 || k.size > s.max/largest || len(e.Vector) == 0 {
		return nil
	}
	if space := s.spaces[e.Namespace]; len(space) >= s.per {
		s.lru.Remove(space[0])
	}
	s.bytes += k.size
	s.spaces[e.Namespace] = append(slices.Clip(s.spaces[e.Namespace]), k)
	s.lru.Add(k, struct{}{})
	for s.bytes > s.max {
		s.lru.RemoveOldest()
	}
	return nil
}

// Local says that the store answers at once; see runtime.SemanticStore.
func (*Store) Local() {}

// Len returns the number of answers that are kept, too old ones among them.
func (s *Store) Len() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.lru.Len()
}

// Bytes returns the memory that they take, as near as can be told.
func (s *Store) Bytes() int64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.bytes
}

// Purge drops everything.
func (s *Store) Purge() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.lru.Purge()
}

// What an entry takes beside its text: the lists' and the map's own, a header field's, and a number of its vector.
const (
	entryOverhead = 384
	fieldOverhead = 64
	numberSize    = 4
)

// sizeOf returns the memory that an entry takes.
func sizeOf(e *runtime.SemanticEntry) int64 {
	return int64(entryOverhead+len(e.Namespace)+cap(e.Body)+numberSize*cap(e.Vector)) + headerSize(e.Header)
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
