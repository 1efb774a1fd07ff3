package overlay

import (
	"fmt"

	"github.com/resgen-go/resgen/generator/internal/diag"
	"github.com/resgen-go/resgen/generator/internal/source"
)

// maxWritten is how many values all actions of an overlay may write. The largest document has 150 thousand.
const maxWritten = 500_000

// editor carries actions out on one document.
type editor struct {
	doc  *source.Value
	list *diag.List
	// mirror is the document as the JSONPath library sees it.
	mirror any
	// written counts the values that actions have written: actions that copy what they wrote would double it without end.
	written int
}

func newEditor(doc *source.Value, list *diag.List) *editor {
	return &editor{doc: doc, list: list, mirror: reflection(doc)}
}

// remove takes values out of their map or list.
func (e *editor) remove(a *action, found []location) {
	for _, at := range reversed(found) {
		if len(at) == 0 {
			e.list.Add(diag.Diagnostic{
				Code: diag.InvalidOverlay, Span: a.target.span(), What: "the action removes the whole document",
				Why: "nothing would be left to apply an overlay to", Fix: "name what should go in the target",
			})
			continue
		}
		e.doc.Delete(at...)
		e.refresh(at[:len(at)-1])
	}
}

// update writes a value to every place, or reports why it does not fit and writes nowhere.
func (e *editor) update(a *action, found []location, value *source.Value) {
	if !e.sameSort(a, found) || !e.fits(a, found, value) {
		return
	}
	for _, at := range found {
		if conflict := incompatible(e.doc.At(at...), value, true); conflict != nil {
			e.mixed(a, conflict)
			return
		}
	}
	for _, at := range found {
		write(e.doc.At(at...), value)
		e.refresh(at)
	}
}

// sortOf is what the specification tells apart: objects, lists and primitive values.
func sortOf(v *source.Value) string {
	switch v.Kind {
	case source.Map:
		return "an object"
	case source.List:
		return "a list"
	case source.Null, source.Bool, source.Number, source.String:
		return "a scalar"
	default:
		return "a scalar"
	}
}

// sameSort checks that all targets of an action are objects, or all lists, or all scalars.
func (e *editor) sameSort(a *action, found []location) bool {
	first := e.doc.At(found[0]...)
	for _, at := range found[1:] {
		other := e.doc.At(at...)
		if sortOf(other) == sortOf(first) {
			continue
		}
		e.list.Add(diag.Diagnostic{
			Code: diag.OverlayMixedKinds, Span: a.target.span(),
			What:    fmt.Sprintf("the target %q matches %s and %s", a.target.text, sortOf(first), sortOf(other)),
			Why:     "one value cannot be merged with both (Overlay Specification 1.1)",
			Fix:     "narrow the target, or write an action for each",
			Related: []diag.Related{{Span: source.Span{Pos: first.Pos}, What: sortOf(first)}, {Span: source.Span{Pos: other.Pos}, What: sortOf(other)}},
		})
		return false
	}
	return true
}

// fits checks that actions stay within limits.
func (e *editor) fits(a *action, found []location, value *source.Value) bool {
	nodes, depth := measure(value)
	deepest := 0
	for _, at := range found {
		deepest = max(deepest, len(at))
	}
	var what string
	switch {
	case nodes > (maxWritten-e.written)/len(found):
		what = fmt.Sprintf("the overlay writes more than %d values", maxWritten)
	case deepest+depth+1 > source.MaxDepth:
		what = fmt.Sprintf("the action makes values nest deeper than %d", source.MaxDepth)
	default:
		e.written += nodes * len(found)
		return true
	}
	e.list.Add(diag.Diagnostic{
		Code: diag.LimitExceeded, Span: a.target.span(), What: what,
		Why: "limits keep a hostile document from exhausting memory", Fix: "narrow the target, or write less",
	})
	return false
}

// measure counts the values of a tree, and how deep it nests.
func measure(v *source.Value) (nodes, depth int) {
	nodes = 1
	add := func(child *source.Value) {
		n, d := measure(child)
		nodes += n
		depth = max(depth, d)
	}
	for i := range v.Map {
		add(&v.Map[i].Value)
	}
	for i := range v.List {
		add(&v.List[i])
	}
	return nodes, depth + 1
}

// conflict is a value that meets one of another sort.
type conflict struct{ old, fresh *source.Value }

// incompatible returns the first place where a value cannot be written: objects merge with objects, lists with lists, and scalars
// replace scalars. To the list that is the target itself, anything can be appended.
func incompatible(old, fresh *source.Value, isTarget bool) *conflict {
	if old.Kind == source.List && isTarget {
		return nil
	}
	if sortOf(old) != sortOf(fresh) {
		return &conflict{old, fresh}
	}
	if fresh.Kind != source.Map {
		return nil
	}
	for i := range fresh.Map {
		f := &fresh.Map[i]
		if present := old.Get(f.Key); present != nil {
			if c := incompatible(present, &f.Value, false); c != nil {
				return c
			}
		}
	}
	return nil
}

func (e *editor) mixed(a *action, c *conflict) {
	e.list.Add(diag.Diagnostic{
		Code: diag.OverlayMixedKinds, Span: source.Span{Pos: c.fresh.Pos},
		What:    fmt.Sprintf("the action for %q writes %s where the document has %s", a.target.text, sortOf(c.fresh), sortOf(c.old)),
		Why:     "objects merge with objects, lists with lists, and scalars replace scalars (Overlay Specification 1.1)",
		Fix:     "correct the target, or remove the old value in an action before",
		Related: []diag.Related{{Span: source.Span{Pos: c.old.Pos}, What: sortOf(c.old) + " is here"}},
	})
}

// write merges a value that is compatible into another one. What is written is a copy, with the positions that it has.
func write(old, fresh *source.Value) {
	switch old.Kind {
	case source.Map:
		for i := range fresh.Map {
			f := &fresh.Map[i]
			present := old.Get(f.Key)
			if present == nil || sortOf(present) == "a scalar" {
				old.Set(source.Field{Key: f.Key, KeyPos: f.KeyPos, Value: f.Value.Clone()})
				continue
			}
			write(present, &f.Value)
		}
	case source.List:
		if fresh.Kind != source.List {
			old.List = append(old.List, fresh.Clone())
			return
		}
		for i := range fresh.List {
			old.List = append(old.List, fresh.List[i].Clone())
		}
	case source.Null, source.Bool, source.Number, source.String:
		*old = fresh.Clone()
	}
}
