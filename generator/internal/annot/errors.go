package annot

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/resgen-go/resgen/generator/internal/diag"
	"github.com/resgen-go/resgen/generator/internal/source"
	"github.com/resgen-go/resgen/runtime/policy"
)

var errorsEntry = Entry{
	Sort:  Fact,
	Title: "Errors",
	Text: "Says which failures are of which kind: a preset, and rules for each kind that come before it. Rules on the body come before " +
		"rules on the status alone. `errors: openai` is short for `errors: {preset: openai}`; without a preset, `generic` holds: the " +
		"statuses of the table of kinds. Where a status means something else to an API, say so: 402 is `unusable`, which counts against " +
		"the target, and a card that is declined does not, so a payment API wants `errors: {caller: [402]}`. " +
		"A rule with a status of success and a pointer makes a failure of an answer that only says so in its body: " +
		"`errors: {throttle: [{status: 200, pointer: /error}]}`; `errors: {when: [{when: {/status: [failed]}, kind: transient}]}` does so for any " +
		"status of success. They are asked about each item of a stream too; nobody looks into files. " +
		"What a preset knows of answers holds for operations whose answer is the work that was asked for, see `judge`. " +
		"For methods of Go interfaces the rules are Go names: `errors: {caller: [{is: ErrNotFound}], transient: [{as: \"*net.OpError\"}, {func: isBusy}]}`, " +
		"where `caller: [ErrNotFound]` is short for the one that fits what the name stands for. `errors: isTransient` is short for " +
		"`errors: {func: isTransient}`: a function that is asked of every error. Rules come before what an error shows by itself, also before the " +
		"kind of an error of a client inside the method; the first that matches counts, `func` at the top last.",
	Example: "errors: {preset: openai, unusable: [{status: 429, pointer: /error/code, equals: insufficient_quota}], transient: [499]}",
	Since:   "0.1",
	field: field[Settings]{
		key: "errors", shape: errorsShape{},
		put: func(s *Settings, v *source.Value) {
			var e errorFacts
			errorKeys.decode(&e, v)
			slices.SortStableFunc(e.underKind, func(a, b policy.AnswerRule) int { return cmp.Compare(a.Kind.String(), b.Kind.String()) })
			e.Answers = append(e.Answers, e.underKind...)
			slices.SortStableFunc(e.Rules, byPrecision)
			slices.SortStableFunc(e.goRules, func(a, b GoRule) int { return last(a.Kind) - last(b.Kind) })
			s.Plan.Errors, s.Facts.Go = e.Errors, e.goRules
		},
		take: func(s *Settings) (source.Value, bool) {
			v := errorKeys.encode(&errorFacts{Errors: s.Plan.Errors, goRules: s.Facts.Go})
			return v, len(v.Map) > 0
		},
	},
}

// last puts what is asked of every error behind what is asked for one kind.
func last(k policy.Kind) int {
	if k == policy.KindNone {
		return 1
	}
	return 0
}

// byPrecision puts rules on the body before those on the status alone, and of the latter the more precise first.
func byPrecision(a, b policy.ErrorRule) int {
	rank := func(r policy.ErrorRule) int {
		n := 0
		if r.Pointer != "" {
			n += 4
		}
		if r.Equals != "" {
			n += 2
		}
		if r.Status != 0 {
			n++
		}
		return n
	}
	return cmp.Or(cmp.Compare(rank(b), rank(a)), cmp.Compare(a.Kind, b.Kind))
}

// presetNames are those of the built-in tables.
var presetNames = policy.Presets()

var presetShape = choiceShape{names: presetNames}

var errorKeys = makeErrorKeys()

// failureKinds are the kinds that a failure of the dependency can be of.
func failureKinds() []policy.Kind {
	return slices.DeleteFunc(policy.Kinds(), func(k policy.Kind) bool {
		return k.Local() || k == policy.KindDeadline || k == policy.KindCanceled
	})
}

// makeErrorKeys has a key for each kind that a failure of the dependency can be of.
func makeErrorKeys() record[errorFacts] {
	keys := record[errorFacts]{
		textField("preset", "The built-in table that the rules extend.", presetShape, func(e *errorFacts) *string { return &e.Preset }),
	}
	for _, k := range failureKinds() {
		keys = append(keys, errorKind(k))
	}
	return append(keys,
		goFunc(),
		goErrors(GoIs, "variables that errors are, by `errors.Is`", "a list of Go variables", "ErrBusy"),
		goErrors(GoAs, "types that errors hold, by `errors.As`", "a list of Go types", `"*net.OpError"`),
		answerRules(),
		judgeField(),
		partialField(),
	)
}

