package openapi

import (
	"fmt"

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
	v.Map = []source.Field{source.FieldAt("$ref", source.TextAt(pos, c.ref()))}
	return v
}

// anyBody is a body of which nothing is known.
func anyBody(pos source.Pos) source.Value {
	v := emptyMap(pos)
	v.Map = []source.Field{source.FieldAt("content", anyContent(pos))}
	return v
}

// anyContent are the media types of a body of which nothing is known.
func anyContent(pos source.Pos) source.Value {
	v := emptyMap(pos)
	v.Map = []source.Field{source.FieldAt("*/*", emptyMap(pos))}
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
		b.lower(&out, s)
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
		if ok {
			target = b.refs.sameByName(target)
		}
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
			b.reportMapping(f.Key, f.Value.Pos)
			continue
		}
		f.Value = source.TextAt(f.Value.Pos, b.component(schemas, target).ref())
		out.Map = append(out.Map, f)
	}
	return out, true
}

// mappedTo reads a name of a schema, or a reference to it: it becomes a local $ref.
func (b *bundler) mappedTo(s spot) (source.Value, bool) {
	target, ok := b.refs.mapped(s, s.node)
	if !ok {
		b.reportMapping("anything else", s.node.Pos)
		return source.Value{}, false
	}
	return source.TextAt(s.node.Pos, b.component(schemas, target).ref()), true
}

func (b *bundler) reportMapping(tag string, pos source.Pos) {
	b.report(diag.Diagnostic{
		Code: diag.BadMapping, Severity: diag.Warning, Span: source.Span{Pos: pos},
		What: fmt.Sprintf("the discriminator's mapping of %q leads to no schema", tag),
		Why:  "a value with that tag is kept as it came, because its type is not known",
		Fix:  "name a schema of components/schemas, or remove the entry",
	})
}
