package requests

import (
	"context"
	"net/http/httptrace"
)

// TraceKey is the key under which net/http looks for a trace in a context: learned by having it look for one, since it has no name. It is
// nil if that shows none.
var TraceKey = func() any {
	var s spy
	s.Context = context.Background()
	httptrace.ContextClientTrace(&s)
	return s.key
}()

// spy is a context that remembers what it was asked for.
type spy struct {
	context.Context //nolint:containedctx // it is a context

	key any
}

// Value remembers the key.
func (s *spy) Value(key any) any {
	s.key = key
	return nil
}
