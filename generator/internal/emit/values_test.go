package emit_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/resgen-go/resgen/generator/internal/emit"
	"github.com/resgen-go/resgen/generator/internal/plan"
	"github.com/resgen-go/resgen/runtime/policy"
)

var (
	timeType = plan.Qual{Path: "time", Name: "Time"}
	rawType  = plan.Qual{Path: jsonPath, Name: "RawMessage"}
	number   = plan.Qual{Path: jsonPath, Name: "Number"}
)

// values is a package whose one rung patches a field of every type that a field can have.
func values() *plan.Package {
	fields := []struct {
		name string
		typ  plan.GoType
		json string // empty: it is cleared
	}{
		{"Text", basic("string"), `"a\"b"`},
		{"Flag", basic("bool"), `true`},
		{"Small", basic("int32"), `-7`},
		{"Large", basic("uint64"), `18446744073709551615`},
		{"Ratio", basic("float64"), `0.1`},
		{"Bytes", slice(basic("byte")), `"aGVsbG8="`},
		{"When", timeType, `"2024-05-06T07:08:09.5Z"`},
		{"WhenThere", timeType, `"2024-05-06T07:08:09+02:00"`},
		{"Day", wired("Date"), `"2024-02-29"`},
		{"Digits", number, `1.10`},
		{"Raw", rawType, `{"a":[1,2]}`},
		{"List", slice(basic("string")), `["a","b"]`},
		{"Map", plan.MapOf{Elem: basic("int64")}, `{"b":2,"a":1}`},
		{"Known", local("Color"), `"red"`},
		{"Unknown", local("Color"), `"mauve"`},
		{"Object", local("Thing"), `{"name":"n","size":3,"x":true}`},
		{"Pointer", pointer(local("Thing")), `{"name":"n"}`},
		{"Union", local("Choice"), `{"any":"thing"}`},
		{"UnionPointer", pointer(local("Choice")), `"text"`},
		{"NumberPointer", pointer(basic("int64")), `5`},
		{"Names", local("Names"), `["x"]`},
		{"Alias", local("Alias"), `"y"`},
		{"Title", local("Title"), `"z"`},
		{"OptText", opt(basic("string")), `"a"`},
		{"OptNumber", opt(basic("int64")), `5`},
		{"OptColor", opt(local("Color")), `"red"`},
		{"Null", wired("Null", basic("string")), `null`},
		{"NotNull", wired("Null", basic("float64")), `1.5`},
		{"SetNull", wired("OptNull", basic("string")), `null`},
		{"Set", wired("OptNull", slice(basic("string"))), `[]`},
		{"NoText", basic("string"), ""},
		{"NoFlag", basic("bool"), ""},
		{"NoNumber", basic("float32"), ""},
		{"NoTime", timeType, ""},
		{"NoRaw", rawType, ""},
		{"NoDigits", number, ""},
		{"NoPointer", pointer(local("Thing")), ""},
		{"NoColor", local("Color"), ""},
		{"NoNames", local("Names"), ""},
		{"NoAlias", local("Alias"), ""},
		{"NoObject", local("Thing"), ""},
		{"NoUnion", local("Choice"), ""},
		{"NoOpt", opt(basic("string")), ""},
	}
	request := &plan.StructDecl{Decl: decl("Request", "Request has a field of every type.")}
	var patch plan.PatchStep
	patch.Rung, patch.Name, patch.Var = 1, "patched", "patched"
	for _, f := range fields {
		request.Fields = append(request.Fields, required(f.name, f.name, f.typ))
		patch.Assign = append(patch.Assign, plan.Assignment{
			Path: []string{f.name}, Types: []plan.GoType{f.typ}, Value: plan.Literal{Type: f.typ, JSON: f.json, Zero: f.json == ""},
		})
	}
	deep := []struct {
		name string
		typ  plan.GoType
	}{
		{"InValue", local("Thing")},
		{"InPointer", pointer(local("Thing"))},
		{"InOpt", opt(local("Thing"))},
		{"InOptPointer", opt(pointer(local("Thing")))},
		{"InNull", wired("Null", local("Thing"))},
		{"InOptNull", wired("OptNull", pointer(local("Thing")))},
	}
	for _, f := range deep {
		request.Fields = append(request.Fields, required(f.name, f.name, f.typ))
		patch.Assign = append(patch.Assign,
			plan.Assignment{
				Path: []string{f.name, "Name"}, Types: []plan.GoType{f.typ, basic("string")}, Value: plan.Literal{Type: basic("string"), JSON: `"n"`},
			},
			plan.Assignment{
				Path: []string{f.name, "Size"}, Types: []plan.GoType{f.typ, opt(basic("int64"))}, Value: plan.Literal{Type: opt(basic("int64")), Zero: true},
			},
			plan.Assignment{
				Path: []string{f.name, "Inner", "Name"}, Types: []plan.GoType{f.typ, pointer(local("Thing")), basic("string")},
				Value: plan.Literal{Type: basic("string"), JSON: `"deep"`},
			})
	}
	return valuesPackage(request, patch)
}

