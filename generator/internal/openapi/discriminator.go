package openapi

import (
	"slices"

	"github.com/resgen-go/resgen/generator/internal/model"
)

// declaredDiscriminator gives each choice its tags: what the mapping says, then the constants of its discriminator field, where it
// has none the name of its component. The first is the one that is written.
func (c *converter) declaredDiscriminator(choices []choice, u part) *model.Discriminator {
	name := u.kin().Discriminator.PropertyName
	taken := map[string]bool{}
	give := func(ch *choice, tags ...string) {
		for _, tag := range tags {
			if !taken[tag] {
				taken[tag] = true
				ch.Tags = append(ch.Tags, tag)
			}
		}
	}
	for _, f := range fieldsOf(u.node.Get("discriminator").Get("mapping")) {
		target := c.bundle.target(f.Value.Text)
		i := slices.IndexFunc(choices, func(ch choice) bool { return c.isChoice(ch.conjunction, target) })
		if i < 0 {
			i = slices.IndexFunc(choices, func(ch choice) bool { return c.isWithin(ch.conjunction, target, map[string]bool{}) })
		}
		if target != nil && i >= 0 {
			give(&choices[i], f.Key)
		}
	}
	var named []int
	for i := range choices {
		if tags, _ := c.tags(choices[i].conjunction, name, map[string]bool{}); len(tags) > 0 {
			give(&choices[i], tags...)
		} else if last := choices[i].parts[len(choices[i].parts)-1]; c.targetOf(last.place) != nil {
			named = append(named, i)
		}
	}
	for _, i := range named { // a name stands for its component beside whatever the mapping calls it
		give(&choices[i], choices[i].Hint)
	}
	if target, ok := c.defaultTarget(u); ok {
		for i := range choices {
			choices[i].IsDefault = c.isChoice(choices[i].conjunction, target)
		}
	}
	return &model.Discriminator{Field: name}
}

// defaultTarget returns the component that a value without a known tag is of (OpenAPI 3.2, defaultMapping).
func (c *converter) defaultTarget(u part) (*component, bool) {
	ref := u.node.Get("discriminator").Get("defaultMapping")
	if ref == nil {
		return nil, false
	}
	target := c.bundle.target(ref.Text)
	return target, target != nil
}

// isChoice reports whether an alternative is a component, by whatever name.
func (c *converter) isChoice(k conjunction, target *component) bool {
	for _, p := range k.parts {
		if found := c.targetOf(p.place); found != nil && (found == target || target != nil && c.isAlias(found, target.id())) {
			return true
		}
	}
	return target != nil && k.pointer == target.pointer+"/discriminator" && k.file == target.file
}

// isWithin reports whether a component is an alternative of an alternative that is a union itself.
func (c *converter) isWithin(k conjunction, target *component, seen map[string]bool) bool {
	members, _ := c.members(k)
	leaves, ok := c.leaves(members)
	if !ok || target == nil || seen[k.key()] {
		return false
	}
	seen[k.key()] = true
	for _, leaf := range leaves {
		if !c.hasVariants(leaf) {
			continue
		}
		alternatives, _ := alternativesOf(leaf.place)
		for _, v := range alternatives {
			if c.isChoice(only(v), target) || c.isWithin(only(v), target, seen) {
				return true
			}
		}
	}
	return false
}

// inferredDiscriminator looks for a field that tells the objects among the choices apart, because each of them has it with constants
// of its own; one that all of them require is preferred. Scalars and lists among the choices are told apart by their kind. It returns nil, and gives no tags,
// where there is no such field.
func (c *converter) inferredDiscriminator(choices []choice) *model.Discriminator {
	var objects []int
	for i := range choices {
		if !c.isScalarOrList(choices[i].conjunction) {
			objects = append(objects, i)
		}
	}
	const enough = 2
	if len(objects) < enough {
		return nil
	}
	var found *model.Discriminator
	for _, name := range c.fieldNames(choices[objects[0]].conjunction, 0) {
		tags, isRequired, ok := c.distinctTags(choices, objects, name)
		if !ok || found != nil && !isRequired {
			continue
		}
		for j, i := range objects {
			choices[i].Tags = tags[j]
		}
		found = &model.Discriminator{Field: name, Inferred: true, Optional: !isRequired}
		if isRequired {
			break
		}
	}
	return found
}

// distinctTags returns each object's constants of a field, and whether all of them require it. It fails where one has none, or two share
// one.
func (c *converter) distinctTags(choices []choice, objects []int, name string) (out [][]string, isRequired, ok bool) {
	out, isRequired = make([][]string, len(objects)), true
	taken := map[string]bool{}
	for j, i := range objects {
		tags, required := c.tags(choices[i].conjunction, name, map[string]bool{})
		if len(tags) == 0 {
			return nil, false, false
		}
		isRequired = isRequired && required
		for _, tag := range tags {
			if taken[tag] {
				return nil, false, false
			}
			taken[tag] = true
		}
		out[j] = tags
	}
	return out, isRequired, true
}

// isScalarOrList reports whether a schema's values are known to be no objects.
func (c *converter) isScalarOrList(k conjunction) bool {
	members, _ := c.members(k)
	leaves, ok := c.leaves(members)
	kinds, isStated := commonKinds(leaves)
	return ok && isStated && !slices.Contains(kinds, "object")
}

// fieldNames returns the fields of an object; of a union those of its first alternative.
func (c *converter) fieldNames(k conjunction, depth int) []string {
	members, _ := c.members(k)
	leaves, ok := c.leaves(members)
	if !ok {
		return nil
	}
	names := fieldsOfLeaves(leaves).names
	if i := slices.IndexFunc(leaves, c.hasVariants); i >= 0 && depth < maxHops {
		if first, _ := alternativesOf(leaves[i].place); len(first) > 0 {
			names = append(names, c.fieldNames(only(first[0]), depth+1)...)
		}
	}
	return names
}

// tags returns the constant strings of a field of an object, and whether the field is required. Of a union it returns those of
// all alternatives, and none if one of them has none. A union that was met before has nothing to add.
func (c *converter) tags(k conjunction, name string, seen map[string]bool) (tags []string, isRequired bool) {
	members, _ := c.members(k)
	leaves, ok := c.leaves(members)
	if !ok || seen[k.key()] {
		return nil, false
	}
	seen[k.key()] = true
	set := fieldsOfLeaves(leaves)
	if said := set.byName[name]; len(said) > 0 {
		field := conjunction{spot: said[0].spot}
		for _, p := range said {
			field.parts = append(field.parts, part{place: p.place})
		}
		if tags = c.constants(field); len(tags) > 0 {
			return tags, set.required[name]
		}
	}
	i := slices.IndexFunc(leaves, c.hasVariants)
	if i < 0 {
		return nil, false
	}
	isRequired = true
	alternatives, _ := alternativesOf(leaves[i].place)
	for _, v := range alternatives {
		of, required := c.tags(only(v), name, seen)
		if len(of) == 0 {
			return nil, false
		}
		tags, isRequired = append(tags, of...), isRequired && (required || set.required[name])
	}
	return tags, isRequired
}

// constants returns the values that a schema allows, if it lists all of them. Integers and booleans tell as well as strings do.
func (c *converter) constants(k conjunction) []string {
	all := newScalars()
	if !c.gatherScalars([]conjunction{k}, &all) || all.isOpen || !slices.Contains([]string{"string", "integer", "boolean"}, all.kind) {
		return nil
	}
	out := make([]string, len(all.values))
	for i, v := range all.values {
		out[i] = v.Text
	}
	return out
}
