package emit

import (
	"fmt"
	"reflect"

	"github.com/dave/jennifer/jen"

	"github.com/resgen-go/resgen/generator/internal/plan"
)

// clientSpecVar is the variable that says what the client is made of.
const clientSpecVar = "clientSpec"

// emitClient prints the package's face: the interface for fakes, the client and how it is made.
func emitClient(k *kit) {
	for _, line := range settled(k.packageDoc()) {
		k.file.PackageComment(commentLine(line))
	}
	k.doc(plan.Comment{
		"This package needs a runtime that is at least as new as resgen was when it generated it. Where this line does not compile, run",
		"go get github.com/resgen-go/resgen@latest, or generate the package again with the resgen that go.mod names.",
	})
	k.add(jen.Const().Id("_").Op("=").Add(k.qual(runtimePath, "AtLeastV0_1")))
	k.emitAPI()
	k.emitClientType()
	k.emitNew()
	k.emitClose()
	k.emitSpec()
}

// packageDoc is the package comment, which begins with the package's name as go doc wants it.
func (k *kit) packageDoc() plan.Comment {
	if len(k.pkg.Doc) > 0 {
		return k.pkg.Doc
	}
	return plan.Comment{fmt.Sprintf("Package %s is a resilient client.", k.pkg.Name)}
}

func (k *kit) emitAPI() {
	k.doc(plan.Comment{"API is what a Client does. Fakes implement it."})
	methods := make([]jen.Code, 0, len(k.pkg.Client.Operations))
	for i := range k.pkg.Client.Operations {
		op := &k.pkg.Client.Operations[i]
		methods = append(methods, k.id(op.GoName).Add(k.signature(op)))
		if op.Pages != nil {
			methods = append(methods, k.id(op.Pages.GoName).Add(k.pagesSignature(op)))
		}
	}
	k.add(jen.Type().Id("API").Interface(methods...))
	k.doc(nil)
	k.add(jen.Var().Id("_").Id("API").Op("=").Parens(jen.Op("*").Id("Client")).Call(jen.Nil()))
}

// emitClientType prints the struct: the HTTP side, one runtime.Operation for each policy, and what is wired in Go.
func (k *kit) emitClientType() {
	k.doc(plan.Comment{"Client implements API over HTTP. It is safe for concurrent use; make it once."})
	fields := []jen.Code{jen.Id("http").Op("*").Add(k.qual(runtimePath, "HTTP"))}
	ops := withPolicies(k.pkg.Client.Operations)
	for i := range ops {
		fields = append(fields, k.id(ops[i].Field).Op("*").Add(k.qual(runtimePath, "Operation")))
	}
	for i := range k.pkg.Client.Wirings {
		if w := &k.pkg.Client.Wirings[i]; w.Field != "" {
			fields = append(fields, k.id(w.Field).Add(k.wired(w)))
		}
	}
	k.add(jen.Type().Id("Client").Struct(fields...))
}

func (k *kit) emitNew() {
	k.doc(plan.Comment{
		"New checks the options and that every rung and target is wired: what is missing is an error now, not in the outage. It dials",
		"nothing.",
	})
	values := []jen.Code{jen.Id("http").Op(":").Id("http")}
	ops := withPolicies(k.pkg.Client.Operations)
	for i := range ops {
		op := &ops[i]
		values = append(values, k.id(op.Field).Op(":").Id("http").Dot("Operation").Call(k.id(policyVar(op))))
	}
	for i := range k.pkg.Client.Wirings {
		if w := &k.pkg.Client.Wirings[i]; w.Field != "" {
			values = append(values, k.id(w.Field).Op(":").Add(k.qual(runtimePath, "Wired")).Types(k.wired(w)).Call(jen.Id("http"), jen.Lit(w.Name)))
		}
	}
	k.add(jen.Func().Id("New").Params(jen.Id("opts").Op("...").Id("Option")).Params(jen.Op("*").Id("Client"), jen.Error()).Block(
		jen.Id("http").Op(":=").Add(k.qual(runtimePath, "NewHTTP")).Call(jen.Id(clientSpecVar), jen.Id("opts").Op("...")),
		jen.Id("c").Op(":=").Op("&").Id("Client").Custom(lines, values...),
		jen.If(jen.Err().Op(":=").Id("http").Dot("Err").Call(), jen.Err().Op("!=").Nil()).Block(jen.Return(jen.Nil(), jen.Err())),
		jen.Return(jen.Id("c"), jen.Nil()),
	))
}

