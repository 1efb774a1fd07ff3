// Package mixed is of the kind of C131: methods without context or error, contexts and errors in odd places, arguments that are used once.
package mixed

import (
	"context"
	"io"
	"time"
)

// Rows are read after the method has returned.
type Rows struct {
	io.ReadCloser
	Cols []string
}

// Failure is an error of its own type.
type Failure struct{ Code int }

func (*Failure) Error() string { return "failure" }

// Mixed has them all.
//
//resgen:class quick total=1s attempt=300ms
//resgen:timeout quick
//resgen:retry attempts=3 backoff.base=1ms backoff.jitter=none
//resgen:safe
//resgen:hedgeable false
type Mixed interface {
	Ping() error
	Name() string
	Deadline() (time.Time, bool)
	Last(s string, ctx context.Context) error
	Two(ctx context.Context, other context.Context) error
	ErrFirst(ctx context.Context) (error, int)
	ErrTwo(ctx context.Context) (a error, b error)
	MyErr(ctx context.Context) *Failure
	Must(ctx context.Context, n int) int
	Upload(ctx context.Context, r io.Reader) (int64, error)
	Query(ctx context.Context, q string) (*Rows, error)
}