func valuesPackage(request *plan.StructDecl, patch plan.PatchStep) *plan.Package {
	p := policy.Plan{Operation: "run", Fallback: policy.Fallback{Rungs: []policy.Rung{{Name: "patched", Sort: policy.RungPatch}}}}
	op := plan.Operation{
		GoName: "Run", Field: "run", Policy: p, Steps: []plan.Step{patch},
		Request: plan.Request{
			Param: pointer(local("Request")), Optional: true, Method: "POST", Path: "/",
			Body: &plan.Body{Codec: plan.JSONCodec, Type: pointer(local("Request")), Set: patch.Assign[:1]},
		},
		Response: plan.Response{Cases: []plan.ResponseCase{{Lo: 204, Hi: 204, Codec: plan.NoCodec}}},
	}
	return &plan.Package{
		Name: "values", Output: "values", Client: plan.Client{Operations: []plan.Operation{op}},
		Types: []plan.TypeDecl{
			request,
			&plan.EnumDecl{Decl: decl("Color", "Color is a color."), Base: plan.Basic{Name: "string"}, Values: []plan.EnumValue{{Name: "ColorRed", Literal: `"red"`}}},
			&plan.StructDecl{Decl: decl("Thing", "Thing is a thing."), Fields: []plan.Field{
				required("Name", "name", basic("string")), optional("Size", "size", opt(basic("int64"))), optional("Inner", "inner", pointer(local("Thing"))),
			}, Additional: plan.AdditionalField{Name: "Extra", Elem: rawType}},
			&plan.UnionDecl{Decl: decl("Choice", "Choice is a text."), Variants: []plan.Variant{{Name: "Text", Of: "ChoiceOfText", Type: basic("string")}}},
			&plan.DefinedDecl{Decl: decl("Names", "Names are names."), Type: slice(basic("string"))},
			&plan.DefinedDecl{Decl: decl("Title", "Title is a title."), Type: basic("string")},
			&plan.DefinedDecl{Decl: decl("Alias", "Alias is another name."), Type: basic("string"), Alias: true},
		},
	}
}

func TestValuesThatDoNotFitAreFaults(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		typ  plan.GoType
		json string
	}{
		{basic("string"), `1`},
		{basic("int64"), `1.5`},
		{basic("int64"), `99999999999999999999`},
		{basic("bool"), `"true"`},
		{basic("string"), `null`},
		{basic("string"), `{`},
		{slice(basic("string")), `{}`},
		{slice(basic("string")), `[1]`},
		{slice(basic("byte")), `"%"`},
		{plan.MapOf{Elem: basic("string")}, `[]`},
		{local("Names"), `"x"`},
		{local("Missing"), `"x"`},
		{timeType, `"yesterday"`},
		{wired("Date"), `"2023-02-29"`},
		{opt(basic("string")), `null`},
		{opt(basic("string")), `1`},
		{wired("Encoding"), `"x"`},
	} {
		request := &plan.StructDecl{Decl: decl("Request"), Fields: []plan.Field{required("F", "f", c.typ)}}
		patch := plan.PatchStep{Rung: 1, Name: "p", Var: "p", Assign: []plan.Assignment{
			{Path: []string{"F"}, Types: []plan.GoType{c.typ}, Value: plan.Literal{Type: c.typ, JSON: c.json}},
		}}
		_, err := emit.Files(valuesPackage(request, patch))
		if _, ok := errors.AsType[*emit.Fault](err); !ok || !strings.Contains(err.Error(), "operations.gen.go") {
			t.Errorf("%s as %v: %v, want a fault", c.json, c.typ, err)
		}
	}
}
