package annot

import (
	"fmt"
	"slices"
	"strings"

	"github.com/resgen-go/resgen/generator/internal/diag"
	"github.com/resgen-go/resgen/generator/internal/source"
	"github.com/resgen-go/resgen/runtime/policy"
)

// enum is a value that spells itself as annotations do.
type enum interface {
	comparable
	fmt.Stringer
}

// oneOf is a key that has one of a few values.
func oneOf[T any, E enum](key, doc string, values []E, at func(*T) *E) field[T] {
	names := make([]string, len(values))
	for i, v := range values {
		names[i] = v.String()
	}
	return field[T]{
		key: key, doc: doc, shape: choiceShape{names: names},
		put: func(t *T, v *source.Value) { *at(t) = values[max(slices.Index(names, v.Text), 0)] },
		take: func(t *T) (source.Value, bool) {
			var zero E
			return text((*at(t)).String()), *at(t) != zero
		},
	}
}

type choiceShape struct {
	names []string
}

func (s choiceShape) check(c checker, v *source.Value) (source.Value, bool) {
	switch {
	case v.Kind != source.String:
		c.wrongType(v, oneOfThese(s.names), s.names[0])
	case slices.Contains(s.names, v.Text):
		return *v, true
	default:
		c.unknownName(v, "value of "+c.quoted(), s.names)
	}
	return source.Value{}, false
}

func (s choiceShape) describe() description {
	form := "`" + strings.Join(s.names, "` / `") + "`"
	return description{form: form, schema: &schema{Enum: s.names}}
}

func oneOfThese(names []string) string { return "one of " + strings.Join(names, ", ") }

// kindsShape is a list of kinds. A single kind may stand for a list of one, as it does in a directive.
type kindsShape struct {
	// known are the names that may stand here; other kinds are refused with why.
	known []string
	why   string
}

func (s kindsShape) check(c checker, v *source.Value) (source.Value, bool) {
	list := source.Value{Pos: v.Pos, Kind: source.List, List: v.List}
	if v.Kind == source.String {
		list.List = []source.Value{*v}
	} else if v.Kind != source.List {
		c.wrongType(v, "a list of kinds", "["+s.known[0]+"]")
		return source.Value{}, false
	}
	if len(list.List) == 0 {
		c.bad(diag.BadValue, v, c.quoted()+" is an empty list", "it would be a policy that never acts",
			"name the kinds, or remove the key; the kinds here are "+oneOfThese(s.known))
		return source.Value{}, false
	}
	good := true
	for i := range list.List {
		good = s.item(c.item(i, &list.List[i]), &list.List[i]) && good
	}
	return list, good
}

func (s kindsShape) item(c checker, v *source.Value) bool {
	if v.Kind != source.String {
		c.bad(diag.WrongType, v, c.quoted()+" must be a kind, not "+aKind(v.Kind), "kinds are names", "write "+oneOfThese(s.known))
		return false
	}
	if slices.Contains(s.known, v.Text) {
		return true
	}
	if _, isKind := policy.ParseKind(v.Text); isKind {
		c.bad(diag.BadValue, v, "the kind "+quote(v.Text)+" cannot stand in "+c.quoted(), s.why, "remove it from the list")
		return false
	}
	c.unknownName(v, "kind", s.known)
	return false
}

func (s kindsShape) describe() description {
	return description{
		form:   "a list of kinds",
		schema: &schema{AnyOf: []*schema{{Type: "array", Items: &schema{Enum: s.known}, MinItems: 1}, {Enum: s.known}}},
	}
}

// kindNames are the names of the kinds that pass a test.
func kindNames(pass func(policy.Kind) bool) []string {
	var names []string
	for _, k := range policy.Kinds() {
		if pass(k) {
			names = append(names, k.String())
		}
	}
	return names
}

// parseKinds reads a checked list of kinds, without those that stand there twice.
func parseKinds(v *source.Value) []policy.Kind {
	var kinds []policy.Kind
	for i := range v.List {
		if k, ok := policy.ParseKind(v.List[i].Text); ok && !slices.Contains(kinds, k) {
			kinds = append(kinds, k)
		}
	}
	return kinds
}

func kindsValue(kinds []policy.Kind) source.Value {
	v := source.Value{Kind: source.List}
	for _, k := range kinds {
		v.List = append(v.List, text(k.String()))
	}
	return v
}
