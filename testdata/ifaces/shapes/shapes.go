// Package shapes has methods whose parameters and results are in odd places, or have odd names.
package shapes

import (
	"context"
	"net/url"
	"time"
)

// Failure is an error of its own type.
type Failure struct{ Code int }

// Error says nothing.
func (*Failure) Error() string { return "failure" }

// Shapes is odd.
//
//resgen:class short total=2s attempt=500ms
//resgen:timeout short
//resgen:safe
//resgen:hedgeable false
//resgen:retry attempts=3 backoff.base=10ms backoff.jitter=none on=timeout
type Shapes interface {
	// Last has its context at the end.
	Last(s string, ctx context.Context) error
	// Two has two contexts, of which the first is the call's.
	Two(ctx, other context.Context) (string, error)
	// ErrFirst has its error before its value.
	ErrFirst(ctx context.Context) (error, int)
	// ErrTwo has two errors, of which the last is the call's.
	ErrTwo(ctx context.Context) (a, b error)
	// Several has several values.
	Several(ctx context.Context, n int) (b int, ok bool, _ string, err error)
	// Shadow has parameters with the names of packages, types and locals.
	Shadow(ctx context.Context, url, time, w, at, err, values, res string, v *Failure) (*url.URL, time.Duration, error)
	// Names has parameters with the names of built-ins.
	Names(ctx context.Context, string string, len int, nil bool, append []int, any any, error error, struct_, runtime, policy, context int) (string, error)
	// Unnamed has no names at all.
	Unnamed(context.Context, string, ...int) (int, error)
	// Variadic has as many arguments as its caller likes.
	Variadic(ctx context.Context, query string, args ...any) ([]any, error)
	// Literals has types without names.
	Literals(ctx context.Context, q struct {
		Name string `json:"name,omitempty"`
		at   time.Time
	}, f func(int, ...string) (y string, err error), c chan (<-chan int), a [2][]map[string]*int) (interface {
		Len() int
		Close() error
	}, error)

	// Deaf does not hear that its context has ended, and is left behind then.
	//
	//resgen:abandon true
	//resgen:retry attempts=2 backoff.base=10ms backoff.jitter=none on=timeout
	Deaf(ctx context.Context) (int, error)

	// Must has no error.
	Must(ctx context.Context, n int) int
	// Typed has an error of its own type.
	Typed(ctx context.Context) *Failure
	// Log has neither.
	Log(args ...any)
	// Deadline has no context.
	Deadline() (time.Time, bool)
}
