package openapi

import (
	"fmt"
	"strings"

	"github.com/resgen-go/resgen/generator/internal/diag"
	"github.com/resgen-go/resgen/generator/internal/source"
	"github.com/resgen-go/resgen/generator/internal/swagger"
)

// report adds a diagnostic.
func (l *loader) report(d diag.Diagnostic) { l.list.Add(d) }

// checkVersion reports whether the document is one that can be loaded; why it is not has then been reported. kin-openapi knows
// a fixed list of versions, which 3.0.5 or a bare 3.1 would fall out of, so it is not asked.
func (l *loader) checkVersion() bool {
	tree := l.in.Tree
	d := diag.Diagnostic{Code: diag.NotOpenAPI, Span: source.Span{Pos: tree.Pos}, Fix: "name an OpenAPI 2.0, 3.0 or 3.1 document"}
	version := tree.Get("openapi")
	switch {
	case tree.Kind != source.Map:
		d.What = "the document is a " + tree.Kind.String() + ", not an OpenAPI document"
		d.Why = "an OpenAPI document is an object"
	case swagger.IsVersion2(tree):
		return true
	case version == nil && tree.Get("swagger") != nil:
		d.Code, d.Span.Pos = diag.OpenAPIVersion, tree.Get("swagger").Pos
		d.What = fmt.Sprintf("Swagger %q is not known", tree.Get("swagger").Text)
		d.Why = "before 2.0 a document had another form"
		d.Fix = "write swagger: '2.0' where it is one, else convert the document first"
	case version == nil:
		d.What = `the document has no "openapi" at its top, so it is not an OpenAPI document`
		d.Why = "the version says how everything below is read"
	case !isLoadable(version.Text):
		d.Code, d.Span.Pos = diag.OpenAPIVersion, version.Pos
		d.What = fmt.Sprintf("OpenAPI %q is not known", version.Text)
		d.Why = "another version could give a keyword another meaning"
		d.Fix = "write openapi: 3.1.1, or the version that the document was written for"
	default:
		return true
	}
	l.report(d)
	return false
}

// isLoadable reports whether a version is 3.0, 3.1 or 3.2. Of 3.2 only what is said in the same words as in 3.1 is read, and
// itemSchema, query and additionalOperations.
func isLoadable(version string) bool {
	return isMinor(version, "3.0") || isMinor(version, "3.1") || isMinor(version, "3.2")
}

func isMinor(version, minor string) bool {
	return version == minor || strings.HasPrefix(version, minor+".")
}

// isVersion30 reports whether keywords beside a $ref are void, as 3.0 says.
func (l *loader) isVersion30() bool { return isMinor(l.in.Tree.Get("openapi").Text, "3.0") }
