package emit

import (
	"github.com/dave/jennifer/jen"

	"github.com/resgen-go/resgen/generator/internal/plan"
)

// other answers by another method of the client, or by the function that is given it.
func (k *kit) other(op *plan.Operation, step plan.OtherStep) []jen.Code {
	method := jen.Id("c").Dot(step.Method)
	switch {
	case step.Wiring != "":
		k.id(step.Wiring)
		call := jen.Id("c").Dot(step.Wiring).Call(append(methodArgs(op), method)...)
		if noValue(op) {
			return []jen.Code{jen.Return(jen.Struct().Values(), call)}
		}
		return []jen.Code{jen.Return(call)}
	case step.Tagged:
		return []jen.Code{
			jen.List(jen.Id("res"), jen.Err()).Op(":=").Add(method.Call(methodArgs(op)...)),
			jen.Return(jen.Id("res").Dot("Value"), jen.Err()),
		}
	case step.Empty:
		return []jen.Code{jen.Return(jen.Struct().Values(), method.Call(methodArgs(op)...))}
	default:
		return []jen.Code{jen.Return(method.Call(methodArgs(op)...))}
	}
}

// other is the call of another method of the wrapper, or of the function that is given it.
func (w *wrapped) other(step plan.OtherStep) *jen.Statement {
	method := jen.Id("w").Dot(step.Method)
	if step.Wiring == "" {
		return method.Call(w.args()...)
	}
	return jen.Id("w").Dot(step.Wiring).Call(append(w.listed(), method)...)
}

// asksOther says of an option what its function answers by.
func asksOther(w *plan.Wiring) string {
	if w.Asks == "" {
		return ""
	}
	return " It answers by " + w.Asks + ", which it is given as its last argument."
}
