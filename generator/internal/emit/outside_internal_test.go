package emit

import (
	"strings"
	"testing"

	"github.com/dave/jennifer/jen"

	"github.com/resgen-go/resgen/generator/internal/plan"
)

// Files of other packages name what the client's package declares by its import path, and the fields of its structs.
func TestLiteralsOutsideThePackage(t *testing.T) {
	t.Parallel()
	pkg := &plan.Package{Name: "llm", ImportPath: "example.com/go-llm", Output: "llm", Types: []plan.TypeDecl{
		&plan.StructDecl{Decl: plan.Decl{Name: "Ask"}, Fields: []plan.Field{
			{Name: "Kind", JSON: "kind", Type: plan.Local{Name: "Kind"}}, {Name: "Says", JSON: "says", Type: plan.Local{Name: "Says"}},
		}},
		&plan.EnumDecl{Decl: plan.Decl{Name: "Kind"}, Base: plan.Basic{Name: "string"}, Values: []plan.EnumValue{{Name: "KindA", Literal: `"a"`}}},
		&plan.UnionDecl{Decl: plan.Decl{Name: "Says"}, Variants: []plan.Variant{{Name: "String", Type: plan.Basic{Name: "string"}}}},
		&plan.StructDecl{Decl: plan.Decl{Name: "AskRequest"}, IsRequest: true, Fields: []plan.Field{
			{Name: "Body", Type: plan.Pointer{Elem: plan.Local{Name: "Ask"}}},
			{Name: "File", Type: plan.Qual{Path: wirePath, Name: "Content"}},
		}},
	}}
	k := newKitOutside(newScope(pkg), "x_test.go", "llm_test")
	k.add(jen.Var().Id("req").Op("=").Add(k.literal(plan.Literal{
		Type: plan.Pointer{Elem: plan.Local{Name: "AskRequest"}}, JSON: `{"Body": {"kind": "a", "says": "hello"}, "File": "content"}`,
	})))
	got, err := k.render()
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"package llm_test", `llm "example.com/go-llm"`, "&llm.AskRequest{Body: &llm.Ask{Kind: llm.KindA, Says: llm.Says{Union: wire.UnionOf(",
		`File: wire.FromBytes([]byte("content"))`,
	} {
		if !strings.Contains(string(got), want) {
			t.Errorf("no %s in:\n%s", want, got)
		}
	}
}
