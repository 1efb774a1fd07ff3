package plan

import (
	"fmt"

	"github.com/resgen-go/resgen/generator/internal/diag"
	"github.com/resgen-go/resgen/generator/internal/source"
)

// maxBytes is about how many bytes a package may have. The largest real ones have some 5 MB, and Go's own tools are slow with more.
const maxBytes = 48 * megabyte

const megabyte = 1 << 20

// What a line has, about, beside the name that it tells of, and how many lines each part of a package has beside its comment.
const (
	bytesPerLine                         = 35
	linesPerOperation, linesPerParam     = 40, 3
	linesPerType, linesPerVariant        = 5, 12
	linesPerMember, linesPerResponseCase = 1, 8
)

// checkSize reports a package that nobody could compile, before it is printed.
func (r *resolver) checkSize(p *Package) {
	size := 0
	for i := range p.Client.Operations {
		op := &p.Client.Operations[i]
		lines := linesPerOperation + linesPerParam*len(op.Request.Params) + len(op.Doc) + linesPerResponseCase*len(op.Response.Cases)
		size += lines * (bytesPerLine + len(op.GoName)/2)
	}
	for _, d := range p.Types {
		name, lines := linesOf(d)
		size += (linesPerType + lines) * (bytesPerLine + len(name)/2)
	}
	if size <= maxBytes {
		return
	}
	r.list.Add(diag.Diagnostic{
		Code: diag.LimitExceeded, Span: source.Span{Pos: r.api.Pos},
		What: fmt.Sprintf("the package would have about %d MB, more than %d", size/megabyte, maxBytes/megabyte),
		Why:  "Go's own tools need gigabytes for such a package, and limits keep a hostile document from exhausting memory",
		Fix:  "keep fewer operations, with --include; several clients can share a document",
	})
}

// linesOf are the name of a type, and the lines of what it is made of and of its comments.
func linesOf(d TypeDecl) (name string, lines int) {
	switch d := d.(type) {
	case *StructDecl:
		n := len(d.Doc) + linesPerMember*len(d.Fields)
		for i := range d.Fields {
			n += len(d.Fields[i].Doc)
		}
		return d.Name, n
	case *EnumDecl:
		n := len(d.Doc) + linesPerMember*len(d.Values)
		for i := range d.Values {
			n += len(d.Values[i].Doc)
		}
		return d.Name, n
	case *UnionDecl:
		return d.Name, len(d.Doc) + linesPerVariant*len(d.Variants)
	case *ResponseDecl:
		return d.Name, len(d.Doc) + linesPerVariant*len(d.Variants)
	case *DefinedDecl:
		return d.Name, len(d.Doc)
	case *HeaderDecl:
		return d.Name, len(d.Doc) + linesPerMember*len(d.Fields) + len(d.Also)
	default:
		return "", 0
	}
}
