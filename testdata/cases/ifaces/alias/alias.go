// Package alias is of the kind of C127: aliases of internal and of standard types.
package alias

import (
	"context"
	"os"

	"cases.test/alias/pub"
)

// Entries is an alias of its own.
type Entries = map[string]os.DirEntry

// Files uses aliases.
type Files interface {
	Open(ctx context.Context, h pub.Handle) (*pub.Handle, error)
	List(ctx context.Context, dir string, mode os.FileMode) ([]os.DirEntry, error)
	Entries(ctx context.Context) (Entries, error)
	Cols(ctx context.Context, m map[pub.Col]any) ([]byte, error)
	Gen(ctx context.Context, l pub.List[pub.Handle]) (rune, error)
	Events(ctx context.Context) (pub.Events, error)
}
