package swagger

import (
	"strings"

	"github.com/resgen-go/resgen/generator/internal/diag"
	"github.com/resgen-go/resgen/generator/internal/source"
)

// LowerPart converts, in place, a file that is a part of documents of OpenAPI 2.0 and no document itself, as far as that is possible
// without knowing what refers to it: its schemas and parameters.
func LowerPart(tree *source.Value, list *diag.List) {
	l := lowering{isPart: true, list: list}
	l.value(tree, false)
}

// lowering gives schemas the keywords of 3.0. What a value is need not be known for that: no other object has those of 2.0.
type lowering struct {
	// rewrite changes a reference into what has moved; nil: nothing has.
	rewrite func(ref string) string
	// isPart says that parameters are converted too.
	isPart bool
	list   *diag.List
}

// value lowers a value and what is in it; isNames says that the keys of a map are names, not keywords.
func (l *lowering) value(v *source.Value, isNames bool) {
	for i := range listOf(v) {
		l.value(&v.List[i], false)
	}
	if v.Kind == source.Map && !isNames {
		l.keywords(v)
	}
	for i := range mapOf(v) {
		f := &v.Map[i]
		if !isNames && isData(f.Key) {
			continue
		}
		l.value(&f.Value, !isNames && isMapOfNames(f.Key) && f.Value.Kind == source.Map)
	}
}

// isData reports whether a keyword holds values of the API rather than descriptions of them.
func isData(key string) bool {
	switch key {
	case "example", "examples", "default", "enum":
		return true
	default:
		return strings.HasPrefix(key, "x-")
	}
}

func isMapOfNames(key string) bool {
	switch key {
	case "properties", "patternProperties", "definitions", "parameters", "responses", "headers", "paths", "content", "encoding", "schemas":
		return true
	default:
		return false
	}
}

func (l *lowering) keywords(v *source.Value) {
	if ref := v.Get("$ref"); ref != nil && ref.Kind == source.String && l.rewrite != nil {
		ref.Text = l.rewrite(ref.Text)
	}
	if kind := v.Get("type"); textOf(kind) == "file" {
		kind.Text = "string"
		v.Set(source.FieldAt("format", source.TextAt(kind.Pos, "binary")))
	}
	if name := v.Get("discriminator"); textOf(name) != "" {
		*name = object(name.Pos, source.FieldAt("propertyName", *name))
	}
	nameValues(v)
	if in := textOf(v.Get("in")); l.isPart && in != "" && textOf(v.Get("name")) != "" && v.Get("type") != nil {
		liftParameter(v, l.list)
	}
}

// isFileSchema reports whether a schema, or a parameter, is that of a file.
func isFileSchema(v *source.Value) bool {
	kind := textOf(v.Get("type"))
	return kind == "file" || kind == "string" && textOf(v.Get("format")) == "binary"
}

// nameValues gives an enum's values the names and descriptions that AutoRest's x-ms-enum has for them.
func nameValues(v *source.Value) {
	described := listOf(v.Get("x-ms-enum").Get("values"))
	values := listOf(v.Get("enum"))
	if len(described) == 0 || len(values) == 0 || v.Get("x-enum-varnames") != nil {
		return
	}
	pos := v.Get("x-ms-enum").Pos
	names, docs := source.Value{Pos: pos, Kind: source.List}, source.Value{Pos: pos, Kind: source.List}
	byValue := map[string]*source.Value{}
	for i := range described {
		if value := described[i].Get("value"); value != nil {
			byValue[value.Text] = &described[i]
		}
	}
	for i := range values {
		name, doc := source.TextAt(pos, ""), source.TextAt(pos, "")
		if known := byValue[values[i].Text]; known != nil {
			name.Text, doc.Text = textOf(known.Get("name")), textOf(known.Get("description"))
		}
		names.List, docs.List = append(names.List, name), append(docs.List, doc)
	}
	v.Set(source.FieldAt("x-enum-varnames", names))
	if v.Get("x-enum-descriptions") == nil {
		v.Set(source.FieldAt("x-enum-descriptions", docs))
	}
}
