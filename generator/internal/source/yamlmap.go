package source

import "go.yaml.in/yaml/v4"

// mapping reads a map. Fields of a merge key stand where the merge key does, without those that the map writes itself.
func (r *yamlReader) mapping(n *yaml.Node, depth int) (Value, *Error) {
	v := Value{Pos: r.pos(n), Kind: Map, Map: make([]Field, 0, len(n.Content)/2)}
	if err := r.collectionTag(n, tagMap); err != nil {
		return Value{}, err
	}
	own, err := r.ownKeys(n)
	if err != nil {
		return Value{}, err
	}
	var merged keySet
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, child := n.Content[i], n.Content[i+1]
		if isMerge(key) {
			if v.Map, err = r.merge(v.Map, child, own, &merged, depth); err != nil {
				return Value{}, err
			}
			continue
		}
		text, _ := keyText(key)
		value, err := r.value(child, depth+1)
		if err != nil {
			return Value{}, err
		}
		if at := own.find(text); own.spans[at].Pos == r.pos(key) {
			v.Map = append(v.Map, Field{Key: text, KeyPos: r.pos(key), Value: value})
		}
	}
	return v, nil
}

// ownKeys collects the keys that a map writes itself, and reports those that it writes twice.
func (r *yamlReader) ownKeys(n *yaml.Node) (*keySet, *Error) {
	var own keySet
	for i := 0; i+1 < len(n.Content); i += 2 {
		key := n.Content[i]
		if isMerge(key) {
			continue
		}
		text, ok := keyText(key)
		if !ok {
			return nil, &Error{
				Span: Span{Pos: r.pos(key)}, What: "a key that is an object or a list",
				Why: "keys of a document are text", Fix: "write the key as a string",
			}
		}
		span := Span{Pos: r.pos(key), Len: len(text)}
		if first, dup := own.add(text, span); dup && r.inAlias == 0 {
			if err := r.duplicate(text, span, first); err != nil {
				return nil, err
			}
		}
	}
	return &own, nil
}

// keyText is a key as it is written: 200, true and null are "200", "true" and "null".
func keyText(n *yaml.Node) (string, bool) {
	if n.Kind == yaml.AliasNode {
		n = n.Alias
	}
	return n.Value, n.Kind == yaml.ScalarNode
}

func isMerge(key *yaml.Node) bool {
	if key.Kind != yaml.ScalarNode || key.Value != "<<" {
		return false
	}
	return key.Tag == tagMerge || key.Style == 0
}

// merge appends the fields of what a merge key names: a map, an alias of one, or a list of them, of which the first counts.
func (r *yamlReader) merge(to []Field, from *yaml.Node, own, merged *keySet, depth int) ([]Field, *Error) {
	source := from
	if from.Kind == yaml.AliasNode {
		if err := r.checkCycle(from); err != nil {
			return nil, err
		}
		source = from.Alias
	}
	switch source.Kind {
	case yaml.MappingNode:
		value, err := r.value(from, depth)
		if err != nil {
			return nil, err
		}
		for _, f := range value.Map {
			if own.find(f.Key) >= 0 {
				continue
			}
			if _, dup := merged.add(f.Key, Span{Pos: f.KeyPos}); !dup {
				to = append(to, f)
			}
		}
		return to, nil
	case yaml.SequenceNode:
		return r.mergeList(to, source, own, merged, depth)
	default:
		return nil, r.badMerge(from)
	}
}

func (r *yamlReader) mergeList(to []Field, list *yaml.Node, own, merged *keySet, depth int) ([]Field, *Error) {
	for _, item := range list.Content {
		target := item
		if item.Kind == yaml.AliasNode {
			target = item.Alias
		}
		if target.Kind != yaml.MappingNode {
			return nil, r.badMerge(item)
		}
		var err *Error
		if to, err = r.merge(to, item, own, merged, depth); err != nil {
			return nil, err
		}
	}
	return to, nil
}

func (r *yamlReader) badMerge(n *yaml.Node) *Error {
	return &Error{
		Span: Span{Pos: r.pos(n)}, What: "the merge key << names no object",
		Why: "a merge key takes an object, an alias of one, or a list of them", Fix: `quote the key as "<<" if no merge is meant`,
	}
}
