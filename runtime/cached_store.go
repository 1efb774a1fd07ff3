package runtime

import (
	"context"
	"errors"
	"fmt"
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
	err   error
}

// get asks the store, for a short time where it is not in this process. One that goes on after that is not waited for.
func (a *answers) get(ctx context.Context, key string) got {
	if a.local {
		return a.ask(ctx, key)
	}
	if a.reads.Load() >= storeReads {
		return got{err: errStoreDeaf}
	}
	ctx, cancel := context.WithTimeout(ctx, storeWait)
	defer cancel()
	answered := make(chan got, 1)
	go func() {
		g := got{err: errAborted} // a store may end the goroutine
		defer func() { answered <- g }()
		g = a.ask(ctx, key)
	}()
	select {
	case g := <-answered:
		return g
	case <-ctx.Done():
	}
	a.reads.Add(1)
	go func() {
		<-answered
		a.reads.Add(-1)
	}()
	return got{err: ctx.Err()}
}

// ask asks the store.
func (a *answers) ask(ctx context.Context, key string) (g got) {
	defer caught(&g.err)
	g.entry, g.found, g.err = a.store.Get(ctx, key)
	return g
}

// keep gives an answer to the store, beside the call where the store is not in this process. What the store does wrong is told by fail,
// which may be called when the call is over.
func (a *answers) keep(ctx context.Context, key string, e Entry, fail func(error)) {
	a.write(ctx, a.local, func(ctx context.Context) error {
		return a.store.Set(ctx, key, e, a.cfg.TTL+a.cfg.StaleIfError)
	}, fail)
}

// write writes to a store, beside the call where the store is not in this process.
func (a *answers) write(ctx context.Context, local bool, set func(context.Context) error, fail func(error)) {
	if local {
		a.set(ctx, set, fail)
		return
	}
	if a.writes.Add(1) > storeWrites {
		a.writes.Add(-1)
		a.failed.Add(1)
		a.dropped.Add(1)
		fail(errStoreBusy)
		return
	}
	go func() {
		defer a.writes.Add(-1)
		bounded, cancel := context.WithTimeout(context.WithoutCancel(ctx), storeWrite)
		defer cancel()
		a.set(bounded, set, fail)
	}()
}

// set writes, and counts what becomes of it.
func (a *answers) set(ctx context.Context, set func(context.Context) error, fail func(error)) {
	err := errAborted // a store may end the goroutine
	defer func() {
		if err != nil {
			a.failed.Add(1)
			fail(err)
			return
		}
		a.stored.Add(1)
	}()
	err = func() (err error) {
		defer caught(&err)
		return set(ctx)
	}()
}

// caught turns a panic of a store into an error: the call can do without it.
func caught(err *error) {
	if p := recover(); p != nil {
		*err = fmt.Errorf("the store panicked: %v", p)
	}
}
