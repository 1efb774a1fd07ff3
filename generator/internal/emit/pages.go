package emit

import (
	"slices"
	"strconv"

	"github.com/dave/jennifer/jen"

	"github.com/resgen-go/resgen/generator/internal/plan"
)

// emitPages prints the method that iterates over the items of all pages of an operation. What it hands the runtime asks for one page by
// the operation's own method, and says what came.
func (k *kit) emitPages(op *plan.Operation) {
	p := op.Pages
	k.doc(p.Doc)
	k.add(jen.Func().Params(jen.Id("c").Op("*").Id("Client")).Add(k.id(p.GoName)).Add(k.pagesSignature(op)).Block(
		jen.Return(k.qual(runtimePath, pagesDriver(op)).Call(
			jen.Id("ctx"), jen.Id("c").Dot(op.Field), k.paging(p), k.pageFunc(op),
		)),
	))
}

func pagesDriver(op *plan.Operation) string {
	if op.HasLadder() {
		return "PagesResult"
	}
	return "Pages"
}

// pagesSignature is the iterator's parameters, which are the operation's, and its result.
func (k *kit) pagesSignature(op *plan.Operation) *jen.Statement {
	item := k.typ(op.Pages.Item)
	if op.HasLadder() {
		item = k.qual(runtimePath, "Result", op.Pages.Item)
	}
	return (&jen.Statement{}).Params(k.params(op)...).Add(k.qual(iterPath, "Seq2").Types(item, jen.Error()))
}

func (k *kit) paging(p *plan.Pages) *jen.Statement {
	var fields []jen.Code
	if p.MaxPages > 0 {
		fields = append(fields, jen.Id("MaxPages").Op(":").Lit(p.MaxPages))
	}
	if p.Links {
		fields = append(fields, jen.Id("Links").Op(":").True())
	}
	if p.Counts {
		fields = append(fields, jen.Id("Counts").Op(":").True())
	}
	return k.qual(runtimePath, "Paging").Values(fields...)
}

// pager prints the function that reads one page.
type pager struct {
	*kit

	op *plan.Operation
	p  *plan.Pages
	// list holds the answer, and next the request.
	list, next *jen.Statement
	// ended says that something has set Last already.
	ended bool
	vars  int
}

func (k *kit) pageFunc(op *plan.Operation) *jen.Statement {
	g := pager{kit: k, op: op, p: op.Pages, list: jen.Id("list"), next: jen.Id("req")}
	page := k.qual(runtimePath, "Page", op.Pages.Item, op.Pages.Token)
	results, fails, done := jen.Error(), jen.Return(jen.Err()), jen.Return(jen.Nil())
	if op.HasLadder() {
		g.list = jen.Id("list").Dot("Value")
		results = jen.Params(k.qual(runtimePath, "Result").Types(k.attemptValue(op)), jen.Error())
		fails, done = jen.Return(jen.Id("list"), jen.Err()), jen.Return(jen.Id("list"), jen.Nil())
	}
	body := slices.Concat(g.call(), []jen.Code{jen.If(jen.Err().Op("!=").Nil()).Block(fails)}, g.take())
	return jen.Func().Params(jen.Id("ctx").Add(k.qual(contextPath, "Context")), jen.Id("p").Op("*").Add(page)).Add(results).Block(
		append(body, done)...)
}

// call asks for the page.
func (g *pager) call() []jen.Code {
	method := func(name string, req jen.Code) *jen.Statement {
		args := []jen.Code{jen.Id("ctx")}
		if req != nil {
			args = append(args, req)
		}
		return jen.Id("c").Dot(name).Call(args...)
	}
	var own jen.Code
	if g.op.Request.Param != nil {
		own = jen.Id("req")
	}
	both := jen.List(jen.Id("list"), jen.Err())
	if g.p.Links {
		return []jen.Code{both.Op(":=").Add(method(g.op.GoName, own))}
	}
	if g.p.Then != nil {
		return g.callThen(both, method, own)
	}
	g.next = jen.Id("next")
	set := plan.Assignment{Path: g.p.Ask.Path, Types: g.p.Ask.Types, Value: plan.Literal{Type: g.p.Ask.Type()}}
	a := assigner{kit: g.kit, used: map[string]int{}, given: g.given(g.p.Ask.Type())}
	return []jen.Code{
		jen.Id("next").Op(":=").Add(g.copyRequest()),
		jen.If(jen.Op("!").Id("p").Dot("First").Call()).Block(a.set(jen.Id("next"), "next", &set, 0)...),
		both.Op(":=").Add(method(g.op.GoName, jen.Id("next"))),
	}
}

