package annot

import (
	"github.com/resgen-go/resgen/generator/internal/source"
	"github.com/resgen-go/resgen/runtime/policy"
)

// Recommended returns policy.Recommended as an author would write it: without positions, and with those zero values that an author
// would write out.
func Recommended(generates bool) source.Value {
	s := Settings{Plan: policy.Recommended(generates)}
	v := s.Print()
	v.At("retry", "backoff").Set(source.Field{Key: "jitter", Value: text(s.Plan.Retry.Backoff.Jitter.String())})
	v.Get("breaker").Set(source.Field{Key: "scope", Value: text(s.Plan.Breaker.Scope.String())})
	v.Get("bulkhead").Set(source.Field{Key: "scope", Value: text(s.Plan.Bulkhead.Scope.String())})
	return v
}

// WrittenInPart returns policy.WrittenInPart in the same way.
func WrittenInPart() source.Value {
	s := Settings{Plan: policy.WrittenInPart()}
	v := s.Print()
	v.Get("exercise").Set(source.Field{Key: "mode", Value: text(s.Plan.Exercise.Mode.String())})
	return v
}

// BuiltInTimeout returns policy.BuiltIn as an author would write it: without positions.
func BuiltInTimeout(streams bool) source.Value { return PrintTimeout(policy.BuiltIn(streams)) }
