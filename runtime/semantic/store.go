package semantic

import (
	"context"
	"slices"
	"sync"
	"time"

	"github.com/resgen-go/resgen/runtime"
	"github.com/resgen-go/resgen/runtime/internal/bounded"
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

// defaultPerNamespace is what a Config that says nothing bounds a namespace to.
const defaultPerNamespace = 1_000

// Store keeps answers in this process, the ones that were given last. It starts no goroutine: what is too old is dropped when it is come across,
// or when room is needed. Safe for concurrent use. Make it with New, and share it between clients as you like.
type Store struct {
	per int

	mu     sync.Mutex
	list   *bounded.List[*runtime.SemanticEntry, struct{}]
	spaces map[string][]*kept // the oldest first; never changed in place, so that searches need no lock
}

// kept is an answer that is kept. An answer has no key but itself: it is found by its vector. It does not change.
type kept = bounded.Item[*runtime.SemanticEntry, struct{}]

// New returns an empty Store.
func New(cfg Config) *Store {
	if cfg.PerNamespace <= 0 {
		cfg.PerNamespace = defaultPerNamespace
	}
	s := &Store{per: cfg.PerNamespace, spaces: map[string][]*kept{}}
	s.list = bounded.New(cfg.Entries, cfg.Bytes, s.dropped)
	return s
}

// dropped forgets an entry that is no longer kept. The lock is held.
func (s *Store) dropped(k *kept) {
	namespace := k.Key.Namespace
	rest := make([]*kept, 0, len(s.spaces[namespace]))
	for _, other := range s.spaces[namespace] {
		if other != k {
			rest = append(rest, other)
		}
	}
	if len(rest) == 0 {
		delete(s.spaces, namespace)
		return
	}
	s.spaces[namespace] = rest
}

// Nearest returns the entries of a namespace whose vectors are the most similar to the given one, the nearest first, and no more than most. It
// never fails.
func (s *Store) Nearest(_ context.Context, namespace string, vector []float32, most int) ([]runtime.SemanticEntry, error) {
	s.mu.Lock()
	space := s.spaces[namespace]
	s.mu.Unlock()
	now := time.Now()
	near, old := nearest(space, vector, most, now)
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, k := range old {
		s.list.Remove(k.Key)
	}
	found := make([]runtime.SemanticEntry, len(near))
	for i, n := range near {
		if i == 0 {
			s.list.Get(n.Key, now) // it is used
		}
		found[i] = *n.Key
	}
	return found, nil
}

// Set keeps an entry, and drops those that were not given for longest as far as room is needed. One that is too large, or without a vector, is
// not kept, nor is an older one of its namespace with its vector. It never fails.
func (s *Store) Set(_ context.Context, e runtime.SemanticEntry, keep time.Duration) error {
	size, now := sizeOf(&e), time.Now()
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, other := range s.spaces[e.Namespace] {
		if slices.Equal(other.Key.Vector, e.Vector) {
			s.list.Remove(other.Key)
			break
		}
	}
	if len(e.Vector) == 0 || !s.list.Takes(size, keep) {
		return nil
	}
	if space := s.spaces[e.Namespace]; len(space) >= s.per {
		s.list.Remove(space[0].Key)
	}
	k := s.list.Set(&e, struct{}{}, size, now, keep)
	s.spaces[e.Namespace] = append(slices.Clip(s.spaces[e.Namespace]), k)
	return nil
}

// Local says that the store answers at once; see runtime.SemanticStore.
func (*Store) Local() {}

// Len returns the number of answers that are kept, too old ones among them.
func (s *Store) Len() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.list.Len()
}

// Bytes returns the memory that they take, as near as can be told.
func (s *Store) Bytes() int64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.list.Bytes()
}

// Purge drops everything.
func (s *Store) Purge() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.list.Purge()
}

// What an entry takes beside its text, the lists' and the map's own, and what a number of its vector takes.
const (
	entryOverhead = 384
	numberSize    = 4
)

// sizeOf returns the memory that an entry takes.
func sizeOf(e *runtime.SemanticEntry) int64 {
	return int64(entryOverhead+len(e.Namespace)+cap(e.Body)+numberSize*cap(e.Vector)) + bounded.HeaderSize(e.Header)
}
