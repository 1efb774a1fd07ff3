package annot

import (
	"github.com/resgen-go/resgen/generator/internal/source"
	"github.com/resgen-go/resgen/runtime/policy"
)

var spaceEntry = Entry{
	Sort:  Fact,
	Title: "Vector space",
	Text: "Says that the answer lives in a vector space: an embedding, which is of use only beside others of the same model and length. " +
		"`model` and `dimensions` point into the request, at what chooses the space. A `target` rung, a hedge on another target, a `patch` that touches " +
		"one of the two and a cache whose `key` leaves one out are refused unless they say `same-space: \"reason\"`. `vectors` points into the answer, " +
		"at lists of numbers or text in base64, where `*` stands for every item: a vector of another length than was asked for, or than this operation " +
		"has answered before for the same model, is `decode`. Without it the vectors are looked for where embedding APIs have them. `space: true` is " +
		"short for a space of which nothing more is known; a Go method can have no more.",
	Example: "space: {model: /model, dimensions: /dimensions, vectors: /data/*/embedding}",
	Since:   "0.1",
	field: field[Settings]{
		key: "space", shape: spaceShape{},
		put: func(s *Settings, v *source.Value) {
			s.Plan.Space.On = v.Kind == source.Map || v.Text == "true"
			if v.Kind == source.Map {
				spaceKeys.decode(&s.Plan.Space, v)
			}
		},
		take: func(s *Settings) (source.Value, bool) {
			v := spaceKeys.encode(&s.Plan.Space)
			if len(v.Map) == 0 {
				v = source.Value{Kind: source.Bool, Text: "true"}
			}
			return v, s.Plan.Space.On
		},
	},
}

var spaceKeys = record[policy.Space]{
	pointerField("model", "Where the request names the model.", "/model", func(s *policy.Space) *string { return &s.Model }),
	pointerField("dimensions", "Where the request says how long vectors are to be.", "/dimensions", func(s *policy.Space) *string { return &s.Dimensions }),
	pointersField("vectors", "Where the answer has its vectors.", "/data/*/embedding", func(s *policy.Space) *[]string { return &s.Vectors }),
}

// sameSpace is the reason why something that may change the vector space does not.
func sameSpace[T any](doc string, at func(*T) *string) field[T] {
	return textOf("same-space", doc, `"the same model, served elsewhere"`, at)
}

// spaceShape is an object, or a boolean.
type spaceShape struct{}

func (spaceShape) check(c checker, v *source.Value) (source.Value, bool) {
	if v.Kind == source.Bool {
		return *v, true
	}
	return spaceKeys.check(c, v)
}

func (spaceShape) describe() description {
	d := spaceKeys.describe()
	return description{
		form: "an object, or `true`", keys: d.keys, schema: &schema{AnyOf: []*schema{{Type: "boolean"}, d.schema}},
	}
}

// pointersField is a key that is a JSON pointer, or a list of them.
func pointersField[T any](key, doc, example string, at func(*T) *[]string) field[T] {
	return field[T]{
		key: key, doc: doc, shape: oneOrMore{
			listOf: listOf{item: pointerLike(example), form: "a JSON pointer or a list of them", example: "[" + example + "]", unique: true}, single: source.String,
		},
		put:  func(t *T, v *source.Value) { *at(t) = texts(v) },
		take: func(t *T) (source.Value, bool) { return textsValue(*at(t)), len(*at(t)) > 0 },
	}
}
