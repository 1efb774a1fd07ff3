package openapi

import (
	"slices"

	"github.com/getkin/kin-openapi/openapi3"

	"github.com/resgen-go/resgen/generator/internal/model"
)

// partsBody is a multipart body whose type is still to be made. It is made after everything that is JSON: where a component is
// used in both ways, JSON has its name.
type partsBody struct {
	elem      *model.Elem
	at        place
	operation *operation
}

// raw returns the type of a schema whose values are bytes, as a body or a part may be and JSON may not.
func (c *converter) raw(p place) (model.Elem, bool) {
	leaf, isNullable, ok := c.soleLeaf(p)
	if !ok || !isRaw(leaf) {
		return model.Elem{}, false
	}
	e := binary()
	e.Nullable = isNullable
	return e, true
}

// rawPart is raw for a part, which may be a list of files too. One file or several are a list.
func (c *converter) rawPart(p place) (model.Elem, bool) {
	if e, ok := c.rawItem(p); ok {
		return e, true
	}
	leaf, isNullable, ok := c.soleLeaf(p)
	switch {
	case !ok:
		return model.Elem{}, false
	case c.hasVariants(leaf):
		return c.rawAlternatives(leaf.place, isNullable)
	case !slices.Equal(leaf.kinds(), []string{openapi3.TypeArray}):
		return model.Elem{}, false
	}
	items, ok := leaf.items()
	if !ok {
		return model.Elem{}, false
	}
	e, ok := c.rawItem(items)
	return model.Elem{Type: model.Array{Elem: e}, Nullable: isNullable}, ok
}

// rawItem is raw for one part, or one of a list. Since 3.1 a part of which no type is said is bytes too: its media type is
// application/octet-stream unless its encoding says another.
func (c *converter) rawItem(p place) (model.Elem, bool) {
	if e, ok := c.raw(p); ok {
		return e, true
	}
	if c.isVersion30() {
		return model.Elem{}, false
	}
	for range maxHops {
		target := c.targetOf(p)
		if target == nil {
			break
		}
		p = c.at(target)
	}
	members, _ := c.members(only(p))
	return binary(), len(members) == 0 && !p.isRef() && !p.has("not") && !p.has("contentEncoding")
}

// rawAlternatives returns the type of a part that is a file or a list of files.
func (c *converter) rawAlternatives(p place, isNullable bool) (model.Elem, bool) {
	alternatives, alsoNull := alternativesOf(p)
	out := binary()
	for _, v := range alternatives {
		e, ok := c.rawPart(v)
		if !ok {
			return model.Elem{}, false
		}
		if _, isList := e.Type.(model.Array); isList {
			out.Type = e.Type
		}
	}
	out.Nullable = isNullable || alsoNull
	return out, len(alternatives) > 0
}

// soleLeaf returns the one schema that a place comes down to, references followed.
func (c *converter) soleLeaf(p place) (leaf part, isNullable, ok bool) {
	for range maxHops {
		members, alsoNull := c.members(only(p))
		isNullable = isNullable || alsoNull
		if len(members) != 1 {
			return part{}, false, false
		}
		target := c.targetOf(members[0].place)
		if target == nil {
			return members[0], isNullable, !members[0].isRef()
		}
		p = c.at(target)
	}
	return part{}, false, false
}

// isRaw reports whether a schema is that of bytes: format binary, or since 3.1 content of some media type without a type, or a string
// whose content is of a media type that is no text, without an encoding that would make it text.
func isRaw(p part) bool {
	schema := p.kin()
	if len(p.namedKinds()) == 0 && schema.ContentMediaType != "" && schema.ContentEncoding == "" && !p.has("contentSchema") {
		return true
	}
	if kinds := p.kinds(); len(kinds) > 0 && !slices.Equal(kinds, []string{openapi3.TypeString}) || schema.ContentEncoding != "" {
		return false
	}
	return schema.Format == "binary" || schema.ContentMediaType != "" && mediaKind(schema.ContentMediaType) == binaryMedia
}

// partsElem makes the type of a multipart body. Where one of its fields is bytes, it is a type of its own.
func (c *converter) partsElem(p place) model.Elem {
	k := only(p)
	target := c.targetOf(p)
	if target != nil {
		k = only(c.at(target))
	}
	members, isNullable := c.members(k)
	leaves, ok := c.leaves(members)
	kinds, _ := commonKinds(leaves)
	if !ok || slices.ContainsFunc(leaves, c.hasVariants) || !slices.Equal(kinds, []string{openapi3.TypeObject}) || !c.hasRawPart(leaves) {
		return c.elem(p)
	}
	key := k.key() + "|parts"
	if e, ok := c.done[key]; ok {
		return e
	}
	t := c.object(k, leaves, true)
	var id model.TypeID
	if target != nil && target.name != "" && !c.queued[target] {
		c.queued[target] = true
		id = model.TypeID(target.id())
		doc, isDeprecated := c.docOf(k, target.name)
		c.decls[id] = &model.TypeDecl{ID: id, Name: target.name, Doc: doc, Deprecated: isDeprecated, Pos: target.node.Pos, Type: t}
		c.order[id] = target
	} else {
		id = c.freeID(only(p))
		c.declare(id, only(p), t)
	}
	e := model.Elem{Type: model.Ref{ID: id}, Nullable: isNullable}
	c.done[key] = e
	return e
}

func (c *converter) hasRawPart(leaves []part) bool {
	for _, leaf := range leaves {
		for _, p := range leaf.properties("properties") {
			if _, ok := c.rawPart(p.place); ok {
				return true
			}
		}
	}
	return false
}
