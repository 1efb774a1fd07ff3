package openapi

import (
	"github.com/getkin/kin-openapi/openapi3"

	"github.com/resgen-go/resgen/generator/internal/model"
	"github.com/resgen-go/resgen/generator/internal/source"
)

// servers returns what replaces the document's servers for an operation: its own, else its path's.
func (c *converter) servers(kin *openapi3.Operation, op spot) []model.Server {
	if kin.Servers != nil && len(*kin.Servers) > 0 {
		return servers3(*kin.Servers, op.get("servers"))
	}
	path := c.operation.item.path
	item := spot{file: op.file, node: c.items[path]}
	return servers3(c.doc.Paths.Value(path).Servers, item.get("servers"))
}

// servers3 makes the model of a list of servers.
func servers3(all openapi3.Servers, s spot) []model.Server {
	var out []model.Server
	for i, kin := range all {
		if kin == nil || s.node == nil || i >= len(s.node.List) {
			continue
		}
		out = append(out, server(kin, &s.node.List[i]))
	}
	return out
}

func server(kin *openapi3.Server, node *source.Value) model.Server {
	out := model.Server{Name: textOf(node.Get("name")), URL: kin.URL, Doc: kin.Description, Pos: node.Pos}
	for _, f := range fieldsOf(node.Get("variables")) {
		v := kin.Variables[f.Key]
		if v == nil {
			continue
		}
		out.Variables = append(out.Variables, model.ServerVariable{Name: f.Key, Default: v.Default, Enum: v.Enum, Doc: v.Description})
	}
	return out
}
