package runtimetest

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/resgen-go/resgen/runtime"
)

// Func is what a generated test gives a client in place of the function of a rung: it answers with what give returns, or fails where the
// present check of Verify wants the rung to fail. The name is that of the function. Outside of Verify it answers.
func Func[T any](ctx context.Context, name string, give func() (T, error)) (T, error) {
	if st, ok := ctx.Value(stageKey{}).(*stage); ok {
		st.mu.Lock()
		st.funcs = append(st.funcs, name)
		st.mu.Unlock()
		if st.pretend != nil {
			if err := st.pretend(name); err != nil {
				var none T
				return none, err
			}
		}
	}
	return give()
}

// ErrUnwired is what a generated test has the function of a rung return of which it could not make up the answer.
var ErrUnwired = errors.New("a test cannot make up what this function returns")

// FuncDone is Func for a function that returns an error alone.
func FuncDone(ctx context.Context, name string) error {
	_, err := Func(ctx, name, func() (struct{}, error) { return struct{}{}, nil })
	return err
}

// called returns the names of the functions that were called so far.
func (st *stage) called() []string {
	st.mu.Lock()
	defer st.mu.Unlock()
	return append([]string(nil), st.funcs...)
}

// Store is a runtime.Store that keeps answers only where the present check of Verify is about them: every other one would get the answer of
// an earlier call. Safe for concurrent use.
func Store() runtime.Store { return forgetful{} }

// forgetful keeps what it is given with the stage of the call.
type forgetful struct{}

// entries are the answers that a stage keeps.
type entries struct {
	mu sync.Mutex
	of map[string]runtime.Entry
}

func storeOf(ctx context.Context) *entries {
	if st, ok := ctx.Value(stageKey{}).(*stage); ok {
		return st.store
	}
	return nil
}

// Get returns what was kept.
func (forgetful) Get(ctx context.Context, key string) (runtime.Entry, bool, error) {
	s := storeOf(ctx)
	if s == nil {
		return runtime.Entry{}, false, nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	e, ok := s.of[key]
	return e, ok, nil
}

// Set keeps an answer.
func (forgetful) Set(ctx context.Context, key string, e runtime.Entry, _ time.Duration) error {
	if s := storeOf(ctx); s != nil {
		s.mu.Lock()
		s.of[key] = e
		s.mu.Unlock()
	}
	return nil
}

// Local says that it answers at once.
func (forgetful) Local() {}

// Embedder is a runtime.Embedder that finds every text to mean the same.
func Embedder() runtime.Embedder {
	same := func(context.Context, string) ([]float32, error) { return []float32{1}, nil }
	return runtime.Embedder{Embed: same, Model: "runtimetest", Dimensions: 1}
}

// SemanticStore is a runtime.SemanticStore that keeps nothing.
func SemanticStore() runtime.SemanticStore { return nothing{} }

type nothing struct{}

// Nearest finds nothing.
func (nothing) Nearest(context.Context, string, []float32, int) ([]runtime.SemanticEntry, error) {
	return nil, nil
}

// Set keeps nothing.
func (nothing) Set(context.Context, runtime.SemanticEntry, time.Duration) error { return nil }
