package swagger

import (
	"fmt"
	"strings"

	"github.com/resgen-go/resgen/generator/internal/diag"
	"github.com/resgen-go/resgen/generator/internal/source"
)

// liftParameter gives a parameter of path, query or header its schema, and says how a list of it travels. What travels in a body is
// no parameter in 3.0 and stays as it is, for those that refer to it.
func liftParameter(p *source.Value, list *diag.List) {
	in := textOf(p.Get("in"))
	if p.Kind != source.Map || refOf(p) != "" || in == "body" || in == "formData" || p.Get("schema") != nil || p.Get("content") != nil {
		return
	}
	schema := liftedSchema(p)
	isList := textOf(p.Get("type")) == "array"
	style, explode := styleOf(p, in)
	if isList && style == "" {
		format := p.Get(collection)
		lose(list, format.Pos,
			fmt.Sprintf("the values of the %s parameter %q are one text: OpenAPI 3 has no lists like %s there", in, textOf(p.Get("name")), format.Text),
			"in OpenAPI 3 a list in the "+in+" is separated by commas", "give the text as the server wants it, or write collectionFormat: csv")
		schema = object(schema.Pos, source.FieldAt("type", source.TextAt(schema.Pos, "string")))
		isList = false
	}
	flatten(&schema, in+" parameter", textOf(p.Get("name")), list)
	p.Map = keep(p.Map, func(key string) bool { return !isSchemaKeyword(key) })
	if isList {
		pos := schema.Pos
		if format := p.Get(collection); format != nil {
			pos = format.Pos
		}
		p.Delete(collection) // the style says it
		p.Set(source.FieldAt("style", source.TextAt(pos, style)))
		p.Set(source.FieldAt("explode", truth(pos, explode)))
	}
	if raw := p.Get("x-ms-skip-url-encoding"); raw != nil && raw.Text == "true" {
		p.Set(source.FieldAt("allowReserved", truth(raw.Pos, true)))
	}
	p.Set(source.FieldAt("schema", schema))
}

// flatten makes the lists in a list texts: OpenAPI 2.0 says what separates their items, 3 does not.
func flatten(schema *source.Value, what, name string, list *diag.List) {
	items := schema.Get("items")
	if textOf(schema.Get("type")) != "array" || textOf(items.Get("type")) != "array" {
		return
	}
	lose(list, items.Pos, fmt.Sprintf("the lists in the list of the %s %q are texts: OpenAPI 3 does not say how they travel", what, name),
		"a list in a list has a collectionFormat of its own, which OpenAPI 3 has no style for", "give each as the text that the server wants")
	*items = object(items.Pos, source.FieldAt("type", source.TextAt(items.Pos, "string")))
}

// styleOf says how a list travels in a place. It knows no style for lists in paths and headers that are not separated by commas.
func styleOf(p *source.Value, in string) (style string, explode bool) {
	format := textOf(p.Get(collection))
	if in != "query" {
		switch format {
		case "ssv", "tsv", "pipes":
			return "", false
		default:
			return "simple", false
		}
	}
	switch format {
	case "multi":
		return "form", true
	case "ssv":
		return "spaceDelimited", false
	case "tsv":
		return TabDelimited, false
	case "pipes":
		return "pipeDelimited", false
	default:
		return "form", false
	}
}

// liftedSchema makes a schema of what a parameter or header says of its values.
func liftedSchema(p *source.Value) source.Value {
	out := object(p.Pos)
	for _, f := range mapOf(p) {
		if isSchemaKeyword(f.Key) || strings.HasPrefix(f.Key, "x-") {
			out.Map = append(out.Map, source.Field{Key: f.Key, KeyPos: f.KeyPos, Value: f.Value.Clone()})
		}
	}
	return out
}

// isSchemaKeyword reports whether a keyword of a parameter or header describes its values.
func isSchemaKeyword(key string) bool {
	switch key {
	case "type", "format", "items", "enum", "default", "maximum", "exclusiveMaximum", "minimum", "exclusiveMinimum", "maxLength",
		"minLength", "pattern", "maxItems", "minItems", "uniqueItems", "multipleOf", "properties", "additionalProperties", "allOf":
		return true
	default:
		return false
	}
}

func keep(fields []source.Field, is func(key string) bool) []source.Field {
	out := make([]source.Field, 0, len(fields)+1)
	for _, f := range fields {
		if is(f.Key) {
			out = append(out, f)
		}
	}
	return out
}
