//go:build cgo && withc

package tags

// int one(void) { return 1; }
import "C"

import "context"

// CDialer stands in a file with C.
type CDialer interface {
	One(ctx context.Context) (int, error)
}

func one() int { return int(C.one()) }
