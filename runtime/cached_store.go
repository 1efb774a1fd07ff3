package runtime

import (
	"context"
	"errors"
	"time"
)

const (
	// storeWait is how long a call waits for a store outside the process.
	storeWait = 10 * time.Millisecond
	// storeWrite is how long a write beside the call may take.
	storeWrite = time.Second
	// storeReads is how many reads of an operation may go on although nobody waits for them any more; then the store is not asked.
	storeReads = 16
	// storeWrites is how many writes of an operation may be under way; what comes then is not kept.
	storeWrites = 16
)

var (
	errStoreDeaf = errors.New("the store does not end when its context does: it is not asked until it has answered")
	errStoreBusy = errors.New("the store is slower than answers come: this one is not kept")
)

// got is what a store answered.
type got struct {
	entry Entry
	found bool
}

// get asks the store, for a short time where it is not in this process. One that goes on after that is not waited for.
func (a *answers) get(ctx context.Context, key string) (got, error) {
	if !a.local {
		if a.reads.Load() >= storeReads {
			return got{}, errStoreDeaf
		}
		bounded, cancel := context.WithTimeout(ctx, storeWait)
		defer cancel()
		ctx = bounded
	}
	return await(ctx, a.local, &a.reads, func(ctx context.Context) (g got, err error) {
		g.entry, g.found, err = a.store.Get(ctx, key)
		return g, err
	})
}

// keep gives an answer to the store, beside the call where the store is not in this process. What the store does wrong is told, which may be
// when the call is over.
func (a *answers) keep(ctx context.Context, key string, e Entry, t *aloud) {
	a.write(ctx, a.local, func(ctx context.Context) error {
		return a.store.Set(ctx, key, e, a.cfg.TTL+a.cfg.StaleIfError)
	}, t)
}

// write writes to a store, beside the call where the store is not in this process.
func (a *answers) write(ctx context.Context, local bool, set func(context.Context) error, t *aloud) {
	if local {
		a.set(ctx, set, t)
		return
	}
	if a.writes.Add(1) > storeWrites {
		a.writes.Add(-1)
		a.dropped.Add(1)
		t.store(errStoreBusy)
		return
	}
	go func() {
		defer a.writes.Add(-1)
		bounded, cancel := context.WithTimeout(context.WithoutCancel(ctx), storeWrite)
		defer cancel()
		a.set(bounded, set, t)
	}()
}

// set writes, and counts what becomes of it.
func (a *answers) set(ctx context.Context, set func(context.Context) error, t *aloud) {
	heed(ctx, func(ctx context.Context) (struct{}, error) { return struct{}{}, set(ctx) }, func(_ struct{}, err error) {
		if err != nil {
			t.store(err)
			return
		}
		a.stored.Add(1)
	})
}
