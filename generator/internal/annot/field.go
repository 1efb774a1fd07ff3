package annot

import (
	"cmp"

	"github.com/resgen-go/resgen/generator/internal/source"
)

// shape says what a value must look like.
type shape interface {
	// check reports what is wrong with v and returns what is right of it, short forms written out; false means that nothing is.
	check(c checker, v *source.Value) (source.Value, bool)
	// describe says the same to readers and to editors.
	describe() description
}

// description is a shape for the reference page and the JSON Schema.
type description struct {
	// form is the value in a few words, such as "duration".
	form string
	// keys are the keys of an object, or of the objects of a list.
	keys   []keyDoc
	schema *schema
}

// keyDoc is one key of an object.
type keyDoc struct {
	key, doc string
	value    description
}

// field is one key of an object that is decoded into a T.
type field[T any] struct {
	key   string
	doc   string
	shape shape
	// put stores a checked value, take prints it back; take answers false where T holds the zero value.
	put  func(into *T, v *source.Value)
	take func(from *T) (source.Value, bool)
}

// record is an object with known keys: the one table from which it is checked, decoded, printed and documented.
type record[T any] []field[T]

func (r record[T]) check(c checker, v *source.Value) (source.Value, bool) {
	if v.Kind != source.Map {
		c.wrongType(v, "an object", cmp.Or(c.whole, r.example()))
		return source.Value{}, false
	}
	out := source.Value{Pos: v.Pos, Kind: source.Map}
	for i := range v.Map {
		f := &v.Map[i]
		known := r.find(f.Key)
		if known == nil {
			c.unknownKey(f, r.keys())
			continue
		}
		if value, ok := checkField(c.in(f), known.shape, &f.Value); ok {
			out.Map = append(out.Map, source.Field{Key: f.Key, KeyPos: f.KeyPos, Value: value})
		}
	}
	return out, true
}

// checkField checks the value of a key. Null is right for every key: it removes what lower layers say.
func checkField(c checker, s shape, v *source.Value) (source.Value, bool) {
	if v.Kind == source.Null {
		return *v, true
	}
	return s.check(c, v)
}

func (r record[T]) describe() description {
	d := description{form: "object", schema: &schema{Type: "object", Properties: map[string]*schema{}, Closed: true}}
	for _, f := range r {
		value := f.shape.describe()
		d.keys = append(d.keys, keyDoc{key: f.key, doc: f.doc, value: value})
		d.schema.Properties[f.key] = value.schema.nullable().described(f.doc)
	}
	return d
}

// decode stores what a checked object says. Null says nothing.
func (r record[T]) decode(into *T, v *source.Value) {
	for i := range v.Map {
		f := r.find(v.Map[i].Key)
		if f != nil && f.put != nil && v.Map[i].Value.Kind != source.Null {
			f.put(into, &v.Map[i].Value)
		}
	}
}

// encode prints what decode would read, without what is zero.
func (r record[T]) encode(from *T) source.Value {
	out := source.Value{Kind: source.Map}
	for _, f := range r {
		if f.take == nil {
			continue
		}
		if v, ok := f.take(from); ok {
			out.Map = append(out.Map, source.Field{Key: f.key, Value: v})
		}
	}
	return out
}

func (r record[T]) find(key string) *field[T] {
	for i := range r {
		if r[i].key == key {
			return &r[i]
		}
	}
	return nil
}

// keys are the names of the keys.
func (r record[T]) keys() []string {
	keys := make([]string, 0, len(r))
	for _, f := range r {
		keys = append(keys, f.key)
	}
	return keys
}

// example spells the object in short, for a fix.
func (r record[T]) example() string {
	if len(r) == 0 {
		return "{}"
	}
	return "{" + r[0].key + ": ...}"
}

// object is a key whose value is an object of its own.
func object[T, U any](key, doc string, of record[U], at func(*T) *U) field[T] {
	return field[T]{
		key: key, doc: doc, shape: of,
		put:  func(t *T, v *source.Value) { of.decode(at(t), v) },
		take: func(t *T) (source.Value, bool) { v := of.encode(at(t)); return v, len(v.Map) > 0 },
	}
}
