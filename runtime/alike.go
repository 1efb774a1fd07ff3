package runtime

import (
	"context"
	"errors"
	"fmt"
	"math"
	"net/http"
	"strconv"
	"time"

	"github.com/resgen-go/resgen/runtime/policy"
)

const (
	// searchWait is how long a call waits for a store of vectors outside the process.
	searchWait = 50 * time.Millisecond
	// searchShare is the part of the time that a call has left which looking by meaning may take.
	searchShare = 10
	// searchMost is how many entries a store is asked for: the nearest one may be too old.
	searchMost = 4
	// searchSkew is how far ahead the clock of who wrote an entry may be.
	searchSkew = time.Minute
	// searchSlack is what rounding may make of a similarity of 1.
	searchSlack = 1e-6
)

// alike is the part of an operation's cache that answers what means the same.
type alike struct {
	*answers

	cfg      policy.SemanticConfig
	places   []string // of the last turn's text
	total    time.Duration
	embedder Embedder
	space    []byte // begins every namespace: the embedder, and its vector space
	embeds   *aside
	store    SemanticStore
	stored   *aside
}

// likeness is what a call knows of the semantic cache: what its question is, and where answers to it are kept.
type likeness struct {
	namespace string
	vector    []float32
}

// newAlike returns the semantic part of a cache; nil where it has none.
func (op *Operation) newAlike(a *answers, w Wiring) (*alike, error) {
	cfg := op.plan.Cache.Semantic
	if !cfg.On {
		return nil, nil //nolint:nilnil // nil is no cache, and not wrong
	}
	e, err := w.Meanings.embedder(cfg.Embedder)
	if err != nil {
		return nil, err
	}
	store := w.Meanings.Store
	if isNoAnswer(store) {
		return nil, errNoSemanticStore
	}
	_, local := store.(interface{ Local() })
	l := &alike{
		answers: a, cfg: cfg, places: policy.TurnPlaces(&op.plan), total: op.plan.Timeout.Total, embedder: e, store: store,
		embeds: op.newAside(fmt.Sprintf("the embedder %q", cfg.Embedder), "embedder:"+cfg.Embedder, false, e.Timeout),
		stored: op.newAside("the store of vectors", "semantic store", local, searchWait),
	}
	for _, part := range []string{cfg.Embedder, e.Model, strconv.Itoa(e.Dimensions)} {
		l.space = appendPart(l.space, part)
	}
	return l, nil
}

// asks reports whether a call wants what means the same: one that takes no fallback, or nothing worse than the operation's own answer, does not,
// and one of which it is not known whose it is must not.
func (*alike) asks(s *scope) bool {
	return s.tenant != "" && s.subject != "" && !s.noFallback && (!s.bounded || s.worst > policy.Equal)
}

// look looks for an answer to what means the same, and leaves in r what it found, if that is better than what is there: a fresh one, or one
// where there is none. What goes wrong with the embedder, or with the store, is told.
func (l *alike) look(ctx context.Context, in Input, s *scope, deadline time.Time, r *remembered, t *aloud) {
	turn, ok := in.(interface {
		Turn(places []string) (text, rest string, ok bool)
	})
	if !ok || !l.asks(s) {
		return
	}
	text, rest, ok := turn.Turn(l.places)
	if !ok || len(text) > l.embedder.MaxText {
		return
	}
	ends := l.ends(time.Now(), deadline)
	vector, ok := l.embed(ctx, text, s, ends, t)
	if !ok {
		return
	}
	r.like = &likeness{namespace: l.digest(s, string(l.space), rest), vector: vector}
	found, err := ask(ctx, l.stored, ends, t, func(ctx context.Context) ([]SemanticEntry, error) {
		return l.store.Nearest(ctx, r.like.namespace, vector, searchMost)
	})
	if err != nil {
		t.store(err)
		return
	}
	l.choose(found, r, t)
}

// ends returns until when looking may take: a part of what the call has left, so that its rungs have the rest.
func (l *alike) ends(now, deadline time.Time) time.Time {
	left := l.total
	if !deadline.IsZero() && (left == 0 || deadline.Sub(now) < left) {
		left = deadline.Sub(now)
	}
	if most := l.embedder.Timeout + searchWait; left == 0 || left/searchShare > most {
		return now.Add(most)
	}
	return now.Add(left / searchShare)
}

