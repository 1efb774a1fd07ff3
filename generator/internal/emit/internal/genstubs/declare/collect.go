package declare

import (
	"fmt"
	"go/types"
	"slices"
	"strings"
)

// collector holds the declarations to be printed, by package, and follows what they refer to.
type collector struct {
	packages map[string]*types.Package
	objects  map[types.Object]bool
	// roots are the declarations that roots names; the others are referred to only.
	roots map[types.Object]bool
	// methods are those that are printed, by the type that has them.
	methods map[types.Object][]*types.Func
	// visiting guards against recursive types that are not named.
	visited map[types.Type]bool
}

func newCollector() *collector {
	return &collector{
		packages: map[string]*types.Package{}, objects: map[types.Object]bool{}, roots: map[types.Object]bool{},
		methods: map[types.Object][]*types.Func{}, visited: map[types.Type]bool{},
	}
}

func isOwn(pkg *types.Package) bool { return strings.HasPrefix(pkg.Path(), modulePath+"/") }

// addRoot adds what roots names: a declaration, or a method as Type.Method.
func (c *collector) addRoot(pkg *types.Package, name string) error {
	name, method, isMethod := strings.Cut(name, ".")
	obj := pkg.Scope().Lookup(name)
	if obj == nil {
		return fmt.Errorf("%s has no %s", pkg.Path(), name)
	}
	c.add(obj)
	if !isMethod {
		return nil
	}
	found, _, _ := types.LookupFieldOrMethod(types.NewPointer(obj.Type()), true, pkg, method)
	m, ok := found.(*types.Func)
	if !ok {
		return fmt.Errorf("%s has no %s.%s", pkg.Path(), name, method)
	}
	c.methods[obj] = append(c.methods[obj], m)
	c.follow(m.Type())
	return nil
}

// addConstants adds the exported constants of those of the package's types that were found.
func (c *collector) addConstants(pkg *types.Package) {
	for _, name := range pkg.Scope().Names() {
		obj, ok := pkg.Scope().Lookup(name).(*types.Const)
		if !ok || !obj.Exported() {
			continue
		}
		if named, ok := obj.Type().(*types.Named); ok && named.Obj().Pkg() == pkg && c.objects[named.Obj()] {
			c.add(obj)
		}
	}
}

// add adds one declaration with what it refers to.
func (c *collector) add(obj types.Object) {
	if obj == nil || obj.Pkg() == nil || c.objects[obj] {
		return
	}
	c.objects[obj] = true
	c.packages[obj.Pkg().Path()] = obj.Pkg()
	name, ok := obj.(*types.TypeName)
	if !ok {
		c.follow(obj.Type())
		return
	}
	if alias, ok := name.Type().(*types.Alias); ok {
		c.follow(aliased(obj.Pkg(), alias))
		return
	}
	named, ok := name.Type().(*types.Named)
	if !ok {
		return
	}
	for p := range named.TypeParams().TypeParams() {
		c.follow(p.Constraint())
	}
	c.follow(c.shape(named))
}

// aliased is what an alias stands for. The standard library makes aliases of types that move (encoding/json.RawMessage in Go 1.27): of
// those it is the underlying type, so that the declarations are the same with every release.
func aliased(pkg *types.Package, alias *types.Alias) types.Type {
	if !isOwn(pkg) {
		return alias.Underlying()
	}
	return alias.Rhs()
}

// shape is the underlying type as far as it is printed. Of structs that generated code names, and of package policy's: the exported and
// embedded fields; without their names those that hold a type parameter, so that a type that contains itself through wire.Opt is found
// out. Of other structs: nothing. Of interfaces: the unexported methods without their signatures.
func (c *collector) shape(named *types.Named) types.Type {
	switch u := named.Underlying().(type) {
	case *types.Struct:
		pkg := named.Obj().Pkg()
		var fields []*types.Var
		for f := range u.Fields() {
			switch {
			case !isOwn(pkg):
			case holdsTypeParam(f.Type()):
				fields = append(fields, types.NewField(f.Pos(), f.Pkg(), blankUnlessExported(f), f.Type(), false))
			case (f.Exported() || f.Embedded()) && (c.roots[named.Obj()] || pkg.Path() == policyPath):
				fields = append(fields, f)
			}
		}
		return types.NewStruct(fields, nil)
	case *types.Interface:
		var methods []*types.Func
		for m := range u.ExplicitMethods() {
			if named.Obj().Pkg().Path() == "testing" && m.Name() != "Helper" {
				continue // every release adds some, and generated code calls no other
			}
			if !m.Exported() {
				m = types.NewFunc(m.Pos(), m.Pkg(), m.Name(), types.NewSignatureType(nil, nil, nil, nil, nil, false))
			}
			methods = append(methods, m)
		}
		return types.NewInterfaceType(methods, slices.Collect(u.EmbeddedTypes()))
	default:
		return u
	}
}

func blankUnlessExported(f *types.Var) string {
	if f.Exported() {
		return f.Name()
	}
	return "_"
}

// holdsTypeParam reports whether a value of the type may hold a value of a type parameter within itself, not behind a pointer.
func holdsTypeParam(t types.Type) bool {
	switch t := t.(type) {
	case *types.TypeParam:
		return true
	case *types.Array:
		return holdsTypeParam(t.Elem())
	case *types.Named:
		return slices.ContainsFunc(slices.Collect(t.TypeArgs().Types()), holdsTypeParam)
	default:
		return false
	}
}

// follow adds the declarations that a type refers to.
func (c *collector) follow(t types.Type) {
	if c.visited[t] {
		return
	}
	c.visited[t] = true
	switch t := t.(type) {
	case *types.Named:
		c.add(t.Origin().Obj())
		for a := range t.TypeArgs().Types() {
			c.follow(a)
		}
	case *types.Alias:
		c.add(t.Obj())
	case *types.Signature:
		for p := range t.TypeParams().TypeParams() {
			c.follow(p.Constraint())
		}
		c.followVars(t.Params())
		c.followVars(t.Results())
	case *types.Struct:
		for f := range t.Fields() {
			c.follow(f.Type())
		}
	case *types.Interface:
		c.followInterface(t)
	case *types.Union:
		for term := range t.Terms() {
			c.follow(term.Type())
		}
	case *types.Map:
		c.follow(t.Key())
		c.follow(t.Elem())
	case interface{ Elem() types.Type }: // pointer, slice, array, channel
		c.follow(t.Elem())
	}
}

func (c *collector) followVars(vars *types.Tuple) {
	for v := range vars.Variables() {
		c.follow(v.Type())
	}
}

func (c *collector) followInterface(t *types.Interface) {
	for m := range t.ExplicitMethods() {
		if m.Exported() {
			c.follow(m.Type())
		}
	}
	for e := range t.EmbeddedTypes() {
		c.follow(e)
	}
}
