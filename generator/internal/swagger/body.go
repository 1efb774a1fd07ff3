package swagger

import (
	"fmt"

	"github.com/resgen-go/resgen/generator/internal/source"
)

// requestBody gives an operation the body that its parameters describe.
func (c *converter) requestBody(op *source.Value, bodies, forms []parameter) {
	var body source.Value
	switch {
	case len(bodies) > 0:
		c.reportOthers(bodies, forms)
		body = c.body(op, &bodies[0])
	case len(forms) > 0:
		body = c.form(op, forms)
	default:
		return
	}
	op.Set(source.FieldAt("requestBody", body))
}

// reportOthers reports the parameters that there is no room for in a body.
func (c *converter) reportOthers(bodies, forms []parameter) {
	for _, p := range append(bodies[1:len(bodies):len(bodies)], forms...) {
		lose(c.List, p.pos, fmt.Sprintf("the %s parameter %q is left out: the parameter %q is the whole body", p.in(), p.name(), bodies[0].name()),
			"an operation has one body, which is described by one parameter or is a form",
			"make it a property of the body's schema, or a query parameter")
	}
}

// body makes the body that a parameter is.
func (c *converter) body(op *source.Value, p *parameter) source.Value {
	out := object(p.pos)
	for _, f := range p.value.Map {
		if f.Key == "description" || f.Key == "required" || len(f.Key) > 1 && f.Key[:2] == "x-" {
			out.Map = append(out.Map, source.Field{Key: f.Key, KeyPos: f.KeyPos, Value: c.copyOf(&f.Value)})
		}
	}
	schema := p.value.Get("schema")
	media := object(p.pos)
	switch {
	case schema != nil:
		media.Set(source.FieldAt("schema", c.reached(p.ref, p.file, schema)))
	case p.value.Get("type") != nil: // a schema whose author forgot to say so
		media.Set(source.FieldAt("schema", c.lifted(p.value)))
	}
	out.Set(source.FieldAt("content", c.contentOf(p.pos, c.bodyTypes(op, schema, p.pos), media)))
	return out
}

// reached returns a schema that belongs to a parameter or response: the schema itself where it stands in its place, and a reference
// to it where it was reached by one, so that everybody who refers to it has the same type.
func (c *converter) reached(ref, file string, schema *source.Value) source.Value {
	if ref == "" || file == c.File && refOf(schema) != "" && len(schema.Map) == 1 {
		return c.copyOf(schema)
	}
	return object(schema.Pos, source.FieldAt("$ref", source.TextAt(schema.Pos, within(ref, "schema"))))
}

// contentOf says the same of every media type.
func (c *converter) contentOf(pos source.Pos, types []source.Value, media source.Value) source.Value {
	out := object(pos)
	for _, t := range types {
		out.Map = append(out.Map, source.Field{Key: t.Text, KeyPos: t.Pos, Value: c.copyOf(&media)})
	}
	return out
}

// form makes the body that is a form of parameters.
func (c *converter) form(op *source.Value, forms []parameter) source.Value {
	pos := forms[0].pos
	properties, required, encoding := object(pos), source.Value{Pos: pos, Kind: source.List}, object(pos)
	hasFile, seen := false, map[string]bool{}
	for i := range forms {
		p := &forms[i]
		name := p.value.Get("name")
		if textOf(name) == "" {
			lose(c.List, p.pos, "a formData parameter without a name is left out", "its value travels under its name", "give it a name")
			continue
		}
		hasFile = hasFile || isFileSchema(p.value) || isFileSchema(p.value.Get("items"))
		schema := c.lifted(p.value)
		flatten(&schema, "field", p.name(), c.List)
		if doc := p.value.Get("description"); doc != nil {
			schema.Set(source.FieldAt("description", c.copyOf(doc)))
		}
		if seen[name.Text] {
			continue
		}
		seen[name.Text] = true
		properties.Map = append(properties.Map, source.Field{Key: name.Text, KeyPos: p.pos, Value: schema})
		if is := p.value.Get("required"); is != nil && is.Text == "true" {
			required.List = append(required.List, *name)
		}
		if e, ok := formEncoding(p.value); ok {
			encoding.Map = append(encoding.Map, source.Field{Key: name.Text, KeyPos: p.pos, Value: e})
		}
	}
	schema := object(pos, source.FieldAt("type", source.TextAt(pos, "object")), source.FieldAt("properties", properties))
	if len(required.List) > 0 {
		schema.Set(source.FieldAt("required", required))
	}
	media := object(pos, source.FieldAt("schema", schema))
	if len(encoding.Map) > 0 {
		media.Set(source.FieldAt("encoding", encoding))
	}
	types := c.formTypes(op, pos, hasFile)
	return object(pos, source.FieldAt("required", truth(pos, len(required.List) > 0)), source.FieldAt("content", c.contentOf(pos, types, media)))
}

// lifted is liftedSchema of a parameter that may be that of many operations.
func (c *converter) lifted(p *source.Value) source.Value {
	if !c.spend(size(p)) {
		return source.Value{Pos: p.Pos, Kind: source.Map}
	}
	return liftedSchema(p)
}

// formEncoding says how a list travels in a form. In OpenAPI 3 each item is a field of its own unless something else is said.
func formEncoding(p *source.Value) (source.Value, bool) {
	if textOf(p.Get("type")) != "array" || isFileSchema(p.Get("items")) {
		return source.Value{}, false
	}
	style, explode, pos := "form", false, p.Pos
	if format := p.Get(collection); format != nil {
		pos = format.Pos
		switch format.Text {
		case "multi":
			return source.Value{}, false
		case "ssv":
			style = "spaceDelimited"
		case "tsv":
			style = TabDelimited
		case "pipes":
			style = "pipeDelimited"
		}
	}
	return object(pos, source.FieldAt("style", source.TextAt(pos, style)), source.FieldAt("explode", truth(pos, explode))), true
}
