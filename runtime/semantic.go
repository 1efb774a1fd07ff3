package runtime

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// SemanticStore keeps answers under vectors, for caches that answer what means the same (cache.semantic). Package runtime/semantic is one, in
// this process; a vector database is an implementation of yours: a collection whose points have the namespace as an indexed field, and the
// rest of the entry beside it. It must be safe for concurrent use.
//
// A call waits for Nearest for a short time, and does not wait for Set: what comes too late, fails or panics is as if there were no answer, and
// observers are told. A store that answers at once, from memory, says so with a method Local(), as a Store does. What it returns is checked:
// an entry of another namespace, one whose vector is not as similar as is asked for, and one that is too old answer nobody.
type SemanticStore interface {
	// Nearest returns the entries of a namespace whose vectors are the most similar to the given one by their cosine, the nearest first, and no
	// more than most. The caller does not change them.
	Nearest(ctx context.Context, namespace string, vector []float32, most int) ([]SemanticEntry, error)
	// Set keeps an entry for at most that long, in place of an older one with the same namespace and vector. The entry is the store's from then
	// on.
	Set(ctx context.Context, e SemanticEntry, keep time.Duration) error
}

// SemanticEntry is an answer, and what it answers.
type SemanticEntry struct {
	// Entry is the answer.
	Entry

	// Namespace stands for all that must be equal, as a hash in hexadecimal: it tells nothing of what was asked, nor by whom.
	Namespace string
	// Vector is what the embedder made of the text of the last turn, of length 1. Texts can be guessed from vectors: keep them as you keep texts.
	Vector []float32
}

// Embedder makes vectors of texts: those of texts that mean the same are similar. Model and Dimensions say which vector space it speaks; they are
// part of every namespace, so that another model finds nothing of what was kept for the one before.
type Embedder struct {
	// Embed returns the vector of a text. It may be the call of a generated client, which then has policies of its own:
	//
	//	func(ctx context.Context, text string) ([]float32, error) {
	//		list, err := client.CreateEmbedding(ctx, &openai.EmbeddingRequest{Model: "text-embedding-3-small", Input: text})
	//		if err != nil || len(list.Data) == 0 {
	//			return nil, err
	//		}
	//		return list.Data[0].Embedding, nil
	//	}
	//
	// Its context ends when nobody waits for it any more. It carries the tenant and what calls inside a call inherit; they make one attempt, and
	// take no rung. It must be safe for concurrent use.
	Embed func(ctx context.Context, text string) ([]float32, error)
	// Model is the name of the model, with its version.
	Model string
	// Dimensions is the length of its vectors. One of another length is a failure.
	Dimensions int
	// Timeout is how long a call waits for a vector, and never more than a tenth of the time that it has left; 0 is 250 ms.
	Timeout time.Duration
	// MaxText is the length in bytes of the longest text that it takes whole; 0 is 2,000. Many models cut what is longer, and then find equal
	// what begins alike: such a turn is neither looked for nor kept.
	MaxText int
}

// What an Embedder that says nothing is bounded to.
const (
	defaultEmbedTimeout = 250 * time.Millisecond
	defaultEmbedText    = 2_000
)

var (
	errEmbedderNil        = errors.New("it has no function Embed")
	errEmbedderModel      = errors.New("it does not say its Model")
	errEmbedderDimensions = errors.New("its Dimensions are not above 0")
	errEmbedderNegative   = errors.New("its Timeout or its MaxText is negative")
)

// check returns what is wrong with the embedder.
func (e *Embedder) check() error {
	switch {
	case e.Embed == nil:
		return errEmbedderNil
	case e.Model == "":
		return errEmbedderModel
	case e.Dimensions <= 0:
		return errEmbedderDimensions
	case e.Timeout < 0 || e.MaxText < 0:
		return errEmbedderNegative
	default:
		return nil
	}
}

// WithEmbedder gives the client the embedder of that name, for the operations whose `cache.semantic.embedder` names it. It has no fallback: while
// it is missing, slow or broken, calls are made as if there were no semantic cache. It has a breaker of its own, which the operations of the
// client share. Let it call another target than the operation does: else they fail together.
func WithEmbedder(name string, e Embedder) EitherOption {
	return eitherOption{
		clientOption: func(h *HTTP) { h.meanings.embed(name, e) },
		wrapper:      func(w *Wrapper) { w.meanings.embed(name, e) },
	}
}

// WithSemanticStore gives the client the store of its semantic caches. A client whose policies have one needs it:
//
//	llm.New(runtime.WithSemanticStore(semantic.New(semantic.Config{})), ...)
//
// Clients may share a store.
func WithSemanticStore(s SemanticStore) EitherOption {
	return eitherOption{
		clientOption: func(h *HTTP) { h.meanings.Store = s },
		wrapper:      func(w *Wrapper) { w.meanings.Store = s },
	}
}

// Meanings are what semantic caches need: see WithEmbedder and WithSemanticStore. The zero value has nothing.
type Meanings struct {
	// Embedders are the embedders, by name.
	Embedders map[string]Embedder
	// Store keeps the answers.
	Store SemanticStore
}

func (m *Meanings) embed(name string, e Embedder) {
	if m.Embedders == nil {
		m.Embedders = map[string]Embedder{}
	}
	m.Embedders[name] = e
}

var errNoSemanticStore = errors.New("its cache answers what means the same, and the client has no store for that: give it " +
	"runtime.WithSemanticStore(semantic.New(semantic.Config{})), with package github.com/resgen-go/resgen/runtime/semantic")

// embedder returns the embedder of that name.
func (m *Meanings) embedder(name string) (Embedder, error) {
	e, ok := m.Embedders[name]
	if !ok {
		return e, fmt.Errorf( //nolint:err113 // it is for people
			"its cache has the embedder %q, and the client was not given that: give it runtime.WithEmbedder(%q, ...)", name, name)
	}
	if err := e.check(); err != nil {
		return e, fmt.Errorf("embedder %q: %w", name, err)
	}
	if e.Timeout == 0 {
		e.Timeout = defaultEmbedTimeout
	}
	if e.MaxText == 0 {
		e.MaxText = defaultEmbedText
	}
	return e, nil
}
