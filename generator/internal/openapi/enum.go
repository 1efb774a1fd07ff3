package openapi

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/getkin/kin-openapi/openapi3"

	"github.com/resgen-go/resgen/generator/internal/diag"
	"github.com/resgen-go/resgen/generator/internal/model"
	"github.com/resgen-go/resgen/generator/internal/source"
)

// enum makes the type of a scalar with known values: those that every leaf with enum or const allows. It is none where no leaf
// has any, for values that are no scalars or go beyond 64 bits, and for a boolean that may be both. It is not possible where leaves share no value.
func (c *converter) enum(leaves []part, kind string) (out model.Enum, isEnum, isPossible bool) {
	base, ok := enumBase(leaves, kind)
	if !ok {
		return out, false, true
	}
	out.Base = base
	isPossible = true
	isFirst, isLenient := true, c.isLenient
	c.isLenient = false
	for _, leaf := range leaves {
		if len(leaf.values()) == 0 {
			continue
		}
		values := c.enumValues(leaf, kind)
		if isFirst {
			out.Values, isFirst = values, false
			continue
		}
		if isLenient {
			have := textsOf(out.Values)
			out.Values = append(out.Values, slices.DeleteFunc(values, func(v model.EnumValue) bool { return have[v.Text] })...)
			continue
		}
		wasPossible := len(out.Values) > 0 && len(values) > 0
		too := textsOf(values)
		out.Values = slices.DeleteFunc(out.Values, func(v model.EnumValue) bool { return !too[v.Text] })
		isPossible = isPossible && (len(out.Values) > 0 || !wasPossible)
	}
	const bothBools = 2
	isEnum = len(out.Values) > 0 && (kind != openapi3.TypeBoolean || len(out.Values) < bothBools)
	return out, isEnum && (kind != openapi3.TypeInteger || allFit(out.Values)), isPossible
}

// allFit reports whether all values are integers of 64 bits; a larger one keeps its digits as a number.
func allFit(values []model.EnumValue) bool {
	return !slices.ContainsFunc(values, func(v model.EnumValue) bool {
		_, err := strconv.ParseInt(v.Text, 10, 64)
		return err != nil
	})
}

// textsOf are the texts of values.
func textsOf(values []model.EnumValue) map[string]bool {
	texts := make(map[string]bool, len(values))
	for i := range values {
		texts[values[i].Text] = true
	}
	return texts
}

// enumBase returns what an enum's values are made of.
func enumBase(leaves []part, kind string) (model.PrimitiveKind, bool) {
	switch kind {
	case openapi3.TypeString:
		return model.String, true
	case openapi3.TypeBoolean:
		return model.Bool, true
	case openapi3.TypeNumber:
		return model.Float64, true
	case openapi3.TypeInteger:
		if slices.ContainsFunc(leaves, func(p part) bool { return integerKind(p.kin().Format, nil) == model.Int64 }) {
			return model.Int64, true
		}
		return model.Int, true
	default:
		return 0, false
	}
}

// enumValues returns the values of one leaf that are of a kind, without null and repetitions. One that its type rules out is
// reported and left out.
func (c *converter) enumValues(leaf part, kind string) []model.EnumValue {
	var out []model.EnumValue
	have := map[string]bool{}
	names, docs := leaf.node.Get("x-enum-varnames"), leaf.node.Get("x-enum-descriptions")
	if names == nil {
		names = leaf.node.Get("x-enumNames")
	}
	for i, v := range leaf.values() {
		text, ok := enumText(&v, kind)
		isOfAnotherType := v.Kind == source.Null || leaf.only != "" && !isOfKind(v, leaf.only)
		switch {
		case isOfAnotherType:
		case !ok:
			c.warn(diag.MalformedKeyword, v.Pos, "the enum's value "+strconv.Quote(v.Text)+" is no "+kind+", and is left out",
				"no value of the schema's type can be equal to it", "correct the value, or the type")
		case !have[text]:
			have[text] = true
			out = append(out, model.EnumValue{Text: text, Name: nth(names, i), Doc: nth(docs, i)})
		}
	}
	return out
}

// isOfKind reports whether a value is of a type. An integer is a number too.
func isOfKind(v source.Value, kind string) bool {
	kinds := kindsOfValues([]source.Value{v})
	return slices.Contains(kinds, kind) || kind == openapi3.TypeNumber && slices.Contains(kinds, openapi3.TypeInteger)
}

func nth(list *source.Value, i int) string {
	if list == nil || i >= len(list.List) {
		return ""
	}
	return list.List[i].Text
}

