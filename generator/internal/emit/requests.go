package emit

import (
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/resgen-go/resgen/generator/internal/plan"
)

// emitRequests prints the request structs of the operations, each with the function that turns it into a *wire.Request.
func emitRequests(k *kit) {
	printed := map[string]bool{}
	for i := range k.pkg.Client.Operations {
		op := &k.pkg.Client.Operations[i]
		if d := k.requestStruct(op.Request.Param); d != nil && !printed[d.Name] { // the stream twin takes the same
			k.emitStruct(d)
			printed[d.Name] = true
		}
		k.emitNewRequest(op)
	}
	for _, d := range k.pkg.Types {
		if s, ok := d.(*plan.StructDecl); ok && s.IsRequest && !printed[s.Name] {
			k.emitStruct(s)
		}
	}
}

// requestStruct is the request struct that a parameter points to; nil where it is something else.
func (k *kit) requestStruct(param plan.GoType) *plan.StructDecl {
	p, _ := param.(plan.Pointer)
	local, _ := p.Elem.(plan.Local)
	d, ok := k.decls[local.Name].(*plan.StructDecl)
	if !ok || !d.IsRequest {
		return nil
	}
	return d
}

// emitNewRequest prints the function that builds the request of an operation.
func (k *kit) emitNewRequest(op *plan.Operation) {
	k.doc(nil)
	r := &op.Request
	var params []jen.Code
	if r.Param != nil {
		params = append(params, jen.Id("req").Add(k.typ(r.Param)))
	}
	if op.RequestOf != "" {
		k.add(jen.Func().Add(k.id(newFunc(op))).Params(params...).Op("*").Add(k.qual(wirePath, "Request")).Block(k.acceptOther(op)...))
		return
	}
	body := []jen.Code{jen.Id("r").Op(":=").Add(k.qual(wirePath, "NewRequest")).Call(jen.Lit(r.Method), jen.Lit(r.Path))}
	if len(r.Accept) > 0 {
		body = append(body, jen.Id("r").Dot("Accept").Call(litStrings(r.Accept)...))
	}
	if len(r.Security) > 0 {
		body = append(body, security(r.Security))
	}
	if r.BaseURL != "" {
		body = append(body, jen.Id("r").Dot("Server").Call(jen.Lit(r.BaseURL)))
	}
	if _, ok := r.Param.(plan.Pointer); ok {
		body = append(body, nilRequest(r))
	}
	for i := range r.Params {
		body = append(body, k.param(&r.Params[i]))
	}
	if r.Body != nil {
		body = append(body, k.body(op)...)
	}
	body = append(body, jen.Return(jen.Id("r")))
	k.add(jen.Func().Add(k.id(newFunc(op))).Params(params...).Op("*").Add(k.qual(wirePath, "Request")).Block(body...))
}

// acceptOther builds the request of another method, and asks for another answer.
func (k *kit) acceptOther(op *plan.Operation) []jen.Code {
	var args []jen.Code
	if op.Request.Param != nil {
		args = append(args, jen.Id("req"))
	}
	return []jen.Code{
		jen.Id("r").Op(":=").Add(k.id("new" + op.RequestOf)).Call(args...),
		jen.Id("r").Dot("Accept").Call(litStrings(op.Request.Accept)...),
		jen.Return(jen.Id("r")),
	}
}

// nilRequest says what becomes of a nil request, or a nil body in one: nothing is set, or it is the caller's error.
func nilRequest(r *plan.Request) jen.Code {
	isNil := jen.Id("req").Op("==").Nil()
	if r.Optional {
		return jen.If(isNil).Block(jen.Return(jen.Id("r")))
	}
	if b := r.Body; b != nil && b.Required && b.Field != "" {
		if _, ok := b.Type.(plan.Pointer); ok {
			isNil.Op("||").Id("req").Dot(b.Field).Op("==").Nil()
		}
		if b.Codec == plan.BinaryCodec { // nothing at all is no file, not an empty one
			isNil.Op("||").Id("req").Dot(b.Field).Dot("IsZero").Call()
		}
	}
	return jen.If(isNil).Block(jen.Return(jen.Id("r").Dot("Fail").Call(jen.Qual(wirePath, "ErrNilRequest"))))
}

// security lists the alternatives; one without schemes is no credentials.
func security(alternatives [][]string) jen.Code {
	list := make([]jen.Code, len(alternatives))
	for i, schemes := range alternatives {
		list[i] = jen.Index().String().Values(litStrings(schemes)...)
	}
	return jen.Id("r").Dot("Security").Add(args(list))
}

// param writes one parameter.
func (k *kit) param(p *plan.Param) jen.Code {
	method, ok := map[string]string{"path": "Path", "query": "Query", "header": "Header", "cookie": "Cookie"}[p.In]
	if !ok {
		k.failf("parameter %q travels in %q", p.Name, p.In)
	}
	if p.Style == "querystring" {
		return jen.Id("r").Dot(method).Call(jen.Lit(""), k.qual(wirePath, "JSONStyle"), jen.Id("req").Dot(p.Field))
	}
	return jen.Id("r").Dot(method).Call(jen.Lit(p.Name), k.style(p.Style, p.Explode, p.AllowReserved), jen.Id("req").Dot(p.Field))
}

