package emit

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/resgen-go/resgen/generator/internal/plan"
	"github.com/resgen-go/resgen/generator/internal/sample"
)

// testsFile is the file of the tests that come with a client.
const testsFile = "resilience_gen_test.go"

// examiner prints the tests of a client.
type examiner struct {
	*kit

	samples *sample.Maker
	// left are the methods that are not tested, with the reasons.
	left plan.Comment
	// unwired are the names of rungs whose functions or values could not be made up, by method.
	unwired map[string][]string
}

// emitTests prints one row for each method: a call with the smallest request that is valid, the smallest answer, and the plan. It is written a
// second time there, beside policies.gen.go: what is compared with itself proves nothing. All checks are in runtimetest.Verify.
func emitTests(k *kit) {
	e := &examiner{kit: k, samples: sample.New(k.pkg), unwired: map[string][]string{}}
	ops := k.pkg.Client.Operations
	plans, ok := k.planLiterals(ops)
	if !ok {
		return
	}
	shared := share(ops, plans, map[string]bool{}, "")
	options := e.options()
	var rows []jen.Code
	for i := range ops {
		if row := e.row(&ops[i], plans[i]); row != nil {
			rows = append(rows, row)
		}
	}
	if len(rows) == 0 {
		return
	}
	client := jen.Op("*").Add(k.local("Client"))
	suite := k.qual(runtimetestPath, "Suite").Types(client).Custom(lines,
		jen.Id("New").Op(":").Add(k.local("New")),
		jen.Id("Options").Op(":").Index().Add(k.local("Option")).Custom(lines, options...),
		jen.Id("Cases").Op(":").Index().Add(k.qual(runtimetestPath, "Case")).Types(client.Clone()).Custom(lines, rows...),
	)
	k.doc(e.comment())
	k.add(jen.Func().Id("TestResilience").Params(jen.Id("t").Op("*").Add(k.qual(testingPath, "T"))).Block(
		jen.Id("t").Dot("Parallel").Call(),
		k.qual(runtimetestPath, "Verify").Call(jen.Id("t"), suite),
	))
	for _, s := range shared {
		k.doc(nil, s.node.name+" is shared by several plans.")
		k.add(jen.Var().Add(k.id(s.node.name)).Op("=").Add(s.node.value(len("var = ") + len(s.node.name))))
	}
}

// comment says what the test does, and what it does not.
func (e *examiner) comment() plan.Comment {
	c := plan.Comment{
		"TestResilience proves in virtual time that each method does what its plan says: see runtimetest.Verify. The plans stand here a second",
		"time, so that a policy which changes shows in a test.",
	}
	if len(e.left) > 0 {
		c = append(append(c, "", "Not tested, for want of a sample:"), e.left...)
	}
	return c
}

// row is one method's; nil where there is no sample of what it is asked or answers.
func (e *examiner) row(op *plan.Operation, p *node) jen.Code {
	answer, err := e.samples.Answer(op)
	var call jen.Code
	if err == nil {
		call, err = e.call(op)
	}
	if err != nil {
		e.left = append(e.left, wrap("- "+op.GoName+": "+err.Error())...)
		return nil
	}
	fields := []jen.Code{
		jen.Id("Name").Op(":").Lit(op.GoName),
		jen.Id("Plan").Op(":").Add(p.broken()),
		jen.Id("Answer").Op(":").Add(e.answer(&answer)),
	}
	if names := e.unwired[op.GoName]; len(names) > 0 {
		fields = append(fields, jen.Id("Unwired").Op(":").Index().String().Values(litStrings(names)...))
	}
	return jen.Custom(lines, append(fields, jen.Id("Call").Op(":").Add(call))...)
}

// answer is a right answer.
func (e *examiner) answer(a *sample.Answer) jen.Code {
	fields := []jen.Code{jen.Id("Status").Op(":").Lit(a.Status)}
	if a.MediaType != "" {
		fields = append(fields, jen.Id("MediaType").Op(":").Lit(a.MediaType))
	}
	if a.Body != "" {
		fields = append(fields, jen.Id("Body").Op(":").Add(stringLit(a.Body)))
	}
	return e.qual(runtimetestPath, "Answer").Values(fields...)
}

