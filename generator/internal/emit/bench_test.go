package emit_test

import (
	"fmt"
	"reflect"
	"testing"

	"github.com/resgen-go/resgen/generator/internal/emit"
	"github.com/resgen-go/resgen/generator/internal/plan"
	"github.com/resgen-go/resgen/runtime/policy"
)

// large is a package of the size of OpenAI's: 288 operations, 1,400 types.
func large() *plan.Package { return sized(288, 1200, 200) }

// sized is a package of many alike operations, structs and unions.
func sized(operations, structs, unions int) *plan.Package {
	pkg := &plan.Package{Name: "large", Output: "large", Doc: plan.Comment{"Package large is large."}}
	doc := plan.Comment{
		"It is a type with a description of several lines, as they are found in documents: what the field is for,",
		"when it is set, and where to read more.", "", "See https://example.com/docs for more.",
	}
	pkg.Types = append(pkg.Types, &plan.EnumDecl{
		Decl: plan.Decl{Name: "Kind"}, Base: plan.Basic{Name: "string"}, Values: []plan.EnumValue{{Name: "KindA", Literal: `"a"`}, {Name: "KindB", Literal: `"b"`}},
	})
	for i := range structs {
		s := &plan.StructDecl{Decl: plan.Decl{Name: fmt.Sprintf("Type%d", i), Doc: doc}}
		for j := range 8 {
			s.Fields = append(s.Fields,
				plan.Field{Name: fmt.Sprintf("Field%d", j), JSON: fmt.Sprintf("field_%d", j), Type: opt(basic("string")), OmitZero: true, Doc: doc},
				plan.Field{Name: fmt.Sprintf("Next%d", j), JSON: fmt.Sprintf("next_%d", j), Type: pointer(local(fmt.Sprintf("Type%d", (i+j)%structs)))})
		}
		pkg.Types = append(pkg.Types, s)
	}
	for i := range unions {
		u := &plan.UnionDecl{Decl: plan.Decl{Name: fmt.Sprintf("Union%d", i), Doc: doc}, Discriminator: "type", TagMethod: "Type", IsStrict: true}
		for j := range 5 {
			name := fmt.Sprintf("Type%d", i+j)
			u.Variants = append(u.Variants, plan.Variant{Name: name, Of: u.Name + "Of" + name, Type: local(name), Tags: []string{name}})
		}
		pkg.Types = append(pkg.Types, u)
	}
	for i := range operations {
		name := fmt.Sprintf("Operation%d", i)
		request, result := fmt.Sprintf("Type%d", i), fmt.Sprintf("Type%d", i+1)
		p := recommended(name)
		p.Fallback.Rungs = []policy.Rung{{Name: "eu", Sort: policy.RungTarget, Target: "eu", When: anyKind()}}
		pkg.Client.Operations = append(pkg.Client.Operations, plan.Operation{
			GoName: name, Field: "o" + name[1:], Doc: doc, PolicyDoc: doc, Policy: p,
			Request: plan.Request{
				Param: pointer(local(request)), Method: "POST", Path: "/" + name, Accept: []string{"application/json"},
				Body: &plan.Body{Codec: plan.JSONCodec, MediaType: "application/json", Type: pointer(local(request)), Required: true},
			},
			Response: plan.Response{
				Result: pointer(local(result)), Cases: []plan.ResponseCase{{Lo: 200, Hi: 200, Codec: plan.JSONCodec, Type: local(result)}},
			},
		})
	}
	return pkg
}

func BenchmarkFiles(b *testing.B) {
	pkg := large()
	size := 0
	for b.Loop() {
		files, err := emit.Files(pkg)
		if err != nil {
			b.Fatal(err)
		}
		size = 0
		for _, f := range files {
			size += len(f.Data)
		}
	}
	b.ReportMetric(float64(size), "bytes")
}

func BenchmarkCheck(b *testing.B) {
	files, err := emit.Files(large())
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if err := emit.Check(files, "example.com/large"); err != nil {
			b.Fatal(err)
		}
	}
}

// TestDeterminism prints each package again and again: the files are printed at the same time, and must not show it. The plan is only
// read, so that printing does not change what is printed next.
func TestDeterminism(t *testing.T) {
	t.Parallel()
	packages := cases()
	packages["many"] = sized(20, 40, 10)
	for name, pkg := range packages {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			first, err := emit.Files(pkg)
			if err != nil {
				t.Fatal(err)
			}
			for range 4 {
				again, err := emit.Files(pkg)
				if err != nil {
					t.Fatal(err)
				}
				if !reflect.DeepEqual(first, again) {
					t.Fatal("two runs gave different bytes")
				}
			}
		})
	}
}
