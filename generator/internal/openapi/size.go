package openapi

import (
	"fmt"

	"github.com/resgen-go/resgen/generator/internal/diag"
	"github.com/resgen-go/resgen/generator/internal/source"
)

// The limits of what a document may be made of. They are far above the largest real documents, which have some 2,000 values in an enum,
// 1,000 properties in an object and 100,000 objects in all, and keep a hostile one from taking minutes and gigabytes.
const (
	// maxMembers is how many members one object, enum, union or list of parameters may have.
	maxMembers = 10_000
	// maxOperations is how many operations may be generated at once.
	maxOperations = 25_000
	// maxObjects is how many objects a bundle may hold.
	maxObjects = 500_000
)

// isTooMany reports a keyword with more members than any real document has. What a schema says in it is left out: its values are raw or
// plain then. Anything else would lose a part of an operation, and is an error.
func (b *bundler) isTooMany(k keyword, node *source.Value, of section) bool {
	n := len(node.Map) + len(node.List)
	if n <= maxMembers || k.want == wantAny {
		return false
	}
	d := diag.Diagnostic{
		Code: diag.LimitExceeded, Span: source.Span{Pos: node.Pos},
		What: fmt.Sprintf("%q has %d members, more than %d", k.name, n, maxMembers),
		Why:  "limits keep a hostile document from exhausting memory",
		Fix:  "remove what is not needed, by an overlay, or leave the operation out with --exclude",
	}
	if of == schemas {
		d.Code, d.Severity = diag.TooComplex, diag.Warning
		d.Why = "limits keep a hostile document from exhausting memory; the schema is read without it, so that its values stay raw or plain"
		d.Fix = "nothing to do where that is enough; else split the schema"
	}
	b.report(d)
	return true
}

// checkCount reports more operations than can be generated at once.
func (l *loader) checkCount() bool {
	if len(l.operations) <= maxOperations {
		return true
	}
	l.report(diag.Diagnostic{
		Code: diag.LimitExceeded, Span: source.Span{Pos: l.operations[maxOperations].keyPos},
		What: fmt.Sprintf("the document has %d operations, more than %d", len(l.operations), maxOperations),
		Why:  "limits keep a hostile document from exhausting memory",
		Fix:  "keep fewer operations, with --include; several clients can share a document",
	})
	return false
}

// spend counts one object of the bundle. It fails where the parts of a document that refer to each other add up to more than any
// real one has.
func (b *bundler) spend() bool {
	b.spent++
	if b.spent <= maxObjects {
		return true
	}
	if !b.overspent {
		b.overspent = true
		b.report(diag.Diagnostic{
			Code: diag.LimitExceeded, Span: source.Span{Pos: b.in.Tree.Pos},
			What: fmt.Sprintf("what the operations reach adds up to more than %d objects", maxObjects),
			Why:  "limits keep a hostile document from exhausting memory",
			Fix:  "keep fewer operations, with --include",
		})
	}
	return false
}
