package plan

import (
	"cmp"
	"fmt"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/resgen-go/resgen/generator/internal/diag"
	"github.com/resgen-go/resgen/generator/internal/model"
	"github.com/resgen-go/resgen/generator/internal/source"
)

// ifaceLocals are the receiver, the variables and the functions' parameters of a wrapper: no parameter of a method and no import has one
// of these names.
var ifaceLocals = map[string]bool{
	"w": true, "ctx": true, "at": true, "err": true, "v": true, "res": true, "values": true, "inside": true, "wiring": true, "opts": true, "name": true,
	"next": true, "fn": true, "value": true, "call": true, "zero": true,
}

// ifaceImports are the packages that a wrapper's file may import of its own.
var ifaceImports = []model.GoNamed{
	{PkgPath: "context", PkgName: "context"},
	{PkgPath: "errors", PkgName: "errors"},
	{PkgPath: "io", PkgName: "io"},
	{PkgPath: "iter", PkgName: "iter"},
	{PkgPath: "slices", PkgName: "slices"},
	{PkgPath: "time", PkgName: "time"},
	{PkgPath: runtimePath, PkgName: "runtime"},
	{PkgPath: runtimePath + "/policy", PkgName: "policy"},
	{PkgPath: wirePath, PkgName: "wire"},
}

// ifaceNames gives the names of one wrapper.
type ifaceNames struct {
	in  *model.Interface
	out *Interface
	// exported says that the interface is, and stem is what begins its exported names: "Store".
	exported bool
	stem     string
	// pkg are the names at package level, members the fields and methods of the wrapper.
	pkg, members *scope
}

func newIfaceNames(in *model.Interface, out *Interface) *ifaceNames {
	n := &ifaceNames{in: in, out: out, exported: token.IsExported(in.Name), stem: capital(in.Name)}
	n.pkg = newScope(func(name string) bool {
		return token.IsKeyword(name) || types.Universe.Lookup(name) != nil || n.isOthers(name)
	})
	for _, name := range in.Into.Names {
		n.pkg.taken[name] = true
	}
	n.members = newScope(token.IsKeyword)
	return n
}

// capital is a name with its first letter in upper case.
func capital(name string) string {
	first, size := utf8.DecodeRuneInString(name)
	return string(unicode.ToUpper(first)) + name[size:]
}

// spell is a name that is exported where the interface is.
func (n *ifaceNames) spell(name string) string {
	if n.exported {
		return name
	}
	return unexported(name)
}

// isOthers reports names that the wrappers of the package's other interfaces have, or may come to have: they must not change with the
// order in which wrappers are made.
func (n *ifaceNames) isOthers(name string) bool {
	for _, other := range n.in.Into.Interfaces {
		if other == n.in.Name && n.in.Into.Same {
			continue
		}
		names := &ifaceNames{exported: token.IsExported(other), stem: capital(other)}
		if slices.Contains(names.fixed(), name) {
			return true
		}
		with := names.spell("With" + names.stem) // StoreCache has all of WithStoreCache...
		if len(names.stem) > len(n.stem) && strings.HasPrefix(names.stem, n.stem) && isPrefixed(name, with) {
			return true
		}
	}
	return false
}

// fixed are the names that every wrapper has: the type, its constructor, its options.
func (n *ifaceNames) fixed() []string {
	return []string{
		n.spell("Resilient" + n.stem), n.spell("NewResilient" + n.stem), n.spell(n.stem + "Option"), n.spell("With" + n.stem + "Target"),
		n.spell("With" + n.stem + "Runtime"),
	}
}

