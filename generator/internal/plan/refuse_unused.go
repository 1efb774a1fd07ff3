package plan

import (
	"strconv"

	"github.com/resgen-go/resgen/generator/internal/annot"
	"github.com/resgen-go/resgen/generator/internal/diag"
	"github.com/resgen-go/resgen/generator/internal/model"
	"github.com/resgen-go/resgen/generator/internal/source"
	"github.com/resgen-go/resgen/runtime/policy"
)

// refuseUnused refuses policies, classes and targets that nothing refers to. What only an unused policy refers to is a consequence.
func (s *shared) refuseUnused(list *diag.List) {
	for _, def := range s.policies {
		if !def.used && s.owns(def) {
			list.Add(unused(def, "policy", "refer to it by `use: "+def.name+"`, or remove it"))
			var consequences diag.List
			s.refer(&def.tree.value, &consequences)
		}
	}
	for _, def := range s.classes {
		if !def.used && s.owns(def) {
			list.Add(unused(def, "timeout class", "refer to it by `timeout: "+def.name+"`, or remove it"))
		}
	}
	for _, def := range s.targets {
		if !def.used && def.name != policy.PrimaryTarget && s.owns(def) {
			list.Add(unused(def, "target", "give some operation the rung `{name: "+def.name+", target: "+def.name+", when: [any]}`, or remove it"))
		}
	}
}

// owns reports whether a definition is for what is resolved here alone.
func (s *shared) owns(def *definition) bool { return s.must == nil || s.must[def.pos] }

func unused(def *definition, what, fix string) diag.Diagnostic {
	return diag.Diagnostic{
		Code: diag.NothingUsesIt, Span: source.Span{Pos: def.pos, Len: len(def.name)}, What: "nothing uses the " + what + " " + quoted(def.name),
		Why: "its author believes it to be in force", Fix: fix,
	}
}

// ruleMatchesNothing refuses a rule that no operation matches.
func ruleMatchesNothing(api *model.API, rule *annot.Rule, n int) diag.Diagnostic {
	fix := "correct `match`, or remove the rule"
	ids := rule.Match.OperationID
	if api.Interface != nil {
		ids = rule.Match.Go
		fix += "; where it is for an interface of another package, list both in resgen.yaml"
	}
	if len(ids) == 1 {
		known := make([]string, len(api.Operations))
		for i := range api.Operations {
			known[i] = api.Operations[i].ID
		}
		if near := diag.DidYouMean(ids[0], known); near != "" {
			fix = near
		}
	}
	return diag.Diagnostic{
		Code: diag.RuleMatchesNothing, Span: source.Span{Pos: rule.Pos}, What: "rule " + strconv.Itoa(n) + " matches no operation",
		Why: "what it asks for would silently not happen", Fix: fix,
	}
}
