package runtime

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/resgen-go/resgen/runtime/policy"
	"github.com/resgen-go/resgen/runtime/wire"
)

const (
	// storeWait is how long a call waits for a store outside the process.
	storeWait = 10 * time.Millisecond
	// storeWrite is how long a write beside the call may take.
	storeWrite = time.Second
	// storeWrites is how many writes of an operation may be under way; what comes then is not kept.
	storeWrites = 16
	// storeLargest is the largest body that is kept.
	storeLargest = 1 << 20
)

var (
	errNoStore = errors.New("its policy has a cache, and the client has no store: give it runtime.WithStore(cache.New(cache.Config{})), " +
		"with package github.com/resgen-go/resgen/runtime/cache")
	errStoreBusy = errors.New("the store is slower than answers come: this one is not kept")
)

// answers is the cache of an operation.
type answers struct {
	cfg   policy.CacheConfig
	store Store
	local bool   // it answers at once
	whose []byte // begins every key: the client, the operation, the target

	writes                               atomic.Int32
	fresh, stale, missed, stored, failed atomic.Int64
}

// newAnswers returns a cache over the store.
func newAnswers(plan *policy.Plan, store Store, whose ...string) *answers {
	a := &answers{cfg: plan.Cache, store: store}
	_, a.local = store.(interface{ Local() })
	for _, text := range whose {
		a.whose = appendPart(a.whose, text)
	}
	return a
}

// remembered is what a call knows of the cache: the key of what it asks, and the entry under it.
type remembered struct {
	key   string
	entry Entry
	found bool
	rung  int           // that reads it
	age   time.Duration // when it was read; 0 where it was not
}

// remember makes the operation's cache. Answers that come item by item are not kept.
func (op *Operation) remember(w Wiring) error {
	if !op.plan.Cache.On || op.plan.Stream.Format != policy.NoStream {
		return nil
	}
	if isNoAnswer(w.Store) {
		return errNoStore
	}
	op.answers = newAnswers(&op.plan, w.Store, op.client, op.plan.Operation, w.Endpoints[policy.PrimaryTarget])
	op.group.showCache(op.machineKey(policy.PrimaryTarget, w), op.answers)
	return nil
}

// look returns what the store has for a call; nil where there is no telling what it asks. What the store does wrong is told by fail.
func (a *answers) look(ctx context.Context, in Input, s *scope, fail func(error)) *remembered {
	if in == nil {
		return nil
	}
	asked, ok := in.CacheKey(a.cfg.Key)
	if !ok {
		return nil
	}
	r := &remembered{key: a.key(asked, s)}
	var err error
	if r.entry, r.found, err = a.get(ctx, r.key); err != nil {
		r.found = false
		a.failed.Add(1)
		fail(err)
	}
	return r
}

// key returns the key of what a call asks: never the text itself, which may hold what nobody else should read. The tenant is always part of
// it, so that none is given another's answer, and so are headers that the call adds, which may say who asks.
func (a *answers) key(asked string, s *scope) string {
	sum := sha256.New()
	sum.Write(a.whose)
	writePart(sum, s.tenant)
	for _, name := range slices.Sorted(maps.Keys(s.header)) {
		if wire.TellsCallsApart(name) {
			continue
		}
		writePart(sum, name)
		for _, value := range s.header[name] {
			writePart(sum, value)
		}
	}
	writePart(sum, asked)
	return hex.EncodeToString(sum.Sum(nil))
}

// writePart writes a text with its length, so that no two lists of texts are one.
func writePart(sum hash.Hash, text string) {
	var size [8]byte
	binary.BigEndian.PutUint64(size[:], uint64(len(text)))
	sum.Write(size[:])
	_, _ = io.WriteString(sum, text) // a hash never fails
}

func appendPart(list []byte, text string) []byte {
	return append(binary.BigEndian.AppendUint64(list, uint64(len(text))), text...)
}

// get asks the store, for a short time where it is not in this process.
func (a *answers) get(ctx context.Context, key string) (e Entry, ok bool, err error) {
	defer caught(&err)
	if !a.local {
		bounded, cancel := context.WithTimeout(ctx, storeWait)
		defer cancel()
		ctx = bounded
	}
	return a.store.Get(ctx, key)
}

// keep gives an answer to the store, beside the call where the store is not in this process. What the store does wrong is told by fail,
// which may be called when the call is over.
func (a *answers) keep(ctx context.Context, key string, e Entry, fail func(error)) {
	if a.local {
		a.set(ctx, key, e, fail)
		return
	}
	if a.writes.Add(1) > storeWrites {
		a.writes.Add(-1)
		a.failed.Add(1)
		fail(errStoreBusy)
		return
	}
	go func() {
		defer a.writes.Add(-1)
		bounded, cancel := context.WithTimeout(context.WithoutCancel(ctx), storeWrite)
		defer cancel()
		a.set(bounded, key, e, fail)
	}()
}

// set writes to the store.
func (a *answers) set(ctx context.Context, key string, e Entry, fail func(error)) {
	err := func() (err error) {
		defer caught(&err)
		return a.store.Set(ctx, key, e, a.cfg.TTL+a.cfg.StaleIfError)
	}()
	if err != nil {
		a.failed.Add(1)
		fail(err)
		return
	}
	a.stored.Add(1)
}

// addTo adds what was counted so far.
func (a *answers) addTo(s *policy.CacheSnapshot) {
	s.Fresh += a.fresh.Load()
	s.Stale += a.stale.Load()
	s.Missed += a.missed.Load()
	s.Stored += a.stored.Load()
	s.Failed += a.failed.Load()
}

// caught turns a panic of a store into an error: the call can do without it.
func caught(err *error) {
	if p := recover(); p != nil {
		*err = fmt.Errorf("the store panicked: %v", p)
	}
}

// ageOf returns how old an entry is. A clock that another process has set may be ahead of ours.
func ageOf(e *Entry, now time.Time) time.Duration { return max(now.Sub(e.Stored), 0) }

// fits reports whether an entry answers calls at once.
func (a *answers) fits(r *remembered, now time.Time) bool {
	return r.found && ageOf(&r.entry, now) < a.cfg.TTL
}

// until returns until when an entry may serve a cache rung; zero if there is none.
func (a *answers) until(r *remembered) time.Time {
	if !r.found {
		return time.Time{}
	}
	return r.entry.Stored.Add(a.cfg.TTL + a.cfg.StaleIfError)
}

// memo is what an attempt has to do with the cache: it reads an entry instead of sending, or makes one of its answer.
type memo struct {
	entry Entry
	reads bool
	made  bool
}

// begin has the response remembered. Only a whole answer that says that all went well is; one that the target does not want to be kept
// is not (RFC 9111, section 5.2.2.5).
func (m *memo) begin(resp *wire.Response) {
	if !m.reads && resp.Status/100 == http.StatusOK/100 && !strings.Contains(strings.ToLower(resp.Header.Get("Cache-Control")), "no-store") {
		resp.Record(storeLargest)
	}
}

// end takes what was read of the response, which was an answer.
func (m *memo) end(resp *wire.Response, preset string) {
	body, ok := resp.Recorded()
	if !ok || !isNormal(preset, body) {
		return
	}
	m.entry, m.made = Entry{Status: resp.Status, Body: body, Stored: time.Now()}, true
	if typ := resp.Header.Get("Content-Type"); typ != "" {
		m.entry.Header = http.Header{"Content-Type": {typ}}
	}
}
