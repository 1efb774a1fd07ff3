package openapi

import (
	"fmt"
	"slices"
	"strings"

	"github.com/resgen-go/resgen/generator/internal/diag"
	"github.com/resgen-go/resgen/generator/internal/source"
)

// reference returns a local $ref to the component that a $ref leads to.
func (b *bundler) reference(of section, s spot) source.Value {
	target, ok := b.refs.resolve(s)
	switch {
	case !ok && of == requestBodies:
		return anyBody(s.node.Pos)
	case !ok:
		return emptyMap(s.node.Pos)
	case of == mediaTypes:
		return b.object(of, target) // kin knows no references between media types; they cannot nest either
	default:
		return refTo(s.node.Pos, b.component(of, target))
	}
}

func refTo(pos source.Pos, c *component) source.Value {
	v := emptyMap(pos)
	v.Map = []source.Field{field("$ref", text(pos, c.ref()))}
	return v
}

// anyBody is a body of which nothing is known.
func anyBody(pos source.Pos) source.Value {
	v := emptyMap(pos)
	v.Map = []source.Field{field("content", anyContent(pos))}
	return v
}

// anyContent are the media types of a body of which nothing is known.
func anyContent(pos source.Pos) source.Value {
	v := emptyMap(pos)
	v.Map = []source.Field{field("*/*", emptyMap(pos))}
	return v
}

// schema returns what the loader reads of a schema. The forms that only some versions have are lowered: a boolean schema to an
// empty one, keywords beside $ref to an allOf with it, a list of items to prefixItems, subtypes of a base with a discriminator
// to its oneOf.
func (b *bundler) schema(s spot) source.Value {
	switch {
	case s.node.Kind == source.Bool || s.node.Kind == source.Null:
		return emptyMap(s.node.Pos)
	case s.node.Kind != source.Map:
		b.malformed(s.node, aKind(s.node)+" is where a schema is expected")
		return emptyMap(s.node.Pos)
	}
	target, isRef, ok := b.schemaTarget(s)
	if !isRef {
		out := b.fields(schemas, s)
		b.lowerItems(&out, s)
		b.lowerSubtypes(&out, s)
		lowerBoth(&out)
		lowerFormat(&out, s)
		lowerConstraints(&out, s)
		b.checkKeywords(&out)
		return out
	}
	siblings := b.siblings(s)
	if !ok {
		return siblings
	}
	ref := refTo(s.node.Pos, b.component(schemas, target))
	if len(siblings.Map) == 0 {
		return ref
	}
	appendTo(&siblings, "allOf", ref)
	return siblings
}

// schemaTarget returns what a schema refers to, in any of JSON Schema's ways.
func (b *bundler) schemaTarget(s spot) (target spot, isRef, ok bool) {
	if refOf(s.node) != nil {
		if _, ok := b.refs.resolve(s); !ok {
			return spot{}, true, false
		}
		target, ok := b.refs.target(s)
		return target, true, ok
	}
	for _, dynamic := range [...]struct{ ref, anchor string }{{"$recursiveRef", "$recursiveAnchor"}, {"$dynamicRef", "$dynamicAnchor"}} {
		if ref := s.node.Get(dynamic.ref); ref != nil && ref.Kind == source.String {
			target, ok := b.refs.dynamic(s, ref, dynamic.anchor)
			if !ok {
				b.refs.reportDangling(ref)
			}
			return target, true, ok
		}
	}
	return spot{}, false, false
}

// siblings returns the keywords beside a $ref that count: all since 3.1, and before only those that describe, which authors write
// in good faith though 3.0 ignores them.
func (b *bundler) siblings(s spot) source.Value {
	all := b.fields(schemas, s)
	if !b.isVersion30() {
		return all
	}
	kept := emptyMap(all.Pos)
	for _, f := range all.Map {
		if isAnnotation(f.Key) {
			kept.Map = append(kept.Map, f)
		}
	}
	return kept
}

// isAnnotation reports whether a keyword describes a place rather than the values that may stand there.
func isAnnotation(key string) bool {
	switch key {
	case "title", "description", "deprecated", "readOnly", "writeOnly", "nullable", "x-nullable":
		return true
	default:
		return false
	}
}

// checkKeywords reports what a schema says of lists or objects where its type is another.
func (b *bundler) checkKeywords(out *source.Value) {
	named := out.Get("type")
	if named == nil || len(named.List) == 0 || isNullOnly(named) {
		return
	}
	for _, k := range [...]struct{ key, kind, values string }{
		{"items", "array", "lists"}, {"prefixItems", "array", "lists"}, {"properties", "object", "objects"}, {"patternProperties", "object", "objects"},
	} {
		v := out.Get(k.key)
		hasKind := slices.ContainsFunc(named.List, func(name source.Value) bool { return name.Text == k.kind })
		if v == nil || len(v.Map)+len(v.List) == 0 || hasKind {
			continue
		}
		b.report(diag.Diagnostic{
			Code: diag.MalformedKeyword, Severity: diag.Warning, Span: source.Span{Pos: v.Pos},
			What: fmt.Sprintf("%q says what %s are like, and the type here is %q", k.key, k.values, named.List[0].Text),
			Why:  "it holds for no value, so the document is read as if it were not there",
			Fix:  "write type: " + k.kind + ", or remove it",
		})
	}
}

