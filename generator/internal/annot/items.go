package annot

import (
	"cmp"
	"slices"
	"strings"

	"github.com/resgen-go/resgen/generator/internal/diag"
	"github.com/resgen-go/resgen/generator/internal/source"
	"github.com/resgen-go/resgen/runtime/policy"
)

// itemRules is a key that tells items of a stream by what is in them.
func itemRules(key, doc string, at func(*StreamFacts) *[]policy.ItemRule) field[StreamFacts] {
	return field[StreamFacts]{
		key: key, doc: doc, shape: itemRulesShape(),
		put:  func(s *StreamFacts, v *source.Value) { *at(s) = decodeItemRules(v) },
		take: func(s *StreamFacts) (source.Value, bool) { return encodeItemRules(*at(s)), len(*at(s)) > 0 },
	}
}

const itemRulesExample = "{/type: [response.created]}"

func itemRulesShape() oneOrMore {
	return oneOrMore{
		listOf: listOf{item: itemRuleShape{}, form: "rules on items: an object of pointers and values, or a list of them", example: "[" + itemRulesExample + "]"},
		single: source.Map,
	}
}

// itemRuleShape is an object whose keys are JSON pointers, or `event`, and whose values are what may stand there: a value or a list of them,
// '*' for all but null.
type itemRuleShape struct{}

// anything stands for every value but null.
const anything = "*"

func (itemRuleShape) check(c checker, v *source.Value) (source.Value, bool) {
	if v.Kind != source.Map {
		c.wrongType(v, "an object of pointers and values", itemRulesExample)
		return source.Value{}, false
	}
	if len(v.Map) == 0 {
		c.bad(diag.BadValue, v, c.quoted()+" names no place in an item", "a rule without a place would fit every item", "write "+c.put(itemRulesExample))
		return source.Value{}, false
	}
	out := source.Value{Pos: v.Pos, Kind: source.Map}
	for i := range v.Map {
		f := &v.Map[i]
		if f.Value.Kind == source.Null {
			continue
		}
		values, ok := c.itemValues(f)
		if !ok {
			return out, false
		}
		out.Map = append(out.Map, source.Field{Key: f.Key, KeyPos: f.KeyPos, Value: values})
	}
	return out, len(out.Map) > 0
}

// itemValues checks one place and what may stand there.
func (c checker) itemValues(f *source.Field) (source.Value, bool) {
	at := c.in(f)
	if f.Key != policy.ItemEvent {
		if _, ok := pointerShape().check(at, &source.Value{Pos: f.KeyPos, Kind: source.String, Text: f.Key}); !ok {
			return source.Value{}, false
		}
	}
	list := f.Value
	if list.Kind != source.List {
		list = source.Value{Pos: f.Value.Pos, Kind: source.List, List: []source.Value{f.Value}}
	}
	if len(list.List) == 0 || slices.ContainsFunc(list.List, func(v source.Value) bool { return !isPlain(v.Kind) }) {
		at.wrongType(&f.Value, "a value or a list of values", "[response.created]")
		return source.Value{}, false
	}
	return list, true
}

// isPlain reports whether a value is a boolean, a number or a text.
func isPlain(k source.Kind) bool { return k == source.Bool || k == source.Number || k == source.String }

func (itemRuleShape) describe() description {
	values := &schema{AnyOf: []*schema{{Type: "boolean"}, {Type: "number"}, {Type: "string"}}}
	return description{
		form: "an object of JSON pointers into the item, or `event`, and the values there: `" + itemRulesExample + "`",
		schema: &schema{Type: "object", Additional: &schema{
			AnyOf: append(slices.Clone(values.AnyOf), &schema{Type: "array", Items: values, MinItems: 1}),
		}, Names: &schema{AnyOf: []*schema{pointerShape().schema, {Enum: []string{policy.ItemEvent}}}}},
	}
}

func decodeItemRules(v *source.Value) []policy.ItemRule {
	rules := make([]policy.ItemRule, 0, len(v.List))
	for i := range v.List {
		var rule policy.ItemRule
		for k := range v.List[i].Map {
			f := &v.List[i].Map[k]
			m := policy.ItemMatch{Pointer: f.Key}
			for _, value := range f.Value.List {
				if value.Kind == source.String && value.Text == anything {
					m.Values = nil
					break
				}
				m.Values = append(m.Values, value.Text)
			}
			rule = append(rule, m)
		}
		slices.SortFunc(rule, func(a, b policy.ItemMatch) int { return cmp.Compare(a.Pointer, b.Pointer) })
		rules = append(rules, rule)
	}
	return rules
}

