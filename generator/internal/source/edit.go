package source

import "slices"

// Clone returns a deep copy: changing one does not change the other.
func (v *Value) Clone() Value {
	out := *v
	out.Map = slices.Clone(v.Map)
	for i := range out.Map {
		out.Map[i].Value = v.Map[i].Value.Clone()
	}
	out.List = slices.Clone(v.List)
	for i := range out.List {
		out.List[i] = v.List[i].Clone()
	}
	return out
}

// Set gives a map a field: the value of a key that it has is replaced and takes the new key's position, any other is appended.
// It does nothing where v is no map.
func (v *Value) Set(f Field) {
	if v.Kind != Map {
		return
	}
	for i := range v.Map {
		if v.Map[i].Key == f.Key {
			v.Map[i] = f
			return
		}
	}
	v.Map = append(v.Map, f)
}

// Delete removes what steps lead to from its map or list, and reports whether it was there. The root cannot be removed.
func (v *Value) Delete(steps ...string) bool {
	if len(steps) == 0 {
		return false
	}
	last := steps[len(steps)-1]
	parent := v.At(steps[:len(steps)-1]...)
	if parent == nil || parent.child(last) == nil {
		return false
	}
	if parent.Kind == Map {
		parent.Map = slices.DeleteFunc(parent.Map, func(f Field) bool { return f.Key == last })
		return true
	}
	i, _ := listIndex(last)
	parent.List = slices.Delete(parent.List, i, i+1)
	return true
}

// Equal reports whether two trees say the same: kinds, texts and items in order, and fields whatever their order. Positions do
// not count.
func (v *Value) Equal(w *Value) bool {
	if v == nil || w == nil {
		return v == w
	}
	if v.Kind != w.Kind || v.Text != w.Text || len(v.List) != len(w.List) || len(v.Map) != len(w.Map) {
		return false
	}
	for i := range v.List {
		if !v.List[i].Equal(&w.List[i]) {
			return false
		}
	}
	for i := range v.Map {
		f, other := &v.Map[i], &w.Map[i]
		if other.Key != f.Key {
			value := w.Get(f.Key)
			if value == nil || !f.Value.Equal(value) {
				return false
			}
			continue
		}
		if !f.Value.Equal(&other.Value) {
			return false
		}
	}
	return true
}

// TextAt makes a text as if it were written at a position.
func TextAt(pos Pos, s string) Value { return Value{Pos: pos, Kind: String, Text: s} }

// FieldAt makes a field whose key is where its value is.
func FieldAt(key string, v Value) Field { return Field{Key: key, KeyPos: v.Pos, Value: v} }
