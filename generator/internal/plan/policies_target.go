package plan

import (
	"reflect"

	"github.com/resgen-go/resgen/generator/internal/annot"
	"github.com/resgen-go/resgen/runtime/policy"
)

// target decodes the definition of a target.
func (s *shared) target(name string) policy.Target {
	return annot.DecodeTarget(name, &s.targetTree(name).value)
}

// targetTree is the definition of a target. A policy that it has in part takes the rest from `recommended`.
func (s *shared) targetTree(name string) *tree {
	t := newTree()
	def := s.targets.find(name)
	if def == nil {
		return t
	}
	t.lay(&def.tree.value, "target "+name)
	recommended := annot.Recommended(false)
	for _, key := range []string{"budget", "breaker", "bulkhead"} {
		t.fill(key, recommended.Get(key), layerRecommended)
	}
	yieldToAuthors(t)
	return t
}

// targetValues lists what the targets that a plan calls have of their own, for explanations.
func (s *shared) targetValues(p *policy.Plan) []Provenance {
	var out []Provenance
	for _, target := range p.Targets {
		t := s.targetTree(target.Name)
		for _, v := range leaves(nil, t, &t.value, "") {
			if v.Path != "base-url" { // it is the client's
				v.Path = "targets." + target.Name + "." + v.Path
				out = append(out, v)
			}
		}
	}
	return out
}

// namedTargets are the targets of the client: primary first, then those that some rung or hedge names, in the order of their definition.
func (s *shared) namedTargets() []policy.Target {
	out := []policy.Target{s.target(policy.PrimaryTarget)}
	for _, def := range s.targets {
		if def.used && def.name != policy.PrimaryTarget {
			out = append(out, s.target(def.name))
		}
	}
	return out
}

// targetsOf are the targets that a plan calls and that have something of their own to say to the runtime. Their addresses are the
// client's.
func (s *shared) targetsOf(p *policy.Plan) []policy.Target {
	var out []policy.Target
	for _, name := range s.called(p) {
		t := s.target(name)
		t.BaseURL = ""
		if len(p.Data) == 0 { // what it may see is then no matter
			t.Accepts = nil
		}
		if !reflect.DeepEqual(t, policy.Target{Name: t.Name}) {
			out = append(out, t)
		}
	}
	return out
}