// enumText returns a value as the model spells it: the string itself, or a number's digits. Authors forget quotes, in both
// directions.
func enumText(v *source.Value, kind string) (string, bool) {
	if v.Kind == source.Map || v.Kind == source.List {
		return "", false
	}
	switch kind {
	case openapi3.TypeString:
		return cmp.Or(v.Written, v.Text), true
	case openapi3.TypeBoolean:
		return v.Text, v.Text == "true" || v.Text == "false"
	case openapi3.TypeInteger:
		return wholeNumber(v.Text)
	default:
		_, err := strconv.ParseFloat(v.Text, 64)
		return v.Text, err == nil && v.Kind == source.Number
	}
}

// kindsOfValues returns the types of values, null aside, in the order in which they are met.
func kindsOfValues(values []source.Value) []string {
	var out []string
	for i := range values {
		kind := ""
		switch v := &values[i]; v.Kind {
		case source.Bool:
			kind = openapi3.TypeBoolean
		case source.String:
			kind = openapi3.TypeString
		case source.Map:
			kind = openapi3.TypeObject
		case source.List:
			kind = openapi3.TypeArray
		case source.Number:
			kind = openapi3.TypeNumber
			if _, isWhole := wholeNumber(v.Text); isWhole {
				kind = openapi3.TypeInteger
			}
		case source.Null:
			continue
		}
		if !slices.Contains(out, kind) {
			out = append(out, kind)
		}
	}
	return out
}

// scalars are the known values of alternatives that are all scalars of one kind.
type scalars struct {
	kind   string
	leaves []part
	values []model.EnumValue
	// isOpen says that any string is among them.
	isOpen bool
	// seen are the alternatives that were looked at, texts those of the values.
	seen, texts map[string]bool
}

func newScalars() scalars { return scalars{seen: map[string]bool{}, texts: map[string]bool{}} }

// enumOf makes one enum of alternatives that are enums or constants of one kind, and of "a string, or one of these": enums keep
// values that they do not know, so that the string is in them.
func (c *converter) enumOf(alternatives []conjunction) (model.Type, bool) {
	all := newScalars()
	if !c.gatherScalars(alternatives, &all) || len(all.values) == 0 {
		return nil, false
	}
	base, ok := enumBase(all.leaves, all.kind)
	const bothBools = 2
	if all.kind == openapi3.TypeBoolean && len(all.values) == bothBools {
		return model.Primitive{Kind: model.Bool}, true
	}
	return model.Enum{Base: base, Values: all.values}, ok
}

// gatherScalars adds the values of alternatives. It fails where one of them is no such scalar.
func (c *converter) gatherScalars(alternatives []conjunction, into *scalars) bool {
	for _, k := range alternatives {
		if into.seen[k.key()] {
			continue
		}
		into.seen[k.key()] = true
		if c.gathered++; c.gathered > maxGathered {
			return false
		}
		members, _ := c.members(k)
		leaves, ok := c.leaves(members)
		if !ok || len(leaves) == 0 {
			return false
		}
		if len(leaves) == 1 && c.hasVariants(leaves[0]) {
			nested, _ := alternativesOf(leaves[0].place)
			c.gathered += len(nested)
			if !c.gatherScalars(onlyEach(nested), into) {
				return false
			}
			continue
		}
		kinds, _ := commonKinds(leaves)
		if len(kinds) != 1 || into.kind != "" && kinds[0] != into.kind || slices.ContainsFunc(leaves, c.hasVariants) {
			return false
		}
		into.kind = kinds[0]
		if !c.addScalar(leaves, into) {
			return false
		}
	}
	return true
}

func onlyEach(places []place) []conjunction {
	out := make([]conjunction, len(places))
	for i, p := range places {
		out[i] = only(p)
	}
	return out
}

// addScalar adds the values of one alternative. A plain string adds none. A constant's title is its name.
func (c *converter) addScalar(leaves []part, into *scalars) bool {
	enum, ok, isPossible := c.enum(leaves, into.kind)
	if !isPossible || !ok && into.kind == openapi3.TypeBoolean {
		return false
	}
	if !ok {
		into.isOpen = true
		return primitive(leaves, into.kind) == model.Primitive{Kind: model.String}
	}
	into.leaves = append(into.leaves, leaves...)
	if len(enum.Values) == 1 {
		for _, leaf := range leaves {
			title, doc, _ := leaf.describes()
			if leaf.has("const") && enum.Values[0].Name == "" {
				enum.Values[0].Name, enum.Values[0].Doc = title, doc
			}
		}
	}
	for _, v := range enum.Values {
		if !into.texts[v.Text] {
			into.texts[v.Text] = true
			into.values = append(into.values, v)
		}
	}
	return true
}
