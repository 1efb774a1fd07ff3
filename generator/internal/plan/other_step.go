package plan

import (
	"github.com/resgen-go/resgen/generator/internal/annot"
	"github.com/resgen-go/resgen/generator/internal/diag"
	"github.com/resgen-go/resgen/generator/internal/model"
	"github.com/resgen-go/resgen/generator/internal/source"
	"github.com/resgen-go/resgen/runtime/policy"
)

// otherStep answers by another method of the client. One that is not there was reported before.
func (r *resolver) otherStep(m *method, n int, rung *policy.Rung, fact *annot.RungFacts) (OtherStep, bool) {
	other := r.otherMethod(m, rung.Operation)
	if other == nil {
		return OtherStep{}, false
	}
	result := r.signatureResult(other)
	step := OtherStep{Rung: n, Name: rung.Name, Method: other.goName, Tagged: len(r.plan(other).Fallback.Rungs) > 0, Empty: result == nil}
	if rung.Func == "" {
		var differs string
		switch {
		case !sameType(m.ask.param, other.ask.param):
			differs = "takes"
		case !sameType(r.signatureResult(m), result):
			differs = "answers with"
		default:
			return step, true
		}
		r.list.Add(doesNotFit(m.ask.op, other.ask.op, rung, fact, differs))
		return step, false
	}
	name := rung.Func
	if m.twin {
		name += "Stream"
	}
	if step.Tagged {
		if result == nil {
			result = StructOf{}
		}
		result = Qual{Path: runtimePath, Name: "Result", Args: []GoType{result}}
	}
	with := methodType(m.ask.param, r.signatureResult(m))
	with.Params = append(with.Params, Named{Type: methodType(other.ask.param, result)})
	var ok bool
	step.Wiring, ok = r.wired(m, name, fact.FuncPos, Wiring{Func: with, Asks: other.goName}, true)
	return step, ok
}

// otherMethod is the method of another operation that a rung of m asks: where m streams, the one that streams, if there is one.
func (r *resolver) otherMethod(m *method, name string) *method {
	var found *method
	for _, other := range r.methods {
		if other.media != nil || !isCalled(other.ask.op, name) {
			continue
		}
		if found == nil || other.answer.streams() == m.answer.streams() && found.answer.streams() != m.answer.streams() {
			found = other
		}
	}
	return found
}

// methodType is the type of a method; a nil request is no parameter after ctx, a nil result none but the error.
func methodType(request, result GoType) FuncOf {
	f := FuncOf{Params: []Named{{Type: Qual{Path: "context", Name: "Context"}}}}
	if request != nil {
		f.Params = append(f.Params, Named{Type: request})
	}
	if result != nil {
		f.Results = append(f.Results, Named{Type: result})
	}
	f.Results = append(f.Results, Named{Type: Basic{Name: "error"}})
	return f
}

// doesNotFit is the report of a rung that asks an operation of other types and has no function between them.
func doesNotFit(op, other *model.Operation, rung *policy.Rung, fact *annot.RungFacts, differs string) diag.Diagnostic {
	return diag.Diagnostic{
		Code: diag.RungDoesNotFit, Span: source.Span{Pos: fact.Pos},
		What: "the rung " + quoted(rung.Name) + " of " + nameOf(op) + " asks " + nameOf(other) + ", which " + differs + " another type, and has no func",
		Why:  "somebody must say what the other operation is asked, and what of its answer is given",
		Fix:  "add `func: " + unexported(ident(rung.Name, "Rung")) + "` to the rung, and give the function by the option of that name",
		Related: []diag.Related{
			{Span: source.Span{Pos: op.Pos}, What: "the operation is here"}, {Span: source.Span{Pos: other.Pos}, What: "the other one is here"},
		},
	}
}

// otherStep answers by another method of the wrapper.
func (r *ifaceResolver) otherStep(m *Method, op *model.Operation, n int, rung *policy.Rung, fact *annot.RungFacts) (OtherStep, bool) {
	var other *Method
	for i := range r.out.Methods {
		if at := r.out.Methods[i].Operation; at >= 0 && isCalled(&r.wrapped.Operations[at], rung.Operation) {
			other = &r.out.Methods[i]
		}
	}
	if other == nil {
		return OtherStep{}, false
	}
	step := OtherStep{Rung: n, Name: rung.Name, Method: other.Name}
	with := m.signature()
	if rung.Func == "" {
		if differs := differsFrom(with, other.signature()); differs != "" {
			r.list.Add(doesNotFit(op, &r.wrapped.Operations[other.Operation], rung, fact, differs))
			return step, false
		}
		return step, true
	}
	with.Params, with.Variadic = append(with.Params, Named{Type: other.signature()}), false
	var ok bool
	step.Wiring, ok = r.wire(rung.Func, op, fact.FuncPos, Wiring{Func: with, Asks: other.Name}, true)
	return step, ok
}

// differsFrom says in what two methods differ: in what they take, or in what they answer with; empty for nothing.
func differsFrom(a, b FuncOf) string {
	switch {
	case a.Variadic != b.Variadic || !sameTypes(a.Params, b.Params):
		return "takes"
	case !sameTypes(a.Results, b.Results):
		return "answers with"
	default:
		return ""
	}
}

func sameTypes(a, b []Named) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if !sameType(a[i].Type, b[i].Type) {
			return false
		}
	}
	return true
}
