// Package pub gives names to what is internal.
package pub

import "cases.test/alias/pub/internal/core"

type (
	// Handle is a handle.
	Handle = core.Handle
	// Col is a column.
	Col = core.Col
	// List is a list.
	List[T any] = core.List[T]
	// Events are received.
	Events = <-chan Handle
)
