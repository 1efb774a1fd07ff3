package plan

import (
	"cmp"
	"go/token"
	"go/types"
	"slices"
	"strconv"
	"unicode"
	"unicode/utf8"

	"github.com/resgen-go/resgen/generator/internal/model"
)

// params names the parameters of a method; all are the types of its signature.
func (n *ifaceNames) params(bind *model.FuncBinding, types, all []GoType) []Named {
	s := newScope(func(name string) bool { return n.hides(name, all) })
	out := make([]Named, len(types))
	var tier []wish
	var at []int
	for i, t := range types {
		out[i].Type = t
		if i == bind.Ctx {
			out[i].Name = "ctx"
			continue
		}
		name := bind.Params[i].Name
		names := []string{name, name + "Arg"}
		if name == "" || name == "_" {
			names = []string{nameless(t), nameless(t) + "Arg"}
		}
		tier = append(tier, wish{id: strconv.Itoa(i), text: name, names: names})
		at = append(at, i)
	}
	for i, name := range s.allot(tier, nil) {
		out[at[i]].Name = name
	}
	return out
}

// nameless is a name for a parameter without one: the initial of its type.
func nameless(t GoType) string {
	name := ""
	Mentioned(t, func(t GoType) {
		switch t := t.(type) {
		case Qual:
			name = cmp.Or(name, t.Name)
		case LocalOf:
			name = cmp.Or(name, t.Name)
		case Local:
			name = cmp.Or(name, t.Name)
		case Basic:
			name = cmp.Or(name, t.Name)
		}
	})
	first, _ := utf8.DecodeRuneInString(name)
	if !unicode.IsLetter(first) {
		return "a"
	}
	return string(unicode.ToLower(first))
}

// hides reports whether a parameter of that name would hide what the method's body may name.
func (n *ifaceNames) hides(name string, ts []GoType) bool {
	if token.IsKeyword(name) || types.Universe.Lookup(name) != nil || ifaceLocals[name] || name == n.in.Name {
		return true
	}
	if slices.ContainsFunc(n.out.Imports, func(i Import) bool { return i.Name == name }) ||
		slices.ContainsFunc(n.out.TypeParams, func(p TypeParam) bool { return p.Name == name }) {
		return true
	}
	if slices.Contains([]string{n.out.Wrapper, n.out.New, n.out.Option}, name) || isPrefixed(name, n.out.Stem) {
		return true
	}
	hidden := false
	for _, t := range ts {
		Mentioned(t, func(t GoType) {
			switch t := t.(type) {
			case Local:
				hidden = hidden || t.Name == name
			case LocalOf:
				hidden = hidden || t.Name == name
			case TypeRef:
				hidden = hidden || t.Name == name
			}
		})
	}
	return hidden
}
