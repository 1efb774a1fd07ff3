package annot

import (
	"github.com/resgen-go/resgen/generator/internal/diag"
	"github.com/resgen-go/resgen/generator/internal/source"
	"github.com/resgen-go/resgen/runtime/policy"
)

var fallbackEntry = Entry{
	Sort:  Policy,
	Title: "Fallback ladder",
	Text: "Says what is done when the operation fails: rungs in order, each of one sort. `target` sends the same request elsewhere, `patch` a " +
		"changed request (RFC 6902: replace, add, remove), `static` answers with a component example or with a value that is wired in Go, " +
		"`operation` asks another operation, `func` a Go function with the method's own signature, `cache` gives what an equal call was answered " +
		"before. Where an operation rung has a `func` too, that is given the other method as its last parameter, and says what it is asked and what " +
		"of its answer is given: a search in place of a completion. The method that " +
		"streams has the same rungs: `items` says what is fixed item by item, and each func rung has a function of its own for it. " +
		"A rung that cannot take the request (`max-input`, `lacks`) is passed over: nothing is sent to it, and no time is left for it. " +
		"`fallback: {refuse: \"reason\"}` says that the operation never degrades.",
	Example: "fallback:\n  - {name: eu, target: secondary, when: [any]}\n" +
		"  - {name: small, patch: [{op: replace, path: /model, value: small-fast}], when: [timeout, throttle], max-input: 8192, lacks: [/tools]}\n" +
		"  - {name: remembered, cache: {}}\n" +
		"  - {name: passages, operation: searchPassages, func: passages}\n" +
		"  - {name: sorry, static: '#/components/examples/Apology', when: [any]}",
	Since: "0.1",
	field: field[Settings]{
		key: "fallback", shape: fallbackShape{},
		put: func(s *Settings, v *source.Value) {
			if v.Kind == source.Map {
				refuseKeys.decode(&s.Plan.Fallback, v)
				return
			}
			for i := range v.List {
				r := decodeRung(&v.List[i])
				s.Plan.Fallback.Rungs = append(s.Plan.Fallback.Rungs, r.Rung)
				s.Facts.Rungs = append(s.Facts.Rungs, r.facts)
			}
		},
		take: func(s *Settings) (source.Value, bool) {
			if s.Plan.Fallback.Refuse != "" {
				return refuseKeys.encode(&s.Plan.Fallback), true
			}
			list := source.Value{Kind: source.List}
			for i := range s.Plan.Fallback.Rungs {
				list.List = append(list.List, rungKeys.encode(&rung{s.Plan.Fallback.Rungs[i], s.Facts.Rungs[i]}))
			}
			return list, len(list.List) > 0
		},
	},
}

var refuseKeys = record[policy.Fallback]{
	textOf("refuse", "Why this operation never degrades.", `"a message must not be sent by another way"`,
		func(f *policy.Fallback) *string { return &f.Refuse }),
}

// fallbackShape is a list of rungs, or the reason why there is none.
type fallbackShape struct{}

func (fallbackShape) check(c checker, v *source.Value) (source.Value, bool) {
	if v.Kind == source.Map {
		out, ok := refuseKeys.check(c, v)
		if ok && len(v.Map) == 0 {
			c.missing(v, "refuse", `fallback: {refuse: "reason"}`)
		}
		return out, ok && len(out.Map) > 0
	}
	rungs := listOf{item: rungKeys, form: "a list of rungs", example: "[{name: sorry, static: apology}]", whole: rungOK}
	out, ok := rungs.check(c, v)
	return out, ok && namesDiffer(c, &out)
}

func (fallbackShape) describe() description {
	rungs, refuse := rungKeys.describe(), refuseKeys.describe()
	return description{
		form: "a list of rungs, or `{refuse: reason}`", keys: rungs.keys,
		schema: &schema{AnyOf: []*schema{listSchema(rungs.schema), refuse.schema}},
	}
}

// namesDiffer reports two rungs of one name: results and metrics could not tell which one answered.
func namesDiffer(c checker, v *source.Value) bool {
	first := map[string]source.Pos{}
	good := true
	for i := range v.List {
		n := v.List[i].Get("name")
		if at, twice := first[n.Text]; twice {
			good = false
			c.add(diag.Diagnostic{
				Code: diag.ConflictingKeys, Span: span(n), What: "two rungs have the name " + quote(n.Text),
				Why: "results, logs and metrics tell rungs apart by their names", Fix: "rename one of them",
				Related: []diag.Related{{Span: source.Span{Pos: at}, What: "the other rung is here"}},
			})
			continue
		}
		first[n.Text] = n.Pos
	}
	return good
}
