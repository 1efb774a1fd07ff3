package openapi_test

import (
	"fmt"
	"strings"

	"github.com/resgen-go/resgen/generator/internal/diag"
	"github.com/resgen-go/resgen/generator/internal/model"
)

// dump prints an API one thing a line, so that a case can say what it expects by a few lines of text.
func dump(api *model.API) string {
	if api == nil {
		return "no API\n"
	}
	d := &dumper{}
	d.linef(0, "api %q source %s", api.Title, api.Source)
	for _, s := range api.Servers {
		d.server(1, s)
	}
	for _, op := range api.Operations {
		d.operation(op)
	}
	for _, t := range api.Types {
		d.decl(t)
	}
	for _, s := range api.Schemes {
		d.linef(0, "scheme %s kind %d in %s param %q", s.Name, s.Kind, inWord(s.In), s.Param)
	}
	for _, e := range api.Examples {
		d.linef(0, "example %s %s", e.Name, e.Value.Kind)
	}
	if api.Raw != nil {
		d.linef(0, "annotated at %s", api.Raw.Pos)
	}
	return d.out.String()
}

type dumper struct{ out strings.Builder }

func (d *dumper) linef(depth int, format string, args ...any) {
	line := strings.Repeat("  ", depth) + fmt.Sprintf(format, args...)
	d.out.WriteString(strings.TrimRight(line, " ") + "\n")
}

func (d *dumper) server(depth int, s model.Server) {
	d.linef(depth, "server %s", s.URL)
	for _, v := range s.Variables {
		d.linef(depth+1, "%s = %s %v", v.Name, v.Default, v.Enum)
	}
}

func (d *dumper) operation(op model.Operation) {
	flags := words("derived", op.Derived, "deprecated", op.Deprecated)
	if len(op.Tags) > 0 {
		flags += fmt.Sprintf(" tags %q", op.Tags)
	}
	b := op.Bind.(*model.HTTPBinding)
	d.linef(0, "%s %s %s at %d:%d%s", op.ID, b.Method, b.Path, op.Pos.Line, op.Pos.Column, flags)
	if b.Spelled() != b.Path {
		d.linef(1, "spelled %s", b.Spelled())
	}
	for _, a := range op.Raw {
		d.linef(1, "annotated by %s at %d:%d", a.Layer, a.Value.Pos.Line, a.Value.Pos.Column)
	}
	for _, s := range b.Servers {
		d.server(1, s)
	}
	if len(b.Security) > 0 {
		d.linef(1, "security %v", b.Security)
	}
	for _, p := range b.Params {
		d.param(1, p)
	}
	if b.Body != nil {
		d.linef(1, "body%s", words("required", b.Body.Required))
		d.contents(2, b.Body.Contents)
	}
	for _, r := range b.Responses {
		d.linef(1, "%s", r.Code)
		for _, h := range r.Headers {
			d.param(2, h)
		}
		d.contents(2, r.Contents)
	}
}

func (d *dumper) param(depth int, p model.Param) {
	d.linef(depth, "%s %q %s %s%s", inWord(p.In), p.Name, elem(p.Elem), p.Style,
		words("explode", p.Explode, "required", p.Required, "deprecated", p.Deprecated, "reserved", p.AllowReserved))
}

func inWord(in model.ParamIn) string {
	return map[model.ParamIn]string{model.InPath: "path", model.InQuery: "query", model.InHeader: "header", model.InCookie: "cookie"}[in]
}

func (d *dumper) contents(depth int, all []model.Content) {
	for _, c := range all {
		item := ""
		if c.Item != nil {
			item = " item " + elem(*c.Item)
		}
		d.linef(depth, "%s %s%s", c.MediaType, elem(c.Elem), item)
		for _, e := range c.Encodings {
			d.linef(depth+1, "encoding %s %q %s%s", e.Property, e.ContentType, e.Style, words("explode", e.Explode))
		}
	}
}

func (d *dumper) decl(t model.TypeDecl) {
	name := t.Name
	if name == "" {
		name = fmt.Sprintf("%q", t.Hint)
	}
	flags := words("deprecated", t.Deprecated, "nullable", t.Nullable)
	if t.Doc != "" {
		flags += fmt.Sprintf(" doc %q", t.Doc)
	}
	switch typ := t.Type.(type) {
	case model.Object:
		d.linef(0, "type %s %s object%s", name, t.ID, flags)
		for _, f := range typ.Fields {
			doc := ""
			if f.Doc != "" {
				doc = fmt.Sprintf(" doc %q", f.Doc)
			}
			d.linef(1, "%q %s%s%s", f.Name, elem(f.Elem), words("required", f.Required, "readOnly", f.ReadOnly, "writeOnly", f.WriteOnly,
				"deprecated", f.Deprecated), doc)
		}
		if typ.Additional != nil {
			d.linef(1, "others %s", elem(*typ.Additional))
		}
	case model.Enum:
		d.linef(0, "type %s %s enum of %s%s", name, t.ID, primitiveName(typ.Base), flags)
		for _, v := range typ.Values {
			d.linef(1, "%q %s %s", v.Text, v.Name, v.Doc)
		}
	case model.Union:
		disc := ""
		if typ.Discriminator != nil {
			disc = fmt.Sprintf(" by %q%s", typ.Discriminator.Field, words("inferred", typ.Discriminator.Inferred)+words("optional", typ.Discriminator.Optional))
		}
		d.linef(0, "type %s %s union%s%s", name, t.ID, disc, flags)
		for _, v := range typ.Variants {
			tags := ""
			if len(v.Tags) > 0 {
				tags = fmt.Sprintf(" tags %q", v.Tags)
			}
			tags += words("default", v.IsDefault)
			d.linef(1, "%q %s%s", v.Hint, typeText(v.Type), tags)
		}
	default:
		d.linef(0, "type %s %s = %s%s", name, t.ID, typeText(t.Type), flags)
	}
}

func elem(e model.Elem) string {
	if e.Nullable {
		return typeText(e.Type) + "?"
	}
	return typeText(e.Type)
}

func typeText(t model.Type) string {
	switch t := t.(type) {
	case model.Primitive:
		if t.Format != "" {
			return primitiveName(t.Kind) + "(" + t.Format + ")"
		}
		return primitiveName(t.Kind)
	case model.Array:
		return "[]" + elem(t.Elem)
	case model.Map:
		return "map " + elem(t.Elem)
	case model.JSONText:
		return "text of " + elem(t.Elem)
	case model.Ref:
		return "@" + string(t.ID)
	case model.Any:
		return "any"
	case nil:
		return "NIL"
	default:
		return fmt.Sprintf("INLINE %T", t)
	}
}

func primitiveName(k model.PrimitiveKind) string {
	names := []string{
		"?", "bool", "string", "bytes", "binary", "int", "int32", "int64", "uint32", "uint64", "float32", "float64", "number", "time", "date", "null",
	}
	return names[k]
}

// words returns the names whose flags are set.
func words(pairs ...any) string {
	var out strings.Builder
	for i := 0; i < len(pairs); i += 2 {
		if pairs[i+1].(bool) {
			out.WriteString(" " + pairs[i].(string))
		}
	}
	return out.String()
}

// dumpDiagnostics prints what was found, one a line, without reasons.
func dumpDiagnostics(list *diag.List) string {
	var out strings.Builder
	for _, d := range list.Sorted() {
		fmt.Fprintf(&out, "%s: %s %s: %s\n", d.Span.Pos, d.Severity, d.Code, d.What)
	}
	return out.String()
}
