package emit

import (
	"strconv"

	"github.com/dave/jennifer/jen"

	"github.com/resgen-go/resgen/generator/internal/plan"
)

// assign prints assignments to fields of a copy of the request. A nested object is copied before it is changed, so that the caller's
// request keeps what it had; one that is absent is made, unless its field is only to be cleared.
func (k *kit) assign(owner string, all []plan.Assignment) []jen.Code {
	a := assigner{kit: k, used: map[string]int{}}
	body := make([]jen.Code, 0, len(all))
	for i := range all {
		if len(all[i].Path) == 0 || len(all[i].Types) != len(all[i].Path) {
			k.failf("assignment to %q: %d types for %d fields", all[i].Path, len(all[i].Types), len(all[i].Path))
			continue
		}
		body = append(body, a.set(jen.Id(owner), owner, &all[i], 0)...)
	}
	return body
}

// assigner gives the nested copies of one function names of their own.
type assigner struct {
	*kit

	used map[string]int
	// given is what is assigned instead of the literal; nil where that is.
	given *jen.Statement
}

// unused makes the name of a variable unique within the function.
func (a *assigner) unused(name string) string {
	if a.used[name]++; a.used[name] > 1 {
		return name + strconv.Itoa(a.used[name])
	}
	return name
}

// set prints what sets the fields of the path from the i-th on; owner is the expression that holds it.
func (a *assigner) set(owner *jen.Statement, name string, as *plan.Assignment, i int) []jen.Code {
	a.id(as.Path[i])
	field := owner.Clone().Dot(as.Path[i])
	if i == len(as.Path)-1 {
		if a.given != nil {
			return []jen.Code{field.Op("=").Add(a.given)}
		}
		return []jen.Code{field.Op("=").Add(a.literal(as.Value))}
	}
	name += as.Path[i]
	switch t := a.under(as.Types[i]).(type) {
	case plan.Pointer:
		return a.throughPointer(field, t, name, as, i)
	case plan.Qual:
		return a.throughWrapper(field, t, name, as, i)
	default:
		return a.set(field, name, as, i+1) // the copy of the outer struct holds it
	}
}

func (a *assigner) throughPointer(field *jen.Statement, t plan.Pointer, name string, as *plan.Assignment, i int) []jen.Code {
	name = a.unused(name)
	inner := a.set(jen.Id(name), name, as, i+1)
	link := field.Clone().Op("=").Op("&").Id(name)
	there := field.Clone().Op("!=").Nil()
	if as.Value.Zero {
		body := append([]jen.Code{jen.Id(name).Op(":=").Op("*").Add(field.Clone())}, inner...)
		return []jen.Code{jen.If(there).Block(append(body, link)...)}
	}
	body := append([]jen.Code{
		jen.Var().Id(name).Add(a.typ(t.Elem)),
		jen.If(there).Block(jen.Id(name).Op("=").Op("*").Add(field.Clone())),
	}, inner...)
	return append(body, link)
}

// throughWrapper goes through wire.Opt, wire.Null or wire.OptNull of a struct or of a pointer to one.
func (a *assigner) throughWrapper(field *jen.Statement, t plan.Qual, name string, as *plan.Assignment, i int) []jen.Code {
	present := map[string]string{"Opt": "Some", "Null": "NotNull", "OptNull": "SomeNotNull"}[t.Name]
	if t.Path != wirePath || present == "" || len(t.Args) != 1 {
		a.failf("assignment to %q goes through %s.%s", as.Path, t.Path, t.Name)
		return nil
	}
	name = a.unused(name)
	value := jen.Id(name)
	get := jen.List(jen.Id(name), jen.Id("ok")).Op(":=").Add(field.Clone()).Dot("Get").Call()
	var inner []jen.Code
	if p, ok := a.under(t.Args[0]).(plan.Pointer); ok {
		copied := name + "Copy"
		inner = append([]jen.Code{jen.Var().Id(copied).Add(a.typ(p.Elem)), jen.If(jen.Id(name).Op("!=").Nil()).Block(
			jen.Id(copied).Op("=").Op("*").Id(name))}, a.set(jen.Id(copied), name, as, i+1)...)
		value = jen.Op("&").Id(copied)
	} else {
		inner = a.set(jen.Id(name), name, as, i+1)
	}
	link := field.Clone().Op("=").Add(a.qual(wirePath, present)).Call(value)
	if as.Value.Zero {
		return []jen.Code{jen.If(get, jen.Id("ok")).Block(append(inner, link)...)}
	}
	first := jen.List(jen.Id(name), jen.Id("_")).Op(":=").Add(field.Clone()).Dot("Get").Call()
	return append(append([]jen.Code{first}, inner...), link)
}
