package emit

import (
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/resgen-go/resgen/generator/internal/plan"
	"github.com/resgen-go/resgen/generator/internal/sample"
)

// The fake server has a file of its own, in a folder and a package of its own: the client's with the suffix.
const (
	ServerSuffix = "test"
	ServerFile   = "server.gen.go"
)

// serverFile is the name of the file from the output folder on.
func serverFile(pkg *plan.Package) string { return serverPackage(pkg) + "/" + ServerFile }

func serverPackage(pkg *plan.Package) string { return pkg.Name + ServerSuffix }

// serverAPIFunc is the function that says what the server is of. No package is called so.
const serverAPIFunc = "servedAPI"

// emitServer prints the fake server: what runtimetest.Server needs to know of each operation, and a method for each by which its answers are
// scripted.
func emitServer(k *kit) {
	if len(k.pkg.Client.Operations) == 0 {
		return
	}
	name := serverPackage(k.pkg)
	for _, line := range (plan.Comment{
		"Package " + name + " is a fake of the server that package " + k.pkg.Name + " calls, for tests. It checks each request, keeps it, and",
		"answers what it was told, else the smallest answer that is valid:",
		"",
		"\tsrv := " + name + ".NewServer(t)",
		"\tclient := srv.Client()",
	}) {
		k.file.PackageComment(commentLine(line))
	}
	k.serverType()
	for i := range k.pkg.Client.Operations {
		op := &k.pkg.Client.Operations[i]
		served := []jen.Code{k.servedRequest(op), k.servedAnswer(op)}
		k.doc(plan.Comment{
			op.ServerName + " says what " + op.GoName + " is answered with: " + op.Request.Method + " " + words(op.Request.Path) + ".",
		})
		k.add(k.serverMethod(op.ServerName).Params().Add(k.qual(runtimetestPath, "Served").Types(served...)).Block(
			jen.Return(k.qual(runtimetestPath, "Serve").Types(served...).Call(jen.Id("s").Dot("fake"), jen.Lit(op.GoName))),
		))
	}
	k.serverAPI(name)
}

// serverMethod begins a method of the server.
func (k *kit) serverMethod(name string) *jen.Statement {
	return jen.Func().Params(jen.Id("s").Op("*").Id("Server")).Add(k.id(name))
}

// serverType prints the type of the server with what every server has.
func (k *kit) serverType() {
	fake := jen.Id("s").Dot("fake")
	k.doc(plan.Comment{
		"Server answers the requests of a client in tests. A request that the API does not have, or that is not as the document says, fails",
		"the test. Safe for concurrent use.",
	})
	k.add(jen.Type().Id("Server").Struct(jen.Id("fake").Op("*").Add(k.qual(runtimetestPath, "Server"))))
	for _, made := range []struct{ name, doc string }{
		{"NewServer", "NewServer returns a server that listens on a port of this machine, until the test ends."},
		{"NewMemoryServer", "NewMemoryServer returns a server in memory, which works in testing/synctest bubbles: only its HTTPClient reaches it."},
	} {
		k.doc(plan.Comment{made.doc})
		k.add(jen.Func().Id(made.name).Params(jen.Id("tb").Add(k.qual(testingPath, "TB"))).Op("*").Id("Server").Block(
			jen.Id("tb").Dot("Helper").Call(),
			jen.Return(jen.Op("&").Id("Server").Values(
				jen.Id("fake").Op(":").Add(k.qual(runtimetestPath, made.name)).Call(jen.Id("tb"), jen.Id(serverAPIFunc).Call()),
			)),
		))
	}
	k.doc(plan.Comment{"Client returns a client of the server. What else it needs, such as credentials, are its options."})
	k.add(k.serverMethod("Client").Params(jen.Id("opts").Op("...").Add(k.local("Option"))).Op("*").Add(k.local("Client")).Block(
		jen.List(jen.Id("client"), jen.Err()).Op(":=").Add(k.local("New")).Call(jen.Append(jen.Index().Add(k.local("Option")).Values(
			k.local("WithBaseURL").Call(jen.Id("s").Dot("URL").Call()), k.local("WithHTTPClient").Call(jen.Id("s").Dot("HTTPClient").Call()),
		), jen.Id("opts").Op("...")).Op("...")),
		jen.Return(k.qual(runtimetestPath, "Made").Call(fake, jen.Id("client"), jen.Err())),
	))
	for _, passed := range []struct {
		name, doc string
		typ       *jen.Statement
	}{
		{"URL", "URL is the address of the server, for WithBaseURL.", jen.String()},
		{"HTTPClient", "HTTPClient is what to reach the server with, for WithHTTPClient.", jen.Op("*").Add(k.qual(httpPath, "Client"))},
		{"Requests", "Requests are the requests so far, in the order in which they came.", jen.Index().Add(k.qual(runtimetestPath, "Request"))},
	} {
		k.doc(plan.Comment{passed.doc})
		k.add(k.serverMethod(passed.name).Params().Add(passed.typ).Custom(oneLine, jen.Return(jen.Add(fake).Dot(passed.name).Call())))
	}
}

