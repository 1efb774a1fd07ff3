package openapi

import (
	"strings"

	"github.com/resgen-go/resgen/generator/internal/source"
	"github.com/resgen-go/resgen/generator/internal/swagger"
)

// convertMain converts the main document where it is one of OpenAPI 2.0. What refers to it, or is referred to by it, is then read as
// 3.0; the tree that the caller gave stays as it is.
func (f *files) convertMain() {
	if f.main.tree = f.in.Tree; swagger.IsVersion2(f.in.Tree) {
		f.convert(f.main)
	}
}

// adopt converts a file that another one refers to, by its own version. One without a version is a part of what refers to it.
func (f *files) adopt(from, opened *file) {
	switch {
	case opened.tree.Kind != source.Map || opened.written != nil || opened.isPart:
	case swagger.IsVersion2(opened.tree):
		f.convert(opened)
	case from.written != nil || from.isPart:
		if opened.tree.Get("openapi") == nil {
			opened.isPart = true
			swagger.LowerPart(opened.tree, f.list)
		}
	}
}

// convert converts a file of OpenAPI 2.0. References are followed through what was written, so that files may refer to each other.
func (f *files) convert(of *file) {
	of.written = of.tree
	tree := swagger.Convert(swagger.Input{Tree: of.written, File: of.path, Find: f.findWritten, List: f.list})
	of.tree = &tree
}

// findWritten follows a reference through files as they were written.
func (f *files) findWritten(name, ref string) (swagger.Target, bool) {
	from := f.main
	if known, ok := f.byPath[name]; ok && known.file != nil {
		from = known.file
	}
	for range maxHops {
		path, fragment, _ := strings.Cut(ref, "#")
		if path != "" {
			var err error
			if from, err = f.open(from, path); err != nil {
				return swagger.Target{}, false
			}
		}
		node := from.tree
		if from.written != nil {
			node = from.written
		}
		if fragment != "" {
			if fragment[0] != '/' {
				return swagger.Target{}, false
			}
			node = node.At(fragmentSteps(fragment)...)
		}
		if node == nil {
			return swagger.Target{}, false
		}
		next := refOf(node)
		if next == nil {
			return swagger.Target{Value: node, File: from.path, IsPart: from.isPart}, true
		}
		ref = next.Text
	}
	return swagger.Target{}, false
}
