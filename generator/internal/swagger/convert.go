package swagger

import (
	"strings"

	"github.com/resgen-go/resgen/generator/internal/diag"
	"github.com/resgen-go/resgen/generator/internal/source"
)

// Version is the version of OpenAPI that converted documents say they are of.
const Version = "3.0.3"

// TabDelimited is a style that only converted documents have: collectionFormat tsv.
const TabDelimited = "tabDelimited"

// Target is what a reference leads to.
type Target struct {
	// Value is as its author wrote it. It has no $ref.
	Value *source.Value
	// File is the file that it is in, by a name that Find understands.
	File string
	// IsPart says that the file is no document of its own, but a part of those that refer to it. Of a part, what only the
	// document says (which media types a body has) is filled in where it is referred to: Value may be changed then.
	IsPart bool
}

// Find follows the reference that a file has, and those that follow upon it, through files as they were written. It fails where the
// reference leads nowhere, and reports nothing: the reference stays, and who reads the document finds it.
type Find func(file, ref string) (Target, bool)

// Input is a document to convert.
type Input struct {
	// Tree is the document. It is not changed.
	Tree *source.Value
	// File is the document's own name, as Find understands it.
	File string
	// Find follows references.
	Find Find
	// List gets what cannot be said in OpenAPI 3.0.
	List *diag.List
}

// IsVersion2 reports whether a tree says that it is a document of OpenAPI 2.0. Authors leave out the quotes.
func IsVersion2(tree *source.Value) bool {
	version := tree.Get("swagger")
	return version != nil && (version.Text == "2.0" || version.Text == "2")
}

// Convert returns a document of OpenAPI 2.0 as one of 3.0. It is converted as far as it is understood: keywords of 3.0 that are in
// it already stay, and so does what is malformed, for whoever reads the result to report.
func Convert(in Input) source.Value { return newConverter(in).document30() }

func newConverter(in Input) *converter {
	return &converter{
		Input: in, root: in.Tree, done: map[*source.Value]bool{}, defined: keysOf(in.Tree.Get(definitions)),
		ledger: &ledger{long: map[*source.Value]bool{}},
	}
}

// document30 converts the whole document.
func (c *converter) document30() source.Value {
	out := c.root.Clone()
	c.paths(&out)
	shared := out.Get("parameters")
	for i := range mapOf(shared) {
		liftParameter(&shared.Map[i].Value, c.List)
	}
	c.inheritance(&out)
	c.servers(&out)
	moveSchemes(&out)
	l := lowering{rewrite: c.rewrite}
	l.value(&out, false)
	rename(&out)
	return out
}

// converter converts what one file has: a document, or a part of one.
type converter struct {
	Input

	// root is the document, as written: what it says of media types holds for its parts too.
	root *source.Value
	// done are the parts that were filled in.
	done map[*source.Value]bool
	// defined are the places of the definitions, by name.
	defined map[string]int
	ledger  *ledger
}

// keysOf returns the places of a map's keys.
func keysOf(v *source.Value) map[string]int {
	out := map[string]int{}
	for i, f := range mapOf(v) {
		out[f.Key] = i
	}
	return out
}

// at returns the converter of a part of the document that is in another file.
func (c *converter) at(file string) *converter {
	out := *c
	out.File = file
	return &out
}

// rename makes the version's keyword that of 3.0.
func rename(out *source.Value) {
	for i := range out.Map {
		if f := &out.Map[i]; f.Key == "swagger" {
			f.Key, f.Value = "openapi", source.TextAt(f.Value.Pos, Version)
		}
	}
}

// paths converts the document's paths. Those that AutoRest's x-ms-paths adds, which have a query string, are paths like others.
func (c *converter) paths(out *source.Value) {
	if more := out.Get("x-ms-paths"); more != nil && more.Kind == source.Map {
		if out.Get("paths") == nil {
			out.Set(source.Field{Key: "paths", KeyPos: more.Pos, Value: source.Value{Pos: more.Pos, Kind: source.Map}})
		}
		paths := out.Get("paths")
		known := keysOf(paths)
		for _, f := range out.Get("x-ms-paths").Map {
			if _, isKnown := known[f.Key]; !isKnown && paths.Kind == source.Map {
				paths.Map = append(paths.Map, f)
			}
		}
		out.Delete("x-ms-paths")
	}
	paths := out.Get("paths")
	for i := range mapOf(paths) {
		if f := &paths.Map[i]; !strings.HasPrefix(f.Key, "x-") {
			c.pathItem(&f.Value)
		}
	}
}

// pathItem converts the operations of a path. Where the item is in a part of the document, it is converted there.
func (c *converter) pathItem(item *source.Value) {
	if part, of := c.part(item); part != nil {
		of.pathItem(part)
		return
	}
	shared, isShared := c.split(item)
	for i := range mapOf(item) {
		switch f := &item.Map[i]; strings.ToLower(strings.TrimSpace(f.Key)) { // authors write GET, too
		case "get", "put", "post", "delete", "options", "head", "patch", "trace":
			c.operation(f.Key, &f.Value, shared)
		}
	}
	if isShared {
		item.Set(source.Field{Key: "parameters", KeyPos: item.Get("parameters").Pos, Value: shared.others})
	}
}

// part returns what a value refers to in a part of the document, and who converts it there. It is nil for a value that is no such
// reference, or whose target has been converted.
func (c *converter) part(v *source.Value) (*source.Value, *converter) {
	ref := refOf(v)
	if ref == "" {
		return nil, nil
	}
	target, ok := c.Find(c.File, ref)
	if !ok || !target.IsPart || c.done[target.Value] {
		return nil, nil
	}
	c.done[target.Value] = true
	return target.Value, c.at(target.File)
}

// lose reports what 3.0 cannot say.
func lose(list *diag.List, pos source.Pos, what, why, fix string) {
	list.Add(diag.Diagnostic{Code: diag.Unconverted, Severity: diag.Warning, Span: source.Span{Pos: pos}, What: what, Why: why, Fix: fix})
}

// mapOf returns the fields of a map, none for anything else.
func mapOf(v *source.Value) []source.Field {
	if v == nil || v.Kind != source.Map {
		return nil
	}
	return v.Map
}

// listOf returns the items of a list, none for anything else.
func listOf(v *source.Value) []source.Value {
	if v == nil || v.Kind != source.List {
		return nil
	}
	return v.List
}

// textsOf returns the items of a list of texts. One text without a list around it is taken for a list of one.
func textsOf(v *source.Value) []source.Value {
	if textOf(v) != "" {
		return []source.Value{*v}
	}
	return listOf(v)
}

// textOf returns a string's text, none for anything else.
func textOf(v *source.Value) string {
	if v == nil || v.Kind != source.String {
		return ""
	}
	return v.Text
}

// refOf returns the reference that a value is, if it is one.
func refOf(v *source.Value) string { return textOf(v.Get("$ref")) }

func truth(pos source.Pos, is bool) source.Value {
	out := source.Value{Pos: pos, Kind: source.Bool, Text: "false"}
	if is {
		out.Text = "true"
	}
	return out
}

// object makes a map at a position.
func object(pos source.Pos, fields ...source.Field) source.Value {
	return source.Value{Pos: pos, Kind: source.Map, Map: fields}
}
