package annot

import (
	"github.com/resgen-go/resgen/generator/internal/diag"
	"github.com/resgen-go/resgen/generator/internal/source"
)

var patchKeys = record[PatchOp]{
	textField("op", "The operation.", choiceShape{names: []string{"replace", "add", "remove"}}, func(p *PatchOp) *string { return &p.Op }),
	pointerField("path", "A JSON pointer into the request body.", "/model", func(p *PatchOp) *string { return &p.Path }),
	{
		key: "value", doc: "The new value: any JSON.", shape: anyValue{},
		put: func(p *PatchOp, v *source.Value) { p.Value = v },
		take: func(p *PatchOp) (source.Value, bool) {
			if p.Value == nil {
				return source.Value{}, false
			}
			return *p.Value, true
		},
	},
}

// patchOK reports a patch operation that lacks a part, or has one too many.
func patchOK(c checker, v *source.Value) bool {
	for _, key := range []string{"op", "path"} {
		if !written(v, key) {
			c.missing(v, key, "{op: replace, path: /model, value: small}")
			return false
		}
	}
	if removes := v.Get("op").Text == "remove"; removes == (v.Get("value") != nil) {
		if removes {
			c.bad(diag.ConflictingKeys, v.Get("value"), `"remove" takes no value`, "RFC 6902 gives it none", "remove `value`")
		} else {
			c.missing(v, "value", "{op: "+v.Get("op").Text+", path: "+v.Get("path").Text+", value: ...}")
		}
		return false
	}
	return true
}

// anyValue is any JSON.
type anyValue struct{}

func (anyValue) check(_ checker, v *source.Value) (source.Value, bool) { return *v, true }

func (anyValue) describe() description { return description{form: "any JSON", schema: &schema{}} }
