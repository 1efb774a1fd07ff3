package compare

import (
	"slices"
	"strconv"
	"strings"

	"github.com/resgen-go/resgen/generator/internal/annot"
	"github.com/resgen-go/resgen/generator/internal/source"
	"github.com/resgen-go/resgen/runtime/policy"
)

// ladders compares two ladders, rung by rung. What refuses to degrade has a text in place of a list.
func (w *walk) ladders(a, b *source.Value) {
	refuse := place{key: "fallback.refuse", from: "fallback.refuse", to: "fallback.refuse"}
	w.node(refuse, a.Get("refuse"), b.Get("refuse"))
	before, after := names(a), names(b)
	for i, name := range before {
		j := slices.Index(after, name)
		at := place{key: "fallback", from: indexed(i), to: indexed(j), shown: "fallback[" + name + "]"}
		if j < 0 {
			at.key += ".name"
			w.node(at, short(&a.List[i], w.from.Policy.Fallback.Rungs, i), nil)
			continue
		}
		for _, key := range keys(&a.List[i], &b.List[j]) {
			w.node(at.below(key), a.List[i].Get(key), b.List[j].Get(key))
		}
	}
	for j, name := range after {
		if !slices.Contains(before, name) {
			at := place{key: "fallback.name", from: indexed(-1), to: indexed(j), shown: "fallback[" + name + "]"}
			w.node(at, nil, short(&b.List[j], w.to.Policy.Fallback.Rungs, j))
		}
	}
	if from, to := kept(before, after), kept(after, before); !slices.Equal(from, to) {
		d, _ := annot.DirectionOf("fallback")
		w.add(Changed, d, place{key: "fallback", from: "fallback", to: "fallback", shown: "fallback (order)"}, textList(from), textList(to))
	}
}

// short is a rung with `any` in place of all the kinds that stands for.
func short(v *source.Value, rungs []policy.Rung, i int) *source.Value {
	out := v.Clone()
	if i < len(rungs) && slices.Equal(rungs[i].When, annot.AnyKinds(rungs[i].Sort)) {
		out.Set(source.Field{Key: "when", Value: *textList([]string{"any"})})
	}
	return &out
}

// names are those of rungs; none of what is no ladder.
func names(ladder *source.Value) []string {
	if ladder == nil {
		return nil
	}
	out := make([]string, len(ladder.List))
	for i := range ladder.List {
		out[i] = ladder.List[i].Get("name").Text
	}
	return out
}

// kept are the names that stand in another list too, in their own order.
func kept(names, others []string) []string {
	return slices.DeleteFunc(slices.Clone(names), func(name string) bool { return !slices.Contains(others, name) })
}

func textList(texts []string) *source.Value {
	v := &source.Value{Kind: source.List}
	for _, text := range texts {
		v.List = append(v.List, source.Value{Kind: source.String, Text: text})
	}
	return v
}

func indexed(i int) string { return "fallback[" + strconv.Itoa(i) + "]" }

// targets compares the targets that both sides call: that another one is called, a rung or a hedge says.
func (w *walk) targets(a, b *source.Value) {
	for i := range a.Map {
		name := a.Map[i].Key
		before, after := &a.Map[i].Value, b.Get(name)
		if after == nil {
			continue
		}
		for _, key := range keys(before, after) {
			path := "targets." + name + "." + key
			at := place{key: "targets." + key, from: path, to: path}
			if slices.Contains([]string{"budget", "breaker", "bulkhead", "limit"}, key) {
				if !w.ownMachine(path) {
					continue // it is the operation's, and said there
				}
				at.key = key
			}
			w.node(at, before.Get(key), after.Get(key))
		}
	}
}

// ownMachine reports whether a target has a machine of its own on some side, which is then not the operation's.
func (w *walk) ownMachine(path string) bool {
	for _, p := range slices.Concat(w.from.WhyTargets, w.to.WhyTargets) {
		if p.Path == path || strings.HasPrefix(p.Path, path+".") {
			return true
		}
	}
	return false
}
