package goiface

import (
	"fmt"
	"go/types"
	"reflect"
	"slices"
	"strings"
)

// noJSON says what JSON does not show of the values of a type; empty where it shows all. Types that marshal themselves are trusted. seen
// are the types on the way: one that holds itself is looked at once.
func noJSON(t types.Type, seen []types.Type) string {
	if slices.ContainsFunc(seen, func(s types.Type) bool { return types.Identical(s, t) }) || marshals(t) {
		return ""
	}
	seen = append(seen, t)
	switch u := t.Underlying().(type) {
	case *types.Basic:
		if u.Info()&types.IsComplex != 0 || u.Kind() == types.UnsafePointer {
			return "a " + u.Name()
		}
		return ""
	case *types.Pointer:
		return noJSON(u.Elem(), seen)
	case *types.Slice:
		return noJSON(u.Elem(), seen)
	case *types.Array:
		return noJSON(u.Elem(), seen)
	case *types.Map:
		if key, ok := u.Key().Underlying().(*types.Basic); !marshals(u.Key()) && (!ok || key.Info()&(types.IsString|types.IsInteger) == 0) {
			return "a map whose keys are no texts"
		}
		return noJSON(u.Elem(), seen)
	case *types.Struct:
		return fieldWithoutJSON(t, u, seen)
	case *types.Interface:
		if _, isParam := types.Unalias(t).(*types.TypeParam); isParam || u.NumMethods() == 0 {
			return "" // what is in it decides; for any that is the caller's affair
		}
		return "an interface"
	case *types.Chan:
		return "a channel"
	case *types.Signature:
		return "a function"
	default:
		return ""
	}
}

// fieldWithoutJSON finds a field that JSON leaves out.
func fieldWithoutJSON(t types.Type, s *types.Struct, seen []types.Type) string {
	for i := range s.NumFields() {
		f := s.Field(i)
		name, _, _ := strings.Cut(reflect.StructTag(s.Tag(i)).Get("json"), ",")
		switch {
		case !f.Exported() && !f.Embedded():
			return fmt.Sprintf("%s with the unexported field %s", types.TypeString(t, (*types.Package).Name), f.Name())
		case name == "-":
			return fmt.Sprintf("%s with the field %s, which JSON leaves out", types.TypeString(t, (*types.Package).Name), f.Name())
		}
		if what := noJSON(f.Type(), seen); what != "" {
			return what
		}
	}
	return ""
}

// marshals reports a type whose values, or pointers to them, write themselves as JSON or text.
func marshals(t types.Type) bool {
	return methodOf(t, "MarshalJSON") != nil || methodOf(t, "MarshalText") != nil
}
