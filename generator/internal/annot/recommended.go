package annot

import (
	"github.com/resgen-go/resgen/generator/internal/source"
	"github.com/resgen-go/resgen/runtime/policy"
)

// Recommended returns policy.Recommended as an author would write it: without positions.
func Recommended(generates bool) source.Value {
	s := Settings{Plan: policy.Recommended(generates)}
	return s.Print()
}

// BuiltInTimeout returns policy.BuiltIn as an author would write it: without positions.
func BuiltInTimeout(streams bool) source.Value { return PrintTimeout(policy.BuiltIn(streams)) }
