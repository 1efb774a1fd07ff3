package compare

import (
	"slices"
	"strings"

	"github.com/resgen-go/resgen/generator/internal/annot"
	"github.com/resgen-go/resgen/generator/internal/plan"
	"github.com/resgen-go/resgen/generator/internal/source"
	"github.com/resgen-go/resgen/runtime/policy"
)

// Policies compares the facts and policies of an operation with what they were.
func Policies(from, to *plan.Operation) []Change {
	w := &walk{from: from, to: to, operation: to.Model.ID}
	for _, key := range keys(&from.Effective, &to.Effective) {
		a, b := from.Effective.Get(key), to.Effective.Get(key)
		switch key {
		case "fallback":
			w.ladders(a, b)
		case "targets":
			w.targets(a, b)
		case "ids":
			w.ids(a, b)
		case "timeout":
			w.timeouts(a, b)
		default:
			w.node(place{key: key, from: key, to: key}, a, b)
		}
	}
	return order(w.out)
}

// walk goes through what two operations come to.
type walk struct {
	from, to  *plan.Operation
	operation string
	out       []Change
}

// place is where the walk is: the key of the direction, and the path in the provenance of either side. shown is how the change calls it, where that
// is not the new side's path.
type place struct {
	key, from, to, shown string
}

// below is the place of a key that stands there.
func (p place) below(key string) place {
	p.key += "." + key
	p.from += "." + key
	p.to += "." + key
	if p.shown != "" {
		p.shown += "." + key
	}
	return p
}

// keys are those of two objects: the old one's in its order, then what only the new one has.
func keys(a, b *source.Value) []string {
	var out []string
	if a != nil {
		for i := range a.Map {
			out = append(out, a.Map[i].Key)
		}
	}
	if b != nil {
		for i := range b.Map {
			if a.Get(b.Map[i].Key) == nil {
				out = append(out, b.Map[i].Key)
			}
		}
	}
	return out
}

// node compares what stands below a key. A whole policy that came or went is one change.
func (w *walk) node(at place, a, b *source.Value) {
	d, directed := direction(at.key)
	if !isObject(a) && !isObject(b) || d.Whole || directed && (a == nil || b == nil) {
		w.leaf(d, at, a, b)
		return
	}
	for _, key := range keys(a, b) {
		w.node(at.below(key), a.Get(key), b.Get(key))
	}
}

func isObject(v *source.Value) bool { return v != nil && v.Kind == source.Map }

// direction is that of a key in the words of the registry.
func direction(key string) (annot.Direction, bool) {
	if rest, ok := strings.CutPrefix(key, "errors."); ok {
		if _, isKind := policy.ParseKind(rest); isKind {
			return annot.DirectionOf("errors.KIND")
		}
	}
	return annot.DirectionOf(key)
}

// leaf compares two values.
func (w *walk) leaf(d annot.Direction, at place, a, b *source.Value) {
	if d.Same(a, b) {
		return
	}
	looser, tighter := d.Weigh(a, b)
	if looser {
		w.add(Loosened, d, at, a, b)
	}
	if tighter {
		w.add(Tightened, d, at, a, b)
	}
	if !looser && !tighter {
		w.add(Changed, d, at, a, b)
	}
}

func (w *walk) add(class Class, d annot.Direction, at place, a, b *source.Value) {
	shown := at.shown
	if shown == "" {
		shown = at.to
	}
	c := Change{Class: class, Operation: w.operation, Key: shown, Old: side(w.from, at.from, a, d.Default), New: side(w.to, at.to, b, d.Default)}
	if a != nil && b != nil && a.Kind == source.List && d.Sense != annot.Neither {
		c.Note = listed(a, b, class, d.Sense)
	}
	w.out = append(w.out, c)
}

// listed says which items a list has got, or lost, that make it looser or tighter.
func listed(a, b *source.Value, class Class, sense annot.Sense) string {
	sign := "+"
	if (class == Loosened) != (sense == annot.Wider) {
		sign, a, b = "-", b, a
	}
	var parts []string
	for i := range b.List {
		if !holds(a, &b.List[i]) {
			parts = append(parts, sign+annot.Flow(&b.List[i]))
		}
	}
	return strings.Join(parts, " ")
}

func holds(list, item *source.Value) bool {
	for i := range list.List {
		if list.List[i].Equal(item) {
			return true
		}
	}
	return false
}

// ids are weighed where both sides have some: that there are any at all is part of what idempotency says.
func (w *walk) ids(a, b *source.Value) {
	if a != nil && b != nil {
		w.node(place{key: "ids", from: "ids", to: "ids"}, a, b)
	}
}

// timeouts are compared as far as both sides have them: those of streams are no matter where one side has none.
func (w *walk) timeouts(a, b *source.Value) {
	one := streams(a) != streams(b)
	for _, key := range keys(a, b) {
		if one && slices.Contains(streamTimeouts, key) {
			continue
		}
		w.node(place{key: "timeout", from: "timeout", to: "timeout"}.below(key), a.Get(key), b.Get(key))
	}
}

var streamTimeouts = []string{"first-byte", "first-item", "idle", "item-gap", "max-stream", "per-token", "min-rate"}

// streams reports whether timeouts are those of a stream.
func streams(timeouts *source.Value) bool {
	return slices.ContainsFunc(streamTimeouts, func(key string) bool { return timeouts.Get(key) != nil })
}

// side is a value with who set it, and where. One that is not there is the default, if there is one; where it was taken away, that is where.
func side(op *plan.Operation, path string, v *source.Value, otherwise string) Side {
	out := Side{}
	switch {
	case v == nil:
		out.Value = otherwise
	case v.Kind == source.String && !strings.ContainsAny(v.Text, "\n\r"):
		out.Value = v.Text
	default:
		out.Value = annot.Flow(v)
	}
	if v == nil {
		if p := nearest(op.Removed, path); p != nil {
			out.Layer, out.Pos = p.Layer, p.Pos
		}
		return out
	}
	why := op.Why
	if strings.HasPrefix(path, "targets.") {
		why = op.WhyTargets
	}
	if p := setter(why, path); p != nil {
		out.Layer, out.Pos = p.Layer, p.Pos
	}
	return out
}

// setter is who set a value: what stands at its path, what it is part of, or else the first part of it that somebody wrote.
func setter(why []plan.Provenance, path string) *plan.Provenance {
	if p := nearest(why, path); p != nil {
		return p
	}
	var first *plan.Provenance
	for i := range why {
		if p := &why[i]; strings.HasPrefix(p.Path, path+".") || strings.HasPrefix(p.Path, path+"[") {
			if p.Pos.IsValid() {
				return p
			}
			if first == nil {
				first = p
			}
		}
	}
	return first
}

// nearest is what stands at a path, or at the innermost of those that hold it.
func nearest(why []plan.Provenance, path string) *plan.Provenance {
	for path != "" {
		for i := range why {
			if why[i].Path == path {
				return &why[i]
			}
		}
		path = path[:max(strings.LastIndexAny(path, ".["), 0)]
	}
	return nil
}