// styles are wire's constants by the document's words.
func styles() map[string]string {
	return map[string]string{
		"simple": "Simple", "label": "Label", "matrix": "Matrix", "form": "Form", "spaceDelimited": "SpaceDelimited",
		"pipeDelimited": "PipeDelimited", "tabDelimited": "TabDelimited", "deepObject": "DeepObject", "json": "JSONStyle",
	}
}

func (k *kit) style(name string, explode, reserved bool) *jen.Statement {
	constant, ok := styles()[name]
	if !ok {
		k.failf("no style %q", name)
	}
	s := k.qual(wirePath, constant)
	if explode {
		s.Op("|").Add(k.qual(wirePath, "Explode"))
	}
	if reserved {
		s.Op("|").Add(k.qual(wirePath, "AllowReserved"))
	}
	return s
}

// body writes the body, from a shallow copy of the parameter where the method sets fields of it.
func (k *kit) body(op *plan.Operation) []jen.Code {
	b := op.Request.Body
	owner, copied := "req", []jen.Code(nil)
	if len(b.Set) > 0 {
		owner = "changed"
		copied = append([]jen.Code{jen.Id(owner).Op(":=").Op("*").Id("req")}, k.assign(owner, b.Set)...)
	}
	value := jen.Id(owner)
	switch {
	case b.Field != "":
		value = jen.Id(owner).Dot(b.Field)
	case len(b.Set) > 0:
		value = jen.Op("&").Id(owner)
	}
	if !b.Required && b.Codec == plan.JSONCodec && k.isCollection(b.Type) { // a nil one is no body; for wire it is an empty one
		return append(copied, jen.If(jen.Add(value).Op("!=").Nil()).Block(k.writeBody(b, value)))
	}
	copied = append(copied, k.writeBody(b, value))
	if missing := k.missing(b, value); missing != nil { // after the body: Fail keeps what is wrong with one that cannot be encoded
		copied = append(copied, jen.If(missing).Block(jen.Id("r").Dot("Fail").Call(jen.Qual(wirePath, "ErrNilRequest"))))
	}
	return copied
}

// missing is the condition under which a body that is required is not there, where wire would send none; else nil.
func (k *kit) missing(b *plan.Body, value *jen.Statement) *jen.Statement {
	if !b.Required || b.Codec != plan.JSONCodec {
		return nil
	}
	switch t := b.Type.(type) {
	case plan.Local:
		if _, ok := k.decls[t.Name].(*plan.UnionDecl); ok {
			return jen.Add(value).Dot("Raw").Call().Op("==").Nil()
		}
	case plan.Qual:
		if t.Name == "RawMessage" {
			return jen.Add(value).Op("==").Nil()
		}
	}
	return nil
}

// isCollection reports whether a type is a list or a map.
func (k *kit) isCollection(t plan.GoType) bool {
	switch t := t.(type) {
	case plan.Slice, plan.MapOf:
		return true
	case plan.Local:
		d, ok := k.decls[t.Name].(*plan.DefinedDecl)
		return ok && k.isCollection(d.Type)
	}
	return false
}

func (k *kit) writeBody(b *plan.Body, value jen.Code) jen.Code {
	r := jen.Id("r")
	switch b.Codec {
	case plan.JSONCodec:
		if b.MediaType == "" || b.MediaType == "application/json" {
			return r.Dot("JSON").Call(value)
		}
		return r.Dot("JSONAs").Call(jen.Lit(b.MediaType), value)
	case plan.FormCodec:
		return r.Dot("Form").Add(args(append([]jen.Code{value}, k.encodings(b.Encodings)...)))
	case plan.MultipartCodec:
		list := append([]jen.Code{value}, k.encodings(b.Encodings)...)
		if base, _, _ := strings.Cut(strings.ToLower(b.MediaType), ";"); strings.TrimSpace(base) != "multipart/form-data" {
			return r.Dot("MultipartAs").Add(args(append([]jen.Code{jen.Lit(b.MediaType)}, list...)))
		}
		return r.Dot("Multipart").Add(args(list))
	case plan.LinesCodec:
		return r.Dot("JSONLines").Call(jen.Lit(b.MediaType), value)
	case plan.TextCodec:
		return r.Dot("Text").Call(jen.Lit(b.MediaType), value)
	case plan.BinaryCodec:
		return r.Dot("Content").Call(jen.Lit(b.MediaType), value)
	case plan.NoCodec:
		return jen.Null()
	default:
		k.failf("no codec %d for a request", b.Codec)
		return jen.Null()
	}
}

// encodings say how the properties of a form travel, where the document says so.
func (k *kit) encodings(all []plan.Encoding) []jen.Code {
	codes := make([]jen.Code, 0, len(all))
	for _, e := range all {
		fields := []jen.Code{jen.Id("Name").Op(":").Lit(e.Name)}
		if e.ContentType != "" {
			fields = append(fields, jen.Id("ContentType").Op(":").Lit(e.ContentType))
		}
		if e.Style != "" {
			fields = append(fields, jen.Id("Style").Op(":").Add(k.style(e.Style, e.Explode, false)))
		}
		codes = append(codes, k.qual(wirePath, "Encoding").Values(fields...))
	}
	return codes
}
