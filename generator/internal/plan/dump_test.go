package plan

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/resgen-go/resgen/generator/internal/diag"
	"github.com/resgen-go/resgen/generator/internal/model"
	"github.com/resgen-go/resgen/generator/internal/source"
)

// goText is a type as Go spells it.
func goText(t GoType) string {
	switch t := t.(type) {
	case nil:
		return "-"
	case Basic:
		return t.Name
	case Local:
		return t.Name
	case Pointer:
		return "*" + goText(t.Elem)
	case Slice:
		return "[]" + goText(t.Elem)
	case MapOf:
		return "map[string]" + goText(t.Elem)
	case Qual:
		name := t.Path[strings.LastIndex(t.Path, "/")+1:] + "." + t.Name
		if len(t.Args) == 0 {
			return name
		}
		args := make([]string, len(t.Args))
		for i, a := range t.Args {
			args[i] = goText(a)
		}
		return name + "[" + strings.Join(args, ", ") + "]"
	default:
		return fmt.Sprintf("%T", t)
	}
}

// declText is a declaration without its comments.
func declText(d TypeDecl) string {
	var b strings.Builder
	switch d := d.(type) {
	case *StructDecl:
		fmt.Fprintf(&b, "%s struct\n", d.Name)
		for _, f := range d.Fields {
			fmt.Fprintf(&b, "  %s %s", f.Name, goText(f.Type))
			if !d.IsRequest {
				fmt.Fprintf(&b, " %q", f.JSON)
			}
			if f.OmitZero {
				b.WriteString(" omitzero")
			}
			if f.Exact {
				b.WriteString(" exact")
			}
			b.WriteString("\n")
		}
		if d.Additional.Name != "" {
			fmt.Fprintf(&b, "  %s map[string]%s\n", d.Additional.Name, goText(d.Additional.Elem))
		}
	case *EnumDecl:
		fmt.Fprintf(&b, "%s enum %s", d.Name, d.Base.Name)
		if d.Const {
			b.WriteString(" const")
		}
		b.WriteString("\n")
		for _, v := range d.Values {
			fmt.Fprintf(&b, "  %s = %s\n", v.Name, v.Literal)
		}
	case *UnionDecl:
		fmt.Fprintf(&b, "%s union", d.Name)
		if d.Discriminator != "" {
			fmt.Fprintf(&b, " by %q %s()", d.Discriminator, d.TagMethod)
		}
		b.WriteString("\n")
		for _, v := range d.Variants {
			fmt.Fprintf(&b, "  %s %s %s tags=%q kinds=%q required=%q\n", v.Name, v.Of, goText(v.Type), v.Tags, v.Kinds, v.Required)
		}
	case *DefinedDecl:
		sign := " "
		if d.Alias {
			sign = " = "
		}
		fmt.Fprintf(&b, "%s%s%s\n", d.Name, sign, goText(d.Type))
	case *ResponseDecl:
		fmt.Fprintf(&b, "%s interface\n", d.Name)
		for _, v := range d.Variants {
			fmt.Fprintf(&b, "  %s %s\n", v.Name, goText(v.Type))
		}
	}
	return b.String()
}

// opText is what a method takes, sends, reads and returns.
func opText(o *Operation) string {
	var b strings.Builder
	q, a := &o.Request, &o.Response
	fmt.Fprintf(&b, "%s(%s) %s", o.GoName, goText(q.Param), goText(a.Result))
	switch {
	case a.Stream != nil:
		fmt.Fprintf(&b, " stream of %s text=%t", goText(a.Stream.Item), a.Stream.Text)
	case a.Download:
		b.WriteString(" download")
	}
	if q.Optional {
		b.WriteString(" optional")
	}
	fmt.Fprintf(&b, "\n  %s %s accept=%q\n", q.Method, q.Path, q.Accept)
	for _, p := range q.Params {
		fmt.Fprintf(&b, "  %s %s %q\n", p.Field, p.In, p.Name)
	}
	if q.Body != nil {
		fmt.Fprintf(&b, "  body %q %s codec=%d %s\n", q.Body.Field, q.Body.MediaType, q.Body.Codec, goText(q.Body.Type))
		for _, s := range q.Body.Set {
			fmt.Fprintf(&b, "  set %s\n", assignText(s))
		}
	}
	for _, c := range a.Cases {
		fmt.Fprintf(&b, "  %d-%d failure=%t codec=%d %s %s %s\n", c.Lo, c.Hi, c.Failure, c.Codec, c.MediaType, goText(c.Type), c.Variant)
	}
	for _, s := range o.Steps {
		switch s := s.(type) {
		case PatchStep:
			fmt.Fprintf(&b, "  rung %d %s patch %s\n", s.Rung, s.Name, s.Var)
			for _, one := range s.Assign {
				fmt.Fprintf(&b, "    %s\n", assignText(one))
			}
		case StaticStep:
			fmt.Fprintf(&b, "  rung %d %s static %s%s\n", s.Rung, s.Name, s.Example, s.Wiring)
		case FuncStep:
			fmt.Fprintf(&b, "  rung %d %s func %s\n", s.Rung, s.Name, s.Wiring)
		}
	}
	return b.String()
}

