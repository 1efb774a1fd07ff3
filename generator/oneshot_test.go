package generator_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"testing"
)

// TestNoRequestHoldsAReader keeps one-shot bodies out of generated requests: bytes are wire.Content, whose maker says whether they can
// be sent again. So an upload may be retried, and only what a caller gives as a reader that can be read once is sent once (see
// wire.Content, and TestC005 of package runtime). A field that is an io.Reader would be a body that no retry could send.
func TestNoRequestHoldsAReader(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("../testdata/specs/*/want/*.gen.go")
	if err != nil || len(files) == 0 {
		t.Fatalf("no generated code: %v", err)
	}
	contents := 0
	for _, name := range files {
		fset := token.NewFileSet()
		f, err := parser.ParseFile(fset, name, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(f, func(n ast.Node) bool {
			s, ok := n.(*ast.StructType)
			if !ok {
				return true
			}
			ast.Inspect(s, func(n ast.Node) bool {
				sel, ok := n.(*ast.SelectorExpr)
				if !ok {
					return true
				}
				switch pkg, _ := sel.X.(*ast.Ident); {
				case pkg == nil:
				case pkg.Name == "io":
					t.Errorf("%s: a field is an io.%s", fset.Position(sel.Pos()), sel.Sel.Name)
				case pkg.Name == "wire" && sel.Sel.Name == "Content":
					contents++
				}
				return false
			})
			return true
		})
	}
	if contents == 0 {
		t.Error("no generated request takes bytes, so nothing was looked at")
	}
}
