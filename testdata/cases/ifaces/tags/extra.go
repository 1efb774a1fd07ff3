//go:build extra

package tags

import "context"

// Extra is there on demand.
type Extra interface {
	Dialer
	Extra(ctx context.Context) error
}
