package emit

import (
	"strconv"

	"github.com/dave/jennifer/jen"

	"github.com/resgen-go/resgen/generator/internal/plan"
)

// reach prints what is to be done with a part of a value, from the i-th step of the way on. Where the way ends early, because something on it
// is absent or null, nothing is done; an end that is absent or null stands for otherwise, which is spelled in Go, unless that is empty.
func (g *pager) reach(
	v *jen.Statement, t plan.GoType, way *plan.Access, i int, otherwise string, found func(*jen.Statement, plan.GoType) []jen.Code,
) []jen.Code {
	if p, ok := g.under(t).(plan.Pointer); ok && i > 0 {
		inner := v
		if i == len(way.Path) {
			inner = jen.Op("*").Add(v.Clone())
		}
		return []jen.Code{jen.If(v.Clone().Op("!=").Nil()).Block(g.reach(inner, p.Elem, way, i, otherwise, found)...)}
	}
	if w, ok := g.under(t).(plan.Qual); ok && w.Path == wirePath && len(w.Args) == 1 && i > 0 {
		if i == len(way.Path) && otherwise != "" && g.isShort(w.Args[0]) {
			return found(v.Clone().Dot("Or").Call(jen.Id(otherwise)), w.Args[0])
		}
		name := g.unusedVar()
		return []jen.Code{jen.If(jen.List(jen.Id(name), jen.Id("ok")).Op(":=").Add(v.Clone().Dot("Get").Call()), jen.Id("ok")).Block(
			g.reach(jen.Id(name), w.Args[0], way, i, otherwise, found)...)}
	}
	if i == len(way.Path) {
		return found(v, t)
	}
	if way.Path[i] != plan.LastItem {
		g.id(way.Path[i])
		return g.reach(v.Clone().Dot(way.Path[i]), way.Types[i], way, i+1, otherwise, found)
	}
	item := v.Clone().Index(jen.Id("n").Op("-").Lit(1))
	return []jen.Code{jen.If(jen.Id("n").Op(":=").Len(v.Clone()), jen.Id("n").Op(">").Lit(0)).Block(
		g.reach(item, way.Types[i], way, i+1, otherwise, found)...)}
}

// isShort reports whether the fallback of a wrapper is worth its words: for all but pointers.
func (g *pager) isShort(t plan.GoType) bool {
	_, pointer := g.under(t).(plan.Pointer)
	return !pointer
}

// isPlain reports whether a field of the type is there in any case.
func (g *pager) isPlain(t plan.GoType) bool {
	switch u := g.under(t).(type) {
	case plan.Pointer:
		return false
	case plan.Qual:
		return u.Path != wirePath || len(u.Args) == 0
	default:
		return true
	}
}

// hasDefault reports whether the end of a way is a wrapper, which has a fallback for what was not set.
func (g *pager) hasDefault(a *plan.Access) bool { return !g.isPlain(a.Type()) }

// unusedVar is the name of a variable for what a wrapper holds.
func (g *pager) unusedVar() string {
	if g.vars++; g.vars > 1 {
		return "value" + strconv.Itoa(g.vars)
	}
	return "value"
}
