package overlay

import (
	"fmt"
	"slices"

	"github.com/theory/jsonpath"
	"github.com/theory/jsonpath/spec"

	"github.com/resgen-go/resgen/generator/internal/diag"
)

// hint says which step of a target without a match leads nowhere, and which key was probably meant. It returns "" where no key is
// near, and for targets that do not simply follow names.
func (e *editor) hint(path *jsonpath.Path) string {
	at := location{}
	for _, segment := range path.Query().Segments() {
		selectors := segment.Selectors()
		if segment.IsDescendant() || len(selectors) != 1 {
			return ""
		}
		name, ok := selectors[0].(spec.Name)
		if !ok {
			return ""
		}
		parent := e.doc.At(at...)
		if next := parent.Get(string(name)); next != nil {
			at = append(at, string(name))
			continue
		}
		var keys []string
		for i := range parent.Map {
			keys = append(keys, parent.Map[i].Key)
		}
		slices.Sort(keys)
		if near := diag.Nearest(string(name), keys); near != "" {
			return fmt.Sprintf("did you mean %q instead of %q?", near, string(name))
		}
		return ""
	}
	return ""
}
