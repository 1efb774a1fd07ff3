package plan

import (
	"fmt"
	"strings"
	"testing"

	"github.com/resgen-go/resgen/generator/internal/diag"
	"github.com/resgen-go/resgen/generator/internal/model"
)

// A text that is too long for a comment is cut between two characters, and says so.
func TestLongCommentsAreCut(t *testing.T) {
	t.Parallel()
	got := comment(strings.Repeat("é\n", 1<<20))
	if n := len(got); n > maxComment || got[n-1] != "The document says more." || strings.ContainsRune(strings.Join(got, ""), '\uFFFD') {
		t.Errorf("%d lines, the last is %q", n, got[n-1])
	}
	if got := oneLine(strings.Repeat("é ", 1<<20)); len(got) > maxComment {
		t.Errorf("%d bytes in one line", len(got))
	}
}

// A package that nobody could compile is refused before it is printed.
func TestPackagesHaveALargestSize(t *testing.T) {
	t.Parallel()
	doc := strings.Repeat("- a\n", maxComment/len("- a\n")) // a line each
	object := object(required("a", prim(model.String)))
	for _, tt := range []struct {
		types int
		want  []diag.Code
	}{{1, nil}, {1 + maxBytes*len("- a\n")/maxComment/bytesPerLine, []diag.Code{diag.LimitExceeded}}} {
		api := &model.API{}
		for i := range tt.types {
			id := model.TypeID(fmt.Sprint("#/components/schemas/T", i))
			api.Types = append(api.Types, model.TypeDecl{ID: id, Name: fmt.Sprint("T", i), Type: object, Doc: doc})
			api.Operations = append(api.Operations, get(fmt.Sprint("get", i), model.Ref{ID: id}))
		}
		var list diag.List
		Resolve(api, Layers{Package: "p"}, &list)
		var got []diag.Code
		for _, d := range list.Sorted() {
			got = append(got, d.Code)
		}
		if fmt.Sprint(got) != fmt.Sprint(tt.want) {
			t.Errorf("%d types: got %v, want %v", tt.types, got, tt.want)
		}
	}
}

// Unions that are all variants of each other cost what they are, and not what all ways through them are.
func TestUnionsOfUnions(t *testing.T) {
	t.Parallel()
	const n = 120
	api := &model.API{}
	for i := range n {
		var u model.Union
		for j := range n {
			name := fmt.Sprint("U", j)
			u.Variants = append(u.Variants, model.Variant{Hint: name, Type: model.Ref{ID: model.TypeID("#/components/schemas/" + name)}})
		}
		name := fmt.Sprint("O", i)
		u.Variants = append(u.Variants, model.Variant{Hint: name, Type: model.Ref{ID: model.TypeID("#/components/schemas/" + name)}})
		api.Types = append(api.Types, schema(fmt.Sprint("U", i), u), schema(name, object(required("a", prim(model.String)))))
	}
	api.Operations = append(api.Operations, get("all", ref("U0")))
	pkg, _ := resolveTest(t, api)
	if got := len(pkg.Types); got != 2*n {
		t.Errorf("%d types, want %d", got, 2*n)
	}
}
