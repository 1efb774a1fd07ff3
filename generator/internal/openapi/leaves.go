package openapi

import (
	"slices"

	"github.com/getkin/kin-openapi/openapi3"
)

// members takes a conjunction apart where it stands: allOf within allOf, references not followed. What tells nothing is left out,
// and what only names a type where another tells more. Null is among the values if any schema that stands there says so:
// authors add it beside an allOf.
func (c *converter) members(k conjunction) (out []part, isNullable bool) {
	var all []part
	for _, p := range k.parts {
		all = expand(all, p)
	}
	best := silent
	seen := map[string]bool{}
	for _, p := range all {
		isNullable = isNullable || p.only == "" && p.isNullable()
		best = max(best, p.strength())
	}
	for _, p := range all {
		key := p.key()
		if target := c.targetOf(p.place); target != nil {
			key = target.id()
		}
		if p.strength() < best || best == silent || seen[key] {
			continue
		}
		seen[key] = true
		out = append(out, p)
	}
	return out, isNullable
}

// targetOf returns the component that a reference leads to, nil where p is none.
func (c *converter) targetOf(p place) *component {
	if !p.isRef() {
		return nil
	}
	return c.bundle.target(p.ref.Ref)
}

// expand appends a schema's allOf, and the schema itself without it.
func expand(into []part, p part) []part {
	if p.isOwn {
		return append(into, p)
	}
	for _, q := range p.list("allOf") {
		into = expand(into, part{place: q})
		p.isOwn = true
	}
	return append(into, p)
}

// leaves follows the references of members: all schemas that a value has to satisfy, bases first. None of them has an allOf that
// still counts. It fails where there are too many.
func (c *converter) leaves(members []part) (out []part, ok bool) {
	seen := map[string]bool{}
	for _, p := range members {
		for _, leaf := range c.leavesOf(p) {
			if key := leaf.key(); !seen[key] {
				seen[key] = true
				out = append(out, leaf)
			}
		}
	}
	return out, len(out) <= maxLeaves
}

// leavesOf returns the leaves of one member.
func (c *converter) leavesOf(p part) []part {
	target := c.targetOf(p.place)
	switch {
	case target == nil && p.isRef():
		return nil
	case target == nil:
		return []part{p}
	}
	known, ok := c.flat[target.id()]
	if !ok {
		known = c.gatherLeaves(nil, target, map[*component]bool{})
		c.flat[target.id()] = known
	}
	return known
}

// gatherLeaves appends the leaves of a component. One that was met before adds nothing: it is a base by two ways, or an allOf
// leads back to it, which was reported.
func (c *converter) gatherLeaves(out []part, target *component, seen map[*component]bool) []part {
	if seen[target] || len(out) > maxLeaves || len(seen) > maxLeaves {
		return out
	}
	seen[target] = true
	for _, q := range expand(nil, part{place: c.at(target)}) {
		switch base := c.targetOf(q.place); {
		case base != nil:
			out = c.gatherLeaves(out, base, seen)
		case q.strength() != silent:
			q.isPlain = c.isBaseOfVariants(q.place, target)
			out = append(out, q)
		}
	}
	return out
}

// isBaseOfVariants reports whether the alternatives of a base are the schemas that extend it. A schema that takes the base in by
// allOf is one of them itself, so there they do not count.
func (c *converter) isBaseOfVariants(p place, base *component) bool {
	for _, key := range []string{"oneOf", "anyOf"} {
		for _, v := range p.list(key) {
			if target := c.targetOf(v); target != nil && c.extends(target, base, map[*component]bool{}) {
				return true
			}
		}
	}
	return false
}

// extends reports whether a component takes another in by allOf or $ref.
func (c *converter) extends(sub, base *component, seen map[*component]bool) bool {
	if seen[sub] || len(seen) > maxLeaves {
		return false
	}
	seen[sub] = true
	for _, p := range expand(nil, part{place: c.at(sub)}) {
		if target := c.targetOf(p.place); target != nil && (target == base || c.extends(target, base, seen)) {
			return true
		}
	}
	return false
}

// kinds returns the types that a leaf allows, without null: what it names, else what its keywords are about. None: any.
func (p part) kinds() []string {
	if named := p.namedKinds(); len(named) > 0 {
		return named
	}
	return p.impliedKinds()
}

// namedKinds returns the types that a leaf names, or that its listed values have.
func (p part) namedKinds() []string {
	if p.only != "" {
		return []string{p.only}
	}
	if named := slices.DeleteFunc(slices.Clone(p.kin().Type.Slice()), isNullType); len(named) > 0 {
		return named
	}
	return kindsOfValues(p.values())
}

func isNullType(name string) bool { return name == openapi3.TypeNull }

// impliedKinds returns the types that a leaf's other keywords are about.
func (p part) impliedKinds() []string {
	schema := p.kin()
	switch {
	case p.has("properties") || p.has("required") || p.has("additionalProperties") || p.has("patternProperties") || p.has("unevaluatedProperties"):
		return []string{openapi3.TypeObject}
	case p.has("items") || p.has("prefixItems"):
		return []string{openapi3.TypeArray}
	case kindOfFormat(schema.Format) != "":
		return []string{kindOfFormat(schema.Format)}
	case schema.ContentEncoding != "" || schema.ContentMediaType != "":
		return []string{openapi3.TypeString}
	case p.hasConditionalMembers():
		return []string{openapi3.TypeObject}
	case p.has(impliedType) && !p.isRef():
		return []string{textOf(p.node.Get(impliedType))}
	default:
		return nil
	}
}