func encodeItemRules(rules []policy.ItemRule) source.Value {
	out := source.Value{Kind: source.List}
	for _, rule := range rules {
		item := source.Value{Kind: source.Map}
		for _, m := range rule {
			list := source.Value{Kind: source.List}
			for _, value := range m.Values {
				list.List = append(list.List, text(value))
			}
			if len(m.Values) == 0 {
				list.List = append(list.List, text(anything))
			}
			item.Map = append(item.Map, source.Field{Key: m.Pointer, Value: list})
		}
		out.List = append(out.List, item)
	}
	return out
}

// doneField is `done`: the data that ends the stream, or rules on the item that does.
func doneField() field[StreamFacts] {
	marker := textShape("'[DONE]'")
	return field[StreamFacts]{
		key: "done",
		doc: "What proves the end. A text is the data that ends the stream; without it, that is the end of the answer, or `[DONE]` among items of " +
			"JSON, and what the preset knows of its provider's streams holds beside it. Rules tell the item that ends the stream, in place of what " +
			"the preset knows: an end without one is a truncation.",
		shape: either{kind: source.String, first: marker, second: itemRulesShape()},
		put: func(s *StreamFacts, v *source.Value) {
			if v.Kind == source.String {
				s.Done = v.Text
				return
			}
			s.Complete = decodeItemRules(v)
		},
		take: func(s *StreamFacts) (source.Value, bool) {
			if s.Done != "" {
				return text(s.Done), true
			}
			return encodeItemRules(s.Complete), len(s.Complete) > 0
		},
	}
}

var errorItemKeys = record[StreamFacts]{
	textOf("event", "The name of the event that carries an error.", "error", func(s *StreamFacts) *string { return &s.ErrorEvent }),
	pointerField("pointer", "The member of an item that is not null, false or an empty text in an error.", "/error",
		func(s *StreamFacts) *string { return &s.ErrorPointer }),
}

// errorField is `error`: an event and a pointer, or rules on items.
func errorField() field[StreamFacts] {
	return field[StreamFacts]{
		key: "error", doc: "Which items are errors, whatever else is in them: by event and pointer, or by rules. It extends what the preset knows.",
		shape: errorItemsShape{},
		put: func(s *StreamFacts, v *source.Value) {
			if v.Kind == source.List {
				s.Errors = decodeItemRules(v)
				return
			}
			errorItemKeys.decode(s, v)
		},
		take: func(s *StreamFacts) (source.Value, bool) {
			if len(s.Errors) > 0 {
				return encodeItemRules(s.Errors), true
			}
			v := errorItemKeys.encode(s)
			return v, len(v.Map) > 0
		},
	}
}

// errorItemsShape is an object of event and pointer, or rules on items.
type errorItemsShape struct{}

func (errorItemsShape) check(c checker, v *source.Value) (source.Value, bool) {
	isPlace := func(f source.Field) bool { return strings.HasPrefix(f.Key, "/") }
	if v.Kind == source.List || v.Kind == source.Map && slices.ContainsFunc(v.Map, isPlace) {
		return itemRulesShape().check(c, v)
	}
	return errorItemKeys.check(c, v)
}

func (errorItemsShape) describe() description {
	d := errorItemKeys.describe()
	rules := itemRulesShape().describe()
	d.form += ", or rules on items"
	d.schema = &schema{AnyOf: []*schema{d.schema, rules.schema}}
	return d
}

// either is a value of one kind, or of another shape.
type either struct {
	kind          source.Kind
	first, second shape
}

func (s either) check(c checker, v *source.Value) (source.Value, bool) {
	if v.Kind == s.kind || isPlain(v.Kind) {
		return s.first.check(c, v)
	}
	return s.second.check(c, v)
}

func (s either) describe() description {
	first, second := s.first.describe(), s.second.describe()
	return description{form: first.form + ", or " + second.form, schema: &schema{AnyOf: []*schema{first.schema, second.schema}}}
}
