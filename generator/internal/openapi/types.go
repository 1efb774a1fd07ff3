package openapi

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/resgen-go/resgen/generator/internal/diag"
	"github.com/resgen-go/resgen/generator/internal/model"
)

// The limits of types. Real documents stay far below: the deepest has some 30 inline types in one another.
const (
	// maxInline is how deep inline types may nest.
	maxInline = 150
	// maxLeaves is how many schemas one may be made of by allOf.
	maxLeaves = 1_000
	// maxConversions is how many schemas are looked at in all, each combination counted.
	maxConversions = 3_000_000
)

// types is the state of the conversion of schemas.
type types struct {
	// decls are the declared types, by ID.
	decls map[model.TypeID]*model.TypeDecl
	// order keeps the named ones' places among their neighbours.
	order map[model.TypeID]*component
	// queue are the named components that were referred to and are not declared yet; queued are those that ever were in it.
	queue  []*component
	queued map[*component]bool
	// done are the types of conjunctions, by key; busy those that are being made, with the ID that they have if one of their
	// own parts refers to them; recursive those that do.
	done      map[string]model.Elem
	busy      map[string]model.TypeID
	recursive map[string]bool
	// parts are bodies of parts, which are made last.
	parts []partsBody
	// flat are the leaves of components, by ID.
	flat map[string][]part
	// depth is how many inline types are open, conversions how many schemas were looked at.
	depth, conversions int
	// owners are the operations, by the ID of their place.
	owners map[string]*operation
}

func newTypes(operations []*operation) types {
	t := types{
		decls: map[model.TypeID]*model.TypeDecl{}, order: map[model.TypeID]*component{}, queued: map[*component]bool{},
		done: map[string]model.Elem{}, busy: map[string]model.TypeID{}, recursive: map[string]bool{},
		flat: map[string][]part{}, owners: map[string]*operation{},
	}
	for _, op := range operations {
		t.owners[op.spot.id()] = op
	}
	return t
}

// elem returns the type of a schema where it stands.
func (c *converter) elem(p place) model.Elem { return c.elemOf(only(p)) }

// elemOf returns the type of a conjunction. Objects, enums and unions become declared types, and are referred to.
func (c *converter) elemOf(k conjunction) model.Elem {
	if len(k.parts) == 1 && k.parts[0].isRef() {
		return c.refer(k.parts[0].place)
	}
	key := k.key()
	if e, ok := c.done[key]; ok {
		return e
	}
	if id, ok := c.busy[key]; ok {
		c.recursive[key] = true
		return model.Elem{Type: model.Ref{ID: id}}
	}
	if c.depth >= maxInline || !c.spend() {
		c.tooComplex(k)
		return model.Elem{Type: model.Any{}}
	}
	id := c.freeID(k)
	c.busy[key] = id
	c.depth++
	t, isNullable := c.typeOf(k)
	c.depth--
	delete(c.busy, key)
	if needsName(t) || c.recursive[key] && t != (model.Ref{ID: id}) {
		c.declare(id, k, t)
		t = model.Ref{ID: id}
	}
	e := model.Elem{Type: t, Nullable: isNullable}
	c.done[key] = e
	return e
}

// freeID returns the ID that a conjunction's declared type has. Two can stand in one place: what an object says of a field, and
// what it says together with its base.
func (c *converter) freeID(k conjunction) model.TypeID {
	id := k.id()
	for c.decls[model.TypeID(id)] != nil || c.isOpen(model.TypeID(id)) {
		id += "/allOf"
	}
	return model.TypeID(id)
}

func (c *converter) isOpen(id model.TypeID) bool {
	for _, open := range c.busy {
		if open == id {
			return true
		}
	}
	return false
}

func needsName(t model.Type) bool {
	switch t.(type) {
	case model.Object, model.Enum, model.Union:
		return true
	default:
		return false
	}
}

// refer returns the type of a reference. A component with a name is a declared type, whatever it is; what lies deeper is what it
// would be where it stands.
func (c *converter) refer(p place) model.Elem {
	target := c.bundle.target(p.ref.Ref)
	switch {
	case target == nil:
		return model.Elem{Type: model.Any{}}
	case target.name == "":
		return c.elem(c.at(target))
	}
	if !c.queued[target] {
		c.queued[target] = true
		c.queue = append(c.queue, target)
	}
	return model.Elem{Type: model.Ref{ID: model.TypeID(target.id())}}
}

