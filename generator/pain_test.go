package generator_test

import (
	"go/ast"
	"go/types"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/go/packages"

	"github.com/resgen-go/resgen/generator"
)

// TestPain28_OverlaysDoNotRewriteTexts: what an overlay does not name stays as it was, also where printing and reading it again would
// change it.
func TestPain28_OverlaysDoNotRewriteTexts(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	spec := filepath.Join(dir, "spec.yaml")
	writeFile(t, spec, `openapi: 3.0.3
info: {title: Texts, version: "1"}
paths:
  /texts:
    get:
      operationId: texts
      parameters:
        - name: kind
          in: query
          schema: {type: string, enum: ["\nleads", "trails\n", "  both\n ", "\t", "\u2028", "yes", "012", "1e3", "~", "null", "2024-01-01"]}
      responses: {"204": {description: "\n  indented\n"}}
`)
	overlay := filepath.Join(dir, "overlay.yaml")
	writeFile(t, overlay, `overlay: 1.0.0
info: {title: O, version: "1"}
actions:
  - {target: $.info, update: {title: Other}}
`)
	c := generator.Config{Mode: generator.Check, Client: generator.Client{
		Spec: spec, Out: filepath.Join(dir, "out"), Package: "out", ImportPath: "cases.test/out",
	}}
	want := constants(contents(runCase(t, c)))
	c.Client.Overlays = []string{overlay}
	if diff := cmp.Diff(want, constants(contents(runCase(t, c)))); len(want) != 11 || diff != "" {
		t.Errorf("%d constants (-as written +with an overlay):\n%s", len(want), diff)
	}
}

// TestPain31_OneModelForAllVersions: what 3.0 and 3.1 say in different words is the same client.
func TestPain31_OneModelForAllVersions(t *testing.T) {
	t.Parallel()
	const rest = `
info: {title: Versions, version: "1"}
paths:
  /things:
    post:
      operationId: thing
      requestBody: {required: true, content: {application/json: {schema: {$ref: "#/components/schemas/Thing"}}}}
      responses: {"200": {description: ok, content: {application/json: {schema: {$ref: "#/components/schemas/Thing"}}}}}
components:
  schemas:
    Other: {type: object, properties: {a: {type: string}}}
    Thing:
      type: object
      properties:
`
	old := "openapi: 3.0.3" + rest + `
        name: {type: string, nullable: true}
        count: {type: integer, minimum: 0, exclusiveMinimum: true}
        kind: {type: string, nullable: true, enum: [a, b, null]}
        one: {type: string, enum: [only]}
        other: {nullable: true, allOf: [{$ref: "#/components/schemas/Other"}]}
        list: {type: array, items: {type: string, nullable: true}}
        data: {type: string, format: byte}
        map: {type: object, nullable: true, additionalProperties: {type: integer}}
`
	recent := "openapi: 3.1.0" + rest + `
        name: {type: [string, "null"]}
        count: {type: integer, exclusiveMinimum: 0}
        kind: {type: ["null", string], enum: [a, b, null]}
        one: {type: string, const: only}
        other: {anyOf: [{$ref: "#/components/schemas/Other"}, {type: "null"}]}
        list: {type: array, items: {type: [string, "null"]}}
        data: {type: string, contentEncoding: base64}
        map: {type: [object, "null"], additionalProperties: {type: integer}}
`
	want, got := accepted(t, old), accepted(t, recent)
	latest := accepted(t, strings.Replace(recent, "openapi: 3.1.0", "openapi: 3.2.0", 1))
	for _, name := range []string{"types.gen.go", "requests.gen.go", "responses.gen.go", "operations.gen.go"} {
		if diff := cmp.Diff(want[name], got[name]); diff != "" || want[name] == "" {
			t.Errorf("%s (-3.0 +3.1):\n%s", name, diff)
		}
		if diff := cmp.Diff(got[name], latest[name]); diff != "" {
			t.Errorf("%s (-3.1 +3.2):\n%s", name, diff)
		}
	}
}

// noErrorIsDropped looks for calls whose error nobody takes (pain point 61); TestGoldensCompile calls it for each package.
func noErrorIsDropped(t *testing.T, p *packages.Package) {
	t.Helper()
	isError := func(call *ast.CallExpr) bool {
		typ := p.TypesInfo.TypeOf(call)
		if tuple, ok := typ.(*types.Tuple); ok && tuple.Len() > 0 {
			typ = tuple.At(tuple.Len() - 1).Type()
		}
		return typ != nil && types.Identical(typ, types.Universe.Lookup("error").Type())
	}
	for _, file := range p.Syntax {
		ast.Inspect(file, func(n ast.Node) bool {
			var call ast.Expr
			switch n := n.(type) {
			case *ast.ExprStmt:
				call = n.X
			case *ast.DeferStmt:
				call = n.Call
			case *ast.GoStmt:
				call = n.Call
			case *ast.AssignStmt:
				if last, ok := n.Lhs[len(n.Lhs)-1].(*ast.Ident); ok && last.Name == "_" {
					call = n.Rhs[len(n.Rhs)-1]
				}
			}
			if c, ok := call.(*ast.CallExpr); ok && isError(c) {
				t.Errorf("%s: an error is dropped", p.Fset.Position(c.Pos()))
			}
			return true
		})
	}
}
