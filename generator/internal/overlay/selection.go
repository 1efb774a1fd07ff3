package overlay

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"

	"github.com/theory/jsonpath"
	"github.com/theory/jsonpath/spec"

	"github.com/resgen-go/resgen/generator/internal/diag"
	"github.com/resgen-go/resgen/generator/internal/source"
)

// location is the way to a value: keys, and indexes as RFC 6901 writes them.
type location []string

// find returns the places that a query matches, each once, in a fixed order in which a value comes before what is in it. It fails
// only where the library does.
func (e *editor) find(q query) (found []location, ok bool) {
	nodes, err := selectNodes(q.path, e.mirror)
	if err != nil {
		e.list.Add(diag.Diagnostic{
			Code: diag.OverlayTarget, Span: q.span(), What: fmt.Sprintf("the target %q cannot be evaluated: %v", q.text, err),
			Why: "the query compares what cannot be compared", Fix: "write a simpler target",
		})
		return nil, false
	}
	nodes.Sort()
	nodes = nodes.Deduplicate()
	found = make([]location, len(nodes))
	for i, node := range nodes {
		found[i] = locationOf(node.Path)
	}
	return found, true
}

// selectNodes runs the library, and turns its panics on odd comparisons into errors: a target is text of the user.
func selectNodes(path *jsonpath.Path, mirror any) (nodes jsonpath.LocatedNodeList, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("%v", p)
		}
	}()
	return path.SelectLocated(mirror), nil
}

func locationOf(path spec.NormalizedPath) location {
	out := make(location, len(path))
	for i, step := range path {
		switch step := step.(type) {
		case spec.Name:
			out[i] = string(step)
		case spec.Index:
			out[i] = strconv.Itoa(int(step))
		}
	}
	return out
}

// reflection makes the Go maps and slices that the library selects from.
func reflection(v *source.Value) any {
	switch v.Kind {
	case source.Map:
		out := make(map[string]any, len(v.Map))
		for i := range v.Map {
			out[v.Map[i].Key] = reflection(&v.Map[i].Value)
		}
		return out
	case source.List:
		out := make([]any, len(v.List))
		for i := range v.List {
			out[i] = reflection(&v.List[i])
		}
		return out
	case source.Bool:
		return v.Text == "true"
	case source.Number:
		return json.Number(v.Text)
	case source.String:
		return v.Text
	case source.Null:
		return nil
	default:
		return nil
	}
}

// refresh makes the mirror of one value anew, after an edit of it.
func (e *editor) refresh(at location) {
	fresh := reflection(e.doc.At(at...))
	if len(at) == 0 {
		e.mirror = fresh
		return
	}
	parent := e.mirror
	for _, step := range at[:len(at)-1] {
		parent = childOf(parent, step)
	}
	last := at[len(at)-1]
	switch parent := parent.(type) {
	case map[string]any:
		parent[last] = fresh
	case []any:
		if i, err := strconv.Atoi(last); err == nil && i < len(parent) {
			parent[i] = fresh
		}
	}
}

func childOf(parent any, step string) any {
	switch parent := parent.(type) {
	case map[string]any:
		return parent[step]
	case []any:
		if i, err := strconv.Atoi(step); err == nil && i < len(parent) {
			return parent[i]
		}
	}
	return nil
}

// reversed returns locations so that what is in a value comes before it, and later items before earlier ones.
func reversed(in []location) []location {
	out := slices.Clone(in)
	slices.Reverse(out)
	return out
}
