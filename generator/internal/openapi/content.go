package openapi

import (
	"fmt"
	"slices"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"

	"github.com/resgen-go/resgen/generator/internal/diag"
	"github.com/resgen-go/resgen/generator/internal/model"
	"github.com/resgen-go/resgen/generator/internal/source"
)

// body makes the model of a request body; nil where there is none.
func (c *converter) body(ref *openapi3.RequestBodyRef, s spot) *model.Body {
	if ref == nil || ref.Value == nil || s.node == nil {
		return nil
	}
	s = c.follow(s)
	if !ref.Value.Required && c.isVoid(s.get("content")) {
		return nil
	}
	out := &model.Body{Doc: ref.Value.Description, Required: ref.Value.Required, Pos: s.node.Pos}
	out.Contents = c.contents(ref.Value.Content, s.get("content"))
	if len(out.Contents) == 0 {
		return nil
	}
	return out
}

// isVoid reports a body that can only be an object without members: there is nothing to give, and nothing is missed where it is not sent.
func (c *converter) isVoid(content spot) bool {
	for _, f := range fieldsOf(content.node) {
		schema := c.follow(content.step(f.Key, &f.Value).get("schema")).node
		more := schema.Get("additionalProperties")
		isClosed := more != nil && more.Kind == source.Bool && more.Text == "false"
		rest := source.Value{Kind: source.Map, Map: without(schema, "properties", "additionalProperties")}
		if !isClosed || !isOfType(schema, openapi3.TypeObject) || len(fieldsOf(schema.Get("properties"))) > 0 || isStructured(&rest) {
			return false
		}
	}
	return len(fieldsOf(content.node)) > 0
}

// isOfType reports a schema that names that type and no other.
func isOfType(schema *source.Value, name string) bool {
	typ := schema.Get("type")
	return typ != nil && len(typ.List) == 1 && typ.List[0].Text == name
}

// without are the members of an object but those of some keys.
func without(node *source.Value, keys ...string) []source.Field {
	return slices.DeleteFunc(slices.Clone(fieldsOf(node)), func(f source.Field) bool { return slices.Contains(keys, f.Key) })
}

// contents makes the model of a body's media types, in the document's order.
func (c *converter) contents(all openapi3.Content, s spot) []model.Content {
	fields := fieldsOf(s.node)
	out := make([]model.Content, len(fields)) // of its final size: the types of parts are filled in later
	c.warnForeign(s)
	for i := range fields {
		f := &fields[i]
		out[i] = model.Content{MediaType: oneMedia(f.Key), Elem: model.Elem{Type: model.Any{}}, Pos: f.KeyPos}
		kin := all[f.Key]
		if kin == nil {
			continue
		}
		if twin := twinOf(fields[:i], f); twin >= 0 {
			out[i].Elem, out[i].Item, out[i].Encodings = out[twin].Elem, out[twin].Item, out[twin].Encodings
			continue
		}
		c.content(&out[i], kin, s.step(f.Key, &f.Value))
	}
	typeForeign(out, fields)
	return out
}

// typeForeign gives a body in a media type without a codec the type that it has in JSON, where both are described alike: who speaks
// JSON misses nothing of it.
func typeForeign(all []model.Content, fields []source.Field) {
	for i := range all {
		schema := fields[i].Value.Get("schema")
		kind := mediaKind(all[i].MediaType)
		if kind != binaryMedia && kind != foreignMedia || schema == nil || !isBinary(all[i].Elem) {
			continue
		}
		for j := range all {
			if !hasJSONView(all[j].MediaType) || !schema.Equal(fields[j].Value.Get("schema")) {
				continue
			}
			if _, isScalar := all[j].Elem.Type.(model.Primitive); isScalar && kind == binaryMedia {
				continue // text is not what lies in a file
			}
			all[i].Elem = all[j].Elem
			break
		}
	}
}

func isBinary(e model.Elem) bool {
	p, ok := e.Type.(model.Primitive)
	return ok && p.Kind == model.Binary
}

// twinOf finds an earlier media type that says the same in the same view: text/json beside application/json has its types.
func twinOf(before []source.Field, f *source.Field) int {
	if !hasJSONView(f.Key) || f.Value.Get("schema") == nil {
		return -1
	}
	for i := range before {
		if hasJSONView(before[i].Key) && before[i].Value.Equal(&f.Value) {
			return i
		}
	}
	return -1
}

// hasJSONView reports whether a media type's values have the types that they have in JSON.
func hasJSONView(mediaType string) bool {
	switch mediaKind(mediaType) {
	case jsonMedia, formMedia, streamMedia, textMedia, anyMedia:
		return true
	default:
		return false
	}
}

