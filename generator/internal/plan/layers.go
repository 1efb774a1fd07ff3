package plan

import (
	"slices"
	"strconv"
	"strings"

	"github.com/resgen-go/resgen/generator/internal/annot"
	"github.com/resgen-go/resgen/generator/internal/diag"
	"github.com/resgen-go/resgen/generator/internal/model"
	"github.com/resgen-go/resgen/generator/internal/source"
)

// Layers of annotations as provenance names them, lowest first. Named policies and timeout classes have "policy NAME" and
// "class NAME", rules "rule N" with N from 1.
const (
	layerBuiltIn      = "built-in"
	layerRecommended  = "recommended"
	layerFileDefaults = "policy-file defaults"
	layerDefaults     = "document defaults"
	layerPath         = "path"
	layerOperation    = "operation"
)

// layer is one layer of an operation's annotations, checked.
type layer struct {
	name  string
	value source.Value
}

// definition is a named policy, a timeout class or a target.
type definition struct {
	name string
	pos  source.Pos
	tree *tree
	used bool
}

// definitions are in the order of their files, the policy file's first.
type definitions []*definition

func (d definitions) find(name string) *definition {
	for _, def := range d {
		if def.name == name {
			return def
		}
	}
	return nil
}

func (d definitions) names(builtIn string) []string {
	names := make([]string, 0, len(d)+1)
	names = append(names, builtIn)
	for _, def := range d {
		names = append(names, def.name)
	}
	return slices.DeleteFunc(names, func(n string) bool { return n == "" })
}

// lay lays definitions over those of lower layers: by name, then by key; null removes one.
func (d definitions) lay(v *source.Value, layer string) definitions {
	for i := range v.Map {
		f := &v.Map[i]
		def := d.find(f.Key)
		if f.Value.Kind == source.Null {
			d = slices.DeleteFunc(d, func(x *definition) bool { return x == def })
			continue
		}
		if def == nil {
			def = &definition{name: f.Key, tree: newTree()}
			d = append(d, def)
		}
		def.pos = f.KeyPos
		def.tree.lay(&f.Value, layer)
	}
	return d
}

// shared is what stands at the top of the policy file and of the document.
type shared struct {
	classes, policies, targets definitions
	// below are the layers below an operation's own, above those over it.
	below []layer
	rules []annot.Rule
	// must are the places of definitions that something must use; nil for all.
	must map[source.Pos]bool
	// sound reports that nothing in it was wrong.
	sound bool
}

// readShared checks what stands at the top. The document ranks above the policy file's definitions and defaults, and below its rules.
func readShared(api *model.API, file *source.Value, list *diag.List) shared {
	s := shared{sound: true}
	add := func(doc annot.Document, ok bool, defaults, name string) {
		s.sound = s.sound && ok
		s.classes = s.classes.lay(&doc.Classes, name)
		s.policies = s.policies.lay(&doc.Policies, name)
		s.targets = s.targets.lay(&doc.Targets, name)
		if doc.Defaults.Kind == source.Map {
			s.below = append(s.below, layer{defaults, doc.Defaults})
		}
	}
	if file != nil {
		doc, ok := annot.CheckPolicyFile(file, list)
		add(doc, ok, layerFileDefaults, "policy file")
		s.rules = doc.Rules
	}
	if api.Raw != nil {
		doc, ok := annot.CheckDocument(api.Raw, list)
		if api.Interface != nil {
			add(doc, ok, layerPackage, layerInterface)
		} else {
			add(doc, ok, layerDefaults, "document")
		}
	}
	return s
}

// own are the layers of one operation, lowest first, and whether nothing in them was wrong.
type own struct {
	layers []layer
	sound  bool
}

// readOwn checks the annotations of every operation. A rule that matches none is refused, unless operations were left out.
func readOwn(api *model.API, s *shared, partial bool, list *diag.List) []own {
	out := make([]own, len(api.Operations))
	for i := range api.Operations {
		out[i] = own{layers: slices.Clone(s.below), sound: s.sound}
		for _, a := range api.Operations[i].Raw {
			value, ok := annot.CheckOperation(&a.Value, list)
			out[i].sound = out[i].sound && ok
			out[i].layers = append(out[i].layers, layer{a.Layer, value})
		}
	}
	for n := range s.rules {
		if !applyRule(api, &s.rules[n], n+1, out) && !partial {
			list.Add(ruleMatchesNothing(api, &s.rules[n], n+1))
		}
	}
	return out
}

// isFor reports whether a rule is for methods of an interface. A policy file may serve many of them: a pattern is for this one if its part
// before the dot matches, and also if that is most likely a mistyped name of it.
func isFor(rule *annot.Rule, in *model.Interface) bool {
	return slices.ContainsFunc(rule.Match.Go, func(p string) bool {
		i := strings.LastIndexByte(p, '.')
		if i < 0 {
			return true // it is for no interface at all, and matches nothing
		}
		name := p[:i]
		if annot.Glob(name, in.Name) {
			return true
		}
		known := slices.Contains(in.Into.Interfaces, name) || slices.Contains(in.Beside, name)
		return !known && diag.Nearest(name, []string{in.Name}) != ""
	})
}

// applyRule lays a rule over the operations that it matches, and reports whether there are any. A rule for Go interfaces alone is
// not for documents, and one for documents or another interface not for an interface.
func applyRule(api *model.API, rule *annot.Rule, n int, out []own) bool {
	if api.Interface == nil && !rule.Match.HTTP() || api.Interface != nil && !isFor(rule, api.Interface) {
		return true
	}
	name, matched := "rule "+strconv.Itoa(n), false
	for i := range api.Operations {
		if !matches(&rule.Match, &api.Operations[i]) {
			continue
		}
		matched = true
		for _, v := range []source.Value{rule.Facts, rule.Set} {
			if v.Kind == source.Map {
				out[i].layers = append(out[i].layers, layer{name, v})
			}
		}
	}
	return matched
}

// matches reports whether a rule is for an operation: each key that it has must hold, of a list one item must.
func matches(m *annot.Match, op *model.Operation) bool {
	if _, ok := op.Bind.(*model.FuncBinding); ok {
		return slices.ContainsFunc(m.Go, func(p string) bool { return annot.Glob(p, op.ID) })
	}
	bind, ok := op.Bind.(*model.HTTPBinding)
	if !ok {
		return false
	}
	one := func(patterns []string, hit func(string) bool) bool {
		return len(patterns) == 0 || slices.ContainsFunc(patterns, hit)
	}
	return one(m.OperationID, func(p string) bool { return annot.Glob(p, op.ID) }) &&
		one(m.Tag, func(p string) bool { return slices.Contains(op.Tags, p) }) &&
		one(m.Path, func(p string) bool { return annot.Glob(p, bind.Spelled()) || annot.Glob(p, bind.Path) }) &&
		one(m.Method, func(p string) bool { return strings.EqualFold(p, bind.Method) })
}
