package goiface

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"regexp"
	"strings"
)

// wrapperMark begins the second line of files that resgen wrote.
const wrapperMark = "// resgen:output "

// WrapperSuffix is what the names of wrappers end in by default.
const WrapperSuffix = "_resilient.gen.go"

var (
	generatedLine = regexp.MustCompile(`^// Code generated .* DO NOT EDIT\.$`)
	packageClause = regexp.MustCompile(`(?m)^package\s+([A-Za-z_]\w*)`)
)

// parseFile parses a file of a package that is read from source: without the bodies of functions, which no interface depends on.
// Wrappers are read as if nothing were in them. It is called at the same time for many files.
func parseFile(fset *token.FileSet, name string, src []byte) (*ast.File, error) {
	if isWrapper(name, src) {
		src = emptied(src)
	}
	file, err := parser.ParseFile(fset, name, src, parser.ParseComments|parser.SkipObjectResolution|parser.AllErrors)
	if file != nil {
		for _, d := range file.Decls {
			if f, ok := d.(*ast.FuncDecl); ok && f.Body != nil {
				f.Body = bodyOf(f)
			}
		}
	}
	return file, err //nolint:wrapcheck // go/packages shows it as it is
}

// bodyOf is what is left of a body: nothing, but for init and main, which must have one.
func bodyOf(f *ast.FuncDecl) *ast.BlockStmt {
	if f.Recv == nil && (f.Name.Name == "init" || f.Name.Name == "main") {
		return &ast.BlockStmt{Lbrace: f.Body.Lbrace, Rbrace: f.Body.Rbrace}
	}
	if f.Type.TypeParams != nil { // generic functions must have one too
		return &ast.BlockStmt{Lbrace: f.Body.Lbrace, Rbrace: f.Body.Rbrace}
	}
	return nil
}

// isWrapper reports whether resgen wrote a file from an interface: whatever is in it depends on the interface, and not the interface on it.
// Clients of documents are not wrappers: interfaces may use their types.
func isWrapper(name string, src []byte) bool {
	first, rest, _ := bytes.Cut(src, []byte("\n"))
	second, rest, _ := bytes.Cut(rest, []byte("\n"))
	third, _, _ := bytes.Cut(rest, []byte("\n"))
	if !generatedLine.Match(bytes.TrimRight(first, "\r")) || !bytes.HasPrefix(second, []byte(wrapperMark)) {
		return false
	}
	return bytes.HasPrefix(third, []byte(interfaceMark)) || strings.HasSuffix(filepath.Base(name), WrapperSuffix)
}

// interfaceMark begins the third line of wrappers.
const interfaceMark = "// Interface: "

// emptied is a file without declarations. Where it has no package clause any more, it is none of the package's files.
func emptied(src []byte) []byte {
	clause := packageClause.FindSubmatch(src)
	if clause == nil {
		return src
	}
	return append([]byte("package "), clause[1]...)
}
