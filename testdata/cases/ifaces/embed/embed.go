// Package embed is of the kind of C121: interfaces that are embedded before they are declared, from other files and packages.
package embed

import (
	"context"

	"cases.test/embed/part"
)

// All has methods from everywhere. What it says of an embedded method counts.
//
//resgen:class quick total=1s attempt=100ms
//resgen:on Item safe
//resgen:on Item timeout quick
//resgen:on Item retry attempts=3 backoff.base=1ms
type All interface {
	A(ctx context.Context) error
	later
	part.Store
	ali
}

type ali = part.Closer
