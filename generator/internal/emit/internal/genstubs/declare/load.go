package declare

import (
	"errors"
	"fmt"
	"go/ast"
	"go/build"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"path/filepath"
	"strings"
)

// loader type-checks our own packages from source and takes the standard library from its export data.
type loader struct {
	root     string
	fset     *token.FileSet
	std      types.Importer
	packages map[string]*types.Package
}

func newLoader(root string) *loader {
	fset := token.NewFileSet()
	return &loader{root: root, fset: fset, std: importer.ForCompiler(fset, "gc", nil), packages: map[string]*types.Package{}}
}

// Import makes the loader a types.Importer.
func (l *loader) Import(path string) (*types.Package, error) {
	if pkg, ok := l.packages[path]; ok {
		return pkg, nil
	}
	pkg, err := l.load(path)
	if err != nil {
		return nil, err
	}
	l.packages[path] = pkg
	return pkg, nil
}

func (l *loader) load(path string) (*types.Package, error) {
	rel, own := strings.CutPrefix(path, modulePath+"/")
	if !own {
		pkg, err := l.std.Import(path)
		if err != nil {
			return nil, fmt.Errorf("import: %w", err)
		}
		return pkg, nil
	}
	dir := filepath.Join(l.root, filepath.FromSlash(rel))
	found, err := build.ImportDir(dir, 0)
	if err != nil {
		return nil, fmt.Errorf("import: %w", err)
	}
	files := make([]*ast.File, len(found.GoFiles))
	for i, name := range found.GoFiles {
		if files[i], err = parser.ParseFile(l.fset, filepath.Join(dir, name), nil, parser.SkipObjectResolution); err != nil {
			return nil, fmt.Errorf("parse: %w", err)
		}
	}
	var wrong error
	conf := types.Config{Importer: l, IgnoreFuncBodies: true, Error: func(err error) {
		if wrong == nil && !isForeign(err) {
			wrong = err
		}
	}}
	pkg, _ := conf.Check(path, l.fset, files, nil) // its error is the first of those
	if wrong != nil {
		return nil, fmt.Errorf("type-check: %w", wrong)
	}
	return pkg, nil
}

// isForeign reports whether an error is an import of another module. Nothing of those is in what our packages export.
func isForeign(err error) bool {
	checked, ok := errors.AsType[types.Error](err)
	if !ok {
		return false
	}
	path, found := strings.CutPrefix(checked.Msg, "could not import ")
	host, _, _ := strings.Cut(path, "/")
	return found && strings.Contains(host, ".") && !strings.HasPrefix(path, modulePath+"/")
}
