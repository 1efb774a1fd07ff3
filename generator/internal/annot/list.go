package annot

import (
	"strconv"

	"github.com/resgen-go/resgen/generator/internal/diag"
	"github.com/resgen-go/resgen/generator/internal/source"
)

// listOf is a list of which each item has one shape, and passes a further test of its own where there is one.
type listOf struct {
	item    shape
	form    string
	example string
	whole   func(c checker, v *source.Value) bool
	// unique says that each item may stand there once.
	unique bool
}

// LongestList is how many items a list may have.
const LongestList = 1000

func (s listOf) check(c checker, v *source.Value) (source.Value, bool) {
	if v.Kind != source.List {
		c.wrongType(v, s.form, s.likely(v))
		return source.Value{}, false
	}
	if len(v.List) == 0 || len(v.List) > LongestList {
		c.bad(diag.BadValue, v, c.quoted()+" must have from 1 to "+strconv.Itoa(LongestList)+" items, not "+strconv.Itoa(len(v.List)),
			"an empty list says nothing; null removes what lower layers say", "write "+c.put(s.example)+" or "+c.put("null"))
		return source.Value{}, false
	}
	out := source.Value{Pos: v.Pos, Kind: source.List}
	good := true
	for i := range v.List {
		at := c.item(i, &v.List[i])
		item, ok := s.item.check(at, &v.List[i])
		whole := len(item.Map) >= len(v.List[i].Map) // a key that was refused is reported already
		if ok && whole && (s.whole == nil || s.whole(at, &item)) {
			out.List = append(out.List, item)
			continue
		}
		good = false
	}
	return out, good && (!s.unique || distinct(c, &out))
}

// likely is the list that the author of a value without brackets may have meant.
func (s listOf) likely(v *source.Value) string {
	item, isScalar := s.item.(scalar)
	if isScalar && v.Kind == item.kind && (item.test == nil || item.test(v.Text) == "") {
		return "[" + Flow(v) + "]"
	}
	return s.example
}

// distinct reports scalars that stand in a list twice.
func distinct(c checker, list *source.Value) bool {
	first := map[string]source.Pos{}
	good := true
	for i := range list.List {
		item := &list.List[i]
		pos, twice := first[item.Text]
		if !twice {
			first[item.Text] = item.Pos
			continue
		}
		good = false
		c.add(diag.Diagnostic{
			Code: diag.ConflictingKeys, Span: span(item), What: quote(item.Text) + " stands in " + c.quoted() + " twice",
			Why: "the second says nothing, so it was meant to be another one", Fix: "remove it, or name another one",
			Related: []diag.Related{{Span: source.Span{Pos: pos, Len: len(item.Text)}, What: "the first is here"}},
		})
	}
	return good
}

func (s listOf) describe() description {
	item := s.item.describe()
	list := listSchema(item.schema)
	list.UniqueItems = s.unique
	return description{form: s.form, keys: item.keys, schema: list}
}

// named is an object whose keys are names that the author gives.
type named struct {
	of   shape
	form string
	// builtIn are names that cannot be given.
	builtIn []string
}

func (s named) check(c checker, v *source.Value) (source.Value, bool) {
	if v.Kind != source.Map {
		c.wrongType(v, s.form, "{NAME: ...}")
		return source.Value{}, false
	}
	out := source.Value{Pos: v.Pos, Kind: source.Map}
	for i := range v.Map {
		f := &v.Map[i]
		if !s.nameOK(c, f) {
			continue
		}
		value, ok := checkField(c.in(f), s.of, &f.Value)
		if !ok { // the name stays known, so that those who refer to it are not reported too
			value = source.Value{Pos: f.Value.Pos, Kind: source.Map}
		}
		out.Map = append(out.Map, source.Field{Key: f.Key, KeyPos: f.KeyPos, Value: value})
	}
	return out, true
}

func (s named) nameOK(c checker, f *source.Field) bool {
	what, why, fix := "", "", ""
	for _, b := range s.builtIn {
		if f.Key == b {
			what, why, fix = "the name "+quote(b)+" is built in", "two things of one name could not be told apart", "choose another name"
		}
	}
	if !namePattern.MatchString(f.Key) {
		what, why = quote(f.Key)+" is no name", "names stand in logs, metrics and options"
		fix = "begin with a letter and use letters, digits, `.`, `_` and `-`, at most 64 in all"
	}
	if what == "" {
		return true
	}
	c.add(diag.Diagnostic{Code: diag.BadValue, Span: keySpan(f), What: what, Why: why, Fix: fix})
	return false
}

func (s named) describe() description {
	of := s.of.describe()
	return description{form: s.form, keys: of.keys, schema: &schema{
		Type: "object", Additional: of.schema.nullable(), Names: &schema{Pattern: namePattern.String()},
	}}
}
