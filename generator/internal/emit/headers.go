package emit

import (
	"github.com/dave/jennifer/jen"

	"github.com/resgen-go/resgen/generator/internal/plan"
)

// emitAllHeaders prints the structs of headers, after the functions that read answers.
func (k *kit) emitAllHeaders() {
	for _, d := range k.pkg.Types {
		if h, ok := d.(*plan.HeaderDecl); ok {
			k.emitHeaders(h)
		}
	}
}

// emitHeaders prints the struct of the headers of answers, and its other names.
func (k *kit) emitHeaders(d *plan.HeaderDecl) {
	k.doc(d.Doc)
	var fields []jen.Code
	for i := range d.Fields {
		f := &d.Fields[i]
		if len(f.Doc) > 0 {
			fields = append(fields, commentOf(f.Doc))
		}
		fields = append(fields, k.id(f.Name).Add(k.typ(f.Type)).Tag(map[string]string{"header": f.Tag}))
	}
	k.add(jen.Type().Add(k.id(d.Name)).Struct(fields...))
	if len(d.Also) == 0 {
		return
	}
	k.doc(plan.Comment{"The answers of these operations have the headers of " + d.Name + "."})
	names := make([]jen.Code, len(d.Also))
	for i, name := range d.Also {
		names[i] = k.id(name).Op("=").Id(d.Name)
	}
	k.add(jen.Type().Defs(names...))
}
