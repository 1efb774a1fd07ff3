package emit

import (
	"slices"

	"github.com/dave/jennifer/jen"

	"github.com/resgen-go/resgen/generator/internal/plan"
)

func newFunc(op *plan.Operation) string { return "new" + op.GoName }

// readFunc reads the answers of an operation; a method may have it from another.
func readFunc(op *plan.Operation) string {
	if op.AnswerOf != "" {
		return "read" + op.AnswerOf
	}
	return "read" + op.GoName
}

// emitOperations prints one method for each operation. A method builds its request once and hands the runtime a closure that makes one
// attempt; the rungs of its ladder are a switch in the closure.
func emitOperations(k *kit) {
	for i := range k.pkg.Client.Operations {
		op := &k.pkg.Client.Operations[i]
		k.doc(operationDoc(op))
		k.add(jen.Func().Params(jen.Id("c").Op("*").Id("Client")).Add(k.id(op.GoName)).Add(k.signature(op)).Block(k.methodBody(op)...))
		if op.Pages != nil {
			k.emitPages(op)
		}
	}
}

// operationDoc is the author's words, then the paragraph that states the policy.
func operationDoc(op *plan.Operation) plan.Comment {
	doc := slices.Clone(op.Doc)
	if len(doc) == 0 {
		doc = plan.Comment{op.GoName + " calls " + op.Request.Method + " " + op.Request.Path + "."}
	}
	if len(op.PolicyDoc) > 0 {
		doc = append(append(doc, ""), op.PolicyDoc...)
	}
	return doc
}

// signature is the method's parameters and results.
func (k *kit) signature(op *plan.Operation) *jen.Statement {
	s := (&jen.Statement{}).Params(k.params(op)...)
	if errorOnly(op) {
		return s.Error()
	}
	value := k.attemptValue(op)
	if op.HasLadder() {
		value = k.qual(runtimePath, "Result").Types(value)
	}
	return s.Params(value, jen.Error())
}

// params are the method's parameters.
func (k *kit) params(op *plan.Operation) []jen.Code {
	params := []jen.Code{jen.Id("ctx").Add(k.qual(contextPath, "Context"))}
	if op.Request.Param != nil {
		params = append(params, jen.Id("req").Add(k.typ(op.Request.Param)))
	}
	return params
}

// errorOnly reports whether the method returns nothing but an error: there is no body, and no ladder to tell about.
func errorOnly(op *plan.Operation) bool { return noValue(op) && !op.HasLadder() }

func noValue(op *plan.Operation) bool {
	return op.Response.Result == nil && op.Response.Stream == nil && !op.Response.Download
}

// attemptValue is the type that one attempt returns.
func (k *kit) attemptValue(op *plan.Operation) *jen.Statement {
	switch {
	case op.Response.Stream != nil:
		return jen.Op("*").Add(k.qual(runtimePath, "Stream", op.Response.Stream.Item))
	case op.Response.Download:
		return jen.Op("*").Add(k.qual(wirePath, "Download"))
	case op.Response.Result == nil:
		return jen.Struct()
	default:
		return k.typ(op.Response.Result)
	}
}

func (k *kit) methodBody(op *plan.Operation) []jen.Code {
	if isPlain(op) {
		return k.plainBody(op)
	}
	attempt := jen.Func().Params(
		jen.Id("ctx").Add(k.qual(contextPath, "Context")), jen.Id("at").Add(k.qual(runtimePath, "Attempt")),
	).Params(k.attemptValue(op), jen.Error()).Block(k.attemptBody(op)...)
	args := []jen.Code{jen.Id("ctx"), jen.Id("c").Dot(op.Field), attempt}
	if op.ShowsRequest() {
		args = append(args, jen.Id("call"))
	}
	do := k.qual(runtimePath, driver(op)).Call(args...)
	body := []jen.Code{jen.Id("call").Op(":=").Add(k.newCall(op))}
	if op.HasLadder() {
		body = append(body, k.refuseWrong(op))
	}
	if errorOnly(op) {
		return append(body, jen.List(jen.Id("_"), jen.Err()).Op(":=").Add(do), jen.Return(jen.Err()))
	}
	return append(body, jen.Return(do))
}

// isPlain reports whether a method does nothing but send its request.
func isPlain(op *plan.Operation) bool {
	return driver(op) == "Do" && len(op.Steps) == 0 && !op.ShowsRequest()
}

// plainBody is the body of such a method.
func (k *kit) plainBody(op *plan.Operation) []jen.Code {
	call := k.qual(runtimePath, "Call").
		Call(jen.Id("ctx"), jen.Id("c").Dot("http"), jen.Id("c").Dot(op.Field), k.newCall(op), k.id(readFunc(op)))
	if errorOnly(op) {
		return []jen.Code{jen.List(jen.Id("_"), jen.Err()).Op(":=").Add(call), jen.Return(jen.Err())}
	}
	return []jen.Code{jen.Return(call)}
}

// refuseWrong keeps a request that cannot be sent from the ladder: its rungs would answer it in an outage, and only then.
func (k *kit) refuseWrong(op *plan.Operation) jen.Code {
	return jen.If(jen.Err().Op(":=").Id("call").Dot("Err").Call(), jen.Err().Op("!=").Nil()).Block(
		jen.Return(k.qual(runtimePath, "Result").Types(k.attemptValue(op)).Values(), jen.Id("c").Dot(op.Field).Dot("Refuse").Call(jen.Err())),
	)
}

