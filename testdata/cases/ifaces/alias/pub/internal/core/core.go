// Package core is internal.
package core

type (
	// Handle is a handle.
	Handle struct{ FD int }
	// Col is a column.
	Col interface{ Col() string }
	// List is a list.
	List[T any] []T
)
