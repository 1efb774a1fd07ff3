package emit

import (
	"reflect"

	"github.com/dave/jennifer/jen"

	"github.com/resgen-go/resgen/generator/internal/plan"
)

// emitResponses prints the functions that turn a *wire.Response into what the methods return, by its status.
func emitResponses(k *kit) {
	for i := range k.pkg.Client.Operations {
		op := &k.pkg.Client.Operations[i]
		if op.AnswerOf != "" {
			continue
		}
		k.doc(nil)
		head := jen.Func().Add(k.id(readFunc(op))).Params(jen.Id("r").Op("*").Add(k.qual(wirePath, "Response"))).Params(k.readValue(op), jen.Error())
		if read := k.readOn(op); read != nil {
			k.add(head.Block(jen.Return(read)))
			continue
		}
		k.add(head.Block(k.readBody(op)...))
	}
	k.emitAllHeaders()
}

// readOn reads the answers of which one body is all that is known, by its statuses; nil where there is more to say.
func (k *kit) readOn(op *plan.Operation) jen.Code {
	groups, rest := groupCases(op.Response.Cases)
	if len(groups) != 1 || rest != nil || !allExact(groups) || op.Response.Stream != nil {
		return nil
	}
	c := &groups[0][0]
	list := []jen.Code{jen.Id("r")}
	for _, status := range groups[0] {
		list = append(list, jen.Lit(status.Lo))
	}
	_, pointer := op.Response.Result.(plan.Pointer)
	switch {
	case c.Failure || c.Variant != "":
		return nil
	case c.Codec == plan.NoCodec:
		return k.qual(wirePath, "NoBodyOn").Call(list...)
	case c.Codec == plan.JSONCodec && pointer:
		return k.qual(wirePath, "JSONOn", c.Type).Call(list...)
	case c.Codec == plan.JSONCodec:
		return k.qual(wirePath, "JSONValueOn", c.Type).Call(list...)
	default:
		return nil
	}
}

// readValue is the type that the function returns.
func (k *kit) readValue(op *plan.Operation) *jen.Statement {
	if s := op.Response.Stream; s != nil {
		return jen.Op("*").Add(k.qual(wirePath, "Items", s.Item))
	}
	return k.attemptValue(op)
}

// readBody tells the statuses apart, and ends with the document's default, or with the unexpected.
func (k *kit) readBody(op *plan.Operation) []jen.Code {
	groups, rest := groupCases(op.Response.Cases)
	last := jen.Return(k.zeroRead(op), jen.Id("r").Dot("Unexpected").Call())
	if rest != nil {
		last = jen.Return(k.read(op, rest)...)
	}
	status := jen.Id("r").Dot("Status")
	switch {
	case len(groups) == 0:
		return []jen.Code{last}
	case len(groups) == 1:
		return []jen.Code{jen.If(condition(groups[0])).Block(k.readCase(op, groups[0])...), last}
	}
	exact := allExact(groups)
	cases := make([]jen.Code, len(groups))
	for i, g := range groups {
		label := condition(g)
		if exact {
			label = exactLabel(g)
		}
		cases[i] = jen.Case(label).Block(k.readCase(op, g)...)
	}
	if exact {
		return []jen.Code{jen.Switch(status).Block(cases...), last}
	}
	return []jen.Code{jen.Switch().Block(cases...), last}
}

// groupCases joins neighbours that are read alike, and sets the default apart.
func groupCases(cases []plan.ResponseCase) (groups [][]plan.ResponseCase, rest *plan.ResponseCase) {
	for i, c := range cases {
		if c.Lo == 0 && c.Hi == 0 {
			rest = &cases[i]
			continue
		}
		if n := len(groups); n > 0 && alike(groups[n-1][0], c) {
			groups[n-1] = append(groups[n-1], c)
			continue
		}
		groups = append(groups, []plan.ResponseCase{c})
	}
	return groups, rest
}

func alike(a, b plan.ResponseCase) bool {
	a.Lo, a.Hi = b.Lo, b.Hi
	if a.Failure && b.Failure {
		a.MediaType = b.MediaType
	}
	return reflect.DeepEqual(a, b)
}

func allExact(groups [][]plan.ResponseCase) bool {
	for _, g := range groups {
		for _, c := range g {
			if c.Lo != c.Hi {
				return false
			}
		}
	}
	return true
}

