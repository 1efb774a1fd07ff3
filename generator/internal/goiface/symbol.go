package goiface

import (
	"fmt"
	"go/ast"
	"go/types"
	"strconv"
	"strings"

	"github.com/resgen-go/resgen/generator/internal/diag"
	"github.com/resgen-go/resgen/generator/internal/model"
)

// policyPath is the package of policy.Kind, which a function returns that knows the kinds of errors.
const policyPath = "github.com/resgen-go/resgen/runtime/policy"

// symbol says what a name stands for that an annotation of errors gives: in the package of the interface, in one that its file imports, or
// in one that is given by its path.
func (w *walk) symbol(d declaration, name string) model.GoSymbol {
	name, isPointer := strings.CutPrefix(name, "*")
	pkg, base := w.pkg.Types, name
	if dot := strings.LastIndexByte(name, '.'); dot > strings.LastIndexByte(name, '/') {
		qualifier := name[:dot]
		base = name[dot+1:]
		if pkg = w.imported(d, qualifier); pkg == nil {
			return model.GoSymbol{Why: fmt.Sprintf("names the package %s, which is not imported beside the interface", qualifier)}
		}
	}
	o := pkg.Scope().Lookup(base)
	switch {
	case o == nil:
		return model.GoSymbol{Why: "is not declared in " + pkg.Path(), Near: diag.Nearest(base, pkg.Scope().Names())}
	case pkg.Path() != w.into.Path && !o.Exported():
		return model.GoSymbol{Why: "is not exported, and the wrapper goes into another package"}
	case pkg.Path() != w.into.Path && !mayImport(w.into.Path, pkg.Path()):
		return model.GoSymbol{Why: "is in an internal package, which the wrapper's package cannot import"}
	}
	return symbolOf(o, isPointer)
}

// imported is a package by the name that the interface's file, or another of its package, imports it by, or by its path.
func (w *walk) imported(d declaration, qualifier string) *types.Package {
	files := w.pkg.Syntax
	if d.file != nil {
		files = append([]*ast.File{d.file}, files...)
	}
	for _, f := range files {
		for _, spec := range f.Imports {
			path, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				continue
			}
			p := w.loaded.Package(path)
			if p == nil || !p.Complete() {
				continue
			}
			if spec.Name != nil && spec.Name.Name == qualifier || spec.Name == nil && p.Name() == qualifier || path == qualifier {
				return p
			}
		}
	}
	return nil
}

// symbolOf says what an object is to errors.
func symbolOf(o types.Object, isPointer bool) model.GoSymbol {
	named := model.GoNamed{PkgPath: o.Pkg().Path(), PkgName: o.Pkg().Name(), Name: o.Name()}
	failure, _ := types.Universe.Lookup("error").Type().Underlying().(*types.Interface)
	switch o := o.(type) {
	case *types.Var:
		if !isPointer && types.Implements(o.Type(), failure) {
			return model.GoSymbol{Sort: model.ErrorVar, Type: named}
		}
		return model.GoSymbol{Why: "is a variable that is no error"}
	case *types.TypeName:
		return typeSymbol(o, named, isPointer, failure)
	case *types.Func:
		if sort := funcSort(o.Signature()); !isPointer && sort != model.NoSymbol {
			return model.GoSymbol{Sort: sort, Type: named}
		}
		return model.GoSymbol{Why: "is a function of another signature"}
	default:
		return model.GoSymbol{Why: "is neither a variable nor a type nor a function"}
	}
}

// typeSymbol is a type of errors: with the star that it needs, and that authors leave away.
func typeSymbol(o *types.TypeName, named model.GoNamed, isPointer bool, failure *types.Interface) model.GoSymbol {
	if n, ok := types.Unalias(o.Type()).(*types.Named); ok && n.TypeParams().Len() > 0 {
		return model.GoSymbol{Why: "is a generic type"}
	}
	isValue := types.Implements(o.Type(), failure)
	switch {
	case isValue && !isPointer:
		return model.GoSymbol{Sort: model.ErrorType, Type: named}
	case types.Implements(types.NewPointer(o.Type()), failure) && !types.IsInterface(o.Type()):
		return model.GoSymbol{Sort: model.ErrorType, Type: model.GoPointer{Elem: named}}
	default:
		return model.GoSymbol{Why: "is a type without an Error method"}
	}
}

// funcSort is the sort of a function that is asked about errors.
func funcSort(s *types.Signature) model.SymbolSort {
	if s.Params().Len() != 1 || s.Results().Len() != 1 || s.TypeParams().Len() > 0 ||
		!types.Identical(s.Params().At(0).Type(), types.Universe.Lookup("error").Type()) {
		return model.NoSymbol
	}
	switch result := s.Results().At(0).Type(); {
	case types.Identical(result, types.Typ[types.Bool]):
		return model.ErrorTest
	case isNamed(result, policyPath, "Kind"):
		return model.ErrorKind
	default:
		return model.NoSymbol
	}
}
