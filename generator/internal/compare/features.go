package compare

import (
	"go/token"
	"go/types"
	"reflect"
	"slices"
	"strings"

	"github.com/resgen-go/resgen/generator/internal/plan"
	"github.com/resgen-go/resgen/generator/internal/source"
)

// collector finds the features of one package.
type collector struct {
	surface

	pkg *plan.Package
	own *types.Package
	// methods are the client's, by Go name; decls and uses the declared types.
	methods map[string]*plan.Operation
	decls   map[string]plan.TypeDecl
	uses    map[string]plan.Use
	// shownToo are names that callers use though they are not exported: those of the wrapper of an interface that is not.
	shownToo []string
}

// fakes is the interface of a client, which has the client's methods: what is said of those is said of it.
const fakes = "API"

// collect lists what a client shows.
func collect(client *Client) *surface {
	c := &collector{surface: surface{by: map[string]*feature{}}, pkg: client.Plan, methods: map[string]*plan.Operation{}, decls: map[string]plan.TypeDecl{}}
	c.uses = plan.Uses(client.Plan)
	for i := range c.pkg.Client.Operations {
		op := &c.pkg.Client.Operations[i]
		c.methods[op.GoName] = op
		if op.Pages != nil {
			c.methods[op.Pages.GoName] = op
		}
	}
	for _, d := range c.pkg.Types {
		c.decls[plan.NameOf(d)] = d
	}
	if f := c.pkg.Interface; f != nil {
		for i := range f.Methods {
			if m := &f.Methods[i]; m.Twin != "" && m.Operation >= 0 {
				c.methods[m.Twin] = &c.pkg.Client.Operations[m.Operation]
			}
		}
		c.shownToo = []string{f.Wrapper, f.New, f.Option, f.TargetOption, f.RuntimeOption}
		for i := range c.pkg.Client.Wirings {
			c.shownToo = append(c.shownToo, c.pkg.Client.Wirings[i].Option)
		}
	}
	for _, o := range client.Objects {
		if c.own = o.Pkg(); c.shows(o.Name()) {
			c.object(o)
		}
	}
	return c.sorted()
}

func (c *collector) shows(name string) bool {
	return token.IsExported(name) || slices.Contains(c.shownToo, name)
}

// object adds what stands in the package's scope.
func (c *collector) object(o types.Object) {
	f := &feature{name: o.Name(), typ: c.exact(o.Type()), shown: c.brief(o.Type())}
	switch o := o.(type) {
	case *types.Func:
		f.kind, f.pos = "func", c.wiredAt(o.Name())
	case *types.Var:
		f.kind = "var"
	case *types.Const:
		f.kind, f.value = "const", o.Val().ExactString()
		f.shown += " = " + f.value
		f.pos = c.placeOf(o.Type())
	case *types.TypeName:
		c.typeName(o)
		return
	}
	c.add(f)
}

// typeName adds a type and what it has.
func (c *collector) typeName(o *types.TypeName) {
	f := &feature{name: o.Name(), kind: "type", pos: c.place(o.Name())}
	f.comparable = !c.isClient(o.Name()) && types.Comparable(o.Type()) // a client is made by New, and shared by its pointer
	if o.IsAlias() {
		f.form, f.typ, f.shown = "alias", c.exact(types.Unalias(o.Type())), "= "+c.brief(types.Unalias(o.Type()))
		c.add(f)
		return
	}
	named, ok := o.Type().(*types.Named)
	if !ok {
		return
	}
	params := c.exact(named) // with its type parameters and their constraints
	switch u := named.Underlying().(type) {
	case *types.Struct:
		f.form, f.typ, f.shown = "struct", params, "struct"
		c.fields(o.Name(), u)
	case *types.Interface:
		f.form, f.typ, f.shown = "interface", params, "interface"
		if o.Name() != fakes || c.pkg.Interface != nil {
			c.demands(o.Name(), u)
		}
	default:
		f.form, f.typ, f.shown = "defined", params+" "+c.exact(u), c.brief(u)
	}
	c.add(f)
	for m := range named.Methods() {
		c.method(o.Name(), m)
	}
}

// fields adds the fields of a struct that callers can name.
func (c *collector) fields(owner string, s *types.Struct) {
	for i := range s.NumFields() {
		v := s.Field(i)
		if !v.Exported() {
			continue
		}
		f := &feature{
			name: member(owner, v.Name()), owner: owner, short: v.Name(), kind: "field", typ: c.exact(v.Type()), shown: c.brief(v.Type()), pos: c.place(owner),
		}
		f.json, _, _ = strings.Cut(reflect.StructTag(s.Tag(i)).Get("json"), ",")
		f.sent = c.uses[owner]&plan.Sent != 0
		f.required = c.required(owner, v)
		c.add(f)
	}
}

