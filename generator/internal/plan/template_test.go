package plan

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/resgen-go/resgen/generator/internal/annot"
	"github.com/resgen-go/resgen/generator/internal/model"
)

// Two operations may differ in the query of their path templates only, which their requests send as parameters.
func TestTemplateOfPath(t *testing.T) {
	t.Parallel()
	op := get("list", prim(model.String))
	bind, _ := op.Bind.(*model.HTTPBinding)
	bind.Path, bind.Template = "/items", "/items?comp={comp}"
	if diff := cmp.Diff(bind.Method+" /items?comp={comp}", bind.Request()); diff != "" {
		t.Errorf("request (-want +got):\n%s", diff)
	}
	for pattern, want := range map[string]bool{"/items?comp={comp}": true, "/items": true, "/items?comp=other": false} {
		if got := matches(&annot.Match{Path: []string{pattern}}, &op); got != want {
			t.Errorf("%s matches: %v, want %v", pattern, got, want)
		}
	}
	bind.Template = ""
	if got, want := bind.Spelled(), "/items"; got != want {
		t.Errorf("without a template it is %q, want %q", got, want)
	}
}
