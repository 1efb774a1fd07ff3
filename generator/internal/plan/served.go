package plan

import (
	"slices"

	"github.com/resgen-go/resgen/generator/internal/diag"
	"github.com/resgen-go/resgen/runtime/policy"
)

// modelPointer is where requests to language models say which one is asked.
const modelPointer = "/model"

// findServed settles where answers say who gave them. Where nobody wrote it, the preset of the errors knows it, and it is looked for where that
// costs nothing new, since tokens are counted, or where it matters, since a target may send the request elsewhere.
func (r *resolver) findServed() {
	for _, a := range r.asks {
		p := &r.policies.Plans[a.index]
		s, written := &p.Served, p.Served.IsOn()
		if known := policy.ServedOf(p.Errors.Preset); !written && known.Pointer != "" && countsOrLayered(p) && r.inAnswers(a, known.Pointer, anything) == "" {
			s.Pointer = known.Pointer
			r.because(a, "served.pointer", s.Pointer)
		}
		if written {
			r.blindServed(a, s)
		}
		if s.IsOn() && s.Asked == "" && r.inRequest(a, modelPointer, anything) == "" {
			s.Asked = modelPointer
			r.because(a, "served.asked", s.Asked)
		}
	}
}

// countsOrLayered reports whether an operation counts tokens, or calls a target that is layered.
func countsOrLayered(p *policy.Plan) bool {
	return len(usages(&p.Tokens)) > 0 || slices.ContainsFunc(p.Targets, func(t policy.Target) bool { return t.Layered })
}

// because says that a value was found in the usual place.
func (r *resolver) because(a *ask, path, value string) {
	r.policies.Why[a.index] = append(r.policies.Why[a.index], Provenance{Path: path, Value: value, Layer: layerUsual})
}

// blindServed refuses pointers that lead nowhere.
func (r *resolver) blindServed(a *ask, s *policy.Served) {
	if s.Pointer != "" {
		if problem := r.inAnswers(a, s.Pointer, anything); problem != "" {
			at := r.spanOf(a, "served.pointer")
			r.list.Add(diag.Diagnostic{
				Code: diag.PointerDoesNotFit, Span: at, Why: "who gave an answer would never be known",
				What: quote("served.pointer") + " of " + nameOf(a.op) + " does not fit the answer: " + quoted(s.Pointer) + " " + problem,
				Fix:  "name a field of the answer as the document describes it, or, if a header says it, write `served: {header: NAME}`",
			})
		}
	}
	if s.Asked != "" {
		r.blind(a, "served.asked", r.spanOf(a, "served.asked"), s.Asked, r.inRequest(a, s.Asked, anything))
	}
}
