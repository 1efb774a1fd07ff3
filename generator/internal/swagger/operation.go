package swagger

import (
	"slices"

	"github.com/resgen-go/resgen/generator/internal/source"
)

// parameter is one that travels in a body.
type parameter struct {
	// value is the parameter itself, pos where the operation lists it.
	value *source.Value
	pos   source.Pos
	// ref and file say how the operation refers to it, if it does, and where it leads.
	ref, file string
}

func (p *parameter) name() string { return textOf(p.value.Get("name")) }

func (p *parameter) in() string { return textOf(p.value.Get("in")) }

// parameters are a list of parameters, told apart by where they travel.
type parameters struct {
	bodies, forms []parameter
	// others are those that are parameters in 3.0 too.
	others source.Value
}

// split tells the parameters of a path item or an operation apart, and converts those that stay. It reports whether there is a list.
func (c *converter) split(of *source.Value) (out parameters, ok bool) {
	list := of.Get("parameters")
	if list == nil || list.Kind != source.List {
		return out, false
	}
	out.others = source.Value{Pos: list.Pos, Kind: source.List}
	for i := range list.List {
		p := parameter{value: &list.List[i], pos: list.List[i].Pos}
		if ref := refOf(p.value); ref != "" {
			if target, ok := c.Find(c.File, ref); ok {
				p.value, p.ref, p.file = target.Value, ref, target.File
			}
		}
		switch p.in() {
		case "body":
			out.bodies = append(out.bodies, p)
		case "formData":
			out.forms = append(out.forms, p)
		default:
			if p.ref == "" {
				liftParameter(&list.List[i], c.List)
			}
			out.others.List = append(out.others.List, list.List[i])
		}
	}
	return out, true
}

// operation converts an operation of a method; shared are the parameters of its path.
func (c *converter) operation(method string, op *source.Value, shared parameters) {
	if part, of := c.part(op); part != nil {
		of.operation(method, part, shared)
		return
	}
	if op.Kind != source.Map || refOf(op) != "" {
		return
	}
	own, isListed := c.split(op)
	if isListed {
		op.Set(source.Field{Key: "parameters", KeyPos: op.Get("parameters").Pos, Value: own.others})
	}
	bodies, forms := own.bodies, own.forms
	if len(bodies)+len(forms) == 0 {
		bodies = shared.bodies
	}
	if len(bodies) == 0 {
		forms = slices.Concat(without(shared.forms, own.forms), own.forms)
	}
	if op.Get("requestBody") == nil {
		c.requestBody(op, bodies, forms)
	}
	c.responses(method, op)
	c.operationServers(op)
}

// without returns the parameters that an operation has no other of the same name for.
func without(shared, own []parameter) []parameter {
	names := map[string]bool{}
	for _, p := range own {
		names[p.name()] = true
	}
	var out []parameter
	for _, p := range shared {
		if !names[p.name()] {
			out = append(out, p)
		}
	}
	return out
}