// embed returns the vector of a text, of length 1.
func (l *alike) embed(ctx context.Context, text string, s *scope, ends time.Time, t *aloud) ([]float32, bool) {
	inner := s.inner()
	inner.noFallback, inner.retried, inner.nested, inner.over = true, true, false, nil // what it calls is no attempt of a layer above
	ctx = context.WithValue(ctx, scopeKey{}, &inner)
	vector, err := ask(ctx, l.embeds, ends, t, func(ctx context.Context) ([]float32, error) {
		v, err := l.embedder.Embed(ctx, text)
		if err != nil {
			return nil, err
		}
		return unit(v, l.embedder.Dimensions)
	})
	if err != nil {
		t.embedder(err)
		return nil, false
	}
	return vector, true
}

// choose takes the entry that answers best: the most similar of the fresh ones, or, where the cache has no answer of its own, of those that a
// rung may give.
func (l *alike) choose(found []SemanticEntry, r *remembered, t *aloud) {
	now := time.Now()
	best, fresh := 0.0, false
	for i := range found[:min(len(found), searchMost)] {
		e := &found[i]
		similarity, err := l.similarity(e, r.like, now)
		if err != nil {
			t.store(&asideError{l.stored.what, err})
			continue
		}
		age := ageOf(&e.Entry, now)
		isFresh := age < l.answers.cfg.TTL
		switch {
		case similarity+searchSlack < l.cfg.Threshold, age >= l.answers.cfg.TTL+l.answers.cfg.StaleIfError:
		case !isFresh && (fresh || r.found && r.similarity == 0): // an answer to the very question is better
		case isFresh == fresh && similarity <= best:
		default:
			best, fresh = similarity, isFresh
			r.take(l.entryOf(e), similarity, isFresh)
		}
	}
}

var (
	errSemanticNamespace = errors.New("it gave an entry of another namespace")
	errSemanticEntry     = errors.New("it gave an entry that no answer can be made of")
	errVectorLength      = errors.New("the vector has another length")
	errVectorNumbers     = errors.New("the vector is zero, or has members that are no numbers")
)

// similarity returns how similar what an entry answers is to what is asked. What the store says of it is not believed.
func (l *alike) similarity(e *SemanticEntry, like *likeness, now time.Time) (float64, error) {
	switch {
	case e.Namespace != like.namespace:
		return 0, errSemanticNamespace
	case e.Status/100 != http.StatusOK/100, len(e.Body) > l.largest, e.Stored.IsZero(), e.Stored.After(now.Add(searchSkew)):
		return 0, errSemanticEntry
	}
	v, err := unit(e.Vector, len(like.vector))
	if err != nil {
		return 0, err
	}
	dot := 0.0
	for i := range v {
		dot += float64(v[i]) * float64(like.vector[i])
	}
	return min(dot, 1), nil
}

// entryOf returns the answer of an entry, with no more of its header than is needed to read it.
func (*alike) entryOf(e *SemanticEntry) Entry {
	entry := Entry{Status: e.Status, Body: e.Body, Stored: e.Stored}
	if typ := e.Header.Get("Content-Type"); typ != "" {
		entry.Header = http.Header{"Content-Type": {typ}}
	}
	return entry
}

// unit returns the vector in that direction whose length is 1.
func unit(v []float32, dimensions int) ([]float32, error) {
	if len(v) != dimensions {
		return nil, fmt.Errorf("%w: %d, not %d", errVectorLength, len(v), dimensions)
	}
	sum := 0.0
	for _, x := range v {
		sum += float64(x) * float64(x)
	}
	if !(sum > 0) || math.IsInf(sum, 1) { // NaN is not above 0
		return nil, errVectorNumbers
	}
	out := make([]float32, len(v))
	for i, x := range v {
		out[i] = float32(float64(x) / math.Sqrt(sum))
	}
	return out, nil
}

// keep gives an answer to the store, beside the call where the store is not in this process.
func (l *alike) keep(ctx context.Context, like *likeness, e Entry, t *aloud) {
	entry := SemanticEntry{Entry: e, Namespace: like.namespace, Vector: like.vector}
	l.write(ctx, l.stored.local, func(ctx context.Context) error {
		return l.store.Set(ctx, entry, l.answers.cfg.TTL+l.answers.cfg.StaleIfError)
	}, t)
}
