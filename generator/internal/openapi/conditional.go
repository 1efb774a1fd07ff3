package openapi

import (
	"slices"

	"github.com/getkin/kin-openapi/openapi3"

	"github.com/resgen-go/resgen/generator/internal/model"
	"github.com/resgen-go/resgen/generator/internal/source"
)

// conditional returns the schemas that hold for some values only: then, else and dependentSchemas. Where they hold is for the server
// to check; that a member may be there is for the client to know.
func (p place) conditional() []place {
	if p.isRef() {
		return nil
	}
	var out []place
	for _, c := range []struct {
		key string
		ref *openapi3.SchemaRef
	}{{"then", p.kin().Then}, {"else", p.kin().Else}} {
		if s := p.get(c.key); s.node != nil && c.ref != nil {
			out = append(out, place{spot: s, ref: c.ref})
		}
	}
	for _, dependent := range p.properties("dependentSchemas") {
		out = append(out, dependent.place)
	}
	return out
}

// hasConditionalMembers reports whether a member may be there for some values only.
func (p place) hasConditionalMembers() bool {
	return slices.ContainsFunc(p.conditional(), func(q place) bool {
		return q.isRef() || q.has("properties") || q.has("allOf") || q.has("oneOf") || q.has("anyOf") || q.hasConditionalMembers()
	})
}

// addConditional adds the members that may be there for some values only, unless they are described for all.
func (c *converter) addConditional(set *fieldSet, leaves []part) {
	known := len(set.names)
	seen := map[string]bool{}
	for depth := 0; len(leaves) > 0 && depth < maxHops; depth++ {
		var next []part
		for _, leaf := range leaves {
			for _, p := range leaf.conditional() {
				next = append(next, c.branch(p, seen)...)
			}
			if depth > 0 {
				set.add(leaf, known)
			}
		}
		leaves = next
	}
}

// branch returns the leaves of a schema that holds for some values only, its own alternatives among them.
func (c *converter) branch(p place, seen map[string]bool) []part {
	if seen[p.id()] {
		return nil
	}
	seen[p.id()] = true
	leaves, ok := c.leaves([]part{{place: p}})
	members, _ := c.members(only(p))
	if len(members) > 0 {
		leaves, ok = c.leaves(members)
	}
	if !ok || !c.spend(len(leaves)) {
		return nil
	}
	for _, leaf := range slices.Clone(leaves) {
		for _, v := range variants(leaf.place) {
			leaves = append(leaves, c.branch(v, seen)...)
		}
	}
	return leaves
}

// add adds the members of a leaf, those aside that were known at first.
func (s *fieldSet) add(leaf part, known int) {
	for _, p := range leaf.properties("properties") {
		if slices.Contains(s.names[:known], p.name) {
			continue
		}
		if s.byName[p.name] == nil {
			s.names = append(s.names, p.name)
			s.isConditional[p.name] = true
		}
		s.byName[p.name] = append(s.byName[p.name], p)
	}
}

// eitherElem returns the type of a member of which different schemas are said, one of which holds.
func (c *converter) eitherElem(k conjunction, said []property) model.Elem {
	at := k.get("then").step(said[0].name, said[0].node)
	all := make([]conjunction, len(said))
	for i, p := range said {
		all[i] = only(p.place)
	}
	return c.anyOfThem(at, all)
}

// anyOfThem returns the type of values that each are of one of several types, named by a place.
func (c *converter) anyOfThem(at spot, all []conjunction) model.Elem {
	if at.node == nil {
		at.node = &source.Value{}
	}
	t, isNullable := c.unionOf(all, nil)
	if t == never {
		return model.Elem{Type: model.Any{}}
	}
	if needsName(t) {
		id := c.freeID(conjunction{spot: at})
		c.declare(id, conjunction{spot: at}, t)
		t = model.Ref{ID: id}
	}
	return model.Elem{Type: t, Nullable: isNullable && !isAny(t)}
}

// impliedType is the keyword by which the bundle says of what type the values of a schema are about which only constraints are known.
// No author can write it: the loader copies keywords that it knows.
const impliedType = "x-resgen-implied-type"

// constraints are the keywords that say something of one type's values, and what that type is.
var constraints = []struct{ key, kind string }{
	{"minProperties", openapi3.TypeObject},
	{"maxProperties", openapi3.TypeObject},
	{"propertyNames", openapi3.TypeObject},
	{"dependentRequired", openapi3.TypeObject},
	{"minItems", openapi3.TypeArray},
	{"maxItems", openapi3.TypeArray},
	{"uniqueItems", openapi3.TypeArray},
	{"contains", openapi3.TypeArray},
	{"pattern", openapi3.TypeString},
	{"minLength", openapi3.TypeString},
	{"maxLength", openapi3.TypeString},
	{"multipleOf", openapi3.TypeNumber},
	{"minimum", openapi3.TypeNumber},
	{"maximum", openapi3.TypeNumber},
	{"exclusiveMinimum", openapi3.TypeNumber},
	{"exclusiveMaximum", openapi3.TypeNumber},
}

// lowerConstraints notes the one type that the constraints of a schema are about, where the schema does not name its type.
func lowerConstraints(out *source.Value, s spot) {
	if s.node.Get("type") != nil {
		return
	}
	kind := ""
	for _, c := range constraints {
		switch {
		case s.node.Get(c.key) == nil:
		case kind != "" && kind != c.kind:
			return
		default:
			kind = c.kind
		}
	}
	if kind != "" {
		out.Set(source.FieldAt(impliedType, source.TextAt(s.node.Pos, kind)))
	}
}