func (k *kit) emitClose() {
	k.doc(plan.Comment{
		"CloseIdleConnections closes the connections that are idle now. A client needs no closing; this is for programs that are done",
		"with it.",
	})
	k.add(jen.Func().Params(jen.Id("c").Op("*").Id("Client")).Id("CloseIdleConnections").Params().Block(
		jen.Id("c").Dot("http").Dot("CloseIdleConnections").Call(),
	))
}

// emitSpec prints what the client is made of, in the order in which it is listed.
func (k *kit) emitSpec() {
	c := &k.pkg.Client
	fields := []jen.Code{jen.Id("Name").Op(":").Lit(k.pkg.Output)}
	if c.BaseURL != "" {
		fields = append(fields, jen.Id("BaseURL").Op(":").Lit(c.BaseURL))
	}
	if n, err := literalOf(reflect.ValueOf(c.Targets)); err != nil {
		k.failf("targets: %w", err)
	} else if len(c.Targets) > 0 {
		fields = append(fields, jen.Id("Targets").Op(":").Add(n.value(0)))
	}
	if len(c.Schemes) > 0 {
		schemes := make([]jen.Code, len(c.Schemes))
		for i := range c.Schemes {
			schemes[i] = k.scheme(&c.Schemes[i])
		}
		fields = append(fields, jen.Id("Schemes").Op(":").Index().Add(k.qual(wirePath, "Scheme")).Custom(lines, schemes...))
	}
	k.doc(plan.Comment{clientSpecVar + " is what the document says of the API as a whole, and the targets that policies name."})
	k.add(jen.Var().Id(clientSpecVar).Op("=").Add(k.qual(runtimePath, "HTTPSpec")).Custom(lines, fields...))
}

// scheme says how a credential travels.
func (k *kit) scheme(s *plan.Scheme) jen.Code {
	kind, in := "APIKey", ""
	switch s.Credential() {
	case plan.Token:
		kind = "Bearer"
	case plan.UserPassword:
		kind = "Basic"
	case plan.HeaderKey:
		in = "InHeader"
	case plan.QueryKey:
		in = "InQuery"
	case plan.CookieKey:
		in = "InCookie"
	default:
		k.failf("scheme %q: no spelling for its credential", s.Model.Name)
	}
	fields := []jen.Code{jen.Id("Name").Op(":").Lit(s.Model.Name), jen.Id("Kind").Op(":").Add(k.qual(wirePath, kind))}
	if in != "" {
		fields = append(fields, jen.Id("In").Op(":").Add(k.qual(wirePath, in)), jen.Id("Param").Op(":").Lit(s.Model.Param))
	}
	return jen.Values(fields...)
}

// wired is the type of what an option wires: a function of the method's own signature, or a value.
func (k *kit) wired(w *plan.Wiring) *jen.Statement {
	if w.Value != nil {
		return k.typ(w.Value)
	}
	if w.Func != nil {
		return k.typ(w.Func)
	}
	params := []jen.Code{k.qual(contextPath, "Context")}
	if w.Request != nil {
		params = append(params, k.typ(w.Request))
	}
	if w.Result == nil {
		return jen.Func().Params(params...).Error()
	}
	return jen.Func().Params(params...).Params(k.typ(w.Result), jen.Error())
}
