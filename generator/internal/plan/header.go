package plan

import (
	"fmt"
	"slices"
	"strings"

	"github.com/resgen-go/resgen/generator/internal/model"
)

// HeaderDecl is what the header of an operation's answers holds, a struct that wire.ReadHeader fills in.
type HeaderDecl struct {
	Decl

	Fields []HeaderField
	// Also are the names of the same struct for other operations, in their order.
	Also []string
}

// HeaderField is one header.
type HeaderField struct {
	Name string
	// Tag is the name as sent and the options that wire.ReadHeader takes.
	Tag  string
	Type GoType
	Doc  Comment
}

func (*HeaderDecl) typeDecl() {}

// declareHeaders declares the headers of the successes of each operation. Operations whose answers have the same headers share the first
// one's struct; each has a name of its own for it, so that what is added to another renames nothing.
func (r *resolver) declareHeaders() {
	var tier []wish
	var all [][]model.Param
	var plain []*method
	for i, m := range r.methods {
		if m.media != nil || i > 0 && r.methods[i-1].ask == m.ask {
			continue
		}
		if params := headersOf(m.ask.bind); len(params) > 0 {
			plain, all = append(plain, m), append(all, params)
			name := m.ask.goName
			tier = append(tier, wish{
				id: "headers " + m.ask.op.ID, pos: m.ask.op.Pos, text: m.ask.op.ID, names: []string{name + "Headers", name + "HeaderFields"},
			})
		}
	}
	found := map[string]*HeaderDecl{}
	for i, name := range r.allot(r.pkg, tier) {
		d := r.headers(plain[i], name, all[i])
		key := d.key()
		if same := found[key]; same != nil {
			same.Also = append(same.Also, name)
			continue
		}
		found[key] = d
		r.decls = append(r.decls, d)
	}
}

// headersOf are the headers that the successes of an operation have. One that not all of them have is not required.
func headersOf(bind *model.HTTPBinding) []model.Param {
	var out []model.Param
	count, successes := map[string]int{}, 0
	for i := range bind.Responses {
		r := &bind.Responses[i]
		if !isSuccess(bind.Responses, r.Code) {
			continue
		}
		successes++
		for _, p := range r.Headers {
			if !fitsTag(p.Name) || strings.ContainsAny(p.Name, ", ") {
				continue // the front end has said that no header can have that name
			}
			count[strings.ToLower(p.Name)]++
			at := slices.IndexFunc(out, func(o model.Param) bool { return strings.EqualFold(o.Name, p.Name) })
			switch {
			case at < 0:
				out = append(out, p)
			case !sameElem(out[at].Elem, p.Elem): // the text as it is suits both
				out[at].Elem, out[at].Style = model.Elem{Type: model.Primitive{Kind: model.String}}, "simple"
			default:
				out[at].Required = out[at].Required && p.Required
			}
		}
	}
	for i := range out {
		out[i].Required = out[i].Required && count[strings.ToLower(out[i].Name)] == successes
	}
	return out
}

// headers is the struct of an operation's headers.
func (r *resolver) headers(m *method, name string, params []model.Param) *HeaderDecl {
	d := &HeaderDecl{Decl: Decl{
		Name: name, Pos: m.ask.op.Pos,
		Doc: comment(name + " is the header of the answers of " + m.ask.goName + ": wire.ReadHeader reads it, runtime.Capture gets it."),
	}}
	tier := make([]wish, len(params))
	for i := range params {
		tier[i] = named(params[i].Name, params[i].Pos, params[i].Name, "Header")
	}
	names := newScope(nil).allot(tier, nil)
	for i := range params {
		p := &params[i]
		elem := model.Elem{Type: p.Elem.Type}
		if _, isAny := r.types.follow(elem.Type).typ.(model.Any); isAny && p.Style != jsonStyle {
			elem.Type = model.Primitive{Kind: model.String}
		}
		f := HeaderField{Name: names[i], Tag: p.Name, Doc: withDeprecation(comment(strings.TrimSpace(p.Doc)), p.Deprecated)}
		f.Type, _ = r.types.member(nil, elem, p.Required)
		if p.Required {
			f.Tag += ",required"
		}
		switch {
		case p.Style == jsonStyle:
			f.Tag += ",json"
		case p.Explode && r.types.isComposite(elem.Type):
			f.Tag += ",explode"
		}
		d.Fields = append(d.Fields, f)
	}
	return d
}

// key is equal for structs that are the same but for names and comments.
func (d *HeaderDecl) key() string {
	var b strings.Builder
	for _, f := range d.Fields {
		fmt.Fprintf(&b, "%s %s %#v\n", f.Name, f.Tag, f.Type)
	}
	return b.String()
}