// servedRequest is the type of the JSON body of an operation's requests, or struct{}.
func (k *kit) servedRequest(op *plan.Operation) jen.Code {
	b := op.Request.Body
	if b == nil || b.Codec != plan.JSONCodec {
		return jen.Struct()
	}
	return k.typ(bare(b.Type))
}

// bare is the type of a value that is there.
func bare(t plan.GoType) plan.GoType {
	switch t := t.(type) {
	case plan.Pointer:
		return t.Elem
	case plan.Qual:
		if t.Path == wirePath && len(t.Args) == 1 && (t.Name == "Opt" || t.Name == "OptNull") {
			return bare(t.Args[0])
		}
	}
	return t
}

// servedAnswer is the type of what an operation is answered with.
func (k *kit) servedAnswer(op *plan.Operation) jen.Code {
	switch {
	case op.Response.Stream != nil:
		return k.typ(op.Response.Stream.Item)
	case op.Response.Download:
		return jen.Index().Byte()
	case op.Response.Result == nil:
		return jen.Struct()
	default:
		return k.typ(op.Response.Result)
	}
}

// serverAPI prints what the server is of.
func (k *kit) serverAPI(name string) {
	samples := sample.New(k.pkg)
	ops := make([]jen.Code, len(k.pkg.Client.Operations))
	for i := range k.pkg.Client.Operations {
		ops[i] = k.serverOperation(samples, &k.pkg.Client.Operations[i])
	}
	fields := []jen.Code{jen.Id("Name").Op(":").Lit(name)}
	if k.pkg.Client.BasePath != "" {
		fields = append(fields, jen.Id("BasePath").Op(":").Lit(k.pkg.Client.BasePath))
	}
	fields = append(fields, jen.Id("Operations").Op(":").Index().Add(k.qual(runtimetestPath, "ServerOperation")).Custom(lines, ops...))
	k.doc(plan.Comment{serverAPIFunc + " is what the server knows of the API."})
	api := k.qual(runtimetestPath, "ServerAPI")
	k.add(jen.Func().Id(serverAPIFunc).Params().Add(api).Block(jen.Return(api.Clone().Custom(lines, fields...))))
}

// serverOperation is what the server knows of one operation.
func (k *kit) serverOperation(samples *sample.Maker, op *plan.Operation) jen.Code {
	r := &op.Request
	fields := []jen.Code{
		jen.Id("Name").Op(":").Lit(op.GoName), jen.Id("Method").Op(":").Lit(r.Method), jen.Id("Path").Op(":").Add(stringLit(r.Path)),
	}
	set := func(name string, value *jen.Statement) { fields = append(fields, jen.Id(name).Op(":").Add(value)) }
	if len(r.Accept) > 0 {
		set("Accept", jen.Lit(strings.Join(r.Accept, ", ")))
	}
	if preset := op.Policy.Errors.Preset; preset != "" {
		set("Preset", jen.Lit(preset))
	}
	for _, place := range []struct{ in, field string }{{"query", "Query"}, {"header", "Header"}, {"cookie", "Cookie"}} {
		if names := k.requiredParams(op, place.in); len(names) > 0 {
			set(place.field, jen.Index().String().Values(litStrings(names)...))
		}
	}
	if body := k.serverBody(r.Body); body != nil {
		set("Body", body)
	}
	answer, err := samples.Answer(op)
	set("Sample", k.answer(answer))
	if err != nil {
		set("Missing", stringLit(words(err.Error())))
	}
	if op.Response.Stream != nil {
		set("Streams", jen.True())
	}
	if answer.Marker != "" {
		set("Done", stringLit(answer.Marker))
	}
	if encode := k.encodeSeveral(op); encode != nil {
		set("Encode", encode)
	}
	return jen.Custom(lines, fields...)
}

