package emit

import (
	"errors"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

// Beside is the package that a wrapper goes into, as it was loaded.
type Beside struct {
	Fset *token.FileSet
	// Files are the package's own files; bodies may be left out.
	Files []*ast.File
	// Loaded returns a package that was loaded, complete or not; nil for one that was not.
	Loaded func(path string) *types.Package
	// Declared is what the load lacks, for all wrappers of one load; nil is made anew.
	Declared *Declared
}

// Declared are the embedded declarations beside the packages of one load, type-checked as they are asked for. The zero value is ready.
type Declared struct{ imp *stubImporter }

// CheckBeside type-checks files as Check does, together with the other files of their package and against the packages that it imports.
// What is wrong in the other files is not reported.
func CheckBeside(files []File, importPath string, in Beside) error {
	_, err := LoadBeside(files, importPath, in)
	return err
}

// LoadBeside type-checks as CheckBeside does, and returns what was declared.
func LoadBeside(files []File, importPath string, in Beside) (*Loaded, error) {
	parsed, err := parseFiles(in.Fset, files)
	if err != nil {
		return nil, err
	}
	if in.Declared == nil {
		in.Declared = &Declared{}
	}
	if in.Declared.imp == nil {
		if in.Declared.imp, err = newStubImporter(in.Fset); err != nil {
			return nil, err
		}
		in.Declared.imp.loaded = in.Loaded
	}
	all := slices.Concat(in.Files, parsed)
	pkg, faults, _ := typeCheck(files, importPath, in.Fset, all, in.Declared.imp) // what counts is among the faults
	return loaded(pkg, in.Fset, files), errors.Join(slices.DeleteFunc(faults, func(fault error) bool { return fileIndex(files, fault) < 0 })...)
}

// fromLoaded returns a package that was loaded. Of one that only others import there is what they name of it: the rest is as declared.
func (imp *stubImporter) fromLoaded(path string) (*types.Package, error) {
	if path == "unsafe" {
		return types.Unsafe, nil
	}
	if imp.loaded == nil {
		return nil, nil //nolint:nilnil // it was not loaded, and that is no error
	}
	have := imp.loaded(path)
	if have == nil || have.Complete() || imp.sources[path] == nil {
		return have, nil
	}
	if isRuntime(path) { // as a whole or not at all: a half of it would not go with the other
		if whole := imp.loaded(runtimePath); whole == nil || !whole.Complete() {
			return nil, nil //nolint:nilnil // as above
		}
	}
	declared, err := imp.declared(path)
	if err != nil {
		return nil, fmt.Errorf("beside: %w", err)
	}
	merged := types.NewPackage(path, declared.Name())
	for _, name := range declared.Scope().Names() {
		o := have.Scope().Lookup(name)
		if o == nil {
			o = retyped(declared.Scope().Lookup(name), have)
		}
		merged.Scope().Insert(o)
	}
	merged.MarkComplete()
	imp.packages[path] = merged
	return merged, nil
}

// isRuntime reports the packages that wrappers call: they are declared as a whole.
func isRuntime(path string) bool {
	return path == runtimePath || strings.HasPrefix(path, runtimePath+"/")
}

// retyped is a declared constant with the type that was loaded, where there is one: time.Second is a time.Duration like any other.
func retyped(o types.Object, have *types.Package) types.Object {
	c, isConst := o.(*types.Const)
	if !isConst {
		return o
	}
	named, isNamed := c.Type().(*types.Named)
	if !isNamed {
		return o
	}
	loaded, isType := have.Scope().Lookup(named.Obj().Name()).(*types.TypeName)
	if !isType {
		return o
	}
	return types.NewConst(c.Pos(), c.Pkg(), c.Name(), loaded.Type(), c.Val())
}
