package annot

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/resgen-go/resgen/generator/internal/source"
)

// section is an object whose keys are annotations: what stands at an operation, in defaults, in a named policy, in a rule.
type section struct {
	// title names the section in diagnostics.
	title  string
	tables [][]Entry
}

func (s section) check(c checker, v *source.Value) (source.Value, bool) {
	if v.Kind != source.Map {
		c.wrongType(v, "an object of annotations", "{retry: {attempts: 2}}")
		return source.Value{}, false
	}
	out := source.Value{Pos: v.Pos, Kind: source.Map}
	for i := range v.Map {
		f := &v.Map[i]
		known := s.find(f.Key)
		if known == nil {
			s.refuse(c, f)
			continue
		}
		at := c.in(f)
		if example, ok := strings.CutPrefix(known.Example, f.Key+": "); ok && !strings.Contains(example, "\n") {
			at.whole = cmp.Or(known.brief, example)
		}
		if value, ok := checkField(at, known.field.shape, &f.Value); ok {
			out.Map = append(out.Map, source.Field{Key: f.Key, KeyPos: f.KeyPos, Value: value})
		}
	}
	spellOut(c, &out)
	return out, true
}

// refuse reports a key that is unknown, or known elsewhere.
func (s section) refuse(c checker, f *source.Field) {
	switch {
	case find(facts, f.Key) != nil:
		c.misplaced(f, s.title, "facts say what an operation is; policies are what is done about it", placeOfFacts(s.title))
	case find(policies, f.Key) != nil:
		c.misplaced(f, s.title, "policies are what is done about an operation; facts say what it is", "move it to `set`")
	case slices.Contains(sharedKeys, f.Key):
		c.misplaced(f, s.title, "it is shared by all operations", "move it to the top of the document's x-resilience, or of the policy file")
	default:
		c.unknownKey(f, s.keys())
	}
}

func placeOfFacts(title string) string {
	if title == policiesSection.title {
		return "move it to `facts`"
	}
	return "move it to the operation, or to `defaults`"
}

func (s section) find(key string) *Entry {
	for _, table := range s.tables {
		if e := find(table, key); e != nil {
			return e
		}
	}
	return nil
}

func find(table []Entry, key string) *Entry {
	i := slices.IndexFunc(table, func(e Entry) bool { return e.field.key == key })
	if i < 0 {
		return nil
	}
	return &table[i]
}

// keys are the keys that are supported, those that are not are no good suggestions.
func (s section) keys() []string {
	names := map[string]bool{}
	for _, table := range s.tables {
		for i := range table {
			if table[i].Supported() {
				names[table[i].field.key] = true
			}
		}
	}
	return slices.Sorted(maps.Keys(names))
}

func (s section) describe() description {
	d := description{form: "object", schema: &schema{Type: "object", Properties: map[string]*schema{}, Closed: true}}
	for _, table := range s.tables {
		for i := range table {
			e := &table[i]
			if e.Supported() {
				d.schema.Properties[e.field.key] = e.field.shape.describe().schema.nullable().described(e.Text)
			}
		}
	}
	return d
}
