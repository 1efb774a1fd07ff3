package goiface

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/types"
	"slices"

	"golang.org/x/tools/go/packages"

	"github.com/resgen-go/resgen/generator/internal/diag"
	"github.com/resgen-go/resgen/generator/internal/model"
	"github.com/resgen-go/resgen/generator/internal/source"
)

// walk reads one interface.
type walk struct {
	*reader

	pkg    *packages.Package
	object *types.TypeName
	into   model.GoPackage
}

// wrappable refuses interfaces that no type can implement in the package that the wrapper goes into.
func (w *walk) wrappable(iface *types.Interface) bool {
	name, span := w.object.Name(), w.nameSpan(w.object)
	switch {
	case !iface.IsMethodSet():
		w.refuse(span, name+" is a constraint", "it has no values, so there is nothing to wrap", "name an interface of methods alone")
		return false
	case iface.NumMethods() == 0:
		if !w.sound(iface) {
			return false
		}
		w.refuse(span, name+" has no methods", "there is nothing to call", "name an interface with methods")
		return false
	case !w.into.Same && !w.object.Exported():
		w.unreachable(span, fmt.Sprintf("%s is not exported, and the wrapper goes into another package, %s", name, w.into.Path))
		return false
	case !w.into.Same && w.pkg.Name == "main":
		w.unreachable(span, name+" is declared in a program, which no package can import")
		return false
	}
	good := w.sound(iface)
	for m := range iface.Methods() {
		if m.Exported() || w.into.Path == m.Pkg().Path() {
			continue
		}
		good = false
		d := diag.Diagnostic{
			Code: diag.SealedInterface, Span: w.nameSpan(m),
			What: fmt.Sprintf("%s has the unexported method %s, and the wrapper goes into another package than %s", name, m.Name(), m.Pkg().Path()),
			Why:  "only the package that declares an unexported method can implement it", Fix: "generate into the same package: leave --out away",
		}
		switch {
		case isForeign(w.pkg):
			d.Fix = "declare an interface of your own with the methods that you call, and name that"
		case m.Pkg() != w.pkg.Types:
			d.Fix = "name an interface without the embedded one that has the method"
		}
		w.list.Add(d)
	}
	return good
}

// unreachable reports what the wrapper's package cannot name.
func (w *walk) unreachable(span source.Span, what string) {
	fix := "generate into the package of the interface: leave --out away"
	if isForeign(w.pkg) {
		fix = "declare an interface of your own with the methods that you call, and name that"
	}
	w.list.Add(diag.Diagnostic{
		Code: diag.UnreachableType, Span: span, What: what, Why: "the wrapper must spell every type of the interface", Fix: fix,
	})
}

// sound reports whether the type checker knows the interface: all that its methods and embedded interfaces name.
func (w *walk) sound(iface *types.Interface) bool {
	for t := range iface.EmbeddedTypes() {
		if isInvalid(t) {
			w.broken(w.object.Name(), w.nameSpan(w.object))
			return false
		}
	}
	for m := range iface.Methods() {
		if isInvalid(m.Type()) {
			w.broken(w.object.Name()+"."+m.Name(), w.nameSpan(m))
			return false
		}
	}
	return true
}

// broken reports the mistakes of a package that an interface depends on: those in the line of what is broken, else all.
func (w *walk) broken(name string, at source.Span) {
	const most = 10
	type mistake struct {
		pos source.Pos
		msg string
	}
	var all, near []mistake
	for i := range w.pkg.Errors {
		e := &w.pkg.Errors[i]
		m := mistake{errorPos(w.reader, e), firstLine(e.Msg)}
		if !m.pos.IsValid() || isNoise(m.msg) {
			continue
		}
		all = append(all, m)
		if m.pos.File == at.File && m.pos.Line == at.Line {
			near = append(near, m)
		}
	}
	if len(near) > 0 {
		all = near
	}
	if len(all) == 0 {
		all = []mistake{{at.Pos, "what it names is not known"}}
	}
	for _, m := range all[:min(len(all), most)] {
		w.list.Add(diag.Diagnostic{
			Code: diag.BrokenPackage, Span: source.Span{Pos: m.pos}, What: name + " cannot be understood: " + m.msg,
			Why: "the wrapper must spell every type of the interface", Fix: "correct the package so that it compiles without the wrapper",
			Related: []diag.Related{{Span: at, What: "it is declared here"}},
		})
	}
}

