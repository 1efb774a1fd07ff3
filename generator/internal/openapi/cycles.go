package openapi

import (
	"fmt"
	"strings"

	"github.com/resgen-go/resgen/generator/internal/diag"
	"github.com/resgen-go/resgen/generator/internal/source"
)

// checkCycles reports the schemas under components that take themselves in: by allOf, which no value of finite size satisfies,
// and alternatives that are the union itself by another name. It is an error where an operation reaches them.
func (b *bundler) checkCycles() {
	walk := &cycleWalk{bundler: b, state: map[string]walkState{}}
	all := b.refs.components(b.files.main, string(schemas))
	for i := range fieldsOf(all.node) {
		f := &all.node.Map[i]
		s := all.step(f.Key, &f.Value)
		walk.visit(s, f.KeyPos)
		b.checkSelfVariant(s)
	}
	for _, c := range b.bundle.schemas {
		walk.visit(c.spot, c.node.Pos)
	}
}

// walkState says how far the search for cycles has come with a schema.
type walkState uint8

const (
	unseen walkState = iota
	open
	closed
)

// cycleWalk is a depth-first search along allOf and $ref.
type cycleWalk struct {
	*bundler

	state map[string]walkState
	path  []spot
}

func (w *cycleWalk) visit(s spot, at source.Pos) {
	id := s.id()
	switch w.state[id] {
	case closed:
		return
	case open:
		w.reportCycle(s, at)
		return
	case unseen:
	}
	w.state[id] = open
	w.path = append(w.path, s)
	for _, base := range w.bases(nil, s) {
		w.visit(base.spot, base.at)
	}
	w.path = w.path[:len(w.path)-1]
	w.state[id] = closed
}

// base is a schema that another takes in, and where it says so.
type base struct {
	spot

	at source.Pos
}

// bases returns what the allOf of a schema refers to, however deep allOf nests. A schema that is itself a $ref takes in what that
// leads to; loops of nothing but $ref are the resolver's to report.
func (w *cycleWalk) bases(into []base, s spot) []base {
	if ref := refOf(s.node); ref != nil {
		if target, err := w.refs.lookup(s, ref.Text); err == nil {
			into = append(into, base{target, ref.Pos})
		}
		return into
	}
	all := s.get("allOf")
	if all.node == nil || all.node.Kind != source.List {
		return into
	}
	for i := range all.node.List {
		into = w.bases(into, all.item(i))
	}
	return into
}

// reportCycle reports the cycle that the search has just closed. One of nothing but $ref is the resolver's to report.
func (w *cycleWalk) reportCycle(s spot, at source.Pos) {
	from := len(w.path) - 1
	for from > 0 && w.path[from].id() != s.id() {
		from--
	}
	isReached, isOnlyRefs := false, true
	var chain []string
	for _, member := range w.path[from:] {
		isReached = isReached || w.known[componentKey{schemas, member.id()}] != nil
		isOnlyRefs = isOnlyRefs && refOf(member.node) != nil
		chain = append(chain, member.id())
	}
	if isOnlyRefs {
		return
	}
	d := diag.Diagnostic{
		Code: diag.SchemaCycle, Span: source.Span{Pos: at},
		What: fmt.Sprintf("the schema %q contains itself through allOf, a cycle: %s", s.id(), strings.Join(append(chain, s.id()), " → ")),
		Why:  "a value would have to contain a whole value of its own type, without end",
		Fix:  "remove the reference here from allOf; a field that holds another value of the type is a property",
	}
	if !isReached {
		d.Severity = diag.Warning
	}
	w.report(d)
}

// checkSelfVariant reports an alternative of a union that is the union itself by another name.
func (b *bundler) checkSelfVariant(union spot) {
	for _, key := range []string{"oneOf", "anyOf"} {
		all := union.get(key)
		if all.node == nil || all.node.Kind != source.List {
			continue
		}
		for i := range all.node.List {
			ref := refOf(all.item(i).node)
			if ref == nil || !b.isSelf(all.item(i), union) {
				continue
			}
			what := fmt.Sprintf("%q is %q by another name and an alternative of it, a cycle, so it is left out", ref.Text, union.id())
			if ref.Text == union.id() {
				what = fmt.Sprintf("%q is an alternative of itself, a cycle, which is left out", union.id())
			}
			b.report(diag.Diagnostic{
				Code: diag.RefLoop, Severity: diag.Warning, Span: source.Span{Pos: ref.Pos}, What: what,
				Why: "an alternative that is the whole union adds no value",
				Fix: "remove it from " + key + ", or say what tells it from the union",
			})
		}
	}
}

// isSelf follows references, and allOf of a single reference, and reports whether they lead to a schema.
func (b *bundler) isSelf(s, self spot) bool {
	for range maxHops {
		if s.id() == self.id() {
			return true
		}
		if all := s.get("allOf"); len(fieldsOf(s.node)) == 1 && all.node != nil && len(all.node.List) == 1 {
			s = all.item(0)
		}
		ref := refOf(s.node)
		if ref == nil {
			return false
		}
		target, err := b.refs.lookup(s, ref.Text)
		if err != nil {
			return false
		}
		s = target
	}
	return false
}
