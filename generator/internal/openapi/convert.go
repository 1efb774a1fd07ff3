package openapi

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"

	"github.com/resgen-go/resgen/generator/internal/diag"
	"github.com/resgen-go/resgen/generator/internal/model"
	"github.com/resgen-go/resgen/generator/internal/source"
)

// converter makes the model of a bundle. Its spots hold the bundle's nodes, and are known by the places that the author gave
// them.
type converter struct {
	*loader
	types

	bundle *bundle
	doc    *openapi3.T
	lines  source.LineMap
	// items are the bundle's path items.
	items map[string]*source.Value
	// operation is the one that is being converted: what cannot be expressed is reported with its name.
	operation *operation
	// used are the names of security schemes that some operation uses.
	used map[string]bool
	// roots are nodes that were looked up as they were read, by file and pointer.
	roots map[refKey]*source.Value
}

// convert makes the model.
func (l *loader) convert(ctx context.Context, b *bundle, doc *openapi3.T, lines source.LineMap) *model.API {
	c := &converter{loader: l, bundle: b, doc: doc, lines: lines, items: map[string]*source.Value{}, used: map[string]bool{}, roots: map[refKey]*source.Value{}}
	c.types = newTypes(l.operations)
	for i := range l.inbound {
		c.owners[l.inbound[i].spot.id()] = l.inbound[i].operation
	}
	paths := b.root.Get("paths")
	for i := range paths.Map {
		c.items[paths.Map[i].Key] = &paths.Map[i].Value
	}
	tree, root := l.in.Tree, spot{file: l.files.main, node: &b.root}
	api := &model.API{
		Title: textOf(tree.Get("info").Get("title")), Doc: textOf(tree.Get("info").Get("description")),
		Source: l.in.Source, Pos: tree.Pos, Raw: tree.Get(extension),
		Servers: servers3(doc.Servers, root.get("servers")), Examples: l.examples(),
	}
	for _, op := range l.operations {
		if ctx.Err() != nil {
			return nil
		}
		if converted, ok := c.convertOperation(op); ok {
			api.Operations = append(api.Operations, converted)
		}
		c.drain(ctx) // now, so that what is reported of a schema names an operation that reaches it
	}
	for i := range l.inbound {
		if in, ok := c.convertInbound(&l.inbound[i]); ok {
			api.Inbound = append(api.Inbound, in)
		}
		c.drain(ctx)
	}
	c.operation = nil
	api.Types = c.finish(ctx)
	api.Absent = model.Absent{Types: l.absentTypes(api.Types), Operations: l.absent}
	api.Schemes = c.schemes()
	if ctx.Err() != nil {
		return nil
	}
	return api
}

// textOf returns the text of a scalar, or nothing.
func textOf(v *source.Value) string {
	if v == nil {
		return ""
	}
	return v.Text
}

// convertOperation makes the model of one operation.
func (c *converter) convertOperation(op *operation) (model.Operation, bool) {
	c.operation = op
	kin := operationIn(c.doc, op)
	pos, ok := c.written(kin, c.lines)
	if !ok {
		c.fault(op.keyPos, fmt.Sprintf("the operation %s %s was read without its place", op.method, op.item.path))
		return model.Operation{}, false
	}
	item := c.items[op.item.path]
	s := spot{file: op.file, pointer: op.pointer, node: item.Get(op.key)}
	if op.isAdditional {
		s.node = item.Get(additionalOperations).Get(op.key)
	}
	bind := &model.HTTPBinding{Method: op.method, Path: op.item.path, Template: op.item.path}
	bind.Security = c.security(kin, s)
	bind.Params = c.parameters(kin, s, len(bind.Security) > 0)
	bind.Path = c.pathParameters(bind)
	bind.Body = c.body(kin.RequestBody, s.get("requestBody"))
	bind.Responses = c.responses(kin.Responses, s.get("responses"))
	bind.Servers = c.servers(kin, s)
	return model.Operation{
		ID: op.id, Derived: op.isDerived, Summary: kin.Summary, Doc: kin.Description, Deprecated: kin.Deprecated, Tags: kin.Tags,
		Pos: pos, Links: c.links(op), Bind: bind, Raw: op.annotations(),
	}, true
}

// follow returns the object that a spot of the bundle stands for: itself, or the component that it refers to.
func (c *converter) follow(s spot) spot {
	ref := refOf(s.node)
	if ref == nil {
		return s
	}
	target := c.bundle.target(ref.Text)
	if target == nil {
		return spot{file: s.file, pointer: s.pointer}
	}
	return spot{file: target.file, pointer: target.pointer, node: &target.value}
}

// target returns the component that a local $ref of the bundle leads to.
func (b *bundle) target(ref string) *component {
	of, key, _ := strings.Cut(strings.TrimPrefix(ref, "#/components/"), "/")
	all := b.others[section(of)]
	if section(of) == schemas {
		all = b.schemas
	}
	n, err := strconv.Atoi(strings.TrimLeft(key, "sc"))
	if err != nil || n < 0 || n >= len(all) {
		return nil
	}
	return all[n]
}

// name returns how diagnostics name an operation. A schema that is kept by name alone is reached by none.
func (op *operation) name() string {
	if op == nil {
		return "the document"
	}
	if op.isInbound {
		return "the " + strconv.Quote(op.id)
	}
	return fmt.Sprintf("operation %q (%s %s)", op.id, op.method, op.item.path)
}

// warn reports what is said for the operation that is being converted.
func (c *converter) warn(code diag.Code, pos source.Pos, what, why, fix string) {
	c.report(diag.Diagnostic{Code: code, Severity: diag.Warning, Span: source.Span{Pos: pos}, What: what, Why: why, Fix: fix})
}
