// Package tags is of the kind of C130: files of platforms, behind tags, with cgo, of no package, and broken ones that resgen wrote.
package tags

import "context"

// Dialer has a type that each platform declares for itself.
type Dialer interface {
	Dial(ctx context.Context, addr string) (handle, error)
	Sys(ctx context.Context) (sysHandle, error)
}

type handle uintptr