// callThen asks for the first page by the operation's own method, and for the others by another one, which has what both take from the first
// request.
func (g *pager) callThen(both *jen.Statement, method func(string, jen.Code) *jen.Statement, own jen.Code) []jen.Code {
	then, from := g.p.Then, "req"
	var body []jen.Code
	if g.op.Request.Optional && len(then.Same) > 0 {
		from = "from"
		body = append(body, jen.Id(from).Op(":=").Add(g.copyRequest()))
	}
	fields := make([]jen.Code, len(then.Same), len(then.Same)+1)
	for i, same := range then.Same {
		fields[i] = g.id(same.Field).Op(":").Id(from).Dot(same.From)
	}
	fields = append(fields, g.id(then.Token).Op(":").Add(g.given(then.TokenType)))
	return append(body,
		jen.Id("ask").Op(":=").Func().Params().Add(g.valueSignature()).Block(
			jen.If(jen.Id("p").Dot("First").Call()).Block(jen.Return(method(g.op.GoName, own))),
			jen.Return(method(then.GoName, jen.Op("&").Add(g.id(then.Request)).Values(fields...))),
		),
		both.Op(":=").Id("ask").Call(),
	)
}

// copyRequest copies the request. One that must not be nil stays so, for the operation to refuse.
func (g *pager) copyRequest() *jen.Statement {
	if g.op.Request.Optional {
		return g.qual(wirePath, "CopyOrNew").Call(jen.Id("req"))
	}
	return g.qual(wirePath, "Copy").Call(jen.Id("req"))
}

// valueSignature is what the operation's method returns.
func (g *pager) valueSignature() *jen.Statement {
	value := g.attemptValue(g.op)
	if g.op.HasLadder() {
		value = g.qual(runtimePath, "Result").Types(value)
	}
	return (&jen.Statement{}).Params(value, jen.Error())
}

// given is the page's token as a value of the type of a request's field.
func (g *pager) given(t plan.GoType) *jen.Statement {
	token := jen.Id("p").Dot("Token")
	if g.p.JSON {
		raw := g.qual(jsonPath, "RawMessage").Call(token)
		if _, isUnion := g.under(t).(plan.Local); isUnion {
			return g.typ(t).Values(g.qual(wirePath, "UnionOf").Call(raw))
		}
		return raw
	}
	if w, ok := t.(plan.Qual); ok && w.Path == wirePath && len(w.Args) == 1 {
		present := map[string]string{"Opt": "Some", "Null": "NotNull", "OptNull": "SomeNotNull"}[w.Name]
		if present != "" {
			return g.qual(wirePath, present).Call(g.converted(token, g.p.Token, w.Args[0]))
		}
	}
	return g.converted(token, g.p.Token, t)
}

// token is what an answer names the next page by, as a token.
func (g *pager) token(v *jen.Statement, t plan.GoType) *jen.Statement {
	if !g.p.JSON {
		return g.converted(v, t, g.p.Token)
	}
	if _, isUnion := g.under(t).(plan.Local); isUnion {
		v = v.Clone().Dot("Raw").Call()
	}
	return g.qual(wirePath, "PageToken").Call(v)
}

// converted is a value of one type as one of another; both hold texts, or both whole numbers.
func (g *pager) converted(value *jen.Statement, from, to plan.GoType) *jen.Statement {
	if g.under(from) == g.under(to) {
		return value
	}
	return g.typ(to).Call(value)
}

