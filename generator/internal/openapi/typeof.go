package openapi

import (
	"fmt"
	"slices"

	"github.com/getkin/kin-openapi/openapi3"

	"github.com/resgen-go/resgen/generator/internal/diag"
	"github.com/resgen-go/resgen/generator/internal/model"
)

// typeOf works out the type of a conjunction, and whether null is among its values.
func (c *converter) typeOf(k conjunction) (model.Type, bool) {
	members, isNullable := c.members(k)
	switch {
	case len(members) == 0:
		return model.Any{}, false
	case len(members) == 1 && members[0].isRef():
		e := c.refer(members[0].place)
		return e.Type, isNullable || e.Nullable
	case len(members) == 1 && members[0].isNull():
		return model.Primitive{Kind: model.Null}, false
	}
	leaves, ok := members, true
	if len(members) > 1 {
		leaves, ok = c.leaves(members)
	}
	if !ok || !c.spend() {
		c.tooComplex(k)
		return model.Any{}, false
	}
	t, alsoNull := c.typeOfLeaves(k, leaves)
	if t == (model.Any{}) {
		return t, false
	}
	return t, isNullable || alsoNull
}

// typeOfLeaves works out the type that all leaves allow.
func (c *converter) typeOfLeaves(k conjunction, leaves []part) (model.Type, bool) {
	if i := slices.IndexFunc(leaves, c.hasVariants); i >= 0 {
		return c.union(k, leaves, i)
	}
	kinds, isStated := commonKinds(leaves)
	switch {
	case !isStated:
		return model.Any{}, false
	case len(kinds) == 0:
		c.contradiction(k)
		return model.Any{}, false
	case len(kinds) > 1:
		return c.unionOfKinds(k, leaves, kinds)
	}
	if enum, ok := c.enum(leaves, kinds[0]); ok {
		return enum, false
	}
	switch kinds[0] {
	case openapi3.TypeObject:
		return c.object(k, leaves, false), false
	case openapi3.TypeArray:
		return c.array(k, leaves)
	default:
		return primitive(leaves, kinds[0]), false
	}
}

// commonKinds returns the types that all leaves allow. An integer is a number too. Where no leaf names one, isStated is false.
func commonKinds(leaves []part) (kinds []string, isStated bool) {
	for _, leaf := range leaves {
		allowed := leaf.kinds()
		if len(allowed) == 0 {
			continue
		}
		if !isStated {
			kinds, isStated = slices.Clone(allowed), true
			continue
		}
		var both []string
		for _, kind := range kinds {
			switch {
			case slices.Contains(allowed, kind):
				both = append(both, kind)
			case kind == openapi3.TypeNumber && slices.Contains(allowed, openapi3.TypeInteger):
				both = append(both, openapi3.TypeInteger)
			case kind == openapi3.TypeInteger && slices.Contains(allowed, openapi3.TypeNumber):
				both = append(both, kind)
			}
		}
		kinds = both
	}
	if slices.Contains(kinds, openapi3.TypeNumber) { // every integer is one
		kinds = slices.DeleteFunc(kinds, func(kind string) bool { return kind == openapi3.TypeInteger })
	}
	return kinds, isStated
}

// contradiction reports schemas that no value satisfies at once.
func (c *converter) contradiction(k conjunction) {
	c.warn(diag.Contradiction, k.node.Pos,
		fmt.Sprintf("no value satisfies all schemas here, which %s reaches; its values stay raw JSON", c.operation.name()),
		"they ask for different types", "correct the schemas that stand together in allOf")
}
