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
	if list == nil || list.Kind != source.List && list.Kind != source.String {
		list = c.root.Get(key)
	}
	var out []source.Value
	for _, v := range c.atMost(list) {
		v.Text = strings.TrimSpace(v.Text)
		isListed := slices.ContainsFunc(out, func(o source.Value) bool { return strings.EqualFold(o.Text, v.Text) })
		if v.Kind == source.String && strings.Contains(v.Text, "/") && !isListed {
			out = append(out, v)
		}
	}
	if hasJSON(out) {
		out = slices.DeleteFunc(out, func(v source.Value) bool { return isLikeJSON(v.Text) }) // they say the same, of the same schema
	}
	return out
}

func hasJSON(types []source.Value) bool {
	return slices.ContainsFunc(types, func(v source.Value) bool { return isJSON(v.Text) })
}

// isLikeJSON reports whether a media type is another way to write what JSON writes.
func isLikeJSON(mediaType string) bool {
	_, subtype, _ := strings.Cut(essence(mediaType), "/")
	return slices.ContainsFunc([]string{"xml", "yaml", "protobuf", "msgpack", "cbor", "edn", "transit"}, func(format string) bool {
		return slices.Contains(strings.FieldsFunc(subtype, func(r rune) bool { return strings.ContainsRune("+-._", r) }), format)
	})
}

// isStructured reports whether values of a media type have members.
func isStructured(mediaType string) bool {
	return isJSON(mediaType) || isLikeJSON(mediaType) || isForm(mediaType) || strings.HasPrefix(essence(mediaType), "text/") ||
		strings.HasPrefix(mediaType, "*")
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
		out = append(out, source.TextAt(pos, otherwise))
	}
	return out
}

// bodyTypes are the media types of a body with a schema. Forms, which a document lists for its other operations, are none of them
// unless it lists nothing else.
func (c *converter) bodyTypes(op, schema *source.Value, pos source.Pos) []source.Value {
	all := c.mediaTypes(op, consumes)
	if len(all) == 0 && isFileSchema(schema) {
		return []source.Value{source.TextAt(pos, "application/octet-stream")}
	}
	if of, ok := c.structured(schema, consumes, all); ok {
		return of
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
// one it is of is not said then. Where the document names none, or there is no schema, those of the response's examples do. An object
// that an operation seems to answer with as an image or an archive, because it lists those for its files, is one of the document's
// types: most often it is an error.
func (c *converter) responseTypes(op, response *source.Value, isFile bool) []source.Value {
	all := c.mediaTypes(op, produces)
	if len(all) == 0 || response.Get("schema") == nil {
		all = nil
		for _, f := range mapOf(response.Get("examples")) {
			if strings.Contains(f.Key, "/") {
				all = append(all, source.TextAt(f.KeyPos, f.Key))
			}
		}
	}
	if isFile {
		return only(all, response.Pos, anyType, func(s string) bool { return !isJSON(s) })
	}
	if len(all) == 0 {
		return []source.Value{source.TextAt(response.Pos, jsonType)}
	}
	if of, ok := c.structured(response.Get("schema"), produces, all); ok {
		return of
	}
	return all
}

// structured returns the document's own types for an object or list that an operation has in none that could hold it.
func (c *converter) structured(schema *source.Value, key string, types []source.Value) ([]source.Value, bool) {
	of := c.mediaTypes(&source.Value{}, key)
	canHold := slices.ContainsFunc(types, func(v source.Value) bool { return isStructured(v.Text) })
	if canHold || len(types) == 0 || !hasJSON(of) || !c.hasMembers(schema) {
		return nil, false
	}
	return only(of, schema.Pos, jsonType, isJSON), true
}

// hasMembers reports whether the values of a schema are objects or lists.
func (c *converter) hasMembers(schema *source.Value) bool {
	if ref := refOf(schema); ref != "" {
		target, ok := c.Find(c.File, ref)
		if !ok {
			return false
		}
		schema = target.Value
	}
	kind := textOf(schema.Get("type"))
	return kind == "object" || kind == "array" || schema.Get("properties") != nil || schema.Get("allOf") != nil
}
