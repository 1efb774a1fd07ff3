package openapi

import (
	"cmp"

	"github.com/resgen-go/resgen/generator/internal/model"
)

// examples returns the component examples, as a static rung names them; `dataValue` is what OpenAPI 3.2 calls the value. One that only names
// a file elsewhere, or is a text of the wire, has none here.
func (l *loader) examples() []model.Example {
	all := l.refs.components(l.files.main, "examples")
	var out []model.Example
	for i := range fieldsOf(all.node) {
		f := &all.node.Map[i]
		example := all.step(f.Key, &f.Value)
		if refOf(example.node) != nil {
			var ok bool
			if example, ok = l.refs.resolve(example); !ok {
				continue
			}
		}
		if v := cmp.Or(example.node.Get("value"), example.node.Get("dataValue")); v != nil {
			out = append(out, model.Example{Name: f.Key, Value: *v})
		}
	}
	return out
}
