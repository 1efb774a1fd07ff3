package openapi

import (
	"slices"
	"strconv"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"

	"github.com/resgen-go/resgen/generator/internal/source"
)

// place is a schema where it stands, in two views: the bundle's node for order, digits and positions, and kin's for meaning.
type place struct {
	spot

	ref *openapi3.SchemaRef
}

// kin returns kin's view of the schema: of a $ref, what it leads to. It is never nil.
func (p place) kin() *openapi3.Schema {
	if p.ref == nil || p.ref.Value == nil {
		return &openapi3.Schema{}
	}
	return p.ref.Value
}

// isRef reports whether the schema is a reference and nothing else; the bundle has no other references.
func (p place) isRef() bool { return p.ref != nil && p.ref.Ref != "" }

// has reports whether the schema itself has a keyword.
func (p place) has(key string) bool { return p.node.Get(key) != nil }

// list returns the schemas of a list keyword.
func (p place) list(key string) []place {
	var kin openapi3.SchemaRefs
	switch schema := p.kin(); key {
	case "allOf":
		kin = schema.AllOf
	case "oneOf":
		kin = schema.OneOf
	case "anyOf":
		kin = schema.AnyOf
	case "prefixItems":
		kin = schema.PrefixItems
	}
	s := p.get(key)
	if p.isRef() || s.node == nil || len(kin) != len(s.node.List) {
		return nil
	}
	out := make([]place, len(kin))
	for i := range kin {
		out[i] = place{spot: s.item(i), ref: kin[i]}
	}
	return out
}

// property is a schema under a name.
type property struct {
	place

	name string
	pos  source.Pos
}

// properties returns the schemas of a keyword that maps names or patterns to them, in the author's order.
func (p place) properties(key string) []property {
	kin := p.kin().Properties
	switch key {
	case "patternProperties":
		kin = p.kin().PatternProperties
	case "dependentSchemas":
		kin = p.kin().DependentSchemas
	}
	s := p.get(key)
	if p.isRef() || s.node == nil {
		return nil
	}
	out := make([]property, 0, len(s.node.Map))
	for i := range s.node.Map {
		f := &s.node.Map[i]
		out = append(out, property{place: place{spot: s.step(f.Key, &f.Value), ref: kin[f.Key]}, name: f.Key, pos: f.KeyPos})
	}
	return out
}

// items returns the schema of a list's items.
func (p place) items() (place, bool) {
	s := p.get("items")
	if p.isRef() || s.node == nil || p.kin().Items == nil {
		return place{}, false
	}
	return place{spot: s, ref: p.kin().Items}, true
}

// extra returns the schema of the members that are not listed, or says whether any may be there.
func (p place) extra() (schema place, isTyped, isOpen bool) {
	if p.isRef() {
		return place{}, false, false
	}
	allowed := p.kin().AdditionalProperties
	s := p.get("additionalProperties")
	if s.node == nil {
		allowed = p.kin().UnevaluatedProperties
		s = p.get("unevaluatedProperties")
	}
	if allowed.Schema != nil && s.node != nil {
		return place{spot: s, ref: allowed.Schema}, true, true
	}
	return place{}, false, allowed.Has != nil && *allowed.Has
}

// isNullable reports whether the schema itself says that null is among its values. Documents of 3.1 say it in the way of 3.0 too.
func (p place) isNullable() bool {
	if p.isRef() {
		return false
	}
	return p.kin().Nullable || textOf(p.node.Get("x-nullable")) == "true" || p.kin().Type.IncludesNull() || hasNull(p.values())
}

// values returns the values that enum or const leave.
func (p place) values() []source.Value {
	if v := p.node.Get("const"); v != nil {
		return []source.Value{*v}
	}
	if v := p.node.Get("enum"); v != nil {
		return v.List
	}
	return nil
}

func hasNull(values []source.Value) bool {
	return slices.ContainsFunc(values, func(v source.Value) bool { return v.Kind == source.Null })
}

// isNull reports whether null is the only value.
func (p place) isNull() bool {
	if p.isRef() {
		return false
	}
	values := p.values()
	if len(values) > 0 {
		return !slices.ContainsFunc(values, func(v source.Value) bool { return v.Kind != source.Null })
	}
	return p.kin().Type.Is(openapi3.TypeNull) && !saysMore(p.node)
}

// saysMore reports whether a schema describes values other than null. Authors who turn "nullable" into 3.1 forget the other type:
// beside a oneOf, properties or items, the type null alone means that null is among the values.
func saysMore(node *source.Value) bool {
	return refOf(node) != nil ||
		slices.ContainsFunc([]string{"oneOf", "anyOf", "allOf", "properties", "additionalProperties", "items"}, func(key string) bool {
			v := node.Get(key)
			return v != nil && len(v.Map)+len(v.List) > 0
		})
}

// describes returns what the schema itself says of its place.
func (p place) describes() (title, doc string, isDeprecated bool) {
	return textOf(p.node.Get("title")), textOf(p.node.Get("description")), textOf(p.node.Get("deprecated")) == "true"
}

// strength says how much a schema tells of its values.
type strength uint8

const (
	// silent schemas tell nothing, or only whether null is among them.
	silent strength = iota
	// weak schemas name a type and no more.
	weak
	// strong schemas tell more, or refer to what does.
	strong
)

// part is a schema as it takes part in a conjunction: all of it, or without its alternatives, or only one of its types.
type part struct {
	place

	// isOwn says that allOf does not count, because the schemas in it are parts themselves.
	isOwn bool
	// isPlain says that oneOf and anyOf do not count.
	isPlain bool
	// only is the one type that counts, empty for all.
	only string
}

// strength says how much the part tells by itself, its allOf aside.
func (p part) strength() strength {
	if p.isRef() {
		return strong
	}
	out := silent
	for i := range p.node.Map {
		switch f := &p.node.Map[i]; f.Key {
		case "type", "format", impliedType:
			out = max(out, weak)
		case "then", "else", "dependentSchemas":
			if p.hasConditionalMembers() {
				return strong
			}
		case "properties", "required", "patternProperties":
			if len(f.Value.Map)+len(f.Value.List) > 0 {
				return strong
			}
			out = max(out, weak)
		case "additionalProperties", "unevaluatedProperties":
			if f.Value.Kind == source.Bool {
				out = max(out, weak)
				continue
			}
			return strong
		case "oneOf", "anyOf":
			if !p.isPlain {
				return strong
			}
		case "items", "prefixItems", "enum", "const", "contentEncoding", "contentMediaType", "contentSchema":
			return strong
		}
	}
	return out
}

func (p part) key() string {
	key := p.id()
	if p.isOwn {
		key += "|own"
	}
	if p.isPlain {
		key += "|plain"
	}
	if p.only != "" {
		key += "|" + p.only
	}
	return key
}

// conjunction is what holds for a value when several schemas hold: allOf, a field that two bases have, a variant with what
// stands beside the oneOf. A schema that stands alone is one of a single part.
type conjunction struct {
	spot

	parts []part
}

func only(p place) conjunction { return conjunction{spot: p.spot, parts: []part{{place: p}}} }

// key identifies what a conjunction says, wherever it is said.
func (k conjunction) key() string {
	if len(k.parts) == 1 {
		return k.parts[0].key()
	}
	keys := make([]string, len(k.parts))
	for i, p := range k.parts {
		keys[i] = p.key()
	}
	slices.Sort(keys)
	return strconv.Itoa(len(keys)) + ":" + strings.Join(slices.Compact(keys), " ")
}
