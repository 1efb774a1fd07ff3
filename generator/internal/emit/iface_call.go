package emit

import (
	"slices"

	"github.com/dave/jennifer/jen"

	"github.com/resgen-go/resgen/generator/internal/model"
	"github.com/resgen-go/resgen/generator/internal/plan"
	"github.com/resgen-go/resgen/runtime/policy"
)

// ifaceDriver is the runtime's function that runs the call.
func (w *wrapped) ifaceDriver() string {
	switch w.Answer {
	case model.HeldValue:
		return "Keep"
	case model.SeqStream:
		return "OpenSeq"
	case model.Seq2Stream:
		return "OpenSeq2"
	case model.ChanStream:
		return "OpenChan"
	case model.ReaderStream:
		return "OpenReader"
	case model.LazyStream:
		return "Range"
	case model.NoValue, model.OneValue, model.SeveralValues:
	}
	if w.Twin == "" && policy.RunsInline(&w.op.Policy) {
		return "DoInline"
	}
	return "Do"
}

// call is the call of the runtime with the closure that makes one attempt.
func (w *wrapped) call(suffix string) *jen.Statement {
	at := "at"
	if !w.usesAttempt() {
		at = "_"
	}
	run := jen.Func().Params(jen.Id("ctx").Add(w.qual(contextPath, "Context")), jen.Id(at).Add(w.qual(runtimePath, "Attempt")))
	switch {
	case w.Answer == model.LazyStream:
		run.Add(w.typ(w.Results[0].Type))
	case len(w.Values) > 1 || w.reorders():
		run.Params(jen.Id("v").Add(w.value()), jen.Err().Error())
	default:
		run.Params(w.value(), jen.Error())
	}
	args := []jen.Code{jen.Id("ctx"), jen.Id("w").Dot(w.Field), run.Block(w.attempt()...)}
	if len(w.Asks) > 0 {
		asks := make([]jen.Code, len(w.Asks))
		for i, at := range w.Asks {
			asks[i] = w.id(w.Params[at].Name)
		}
		args = append(args, w.qual(runtimePath, "Args").Call(asks...))
	}
	return w.qual(runtimePath, w.ifaceDriver()+suffix).Call(args...)
}

// reorders reports whether one value comes after the error.
func (w *wrapped) reorders() bool {
	return len(w.Values) == 1 && w.Err == 0 && w.Answer != model.LazyStream
}

// usesAttempt reports whether an attempt depends on what the runtime says of it.
func (w *wrapped) usesAttempt() bool {
	return len(w.op.Steps) > 0 || w.Key >= 0 || w.chooses() || w.op.Policy.Cache.On
}

// chooses reports whether attempts go to more than one implementation.
func (w *wrapped) chooses() bool {
	p := &w.op.Policy
	if len(policy.Endpoints(p, policy.PrimaryTarget)) > 1 {
		return true
	}
	if p.Hedge.Max > 0 && p.Hedge.Target != "" && p.Hedge.Target != policy.PrimaryTarget {
		return true
	}
	return slices.ContainsFunc(p.Fallback.Rungs, func(r policy.Rung) bool {
		return r.Sort == policy.RungTarget && r.Target != "" && r.Target != policy.PrimaryTarget
	})
}

// attempt is the closure: one case for each rung that does not simply call an implementation.
func (w *wrapped) attempt() []jen.Code {
	on := jen.Id("w").Dot(w.pkg.Interface.Next)
	if w.chooses() {
		on = jen.Id("w").Dot(w.pkg.Interface.Choose).Call(jen.Id("at").Dot("Target"))
	}
	next := w.answer(on.Dot(w.Name).Call(w.args()...), w.op.Policy.Cache.On)
	switch len(w.op.Steps) {
	case 0:
		return next
	case 1:
		rung, name, body := w.rung(w.op.Steps[0])
		return append([]jen.Code{
			jen.If(jen.Id("at").Dot("Rung").Op("==").Lit(rung)).Block(append([]jen.Code{commentOf(plan.Comment{name})}, body...)...),
		}, next...)
	}
	cases := make([]jen.Code, len(w.op.Steps))
	for i, step := range w.op.Steps {
		rung, name, body := w.rung(step)
		cases[i] = jen.Case(jen.Lit(rung)).Comment(commentLine(name)).Custom(jen.Options{Multi: true}, body...)
	}
	return append([]jen.Code{jen.Switch(jen.Id("at").Dot("Rung")).Block(cases...)}, next...)
}

// rung is what a rung does that calls no implementation.
func (w *wrapped) rung(step plan.Step) (rung int, name string, body []jen.Code) {
	switch step := step.(type) {
	case plan.FuncStep:
		return step.Rung, step.Name, w.answer(jen.Id("w").Dot(step.Wiring).Call(w.args()...), false)
	case plan.OtherStep:
		return step.Rung, step.Name, w.other(step)
	case plan.StaticStep:
		answer := []jen.Code{jen.Id("w").Dot(step.Wiring), jen.Nil()}
		if len(w.Values) != 1 {
			w.failf("%s: the static rung %q answers with other than one value", w.Name, step.Name)
		}
		return step.Rung, step.Name, []jen.Code{jen.Return(answer...)}
	default:
		w.failf("%s: no step for %T", w.Name, step)
		return 0, "", nil
	}
}

// answer returns what a call returned as an attempt does: values first, then the error.
func (w *wrapped) answer(call *jen.Statement, remembered bool) []jen.Code {
	switch {
	case w.Answer == model.LazyStream:
		return []jen.Code{jen.Return(call)}
	case len(w.Values) == 0:
		return []jen.Code{jen.Return(jen.Struct().Values(), call)}
	case len(w.Values) > 1 || w.reorders():
		return []jen.Code{jen.List(w.unpacked(jen.Id("v"))...).Op("=").Add(call), jen.Return(jen.Id("v"), jen.Err())}
	case remembered:
		inner := jen.Func().Params().Params(w.value(), jen.Error()).Block(jen.Return(call))
		return []jen.Code{jen.Return(w.qual(runtimePath, "Remember").Call(jen.Id("at"), inner))}
	default:
		return []jen.Code{jen.Return(call)}
	}
}
