// Package kinds declares the interfaces whose wrappers emit's tests print: one plain, one with a method of each kind, one generic.
package kinds

import (
	"context"
	"errors"
	"io"
	"iter"

	"github.com/resgen-go/resgen/runtime/policy"
)

// What the interfaces pass.
type (
	Item        struct{ Name string }
	ChatRequest struct{ Prompt string }
	ChatReply   struct{ Text string }
	Chunk       struct{ Text string }
	Key         string
)

// Store is plain.
type Store interface {
	Get(ctx context.Context, key string) (Item, error)
	Put(ctx context.Context, key string, item Item) error
	Close() error
}

// Model has a method of each kind.
type Model interface {
	Complete(ctx context.Context, in ChatRequest) (ChatReply, error)
	Chat(ctx context.Context, in ChatRequest) iter.Seq2[Chunk, error]
	Tokens(ctx context.Context, in ChatRequest) (iter.Seq[string], error)
	Events(ctx context.Context, in ChatRequest) (<-chan Chunk, error)
	Audio(ctx context.Context, in ChatRequest) (io.ReadCloser, error)
	Watch(ctx context.Context, in ChatRequest) (chan Chunk, func(), error)
	Count(ctx context.Context, in ChatRequest) (words int, ok bool, err error)
	Odd(ctx context.Context, in ChatRequest) (error, int)
	Log(ctx context.Context, in ChatRequest, args ...any) error
	Send(ctx context.Context, key Key, text string) error
	Embed(ctx context.Context, in ChatRequest) ([]float32, error)
	Name() string
	Stop()
}

// Entity is what a Repo holds.
type Entity[K any] interface{ Key() K }

// Repo is generic.
type Repo[K interface{ ~string | int }, V Entity[K]] interface {
	Get(ctx context.Context, k K) (V, error)
	All(ctx context.Context) (iter.Seq2[K, V], error)
	Keys(ctx context.Context) ([]K, map[K][]V, error)
}

var errBusy = errors.New("busy")

type quotaError struct{}

func (*quotaError) Error() string { return "quota" }

func isTransient(err error) bool { return errors.Is(err, io.ErrNoProgress) }

func kindOf(error) policy.Kind { return policy.KindNone }
