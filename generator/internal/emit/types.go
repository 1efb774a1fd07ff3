package emit

import (
	"slices"
	"strconv"
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/resgen-go/resgen/generator/internal/plan"
)

// emitTypes prints the declared types but the request structs, which stand beside the functions that read them.
func emitTypes(k *kit) {
	for _, d := range k.pkg.Types {
		switch d := d.(type) {
		case *plan.StructDecl:
			if !d.IsRequest {
				k.emitStruct(d)
			}
		case *plan.EnumDecl:
			k.emitEnum(d)
		case *plan.UnionDecl:
			k.emitUnion(d)
		case *plan.DefinedDecl:
			k.emitDefined(d)
		case *plan.ResponseDecl:
			k.emitResponse(d)
		case *plan.HeaderDecl: // they stand beside the functions that read answers
		default:
			k.failf("no declaration for %T", d)
		}
	}
}

func (k *kit) emitDefined(d *plan.DefinedDecl) {
	k.doc(d.Doc)
	s := jen.Type().Add(k.id(d.Name))
	if d.Alias {
		s.Op("=")
	}
	k.add(s.Add(k.typ(d.Type)))
}

// emitStruct prints a struct, and methods for JSON where tags cannot say all of it.
func (k *kit) emitStruct(d *plan.StructDecl) {
	k.doc(d.Doc)
	var fields []jen.Code
	for i := range d.Fields {
		f := &d.Fields[i]
		if len(f.Doc) > 0 {
			fields = append(fields, commentOf(f.Doc))
		}
		field := k.id(f.Name).Add(k.typ(f.Type))
		if !d.IsRequest {
			field.Add(k.tag(d, f))
		}
		fields = append(fields, field)
	}
	if d.Additional.Name != "" {
		fields = append(fields, jen.Comment("// "+d.Additional.Name+" holds the members that have no field."))
		tag := map[string]string{"json": "-", "wire": "additional"}
		fields = append(fields, k.id(d.Additional.Name).Add(k.typ(plan.MapOf{Elem: d.Additional.Elem})).Tag(tag))
	}
	k.add(jen.Type().Add(k.id(d.Name)).Struct(fields...))
	exact := slices.ContainsFunc(d.Fields, func(f plan.Field) bool { return f.Exact })
	if !d.IsRequest && (exact || d.Additional.Name != "") {
		k.emitObjectCodec(d)
	}
}

// tag is the field's JSON tag; where encoding/json cannot take the key from one, it is a tag of ours.
func (k *kit) tag(d *plan.StructDecl, f *plan.Field) *jen.Statement {
	value := f.JSON
	switch {
	case f.Exact:
		name := "name=" + f.JSON
		if f.OmitZero {
			name = "omitzero," + name
		}
		return (&jen.Statement{}).Tag(map[string]string{"json": "-", "wire": name})
	case !tagHolds(f.JSON):
		k.failf("%s.%s: no tag can hold the key %q", d.Name, f.Name, f.JSON)
	case f.OmitZero:
		value += ",omitzero"
	case value == "-":
		value = "-,"
	}
	return (&jen.Statement{}).Tag(map[string]string{"json": value})
}

// tagHolds reports whether encoding/json takes the name from a tag as it is.
func tagHolds(name string) bool {
	return name != "" && strconv.CanBackquote(name) && !strings.ContainsAny(name, "\",\\'")
}

// emitObjectCodec prints the methods of an object with members that no tag of encoding/json can hold, or that have no field, so that
// encoding/json sees them too.
func (k *kit) emitObjectCodec(d *plan.StructDecl) {
	k.doc(plan.Comment{"MarshalJSON has encoding/json write what the wire tags say too."})
	k.add(jen.Func().Params(jen.Id("v").Id(d.Name)).Id("MarshalJSON").Params().Params(jen.Index().Byte(), jen.Error()).Custom(oneLine,
		jen.Return(k.qual(wirePath, "Marshal").Call(jen.Op("&").Id("v"))),
	))
	k.doc(plan.Comment{"UnmarshalJSON has encoding/json read what the wire tags say too."})
	k.add(jen.Func().Params(jen.Id("v").Op("*").Id(d.Name)).Id("UnmarshalJSON").Params(jen.Id("data").Index().Byte()).Error().Custom(oneLine,
		jen.Return(k.qual(wirePath, "Unmarshal").Call(jen.Id("data"), jen.Id("v"))),
	))
}

// emitResponse prints the sealed interface of several 2xx bodies, and a wrapper for each.
func (k *kit) emitResponse(d *plan.ResponseDecl) {
	seal := "is" + d.Name
	k.doc(d.Doc)
	k.add(jen.Type().Add(k.id(d.Name)).Interface(k.id(seal).Params()))
	for _, v := range d.Variants {
		k.doc(v.Doc)
		var fields []jen.Code
		if v.Type != nil {
			fields = append(fields, jen.Id("Body").Add(k.typ(v.Type)))
		}
		k.add(jen.Type().Add(k.id(v.Name)).Struct(fields...))
		k.doc(nil)
		k.add(jen.Func().Params(k.id(v.Name)).Id(seal).Params().Block())
	}
}
