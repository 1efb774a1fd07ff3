package goiface

import (
	"fmt"
	"go/types"
	"slices"
	"strings"

	"github.com/resgen-go/resgen/generator/internal/model"
	"github.com/resgen-go/resgen/generator/internal/source"
)

// use is where a type is used, for diagnostics.
type use struct {
	what string
	span source.Span
}

// typeOf is a type as the wrapper spells it. Aliases are kept where the wrapper's package can name them; what it cannot name is reported.
func (w *walk) typeOf(t types.Type, at use) model.GoType {
	switch t := t.(type) {
	case *types.Alias:
		if t.Obj().Pkg() != nil && !w.canName(t.Obj()) {
			return w.typeOf(t.Rhs(), at)
		}
		return w.named(t.Obj(), t.TypeArgs(), at)
	case *types.Named:
		return w.named(t.Obj(), t.TypeArgs(), at)
	case *types.Basic:
		if t.Kind() == types.UnsafePointer {
			return model.GoNamed{PkgPath: "unsafe", PkgName: "unsafe", Name: "Pointer"}
		}
		return model.GoNamed{Name: t.Name()}
	case *types.Pointer:
		return model.GoPointer{Elem: w.typeOf(t.Elem(), at)}
	case *types.Slice:
		return model.GoSlice{Elem: w.typeOf(t.Elem(), at)}
	case *types.Array:
		return model.GoArray{Len: t.Len(), Elem: w.typeOf(t.Elem(), at)}
	case *types.Map:
		return model.GoMap{Key: w.typeOf(t.Key(), at), Elem: w.typeOf(t.Elem(), at)}
	case *types.Chan:
		return model.GoChan{Dir: direction(t.Dir()), Elem: w.typeOf(t.Elem(), at)}
	case *types.Signature:
		return w.signature(t, at)
	case *types.Struct:
		return w.structLiteral(t, at)
	case *types.Interface:
		return w.interfaceLiteral(t, at)
	case *types.Union:
		return w.union(t, at)
	case *types.TypeParam:
		return model.GoTypeRef{Name: t.Obj().Name()}
	default:
		w.unreachable(at.span, fmt.Sprintf("%s uses the type %s, which cannot be spelled", at.what, t))
		return model.GoNamed{Name: "any"}
	}
}

func direction(d types.ChanDir) model.ChanDir {
	switch d {
	case types.SendOnly:
		return model.SendOnly
	case types.RecvOnly:
		return model.ReceiveOnly
	case types.SendRecv:
		return model.BothWays
	default:
		return model.BothWays
	}
}

// named is a type with a name.
func (w *walk) named(o *types.TypeName, args *types.TypeList, at use) model.GoType {
	out := model.GoNamed{Name: o.Name()}
	if p := o.Pkg(); p != nil {
		out.PkgPath, out.PkgName = p.Path(), p.Name()
		if !w.canName(o) {
			w.unreachable(at.span, fmt.Sprintf("%s uses %s.%s, which the package %s cannot name", at.what, p.Path(), o.Name(), w.into.Path))
		}
	}
	for a := range args.Types() {
		out.Args = append(out.Args, w.typeOf(a, at))
	}
	return out
}

// canName reports whether the wrapper's package can name a type: one of its own, or an exported one of a package that it may import.
func (w *walk) canName(o *types.TypeName) bool {
	if o.Pkg() == nil || o.Pkg().Path() == w.into.Path {
		return true
	}
	return o.Exported() && o.Parent() == o.Pkg().Scope() && mayImport(w.into.Path, o.Pkg().Path()) && o.Pkg().Name() != "main"
}

// mayImport reports whether the rule of internal packages lets one package import another (https://go.dev/s/go14internal).
func mayImport(from, path string) bool {
	elements := strings.Split(path, "/")
	for i, element := range slices.Backward(elements) {
		if element != "internal" {
			continue
		}
		parent := strings.Join(elements[:i], "/")
		return parent != "" && (from == parent || strings.HasPrefix(from, parent+"/"))
	}
	return !strings.HasPrefix(path, "vendor/")
}

func (w *walk) signature(t *types.Signature, at use) model.GoFunc {
	return model.GoFunc{Params: w.params(t.Params(), at), Results: w.params(t.Results(), at), Variadic: t.Variadic()}
}

// structLiteral is a struct without a name. Its unexported fields are of its own package alone.
func (w *walk) structLiteral(t *types.Struct, at use) model.GoType {
	var out model.GoStruct
	for i := range t.NumFields() {
		f := t.Field(i)
		if !f.Exported() && f.Pkg() != nil && f.Pkg().Path() != w.into.Path {
			w.unreachable(at.span, fmt.Sprintf("%s uses a struct literal with the unexported field %s of %s", at.what, f.Name(), f.Pkg().Path()))
		}
		out.Fields = append(out.Fields, model.GoField{Name: f.Name(), Type: w.typeOf(f.Type(), at), Embedded: f.Embedded(), Tag: t.Tag(i)})
	}
	return out
}

func (w *walk) interfaceLiteral(t *types.Interface, at use) model.GoType {
	if t.Empty() && t.NumEmbeddeds() == 0 {
		return model.GoNamed{Name: "any"}
	}
	var out model.GoInterface
	for m := range t.ExplicitMethods() {
		if !m.Exported() && m.Pkg().Path() != w.into.Path {
			w.unreachable(at.span, fmt.Sprintf("%s uses an interface literal with the unexported method %s of %s", at.what, m.Name(), m.Pkg().Path()))
		}
		out.Methods = append(out.Methods, model.GoMethod{Name: m.Name(), Func: w.signature(m.Signature(), at)})
	}
	for e := range t.EmbeddedTypes() {
		out.Embeds = append(out.Embeds, w.typeOf(e, at))
	}
	if t.IsImplicit() && len(out.Embeds) == 1 { // [T ~int | ~string]
		return out.Embeds[0]
	}
	return out
}

func (w *walk) union(t *types.Union, at use) model.GoType {
	var out model.GoUnion
	for term := range t.Terms() {
		out.Terms = append(out.Terms, model.GoTerm{Tilde: term.Tilde(), Type: w.typeOf(term.Type(), at)})
	}
	return out
}
