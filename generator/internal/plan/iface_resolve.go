package plan

import (
	"slices"

	"github.com/resgen-go/resgen/generator/internal/diag"
	"github.com/resgen-go/resgen/generator/internal/model"
	"github.com/resgen-go/resgen/runtime/policy"
)

// ResolveInterface decides everything about the wrapper of a Go interface, as Resolve does about the client of a document.
func ResolveInterface(api *model.API, l Layers, list *diag.List) *Package {
	r := &ifaceResolver{api: api, layers: l, list: list, said: readSaid(api, list)}
	r.wrapped, r.at = r.said.wrapped(api, list)
	l.ownDefinitions = r.said.ownDefinitions()
	r.policies = resolvePolicies(r.wrapped, l, list)
	in := api.Interface
	r.out = &Interface{Name: in.Name, Constraint: in.Constraint, File: l.File}
	r.names = newIfaceNames(in, r.out)
	r.names.nameFixed(list)
	r.typer = funcTyper{own: in.Into.Path, rename: r.names.typeParams()}
	r.classify()
	r.typeAll()
	pkg := &Package{
		Name: in.Into.Name, Output: l.Output, ImportPath: in.Into.Path, Source: l.Source, Interface: r.out,
	}
	r.nameMembers()
	r.operations(&pkg.Client)
	pkg.Client.Targets = slices.Clone(r.policies.Targets)
	pkg.Client.Wirings = r.wirings
	return pkg
}

// ifaceResolver is the state of one ResolveInterface.
type ifaceResolver struct {
	api    *model.API
	layers Layers
	list   *diag.List
	said   said
	// wrapped is the API without what is passed through, at the indexes of its operations in api.
	wrapped  *model.API
	at       []int
	policies Resolved
	out      *Interface
	names    *ifaceNames
	typer    funcTyper
	wirings  []Wiring
	// classifiers are the functions that say what errors mean, by the index of wrapped's operations; symbols are what they name.
	classifiers []string
	symbols     []model.GoType
	wiredAt     map[string]int
}

// typeAll spells the types of the interface and of all methods, then gives the imports and the parameters their names.
func (r *ifaceResolver) typeAll() {
	in := r.api.Interface
	self := make([]GoType, 0, len(in.TypeParams))
	for i, p := range in.TypeParams {
		r.out.TypeParams[i].Constraint = r.typer.typ(p.Constraint)
		self = append(self, TypeRef{Name: r.out.TypeParams[i].Name})
	}
	switch {
	case !in.Into.Same:
		r.out.Type = Qual{Path: in.PkgPath, Name: in.Name, Args: self}
	case len(self) > 0:
		r.out.Type = LocalOf{Name: in.Name, Args: self}
	default:
		r.out.Type = Local{Name: in.Name}
	}
	r.names.imports(r.paths())
	for i := range r.api.Operations {
		r.out.Methods = append(r.out.Methods, r.method(i))
	}
}

// paths are the packages that the signatures name, with their names.
func (r *ifaceResolver) paths() map[string]string {
	out := map[string]string{}
	in := r.api.Interface
	if !in.Into.Same {
		out[in.PkgPath] = in.PkgName
	}
	for _, p := range in.TypeParams {
		namedPackages(p.Constraint, out)
	}
	for i := range r.api.Operations {
		if bind, ok := r.api.Operations[i].Bind.(*model.FuncBinding); ok {
			for _, p := range slices.Concat(bind.Params, bind.Results) {
				namedPackages(p.Type, out)
			}
		}
	}
	for _, t := range r.symbols {
		namedPackages(t, out)
	}
	delete(out, in.Into.Path)
	return out
}

