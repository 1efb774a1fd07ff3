package runtime

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
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

// storeLargest is the largest body of a whole answer that is kept.
const storeLargest = 1 << 20

var errNoStore = errors.New("its policy has a cache, and the client has no store: give it runtime.WithStore(cache.New(cache.Config{})), " +
	"with package github.com/resgen-go/resgen/runtime/cache")

// answers is the cache of an operation.
type answers struct {
	*cacheCounts

	cfg   policy.CacheConfig
	store Store
	local bool   // it answers at once
	whose []byte // begins every key: the client, the operation, the target
	// largest is the largest body that is kept.
	largest int

	reads, writes atomic.Int32

	alike *alike // answers what means the same; nil where nothing does
}

// cacheCounts is what the caches of an operation gave, of all clients that share the group. The zero value is ready.
type cacheCounts struct {
	fresh, stale, missed, stored, failed atomic.Int64
	alikes, notEmbedded, dropped         atomic.Int64
}

// newAnswers returns a cache over the store.
func newAnswers(plan *policy.Plan, store Store, counts *cacheCounts, whose ...string) *answers {
	a := &answers{cfg: plan.Cache, store: store, cacheCounts: counts, largest: storeLargest}
	if plan.Stream.Format.Streams() {
		a.largest = streamLargest
	}
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
	spare *remembered   // what a cache rung may give in place of a fresh entry that cannot be read; nil for nothing
	rung  int           // that reads it
	age   time.Duration // when it was read; 0 where it was not
	given bool          // it answered the call

	similarity float64   // of what the entry answers to what is asked; 0 for the very question
	like       *likeness // nil where nothing that means the same is looked for
}

// take takes an entry that answers better than the one that is there, which is kept for where the better one cannot be read. A stale one takes
// the place of nothing, or of another stale one.
func (r *remembered) take(e Entry, similarity float64, fresh bool) {
	if r.found && fresh && r.spare == nil {
		r.spare = &remembered{entry: r.entry, found: true, similarity: r.similarity}
	}
	r.entry, r.found, r.similarity = e, true, similarity
}

// unreadable drops the entry, for what there is in its place.
func (r *remembered) unreadable() {
	spare := r.spare
	if r.found, r.spare = false, nil; spare != nil {
		r.entry, r.found, r.similarity = spare.entry, true, spare.similarity
	}
}

// remember makes the operation's cache.
func (op *Operation) remember(w Wiring) error {
	if !op.plan.Cache.On {
		return nil
	}
	if isNoAnswer(w.Store) {
		return errNoStore
	}
	counts := op.group.showCache(op.machineKey(policy.PrimaryTarget, w))
	whose := []string{op.client, op.plan.Operation, w.Endpoints[policy.PrimaryTarget]}
	if op.streams() {
		whose = append(whose, "items") // what a whole answer is kept as is none of a stream
	}
	op.answers = newAnswers(&op.plan, w.Store, counts, whose...)
	var err error
	op.answers.alike, err = op.newAlike(op.answers, w)
	return err
}

// look returns what the store has for a call; nil where there is no telling what it asks. What the store does wrong is told.
func (a *answers) look(ctx context.Context, in Input, s *scope, t *aloud) *remembered {
	if in == nil {
		return nil
	}
	asked, ok := in.CacheKey(a.cfg.Key)
	if !ok {
		return nil
	}
	r := &remembered{key: a.key(asked, s)}
	g, err := a.get(ctx, r.key)
	if err != nil {
		t.store(err)
		return r
	}
	r.entry, r.found = g.entry, g.found
	return r
}

// key returns the key of what a call asks: never the text itself, which may hold what nobody else should read. Tenant and subject are
// always part of it, so that none is given another's answer, and so are headers that the call adds, which may say who asks.
func (a *answers) key(asked string, s *scope) string { return a.digest(s, asked) }

