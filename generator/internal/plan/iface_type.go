package plan

import (
	"slices"

	"github.com/resgen-go/resgen/generator/internal/model"
)

// funcTyper spells the types of a Go interface in the package that its wrapper goes into.
type funcTyper struct {
	// own is that package.
	own string
	// rename are the type parameters that have another name in the wrapper.
	rename map[string]string
}

// typ is a type as the wrapper's file spells it.
func (f *funcTyper) typ(t model.GoType) GoType {
	switch t := t.(type) {
	case model.GoNamed:
		return f.named(t)
	case model.GoTypeRef:
		if name := f.rename[t.Name]; name != "" {
			return TypeRef{Name: name}
		}
		return TypeRef{Name: t.Name}
	case model.GoPointer:
		return Pointer{Elem: f.typ(t.Elem)}
	case model.GoSlice:
		return Slice{Elem: f.typ(t.Elem)}
	case model.GoArray:
		return ArrayOf{Len: t.Len, Elem: f.typ(t.Elem)}
	case model.GoMap:
		return KeyedMap{Key: f.typ(t.Key), Elem: f.typ(t.Elem)}
	case model.GoChan:
		return ChanOf{Dir: t.Dir, Elem: f.typ(t.Elem)}
	case model.GoFunc:
		return f.function(t)
	case model.GoStruct:
		var out StructOf
		for _, field := range t.Fields {
			out.Fields = append(out.Fields, LiteralField{Named: Named{field.Name, f.typ(field.Type)}, Embedded: field.Embedded, Tag: field.Tag})
		}
		return out
	case model.GoInterface:
		return f.iface(t)
	case model.GoUnion:
		var out UnionOf
		for _, term := range t.Terms {
			out.Terms = append(out.Terms, Term{Tilde: term.Tilde, Type: f.typ(term.Type)})
		}
		return out
	default:
		return Basic{Name: "any"}
	}
}

func (f *funcTyper) named(t model.GoNamed) GoType {
	args := f.types(t.Args)
	switch {
	case t.PkgPath == "":
		return Basic{Name: t.Name}
	case t.PkgPath != f.own:
		return Qual{Path: t.PkgPath, Name: t.Name, Args: args}
	case len(args) > 0:
		return LocalOf{Name: t.Name, Args: args}
	default:
		return Local{Name: t.Name}
	}
}

func (f *funcTyper) types(ts []model.GoType) []GoType {
	out := make([]GoType, 0, len(ts))
	for _, t := range ts {
		out = append(out, f.typ(t))
	}
	return out
}

func (f *funcTyper) function(t model.GoFunc) FuncOf {
	return FuncOf{Params: f.anonymous(t.Params), Results: f.anonymous(t.Results), Variadic: t.Variadic}
}

// anonymous are parameters without their names, which say nothing to the compiler and may hide something.
func (f *funcTyper) anonymous(ps []model.GoParam) []Named {
	out := make([]Named, 0, len(ps))
	for _, p := range ps {
		out = append(out, Named{Type: f.typ(p.Type)})
	}
	return out
}

func (f *funcTyper) iface(t model.GoInterface) InterfaceOf {
	out := InterfaceOf{Embeds: f.types(t.Embeds)}
	for _, m := range t.Methods {
		out.Methods = append(out.Methods, LiteralMethod{Name: m.Name, Func: f.function(m.Func)})
	}
	return out
}

// Mentioned calls visit for each type with a name in a type, at any depth, the type itself among them: a Qual, LocalOf, Local, Basic or
// TypeRef.
func Mentioned(t GoType, visit func(GoType)) {
	each := func(ts ...GoType) {
		for _, t := range ts {
			Mentioned(t, visit)
		}
	}
	switch t := t.(type) {
	case Qual:
		visit(t)
		each(t.Args...)
	case LocalOf:
		visit(t)
		each(t.Args...)
	case Pointer:
		each(t.Elem)
	case Slice:
		each(t.Elem)
	case MapOf:
		each(t.Elem)
	case ArrayOf:
		each(t.Elem)
	case KeyedMap:
		each(t.Key, t.Elem)
	case ChanOf:
		each(t.Elem)
	case FuncOf:
		for _, p := range slices.Concat(t.Params, t.Results) {
			each(p.Type)
		}
	case StructOf:
		for _, f := range t.Fields {
			each(f.Type)
		}
	case InterfaceOf:
		for _, m := range t.Methods {
			each(m.Func)
		}
		each(t.Embeds...)
	case UnionOf:
		for _, term := range t.Terms {
			each(term.Type)
		}
	case nil:
	default: // Basic, Local, TypeRef
		visit(t)
	}
}

// namedPackages notes the packages that a type names, with their names.
func namedPackages(t model.GoType, into map[string]string) {
	params := func(ps []model.GoParam) {
		for _, p := range ps {
			namedPackages(p.Type, into)
		}
	}
	switch t := t.(type) {
	case model.GoNamed:
		if t.PkgPath != "" {
			into[t.PkgPath] = t.PkgName
		}
		for _, a := range t.Args {
			namedPackages(a, into)
		}
	case model.GoPointer:
		namedPackages(t.Elem, into)
	case model.GoSlice:
		namedPackages(t.Elem, into)
	case model.GoArray:
		namedPackages(t.Elem, into)
	case model.GoMap:
		namedPackages(t.Key, into)
		namedPackages(t.Elem, into)
	case model.GoChan:
		namedPackages(t.Elem, into)
	case model.GoFunc:
		params(t.Params)
		params(t.Results)
	case model.GoStruct:
		for _, f := range t.Fields {
			namedPackages(f.Type, into)
		}
	case model.GoInterface:
		for _, m := range t.Methods {
			params(m.Func.Params)
			params(m.Func.Results)
		}
		for _, e := range t.Embeds {
			namedPackages(e, into)
		}
	case model.GoUnion:
		for _, term := range t.Terms {
			namedPackages(term.Type, into)
		}
	}
}
