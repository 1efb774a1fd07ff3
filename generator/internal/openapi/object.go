package openapi

import (
	"cmp"
	"slices"

	"github.com/resgen-go/resgen/generator/internal/model"
	"github.com/resgen-go/resgen/generator/internal/source"
)

// fieldSet is the fields of an object that several schemas describe, in the order in which they are first met.
type fieldSet struct {
	names    []string
	byName   map[string][]property
	required map[string]bool
	// isConditional are the names that are there for some values only.
	isConditional map[string]bool
	// undescribed are names that are required and have no schema, in order.
	undescribed []source.Value
}

func fieldsOfLeaves(leaves []part) fieldSet {
	set := fieldSet{byName: map[string][]property{}, required: map[string]bool{}, isConditional: map[string]bool{}}
	for _, leaf := range leaves {
		for _, p := range leaf.properties("properties") {
			if set.byName[p.name] == nil {
				set.names = append(set.names, p.name)
			}
			set.byName[p.name] = append(set.byName[p.name], p)
		}
	}
	for _, leaf := range leaves {
		if leaf.isRef() || leaf.node.Get("required") == nil {
			continue
		}
		for _, name := range leaf.node.Get("required").List {
			if set.byName[name.Text] == nil && !set.required[name.Text] {
				set.undescribed = append(set.undescribed, name)
			}
			set.required[name.Text] = true
		}
	}
	return set
}

// object makes an object's type: a map where no field is known, else a struct. In a body of parts, binary fields are bytes. Where a
// required field can have no value, neither can the object.
func (c *converter) object(k conjunction, leaves []part, inParts bool) model.Type {
	set := fieldsOfLeaves(leaves)
	isLenient := c.isLenient
	c.isLenient = false
	if !isLenient && c.clashes(set) {
		return never
	}
	c.addConditional(&set, leaves)
	additional := c.additional(k, leaves)
	if len(set.names) == 0 && len(set.undescribed) == 0 {
		if additional == nil {
			additional = &model.Elem{Type: model.Any{}}
		}
		return model.Map{Elem: *additional}
	}
	out := model.Object{Additional: additional}
	for _, name := range set.names {
		field := c.field(k, set.byName[name], set.required[name], set.isConditional[name], inParts)
		if field.Elem.Type == never && field.Required && !isLenient {
			return never
		}
		if field.Elem.Type == never {
			field.Elem = c.elemOf(fieldOf(k, set.byName[name]))
		}
		field.Limits = c.fieldLimits(field.Elem, set.byName[name])
		out.Fields = append(out.Fields, field)
	}
	for _, name := range set.undescribed {
		if set.isConditional[name.Text] {
			continue
		}
		out.Fields = append(out.Fields, model.Field{
			Name: name.Text, Elem: model.Elem{Type: model.Any{}}, Required: true, Pos: name.Pos,
		})
	}
	return out
}

// clashes reports whether schemas give a required field constants of which none is shared: they are different alternatives of a
// union, and no value is both. It is asked before the fields are looked at, of which more could seem wrong then.
func (c *converter) clashes(set fieldSet) bool {
	for _, name := range set.names {
		said := set.byName[name]
		if len(said) < 2 || !set.required[name] {
			continue
		}
		shared := c.constants(only(said[0].place))
		for _, p := range said[1:] {
			others := c.constants(only(p.place))
			if len(shared) == 0 || len(others) == 0 {
				break
			}
			shared = slices.DeleteFunc(shared, func(v string) bool { return !slices.Contains(others, v) })
			if len(shared) == 0 {
				return true
			}
		}
	}
	return false
}

