package annot

import (
	"slices"

	"github.com/resgen-go/resgen/generator/internal/diag"
	"github.com/resgen-go/resgen/generator/internal/source"
	"github.com/resgen-go/resgen/runtime/policy"
)

// whenKey is what tells a rule on answers of success from the other rules of a kind.
const whenKey = "when"

// answerKeys are the keys of a rule on answers of success.
var answerKeys = record[policy.AnswerRule]{
	{
		key: whenKey, doc: "What the body of an answer of success says: JSON pointers, each with a value or a list of values; all of it.",
		shape: matchesShape{},
		put:   func(r *policy.AnswerRule, v *source.Value) { r.When = decodeMatches(v) },
		take: func(r *policy.AnswerRule) (source.Value, bool) {
			return encodeMatches(r.When), len(r.When) > 0
		},
	},
}

// answerRules is the key with the rules on answers of success of all kinds.
func answerRules() field[errorFacts] {
	return field[errorFacts]{
		key: whenKey, doc: "Answers of success that are failures: `{when: {POINTER: VALUES}, kind: KIND}`. A segment `*` of a pointer stands for " +
			"every item of a list and every member of an object. Under a kind, `{when: {...}}` means the same.",
		shape: listOf{item: answerShape{}, form: "a list of rules", example: "[{when: {/status: [failed]}, kind: transient}]"},
		put: func(e *errorFacts, v *source.Value) {
			for i := range v.List {
				r := policy.AnswerRule{}
				answerKeys.decode(&r, &v.List[i])
				r.Kind, _ = policy.ParseKind(v.List[i].Get("kind").Text)
				e.Answers = append(e.Answers, r)
			}
		},
		take: func(e *errorFacts) (source.Value, bool) {
			list := source.Value{Kind: source.List}
			for i := range e.Answers {
				v := answerKeys.encode(&e.Answers[i])
				v.Map = append(v.Map, source.Field{Key: "kind", Value: text(e.Answers[i].Kind.String())})
				list.List = append(list.List, v)
			}
			return list, len(list.List) > 0
		},
	}
}

// answerShape is a rule on answers of success, with its kind.
type answerShape struct{}

func (answerShape) keys() record[policy.AnswerRule] {
	kinds := failureKinds()
	names := make([]string, 0, len(kinds))
	for _, k := range kinds {
		names = append(names, k.String())
	}
	return append(slices.Clip(answerKeys), field[policy.AnswerRule]{
		key: "kind", doc: "What such an answer means.", shape: choiceShape{names: names},
	})
}

func (s answerShape) check(c checker, v *source.Value) (source.Value, bool) {
	out, ok := s.keys().check(c, v)
	if !ok || len(out.Map) < len(v.Map) {
		return out, false
	}
	for _, key := range []string{whenKey, "kind"} {
		if f := out.Get(key); f == nil || f.Kind == source.Null {
			c.missing(v, key, "{when: {/status: [failed]}, kind: transient}")
			return out, false
		}
	}
	return out, true
}

func (s answerShape) describe() description { return s.keys().describe() }

// isAnswerRule reports whether a rule under a kind is about answers of success.
func isAnswerRule(v *source.Value) bool { return v.Kind == source.Map && v.Get(whenKey) != nil }

// checkAnswerRule checks a rule on answers of success that stands under its kind.
func checkAnswerRule(c checker, v *source.Value) (source.Value, bool) {
	out, ok := answerKeys.check(c, v)
	if ok && len(out.Map) == len(v.Map) && out.Get(whenKey).Kind == source.Null {
		c.bad(diag.BadValue, v, c.quoted()+" has no `when`", "the rule would say nothing", "write `{when: {/status: [failed]}}`")
		return out, false
	}
	return out, ok && len(out.Map) == len(v.Map)
}

// judgeField is the key that says whether answers are the work that was asked for.
func judgeField() field[errorFacts] {
	return flag("judge", "Whether an answer is the work that was asked for, so that what the preset knows of answers holds: one that was "+
		"filtered, has failed or is empty is a failure, one that was cut is marked. By default it is where the method may do work (POST, PUT, "+
		"PATCH, QUERY) and takes a body. An operation that reads or cancels the record of some work has a good answer when that says that the "+
		"work has failed.", func(e *errorFacts) *bool { return &e.Judge })
}