// api is the interface as the planner wants it.
func (w *walk) api(iface *types.Interface) *model.API {
	name := w.object.Name()
	decl := w.declaration()
	in := &model.Interface{
		PkgPath: w.pkg.PkgPath, PkgName: w.pkg.Name, Name: name, Into: w.into, Pos: w.pos(w.object.Pos()), PackageDirectives: w.packageDirectives(),
		Foreign: isForeign(w.pkg),
	}
	if decl.file != nil {
		in.Constraint = constraintOf(decl.file, w.loaded.fset.Position(decl.file.Package).Filename)
	}
	if decl.doc != nil {
		in.Doc = decl.doc.Text()
		in.Directives = w.directives(decl.doc)
	}
	w.refuseLoose(decl)
	in.Symbol = func(name string) model.GoSymbol { return w.symbol(decl, name) }
	if named, ok := types.Unalias(w.object.Type()).(*types.Named); ok {
		for p := range named.TypeParams().TypeParams() {
			in.TypeParams = append(in.TypeParams, model.GoTypeParam{
				Name: p.Obj().Name(), Constraint: w.typeOf(p.Constraint(), use{what: name, span: w.nameSpan(w.object)}),
			})
		}
	}
	api := &model.API{Title: name, Doc: in.Doc, Source: w.pkg.PkgPath + "." + name, Pos: in.Pos, Interface: in}
	seen := map[string]bool{}
	w.methods(api, iface, seen)
	return api
}

// methods adds the methods of an interface: its own in the order of their declaration, then those of embedded interfaces.
func (w *walk) methods(api *model.API, iface *types.Interface, seen map[string]bool) {
	own := slices.SortedFunc(iface.ExplicitMethods(), func(a, b *types.Func) int {
		pa, pb := w.loaded.fset.Position(a.Pos()), w.loaded.fset.Position(b.Pos())
		return cmp.Or(cmp.Compare(pa.Filename, pb.Filename), cmp.Compare(pa.Line, pb.Line), cmp.Compare(pa.Column, pb.Column))
	})
	for _, m := range own {
		if !seen[m.Id()] {
			seen[m.Id()] = true
			api.Operations = append(api.Operations, w.operation(m))
		}
	}
	for t := range iface.EmbeddedTypes() {
		if inner, ok := t.Underlying().(*types.Interface); ok {
			w.methods(api, inner, seen)
		}
	}
}

// operation is one method.
func (w *walk) operation(m *types.Func) model.Operation {
	sig := m.Signature()
	at := use{what: w.object.Name() + "." + m.Name(), span: w.nameSpan(m)}
	bind := &model.FuncBinding{
		Method: m.Name(), Variadic: sig.Variadic(), Ctx: -1, Err: -1,
		Params: w.params(sig.Params(), at), Results: w.params(sig.Results(), at),
	}
	op := model.Operation{ID: w.object.Name() + "." + m.Name(), Pos: w.pos(m.Pos()), Bind: bind}
	if doc := w.methodDoc(m); doc != nil {
		op.Doc = doc.text
		op.Directives = doc.directives
		op.Deprecated = doc.deprecated
	}
	w.answers(sig, bind, at)
	return op
}

func (w *walk) params(t *types.Tuple, at use) []model.GoParam {
	var out []model.GoParam
	for v := range t.Variables() {
		out = append(out, model.GoParam{Name: v.Name(), Type: w.typeOf(v.Type(), at), NoJSON: noJSON(v.Type(), nil)})
	}
	return out
}

// declaration is where the interface is declared.
type declaration struct {
	file *ast.File
	spec *ast.TypeSpec
	decl *ast.GenDecl
	doc  *ast.CommentGroup
}

func (w *walk) declaration() declaration {
	for _, f := range w.pkg.Syntax {
		for _, d := range f.Decls {
			g, ok := d.(*ast.GenDecl)
			if !ok {
				continue
			}
			for _, s := range g.Specs {
				t, ok := s.(*ast.TypeSpec)
				if !ok || t.Name.Pos() != w.object.Pos() {
					continue
				}
				out := declaration{file: f, spec: t, decl: g, doc: t.Doc}
				if out.doc == nil && !g.Lparen.IsValid() {
					out.doc = g.Doc
				}
				return out
			}
		}
	}
	return declaration{}
}