// answer is an answer as a literal.
func (k *kit) answer(a sample.Answer) *jen.Statement {
	fields := []jen.Code{jen.Id("Status").Op(":").Lit(a.Status)}
	if a.MediaType != "" {
		fields = append(fields, jen.Id("MediaType").Op(":").Add(stringLit(a.MediaType)))
	}
	if a.Body != "" {
		fields = append(fields, jen.Id("Body").Op(":").Add(stringLit(a.Body)))
	}
	return k.qual(runtimetestPath, "Answer").Values(fields...)
}

// requiredParams are the names that a request must have in a place. The members of an object that travel by their own names are not known.
func (k *kit) requiredParams(op *plan.Operation, in string) []string {
	d := k.requestStruct(op.Request.Param)
	if d == nil {
		return nil
	}
	var names []string
	for i := range op.Request.Params {
		p := &op.Request.Params[i]
		isOne := p.Style != "querystring" && p.Style != "deepObject" && (!p.Explode || !k.isObjectField(d, p.Field))
		if p.In == in && p.Required && isOne && p.Name != "" {
			names = append(names, p.Name)
		}
	}
	return names
}

// isObjectField reports a field that is not one value under one name: an object, or a list, which may be empty.
func (k *kit) isObjectField(d *plan.StructDecl, name string) bool {
	for i := range d.Fields {
		if d.Fields[i].Name != name {
			continue
		}
		t := k.under(d.Fields[i].Type)
		if k.isCollection(t) {
			return true
		}
		local, _ := bare(t).(plan.Local)
		switch k.decls[local.Name].(type) {
		case *plan.StructDecl, *plan.UnionDecl:
			return true
		}
	}
	return false
}

// serverBody is how a request body is checked; nil for none.
func (k *kit) serverBody(b *plan.Body) *jen.Statement {
	if b == nil || b.Codec == plan.NoCodec {
		return nil
	}
	media := b.MediaType
	switch {
	case media != "" && !strings.Contains(media, "*"):
	case b.Codec == plan.JSONCodec:
		media = "application/json"
	default:
		media = ""
	}
	if b.Codec == plan.JSONCodec {
		return k.qual(runtimetestPath, "JSONBody").Types(k.typ(bare(b.Type))).Call(stringLit(media), jen.Lit(b.Required))
	}
	fields := []jen.Code{jen.Id("MediaType").Op(":").Add(stringLit(media))}
	if b.Required {
		fields = append(fields, jen.Id("Required").Op(":").True())
	}
	return jen.Op("&").Add(k.qual(runtimetestPath, "ServerBody")).Values(fields...)
}

// encodeSeveral is the function that tells the answers of an operation apart that may give several; nil for one that gives one.
func (k *kit) encodeSeveral(op *plan.Operation) *jen.Statement {
	var cases []jen.Code
	seen := map[string]bool{}
	told := jen.Id("v").Assert(jen.Type())
	for i := range op.Response.Cases {
		c := &op.Response.Cases[i]
		if c.Failure || c.Variant == "" || seen[c.Variant] {
			continue
		}
		seen[c.Variant] = true
		answer := k.answer(sample.Answer{Status: c.Lo})
		result := jen.Return(answer, jen.Nil())
		if c.Codec == plan.JSONCodec || c.Codec == plan.TextCodec {
			told = jen.Id("v").Op(":=").Id("v").Assert(jen.Type())
		}
		switch c.Codec {
		case plan.JSONCodec:
			result = jen.Return(k.qual(runtimetestPath, "EncodeJSON").Call(
				jen.Lit(c.Lo), stringLit(sample.Spelled(c.MediaType, "application/json")), jen.Id("v").Dot("Body")))
		case plan.TextCodec:
			result = jen.Return(k.qual(runtimetestPath, "Answer").Values(
				jen.Id("Status").Op(":").Lit(c.Lo), jen.Id("MediaType").Op(":").Add(stringLit(sample.Spelled(c.MediaType, "text/plain"))),
				jen.Id("Body").Op(":").Id("v").Dot("Body"),
			), jen.Nil())
		default: // there is no body
		}
		cases = append(cases, jen.Case(k.local(c.Variant)).Block(result))
	}
	if len(cases) == 0 {
		return nil
	}
	cases = append(cases, jen.Default().Block(jen.Return(k.qual(runtimetestPath, "Answer").Values(), k.qual(runtimetestPath, "ErrNoAnswer"))))
	return jen.Func().Params(jen.Id("v").Any()).Params(k.qual(runtimetestPath, "Answer"), jen.Error()).Block(
		jen.Switch(told).Block(cases...),
	)
}

// words are the words of a text, on one line.
func words(text string) string { return strings.Join(strings.Fields(text), " ") }