// take says what came.
func (g *pager) take() []jen.Code {
	items := func(v *jen.Statement, _ plan.GoType) []jen.Code { return set("Items", v) }
	body := g.reach(g.list.Clone(), g.op.Response.Result, &g.p.Items, 0, "nil", items)
	switch {
	case g.p.Counts:
		body = append(body, g.count()...)
	case g.p.Next.Link:
		body = append(body, set("Next", jen.Id("p").Dot("Link").Call())...)
	case g.p.Next.Header != "":
		body = append(body, set("Next", jen.Id("p").Dot("Header").Call(jen.Lit(g.p.Next.Header)))...)
	default:
		zero := map[plan.GoType]string{plan.Basic{Name: "string"}: `""`}[g.p.Token]
		if zero == "" {
			zero = "0"
		}
		body = append(body, g.reach(g.list.Clone(), g.op.Response.Result, &g.p.Next.Body, 0, zero,
			func(v *jen.Statement, t plan.GoType) []jen.Code { return set("Next", g.token(v, t)) })...)
	}
	return append(body, g.ends()...)
}

func set(field string, v jen.Code) []jen.Code {
	return []jen.Code{jen.Id("p").Dot(field).Op("=").Add(v)}
}

// count finds the next token from that of the page, which the caller may have begun with.
func (g *pager) count() []jen.Code {
	add := jen.Int64().Call(jen.Len(jen.Id("p").Dot("Items")))
	if g.p.Step > 0 {
		add = jen.Lit(g.p.Step)
	}
	token := plan.GoType(plan.Basic{Name: "int64"})
	next := func(v *jen.Statement, t plan.GoType) []jen.Code {
		v = g.converted(v, t, token)
		if g.p.First > 0 && !g.hasDefault(&g.p.Ask) {
			v = jen.Max(v, jen.Lit(g.p.First))
		}
		return set("Next", v.Op("+").Add(add))
	}
	if len(g.p.Ask.Path) > 2 || len(g.p.Ask.Path) == 2 && !g.isPlain(g.p.Ask.Types[0]) {
		body := set("Next", jen.Id("p").Dot("Token").Op("+").Add(add.Clone()))
		if g.p.First > 0 {
			body = set("Next", jen.Max(jen.Id("p").Dot("Token"), jen.Lit(g.p.First)).Op("+").Add(add.Clone()))
		}
		return append(body, g.reach(jen.Id("next"), g.op.Request.Param, &g.p.Ask, 0, strconv.Itoa(g.p.First), next)...)
	}
	return g.reach(jen.Id("next"), g.op.Request.Param, &g.p.Ask, 0, strconv.Itoa(g.p.First), next)
}

// ends says when the page is the last.
func (g *pager) ends() []jen.Code {
	var body []jen.Code
	if g.p.More.IsSet() {
		body = append(body, g.reach(g.list.Clone(), g.op.Response.Result, &g.p.More, 0, "true",
			func(v *jen.Statement, _ plan.GoType) []jen.Code { return g.last(jen.Op("!").Add(v)) })...)
	}
	had := func() *jen.Statement { return jen.Len(jen.Id("p").Dot("Items")) }
	if g.p.Size.IsSet() {
		body = append(body, g.reach(jen.Id("next"), g.op.Request.Param, &g.p.Size, 0, "0",
			func(v *jen.Statement, _ plan.GoType) []jen.Code { return g.last(had().Op("<").Int().Call(v)) })...)
	}
	reached := func(total *jen.Statement) []jen.Code {
		if g.p.Step > 0 {
			return g.last(jen.Id("p").Dot("Before").Op("+").Add(had()).Op(">=").Int().Call(total))
		}
		return g.last(jen.Id("p").Dot("Next").Op(">=").Add(total))
	}
	switch total := &g.p.Total; {
	case total.Header != "":
		body = append(body, jen.If(jen.List(jen.Id("total"), jen.Id("ok")).Op(":=").Id("p").Dot("HeaderNumber").Call(jen.Lit(total.Header)),
			jen.Id("ok")).Block(reached(jen.Id("total"))...))
	case total.Body.IsSet():
		body = append(body, g.reach(g.list.Clone(), g.op.Response.Result, &total.Body, 0, "",
			func(v *jen.Statement, t plan.GoType) []jen.Code {
				return reached(g.converted(v, t, plan.Basic{Name: "int64"}))
			})...)
	}
	return body
}

// last sets Last where a condition holds.
func (g *pager) last(condition *jen.Statement) []jen.Code {
	if g.ended {
		condition = jen.Id("p").Dot("Last").Op("||").Add(condition)
	}
	g.ended = true
	return set("Last", condition)
}
