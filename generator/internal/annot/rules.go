package annot

import (
	"slices"

	"github.com/resgen-go/resgen/generator/internal/source"
)

var rulesEntry = Entry{
	Sort:  Shared,
	Title: "Rules",
	Text: "In the policy file only: facts and policies for the operations that match, above everything that the document says; later rules win. " +
		"The keys of `match` must all hold, of a list one item must. `operation-id`, `path` and `go` may hold `*`, `**` (slashes too) and `?`. " +
		"`go` is for Go interfaces, the others for documents: each front end reads its own. A rule that matches nothing is an error.",
	Example: "rules:\n  - match: {tag: admin, method: [PUT, POST]}\n    facts: {idempotency: idempotent}\n    set: {retry: {attempts: 2}}",
	Since:   "0.1",
	field: field[Settings]{
		key:   "rules",
		shape: listOf{item: ruleShape{}, form: "a list of rules", example: "[{match: {tag: admin}, set: {retry: null}}]"},
	},
}

// Rule is one rule of a policy file.
type Rule struct {
	Pos   source.Pos
	Match Match
	// Facts and Set are checked objects; Kind is Null for one that is not there.
	Facts source.Value
	Set   source.Value
}

// Match says which operations a rule is for. Each of its lists that is not empty must hold one value that matches.
type Match struct {
	OperationID, Tag, Path, Method, Go []string
}

var matchKeys = record[Match]{
	matchField("operation-id", "The operation's id, or a pattern.", func(m *Match) *[]string { return &m.OperationID }),
	matchField("tag", "One of the operation's tags.", func(m *Match) *[]string { return &m.Tag }),
	matchField("path", "The operation's path as the document spells it, or a pattern.", func(m *Match) *[]string { return &m.Path }),
	matchField("method", "The HTTP method.", func(m *Match) *[]string { return &m.Method }),
	matchField("go", "Interface.Method, or a pattern.", func(m *Match) *[]string { return &m.Go }),
}

func matchField(key, doc string, at func(*Match) *[]string) field[Match] {
	return field[Match]{
		key: key, doc: doc, shape: textsShape{},
		put: func(m *Match, v *source.Value) {
			for i := range v.List {
				*at(m) = append(*at(m), v.List[i].Text)
			}
		},
	}
}

// textsShape is a text or a list of texts.
type textsShape struct{}

func (textsShape) check(c checker, v *source.Value) (source.Value, bool) {
	list := v
	if v.Kind == source.String {
		list = &source.Value{Pos: v.Pos, Kind: source.List, List: []source.Value{*v}}
	}
	return listOf{item: textShape("admin"), form: "a text or a list of texts", example: "[admin]"}.check(c, list)
}

func (textsShape) describe() description {
	one := &schema{Type: "string"}
	return description{form: "a text or a list of texts", schema: &schema{AnyOf: []*schema{one, listSchema(one)}}}
}

var (
	factsSection    = section{title: "facts", tables: [][]Entry{facts}}
	policiesSection = section{title: "set", tables: [][]Entry{policies}}
)

// ruleShape is an object with match, and facts or set or both.
type ruleShape struct{}

func ruleKeys() record[Rule] {
	return record[Rule]{
		{
			key: "match", doc: "Which operations.", shape: matchKeys,
			put: func(r *Rule, v *source.Value) { matchKeys.decode(&r.Match, v) },
		},
		{key: "facts", doc: "What they are.", shape: factsSection, put: func(r *Rule, v *source.Value) { r.Facts = *v }},
		{key: "set", doc: "What is done about them.", shape: policiesSection, put: func(r *Rule, v *source.Value) { r.Set = *v }},
	}
}

func (ruleShape) check(c checker, v *source.Value) (source.Value, bool) {
	out, ok := ruleKeys().check(c, v)
	if !ok {
		return out, false
	}
	const example = "{match: {tag: admin}, set: {retry: null}}"
	switch match := v.Get("match"); {
	case match == nil || match.Kind == source.Null || match.Kind == source.Map && saysNothing(match):
		c.missing(v, "match", example)
	case v.Get("facts") == nil && v.Get("set") == nil:
		c.missing(v, "set", example)
	default: // a match that lost a key would be for more than its author meant
		return out, out.Get("match") != nil && len(out.Get("match").Map) == len(match.Map)
	}
	return out, false
}

// saysNothing reports whether an object has no key with a value.
func saysNothing(v *source.Value) bool {
	return !slices.ContainsFunc(v.Map, func(f source.Field) bool { return f.Value.Kind != source.Null })
}

func (ruleShape) describe() description { return ruleKeys().describe() }

func decodeRules(v *source.Value) []Rule {
	if v == nil {
		return nil
	}
	keys := ruleKeys()
	rules := make([]Rule, len(v.List))
	for i := range v.List {
		rules[i].Pos = v.List[i].Pos
		keys.decode(&rules[i], &v.List[i])
	}
	return rules
}

// HTTP reports whether the rule is for operations of a document: a rule with `go` alone is for Go interfaces.
func (m *Match) HTTP() bool {
	return len(m.OperationID)+len(m.Tag)+len(m.Path)+len(m.Method) > 0
}
