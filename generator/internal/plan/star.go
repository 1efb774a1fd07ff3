package plan

import (
	"slices"
	"strconv"

	"github.com/resgen-go/resgen/generator/internal/model"
)

// deepest bounds how many types a step may lead through: unions within unions have no end.
const deepest = 40

// starSearch follows the steps of a pointer, of which `*` stands for every item, through types.
type starSearch struct {
	*typer

	open bool                      // what the document leaves open may be anything
	ends func(typ model.Type) bool // says what the steps may lead to
}

// at reports whether the steps lead from a type to what is wanted.
func (s *starSearch) at(typ model.Type, steps []string, depth int) bool {
	if depth > deepest {
		return false
	}
	at := s.follow(typ).typ
	if union, ok := at.(model.Union); ok {
		return slices.ContainsFunc(union.Variants, func(v model.Variant) bool { return s.at(v.Type, steps, depth+1) })
	}
	if _, ok := at.(model.Any); ok {
		return s.open
	}
	if len(steps) == 0 {
		return s.ends(at)
	}
	next, ok := stepInto(at, steps[0])
	return ok && s.at(next, steps[1:], depth+1)
}

// stepInto is the type that a step leads to, where the document describes it.
func stepInto(typ model.Type, step string) (model.Type, bool) {
	switch typ := typ.(type) {
	case model.Array:
		_, err := strconv.ParseUint(step, 10, 31)
		return typ.Elem.Type, step == "*" || err == nil
	case model.Map:
		return typ.Elem.Type, true
	case model.Object:
		if i := fieldIndex(typ, step); i >= 0 {
			return typ.Fields[i].Elem.Type, true
		}
		if typ.Additional != nil {
			return typ.Additional.Type, true
		}
	}
	return nil, false
}
