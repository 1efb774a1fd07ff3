package plan

import (
	"strings"
	"testing"

	"github.com/resgen-go/resgen/generator/internal/model"
)

func TestHeaders(t *testing.T) {
	t.Parallel()
	header := func(name string, typ model.Type, isRequired bool) model.Param {
		return model.Param{Name: name, In: model.InHeader, Style: "simple", Elem: of(typ), Required: isRequired}
	}
	answer := func(code string, all ...model.Param) model.Response { return model.Response{Code: code, Headers: all} }
	op := func(id string, all ...model.Response) model.Operation {
		return model.Operation{ID: id, Bind: &model.HTTPBinding{Method: "GET", Path: "/" + id, Responses: all}}
	}
	pkg, list := resolveTest(t, &model.API{Operations: []model.Operation{
		op("first", answer("200", header("X-N", prim(model.Int), true), header("Link", prim(model.String), false))),
		op("none", answer("200"), answer("429", header("Retry-After", prim(model.Int), true))),
		op("same", answer("204", header("X-N", prim(model.Int), true), header("Link", prim(model.String), false))),
		op("some", answer("200", header("x-n", prim(model.Int), true)), answer("201", header("X-N", prim(model.String), true)), answer("202")),
		op("odd", answer("200", header("X-Any", model.Any{}, false), header("X_Any", prim(model.Bool), false))),
	}})
	wantDiags(t, list)
	var b strings.Builder
	for _, d := range pkg.Types {
		h, ok := d.(*HeaderDecl)
		if !ok {
			continue
		}
		b.WriteString(h.Name + " " + strings.Join(h.Also, " ") + "\n")
		for _, f := range h.Fields {
			b.WriteString("  " + f.Name + " " + f.Tag + "\n")
		}
	}
	wantText(t, b.String(), `
FirstHeaders SameHeaders
  XN X-N,required
  Link Link
SomeHeaders 
  XN x-n
OddHeaders 
  XAny X-Any
  XUnderscoreAny X_Any
`)
}
