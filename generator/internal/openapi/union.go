package openapi

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/resgen-go/resgen/generator/internal/diag"
	"github.com/resgen-go/resgen/generator/internal/model"
	"github.com/resgen-go/resgen/generator/internal/source"
)

// variants returns the alternatives that a schema names: its oneOf, else its anyOf. Alternatives that only ask for fields, or for
// nothing that a type shows, are a matter of validation and no union.
func variants(p place) []place {
	for _, key := range []string{"oneOf", "anyOf"} {
		all := p.list(key)
		if slices.ContainsFunc(all, func(v place) bool { return !isConstraint(v.node) }) {
			return all
		}
	}
	return nil
}

// isConstraint reports whether a schema of the bundle says nothing of types.
func isConstraint(node *source.Value) bool {
	for i := range node.Map {
		key := node.Map[i].Key
		if !isAnnotation(key) && key != "required" && key != "minimum" && key != "maximum" && key != impliedType {
			return false
		}
	}
	return true
}

func (*converter) hasVariants(p part) bool {
	return !p.isPlain && p.only == "" && !p.isRef() && variants(p.place) != nil
}

// alternativesOf returns the alternatives of a schema, those of unions that stand among them in their place, and whether null is one of
// them.
func alternativesOf(p place) (out []place, isNullable bool) {
	all := variants(p)
	isChoice := slices.ContainsFunc(all, func(v place) bool { return !isOnlyNullable(v.node) })
	for _, v := range all {
		switch {
		case v.isNull() || isChoice && isOnlyNullable(v.node):
			isNullable = true
		case isOnlyUnion(v):
			inner, alsoNull := alternativesOf(v)
			out = append(out, inner...)
			isNullable = isNullable || alsoNull || v.isNullable()
		default:
			out = append(out, v)
		}
	}
	return out, isNullable
}

// isOnlyNullable reports whether a schema says no more than that null is a value. Beside another alternative that is what 3.0 has in
// place of the type null: an optional value of Rust, as schemars writes it. To the letter it would be any value.
func isOnlyNullable(node *source.Value) bool {
	for _, f := range fieldsOf(node) {
		if f.Key != "nullable" && !isAnnotation(f.Key) {
			return false
		}
	}
	return textOf(node.Get("nullable")) == "true"
}

// isOnlyUnion reports whether a schema is a union without a discriminator and nothing else.
func isOnlyUnion(p place) bool {
	if p.isRef() || variants(p) == nil {
		return false
	}
	for i := range p.node.Map {
		key := p.node.Map[i].Key
		if !isAnnotation(key) && key != "oneOf" && key != "anyOf" && key != impliedType {
			return false
		}
	}
	return true
}

// union makes the type of leaves of which one has alternatives: each alternative together with what all of them share.
func (c *converter) union(k conjunction, leaves []part, i int) (model.Type, bool) {
	u := leaves[i]
	plain := u
	plain.isPlain = true
	var shared, hints []part
	for _, p := range slices.Concat(leaves[:i], []part{plain}, leaves[i+1:]) {
		switch p.strength() {
		case strong:
			shared = append(shared, p)
		case weak:
			hints = append(hints, p)
		case silent:
		}
	}
	alternatives, isNullable := alternativesOf(u.place)
	var all []conjunction
	for n, v := range alternatives {
		alternative, ok := c.alternative(k, v, shared, hints)
		if !ok {
			continue
		}
		if isInside := v.file == k.file && strings.HasPrefix(v.pointer, k.pointer+"/"); !isInside && len(alternative.parts) > 1 {
			alternative.spot = k.step("oneOf", k.node).step(strconv.Itoa(n), v.node) // of another schema's union, with what stands here
		}
		all = append(all, alternative)
	}
	if len(all) == 0 && isNullable {
		return model.Primitive{Kind: model.Null}, false
	}
	t, alsoNull := c.unionOf(all, &u)
	return t, isNullable || alsoNull
}

// alternative combines one alternative with what all share. It fails for one that is the union itself and adds nothing.
func (c *converter) alternative(k conjunction, v place, shared, hints []part) (conjunction, bool) {
	out := conjunction{spot: v.spot}
	target := c.targetOf(v)
	switch {
	case target != nil && c.isAlias(target, k.id()):
		out.spot = k.step("discriminator", k.node) // the base as a value of its own
		out.parts = shared
		return out, len(shared) > 0 && target.id() == k.id()
	case len(shared) == 0 || c.includes(v, shared):
		out.parts = []part{{place: v}}
		if target == nil && len((part{place: v}).kinds()) == 0 {
			out.parts = append(out.parts, hints...)
		}
	default:
		out.parts = append(slices.Clone(shared), part{place: v})
	}
	return out, true
}

