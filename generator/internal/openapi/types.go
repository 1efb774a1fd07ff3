package openapi

import (
	"fmt"

	"github.com/resgen-go/resgen/generator/internal/diag"
	"github.com/resgen-go/resgen/generator/internal/model"
)

// The limits of types. Real documents stay far below: the deepest has some 30 inline types in one another.
const (
	// maxInline is how deep inline types may nest.
	maxInline = 150
	// maxLeaves is how many schemas one may be made of by allOf.
	maxLeaves = 1_000
	// maxConversions is how many schemas are looked at in all, each time that they are combined; a document gets leastConversions and
	// some more for each of its objects, so that a small one does not become a large package. The largest real document has some 30,000.
	maxConversions, leastConversions, conversionsPerObject = 150_000, 30_000, 5
	// maxGathered is how many alternatives are looked at, in all, to find unions that are enums.
	maxGathered = 100_000
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
	// isLenient says that the next object or enum is known to be one that no value satisfies: it has the members and values that any of its
	// schemas has.
	isLenient bool
	// depth is how many inline types are open, conversions how many schemas were looked at.
	depth, conversions int
	// gathered is how many alternatives were looked at to find unions that are enums.
	gathered int
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

// elemOf returns the type of a conjunction. Objects, enums and unions become declared types, and are referred to. A conjunction
// that no value satisfies is reported, and read as far as it makes sense.
func (c *converter) elemOf(k conjunction) model.Elem {
	e := c.elemOrNever(k)
	if e.Type == never {
		c.contradiction(k)
		delete(c.done, k.key())
		c.isLenient = true
		e = c.elemOrNever(k)
		c.isLenient = false
	}
	if e.Type == never {
		e = model.Elem{Type: model.Any{}}
		c.done[k.key()] = e
	}
	return e
}

// never is the type of a conjunction that no value satisfies. It does not leave the conversion.
var never model.Type = model.Primitive{}

// elemOrNever is elemOf for a place where a conjunction that no value satisfies is nothing to speak of.
func (c *converter) elemOrNever(k conjunction) model.Elem {
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
	if c.depth >= maxInline || !c.spend(len(k.parts)) {
		c.tooComplex(k)
		return model.Elem{Type: model.Any{}}
	}
	id := c.freeID(k)
	c.busy[key] = id
	c.depth++
	t, isNullable := c.typeOf(k)
	c.depth--
	delete(c.busy, key)
	if t != never && (needsName(t) || c.recursive[key] && t != (model.Ref{ID: id})) {
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
	c.queueUp(target)
	return model.Elem{Type: model.Ref{ID: model.TypeID(target.id())}}
}

// queueUp lets a named component be declared, once.
func (c *converter) queueUp(target *component) {
	if !c.queued[target] {
		c.queued[target] = true
		c.queue = append(c.queue, target)
	}
}

// at returns the schema of a component.
func (c *converter) at(target *component) place {
	s := target.spot
	s.node = &target.value
	return place{spot: s, ref: c.doc.Components.Schemas[target.key]}
}

// spend counts schemas that are looked at. It fails where they combine to more than any real document has.
func (c *converter) spend(n int) bool {
	c.conversions += n
	return c.conversions <= min(maxConversions, leastConversions+conversionsPerObject*c.bundle.objects)
}

// tooComplex reports a schema of which the type is not worked out; its values are raw JSON.
func (c *converter) tooComplex(k conjunction) {
	c.warn(diag.TooComplex, k.node.Pos,
		fmt.Sprintf("a schema that %s reaches is too deep or combines too many others; its values stay raw JSON", c.operation.name()),
		"limits keep a hostile document from exhausting memory", "give inner parts a place under components/schemas")
}