// at returns the schema of a component.
func (c *converter) at(target *component) place {
	s := target.spot
	s.node = &target.value
	return place{spot: s, ref: c.doc.Components.Schemas[target.key]}
}

// declare adds an inline type.
func (c *converter) declare(id model.TypeID, k conjunction, t model.Type) {
	decl := &model.TypeDecl{ID: id, Hint: c.hint(k.spot), Pos: k.node.Pos, Type: t}
	decl.Doc, decl.Deprecated = c.docOf(k)
	c.decls[id] = decl
}

// declareComponent adds a named type.
func (c *converter) declareComponent(target *component) {
	p := c.at(target)
	id := model.TypeID(target.id())
	key := only(p).key()
	c.busy[key] = id
	c.depth = 0
	t, isNullable := c.typeOf(only(p))
	delete(c.busy, key)
	decl := &model.TypeDecl{ID: id, Name: target.name, Pos: target.node.Pos, Type: t, Nullable: isNullable}
	decl.Doc, decl.Deprecated = c.docOf(only(p))
	c.decls[id], c.order[id] = decl, target
}

// docOf returns the words of the first part that has some.
func (c *converter) docOf(k conjunction) (doc string, isDeprecated bool) {
	for _, p := range k.parts {
		if p.isRef() {
			continue
		}
		title, text, deprecated := p.describes()
		isDeprecated = isDeprecated || deprecated
		if doc != "" {
			continue
		}
		switch {
		case title != "" && text != "" && title != text:
			doc = title + "\n\n" + text
		default:
			doc = cmp.Or(text, title)
		}
	}
	return doc, isDeprecated
}

// finish declares what was referred to, and returns all declared types: components first, then inline ones, in the order of the
// document.
func (c *converter) finish(ctx context.Context) []model.TypeDecl {
	c.drain(ctx)
	for _, body := range c.parts {
		c.operation = body.operation
		*body.elem = c.partsElem(body.at)
		c.drain(ctx)
	}
	c.breakAliasLoops()
	return c.sorted()
}

func (c *converter) drain(ctx context.Context) {
	for len(c.queue) > 0 && ctx.Err() == nil {
		next := c.queue[0]
		c.queue = c.queue[1:]
		c.declareComponent(next)
	}
}

func (c *converter) sorted() []model.TypeDecl {
	out := make([]model.TypeDecl, 0, len(c.decls))
	for _, decl := range c.decls {
		out = append(out, *decl)
	}
	main := c.in.Tree.Pos.File
	slices.SortFunc(out, func(a, b model.TypeDecl) int {
		x, y := c.order[a.ID], c.order[b.ID]
		switch {
		case x != nil && y != nil:
			return cmp.Or(cmp.Compare(x.file.rank, y.file.rank), cmp.Compare(x.index, y.index), cmp.Compare(a.ID, b.ID))
		case x != nil:
			return -1
		case y != nil:
			return 1
		}
		return cmp.Or(after(a.Pos.File != main, b.Pos.File != main), a.Pos.Compare(b.Pos), cmp.Compare(a.ID, b.ID))
	})
	return out
}

// after orders false before true.
func after(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return 1
	default:
		return -1
	}
}

// breakAliasLoops makes declared types that are only names for one another any value. Their schemas say nothing of what they are.
func (c *converter) breakAliasLoops() {
	for _, decl := range c.sorted() {
		seen := map[model.TypeID]bool{}
		for id := decl.ID; ; {
			if seen[id] {
				c.decls[decl.ID].Type = model.Any{}
				break
			}
			seen[id] = true
			next := c.decls[id]
			ref, isRef := model.Ref{}, false
			if next != nil {
				ref, isRef = next.Type.(model.Ref)
			}
			if !isRef {
				break
			}
			id = ref.ID
		}
	}
}

// spend counts a conversion. It fails where schemas combine to more than any real document has.
func (c *converter) spend() bool {
	c.conversions++
	return c.conversions <= maxConversions
}

// tooComplex reports a schema of which the type is not worked out; its values are raw JSON.
func (c *converter) tooComplex(k conjunction) {
	c.warn(diag.TooComplex, k.node.Pos,
		fmt.Sprintf("a schema that %s reaches is too deep or combines too many others; its values stay raw JSON", c.operation.name()),
		"limits keep a hostile document from exhausting memory", "give inner parts a place under components/schemas")
}