func errorKind(k policy.Kind) field[errorFacts] {
	return field[errorFacts]{
		key: k.String(), doc: "Failures of the kind `" + k.String() + "`.",
		shape: oneOrMore{listOf: listOf{item: errorRuleShape{}, form: "a list of status codes and rules", example: "[503]"}, single: source.String},
		put: func(e *errorFacts, v *source.Value) {
			for i := range v.List {
				if isAnswerRule(&v.List[i]) {
					r := policy.AnswerRule{Kind: k}
					answerKeys.decode(&r, &v.List[i])
					e.underKind = append(e.underKind, r)
					continue
				}
				if isGoRule(&v.List[i]) {
					e.goRules = append(e.goRules, decodeGoRule(k, &v.List[i]))
					continue
				}
				rule := policy.ErrorRule{Kind: k}
				errorRuleKeys.decode(&rule, &v.List[i])
				e.Rules = append(e.Rules, rule)
			}
		},
		take: func(e *errorFacts) (source.Value, bool) {
			list := source.Value{Kind: source.List}
			for i := range e.goRules {
				if e.goRules[i].Kind == k {
					list.List = append(list.List, e.goRules[i].encode())
				}
			}
			for _, rule := range e.Rules {
				if rule.Kind == k {
					list.List = append(list.List, errorRuleKeys.encode(&rule))
				}
			}
			return list, len(list.List) > 0
		},
	}
}

// errorsShape is a preset's name, that of a Go function, or an object.
type errorsShape struct{}

// isFunc reports whether a text in place of the object is the name of a Go function, and no preset, nor one that is misspelled.
func (errorsShape) isFunc(text string) bool {
	return isGoName(text) && !slices.Contains(presetNames, text) && diag.DidYouMean(text, presetNames) == ""
}

func (s errorsShape) check(c checker, v *source.Value) (source.Value, bool) {
	if v.Kind == source.String && s.isFunc(v.Text) {
		return source.Value{Pos: v.Pos, Kind: source.Map, Map: []source.Field{{Key: goSortKeys[GoFunc], KeyPos: v.Pos, Value: *v}}}, true
	}
	if v.Kind != source.String {
		out, ok := errorKeys.check(c, v)
		return out, ok && disjoint(c, &out)
	}
	preset, ok := presetShape.check(c, v)
	return source.Value{Pos: v.Pos, Kind: source.Map, Map: []source.Field{{Key: "preset", KeyPos: v.Pos, Value: preset}}}, ok
}

func (errorsShape) describe() description {
	d := errorKeys.describe()
	preset := presetShape.describe()
	return description{
		form: "a preset (" + preset.form + "), a Go function or an object", keys: oneForAllKinds(d.keys),
		schema: &schema{AnyOf: []*schema{preset.schema, {Type: "string", Pattern: goPattern.String()}, d.schema}},
	}
}

// oneForAllKinds describes the keys of all kinds, which differ by name only, as one.
func oneForAllKinds(keys []keyDoc) []keyDoc {
	var out []keyDoc
	var kinds []string
	for _, k := range keys {
		if _, isKind := policy.ParseKind(k.key); !isKind {
			out = append(out, k)
			continue
		}
		if kinds = append(kinds, "`"+k.key+"`"); len(kinds) == 1 {
			k.key = "KIND"
			out = append(out, k)
		}
	}
	for i := range out {
		if out[i].key == "KIND" {
			out[i].doc = "Failures of that kind: " + strings.Join(kinds, ", ") + "."
		}
	}
	return out
}

// disjoint reports a rule that stands under two kinds: only one of them could count.
func disjoint(c checker, v *source.Value) bool {
	type place struct {
		kind string
		pos  source.Pos
	}
	type asked struct {
		policy.ErrorRule

		goSort GoSort
		goName string
		answer string
	}
	seen := map[asked]place{}
	good := true
	for i := range v.Map {
		f := &v.Map[i]
		for j := range f.Value.List {
			item := &f.Value.List[j]
			var rule asked
			switch {
			case isAnswerRule(item):
				rule.answer = Flow(item.Get(whenKey))
			case isGoRule(item):
				r := decodeGoRule(policy.KindNone, item)
				rule.goSort, rule.goName = r.Sort, r.Name
			default:
				errorRuleKeys.decode(&rule.ErrorRule, item)
			}
			first, twice := seen[rule]
			if !twice {
				seen[rule] = place{f.Key, item.Pos}
				continue
			}
			good = false
			c.add(diag.Diagnostic{
				Code: diag.ConflictingKeys, Span: source.Span{Pos: item.Pos},
				What: "the same rule stands under " + quote(first.kind) + " and " + quote(f.Key), Why: "a failure is of one kind",
				Fix: "remove one of the two", Related: []diag.Related{{Span: source.Span{Pos: first.pos}, What: "the other rule is here"}},
			})
		}
	}
	return good
}