// field makes one field. What is said last of it, by the object rather than its bases, describes it.
func (c *converter) field(k conjunction, said []property, isRequired, isEither, inParts bool) model.Field {
	last := said[len(said)-1]
	out := model.Field{Name: last.name, Required: isRequired, Pos: last.pos}
	for _, p := range said {
		title, doc, isDeprecated := p.describes()
		if repeats(title, last.name) {
			title = ""
		}
		out.Doc = cmp.Or(doc, title, out.Doc)
		out.Deprecated = out.Deprecated || isDeprecated
		out.ReadOnly = out.ReadOnly || p.kin().ReadOnly
		out.WriteOnly = out.WriteOnly || p.kin().WriteOnly
		out.Most = tighter(out.Most, mostOf(p.kin()))
	}
	if inParts {
		if raw, ok := c.rawPart(last.place); ok {
			out.Elem = raw
			return out
		}
	}
	if isEither {
		out.Elem = c.eitherElem(k, said)
		return out
	}
	out.Elem = c.elemOrNever(fieldOf(k, said))
	return out
}

// fieldOf is what holds for a field: all that is said of it.
func fieldOf(k conjunction, said []property) conjunction {
	last := said[len(said)-1]
	out := conjunction{spot: last.spot}
	if len(said) > 1 {
		out.spot = k.get("properties").step(last.name, last.node)
	}
	for _, p := range said {
		out.parts = append(out.parts, part{place: p.place})
	}
	return out
}

// additional returns the type of the members that are not listed: nil where the document says nothing of them, or forbids them.
func (c *converter) additional(k conjunction, leaves []part) *model.Elem {
	typed := conjunction{}
	isOpen := false
	var patterns []conjunction
	at := spot{}
	for _, leaf := range leaves {
		schema, isTyped, open := leaf.extra()
		isOpen = isOpen || open
		if isTyped && !slices.ContainsFunc(typed.parts, func(p part) bool { return p.key() == schema.id() }) {
			typed.spot = schema.spot
			typed.parts = append(typed.parts, part{place: schema})
		}
		for _, p := range leaf.properties("patternProperties") {
			patterns, at = append(patterns, only(p.place)), leaf.get("patternProperties")
		}
	}
	if len(typed.parts) > 1 {
		typed.spot = k.step("additionalProperties", typed.node)
	}
	switch {
	case len(typed.parts) > 0 && len(patterns) == 0:
		e := c.elemOf(typed)
		return &e
	case len(patterns) == 0 && isOpen:
		return &model.Elem{Type: model.Any{}}
	case len(patterns) == 0:
		return nil
	case len(typed.parts) > 0:
		patterns = append(patterns, typed)
	}
	if len(patterns) == 1 {
		e := c.elemOf(patterns[0])
		return &e
	}
	e := c.anyOfThem(at.step("value", at.node), patterns)
	return &e
}

// array makes a list's type. The items of a tuple have the type that they share, else they are a union.
func (c *converter) array(k conjunction, leaves []part) (model.Type, bool) {
	items := conjunction{}
	tuple := make([]place, 0, len(leaves))
	for _, leaf := range leaves {
		tuple = append(tuple, leaf.list("prefixItems")...)
		if p, ok := leaf.items(); ok {
			items.spot = p.spot
			items.parts = append(items.parts, part{place: p})
		}
	}
	if len(items.parts) > 1 {
		items.spot = k.step("items", items.node)
	}
	switch {
	case len(tuple) > 0:
		return model.Array{Elem: c.tupleElem(k, tuple, items)}, false
	case len(items.parts) > 0:
		return model.Array{Elem: c.elemOf(items)}, false
	default:
		return model.Array{Elem: model.Elem{Type: model.Any{}}}, false
	}
}

// tupleElem returns a type for every item of a tuple.
func (c *converter) tupleElem(k conjunction, tuple []place, rest conjunction) model.Elem {
	conjunctions := make([]conjunction, 0, len(tuple)+1)
	for _, p := range tuple {
		conjunctions = append(conjunctions, only(p))
	}
	if len(rest.parts) > 0 {
		conjunctions = append(conjunctions, rest)
	}
	at := k.get("prefixItems")
	if at.node == nil {
		at.node = k.node
	}
	return c.anyOfThem(at, conjunctions)
}
