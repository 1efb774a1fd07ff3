package plan

import (
	"fmt"
	"slices"
	"strings"

	"github.com/resgen-go/resgen/generator/internal/annot"
	"github.com/resgen-go/resgen/generator/internal/diag"
	"github.com/resgen-go/resgen/generator/internal/model"
	"github.com/resgen-go/resgen/generator/internal/source"
	"github.com/resgen-go/resgen/runtime/policy"
)

// steps are what the generated closure does on the rungs of a method's ladder. Target and cache rungs need none. A rung that does not fit
// its operation is reported, and has no step.
func (r *resolver) steps(m *method, op *Operation) []Step {
	facts := r.facts(m.ask.index).Rungs
	var out []Step
	vars := newScope(hides)
	for i := range op.Policy.Fallback.Rungs {
		rung := &op.Policy.Fallback.Rungs[i]
		fact := annot.RungFacts{Pos: m.ask.op.Pos, FuncPos: m.ask.op.Pos}
		if at := r.rungIndex(m.ask.index, rung.Name); at >= 0 && at < len(facts) {
			fact = facts[at]
		}
		switch rung.Sort {
		case policy.RungPatch:
			if step, ok := r.patchStep(m, i+1, rung, &fact, vars); ok {
				out = append(out, step)
			}
		case policy.RungStatic:
			if step, ok := r.fixedStep(m, i+1, rung, &fact); ok {
				out = append(out, step)
			}
		case policy.RungFunc:
			if step, ok := r.funcStep(m, i+1, rung, &fact); ok {
				out = append(out, step)
			}
		case policy.RungOperation:
			if step, ok := r.otherStep(m, i+1, rung, &fact); ok {
				out = append(out, step)
			}
		case policy.RungTarget, policy.RungCache: // the runtime sends the request as it is, or answers itself
		}
	}
	return out
}

// rungIndex is where a rung stands in the operation's own ladder, beside which the facts are: a twin may have fewer.
func (r *resolver) rungIndex(op int, name string) int {
	return slices.IndexFunc(r.policies.Plans[op].Fallback.Rungs, func(rung policy.Rung) bool { return rung.Name == name })
}

// patchStep turns a patch into assignments. The fault of a patch is reported once, for the first method that has it.
func (r *resolver) patchStep(m *method, n int, rung *policy.Rung, fact *annot.RungFacts, vars *scope) (PatchStep, bool) {
	stem := unexported(ident(rung.Name, "Rung"))
	step := PatchStep{Rung: n, Name: rung.Name}
	step.Var = vars.allot([]wish{{id: rung.Name, text: rung.Name, names: []string{stem, stem + "Request"}}}, nil)[0]
	fits := true
	for i := range fact.Patch {
		op := &fact.Patch[i]
		a, bad := r.assignment(m.ask, op)
		if bad != nil {
			r.reportPatch(m, rung, op, bad)
		}
		if bad != nil && !bad.soft {
			fits = false
			continue
		}
		step.Assign = append(step.Assign, a)
	}
	return step, fits
}

func (r *resolver) reportPatch(m *method, rung *policy.Rung, op *annot.PatchOp, bad *misfit) {
	if m.twin || m.media != nil {
		return
	}
	d := diag.Diagnostic{
		Code: diag.PatchDoesNotFit, Span: source.Span{Pos: bad.pos},
		What: fmt.Sprintf("the patch of rung %q of %s does not fit the request: %s %s", rung.Name, nameOf(m.ask.op), quote(op.Path), bad.what),
		Why:  "a patched request must be one that the operation takes",
		Fix:  "name a field of the request body and give a value of its type, or answer by a func rung",
	}
	if bad.soft {
		d.Code, d.Severity = diag.UnknownEnumValue, diag.Warning
		d.Fix = "write a value that the document lists, if it was not meant"
	}
	r.list.Add(d)
}

// assignment is one operation of a patch as an assignment. With a soft misfit the assignment is good.
func (r *resolver) assignment(a *ask, op *annot.PatchOp) (Assignment, *misfit) {
	at, bad := r.locate(a, op.Path, op.Pos)
	if bad != nil {
		return Assignment{}, bad
	}
	if op.Op == "remove" {
		if at.required {
			return Assignment{}, &misfit{pos: op.Pos, what: "is required and cannot be removed"}
		}
		return at.assign(nil), nil
	}
	value := op.Value
	if value == nil { // annotations read null as nothing; that something is written was checked
		value = &source.Value{Kind: source.Null, Pos: op.Pos}
	}
	return at.assign(value), r.types.fits(at.elem, value)
}

// fixedStep answers with what is fixed: a value, or the items of a stream.
func (r *resolver) fixedStep(m *method, n int, rung *policy.Rung, fact *annot.RungFacts) (StaticStep, bool) {
	if m.answer.streams() {
		return r.itemsStep(m, n, rung, fact)
	}
	return r.staticStep(m, n, rung, fact)
}

// staticStep answers with an example of the document, or with a value that is wired in Go.
func (r *resolver) staticStep(m *method, n int, rung *policy.Rung, fact *annot.RungFacts) (StaticStep, bool) {
	step := StaticStep{Rung: n, Name: rung.Name}
	if fact.Items != "" && !r.streams(m.ask) {
		r.reportUnread(m, rung, fact.ItemsPos, "does not stream", "remove `items`")
		return step, false
	}
	result, elem, problem := r.fixedResult(m)
	if problem != "" {
		r.reportStatic(m, rung, fact.StaticPos, problem)
		return step, false
	}
	if rung.Func != "" {
		field, ok := r.wired(m, rung.Func, fact.StaticPos, Wiring{Value: result}, true)
		step.Wiring = field
		return step, ok
	}
	e := r.example(fact.Static)
	if e == nil {
		r.reportExample(m, fact)
		return step, false
	}
	if bad := hard(r.types.fits(elem, &e.Value)); bad != nil {
		r.reportStatic(m, rung, fact.StaticPos, "the example "+quote(e.Name)+" "+bad.what, diag.Related{
			Span: source.Span{Pos: bad.pos}, What: "the value is here",
		})
		return step, false
	}
	step.Example = r.exampleConst(e, result)
	return step, true
}