// digest returns the hash of what a call asks, in parts, and of whom.
func (a *answers) digest(s *scope, asked ...string) string {
	sum := sha256.New()
	sum.Write(a.whose)
	writePart(sum, s.tenant)
	writePart(sum, s.subject)
	writePart(sum, s.next)
	for _, name := range slices.Sorted(maps.Keys(s.header)) {
		if wire.TellsCallsApart(name) {
			continue
		}
		writePart(sum, name)
		writeSize(sum, len(s.header[name])) // or a value might pass for the next name
		for _, value := range s.header[name] {
			writePart(sum, value)
		}
	}
	for _, part := range asked {
		writePart(sum, part)
	}
	return hex.EncodeToString(sum.Sum(nil))
}

// writePart writes a text with its length, so that no two lists of texts are one.
func writePart(sum hash.Hash, text string) {
	writeSize(sum, len(text))
	_, _ = io.WriteString(sum, text) // a hash never fails
}

func writeSize(sum hash.Hash, n int) {
	var size [8]byte
	binary.BigEndian.PutUint64(size[:], uint64(n))
	sum.Write(size[:])
}

func appendPart(list []byte, text string) []byte {
	return append(binary.BigEndian.AppendUint64(list, uint64(len(text))), text...)
}

// snapshot returns what was counted so far.
func (c *cacheCounts) snapshot() policy.CacheSnapshot {
	return policy.CacheSnapshot{
		Fresh: c.fresh.Load(), Stale: c.stale.Load(), Missed: c.missed.Load(), Stored: c.stored.Load(), Failed: c.failed.Load(),
		Alike: c.alikes.Load(), NotEmbedded: c.notEmbedded.Load(), Dropped: c.dropped.Load(),
	}
}

// ageOf returns how old an entry is. A clock that another process has set may be ahead of ours.
func ageOf(e *Entry, now time.Time) time.Duration { return max(now.Sub(e.Stored), 0) }

// fits reports whether an entry answers calls at once.
func (a *answers) fits(r *remembered, now time.Time) bool {
	return r.found && ageOf(&r.entry, now) < a.cfg.TTL
}

// until returns until when an entry may serve a cache rung, which is never asked for a fresh one that can be read; zero if there is none.
func (a *answers) until(r *remembered, fresh bool) time.Time {
	if fresh {
		r = r.spare
	}
	if r == nil || !r.found {
		return time.Time{}
	}
	return r.entry.Stored.Add(a.cfg.TTL + a.cfg.StaleIfError)
}

// memo is what an attempt has to do with the cache: it reads an entry instead of sending, or makes one of its answer.
type memo struct {
	entry Entry
	reads bool
	made  bool
	since time.Time // when the response came
}

// begin has the response remembered. Only a whole answer that says that all went well is; one that the target does not want to be kept
// is not, nor one that depends on more than the request (RFC 9111, sections 5.2.2.5 and 4.1).
func (m *memo) begin(resp *wire.Response) {
	if m.keeps(resp) {
		resp.Record(storeLargest)
	}
}

// keeps reports whether the response may be remembered.
func (m *memo) keeps(resp *wire.Response) bool {
	return !m.reads && resp.Status/100 == http.StatusOK/100 && !says(resp.Header, "Cache-Control", "no-store") && !says(resp.Header, "Vary", "*")
}

// says reports whether a header field, on however many lines, holds a text.
func says(header http.Header, name, text string) bool {
	return slices.ContainsFunc(header.Values(name), func(line string) bool { return strings.Contains(strings.ToLower(line), text) })
}

// end takes what was read of the response, which was an answer.
func (m *memo) end(resp *wire.Response) {
	body, ok := resp.Recorded()
	if said := resp.Sentence(); !ok || said.Incomplete != "" || said.Fleeting {
		return
	}
	m.entry, m.made = Entry{Status: resp.Status, Body: body, Stored: time.Now()}, true
	if typ := resp.Header.Get("Content-Type"); typ != "" {
		m.entry.Header = http.Header{"Content-Type": {typ}}
	}
}
