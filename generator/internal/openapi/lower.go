package openapi

import (
	"fmt"
	"slices"
	"strings"

	"github.com/resgen-go/resgen/generator/internal/diag"
	"github.com/resgen-go/resgen/generator/internal/source"
)

// lower gives a schema of the bundle another form where versions, programs and authors say the same in different ways.
func (b *bundler) lower(out *source.Value, s spot) {
	b.lowerItems(out, s)
	b.lowerSubtypes(out, s)
	b.lowerMapped(out, s)
	lowerBoth(out)
	lowerFormat(out, s)
	lowerConstraints(out, s)
	b.checkKeywords(out)
}

// lowerItems makes a list of items, as JSON Schema had it before 2020-12, prefixItems.
func (b *bundler) lowerItems(out *source.Value, s spot) {
	items := s.get("items")
	if items.node == nil || items.node.Kind != source.List || out.Get("prefixItems") != nil {
		return
	}
	if v, ok := b.listOf(schemas, items); ok {
		out.Set(source.FieldAt("prefixItems", v))
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

// lowerMapped gives a union the alternatives that its mapping names and its author left out: a value with such a tag does come.
func (b *bundler) lowerMapped(out *source.Value, s spot) {
	key := "oneOf"
	if s.get(key).node == nil {
		key = "anyOf"
	}
	if out.Get(key) == nil || s.get("discriminator").node == nil {
		return
	}
	reached := map[string]bool{}
	b.reach(s, reached)
	discriminator := s.get("discriminator").node
	var named []*source.Value
	for _, f := range fieldsOf(discriminator.Get("mapping")) {
		named = append(named, &f.Value)
	}
	if other := discriminator.Get("defaultMapping"); other != nil {
		named = append(named, other)
	}
	for _, name := range named {
		if target, ok := b.refs.mapped(s, name); ok && !reached[target.id()] {
			b.reach(target, reached)
			appendTo(out, key, refTo(s.node.Pos, b.component(schemas, target)))
		}
	}
}

// reach notes the schemas that a schema is by another name, an alternative of, or made of.
func (b *bundler) reach(s spot, reached map[string]bool) {
	if reached[s.id()] || s.node == nil {
		return
	}
	reached[s.id()] = true
	if ref := refOf(s.node); ref != nil {
		if target, err := b.refs.lookup(s, ref.Text); err == nil {
			b.reach(target, reached)
		}
	}
	for _, key := range [...]string{"oneOf", "anyOf", "allOf"} {
		if all := s.get(key); all.node != nil && all.node.Kind == source.List {
			for i := range all.node.List {
				b.reach(all.item(i), reached)
			}
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
		moved.Map = []source.Field{source.FieldAt("anyOf", *anyOf)}
		out.Delete("anyOf")
		appendTo(out, "allOf", moved)
	}
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
		out.Set(source.FieldAt("format", source.TextAt(s.node.Pos, format)))
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

// appendTo appends an item to the list under a key of a map.
func appendTo(out *source.Value, key string, item source.Value) {
	list := out.Get(key)
	if list == nil {
		out.Map = append(out.Map, source.FieldAt(key, source.Value{Pos: item.Pos, Kind: source.List}))
		list = out.Get(key)
	}
	list.List = append(list.List, item)
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

func isNullOnly(types *source.Value) bool {
	return !slices.ContainsFunc(types.List, func(name source.Value) bool { return name.Text != "null" })
}
