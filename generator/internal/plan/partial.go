package plan

import (
	"slices"

	"github.com/resgen-go/resgen/generator/internal/diag"
	"github.com/resgen-go/resgen/generator/internal/model"
	"github.com/resgen-go/resgen/generator/internal/source"
	"github.com/resgen-go/resgen/runtime/policy"
)

// partials settles how answers to batches tell of their items: as an annotation says, else as the preset knows, where the operation has what
// that points at.
func (r *resolver) partials() {
	for _, a := range r.asks {
		e := &r.policies.Plans[a.index].Errors
		if e.Partial.On {
			r.blindPartial(a, &e.Partial)
			continue
		}
		if p, ok := policy.PresetPartial(e.Preset); ok && r.fitsPartial(a, &p) {
			e.Partial = p
			r.addPartial(a, "preset "+e.Preset, &p)
		}
	}
}

// addPartial says where the pointers of a preset come from.
func (r *resolver) addPartial(a *ask, layer string, p *policy.Partial) {
	for _, place := range places(p) {
		r.policies.Why[a.index] = append(r.policies.Why[a.index], Provenance{Path: "errors.partial." + place.key, Value: place.pointer, Layer: layer})
	}
}

// place is a pointer of `errors.partial`, with what it must lead to.
type place struct {
	key, pointer string
	request      bool   // into the request
	within       string // the pointer of the list in whose items it is; only where inItem
	inItem       bool
	ends         func(model.Type) bool
}

// places are those that are set.
func places(p *policy.Partial) []place {
	all := []place{
		{key: "sent", pointer: p.Sent, request: true, ends: isList},
		{key: "items", pointer: p.Items, ends: isList},
		{key: "error", pointer: p.Error, within: p.Items, inItem: true, ends: isAnything},
		{key: "index", pointer: p.Index, within: p.Items, inItem: true, ends: isWhole},
		{key: "count", pointer: p.Count, ends: isWhole},
	}
	return slices.DeleteFunc(all, func(at place) bool { return at.pointer == "" })
}

func isAnything(model.Type) bool { return true }

func isList(typ model.Type) bool {
	_, ok := typ.(model.Array)
	return ok
}

func isWhole(typ model.Type) bool {
	p, ok := typ.(model.Primitive)
	return ok && isNumber(p.Kind)
}

// fitsPartial reports whether an operation has everything that a preset points at, by what the document says.
func (r *resolver) fitsPartial(a *ask, p *policy.Partial) bool {
	if a.body == nil || a.body.codec != JSONCodec || !p.On {
		return false
	}
	if p.Count == "" && !r.answersWith(a, p.Items, "", false, isList) {
		return false
	}
	return !slices.ContainsFunc(places(p), func(at place) bool { return !r.leadsPartial(a, &at, false) })
}

// leadsPartial reports whether a pointer leads to what it must.
func (r *resolver) leadsPartial(a *ask, at *place, open bool) bool {
	if at.request {
		return a.body != nil && a.body.codec == JSONCodec && r.leadsTo(a.body.elem.Type, at.pointer, open, at.ends)
	}
	if at.inItem {
		return r.answersWith(a, at.within, at.pointer, open, at.ends)
	}
	return r.answersWith(a, at.pointer, "", open, at.ends)
}

// answersWith reports whether an answer of the operation has something at a pointer, or, with inner, in the items of the list there.
func (r *resolver) answersWith(a *ask, pointer, inner string, open bool, ends func(model.Type) bool) bool {
	if inner != "" {
		pointer += "/*" + inner
	}
	return slices.ContainsFunc(r.methods, func(m *method) bool {
		return m.ask == a && !m.answer.streams() && slices.ContainsFunc(m.answer.bodies, func(b choice) bool {
			return b.codec == JSONCodec && r.leadsTo(b.elem.Type, pointer, open, ends)
		})
	})
}

// leadsTo reports whether a pointer leads from a type to what is wanted.
func (r *resolver) leadsTo(typ model.Type, pointer string, open bool, ends func(model.Type) bool) bool {
	steps, err := source.ParsePointer(pointer)
	return err == nil && (&starSearch{typer: r.types, open: open, ends: ends}).at(typ, steps, 0)
}

// blindPartial refuses pointers that lead to nothing of use.
func (r *resolver) blindPartial(a *ask, p *policy.Partial) {
	if p.Items == "" && p.Count == "" && !r.answersWith(a, "", "", true, isList) {
		r.refusePartial(a, "errors.partial", "the answer is no list, and `items` says of none in it")
		return
	}
	for _, at := range places(p) {
		if r.leadsPartial(a, &at, true) {
			continue
		}
		where := "the answer"
		switch {
		case at.request:
			where = "the request"
		case at.inItem:
			where = "the items of the answer"
		}
		r.refusePartial(a, "errors.partial."+at.key, quoted(at.pointer)+" leads to nothing of the kind in "+where)
	}
}

func (r *resolver) refusePartial(a *ask, path, problem string) {
	r.list.Add(diag.Diagnostic{
		Code: diag.PartialDoesNotFit, Span: r.spanOf(a, path), What: quote(path) + " of " + nameOf(a.op) + " does not fit: " + problem,
		Why:     "items that failed would not be found, and a batch that failed in part would pass for one that did not",
		Fix:     "point at the lists of items as the document describes them, and within an item at what is there of a failure alone",
		Related: []diag.Related{{Span: source.Span{Pos: a.op.Pos}, What: "the operation is here"}},
	})
}
