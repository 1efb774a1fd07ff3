package openapi

import (
	"context"
	"io/fs"

	"github.com/resgen-go/resgen/generator/internal/diag"
	"github.com/resgen-go/resgen/generator/internal/model"
	"github.com/resgen-go/resgen/generator/internal/source"
)

// Input is one document to load.
type Input struct {
	// Tree is the document, overlays applied. It is not changed.
	Tree *source.Value
	// Source is how generated headers name the document: a path with forward slashes, "-" for standard input.
	Source string
	// Path is where the document lies, with forward slashes and relative to the folder that Root opens. It may begin with "../"
	// (a document named on the command line may lie anywhere) and is empty for standard input. References to other files start
	// from its folder.
	Path string
	// Root holds the files that a $ref may name. Use os.OpenRoot(dir).FS(), which follows no link out of the folder. Nil: a
	// reference to another file is an error.
	Root fs.FS
	// Show turns a path below Root into the one that diagnostics print. Nil: they print it as it is.
	Show func(path string) string
	// Remote returns the copy of a document on a network, by its http or https URL, and how diagnostics name the copy. Its errors
	// may be ErrNoCopy and ErrChangedCopy. Nil: there are no copies. Relative references in a copy start from its URL.
	Remote func(url string) (data []byte, shown string, err error)
	// Include and Exclude select operations. A pattern matches the operationId or "METHOD /path"; '*' stands for any text
	// without a slash, '**' for any text. Without Include all operations are kept. An operation that is left out takes the
	// types with it that nothing else reaches.
	Include, Exclude []string
	// Keep are references to schemas that are wanted though no operation reaches them, such as "#/components/schemas/Chunk".
	// What the annotations of the document name is kept in any case.
	Keep []string
}

// Load returns the API that a document describes. What is wrong with it goes to the list, with positions; where that holds an
// error afterwards, the API is not to be used, and may be nil. Load stops early when ctx ends, with no further diagnostics.
func Load(ctx context.Context, in Input, list *diag.List) *model.API {
	l := &loader{in: in, list: list}
	if !l.checkVersion() {
		return nil
	}
	l.files = newFiles(in, list)
	l.in.Tree = l.files.main.tree
	l.refs = &resolver{files: l.files, list: list}
	l.gatherOperations()
	l.filterOperations()
	if !l.checkCount() {
		return nil
	}
	l.gatherInbound()
	b := l.bundle(ctx)
	if b == nil || ctx.Err() != nil {
		return nil
	}
	doc, lines := l.readKin(ctx, b)
	if doc == nil {
		return nil
	}
	return l.convert(ctx, b, doc, lines)
}

// loader carries what the steps of one Load share.
type loader struct {
	in    Input
	list  *diag.List
	files *files
	refs  *resolver
	// operations are what the document's paths hold, in its order; those that are kept, once they are filtered.
	operations []*operation
	// inbound are the requests that the API sends.
	inbound []inbound
	// absent are those that are not kept.
	absent []model.AbsentOperation
}
