package openapi

import (
	"fmt"
	"slices"
	"strings"

	"github.com/resgen-go/resgen/generator/internal/diag"
	"github.com/resgen-go/resgen/generator/internal/model"
	"github.com/resgen-go/resgen/generator/internal/source"
)

// links returns where the answers of an operation lead on to: operations that are kept, each once. A link to an operation that is not there
// is reported.
func (c *converter) links(op *operation) []model.Link {
	var out []model.Link
	responses := op.get("responses")
	for i := range fieldsOf(responses.node) {
		f := &responses.node.Map[i]
		all := c.silently(responses.step(f.Key, &f.Value)).get("links")
		for j := range fieldsOf(all.node) {
			g := &all.node.Map[j]
			link := c.silently(all.step(g.Key, &g.Value))
			if strings.HasPrefix(g.Key, "x-") || link.node == nil {
				continue
			}
			id, found := c.linked(link)
			if !found {
				c.warn(diag.DanglingLink, g.KeyPos, fmt.Sprintf("the link %q of %s leads to no operation of the document", g.Key, op.name()),
					"the method's comment cannot say what to call next", "name an operation by its operationId, or remove the link")
			}
			if id == "" || slices.ContainsFunc(out, func(l model.Link) bool { return l.Operation == id }) {
				continue
			}
			l := model.Link{Operation: id}
			for _, p := range fieldsOf(link.node.Get("parameters")) {
				l.Params = append(l.Params, p.Key)
			}
			out = append(out, l)
		}
	}
	return out
}

// silently follows a reference that is reported elsewhere, or matters to nobody.
func (c *converter) silently(s spot) spot {
	ref := refOf(s.node)
	if ref == nil {
		return s
	}
	target, err := c.refs.lookup(s, ref.Text)
	if err != nil {
		return spot{}
	}
	return target
}

// linked returns the operation that a link leads to, empty where that is not kept or of another document, and whether there is one.
func (c *converter) linked(link spot) (id string, found bool) {
	if v := link.node.Get("operationId"); v != nil && v.Kind == source.String {
		for _, op := range c.operations {
			if textOf(op.node.Get("operationId")) == v.Text {
				return op.id, true
			}
		}
		return "", slices.ContainsFunc(c.absent, func(a model.AbsentOperation) bool { return a.ID == v.Text })
	}
	v := link.node.Get("operationRef")
	if v == nil || v.Kind != source.String {
		return "", false
	}
	if !strings.HasPrefix(v.Text, "#") {
		return "", true
	}
	target, err := c.refs.lookup(link, v.Text)
	if err != nil {
		return "", false
	}
	if op := c.owners[target.id()]; op != nil && !op.isInbound {
		return op.id, true
	}
	return "", true
}
