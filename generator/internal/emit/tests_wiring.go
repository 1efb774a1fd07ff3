package emit

import (
	"encoding/json"
	"strconv"
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/resgen-go/resgen/generator/internal/plan"
	"github.com/resgen-go/resgen/generator/internal/sample"
	"github.com/resgen-go/resgen/runtime/policy"
)

const primaryTarget = policy.PrimaryTarget

type targetConfig = policy.Target

// wiring is the option that gives a function or a value of the author's, made up.
func (e *examiner) wiring(w *plan.Wiring) jen.Code {
	op, rung := e.user(w)
	option := e.local(w.Option)
	switch {
	case op == nil && w.Func != nil: // the key of conversations
		return option.Call(e.function(w).Block(jen.Return(jen.Lit("conversation"))))
	case op == nil: // the key of calls
		return option.Call(e.function(w).Block(jen.Return(jen.Lit("key"), jen.Nil())))
	}
	answer, err := e.samples.Answer(op)
	if w.Value != nil {
		return option.Call(e.wiredValue(w, op, rung, &answer, err))
	}
	give, ok := e.give(op, &answer, err)
	switch {
	case !ok:
		e.unwired[op.GoName] = append(e.unwired[op.GoName], rung.Name)
		return option.Call(e.function(w).Block(jen.Return(e.nothing(w), e.qual(runtimetestPath, "ErrUnwired"))))
	case give == nil:
		return option.Call(e.function(w).Block(jen.Return(e.qual(runtimetestPath, "FuncDone").Call(jen.Id("ctx"), jen.Lit(rung.Func)))))
	}
	result := e.attemptValue(op)
	return option.Call(e.function(w).Block(jen.Return(e.qual(runtimetestPath, "Func").Call(
		jen.Id("ctx"), jen.Lit(rung.Func), jen.Func().Params().Params(result, jen.Error()).Block(jen.Return(give)),
	))))
}

// user is the method, with its rung, that uses what is wired; nil for what only the runtime asks for.
func (e *examiner) user(w *plan.Wiring) (*plan.Operation, *policy.Rung) {
	if w.Field == "" {
		return nil, nil
	}
	for i := range e.pkg.Client.Operations {
		op := &e.pkg.Client.Operations[i]
		for _, step := range op.Steps {
			field, n := "", 0
			switch step := step.(type) {
			case plan.FuncStep:
				field, n = step.Wiring, step.Rung
			case plan.StaticStep:
				field, n = step.Wiring, step.Rung
			case plan.OtherStep:
				field, n = step.Wiring, step.Rung
			}
			if field == w.Field {
				return op, &op.Policy.Fallback.Rungs[n-1]
			}
		}
	}
	return nil, nil
}

// function is the head of a function of a wiring's type: only the context has a name, where it is used.
func (e *examiner) function(w *plan.Wiring) *jen.Statement {
	if f, ok := w.Func.(plan.FuncOf); ok {
		params := make([]jen.Code, len(f.Params))
		for i, p := range f.Params {
			params[i] = e.unnamed(i, p.Type, f.Variadic && i == len(f.Params)-1)
		}
		results := make([]jen.Code, len(f.Results))
		for i, r := range f.Results {
			results[i] = e.typ(r.Type)
		}
		return jen.Func().Params(params...).Params(results...)
	}
	params := []jen.Code{jen.Id("ctx").Add(e.qual(contextPath, "Context"))}
	if w.Field == "" {
		params[0] = e.qual(contextPath, "Context")
	}
	if w.Request != nil {
		params = append(params, jen.Id("_").Add(e.typ(w.Request)))
	}
	if w.Result == nil {
		return jen.Func().Params(params...).Error()
	}
	return jen.Func().Params(params...).Params(e.typ(w.Result), jen.Error())
}

// unnamed is a parameter of a function type: the first is the context.
func (e *examiner) unnamed(i int, t plan.GoType, variadic bool) jen.Code {
	name := "_"
	if i == 0 {
		name = "ctx"
	}
	return jen.Id(name).Add(e.paramType(t, variadic))
}

// give is the expression of a right answer with its error, as a function of the method's type returns it; nil where there is no answer but
// the error.
func (e *examiner) give(op *plan.Operation, a *sample.Answer, err error) (give jen.Code, ok bool) {
	switch {
	case noValue(op):
		return nil, true
	case err != nil, op.Response.Download:
		return nil, false
	case op.Response.Stream != nil:
		return e.qual(runtimePath, "StreamOfExample").Types(e.typ(op.Response.Stream.Item)).Call(stringLit(itemsOf(op, a))), true
	}
	if p, isPointer := op.Response.Result.(plan.Pointer); isPointer {
		return e.qual(wirePath, "Example", p.Elem).Call(stringLit(a.Body)), isJSON(a)
	}
	if basic, ok := e.under(op.Response.Result).(plan.Basic); ok && a.Text && basic.Name == "string" {
		return e.qual(wirePath, "ExampleValue", op.Response.Result).Call(stringLit(textOf(a))), true
	}
	return e.qual(wirePath, "ExampleValue", op.Response.Result).Call(stringLit(a.Body)), isJSON(a)
}

// nothing is the value of a function that only fails: its type need not have nil.
func (e *examiner) nothing(w *plan.Wiring) jen.Code {
	switch f, isFunc := w.Func.(plan.FuncOf); {
	case isFunc && len(f.Results) > 0:
		return e.zero(f.Results[0].Type)
	case w.Result != nil:
		return e.zero(w.Result)
	default:
		return jen.Nil()
	}
}

// textOf is the JSON of an answer's body, which may be a text as it is.
func textOf(a *sample.Answer) string {
	if a.Text {
		return strconv.Quote(a.Body) // of samples, whose texts are plain
	}
	return a.Body
}

func isJSON(a *sample.Answer) bool { return json.Valid([]byte(a.Body)) }

// itemsOf is the list of the items of a stream, as JSON.
func itemsOf(op *plan.Operation, a *sample.Answer) string {
	items := make([]string, len(a.Items))
	for i, item := range a.Items {
		if items[i] = item; op.Response.Stream.Text {
			items[i] = strconv.Quote(item) // of samples, whose texts are plain
		}
	}
	return "[" + strings.Join(items, ",") + "]"
}

// wiredValue is a value that a static rung answers with.
func (e *examiner) wiredValue(w *plan.Wiring, op *plan.Operation, rung *policy.Rung, a *sample.Answer, err error) jen.Code {
	text := textOf(a)
	if op.Response.Stream != nil {
		text = itemsOf(op, a)
	}
	if err == nil {
		if code, err := e.expression(w.Value, text); err == nil {
			return code
		}
	}
	e.unwired[op.GoName] = append(e.unwired[op.GoName], rung.Name)
	if p, ok := w.Value.(plan.Pointer); ok {
		return jen.New(e.typ(p.Elem))
	}
	return e.zero(w.Value)
}
