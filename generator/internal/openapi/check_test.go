package openapi_test

import (
	"testing"

	"github.com/resgen-go/resgen/generator/internal/model"
	"github.com/resgen-go/resgen/generator/internal/source"
)

// checkModel holds an API to what the model promises of every one: unique IDs, references that lead somewhere, positions.
func checkModel(t *testing.T, api *model.API) {
	t.Helper()
	c := &checker{t: t, types: map[model.TypeID]model.Type{}}
	for _, d := range api.Types {
		if c.types[d.ID] != nil {
			t.Errorf("type %s is declared twice", d.ID)
		}
		c.types[d.ID] = d.Type
		c.pos(d.Pos, "type "+string(d.ID))
		if d.Name == "" && len(d.Hint) == 0 {
			t.Errorf("type %s has neither name nor hint", d.ID)
		}
		for _, hint := range d.Hint {
			if hint == "" {
				t.Errorf("type %s has an empty hint: %q", d.ID, d.Hint)
			}
		}
	}
	for _, d := range api.Types {
		c.decl(d)
	}
	ids := map[string]bool{}
	for _, op := range api.Operations {
		if ids[op.ID] || op.ID == "" {
			t.Errorf("operation ID %q is not unique", op.ID)
		}
		ids[op.ID] = true
		c.operation(op)
	}
}

type checker struct {
	t     *testing.T
	types map[model.TypeID]model.Type
}

func (c *checker) pos(p source.Pos, what string) {
	if !p.IsValid() || p.File == "" || p.Column < 1 {
		c.t.Errorf("%s has no place: %v", what, p)
	}
}

func (c *checker) operation(op model.Operation) {
	c.pos(op.Pos, "operation "+op.ID)
	b := op.Bind.(*model.HTTPBinding)
	seen := map[model.ParamIn]map[string]bool{}
	for _, p := range b.Params {
		if seen[p.In] == nil {
			seen[p.In] = map[string]bool{}
		}
		if seen[p.In][p.Name] {
			c.t.Errorf("operation %s has the parameter %q twice", op.ID, p.Name)
		}
		seen[p.In][p.Name] = true
		c.param(p)
	}
	if b.Body != nil {
		c.pos(b.Body.Pos, "body of "+op.ID)
		c.contents(b.Body.Contents)
	}
	for _, r := range b.Responses {
		c.pos(r.Pos, "response of "+op.ID)
		c.contents(r.Contents)
		for _, h := range r.Headers {
			c.param(h)
		}
	}
}

func (c *checker) param(p model.Param) {
	c.pos(p.Pos, "parameter "+p.Name)
	if p.Style == "" || p.In == 0 {
		c.t.Errorf("parameter %q has no style or place", p.Name)
	}
	c.elem(p.Elem, false)
}

func (c *checker) contents(all []model.Content) {
	for _, content := range all {
		c.pos(content.Pos, content.MediaType)
		c.elem(content.Elem, true)
		if content.Item != nil {
			c.elem(*content.Item, false)
		}
	}
}

// elem checks a type where it stands: objects, enums and unions are declared, bytes are a body or a part.
func (c *checker) elem(e model.Elem, mayBeBinary bool) {
	switch t := e.Type.(type) {
	case model.Primitive:
		if t.Kind == 0 || t.Kind == model.Binary && !mayBeBinary {
			c.t.Errorf("a primitive of kind %d is out of place", t.Kind)
		}
	case model.Array:
		c.elem(t.Elem, mayBeBinary)
	case model.Map:
		c.elem(t.Elem, false)
	case model.JSONText:
		c.elem(t.Elem, false)
	case model.Ref:
		if c.types[t.ID] == nil {
			c.t.Errorf("a reference to %s, which is not declared", t.ID)
		}
	case model.Any:
	default:
		c.t.Errorf("a %T stands without a declaration", t)
	}
}

func (c *checker) decl(d model.TypeDecl) {
	switch t := d.Type.(type) {
	case model.Object:
		seen := map[string]bool{}
		for _, f := range t.Fields {
			if seen[f.Name] {
				c.t.Errorf("type %s has the field %q twice", d.ID, f.Name)
			}
			seen[f.Name] = true
			c.pos(f.Pos, "field "+f.Name)
			c.elem(f.Elem, true)
		}
		if t.Additional != nil {
			c.elem(*t.Additional, false)
		}
	case model.Enum:
		if len(t.Values) == 0 || t.Base == 0 {
			c.t.Errorf("type %s is an empty enum", d.ID)
		}
	case model.Union:
		if len(t.Variants) == 0 {
			c.t.Errorf("type %s is an empty union", d.ID)
		}
		for _, v := range t.Variants {
			if v.Hint == "" {
				c.t.Errorf("type %s has a variant without a hint", d.ID)
			}
			c.elem(model.Elem{Type: v.Type}, false)
		}
	case model.Ref:
		if t.ID == d.ID {
			c.t.Errorf("type %s is itself", d.ID)
		}
		c.elem(model.Elem{Type: t}, false)
	default:
		c.elem(model.Elem{Type: t}, false)
	}
}
