package runtime

import (
	"context"
	"net/http"
	"time"
)

// Store keeps answers for the caches of operations, under keys that tell nothing of what was asked. Package runtime/cache is one, in this
// process; one outside of it, such as Redis, is an implementation of yours. It must be safe for concurrent use.
//
// A call waits a few milliseconds for Get, until ctx ends, and does not wait for Set: what comes too late, fails or panics is as if there
// were no answer, and observers are told. A Store that answers at once, from memory, says so with a method Local(): then Set is called
// before the call returns, so that the next call finds the answer.
type Store interface {
	// Get returns the entry under a key, and whether there is one. The caller does not change it.
	Get(ctx context.Context, key string) (Entry, bool, error)
	// Set keeps an entry under a key, in place of an older one, for at most that long. The entry is the store's from then on.
	Set(ctx context.Context, key string, e Entry, keep time.Duration) error
}

// Entry is an answer as a target gave it, to be read anew by each call that it answers: callers share no memory.
type Entry struct {
	// Status is the status code.
	Status int
	// Header is what of the header is needed to read the body: its media type.
	Header http.Header
	// Body is the body without its content encoding.
	Body []byte
	// Stored is when the target answered. A clock that another process has set may be off: what lies ahead counts as now.
	Stored time.Time
}

// WithStore gives the client the store of its operations' caches. A client whose policies have a cache needs one:
//
//	llm.New(runtime.WithStore(cache.New(cache.Config{})))
//
// Clients may share a store. What one caller was answered is given to every other who asks the same of the same operation for the same
// tenant (WithTenant) and subject (WithSubject), whatever credential either has: where answers depend on who asks, say so with those.
func WithStore(s Store) EitherOption {
	return eitherOption{
		clientOption: func(h *HTTP) { h.store = s },
		wrapper:      func(w *Wrapper) { w.store = s },
	}
}
