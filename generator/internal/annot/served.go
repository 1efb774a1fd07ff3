package annot

import (
	"github.com/resgen-go/resgen/generator/internal/source"
	"github.com/resgen-go/resgen/runtime/policy"
)

var servedEntry = Entry{
	Sort:  Fact,
	Title: "Who served",
	Text: "Says where an answer tells who gave it: a gateway, or the alias of a model, may have sent the request elsewhere. A JSON pointer points into " +
		"the answer, and of a stream into its items; `header` names a response header. It is told with the answer, in events and in spans. Towards a " +
		"`layered` target another than was asked for (`asked` points into the request, at `/model` where there is one) makes the answer degraded, " +
		"to `alternate`, and is an event; a dated version of what was asked for is that, and so is what `equal` lists. Where `tokens` are counted, or " +
		"a target is layered, presets of `errors` know the place.",
	Example: "served: {pointer: /model, asked: /model, equal: [gpt-4.1]}",
	Since:   "0.1",
	field: field[Settings]{
		key: "served", shape: servedShape{},
		put: func(s *Settings, v *source.Value) { servedKeys.decode(&s.Plan.Served, v) },
		take: func(s *Settings) (source.Value, bool) {
			v := servedKeys.encode(&s.Plan.Served)
			return v, len(v.Map) > 0
		},
	},
}

type served = policy.Served

var servedKeys = record[served]{
	pointerField("pointer", "Where the answer says who gave it.", "/model", func(s *served) *string { return &s.Pointer }),
	textField("header", "The response header that says so.", nameShape("the name of a header", "X-Model-Id", tokenPattern),
		func(s *served) *string { return &s.Header }),
	pointerField("asked", "Where the request says who is asked.", "/model", func(s *served) *string { return &s.Asked }),
	{
		key: "equal", doc: "What is as good as what is asked for.",
		shape: oneOrMore{
			listOf: listOf{item: textShape("gpt-4.1"), form: "a name or a list of them", example: "[gpt-4.1]", unique: true}, single: source.String,
		},
		put:  func(s *served, v *source.Value) { s.Equal = texts(v) },
		take: func(s *served) (source.Value, bool) { return textsValue(s.Equal), len(s.Equal) > 0 },
	},
}

// servedShape is an object, or a pointer into the answer alone.
type servedShape struct{}

func (servedShape) check(c checker, v *source.Value) (source.Value, bool) {
	if v.Kind != source.String {
		return servedKeys.check(c, v)
	}
	pointer, ok := pointerLike("/model").check(c, v)
	return source.Value{Pos: v.Pos, Kind: source.Map, Map: []source.Field{{Key: "pointer", KeyPos: v.Pos, Value: pointer}}}, ok
}

func (servedShape) describe() description {
	d, p := servedKeys.describe(), pointerLike("/model").describe()
	return description{form: "a JSON pointer, or an object", keys: d.keys, schema: &schema{AnyOf: []*schema{p.schema, d.schema}}}
}