var errorRuleKeys = record[policy.ErrorRule]{
	{
		key: "status", doc: "The status code; without it, any failure's. With one of success, `pointer` says where its body tells of a failure.", shape: statusShape{},
		put: func(r *policy.ErrorRule, v *source.Value) { r.Status, _ = strconv.Atoi(v.Text) },
		take: func(r *policy.ErrorRule) (source.Value, bool) {
			return integer(r.Status), r.Status != 0
		},
	},
	pointerField("pointer", "A JSON pointer into the body.", "/error/code", func(r *policy.ErrorRule) *string { return &r.Pointer }),
	{
		key: "equals", doc: "What the value at `pointer` must be; without it, anything but null.", shape: plainValue{},
		put:  func(r *policy.ErrorRule, v *source.Value) { r.Equals = v.Text },
		take: func(r *policy.ErrorRule) (source.Value, bool) { return text(r.Equals), r.Equals != "" },
	},
}

// isSuccess reports whether a status code is one of success.
func isSuccess(v *source.Value) bool { return v != nil && strings.HasPrefix(v.Text, "2") }

// isBare reports whether answers of a status have no body.
func isBare(v *source.Value) bool { return v != nil && (v.Text == "204" || v.Text == "205") }

// errorRuleShape is a status code, or an object.
type errorRuleShape struct{}

func (errorRuleShape) check(c checker, v *source.Value) (source.Value, bool) {
	if v.Kind == source.Number {
		status, ok := statusShape{}.check(c, v)
		if ok && isSuccess(&status) {
			c.missing(v, "pointer", "{status: 200, pointer: /error}")
			return source.Value{}, false
		}
		return source.Value{Pos: v.Pos, Kind: source.Map, Map: []source.Field{{Key: "status", KeyPos: v.Pos, Value: status}}}, ok
	}
	if isGoRule(v) {
		return checkGoRule(c, v)
	}
	if isAnswerRule(v) {
		return checkAnswerRule(c, v)
	}
	if v.Kind != source.Map {
		c.wrongType(v, "a status code, an object or a Go name", "503")
		return source.Value{}, false
	}
	out, ok := errorRuleKeys.check(c, v)
	switch {
	case !ok || len(out.Map) < len(v.Map):
		return out, false
	case out.Get("status") == nil && out.Get("pointer") == nil:
		c.missing(v, "status", "{status: 429}")
		return out, false
	case isSuccess(out.Get("status")) && out.Get("pointer") == nil:
		c.missing(v, "pointer", "{status: 200, pointer: /error}")
		return out, false
	case out.Get("equals") != nil && out.Get("pointer") == nil:
		c.missing(v, "pointer", "{pointer: /error/code, equals: ...}")
		return out, false
	case isBare(out.Get("status")) && out.Get("pointer") != nil:
		c.bad(diag.BadValue, out.Get("status"), "an answer of status "+out.Get("status").Text+" has no body for "+quote(c.path+".pointer")+" to point into",
			"the rule would never hold (RFC 9110, section 15.3)", "write the status that such answers have, such as `status: 200`")
		return out, false
	}
	return out, true
}

func (errorRuleShape) describe() description {
	d, a, g := errorRuleKeys.describe(), answerKeys.describe(), goRuleKeys.describe()
	name := goNameShape("a Go name", "ErrBusy").describe()
	return description{
		form: "a status code, an object or a Go name", keys: slices.Concat(d.keys, a.keys, g.keys),
		schema: &schema{AnyOf: []*schema{statusShape{}.describe().schema, d.schema, a.schema, g.schema, name.schema}},
	}
}

// statusShape is a status code of a final answer.
type statusShape struct{}

func (statusShape) check(c checker, v *source.Value) (source.Value, bool) {
	code, err := strconv.Atoi(v.Text)
	switch {
	case v.Kind != source.Number:
		c.wrongType(v, "a status code", "503")
	case err != nil || code < 100 || code > 599:
		c.bad(diag.BadValue, v, quote(v.Text)+" is no status code", "status codes are from 100 to 599 (RFC 9110, section 15)", "write a code such as 503")
	case code < 200:
		c.bad(diag.BadValue, v, quote(v.Text)+" is no final status", "an informational response is followed by another one", "write a code such as 503")
	default:
		return *v, true
	}
	return source.Value{}, false
}

func (statusShape) describe() description {
	return description{form: "a status code", schema: &schema{Type: "integer", Minimum: new(200.0), Maximum: new(599.0)}}
}