// exactLabel is the statuses of a group, for a switch on the status.
func exactLabel(group []plan.ResponseCase) *jen.Statement {
	labels := make([]jen.Code, len(group))
	for i, c := range group {
		labels[i] = jen.Lit(c.Lo)
	}
	return jen.List(labels...)
}

// condition holds for the statuses of a group.
func condition(group []plan.ResponseCase) *jen.Statement {
	status := func() *jen.Statement { return jen.Id("r").Dot("Status") }
	s := &jen.Statement{}
	for i, c := range group {
		if i > 0 {
			s.Op("||")
		}
		if c.Lo == c.Hi {
			s.Add(status().Op("==").Lit(c.Lo))
		} else {
			s.Add(status().Op(">=").Lit(c.Lo).Op("&&").Add(status()).Op("<=").Lit(c.Hi))
		}
	}
	return s
}

// readCase reads the body of a group's statuses.
func (k *kit) readCase(op *plan.Operation, group []plan.ResponseCase) []jen.Code {
	c := &group[0]
	if c.Variant == "" || c.Failure {
		return []jen.Code{jen.Return(k.read(op, c)...)}
	}
	failed := jen.Err().Op("!=").Nil()
	fail := jen.Return(jen.Nil(), jen.Err())
	if c.Type == nil {
		return []jen.Code{
			jen.If(jen.List(jen.Id("_"), jen.Err()).Op(":=").Add(k.decode(op, c)), failed).Block(fail),
			jen.Return(k.id(c.Variant).Values(), jen.Nil()),
		}
	}
	return []jen.Code{
		jen.List(jen.Id("body"), jen.Err()).Op(":=").Add(k.decode(op, c)),
		jen.If(failed).Block(fail),
		jen.Return(k.id(c.Variant).Values(jen.Id("Body").Op(":").Id("body")), jen.Nil()),
	}
}

// read is what a case returns: a failure, or the decoded body.
func (k *kit) read(op *plan.Operation, c *plan.ResponseCase) []jen.Code {
	switch {
	case c.Failure && c.Type == nil:
		return []jen.Code{k.zeroRead(op), jen.Id("r").Dot("Unexpected").Call()}
	case c.Failure:
		return []jen.Code{k.zeroRead(op), k.qual(wirePath, "Failure", c.Type).Call(jen.Id("r"))}
	default:
		return []jen.Code{k.decode(op, c)}
	}
}

// decode reads the body of a success.
func (k *kit) decode(op *plan.Operation, c *plan.ResponseCase) *jen.Statement {
	r := jen.Id("r")
	if s := op.Response.Stream; s != nil {
		if s.Text {
			return k.qual(wirePath, "TextItems").Call(r, k.streamPolicy(op))
		}
		return k.qual(wirePath, "JSONItems", s.Item).Call(r, k.streamPolicy(op))
	}
	switch c.Codec {
	case plan.NoCodec:
		return k.qual(wirePath, "NoBody").Call(r)
	case plan.TextCodec:
		return k.qual(wirePath, "Text").Call(r)
	case plan.BinaryCodec:
		return k.qual(wirePath, "NewDownload").Call(r)
	case plan.JSONCodec:
		if _, ok := op.Response.Result.(plan.Pointer); ok && c.Variant == "" {
			return k.qual(wirePath, "JSON", c.Type).Call(r)
		}
		return k.qual(wirePath, "JSONValue", c.Type).Call(r)
	case plan.FormCodec, plan.MultipartCodec, plan.LinesCodec:
		fallthrough
	default:
		k.failf("%s: no codec %d for a response", op.GoName, c.Codec)
		return jen.Nil()
	}
}

// streamPolicy is how items travel: the plan's own, which the policy literal holds already.
func (k *kit) streamPolicy(op *plan.Operation) *jen.Statement {
	if reflect.DeepEqual(op.Policy.Stream, op.Response.Stream.Policy) {
		return jen.Id(policyVar(op)).Dot("Stream")
	}
	n, err := literalOf(reflect.ValueOf(op.Response.Stream.Policy))
	if err != nil {
		k.failf("stream of %s: %w", op.GoName, err)
		return jen.Nil()
	}
	return n.value(0)
}

// zeroRead is what is returned beside an error.
func (k *kit) zeroRead(op *plan.Operation) *jen.Statement {
	switch {
	case op.Response.Stream != nil || op.Response.Download:
		return jen.Nil()
	case op.Response.Result == nil:
		return jen.Struct().Values()
	default:
		return k.zero(op.Response.Result)
	}
}
