package openapi

import (
	"cmp"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"

	"github.com/resgen-go/resgen/generator/internal/model"
)

// variantHint names an alternative: by its component, its title, the constant that it carries, or its kind.
func (c *converter) variantHint(k conjunction, t model.Type) string {
	last := k.parts[len(k.parts)-1]
	if target := c.targetOf(last.place); target != nil {
		steps := strings.Split(target.pointer, "/")
		return cmp.Or(target.name, steps[len(steps)-1])
	}
	title, _, _ := last.describes()
	word := kindWord(t)
	if ref, isRef := t.(model.Ref); isRef && c.decls[ref.ID] != nil && c.decls[ref.ID].Name == "" {
		words := c.decls[ref.ID].Hint
		word = words[len(words)-1]
	}
	return cmp.Or(title, constantIn(last.node), word)
}

// kindWord names a type by the kind of its values.
func kindWord(t model.Type) string {
	switch t := t.(type) {
	case model.Primitive:
		return primitiveWord(t.Kind)
	case model.Array:
		return "list of " + kindWord(t.Elem.Type)
	case model.JSONText:
		return "JSON text"
	case model.Map:
		return "map of " + kindWord(t.Elem.Type)
	case model.Ref:
		steps := strings.Split(string(t.ID), "/")
		return steps[len(steps)-1]
	default:
		return "value"
	}
}

func primitiveWord(kind model.PrimitiveKind) string {
	switch kind {
	case model.Bool:
		return openapi3.TypeBoolean
	case model.Int, model.Int32, model.Int64, model.Uint32, model.Uint64:
		return openapi3.TypeInteger
	case model.Float32, model.Float64, model.Number:
		return openapi3.TypeNumber
	case model.Time:
		return "time"
	case model.Date:
		return "date"
	case model.Bytes, model.Binary:
		return "bytes"
	case model.Null:
		return openapi3.TypeNull
	default:
		return openapi3.TypeString
	}
}