// content fills in what one media type says.
func (c *converter) content(out *model.Content, kin *openapi3.MediaType, s spot) {
	kind := mediaKind(out.MediaType)
	out.Encodings = c.encodingsOf(kind, kin, s)
	c.warnPartHeaders(kind, s)
	if kin.ItemSchema != nil {
		item := c.elem(place{spot: s.get("itemSchema"), ref: kin.ItemSchema})
		out.Item = &item
	}
	at := place{spot: s.get("schema"), ref: kin.Schema}
	if kin.Schema == nil {
		out.Elem = withoutSchema(kind)
		return
	}
	if raw, ok := c.raw(at); ok {
		out.Elem = raw
		return
	}
	out.Limits = c.limitsOf(at.spot)
	switch kind {
	case binaryMedia, foreignMedia:
		out.Elem = binary()
	case multipartMedia:
		c.parts = append(c.parts, partsBody{elem: &out.Elem, at: at, operation: c.operation})
	default:
		out.Elem = c.elem(at)
	}
}

// withoutSchema is the type of a body of which only the media type is known.
func withoutSchema(kind media) model.Elem {
	switch kind {
	case textMedia:
		return model.Elem{Type: model.Primitive{Kind: model.String}}
	case binaryMedia, foreignMedia, anyMedia:
		return binary()
	default:
		return model.Elem{Type: model.Any{}}
	}
}

func binary() model.Elem { return model.Elem{Type: model.Primitive{Kind: model.Binary}} }

// encodingsOf says how the properties of a form or of parts travel, in the document's order.
func (c *converter) encodingsOf(kind media, kin *openapi3.MediaType, s spot) []model.Encoding {
	if kind != formMedia && kind != multipartMedia {
		return nil
	}
	var out []model.Encoding
	for _, f := range fieldsOf(s.node.Get("encoding")) {
		e := kin.Encoding[f.Key]
		if e == nil {
			continue
		}
		one := model.Encoding{Property: f.Key, ContentType: e.ContentType, Style: e.Style}
		if one.Style == "" && kind == formMedia {
			one.Style = openapi3.SerializationForm
		}
		one.Explode = one.Style == openapi3.SerializationForm
		if e.Explode != nil {
			one.Explode = *e.Explode
		}
		out = append(out, one)
	}
	if kind == multipartMedia {
		out = c.typedParts(out, s.get("schema"))
	}
	return out
}

// typedParts adds the media types that the properties of a multipart body have by their schemas (contentMediaType). JSON in a string is
// text of the caller's.
func (c *converter) typedParts(all []model.Encoding, schema spot) []model.Encoding {
	properties := c.follow(schema).get("properties")
	for _, f := range fieldsOf(properties.node) {
		own := c.follow(properties.step(f.Key, &f.Value))
		if isOfType(own.node, openapi3.TypeArray) {
			own = c.follow(own.get("items"))
		}
		mediaType := textOf(own.get("contentMediaType").node)
		at := slices.IndexFunc(all, func(e model.Encoding) bool { return e.Property == f.Key })
		switch {
		case mediaType == "" || mediaType == "text/plain" || mediaType == "application/octet-stream": // what they have anyway
		case mediaKind(mediaType) == jsonMedia:
		case at < 0:
			all = append(all, model.Encoding{Property: f.Key, ContentType: mediaType})
		case all[at].ContentType == "":
			all[at].ContentType = mediaType
		}
	}
	return all
}

// warnPartHeaders reports headers of the parts of a body, which nothing sends.
func (c *converter) warnPartHeaders(kind media, s spot) {
	if kind != multipartMedia {
		return
	}
	for _, f := range fieldsOf(s.node.Get("encoding")) {
		for _, h := range fieldsOf(f.Value.Get("headers")) {
			if strings.EqualFold(h.Key, "Content-Type") || strings.EqualFold(h.Key, "Content-Disposition") {
				continue
			}
			c.warn(diag.UnsupportedParameter, h.KeyPos,
				fmt.Sprintf("the header %q of the part %q of the body of %s is left out", h.Key, f.Key, c.operation.name()),
				"a part says what it is called and of what media type it is; a file has the headers that its wire.Content is given",
				"nothing to do where the server can do without it; the header of a file is given by Content.WithHeader")
		}
	}
}

// warnForeign reports a structured body that is only there in media types without a codec: it stays raw. Of images, sound and
// video nobody expects more.
func (c *converter) warnForeign(s spot) {
	for _, f := range fieldsOf(s.node) {
		if kind := mediaKind(f.Key); kind != binaryMedia && kind != foreignMedia {
			return
		}
	}
	for _, f := range fieldsOf(s.node) {
		schema := c.follow(s.step(f.Key, &f.Value).get("schema"))
		if !isStructured(schema.node) || !strings.HasPrefix(strings.ToLower(f.Key), "application/") && mediaKind(f.Key) != foreignMedia {
			continue
		}
		c.warn(diag.UnsupportedMedia, f.KeyPos,
			fmt.Sprintf("the body of %s in %s stays raw", c.operation.name(), f.Key),
			"resgen reads and writes JSON, forms, parts and text; other structured bodies are bytes for the caller to decode",
			"nothing to do where the bytes are enough; else offer the body as JSON")
		return
	}
}

// isStructured reports whether a schema describes more than a string.
func isStructured(node *source.Value) bool {
	for _, key := range []string{"properties", "items", "prefixItems", "additionalProperties", "allOf", "oneOf", "anyOf"} {
		if node.Get(key) != nil {
			return true
		}
	}
	return false
}
