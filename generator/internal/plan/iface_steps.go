package plan

import (
	"strings"

	"github.com/resgen-go/resgen/generator/internal/annot"
	"github.com/resgen-go/resgen/generator/internal/diag"
	"github.com/resgen-go/resgen/generator/internal/model"
	"github.com/resgen-go/resgen/generator/internal/source"
	"github.com/resgen-go/resgen/runtime/policy"
)

// steps are what the closure does on rungs that do not call another implementation.
func (r *ifaceResolver) steps(m *Method, op *model.Operation, out *Operation) []Step {
	var steps []Step
	facts := r.policies.Facts[m.Operation].Rungs
	for i := range out.Policy.Fallback.Rungs {
		rung := &out.Policy.Fallback.Rungs[i]
		fact := annot.RungFacts{Pos: op.Pos, FuncPos: op.Pos}
		if i < len(facts) {
			fact = facts[i]
		}
		switch rung.Sort {
		case policy.RungFunc:
			if field, ok := r.wire(rung.Func, op, fact.FuncPos, Wiring{Func: m.signature()}, true); ok {
				steps = append(steps, FuncStep{Rung: i + 1, Name: rung.Name, Wiring: field})
			}
		case policy.RungStatic:
			if step, ok := r.staticStep(m, op, i+1, rung, &fact); ok {
				steps = append(steps, step)
			}
		case policy.RungPatch:
			r.list.Add(diag.Diagnostic{
				Code: diag.PatchDoesNotFit, Span: source.Span{Pos: fact.Pos}, What: "the rung " + quoted(rung.Name) + " of " + op.ID + " patches a request",
				Why: "a Go method has arguments and no JSON request", Fix: "write `func=NAME`, and change the arguments in Go",
			})
		case policy.RungOperation:
			if step, ok := r.otherStep(m, op, i+1, rung, &fact); ok {
				steps = append(steps, step)
			}
		case policy.RungTarget, policy.RungCache: // the runtime asks another implementation, or answers itself
		}
	}
	return steps
}

// signature is the type of a function that stands in for the method.
func (m *Method) signature() FuncOf {
	out := FuncOf{Variadic: m.Variadic}
	for _, p := range m.Params {
		out.Params = append(out.Params, Named{Type: p.Type})
	}
	for _, p := range m.Results {
		out.Results = append(out.Results, Named{Type: p.Type})
	}
	return out
}

// staticStep answers with a value that is wired in Go.
func (r *ifaceResolver) staticStep(m *Method, op *model.Operation, n int, rung *policy.Rung, fact *annot.RungFacts) (StaticStep, bool) {
	step := StaticStep{Rung: n, Name: rung.Name}
	problem := ""
	switch {
	case strings.HasPrefix(fact.Static, examplePrefix):
		problem = "a Go interface has no examples"
	case m.Answer == model.NoValue:
		problem = "the method answers with nothing"
	case m.Answer != model.OneValue:
		problem = "the method answers with more than one finished value"
	}
	if problem == "" && fact.Items != "" {
		r.list.Add(unreadItems(op.ID, rung.Name, fact.ItemsPos, "does not stream", "remove `items`"))
		return step, false
	}
	if problem != "" {
		r.list.Add(diag.Diagnostic{
			Code: diag.AnswerDoesNotFit, Span: source.Span{Pos: fact.StaticPos},
			What: "the static rung " + quoted(rung.Name) + " is no answer of " + op.ID + ": " + problem,
			Why:  "a static rung of a Go method answers with one value that an option gives", Fix: "answer by a func rung: `func=NAME`",
		})
		return step, false
	}
	var ok bool
	step.Wiring, ok = r.wire(fact.Static, op, fact.StaticPos, Wiring{Value: m.Results[m.Values[0]].Type}, true)
	return step, ok
}

// wire returns the wrapper's field of a function or value that an option gives; ok is false where the name has another type already.
func (r *ifaceResolver) wire(name string, op *model.Operation, pos source.Pos, w Wiring, needsField bool) (field string, ok bool) {
	at, have := r.wiredAt[name]
	if !have {
		w.Name, w.Option = name, r.names.wiringOption(name)
		r.wirings = append(r.wirings, w)
		at = len(r.wirings) - 1
		r.wiredAt[name] = at
	}
	known := &r.wirings[at]
	if needsField && known.Field == "" {
		stem := unexported(ident(name, "Rung"))
		known.Field = r.names.member("wiring "+name, stem, stem+"Rung")
	}
	if sameType(known.Func, w.Func) && sameType(known.Value, w.Value) {
		return known.Field, true
	}
	r.list.Add(diag.Diagnostic{
		Code: diag.WiringClash, Span: source.Span{Pos: pos},
		What: quoted(name) + " of " + op.ID + " has another type than the " + quoted(name) + " of a method before",
		Why:  "a function or value that is wired in Go has one option and so one type; a func rung has its method's own signature",
		Fix:  "give the two different names",
	})
	return "", false
}