func isNullOnly(types *source.Value) bool {
	return !slices.ContainsFunc(types.List, func(name source.Value) bool { return name.Text != "null" })
}

// lowerItems makes a list of items, as JSON Schema had it before 2020-12, prefixItems.
func (b *bundler) lowerItems(out *source.Value, s spot) {
	items := s.get("items")
	if items.node == nil || items.node.Kind != source.List || out.Get("prefixItems") != nil {
		return
	}
	if v, ok := b.listOf(schemas, items); ok {
		out.Set(field("prefixItems", v))
	}
}

// lowerSubtypes gives a base schema with a discriminator the oneOf that its author left out: the schemas that extend it by allOf
// (OpenAPI 3.0 section "Composition and Inheritance"), and those that its mapping names.
func (b *bundler) lowerSubtypes(out *source.Value, s spot) {
	if out.Get("discriminator").Get("propertyName") == nil || out.Get("oneOf") != nil || out.Get("anyOf") != nil {
		return
	}
	all := b.refs.subtypes(s)
	for _, f := range fieldsOf(s.get("discriminator").get("mapping").node) {
		if target, ok := b.refs.mapped(s, &f.Value); ok {
			all = append(slices.Clip(all), target)
		}
	}
	if !slices.ContainsFunc(all, func(sub spot) bool { return sub.id() != s.id() }) {
		return // a subtype that repeats its base's discriminator
	}
	seen := map[string]bool{}
	for _, sub := range all {
		if !seen[sub.id()] {
			seen[sub.id()] = true
			appendTo(out, "oneOf", refTo(s.node.Pos, b.component(schemas, sub)))
		}
	}
}

// lowerBoth makes one list of alternatives where a schema has oneOf and anyOf. If one of the two has all alternatives of the other, the
// longer one stays, so that no alternative is lost; else a value is one of each, which an allOf says.
func lowerBoth(out *source.Value) {
	one, anyOf := out.Get("oneOf"), out.Get("anyOf")
	if !hasAlternative(one) || !hasAlternative(anyOf) {
		return
	}
	switch {
	case refersToAllOf(anyOf, one):
		out.Delete("oneOf")
	case refersToAllOf(one, anyOf):
		out.Delete("anyOf")
	default:
		moved := emptyMap(anyOf.Pos)
		moved.Map = []source.Field{field("anyOf", *anyOf)}
		out.Delete("anyOf")
		appendTo(out, "allOf", moved)
	}
}

func hasAlternative(list *source.Value) bool {
	return list != nil && slices.ContainsFunc(list.List, func(v source.Value) bool { return !isConstraint(&v) })
}

// refersToAllOf reports whether one list of alternatives has all that another has, which are references.
func refersToAllOf(longer, shorter *source.Value) bool {
	return !slices.ContainsFunc(shorter.List, func(v source.Value) bool {
		return refOf(&v) == nil || !slices.ContainsFunc(longer.List, func(w source.Value) bool {
			return refOf(&w) != nil && refOf(&w).Text == refOf(&v).Text
		})
	})
}

// lowerFormat gives the type "file", which OpenAPI 2.0 had and documents of 3.0 still write, and types that are formats, their format.
func lowerFormat(out *source.Value, s spot) {
	format := ""
	switch strings.ToLower(textOf(s.node.Get("type"))) {
	case "file":
		format = "binary"
	case "uuid":
		format = "uuid"
	case "date":
		format = "date"
	case "datetime", "date-time":
		format = "date-time"
	case "int32", "int64", "float", "double", "decimal":
		format = strings.ToLower(s.node.Get("type").Text)
	}
	if format != "" && out.Get("format") == nil {
		out.Set(field("format", text(s.node.Pos, format)))
	}
}

// appendTo appends an item to the list under a key of a map.
func appendTo(out *source.Value, key string, item source.Value) {
	list := out.Get(key)
	if list == nil {
		out.Map = append(out.Map, field(key, source.Value{Pos: item.Pos, Kind: source.List}))
		list = out.Get(key)
	}
	list.List = append(list.List, item)
}

// fieldsOf returns the fields of a map, none for anything else.
func fieldsOf(node *source.Value) []source.Field {
	if node == nil {
		return nil
	}
	return node.Map
}

// mapping reads the mapping of a discriminator: each value becomes a local $ref. One that leads nowhere is reported and left
// out; the schema's own name then still selects it.
func (b *bundler) mapping(s spot) (source.Value, bool) {
	out := emptyMap(s.node.Pos)
	if s.node.Kind != source.Map {
		return out, false
	}
	for i := range s.node.Map {
		f := s.node.Map[i]
		target, ok := b.refs.mapped(s, &f.Value)
		if !ok {
			b.report(diag.Diagnostic{
				Code: diag.BadMapping, Severity: diag.Warning, Span: source.Span{Pos: f.Value.Pos},
				What: fmt.Sprintf("the discriminator's mapping of %q leads to no schema", f.Key),
				Why:  "a value with that tag is kept as it came, because its type is not known",
				Fix:  "name a schema of components/schemas, or remove the entry",
			})
			continue
		}
		f.Value = text(f.Value.Pos, b.component(schemas, target).ref())
		out.Map = append(out.Map, f)
	}
	return out, true
}
