package plan

import "github.com/resgen-go/resgen/generator/internal/model"

// findRings finds the structs that would hold themselves by value, over any number of others, which Go cannot lay out. Lists,
// maps, optional and nullable objects (pointers) and unions (raw JSON) end a ring by themselves: what remains are required
// objects. Each strongly connected component of more than one struct, or of one that holds itself, is a ring (Tarjan,
// "Depth-First Search and Linear Graph Algorithms", 1972).
func (t *typer) findRings() {
	s := &ringSearch{typer: t, seen: map[*declared]*visit{}}
	for _, d := range t.all {
		if s.seen[d] == nil {
			s.from(d)
		}
	}
}

// maxSize is how many fields a struct has that others hold by value, with those of all structs that it holds itself. Where each
// of a chain of schemas requires the next one twice, sizes double with each step: Go has no types of such sizes, and go/types
// visits each struct once for every way that leads to it. Real documents stay below a tenth of it.
const maxSize = 10_000

// isPointedTo reports whether owner holds a struct by a pointer, though an object that is required is held by value:
// the struct is of owner's own ring, or too large.
func (t *typer) isPointedTo(owner *declared, typ model.Type) bool {
	d := t.follow(typ).decl
	return owner != nil && d != nil && (owner.ring != 0 && owner.ring == d.ring || d.size > maxSize)
}

type visit struct {
	index, low int
	onStack    bool
	heldByOwn  bool
}

type ringSearch struct {
	typer *typer
	seen  map[*declared]*visit
	stack []*declared
	rings int
}

func (s *ringSearch) from(d *declared) *visit {
	v := &visit{index: len(s.seen) + 1, onStack: true}
	v.low = v.index
	s.seen[d] = v
	s.stack = append(s.stack, d)
	for _, held := range s.typer.held(d) {
		v.heldByOwn = v.heldByOwn || held == d
		switch w := s.seen[held]; {
		case w == nil:
			v.low = min(v.low, s.from(held).low)
		case w.onStack:
			v.low = min(v.low, w.index)
		}
	}
	if v.low == v.index {
		s.pop(d, v)
	}
	return v
}

// pop takes the component of d off the stack.
func (s *ringSearch) pop(d *declared, v *visit) {
	alone := s.stack[len(s.stack)-1] == d && !v.heldByOwn
	if !alone {
		s.rings++
	}
	for {
		member := s.stack[len(s.stack)-1]
		s.stack = s.stack[:len(s.stack)-1]
		s.seen[member].onStack = false
		if !alone {
			member.ring = s.rings
		}
		s.measure(member)
		if member == d {
			return
		}
	}
}

// measure counts the fields of a struct. What it holds by value was measured before, or is of its own ring and held by a pointer.
func (s *ringSearch) measure(d *declared) {
	if o, isObject := d.Type.(model.Object); isObject {
		d.size = len(o.Fields)
	}
	for _, held := range s.typer.held(d) {
		if held.size <= maxSize {
			d.size += held.size
		}
	}
}

// held are the structs that a struct holds by value.
func (t *typer) held(d *declared) []*declared {
	o, isObject := d.Type.(model.Object)
	if !isObject {
		return nil
	}
	var out []*declared
	for i := range o.Fields {
		f := &o.Fields[i]
		if t.formOf(f.Elem.Type) != objectForm || !f.Required || t.nullable(f.Elem) {
			continue
		}
		if target := t.follow(f.Elem.Type).decl; target != nil {
			out = append(out, target)
		}
	}
	return out
}
