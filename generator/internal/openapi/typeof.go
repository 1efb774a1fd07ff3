package openapi

import (
	"fmt"
	"slices"

	"github.com/getkin/kin-openapi/openapi3"

	"github.com/resgen-go/resgen/generator/internal/diag"
	"github.com/resgen-go/resgen/generator/internal/model"
)

// typeOf works out the type of a conjunction, and whether null is among its values. It is never where none is.
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
	if !ok || !c.spend(len(leaves)) {
		c.tooComplex(k)
		return model.Any{}, false
	}
	t, alsoNull := c.typeOfLeaves(k, leaves)
	if t == never || isAny(t) {
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
		return never, false
	case len(kinds) > 1:
		return c.unionOfKinds(k, leaves, kinds)
	}
	enum, isEnum, isPossible := c.enum(leaves, kinds[0])
	switch {
	case !isPossible:
		return never, false
	case isEnum:
		return enum, false
	}
	switch kinds[0] {
	case openapi3.TypeObject:
		return c.object(k, leaves, false), false
	case openapi3.TypeArray:
		return c.array(k, leaves)
	default:
		if t, ok := c.jsonText(leaves, kinds[0]); ok {
			return t, false
		}
		return primitive(leaves, kinds[0]), false
	}
}

// jsonText makes the type of a string that holds JSON of which a schema is known.
func (c *converter) jsonText(leaves []part, kind string) (model.Type, bool) {
	for _, leaf := range leaves {
		s, schema := leaf.get("contentSchema"), leaf.kin()
		if s.node == nil || schema.ContentSchema == nil || schema.ContentEncoding != "" || mediaKind(schema.ContentMediaType) != jsonMedia {
			continue
		}
		return model.JSONText{Elem: c.elem(place{spot: s, ref: schema.ContentSchema})}, kind == openapi3.TypeString
	}
	return nil, false
}

// isAny reports whether any value is of a type.
func isAny(t model.Type) bool {
	_, is := t.(model.Any)
	return is
}

// commonKinds returns the types that all leaves allow. What a leaf names counts before what its keywords are about: without a
// type, "required" says something of objects only, and nothing of a list. Where no leaf says anything, isStated is false.
func commonKinds(leaves []part) (kinds []string, isStated bool) {
	for _, leaf := range leaves {
		if named := leaf.namedKinds(); len(named) > 0 {
			kinds, isStated = both(kinds, named, isStated), true
		}
	}
	for _, leaf := range leaves {
		if len(leaf.namedKinds()) > 0 {
			continue
		}
		implied := leaf.impliedKinds()
		narrowed := both(kinds, implied, isStated)
		if len(implied) > 0 && (!isStated || len(narrowed) > 0) {
			kinds, isStated = narrowed, true
		}
	}
	if slices.Contains(kinds, openapi3.TypeNumber) { // every integer is one
		kinds = slices.DeleteFunc(kinds, func(kind string) bool { return kind == openapi3.TypeInteger })
	}
	return kinds, isStated
}

// both returns the types that two lists share, the second alone where the first says nothing. An integer is a number too.
func both(kinds, allowed []string, isStated bool) []string {
	if !isStated {
		return slices.Clone(allowed)
	}
	var out []string
	for _, kind := range kinds {
		switch {
		case slices.Contains(allowed, kind):
			out = append(out, kind)
		case kind == openapi3.TypeNumber && slices.Contains(allowed, openapi3.TypeInteger):
			out = append(out, openapi3.TypeInteger)
		case kind == openapi3.TypeInteger && slices.Contains(allowed, openapi3.TypeNumber):
			out = append(out, kind)
		}
	}
	return out
}

// contradiction reports schemas that no value satisfies at once.
func (c *converter) contradiction(k conjunction) {
	c.warn(diag.Contradiction, k.node.Pos,
		fmt.Sprintf("no value satisfies all schemas here, which %s reaches; where they contradict each other any value is taken", c.operation.name()),
		"they ask for different types or values", "correct the schemas that stand together in allOf")
}
