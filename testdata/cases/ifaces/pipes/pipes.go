// Package pipes is of the kind of C124: channels with directions, functions and iterators.
package pipes

import (
	"context"
	"iter"
)

// Pipes has them all.
type Pipes interface {
	Done() <-chan struct{}
	Sink() chan<- error
	Both(ctx context.Context) (chan error, error)
	Nest(ctx context.Context, in <-chan (<-chan int)) (chan<- chan<- int, error)
	Nest2(ctx context.Context, in chan (<-chan int)) (<-chan chan int, error)
	Watch(ctx context.Context, key string) (<-chan string, func(), error)
	Map(ctx context.Context, f func(ctx context.Context, xs ...int) (y string, err error)) error
	Hook(ctx context.Context, f func(func(int) func() error)) (func() (int, error), error)
	Seq(ctx context.Context) (iter.Seq[int], error)
	Lazy(ctx context.Context) iter.Seq2[int, error]
	Plain(ctx context.Context) iter.Seq[int]
}