// streams reports whether an operation has a method that streams.
func (r *resolver) streams(a *ask) bool {
	return slices.ContainsFunc(r.methods, func(m *method) bool { return m.ask == a && m.answer.streams() })
}

// fixedResult is the type that a fixed answer of a method has.
func (r *resolver) fixedResult(m *method) (result GoType, elem model.Elem, problem string) {
	a := &m.answer
	switch {
	case a.download:
		return nil, elem, "it answers with a file"
	case a.isSeveral():
		return nil, elem, "it answers with one of several types"
	case len(a.bodies) == 0 || a.bodies[0].codec == NoCodec:
		return nil, elem, "it answers with nothing"
	case a.bodies[0].codec == TextCodec:
		return stringType, model.Elem{Type: model.Primitive{Kind: model.String}}, ""
	default:
		return r.result(a.bodies[0]), a.bodies[0].elem, ""
	}
}

func (r *resolver) reportStatic(m *method, rung *policy.Rung, pos source.Pos, problem string, related ...diag.Related) {
	r.list.Add(diag.Diagnostic{
		Code: diag.AnswerDoesNotFit, Span: source.Span{Pos: pos}, Related: related,
		What: fmt.Sprintf("the static rung %q is no answer of %s: %s", rung.Name, nameOf(m.ask.op), problem),
		Why:  "it is what callers get when everything else is down, so it must be an answer that they can use",
		Fix:  "complete the example, or answer by a func rung",
	})
}

// examplePrefix is how annotations refer to a component example.
const examplePrefix = "#/components/examples/"

func (r *resolver) example(ref string) *model.Example {
	name, isRef := strings.CutPrefix(ref, examplePrefix)
	if !isRef {
		return nil
	}
	name = strings.ReplaceAll(strings.ReplaceAll(name, "~1", "/"), "~0", "~")
	for i := range r.api.Examples {
		if r.api.Examples[i].Name == name {
			return &r.api.Examples[i]
		}
	}
	return nil
}

func (r *resolver) reportExample(m *method, fact *annot.RungFacts) {
	known := make([]string, len(r.api.Examples))
	for i := range r.api.Examples {
		known[i] = examplePrefix + r.api.Examples[i].Name
	}
	fix := "write the example under components/examples, or name a value that is wired in Go"
	if near := diag.Nearest(fact.Static, known); near != "" {
		fix = "write '" + near + "'"
	}
	r.list.Add(diag.Diagnostic{
		Code: diag.UnknownName, Span: source.Span{Pos: fact.StaticPos}, Fix: fix,
		What: "the answer " + quote(fact.Static) + " of " + nameOf(m.ask.op) + " is no example of the document that has a value",
		Why:  "a static rung answers with the value of a component example (`value`, `dataValue`), or with one that is wired in Go",
	})
}

// exampleConst is the constant that holds an example.
func (r *resolver) exampleConst(e *model.Example, result GoType) string {
	if name := r.exampleNames[e.Name]; name != "" {
		return name
	}
	stem := unexported(ident(e.Name, "Fixed")) + "Example"
	name := r.allot(r.pkg, []wish{{id: examplePrefix + e.Name, pos: e.Value.Pos, text: e.Name, names: []string{stem}}})[0]
	r.exampleNames[e.Name] = name
	r.examples = append(r.examples, Example{Const: name, JSON: CompactJSON(&e.Value), Type: result})
	return name
}

// funcStep answers by a function with the method's own signature.
func (r *resolver) funcStep(m *method, n int, rung *policy.Rung, fact *annot.RungFacts) (FuncStep, bool) {
	name := rung.Func
	if m.twin {
		name += "Stream"
	}
	field, ok := r.wired(m, name, fact.FuncPos, Wiring{Request: m.ask.param, Result: r.signatureResult(m)}, true)
	return FuncStep{Rung: n, Name: rung.Name, Wiring: field}, ok
}

// signatureResult is what a method returns beside its error, without the Result of a ladder; nil for nothing.
func (r *resolver) signatureResult(m *method) GoType {
	a := &m.answer
	switch {
	case a.streams():
		item := r.stream(m).Item
		return Pointer{Elem: Qual{Path: runtimePath, Name: "Stream", Args: []GoType{item}}}
	case a.download:
		return Pointer{Elem: Qual{Path: wirePath, Name: "Download"}}
	case a.isSeveral():
		return Local{Name: m.several}
	case len(a.bodies) == 1:
		return r.result(a.bodies[0])
	default:
		return nil
	}
}

// wired returns the Client's field of a wiring, which it has where it needs one, and reports a name that has another signature already.
func (r *resolver) wired(m *method, name string, pos source.Pos, w Wiring, needsField bool) (field string, ok bool) {
	field, ok = r.wiring(name, w, needsField)
	if !ok && !r.clashes[pos] { // once for a method and the one that streams beside it
		r.clashes[pos] = true
		r.list.Add(diag.Diagnostic{
			Code: diag.WiringClash, Span: source.Span{Pos: pos},
			What: quote(name) + " of " + nameOf(m.ask.op) + " has another signature than the " + quote(name) + " before it",
			Why:  "a function or value that is wired in Go has one option and so one type; a func rung has its method's own signature",
			Fix:  "give the two different names",
		})
	}
	return field, ok
}