// method is one method of the wrapper, without what depends on its policy.
func (r *ifaceResolver) method(i int) Method {
	op := &r.api.Operations[i]
	bind, _ := op.Bind.(*model.FuncBinding)
	m := Method{
		Name: bind.Method, Variadic: bind.Variadic, Ctx: bind.Ctx, Err: bind.Err, Answer: bind.Answer, Key: -1,
		Operation: slices.Index(r.at, i), Doc: r.methodDoc(op, bind, &r.said.methods[i]),
	}
	params := make([]GoType, 0, len(bind.Params))
	for _, p := range bind.Params {
		params = append(params, r.typer.typ(p.Type))
	}
	for j, p := range bind.Results {
		m.Results = append(m.Results, Named{Type: r.typer.typ(p.Type)})
		if j != bind.Err {
			m.Values = append(m.Values, j)
		}
	}
	all := slices.Clone(params)
	for _, res := range m.Results {
		all = append(all, res.Type)
	}
	m.Params = r.names.params(bind, params, all)
	return m
}

// methodDoc is the author's text, and why the method is passed through where it is.
func (r *ifaceResolver) methodDoc(op *model.Operation, bind *model.FuncBinding, m *saidMethod) Comment {
	doc := describeMethod(bind.Method, op.Doc, bind.Method+" calls the wrapped "+r.api.Interface.Name+".", false)
	if why := passes(bind, m); why != "" {
		return join(doc, comment(bind.Method+" is passed through as it is: "+why+"."))
	}
	return doc
}

// nameMembers gives the fields and methods of the wrapper their names, beside the interface's methods.
func (r *ifaceResolver) nameMembers() {
	s := r.names.members
	for i := range r.out.Methods {
		s.taken[r.out.Methods[i].Name] = true
	}
	if !s.taken["Unwrap"] {
		r.out.Unwrap = r.names.member("method that unwraps", "Unwrap")
	}
	r.out.Next = r.names.member("wrapped implementation", "next", "wrapped")
	r.out.Choose = r.names.member("method that chooses", "target", "chosen")
	for _, t := range r.policies.Targets {
		if t.Name != policy.PrimaryTarget && len(t.AnyOf) == 0 { // one with members is not called itself
			stem := unexported(ident(t.Name, "Target"))
			r.out.Targets = append(r.out.Targets, IfaceTarget{Name: t.Name, Field: r.names.member("target "+t.Name, stem, stem+"Target")})
		}
	}
	for i := range r.out.Methods {
		m := &r.out.Methods[i]
		if m.Operation >= 0 {
			stem := unexported(m.Name)
			m.Field = r.names.member("operation "+m.Name, stem, stem+"Call")
		}
	}
}

// operations makes an operation of each method that is wrapped.
func (r *ifaceResolver) operations(c *Client) {
	r.wiredAt = map[string]int{}
	for i := range r.out.Methods {
		m := &r.out.Methods[i]
		if m.Operation < 0 {
			continue
		}
		n, op := m.Operation, &r.wrapped.Operations[m.Operation]
		out := Operation{
			Model: op, GoName: m.Name, Field: r.names.policyStem(m.Name), Doc: m.Doc, PolicyDoc: comment(r.policies.Docs[n]),
			Source: oneLine(r.policies.Sources[n]), Policy: r.policies.Plans[n], Why: r.policies.Why[n], WhyTargets: r.policies.WhyTargets[n],
			Effective: r.policies.Effective[n], Removed: r.policies.Removed[n],
		}
		m.Classifier = r.classifiers[n]
		r.key(m, op, &out)
		r.asks(m, op, &out)
		out.Steps = r.steps(m, op, &out)
		r.twin(m, &out)
		c.Operations = append(c.Operations, out)
	}
}

// twin gives a method with a ladder a further one that says which rung answered, where that is asked for.
func (r *ifaceResolver) twin(m *Method, out *Operation) {
	several := len(m.Values) > 1
	if r.layers.Twins && out.HasLadder() && !several && m.Answer != model.LazyStream {
		m.Twin = r.names.member("twin of "+m.Name, m.Name+"Result", m.Name+"WithResult")
	}
}
