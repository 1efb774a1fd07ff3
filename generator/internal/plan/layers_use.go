package plan

import (
	"slices"
	"strings"

	"github.com/resgen-go/resgen/generator/internal/annot"
	"github.com/resgen-go/resgen/generator/internal/diag"
	"github.com/resgen-go/resgen/generator/internal/source"
	"github.com/resgen-go/resgen/runtime/policy"
)

// refer marks what the layers of all operations refer to by name, and refuses names that are defined nowhere.
func refer(s *shared, owned []own, list *diag.List) {
	for i := range owned {
		for j := range owned[i].layers {
			s.refer(&owned[i].layers[j].value, list)
		}
	}
	s.referMembers(policy.PrimaryTarget, list)
	for i := range s.rules { // those that match nothing are refused as such, and what they name with them
		s.refer(&s.rules[i].Set, list)
	}
}

// refer follows the names in one object of annotations, named policies in depth.
func (s *shared) refer(v *source.Value, list *diag.List) {
	if name := scalarAt(v, "timeout"); name != nil {
		use(s.classes, name, "timeout class", "", list)
	}
	if name := scalarAt(v, "use"); name != nil {
		def := s.policies.find(name.Text)
		first := def != nil && !def.used
		use(s.policies, name, "policy", annot.RecommendedPolicy, list)
		if first {
			s.refer(&def.tree.value, list)
		}
	}
	if hedge := v.Get("hedge"); hedge != nil {
		if name := scalarAt(hedge, "target"); name != nil {
			s.useTarget(name, list)
		}
	}
	fallback := v.Get("fallback")
	if fallback == nil {
		return
	}
	for i := range fallback.List {
		if name := scalarAt(&fallback.List[i], "target"); name != nil {
			s.useTarget(name, list)
		}
	}
}

// useTarget marks a target as used, and the first time its members.
func (s *shared) useTarget(name *source.Value, list *diag.List) {
	def := s.targets.find(name.Text)
	first := def != nil && !def.used
	use(s.targets, name, "target", policy.PrimaryTarget, list)
	if first && name.Text != policy.PrimaryTarget {
		s.referMembers(name.Text, list)
	}
}

// referMembers marks the members of a target as used.
func (s *shared) referMembers(target string, list *diag.List) {
	def := s.targets.find(target)
	if def == nil {
		return
	}
	if members := def.tree.written("any-of"); members != nil {
		for i := range members.List {
			s.useTarget(&members.List[i], list)
		}
	}
}

// use marks the definition of a name as used, and refuses a name that is neither defined nor built in.
func use(defs definitions, name *source.Value, what, builtIn string, list *diag.List) {
	if def := defs.find(name.Text); def != nil {
		def.used = true
		return
	}
	if name.Text == builtIn {
		return
	}
	known := defs.names(builtIn)
	fix := diag.DidYouMean(name.Text, known)
	if fix == "" {
		fix = "define it under `" + keyOfDefinitions[what] + "` at the top of the document's x-resilience or of the policy file"
	}
	list.Add(diag.Diagnostic{
		Code: diag.UnknownName, Span: source.Span{Pos: name.Pos, Len: len(name.Text)}, What: "unknown " + what + " " + quoted(name.Text),
		Why: "it is defined nowhere, so nothing would hold", Fix: fix,
	})
}

var keyOfDefinitions = map[string]string{"timeout class": "timeout-classes", "policy": "policies", "target": "targets"}

// scalarAt returns the text of a key, nil where it has none.
func scalarAt(v *source.Value, key string) *source.Value {
	if got := v.Get(key); got != nil && got.Kind == source.String {
		return got
	}
	return nil
}

// generates reports whether an operation is one of a language model: it streams, or has tokens.
func generates(layers []layer, streams bool) bool {
	t := newTree()
	for i := range layers {
		t.lay(&layers[i].value, layers[i].name)
	}
	return streams || t.written("tokens") != nil
}

// mergeLayers lays the layers of an operation over each other, with the named policy of the highest `use` just below its layer.
func (s *shared) mergeLayers(layers []layer, generates bool) *tree {
	t := newTree()
	top := -1
	for i := range layers {
		if layers[i].value.Get("use") != nil {
			top = i
		}
	}
	for i := range layers {
		if i == top {
			s.layNamed(t, layers[i].value.Get("use"), generates, nil)
		}
		t.lay(&layers[i].value, layers[i].name)
	}
	recommended := annot.Recommended(generates)
	for _, key := range []string{"retry", "budget", "breaker", "bulkhead"} {
		t.fill(key, recommended.Get(key), layerRecommended)
	}
	part := annot.WrittenInPart()
	for _, key := range []string{"hedge", "shed", "exercise"} {
		t.fill(key, part.Get(key), layerRecommended)
	}
	return t
}

// layNamed lays a named policy over the tree, the one that it uses below it. A circle was refused before; it ends here.
func (s *shared) layNamed(t *tree, use *source.Value, generates bool, seen []string) {
	if use.Kind != source.String || slices.Contains(seen, use.Text) {
		return
	}
	def := s.policies.find(use.Text)
	if def == nil {
		if use.Text == annot.RecommendedPolicy {
			recommended := annot.Recommended(generates)
			t.lay(&recommended, layerRecommended)
		}
		return
	}
	if below := def.tree.value.Get("use"); below != nil {
		s.layNamed(t, below, generates, append(seen, use.Text))
	}
	keys := def.tree.value.Clone()
	keys.Delete("use")
	t.lay(&keys, "policy "+def.name)
}

// refuseCircles refuses named policies that use each other in a circle, once for each circle.
func (s *shared) refuseCircles(list *diag.List) {
	done := map[string]bool{}
	for _, def := range s.policies {
		var chain []string
		for at := def; at != nil && !done[at.name]; {
			if i := slices.Index(chain, at.name); i >= 0 {
				list.Add(circle(at, chain[i:]))
				break
			}
			chain = append(chain, at.name)
			next := at.tree.written("use")
			if next == nil {
				break
			}
			at = s.policies.find(next.Text)
		}
		for _, name := range chain {
			done[name] = true
		}
	}
}

func circle(at *definition, chain []string) diag.Diagnostic {
	names := make([]string, len(chain), len(chain)+1)
	for i, name := range chain {
		names[i] = quoted(name)
	}
	text := strings.Join(append(names, quoted(at.name)), " uses ")
	v := at.tree.written("use")
	return diag.Diagnostic{
		Code: diag.UseCycle, Span: source.Span{Pos: v.Pos, Len: len(v.Text)}, What: text,
		Why: "in a circle there is no lowest policy to begin with", Fix: "write `use: recommended`, or remove the key",
	}
}
