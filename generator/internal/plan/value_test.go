package plan

import (
	"fmt"
	"strings"
	"testing"

	"github.com/resgen-go/resgen/generator/internal/model"
	"github.com/resgen-go/resgen/generator/internal/source"
)

// readValue reads YAML.
func readValue(t *testing.T, yaml string) *source.Value {
	t.Helper()
	v, err := source.Read("spec.yaml", []byte(yaml))
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func TestFits(t *testing.T) {
	t.Parallel()
	circle := schema("Circle", object(required("kind", model.Enum{Base: model.String, Values: []model.EnumValue{{Text: "circle"}}}), required("r", prim(model.Float64))))
	square := schema("Square", object(required("kind", prim(model.String)), required("a", prim(model.Int))))
	shape := schema("Shape", model.Union{
		Discriminator: &model.Discriminator{Field: "kind"},
		Variants:      []model.Variant{{Type: ref("Circle"), Tags: []string{"circle"}}, {Type: ref("Square"), Tags: []string{"square"}}},
	})
	self := schema("Self", model.Union{Variants: []model.Variant{{Type: ref("Self")}, {Type: prim(model.Int)}}})
	secret := schema("Secret", object(model.Field{Name: "password", Elem: of(prim(model.String)), Required: true, WriteOnly: true}))
	open := schema("Open", model.Object{Fields: []model.Field{required("a", prim(model.Int))}, Additional: &model.Elem{Type: prim(model.Bool)}})
	typer := newTyper(&model.API{Types: []model.TypeDecl{circle, square, shape, self, secret, open}})
	tests := []struct {
		elem        model.Elem
		value, want string
	}{
		{of(prim(model.Bool)), "true", ""},
		{of(prim(model.Bool)), "'true'", "is a text, and not a boolean"},
		{of(prim(model.Bytes)), "aGk=", ""},
		{of(prim(model.Bytes)), "'!'", `"!" is not base64`},
		{of(prim(model.Date)), "'2026-01-31'", ""},
		{of(prim(model.Date)), "'2026-02-31'", `"2026-02-31" is not a date such as 2006-01-02`},
		{of(prim(model.Time)), "1", "is a number, and not an RFC 3339 time"},
		{of(prim(model.Uint32)), "-1", "-1 is no integer of the type's range"},
		{of(prim(model.Uint64)), "18446744073709551616", "18446744073709551616 is no integer of the type's range"},
		{of(prim(model.Int)), "[]", "is a list, and not an integer"},
		{of(prim(model.Number)), "123456789012345678901234567890.5", ""},
		{of(prim(model.Binary)), "x", "cannot be written down: the type is raw bytes"},
		{of(prim(model.Null)), "null", ""},
		{nullOf(prim(model.String)), "null", ""},
		{of(prim(model.String)), "null", "is null, and not a text"},
		{of(model.Any{}), "null", ""},
		{of(model.Object{}), "{a: 1}", ""},
		{of(model.Object{}), "1", "is a number, and not an object"},
		{of(model.Object{Additional: &model.Elem{Type: prim(model.Int)}}), "{a: x}", "is a text, and not an integer"},
		{of(ref("Shape")), "{kind: circle, r: 1.5}", ""},
		{of(ref("Shape")), "{kind: square, r: 1.5}", `has no "a", which is required`},
		{of(ref("Shape")), "{kind: hexagon}", "is none of the types that may stand there"},
		{of(ref("Self")), "1", ""},
		{of(ref("Self")), "x", "is none of the types that may stand there"},
		{of(ref("Secret")), "{}", ""},
		{of(ref("Open")), "{a: 1, b: true}", ""},
		{of(ref("Open")), "{a: 1, b: 2}", "is a number, and not a boolean"},
	}
	for _, test := range tests {
		got := ""
		if m := typer.fits(test.elem, readValue(t, test.value)); m != nil {
			got = m.what
		}
		if got != test.want {
			t.Errorf("%s in %v: got %q, want %q", test.value, test.elem, got, test.want)
		}
	}
}

// Unions in unions are tried once for each value: without that this one takes 2^60 steps.
func TestFitsTakesItsTime(t *testing.T) {
	t.Parallel()
	const depth = 60
	var types []model.TypeDecl
	for i := range depth {
		next := ref(fmt.Sprint("U", i+1))
		types = append(types, schema(fmt.Sprint("U", i), model.Union{Variants: []model.Variant{
			{Type: object(required("u", next))}, {Type: object(required("u", next), optional("v", prim(model.Int)))},
		}}))
	}
	types = append(types, schema(fmt.Sprint("U", depth), prim(model.Int)))
	typer := newTyper(&model.API{Types: types})
	value := strings.Repeat("{u: ", depth) + "wrong" + strings.Repeat("}", depth)
	if m := typer.fits(of(ref("U0")), readValue(t, value)); m == nil {
		t.Error("got no misfit, want one")
	}
}