// required reports whether a field must be there.
func (c *collector) required(owner string, v *types.Var) bool {
	d, ok := c.decls[owner].(*plan.StructDecl)
	if !ok {
		return false
	}
	i := slices.IndexFunc(d.Fields, func(f plan.Field) bool { return f.Name == v.Name() })
	switch {
	case i < 0 || d.Fields[i].OmitZero:
		return false
	case !d.IsRequest:
		return true
	}
	switch t := types.Unalias(v.Type()).(type) { // a parameter, or the body
	case *types.Pointer, *types.Slice, *types.Map:
		return false
	case *types.Named:
		return t.Obj().Pkg() == c.own || t.Obj().Name() != "Opt" && t.Obj().Name() != "OptNull"
	default:
		return true
	}
}

// demands adds the methods of an interface. One with a method that is not exported cannot be implemented elsewhere.
func (c *collector) demands(owner string, in *types.Interface) {
	sealed := false
	for m := range in.Methods() {
		sealed = sealed || !m.Exported()
	}
	for m := range in.Methods() {
		if m.Exported() {
			c.add(&feature{
				name: member(owner, m.Name()), owner: owner, short: m.Name(), kind: "method", typ: c.exact(m.Type()), shown: c.brief(m.Type()),
				demanded: !sealed, pos: c.place(owner),
			})
		}
	}
}

// method adds a method of a type.
func (c *collector) method(owner string, m *types.Func) {
	if !c.shows(m.Name()) && !c.isMethod(m.Name()) {
		return
	}
	f := &feature{name: member(owner, m.Name()), owner: owner, short: m.Name(), kind: "method", typ: c.exact(m.Type()), shown: c.brief(m.Type()), pos: c.place(owner)}
	if op := c.methods[m.Name()]; op != nil && c.isClient(owner) {
		f.operation, f.pos = op.Model.ID, op.Model.Pos
		if f.ladder = op.HasLadder(); f.ladder {
			f.ladderPos = setAt(op, indexed(0))
		}
	}
	if _, pointer := m.Signature().Recv().Type().(*types.Pointer); pointer {
		f.typ = "*" + f.typ
	}
	c.add(f)
}

func (c *collector) isClient(owner string) bool {
	if c.pkg.Interface != nil {
		return owner == c.pkg.Interface.Wrapper
	}
	return owner == "Client"
}

// isMethod reports a method of a wrapped interface that is not exported.
func (c *collector) isMethod(name string) bool {
	return c.pkg.Interface != nil && c.methods[name] != nil
}

func (c *collector) place(name string) source.Pos {
	if d := c.decls[name]; d != nil {
		return d.Place()
	}
	return source.Pos{}
}

// placeOf is where a type of the package is defined.
func (c *collector) placeOf(t types.Type) source.Pos {
	if named, ok := t.(*types.Named); ok && named.Obj().Pkg() == c.own {
		return c.place(named.Obj().Name())
	}
	return source.Pos{}
}

func (c *collector) wiredAt(option string) source.Pos {
	for i := range c.pkg.Client.Wirings {
		if w := &c.pkg.Client.Wirings[i]; w.Option == option {
			return wiredAt(c.pkg, w.Name)
		}
	}
	return source.Pos{}
}

// exact is a type as the compiler compares it: without names of parameters, with the paths of other packages.
func (c *collector) exact(t types.Type) string { return c.text(t, (*types.Package).Path) }

// brief is a type as people read it.
func (c *collector) brief(t types.Type) string { return c.text(t, (*types.Package).Name) }

func (c *collector) text(t types.Type, other func(*types.Package) string) string {
	qualify := func(p *types.Package) string {
		if p == c.own {
			return ""
		}
		return other(p)
	}
	prefix := ""
	if s, ok := t.(*types.Signature); ok && s.TypeParams().Len() > 0 { // it is declared with them, and compared without their declaration
		var params []string
		for p := range s.TypeParams().TypeParams() {
			params = append(params, p.Obj().Name()+" "+types.TypeString(p.Constraint(), qualify))
		}
		prefix = "[" + strings.Join(params, ", ") + "] "
	}
	return prefix + types.TypeString(unnamed(t), qualify)
}

// unnamed leaves the names of parameters and results out of a function's type, and its type parameters.
func unnamed(t types.Type) types.Type {
	s, ok := t.(*types.Signature)
	if !ok {
		return t
	}
	bare := func(all *types.Tuple) *types.Tuple {
		vars := make([]*types.Var, 0, all.Len())
		for v := range all.Variables() {
			vars = append(vars, types.NewParam(token.NoPos, nil, "", unnamed(v.Type())))
		}
		return types.NewTuple(vars...)
	}
	return types.NewSignatureType(nil, nil, nil, bare(s.Params()), bare(s.Results()), s.Variadic())
}
