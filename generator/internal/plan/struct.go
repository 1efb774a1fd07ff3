package plan

import (
	"strings"
	"unicode"

	"github.com/resgen-go/resgen/generator/internal/model"
)

// declare makes the declarations of the types that something refers to, in the model's order.
func (t *typer) declare() []TypeDecl {
	made := map[*declared]TypeDecl{}
	for len(t.queue) > 0 { // declaring one may use others
		d := t.queue[0]
		t.queue = t.queue[1:]
		made[d] = t.declaration(d)
	}
	var out []TypeDecl
	for _, d := range t.all {
		if m := made[d]; m != nil {
			out = append(out, m)
		}
	}
	return out
}

// declaration makes one declaration.
func (t *typer) declaration(d *declared) TypeDecl {
	switch typ := d.Type.(type) {
	case model.Object:
		if !isFreeForm(typ) {
			return t.declareStruct(d, typ)
		}
		return &DefinedDecl{Decl: d.decl(), Type: t.spell(typ)}
	case model.Array, model.Map:
		return &DefinedDecl{Decl: d.decl(), Type: t.spell(typ)}
	case model.Enum:
		return declareEnum(d, typ)
	case model.Union:
		return t.declareUnion(d, typ)
	default:
		return &DefinedDecl{Decl: d.decl(), Type: t.spell(typ), Alias: true}
	}
}

// decl is what every declaration has.
func (d *declared) decl() Decl {
	fallback := d.name + " is the schema " + d.Name + "."
	if d.Name == "" {
		fallback = d.name + " is " + d.place + "."
	}
	return Decl{Name: d.name, Doc: join(describe(d.name, d.Doc, fallback, d.Deprecated), comment(d.sentBy())), Pos: d.Pos, Limits: d.Limits}
}

// declareStruct makes the struct of an object.
func (t *typer) declareStruct(d *declared, o model.Object) *StructDecl {
	out := &StructDecl{Decl: d.decl(), Fields: make([]Field, len(o.Fields))}
	for i := range o.Fields {
		f := &o.Fields[i]
		out.Fields[i] = Field{Name: d.fields[i], JSON: f.Name, Exact: !fitsTag(f.Name), Doc: fieldDoc(f), Model: f}
		out.Fields[i].Type, out.Fields[i].OmitZero = t.member(d, f.Elem, f.Required)
		if f.ReadOnly { // the server sets it: a request must not carry its zero value
			out.Fields[i].OmitZero = true
		}
	}
	if o.Additional != nil {
		out.Additional = AdditionalField{Name: d.extra, Elem: t.element(*o.Additional)}
	}
	return out
}

// isStructReserved reports names that the methods of structs have.
func isStructReserved(name string) bool { return name == "MarshalJSON" || name == "UnmarshalJSON" }

// nameFieldsOf names the fields of an object, and then the one for what is not listed.
func (r *resolver) nameFieldsOf(d *declared, o model.Object) {
	scope := newScope(isStructReserved)
	tier := make([]wish, len(o.Fields))
	extra := []wish{{
		id: "extra " + string(d.ID), pos: d.Pos, names: []string{"Extra", "ExtraFields", "AdditionalProperties"},
	}}
	if o.Additional != nil {
		r.hold(scope, extra)
	}
	for i := range o.Fields {
		f := &o.Fields[i]
		tier[i] = named("field "+string(d.ID)+" "+f.Name, f.Pos, f.Name, "Field")
		if first := tier[i].names[0]; isStructReserved(first) {
			tier[i].names = append([]string{first, first + "Field"}, tier[i].names[1:]...)
		}
	}
	d.fields = r.allot(scope, tier)
	if o.Additional != nil {
		d.extra = r.allot(scope, extra)[0]
	}
}

// fieldDoc is the comment of a field.
func fieldDoc(f *model.Field) Comment {
	c := comment(strings.TrimSpace(f.Doc))
	switch {
	case f.ReadOnly:
		c = join(c, Comment{"The server sets it."})
	case f.WriteOnly:
		c = join(c, Comment{"The server never answers with it."})
	}
	return withDeprecation(c, f.Deprecated)
}

// fitsTag reports whether encoding/json takes a key from a struct tag.
func fitsTag(key string) bool {
	if key == "" {
		return false
	}
	for _, r := range key {
		if !strings.ContainsRune("!#$%&()*+-./:;<=>?@[]^_{|}~ ", r) && !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			return false
		}
	}
	return true
}
