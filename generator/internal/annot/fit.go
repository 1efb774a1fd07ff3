package annot

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/resgen-go/resgen/generator/internal/diag"
	"github.com/resgen-go/resgen/generator/internal/source"
	"github.com/resgen-go/resgen/runtime/policy"
)

// maxInput is the longest input that something can take, in tokens.
func maxInput[T any](doc string, at func(*T) *int64) field[T] {
	const most = 1_000_000_000
	f := countTo[T]("max-input", doc+" In tokens, as limits estimate them. What is longer is not sent there: it is `unfit`.", 1, most, nil)
	f.put = func(t *T, v *source.Value) { *at(t), _ = strconv.ParseInt(v.Text, 10, 64) }
	f.take = func(t *T) (source.Value, bool) { return integer(int(*at(t))), *at(t) != 0 }
	return f
}

// lacks is what something cannot do: what a request must not have.
func lacks[T any](doc string, at func(*T) *[]policy.Match) field[T] {
	return field[T]{
		key: "lacks",
		doc: doc + " JSON pointers into the request, where `*` stands for every item, or objects of pointers and values, such as " +
			"`{/messages/*/content/*/type: [image_url]}`: a request that has something there is `unfit`, and not sent. null, \"\" and [] are nothing.",
		shape: oneOrMore{
			listOf: listOf{item: lackShape{}, form: "a JSON pointer or a list of them", example: "[/tools, /response_format]"}, single: source.String,
		},
		put: func(t *T, v *source.Value) {
			for i := range v.List {
				if item := &v.List[i]; item.Kind == source.Map {
					*at(t) = append(*at(t), decodeMatches(item)...)
				} else {
					*at(t) = append(*at(t), policy.Match{Pointer: item.Text})
				}
			}
		},
		take: func(t *T) (source.Value, bool) {
			list := source.Value{Kind: source.List}
			for _, m := range *at(t) {
				item := text(m.Pointer)
				if len(m.Values) > 0 {
					item = encodeMatches([]policy.Match{m})
				}
				list.List = append(list.List, item)
			}
			return list, len(list.List) > 0
		},
	}
}

// lackPlaces are where what is decoded of them was written.
func lackPlaces(v *source.Value) []source.Pos {
	var places []source.Pos
	for i := range v.List {
		item := &v.List[i]
		if item.Kind != source.Map {
			places = append(places, item.Pos)
			continue
		}
		fields := slices.Clone(item.Map)
		slices.SortFunc(fields, func(a, b source.Field) int { return cmp.Compare(a.Key, b.Key) }) // as decodeMatches does
		for i := range fields {
			places = append(places, fields[i].KeyPos)
		}
	}
	return places
}

// lackShape is a JSON pointer, or pointers with values.
type lackShape struct{}

func (lackShape) check(c checker, v *source.Value) (source.Value, bool) {
	if v.Kind == source.Map {
		return matchesShape{}.check(c, v)
	}
	return pointerLike("/tools").check(c, v)
}

func (lackShape) describe() description {
	return description{
		form:   "a JSON pointer, or an object of pointers and values",
		schema: &schema{AnyOf: []*schema{pointerShape().schema, matchesShape{}.describe().schema}},
	}
}

// fitsSort reports what a rung that sends nothing is said not to take.
func fitsSort(c checker, v *source.Value) bool {
	for _, sort := range []string{"static", "cache"} {
		for _, key := range []string{"max-input", "lacks"} {
			if written(v, sort) && written(v, key) {
				c.bad(diag.ConflictingKeys, v.Get(key), "the rung "+quote(v.Get("name").Text)+" has `"+key+"`, and is of the sort `"+sort+"`",
					"it answers with what it has, whatever was asked", "remove `"+key+"`")
				return false
			}
		}
	}
	return true
}
