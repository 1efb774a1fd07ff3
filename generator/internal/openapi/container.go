package openapi

import "github.com/resgen-go/resgen/generator/internal/source"

// container returns what a map or list is, where authors of many files wrote a reference in its place: `paths: {$ref: paths.yaml}`. The
// specification has references in fewer places.
func (r *resolver) container(s spot) spot {
	if !isRefAlone(s.node) {
		return s
	}
	if target, ok := r.resolve(s); ok {
		return target
	}
	return s
}

// containerOf is container for the value of a keyword; what is no map or list, or is too long, is not one.
func (r *resolver) containerOf(w want, s spot) spot {
	kind := source.Map
	if w == wantList {
		kind = source.List
	}
	target := r.container(s)
	if target.node.Kind != kind || len(target.node.Map)+len(target.node.List) > maxMembers {
		return s
	}
	return target
}

// isRefAlone reports a $ref with nothing beside it.
func isRefAlone(node *source.Value) bool { return refOf(node) != nil && len(node.Map) == 1 }

// components returns the components of a section of a file.
func (r *resolver) components(f *file, of string) spot {
	return r.container(r.container(spot{file: f, node: f.tree}.get("components")).get(of))
}

// sameByName returns what a schema is that is only another name for one of that very name: the component Pet that refers to Pet.yaml.
func (r *resolver) sameByName(s spot) spot {
	for range maxHops {
		if !isRefAlone(s.node) {
			break
		}
		next, err := r.lookup(s, refOf(s.node).Text)
		if err != nil {
			break
		}
		name, _ := nameOf(s)
		if nextName, _ := nameOf(next); name == "" || name != nextName {
			break
		}
		s = next
	}
	return s
}
