package wire

// Copy returns a shallow copy of a request, for what generated code changes of it; nil for nil.
func Copy[T any](v *T) *T {
	if v == nil {
		return nil
	}
	return new(*v)
}

// CopyOrNew is Copy for a request that may be nil: then it is one of which nothing is set.
func CopyOrNew[T any](v *T) *T {
	if v == nil {
		return new(T)
	}
	return new(*v)
}
