package annot

import (
	"cmp"
	"slices"

	"github.com/resgen-go/resgen/generator/internal/source"
	"github.com/resgen-go/resgen/runtime/policy"
)

// matchesShape is an object of JSON pointers into a body, each with the values that may stand there. All of them have to match.
type matchesShape struct{}

func (matchesShape) check(c checker, v *source.Value) (source.Value, bool) {
	const example = "{/status: [failed]}"
	if v.Kind != source.Map {
		c.wrongType(v, "an object of JSON pointers and values", example)
		return source.Value{}, false
	}
	if len(v.Map) == 0 {
		c.wrongType(v, "an object of at least one JSON pointer", example)
		return source.Value{}, false
	}
	out := source.Value{Pos: v.Pos, Kind: source.Map}
	good := true
	for i := range v.Map {
		f := &v.Map[i]
		at := c.in(f)
		key := source.Value{Pos: f.KeyPos, Kind: source.String, Text: f.Key}
		_, isPointer := pointerShape().check(at, &key)
		values, ok := valuesShape{}.check(at, &f.Value)
		good = good && isPointer && ok
		out.Map = append(out.Map, source.Field{Key: f.Key, KeyPos: f.KeyPos, Value: values})
	}
	return out, good
}

func (matchesShape) describe() description {
	values := valuesShape{}.describe()
	return description{
		form:   "an object of JSON pointers, each with a value or a list of values; null for any value",
		schema: &schema{Type: "object", Additional: values.schema, Names: pointerShape().schema, MinNames: 1},
	}
}

// decodeMatches returns what a checked object says, whatever the order in which it is written.
func decodeMatches(v *source.Value) []policy.Match {
	out := make([]policy.Match, 0, len(v.Map))
	for i := range v.Map {
		m := policy.Match{Pointer: v.Map[i].Key}
		for k := range v.Map[i].Value.List {
			m.Values = append(m.Values, v.Map[i].Value.List[k].Text)
		}
		out = append(out, m)
	}
	slices.SortFunc(out, func(a, b policy.Match) int { return cmp.Compare(a.Pointer, b.Pointer) })
	return out
}

// encodeMatches prints what decodeMatches would read.
func encodeMatches(matches []policy.Match) source.Value {
	out := source.Value{Kind: source.Map}
	for _, m := range matches {
		list := source.Value{Kind: source.List}
		for _, value := range m.Values {
			list.List = append(list.List, text(value))
		}
		out.Map = append(out.Map, source.Field{Key: m.Pointer, Value: list})
	}
	return out
}

// valuesShape is a value, a list of values, or null for any.
type valuesShape struct{}

func (valuesShape) check(c checker, v *source.Value) (source.Value, bool) {
	list := v
	switch v.Kind {
	case source.Null:
		return source.Value{Pos: v.Pos, Kind: source.List}, true
	case source.String, source.Number, source.Bool:
		list = &source.Value{Pos: v.Pos, Kind: source.List, List: []source.Value{*v}}
	case source.List, source.Map:
	}
	return listOf{item: plainValue{}, form: "a value or a list of values", example: "[failed]"}.check(c, list)
}

func (valuesShape) describe() description {
	one := plainValue{}.describe().schema
	many := listSchema(one)
	return description{form: "a value or a list of values", schema: (&schema{AnyOf: append(append([]*schema{}, one.AnyOf...), many)}).nullable()}
}
