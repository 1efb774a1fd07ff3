package goiface

import (
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/packages"

	"github.com/resgen-go/resgen/generator/internal/model"
)

// Fset is the file set of all that was loaded.
func (l *Loaded) Fset() *token.FileSet { return l.fset }

// Files are the files of the package that a wrapper goes into, wrappers emptied; none where it has no files yet.
func (l *Loaded) Files(into *model.GoPackage) []*ast.File {
	for _, p := range l.packages {
		if p.PkgPath == into.Path {
			return p.Syntax
		}
	}
	return nil
}

// Package returns a package that was loaded, or that one of these imports; nil for any other. Of packages that none of the named ones
// imports itself there is only what others name of them: these are not complete.
func (l *Loaded) Package(path string) *types.Package {
	if l.byPath == nil {
		l.byPath = map[string]*types.Package{}
		for _, p := range l.packages {
			l.visit(p)
		}
	}
	return l.byPath[path]
}

func (l *Loaded) visit(p *packages.Package) {
	if p.Types != nil {
		l.visitTypes(p.Types)
	}
	for _, i := range p.Imports {
		if i.Types != nil {
			l.visitTypes(i.Types)
		}
	}
}

// visitTypes notes a package and those that it imports. A complete one stays.
func (l *Loaded) visitTypes(p *types.Package) {
	have := l.byPath[p.Path()]
	if p.Name() == "" { // what could not be imported
		return
	}
	if have == p || have != nil && have.Complete() {
		return
	}
	l.byPath[p.Path()] = p
	for _, i := range p.Imports() {
		l.visitTypes(i)
	}
}
