package plan

import (
	"strconv"
	"strings"

	"github.com/resgen-go/resgen/generator/internal/source"
	"github.com/resgen-go/resgen/runtime/policy"
)

// tree is annotations under merge: the values as their authors wrote them, and by path the layer that each leaf comes from. Null
// stays in the tree: it keeps lower values from being filled in.
type tree struct {
	value  source.Value
	layers map[string]string
}

func newTree() *tree {
	return &tree{value: source.Value{Kind: source.Map}, layers: map[string]string{}}
}

// lay lays an object of annotations over the tree: maps merge by key, lists and scalars replace, null removes.
func (t *tree) lay(v *source.Value, layer string) {
	if v.Kind == source.Map {
		t.merge(&t.value, v, "", layer)
	}
}

func (t *tree) merge(into, from *source.Value, path, layer string) {
	for i := range from.Map {
		f := &from.Map[i]
		at := steps(path, f.Key)
		if old := into.Get(f.Key); old != nil && old.Kind == source.Map && f.Value.Kind == source.Map {
			t.merge(old, &f.Value, at, layer)
			continue
		}
		t.forget(at)
		into.Set(source.Field{Key: f.Key, KeyPos: f.KeyPos, Value: f.Value.Clone()})
		t.mark(&f.Value, at, layer)
	}
}

// fill gives an object of the tree the keys that nobody wrote, in depth. Null is written.
func (t *tree) fill(key string, from *source.Value, layer string) {
	into := t.value.Get(key)
	if into == nil || into.Kind != source.Map || from == nil {
		return
	}
	t.fillIn(into, from, key, layer)
}

func (t *tree) fillIn(into, from *source.Value, path, layer string) {
	for i := range from.Map {
		f := &from.Map[i]
		at := steps(path, f.Key)
		switch old := into.Get(f.Key); {
		case old == nil:
			into.Set(source.Field{Key: f.Key, Value: f.Value.Clone()})
			t.mark(&f.Value, at, layer)
		case old.Kind == source.Map && f.Value.Kind == source.Map:
			t.fillIn(old, &f.Value, at, layer)
		}
	}
}

// set gives a leaf a text that was derived.
func (t *tree) set(path, text, layer string) {
	t.setLike(path, &source.Value{Kind: source.String, Text: text}, layer)
}

// setKinds gives a leaf a list of kinds that was derived.
func (t *tree) setKinds(path string, kinds []policy.Kind, layer string) {
	v := source.Value{Kind: source.List}
	for _, k := range kinds {
		v.List = append(v.List, source.Value{Kind: source.String, Text: k.String()})
	}
	t.setLike(path, &v, layer)
}

// setLike gives a leaf the value of another one, without its position: nobody wrote it there.
func (t *tree) setLike(path string, v *source.Value, layer string) {
	parent := &t.value
	keys := strings.Split(path, ".")
	for _, key := range keys[:len(keys)-1] {
		if child := parent.Get(key); child == nil || child.Kind != source.Map {
			parent.Set(source.Field{Key: key, Value: source.Value{Kind: source.Map}})
		}
		parent = parent.Get(key)
	}
	parent.Set(source.Field{Key: keys[len(keys)-1], Value: source.Value{Kind: v.Kind, Text: v.Text, List: v.List}})
	t.layers[path] = layer
}

func (t *tree) mark(v *source.Value, path, layer string) {
	if v.Kind != source.Map {
		t.layers[path] = layer
		return
	}
	for i := range v.Map {
		t.mark(&v.Map[i].Value, steps(path, v.Map[i].Key), layer)
	}
}

func (t *tree) forget(path string) {
	delete(t.layers, path)
	for p := range t.layers {
		if strings.HasPrefix(p, path+".") {
			delete(t.layers, p)
		}
	}
}

// written returns the value at a path, nil where there is none or where it was removed by null.
func (t *tree) written(path string) *source.Value {
	v := t.find(path)
	if v == nil || v.Kind == source.Null {
		return nil
	}
	return v
}

// find returns the value at a path such as "retry.backoff.base" or "fallback[1].when", null included; nil where there is none.
func (t *tree) find(path string) *source.Value {
	v := &t.value
	for step := range strings.SplitSeq(path, ".") {
		key, rest, indexed := strings.Cut(step, "[")
		if v = v.Get(key); v == nil {
			return nil
		}
		if !indexed {
			continue
		}
		i, err := strconv.Atoi(strings.TrimSuffix(rest, "]"))
		if err != nil || v.Kind != source.List || i < 0 || i >= len(v.List) {
			return nil
		}
		v = &v.List[i]
	}
	return v
}

func steps(path, key string) string {
	if path == "" {
		return key
	}
	return path + "." + key
}
