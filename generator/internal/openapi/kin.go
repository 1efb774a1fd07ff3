package openapi

import (
	"context"
	"errors"
	"fmt"
	"net/url"

	"github.com/getkin/kin-openapi/openapi3"

	"github.com/resgen-go/resgen/generator/internal/diag"
	"github.com/resgen-go/resgen/generator/internal/source"
)

// bundleURI is what kin calls the bundle. It asks for nothing else, since every $ref in it is local.
const bundleURI = "bundle.json"

var (
	errNotBundled = errors.New("the bundle refers to another file")
	errPanic      = errors.New("panic")
)

// readKin gives the bundle to kin-openapi. The map leads from kin's lines back to the author's files. A failure is a fault of the
// bundle, not of the document, and is reported as such; the document is then nil.
func (l *loader) readKin(ctx context.Context, b *bundle) (*openapi3.T, source.LineMap) {
	data, lines := source.JSON(&b.root)
	kin := openapi3.NewLoader()
	kin.Context = ctx
	kin.IncludeOrigin = true // the field: the package-level switch of that name is shared by all loaders
	kin.ReadFromURIFunc = func(_ *openapi3.Loader, uri *url.URL) ([]byte, error) {
		if uri.String() != bundleURI {
			return nil, fmt.Errorf("%w: %s", errNotBundled, uri)
		}
		return data, nil
	}
	doc, err := load(kin)
	if err != nil {
		l.fault(l.in.Tree.Pos, fmt.Sprintf("kin-openapi refuses what resgen read of the document: %v", err))
		return nil, nil
	}
	return doc, lines
}

// load lets kin read the bundle. A panic of kin's is an error like others: documents are hostile input, and its code is not ours.
func load(kin *openapi3.Loader) (doc *openapi3.T, err error) {
	defer func() {
		if p := recover(); p != nil {
			doc, err = nil, fmt.Errorf("%w: %v", errPanic, p)
		}
	}()
	doc, err = kin.LoadFromURI(&url.URL{Path: bundleURI})
	if err != nil {
		return nil, fmt.Errorf("read the bundle: %w", err)
	}
	return doc, nil
}

// fault reports a bug of resgen.
func (l *loader) fault(pos source.Pos, what string) {
	l.report(diag.Diagnostic{
		Code: diag.InternalFault, Span: source.Span{Pos: pos}, What: what,
		Why: "no document should cause this", Fix: "report it, with the document reduced as far as possible",
	})
}

// operationIn returns kin's view of an operation, nil where there is none.
func operationIn(doc *openapi3.T, op *operation) *openapi3.Operation {
	item := doc.Paths.Value(op.item.path)
	switch {
	case item == nil:
		return nil
	case op.isAdditional:
		return item.AdditionalOperations[op.method]
	default:
		return item.GetOperation(op.method)
	}
}

// written returns where an operation was written. Every operation of a bundle that was read with origins has one.
func (*loader) written(op *openapi3.Operation, lines source.LineMap) (source.Pos, bool) {
	if op == nil || op.Origin == nil || op.Origin.Key == nil {
		return source.Pos{}, false
	}
	pos := lines.Pos(op.Origin.Key.Line)
	return pos, pos.IsValid()
}