// driver is the runtime's function that runs the call: what it returns owns a body (Open) or not (Do), and may come from a rung
// (Result) or not.
func driver(op *plan.Operation) string {
	name := "Do"
	if op.Response.Stream != nil || op.Response.Download {
		name = "Open"
	}
	if op.HasLadder() {
		name += "Result"
	}
	return name
}

// newCall is the call of the function that builds the request.
func (k *kit) newCall(op *plan.Operation) *jen.Statement {
	if op.Request.Param == nil {
		return k.id(newFunc(op)).Call()
	}
	return k.id(newFunc(op)).Call(jen.Id("req"))
}

// attemptBody is the closure: one case for each rung that does not simply send the request.
func (k *kit) attemptBody(op *plan.Operation) []jen.Code {
	send := jen.Return(k.send(op, jen.Id("call")))
	if len(op.Steps) == 0 {
		return []jen.Code{send}
	}
	if len(op.Steps) == 1 {
		rung, name, body := k.step(op, op.Steps[0])
		answer := append([]jen.Code{commentOf(plan.Comment{name})}, body...)
		return []jen.Code{jen.If(jen.Id("at").Dot("Rung").Op("==").Lit(rung)).Block(answer...), send}
	}
	cases := make([]jen.Code, len(op.Steps))
	for i, step := range op.Steps {
		rung, name, body := k.step(op, step)
		cases[i] = jen.Case(jen.Lit(rung)).Comment(commentLine(name)).Custom(jen.Options{Multi: true}, body...)
	}
	return []jen.Code{jen.Switch(jen.Id("at").Dot("Rung")).Block(cases...), send}
}

// send makes one attempt with a request.
func (k *kit) send(op *plan.Operation, request jen.Code) *jen.Statement {
	name := "Send"
	if op.Response.Stream != nil {
		name = "SendStream"
	}
	return k.qual(runtimePath, name).Call(jen.Id("ctx"), jen.Id("c").Dot("http"), jen.Id("at"), request, k.id(readFunc(op)))
}

// step is what one rung does: its number, its name and the statements.
func (k *kit) step(op *plan.Operation, step plan.Step) (rung int, name string, body []jen.Code) {
	switch step := step.(type) {
	case plan.PatchStep:
		return step.Rung, step.Name, k.patch(op, step)
	case plan.StaticStep:
		return step.Rung, step.Name, []jen.Code{jen.Return(k.static(op, step)...)}
	case plan.FuncStep:
		return step.Rung, step.Name, []jen.Code{jen.Return(k.wiredCall(op, step)...)}
	case plan.OtherStep:
		return step.Rung, step.Name, k.other(op, step)
	default:
		k.failf("%s: no step for %T", op.GoName, step)
		return 0, "", nil
	}
}

// patch sends a changed copy of the request.
func (k *kit) patch(op *plan.Operation, step plan.PatchStep) []jen.Code {
	p, ok := op.Request.Param.(plan.Pointer)
	if !ok {
		k.failf("%s: rung %q patches a request that is no struct", op.GoName, step.Name)
		return nil
	}
	name := k.id(step.Var)
	request := k.id(newFunc(op)).Call(jen.Op("&").Add(name))
	return slices.Concat(copyRequest(name, k.typ(p.Elem), op.Request.Optional), k.assign(step.Var, step.Assign),
		[]jen.Code{jen.Return(k.send(op, request))})
}

// copyRequest copies the request to a variable. A nil one, where that is allowed, is one of which nothing is set.
func copyRequest(name, typ *jen.Statement, optional bool) []jen.Code {
	value := jen.Op("*").Id("req")
	if !optional {
		return []jen.Code{name.Clone().Op(":=").Add(value)}
	}
	return []jen.Code{
		jen.Var().Add(name, typ),
		jen.If(jen.Id("req").Op("!=").Nil()).Block(name.Clone().Op("=").Add(value)),
	}
}

// static answers with an example of the document, or with a value that was wired in Go.
func (k *kit) static(op *plan.Operation, step plan.StaticStep) []jen.Code {
	switch {
	case step.Items && step.Wiring != "":
		return []jen.Code{k.qual(runtimePath, "StreamOf").Call(jen.Id("c").Dot(step.Wiring).Op("...")), jen.Nil()}
	case step.Items:
		return []jen.Code{k.qual(runtimePath, "StreamOfExample").Types(k.typ(op.Response.Stream.Item)).Call(k.id(step.Example))}
	case step.Wiring != "":
		return []jen.Code{jen.Id("c").Dot(step.Wiring), jen.Nil()}
	}
	if p, ok := op.Response.Result.(plan.Pointer); ok {
		return []jen.Code{k.qual(wirePath, "Example", p.Elem).Call(k.id(step.Example))}
	}
	return []jen.Code{k.qual(wirePath, "ExampleValue", op.Response.Result).Call(k.id(step.Example))}
}

// wiredCall answers by a function that was wired in Go.
func (k *kit) wiredCall(op *plan.Operation, step plan.FuncStep) []jen.Code {
	k.id(step.Wiring)
	call := jen.Id("c").Dot(step.Wiring).Call(methodArgs(op)...)
	if noValue(op) {
		return []jen.Code{jen.Struct().Values(), call}
	}
	return []jen.Code{call}
}

// methodArgs are the method's own arguments.
func methodArgs(op *plan.Operation) []jen.Code {
	args := []jen.Code{jen.Id("ctx")}
	if op.Request.Param != nil {
		args = append(args, jen.Id("req"))
	}
	return args
}