// nameFixed gives the fixed names, which are the same whatever else is in the package: one that is taken is reported.
func (n *ifaceNames) nameFixed(list *diag.List) {
	fixed := n.fixed()
	n.out.Wrapper, n.out.New, n.out.Option, n.out.TargetOption, n.out.RuntimeOption = fixed[0], fixed[1], fixed[2], fixed[3], fixed[4]
	for _, name := range fixed {
		if n.pkg.taken[name] {
			list.Add(diag.Diagnostic{
				Code: diag.TakenName, Span: source.Span{Pos: n.in.Pos, Len: len(n.in.Name)},
				What: fmt.Sprintf("the package %s declares %s, which the wrapper of %s is to have", n.in.Into.Path, name, n.in.Name),
				Why:  "the names of a wrapper do not depend on what else is in the package", Fix: "rename what has the name",
			})
		}
		n.pkg.taken[name] = true
	}
	n.out.Stem = unexported(n.stem)
	if !n.exported && slices.Contains(n.in.Into.Interfaces, n.stem) {
		n.out.Stem += "Iface" // Store has the other
	}
	for _, name := range slices.Sorted(maps.Keys(n.pkg.taken)) {
		if isPrefixed(name, n.out.Stem) {
			n.out.Taken = append(n.out.Taken, name)
		}
	}
	n.out.Spec = n.free(n.out.Stem, "Spec")
}

// free returns an unexported name of the package that nothing else of it has: the stem with that ending, where nothing is in the way.
func (n *ifaceNames) free(stem, ending string) string {
	for n.pkg.taken[stem+ending] {
		stem += "Call"
	}
	n.pkg.taken[stem+ending] = true
	return stem + ending
}

// typeParams renames type parameters that would hide what a wrapper needs.
func (n *ifaceNames) typeParams() map[string]string {
	rename := map[string]string{}
	s := newScope(func(name string) bool {
		return ifaceLocals[name] || token.IsKeyword(name) || types.Universe.Lookup(name) != nil || name == "_" || n.pkg.taken[name] || name == n.in.Name
	})
	tier := make([]wish, 0, len(n.in.TypeParams))
	for i, p := range n.in.TypeParams {
		first := p.Name
		if first == "_" {
			first = "T"
		}
		tier = append(tier, wish{id: strconv.Itoa(i), text: p.Name, names: []string{first, capital(first) + "T"}})
	}
	for i, name := range s.allot(tier, nil) {
		if p := n.in.TypeParams[i].Name; p != name && p != "_" {
			rename[p] = name
		}
		n.out.TypeParams = append(n.out.TypeParams, TypeParam{Name: name})
	}
	return rename
}

// imports names all packages that the file may import: those of signatures beside its own.
func (n *ifaceNames) imports(paths map[string]string) {
	params := map[string]bool{}
	for _, p := range n.out.TypeParams {
		params[p.Name] = true
	}
	s := newScope(func(name string) bool {
		return token.IsKeyword(name) || types.Universe.Lookup(name) != nil || ifaceLocals[name] || n.pkg.taken[name] || params[name] ||
			isPrefixed(name, n.out.Stem) || name == "init" || name == "_" || name == "."
	})
	give := func(path, name string) {
		got := s.allot([]wish{{id: path, text: name, names: []string{name, name + "pkg"}}}, nil)[0]
		n.out.Imports = append(n.out.Imports, Import{Path: path, Name: got})
	}
	for _, own := range ifaceImports {
		give(own.PkgPath, own.PkgName)
		delete(paths, own.PkgPath)
	}
	others := make([]Import, 0, len(paths))
	for path, name := range paths {
		others = append(others, Import{path, name})
	}
	slices.SortFunc(others, func(a, b Import) int { return cmp.Compare(a.Path, b.Path) })
	for _, other := range others {
		give(other.Path, other.Name)
	}
	slices.SortFunc(n.out.Imports, func(a, b Import) int { return cmp.Compare(a.Path, b.Path) })
}

// member names a field or a method of the wrapper, beside the methods of the interface.
func (n *ifaceNames) member(id string, names ...string) string {
	return n.members.allot([]wish{{id: id, text: id, names: names}}, nil)[0]
}

// policyStem is the stem of a method's names at package level: what follows it, Policy, is free.
func (n *ifaceNames) policyStem(method string) string {
	return strings.TrimSuffix(n.free(n.out.Stem+capital(method), "Policy"), "Policy")
}

// wiringOption names the option of a function or a value.
func (n *ifaceNames) wiringOption(wired string) string {
	with := "With" + n.stem
	names := []string{n.spell(with + ident(wired, "")), n.spell(with + "Func" + ident(wired, ""))}
	return n.pkg.allot([]wish{{id: "option for " + wired, text: wired, names: names}}, nil)[0]
}