// call is a function that makes a call.
func (e *examiner) call(op *plan.Operation) (jen.Code, error) {
	request, err := e.samples.Request(op)
	if err != nil {
		return nil, err
	}
	args := []jen.Code{jen.Id("ctx")}
	if op.Request.Param != nil {
		req, err := e.expression(request.Type, request.JSON)
		if err != nil {
			return nil, err
		}
		args = append(args, req)
	}
	method := jen.Id("c").Dot(op.GoName).Call(args...)
	outcome := e.qual(runtimetestPath, outcomeOf(op)).Call(method)
	return jen.Func().Params(
		jen.Id("ctx").Add(e.qual(contextPath, "Context")), jen.Id("c").Op("*").Add(e.local("Client")),
	).Add(e.qual(runtimetestPath, "Outcome")).Block(jen.Return(outcome)), nil
}

// outcomeOf is the function of runtimetest that takes what the method returns.
func outcomeOf(op *plan.Operation) string {
	switch {
	case op.Response.Stream != nil && op.HasLadder():
		return "StreamResult"
	case op.Response.Stream != nil:
		return "Stream"
	case op.HasLadder():
		return "Result"
	case errorOnly(op):
		return "Done"
	default:
		return "Value"
	}
}

// expression is a value of a type, of its JSON.
func (e *examiner) expression(t plan.GoType, text string) (jen.Code, error) {
	var v any
	dec := json.NewDecoder(strings.NewReader(text))
	dec.UseNumber()
	if err := dec.Decode(&v); err != nil {
		return nil, err //nolint:wrapcheck // its caller says what was read
	}
	return e.value(t, v, json.RawMessage(text))
}

// options are those that New needs beside a connection: an address of its own for each target, so that it shows who is asked, and what
// rungs, caches and keys need.
func (e *examiner) options() []jen.Code {
	c := &e.pkg.Client
	var list []jen.Code
	primary := slices.IndexFunc(c.Targets, func(t targetConfig) bool { return t.Name == primaryTarget })
	if primary < 0 || len(c.Targets[primary].AnyOf) == 0 {
		list = append(list, e.local("WithBaseURL").Call(jen.Lit("http://primary.test")))
	}
	for i := range c.Targets {
		if t := &c.Targets[i]; t.Name != primaryTarget && len(t.AnyOf) == 0 {
			list = append(list, e.local("WithTarget").Call(jen.Lit(t.Name), e.local("WithBaseURL").Call(jen.Lit("http://"+hostOf(t.Name, i)+".test"))))
		}
	}
	list = append(list, e.storeOptions()...)
	for i := range c.Wirings {
		list = append(list, e.wiring(&c.Wirings[i]))
	}
	return list
}

// hostOf is a name of a host for the name of a target.
func hostOf(target string, i int) string {
	host := strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' {
			return r
		}
		return '-'
	}, strings.ToLower(target))
	if strings.Trim(host, "-") != host || host == "" || host == primaryTarget {
		return "target-" + string(rune('a'+i%26))
	}
	return host
}

// storeOptions are those of caches and of shared limits.
func (e *examiner) storeOptions() []jen.Code {
	var list []jen.Code
	var embedders []string
	caches := false
	for i := range e.pkg.Client.Operations {
		cache := &e.pkg.Client.Operations[i].Policy.Cache
		caches = caches || cache.On
		if cache.Semantic.On {
			embedders = append(embedders, cache.Semantic.Embedder)
		}
	}
	if caches {
		list = append(list, e.local("WithStore").Call(e.qual(runtimetestPath, "Store").Call()))
	}
	if plan.SharesLimits(&e.pkg.Client) != nil {
		list = append(list, e.local("WithLimitStore").Call(e.qual(runtimetestPath, "LimitStore").Call()))
	}
	if len(embedders) > 0 {
		list = append(list, e.local("WithSemanticStore").Call(e.qual(runtimetestPath, "SemanticStore").Call()))
	}
	slices.Sort(embedders)
	for _, name := range slices.Compact(embedders) {
		list = append(list, e.local("WithEmbedder").Call(jen.Lit(name), e.qual(runtimetestPath, "Embedder").Call()))
	}
	return list
}
