package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"regexp"
	"slices"
	"strings"
)

// counter counts the operations of a generated package, given its files.
type counter func(files [][]byte) int

// matches counts what an expression matches: once for each operation.
func matches(expression string) counter {
	operation := regexp.MustCompile(expression)
	return func(files [][]byte) int {
		n := 0
		for _, text := range files {
			n += len(operation.FindAllIndex(text, -1))
		}
		return n
	}
}

// request is the paragraph of a method's comment that names its request.
var request = regexp.MustCompile(`(?m)^([A-Za-z][A-Za-z-]*) (/.*?)\.(?: |$)`)

// requests counts the different requests, as "METHOD /path", that the comments of the client's methods name. An operation may have
// several methods: for another media type, for all pages, for a stream. It is one request.
func requests(files [][]byte) int {
	seen := map[string]bool{}
	for _, text := range files {
		file, err := parser.ParseFile(token.NewFileSet(), "", text, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			continue // it does not compile either
		}
		for _, decl := range file.Decls {
			if method, ok := decl.(*ast.FuncDecl); ok && ofClient(method) {
				if name := requestOf(method.Doc.Text()); name != "" {
					seen[name] = true
				}
			}
		}
	}
	return len(seen)
}

// ofClient reports whether a function is an exported method of *Client.
func ofClient(f *ast.FuncDecl) bool {
	if f.Recv == nil || len(f.Recv.List) != 1 || !f.Name.IsExported() {
		return false
	}
	pointer, ok := f.Recv.List[0].Type.(*ast.StarExpr)
	if !ok {
		return false
	}
	name, ok := pointer.X.(*ast.Ident)
	return ok && name.Name == "Client"
}

// requestOf finds the request in a comment: in the last paragraph that names one, as a description may have lines of that form too.
func requestOf(doc string) string {
	for _, paragraph := range slices.Backward(strings.Split(strings.TrimSpace(doc), "\n\n")) {
		if m := request.FindStringSubmatch(paragraph); m != nil && strings.HasPrefix(paragraph, m[0]) {
			return m[1] + " " + m[2]
		}
	}
	return ""
}
