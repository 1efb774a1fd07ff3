package swagger

import (
	"slices"
	"strings"

	"github.com/resgen-go/resgen/generator/internal/source"
)

// The media types that a body has where the document names none.
const (
	jsonType   = "application/json"
	formType   = "application/x-www-form-urlencoded"
	partsType  = "multipart/form-data"
	anyType    = "*/*"
	consumes   = "consumes"
	produces   = "produces"
	collection = "collectionFormat"
)

// mediaTypes returns what an operation, else the document, lists under consumes or produces, each type once. An operation's empty
// list replaces the document's.
func (c *converter) mediaTypes(op *source.Value, key string) []source.Value {
	list := op.Get(key)
	if list == nil || list.Kind != source.List {
		list = c.root.Get(key)
	}
	var out []source.Value
	for _, v := range listOf(list) {
		v.Text = strings.TrimSpace(v.Text)
		isListed := slices.ContainsFunc(out, func(o source.Value) bool { return strings.EqualFold(o.Text, v.Text) })
		if v.Kind == source.String && strings.Contains(v.Text, "/") && !isListed {
			out = append(out, v)
		}
	}
	if slices.ContainsFunc(out, func(v source.Value) bool { return isJSON(v.Text) }) {
		out = slices.DeleteFunc(out, func(v source.Value) bool { return isMarkup(v.Text) }) // they say the same, of the same schema
	}
	return out
}

// isMarkup reports whether a media type is another way to write what JSON writes.
func isMarkup(mediaType string) bool {
	_, subtype, _ := strings.Cut(essence(mediaType), "/")
	switch subtype {
	case "xml", "yaml", "x-yaml":
		return true
	default:
		return strings.HasSuffix(subtype, "+xml") || strings.HasSuffix(subtype, "+yaml")
	}
}

// essence returns a media type without its parameters, in lower case.
func essence(mediaType string) string {
	out, _, _ := strings.Cut(strings.ToLower(mediaType), ";")
	return strings.TrimSpace(out)
}

func isForm(mediaType string) bool {
	return essence(mediaType) == formType || strings.HasPrefix(essence(mediaType), "multipart/")
}

func isJSON(mediaType string) bool {
	e := essence(mediaType)
	return strings.HasSuffix(e, "/json") || strings.HasSuffix(e, "+json")
}

// only returns the media types that satisfy a condition; where none does, a type that stands at the given position.
func only(all []source.Value, pos source.Pos, otherwise string, is func(string) bool) []source.Value {
	var out []source.Value
	for _, v := range all {
		if is(v.Text) {
			out = append(out, v)
		}
	}
	if len(out) == 0 {
		out = append(out, text(pos, otherwise))
	}
	return out
}

// bodyTypes are the media types of a body with a schema. Forms, which a document lists for its other operations, are none of them
// unless it lists nothing else.
func (c *converter) bodyTypes(op *source.Value, pos source.Pos, isFile bool) []source.Value {
	all := c.mediaTypes(op, consumes)
	if len(all) == 0 && isFile {
		return []source.Value{text(pos, "application/octet-stream")}
	}
	others := only(all, pos, jsonType, func(s string) bool { return !isForm(s) })
	if len(all) > 0 && others[0].Text == jsonType && others[0].Pos == pos {
		return all
	}
	return others
}

// formTypes are the media types of a form. Files need parts.
func (c *converter) formTypes(op *source.Value, pos source.Pos, hasFile bool) []source.Value {
	if hasFile {
		return only(c.mediaTypes(op, consumes), pos, partsType, func(s string) bool { return isForm(s) && essence(s) != formType })
	}
	return only(c.mediaTypes(op, consumes), pos, formType, isForm)
}

// responseTypes are the media types of a response. A file is none of the types that carry values unless there is no other: which
// one it is of is not said then. Where the document names none, or there is no schema, those of the response's examples do.
func (c *converter) responseTypes(op, response *source.Value, isFile bool) []source.Value {
	all := c.mediaTypes(op, produces)
	if len(all) == 0 || response.Get("schema") == nil {
		all = nil
		for _, f := range mapOf(response.Get("examples")) {
			if strings.Contains(f.Key, "/") {
				all = append(all, text(f.KeyPos, f.Key))
			}
		}
	}
	if isFile {
		return only(all, response.Pos, anyType, func(s string) bool { return !isJSON(s) })
	}
	if len(all) == 0 {
		return []source.Value{text(response.Pos, jsonType)}
	}
	return all
}
