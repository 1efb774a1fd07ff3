package openapi

import (
	"slices"
	"strings"

	"github.com/resgen-go/resgen/generator/internal/source"
)

// mapped finds what a value of a discriminator's mapping names: a component of the same file by name, or what a reference leads
// to.
func (r *resolver) mapped(from spot, value *source.Value) (spot, bool) {
	if value.Kind != source.String {
		return spot{}, false
	}
	components := r.components(from.file, string(schemas))
	if named := components.get(value.Text); named.node != nil {
		return named, true
	}
	if !strings.ContainsAny(value.Text, "#./") {
		named := r.components(r.files.main, string(schemas)).get(value.Text)
		return named, named.node != nil
	}
	found, err := r.lookup(from, value.Text)
	return found, err == nil
}

// dynamic finds what a $recursiveRef or $dynamicRef means: the nearest schema around it that has the anchor, else the anchor
// wherever it is. That is what it means until somebody extends the schema, which no document that was seen does.
func (r *resolver) dynamic(s spot, ref *source.Value, anchor string) (spot, bool) {
	name := strings.TrimPrefix(ref.Text, "#")
	steps, err := source.ParsePointer(s.pointer)
	if err != nil {
		return spot{}, false
	}
	for n := len(steps); n >= 0; n-- {
		around := s.file.tree.At(steps[:n]...)
		mark := around.Get(anchor)
		if mark != nil && (mark.Text == name || name == "" && mark.Text == "true") {
			return spot{file: s.file, pointer: source.Pointer(steps[:n]...), node: around}, true
		}
	}
	if name == "" && len(steps) >= 3 && steps[0] == "components" { // without an anchor it is a $ref to the schema's root
		return spot{file: s.file, pointer: source.Pointer(steps[:3]...), node: s.file.tree.At(steps[:3]...)}, true
	}
	found, err := r.lookup(s, ref.Text)
	return found, err == nil
}

// subtypes returns the schemas under components (the definitions of OpenAPI 2.0) that extend a schema by allOf, those of the main
// document first.
func (r *resolver) subtypes(base spot) []spot {
	out := r.subtypesIn(r.files.main)[base.id()]
	if base.file != r.files.main {
		out = append(slices.Clip(out), r.subtypesIn(base.file)[base.id()]...)
	}
	return out
}

func (r *resolver) subtypesIn(f *file) map[string][]spot {
	if f.subtypes != nil {
		return f.subtypes
	}
	f.subtypes = map[string][]spot{}
	root := spot{file: f, node: f.tree}
	r.addSubtypes(f, r.components(f, string(schemas)))
	if f.written != nil {
		r.addSubtypes(f, root.get("definitions"))
	}
	return f.subtypes
}

func (r *resolver) addSubtypes(f *file, all spot) {
	for i := range fieldsOf(all.node) {
		sub := all.step(all.node.Map[i].Key, &all.node.Map[i].Value)
		parents := sub.get("allOf")
		if parents.node == nil || parents.node.Kind != source.List {
			continue
		}
		for j := range parents.node.List {
			parent := parents.item(j)
			ref := refOf(parent.node)
			if ref == nil {
				continue
			}
			if target, err := r.lookup(parent, ref.Text); err == nil && target.id() != sub.id() {
				f.subtypes[target.id()] = append(f.subtypes[target.id()], sub)
			}
		}
	}
}