// isAlias reports whether a component is a schema by another name.
func (c *converter) isAlias(target *component, id string) bool {
	for range maxHops {
		if target.id() == id {
			return true
		}
		members, _ := c.members(only(c.at(target)))
		if len(members) != 1 {
			return false
		}
		if target = c.targetOf(members[0].place); target == nil {
			return false
		}
	}
	return false
}

// includes reports whether an alternative takes in all that is shared, as the subtypes of a base do.
func (c *converter) includes(v place, shared []part) bool {
	leaves, ok := c.leaves([]part{{place: v}})
	if !ok || !v.isRef() {
		return false
	}
	for _, s := range shared {
		if !slices.ContainsFunc(leaves, func(leaf part) bool { return leaf.id() == s.id() }) {
			return false
		}
	}
	return true
}

// unionOfKinds makes the type of a schema that names several types. One that names nearly all of them allows any value.
func (c *converter) unionOfKinds(k conjunction, leaves []part, kinds []string) (model.Type, bool) {
	const nearlyAll = 5
	if len(kinds) >= nearlyAll {
		return model.Any{}, false
	}
	all := make([]conjunction, len(kinds))
	for i, kind := range kinds {
		all[i].spot = k.step(kind, k.node)
		for _, leaf := range leaves {
			leaf.only = kind
			all[i].parts = append(all[i].parts, leaf)
		}
	}
	return c.unionOf(all, nil)
}

// choice is one alternative whose type is known.
type choice struct {
	conjunction

	model.Variant
}

// unionOf makes the type of alternatives. Equal ones are one, and one alone is itself. The part u has the discriminator, if any.
func (c *converter) unionOf(all []conjunction, u *part) (model.Type, bool) {
	if len(all) == 1 && len(all[0].parts) == 1 {
		return c.typeOf(all[0])
	}
	isDeclared := u != nil && u.kin().Discriminator != nil && u.kin().Discriminator.PropertyName != ""
	if !isDeclared {
		if enum, ok := c.enumOf(all); ok {
			return enum, slices.ContainsFunc(all, c.allowsNull)
		}
	}
	choices, isNullable, isOpen := c.choices(all)
	switch {
	case len(choices) == 0 && !isOpen && len(all) > 0:
		return never, false
	case len(choices) == 0:
		return model.Any{}, false
	}
	if len(choices) == 1 && !isOpen {
		return choices[0].Type, isNullable
	}
	out := model.Union{}
	if isDeclared {
		out.Discriminator = c.declaredDiscriminator(choices, *u)
	} else if !isOpen {
		out.Discriminator = c.inferredDiscriminator(choices)
	}
	for _, ch := range choices {
		out.Variants = append(out.Variants, ch.Variant)
	}
	return out, isNullable
}

func (c *converter) allowsNull(k conjunction) bool {
	_, isNullable := c.members(k)
	return isNullable
}

// choices returns the types of alternatives. An alternative that allows any value leaves the union open: its value is the raw one.
func (c *converter) choices(all []conjunction) (out []choice, isNullable, isOpen bool) {
	for _, alternative := range all {
		e := c.elemOrNever(alternative)
		isNullable = isNullable || e.Nullable || c.isNullableAlternative(alternative)
		if e.Type == never {
			c.checkAlternative(alternative)
			continue
		}
		if isAny(e.Type) {
			isOpen = true
			continue
		}
		if slices.ContainsFunc(out, func(ch choice) bool { return isSame(ch.Type, e.Type) }) {
			continue
		}
		variant := model.Variant{Hint: c.variantHint(alternative, e.Type), Type: e.Type, Limits: c.limitsOf(alternative.spots()...)}
		out = append(out, choice{conjunction: alternative, Variant: variant})
	}
	return out, isNullable, isOpen
}

// checkAlternative reports an alternative that is left out because it is of another type than what stands beside it. One that only lists
// other values is no loss: what stands beside it chooses among the alternatives.
func (c *converter) checkAlternative(k conjunction) {
	members, _ := c.members(k)
	leaves, ok := c.leaves(members)
	if kinds, isStated := commonKinds(leaves); !ok || !isStated || len(kinds) > 0 || len(k.parts) == 1 {
		return
	}
	last := k.parts[len(k.parts)-1]
	c.warn(diag.Contradiction, last.node.Pos,
		fmt.Sprintf("an alternative that %s reaches is left out: what stands beside it asks for another type", c.operation.name()),
		"no value is of both types", "correct the alternative, or what stands together with it in allOf")
}

// isNullableAlternative reports whether an alternative is a component that null is a value of.
func (c *converter) isNullableAlternative(k conjunction) bool {
	target := c.targetOf(k.parts[0].place)
	return len(k.parts) == 1 && target != nil && c.allowsNull(only(c.at(target)))
}

// isSame reports whether two types have the same values in Go; formats do not count.
func isSame(a, b model.Type) bool {
	p, isPrimitive := a.(model.Primitive)
	q, isToo := b.(model.Primitive)
	if isPrimitive && isToo {
		return p.Kind == q.Kind
	}
	return a == b
}
