package generator_test

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode"

	"github.com/resgen-go/resgen/generator"
)

// goldenImports are what generated code may import.
var goldenImports = []string{
	`"cmp"`, `"context"`, `"encoding/json"`, `"iter"`, `"net/http"`, `"time"`, `"github.com/resgen-go/resgen/runtime"`,
	`"github.com/resgen-go/resgen/runtime/oauth"`, `"github.com/resgen-go/resgen/runtime/policy"`, `"github.com/resgen-go/resgen/runtime/wire"`,
}

// testImports are those that tests of generated code have beside.
var testImports = []string{`"testing"`, `"github.com/resgen-go/resgen/runtime/runtimetest"`}

// generatedMark is what tells tools that a file is generated (https://go.dev/s/generatedcode).
var generatedMark = regexp.MustCompile(`(?m)^// Code generated .* DO NOT EDIT\.$`)

// TestTextOfDocumentsIsNeverCode looks at what the goldens are made of: comments that are nothing but comments, no character that an
// editor or a terminal obeys, no function that runs by itself, no import that is not ours, and file names that stay in their folder.
func TestTextOfDocumentsIsNeverCode(t *testing.T) {
	t.Parallel()
	for _, name := range goldenCases(t) {
		result := generateCase(t, filepath.Join(specsDir, name, "options.yaml"), generator.Check)
		for _, f := range result.Outputs[0].Files {
			t.Run(name+"/"+f.Name, func(t *testing.T) {
				t.Parallel()
				if !regexp.MustCompile(`^([a-z]+test/server|[a-z]+)\.gen\.go$`).MatchString(f.Name) && f.Name != "resilience_gen_test.go" {
					t.Errorf("the name of the file is %q", f.Name)
				}
				inert(t, f.Data, strconv.Quote(goldenPackage(name)))
			})
		}
	}
}

// goldenPackage is the import path of the package of a case.
func goldenPackage(name string) string {
	switch name {
	case "llm":
		return modulePath + "/examples/llmclient/llm"
	case "chroma":
		return modulePath + "/examples/vectordb/chroma"
	default:
		return modulePath + "/testdata/specs/" + name + "/want"
	}
}

// inert holds a file to that. Its tests, and its fake server, may import own, the package itself.
func inert(t *testing.T, data []byte, own ...string) {
	t.Helper()
	for i, r := range string(data) {
		if r != '\n' && r != '\t' && (unicode.Is(unicode.C, r) || unicode.In(r, unicode.Zl, unicode.Zp)) {
			t.Errorf("%U stands raw at line %d", r, 1+bytes.Count(data[:i], []byte("\n")))
		}
	}
	if marks := generatedMark.FindAllIndex(data, -1); len(marks) != 1 || marks[0][0] != 0 {
		t.Errorf("the mark of generated code stands at %v", marks)
	}
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "", data, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	for _, group := range file.Comments {
		for _, c := range group.List {
			if c.Text != "//" && !strings.HasPrefix(c.Text, "// ") && !strings.HasPrefix(c.Text, "//\t") || strings.HasPrefix(c.Text, "// +build") {
				t.Errorf("line %d is more than a comment: %q", fset.Position(c.Slash).Line, c.Text)
			}
		}
	}
	for _, spec := range file.Imports {
		isTest := strings.HasSuffix(file.Name.Name, "test")
		allowed := spec.Name == nil && slices.Contains(goldenImports, spec.Path.Value)
		if isTest && slices.Contains(own, spec.Path.Value) {
			allowed = spec.Name == nil || spec.Name.Name+"_test" == file.Name.Name || spec.Name.Name+"test" == file.Name.Name
		}
		if !allowed && (!isTest || spec.Name != nil || !slices.Contains(testImports, spec.Path.Value)) {
			t.Errorf("import of %s", spec.Path.Value)
		}
	}
	for _, decl := range file.Decls {
		if f, ok := decl.(*ast.FuncDecl); ok && f.Recv == nil && (f.Name.Name == "init" || f.Name.Name == "main") {
			t.Errorf("func %s runs by itself", f.Name.Name)
		}
	}
	ast.Inspect(file, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok {
			if id, ok := call.Fun.(*ast.Ident); ok && (id.Name == "panic" || id.Name == "println") {
				t.Errorf("%s is called", id.Name)
			}
		}
		return true
	})
}
