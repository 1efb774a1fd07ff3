package overlay

import (
	"fmt"

	"github.com/resgen-go/resgen/generator/internal/diag"
	"github.com/resgen-go/resgen/generator/internal/source"
)

// Overlay is one overlay and what it is applied to.
type Overlay struct {
	// Tree is the overlay, as package source read it.
	Tree *source.Value
	// File is the overlay's path and Document that of the document it is applied to, both with forward slashes and from the same
	// folder or both absolute. They serve `extends` only, which is not checked where one of them is empty.
	File, Document string
}

// Apply applies an overlay to a document and edits it in place. What an action writes carries the positions of the action.
// An action that fails is reported and does nothing; the others are still applied, so that one run reports all it can.
func Apply(doc *source.Value, o Overlay, list *diag.List) {
	actions := decode(o, list)
	if len(actions) == 0 {
		return
	}
	e := newEditor(doc, list)
	for i := range actions {
		e.apply(&actions[i])
	}
}

// apply carries out one action.
func (e *editor) apply(a *action) {
	found, ok := e.find(a.target)
	if !ok {
		return
	}
	if len(found) == 0 {
		if !a.allowEmpty {
			e.noMatch(a)
		}
		return
	}
	switch {
	case a.remove:
		e.remove(a, found)
	case a.copyFrom != nil:
		if value, ok := e.copied(a); ok {
			e.update(a, found, value)
		}
	default:
		e.update(a, found, a.update)
	}
}

// noMatch reports an action that has nothing to act on.
func (e *editor) noMatch(a *action) {
	fix := "correct the target, or add `x-resgen-allow-empty: true` to the action"
	if hint := e.hint(a.target.path); hint != "" {
		fix = hint
	}
	e.list.Add(diag.Diagnostic{
		Code: diag.OverlayNoMatch, Span: a.target.span(),
		What: fmt.Sprintf("the target %q matches nothing in the document", a.target.text),
		Why:  "the action does nothing, so what it was meant to set is not there",
		Fix:  fix,
	})
}

// copied returns what a copy action copies: exactly one value, placed where the action stands.
func (e *editor) copied(a *action) (*source.Value, bool) {
	found, ok := e.find(*a.copyFrom)
	if !ok {
		return nil, false
	}
	if len(found) != 1 {
		e.list.Add(diag.Diagnostic{
			Code: diag.OverlayNoMatch, Span: a.copyFrom.span(),
			What: fmt.Sprintf("copy: %q matches %d values", a.copyFrom.text, len(found)),
			Why:  "a copy action copies a single value (Overlay Specification 1.1)",
			Fix:  "name one value",
		})
		return nil, false
	}
	value := e.doc.At(found[0]...).Clone()
	place(&value, a.copyFrom.pos)
	return &value, true
}

// place gives a tree the position of the action that writes it.
func place(v *source.Value, pos source.Pos) {
	v.Pos = pos
	for i := range v.Map {
		v.Map[i].KeyPos = pos
		place(&v.Map[i].Value, pos)
	}
	for i := range v.List {
		place(&v.List[i], pos)
	}
}
