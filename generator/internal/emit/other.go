package emit

import (
	"slices"

	"github.com/dave/jennifer/jen"

	"github.com/resgen-go/resgen/generator/internal/model"
	"github.com/resgen-go/resgen/generator/internal/plan"
)

// other answers by another method of the client, or by the function that is given it. What the other call came to, that of the method says
// too; a function says it itself.
func (k *kit) other(op *plan.Operation, step plan.OtherStep) []jen.Code {
	method, args := jen.Id("c").Dot(step.Method), methodArgs(op)
	if step.Wiring != "" {
		k.id(step.Wiring)
		call := jen.Id("c").Dot(step.Wiring).Call(append(args, method)...)
		if noValue(op) {
			return []jen.Code{jen.Return(jen.Struct().Values(), call)}
		}
		return []jen.Code{jen.Return(call)}
	}
	body := k.reporting("meta")
	args[0] = k.capturing("meta")
	switch call := method.Call(args...); {
	case step.Tagged:
		return append(body, jen.List(jen.Id("res"), jen.Err()).Op(":=").Add(call), jen.Return(jen.Id("res").Dot("Value"), jen.Err()))
	case step.Empty:
		return append(body, jen.Return(jen.Struct().Values(), call))
	default:
		return append(body, jen.Return(call))
	}
}

// reporting has what the call that follows came to told to the attempt, and capturing is the context of that call.
func (k *kit) reporting(meta string) []jen.Code {
	return []jen.Code{
		jen.Var().Id(meta).Add(k.qual(runtimePath, "Meta")),
		jen.Defer().Add(k.qual(runtimePath, "Report")).Call(jen.Id("ctx"), jen.Op("&").Id(meta)),
	}
}

func (k *kit) capturing(meta string) *jen.Statement {
	return k.qual(runtimePath, "Capture").Call(jen.Id("ctx"), jen.Op("&").Id(meta))
}

// insideVar is a variable of a wrapper's method, which no parameter is called.
const insideVar = "inside"

// other answers by another method of the wrapper, or by the function that is given it. An iterator makes its call when it is ranged over.
func (w *wrapped) other(step plan.OtherStep) []jen.Code {
	method := jen.Id("w").Dot(step.Method)
	if step.Wiring != "" {
		return w.answer(jen.Id("w").Dot(step.Wiring).Call(append(w.listed(), method)...), false)
	}
	answer := w.answer(method.Call(w.args()...), false)
	if w.Answer == model.LazyStream {
		return answer
	}
	return slices.Concat(w.reporting(insideVar), []jen.Code{jen.Id("ctx").Op("=").Add(w.capturing(insideVar))}, answer)
}

// asksOther says of an option what its function answers by.
func asksOther(w *plan.Wiring) string {
	if w.Asks == "" {
		return ""
	}
	return " It answers by " + w.Asks + ", which it is given as its last argument."
}