func assignText(a Assignment) string {
	types := make([]string, len(a.Types))
	for i, t := range a.Types {
		types[i] = goText(t)
	}
	value := a.Value.JSON
	if a.Value.Zero {
		value = "zero"
	}
	return fmt.Sprintf("%s = %s of %s", strings.Join(a.Path, "."), value, strings.Join(types, " > "))
}

// resolveTest resolves an API that is written as model values.
func resolveTest(t *testing.T, api *model.API) (*Package, *diag.List) {
	t.Helper()
	var list diag.List
	for i := range api.Operations {
		if api.Operations[i].Pos.Line == 0 {
			api.Operations[i].Pos = source.Pos{File: "spec.yaml", Line: i + 1, Column: 1}
		}
	}
	return Resolve(api, Layers{Package: "test", Output: "test", Source: "spec.yaml"}, &list), &list
}

// wantDiags compares what was reported, as "severity code: what".
func wantDiags(t *testing.T, list *diag.List, want ...string) {
	t.Helper()
	var got []string
	for _, d := range list.Sorted() {
		got = append(got, fmt.Sprintf("%s %s: %s", d.Severity, d.Code, d.What))
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("diagnostics (-want +got):\n%s", diff)
	}
}

// typesText are the declarations of a package.
func typesText(p *Package) string {
	var b strings.Builder
	for _, d := range p.Types {
		b.WriteString(declText(d))
	}
	return b.String()
}

// wantText compares two texts line by line.
func wantText(t *testing.T, got, want string) {
	t.Helper()
	if diff := cmp.Diff(strings.Split(strings.Trim(want, "\n"), "\n"), strings.Split(strings.Trim(got, "\n"), "\n")); diff != "" {
		t.Errorf("(-want +got):\n%s\ngot:\n%s", diff, got)
	}
}

// The shortest ways to write a model.
func ref(name string) model.Type { return model.Ref{ID: schemaID(name)} }

func schemaID(name string) model.TypeID { return model.TypeID("#/components/schemas/" + name) }

func prim(k model.PrimitiveKind) model.Type { return model.Primitive{Kind: k} }

func of(t model.Type) model.Elem { return model.Elem{Type: t} }

func nullOf(t model.Type) model.Elem { return model.Elem{Type: t, Nullable: true} }

func required(name string, t model.Type) model.Field {
	return model.Field{Name: name, Elem: of(t), Required: true}
}

func optional(name string, t model.Type) model.Field { return model.Field{Name: name, Elem: of(t)} }

func object(fields ...model.Field) model.Object { return model.Object{Fields: fields} }

func schema(name string, t model.Type) model.TypeDecl {
	return model.TypeDecl{ID: schemaID(name), Name: name, Type: t, Pos: source.Pos{File: string(schemaID(name)), Line: 1}}
}

func inlineType(id string, hint []string, t model.Type) model.TypeDecl {
	return model.TypeDecl{ID: model.TypeID(id), Hint: hint, Type: t}
}

func jsonOf(t model.Type) []model.Content {
	return []model.Content{{MediaType: "application/json", Elem: of(t)}}
}

func answers(code string, contents ...model.Content) model.Response {
	return model.Response{Code: code, Contents: contents}
}

// get is an operation that answers with one type.
func get(id string, result model.Type, params ...model.Param) model.Operation {
	return model.Operation{ID: id, Bind: &model.HTTPBinding{
		Method: "GET", Path: "/" + id, Params: params, Responses: []model.Response{answers("200", jsonOf(result)...)},
	}}
}

// holding is an API whose only operation answers with an object of all the types.
func holding(types ...model.TypeDecl) *model.API {
	all := model.Object{}
	for _, t := range types {
		if t.Name != "" {
			all.Fields = append(all.Fields, optional("f_"+t.Name, model.Ref{ID: t.ID}))
		}
	}
	return &model.API{
		Source: "spec.yaml", Types: append(types, schema("Everything", all)),
		Operations: []model.Operation{get("getAll", ref("Everything"))},
	}
}
