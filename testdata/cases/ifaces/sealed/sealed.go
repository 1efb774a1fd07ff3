// Package sealed is of the kind of C128: methods that are not exported.
package sealed

import "context"

// Port can be implemented here alone.
type Port interface {
	Export(ctx context.Context, b []byte) error
	mustEmbed()
	sealed(ctx context.Context, n int) (int, error)
}

// Impl implements Port.
type Impl struct{ Got []byte }

// Export keeps what it gets.
func (i *Impl) Export(_ context.Context, b []byte) error { i.Got = b; return nil }
func (*Impl) mustEmbed()                                 {}
func (*Impl) sealed(_ context.Context, n int) (int, error) {
	return n + 1, nil
}

// Sealed calls the unexported method of a Port.
func Sealed(p Port, n int) (int, error) { p.mustEmbed(); return p.sealed(context.Background(), n) }
