package swagger

import (
	"slices"
	"strings"

	"github.com/resgen-go/resgen/generator/internal/diag"
	"github.com/resgen-go/resgen/generator/internal/source"
)

// responses converts the responses of an operation. What is referred to is put in its place, because which media types it has is for
// the operation to say; its schema stays where it is.
func (c *converter) responses(method string, op *source.Value) {
	all := op.Get("responses")
	isFile := strings.EqualFold(method, "get") && c.isOnlyFiles(op)
	for i := range mapOf(all) {
		f := &all.Map[i]
		if strings.HasPrefix(f.Key, "x-") || f.Value.Kind != source.Map {
			continue
		}
		ref := refOf(&f.Value)
		if ref == "" {
			f.Value = c.response(op, &f.Value, "", c.File)
		} else if target, ok := c.Find(c.File, ref); ok && target.Value.Kind == source.Map {
			f.Value = c.response(op, target.Value, ref, target.File)
		}
		if f.Key == "200" && isFile && f.Value.Get("content") == nil && refOf(&f.Value) == "" {
			f.Value.Set(source.FieldAt("content", c.fileContent(op, f.Value.Pos)))
		}
	}
}

// response converts one response; ref and file say how it was reached, where that was by reference.
func (c *converter) response(op, response *source.Value, ref, file string) source.Value {
	if response.Get("content") != nil { // of 3.0 already
		return c.copyOf(response)
	}
	out := object(response.Pos)
	for _, f := range response.Map {
		switch f.Key {
		case "schema", "examples":
		case "headers":
			v := c.copyOf(&f.Value)
			for i := range mapOf(&v) {
				liftHeader(&v.Map[i].Value, v.Map[i].Key, c.List)
			}
			out.Map = append(out.Map, source.Field{Key: f.Key, KeyPos: f.KeyPos, Value: v})
		default:
			out.Map = append(out.Map, source.Field{Key: f.Key, KeyPos: f.KeyPos, Value: c.copyOf(&f.Value)})
		}
	}
	if content, ok := c.responseContent(op, response, ref, file); ok {
		out.Set(source.FieldAt("content", content))
	}
	return out
}

// responseContent makes the content of a response. A response without a schema has none, unless examples show that it does.
func (c *converter) responseContent(op, response *source.Value, ref, file string) (source.Value, bool) {
	schema, examples := response.Get("schema"), response.Get("examples")
	if schema == nil && len(mapOf(examples)) == 0 {
		return source.Value{}, false
	}
	media := object(response.Pos)
	if schema != nil {
		media.Pos = schema.Pos
		media.Set(source.FieldAt("schema", c.reached(ref, file, schema)))
	}
	content := c.contentOf(media.Pos, c.responseTypes(op, response, isFileSchema(schema)), media)
	for i := range content.Map {
		f := &content.Map[i]
		if example := examples.Get(f.Key); example != nil {
			f.Value.Set(source.FieldAt("example", example.Clone()))
		}
	}
	return content, true
}

// isOnlyFiles reports whether an operation itself lists media types of answers, and none whose values have members. One that is got says
// so because it answers with a file, also where it has no schema for that.
func (c *converter) isOnlyFiles(op *source.Value) bool {
	if op.Get(produces) == nil {
		return false
	}
	types := c.mediaTypes(op, produces)
	return len(types) > 0 && !slices.ContainsFunc(types, func(v source.Value) bool { return isStructured(v.Text) })
}

// fileContent is the content of a response that is a file.
func (c *converter) fileContent(op *source.Value, pos source.Pos) source.Value {
	schema := object(pos)
	schema.Set(source.FieldAt("type", source.TextAt(pos, "string")))
	schema.Set(source.FieldAt("format", source.TextAt(pos, "binary")))
	media := object(pos)
	media.Set(source.FieldAt("schema", schema))
	return c.contentOf(pos, c.mediaTypes(op, produces), media)
}

// liftHeader gives a header of a response its schema.
func liftHeader(h *source.Value, name string, list *diag.List) {
	if h.Kind != source.Map || refOf(h) != "" || h.Get("schema") != nil {
		return
	}
	schema := liftedSchema(h)
	flatten(&schema, "header", name, list)
	h.Map = keep(h.Map, func(key string) bool { return !isSchemaKeyword(key) })
	h.Set(source.FieldAt("schema", schema))
}
