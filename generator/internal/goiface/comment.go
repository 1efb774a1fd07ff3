package goiface

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/resgen-go/resgen/generator/internal/diag"
	"github.com/resgen-go/resgen/generator/internal/source"
)

// methodComment is what stands above a method.
type methodComment struct {
	text       string
	directives []source.Directive
	deprecated bool
}

// methodDoc is the comment of a method, wherever it is declared; nil where it has none or its file cannot be read.
func (w *walk) methodDoc(m *types.Func) *methodComment {
	at := w.loaded.fset.Position(m.Pos())
	file := w.fileOf(at.Filename)
	if file == nil {
		return nil
	}
	doc := file.methods[methodKey{at.Line, m.Name()}]
	if doc == nil {
		return nil
	}
	text := doc.Text()
	return &methodComment{
		text: text, directives: w.directivesIn(doc, file.fset), deprecated: strings.HasPrefix(text, "Deprecated:") || strings.Contains(text, "\n\nDeprecated:"),
	}
}

// methodKey finds a method of an interface in its file: positions of export data have no columns.
type methodKey struct {
	line int
	name string
}

// parsedFile is a file with the comments of its interfaces' methods.
type parsedFile struct {
	fset    *token.FileSet
	methods map[methodKey]*ast.CommentGroup
}

// fileOf is a file by the name that positions have for it.
func (r *reader) fileOf(name string) *parsedFile {
	if f, ok := r.files[name]; ok {
		return f
	}
	r.files[name] = r.readFile(name)
	return r.files[name]
}

func (r *reader) readFile(name string) *parsedFile {
	for _, p := range r.loaded.packages {
		for _, f := range p.Syntax {
			if r.loaded.fset.Position(f.Package).Filename == name {
				return indexed(f, r.loaded.fset)
			}
		}
	}
	if !filepath.IsAbs(name) { // of the standard library, which has no directives, or trimmed
		return nil
	}
	if info, err := os.Stat(name); err != nil || info.Size() > source.MaxBytes {
		return nil
	}
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, name, nil, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return nil
	}
	return indexed(f, fset)
}

// indexed finds the comments of all methods of interfaces in a file.
func indexed(f *ast.File, fset *token.FileSet) *parsedFile {
	out := &parsedFile{fset: fset, methods: map[methodKey]*ast.CommentGroup{}}
	ast.Inspect(f, func(n ast.Node) bool {
		i, ok := n.(*ast.InterfaceType)
		if !ok {
			return true
		}
		for _, field := range i.Methods.List {
			for _, name := range field.Names {
				out.methods[methodKey{fset.Position(name.Pos()).Line, name.Name}] = field.Doc
			}
		}
		return true
	})
	return out
}

// packageDirectives are those above the package clauses, in the order of the files.
func (w *walk) packageDirectives() []source.Directive {
	out := make([]source.Directive, 0, len(w.pkg.Syntax))
	for _, f := range w.pkg.Syntax {
		out = append(out, w.directives(f.Doc)...)
	}
	return out
}

// refuseLoose reports directives that stand in the interface, or just above its comment, and belong to nothing: a blank line parts them
// from what they were meant for, or they follow a method on its line.
func (w *walk) refuseLoose(d declaration) {
	if d.file == nil {
		return
	}
	from, to := before(d), d.spec.End()
	taken := map[*ast.CommentGroup]bool{d.doc: true}
	ast.Inspect(d.spec, func(n ast.Node) bool {
		if i, ok := n.(*ast.InterfaceType); ok {
			for _, f := range i.Methods.List {
				taken[f.Doc] = len(f.Names) > 0
			}
		}
		return true
	})
	for _, group := range d.file.Comments {
		if group.Pos() < from || group.End() > to || taken[group] {
			continue
		}
		for _, one := range w.directives(group) {
			w.list.Add(diag.Diagnostic{
				Code: diag.BadDirective, Span: source.Span{Pos: one.Pos, Len: len(one.Name)},
				What: fmt.Sprintf("//%s:%s belongs to nothing", tool, one.Name),
				Why:  "a directive is part of the comment above a method or a type: no blank line between them, not behind it, and not above an embedded interface",
				Fix:  "move it into the comment, or write `//" + tool + ":on METHOD " + one.Name + " ...` above the type",
			})
		}
	}
}

// before is where the declaration before the interface ends.
func before(d declaration) token.Pos {
	from := d.file.Name.End()
	for _, other := range d.file.Decls {
		if other == ast.Decl(d.decl) {
			break
		}
		from = other.End()
	}
	for _, s := range d.decl.Specs {
		if s == ast.Spec(d.spec) {
			break
		}
		from = s.End()
	}
	return from
}

// errorPos is where an error of the go command or the type checker is.
func errorPos(r *reader, e *packages.Error) source.Pos {
	var pos source.Pos
	rest := e.Pos
	for _, n := range []*int{&pos.Column, &pos.Line} {
		i := strings.LastIndexByte(rest, ':')
		if i < 0 {
			return source.Pos{}
		}
		if _, err := fmt.Sscanf(rest[i+1:], "%d", n); err != nil {
			return source.Pos{}
		}
		rest = rest[:i]
	}
	if !filepath.IsAbs(rest) {
		rest = filepath.Join(r.in.Dir, rest)
	}
	pos.File = r.in.Show(rest)
	return pos
}

// isNoise reports errors that only the missing bodies cause.
func isNoise(msg string) bool {
	return strings.Contains(msg, "imported and not used") || strings.Contains(msg, "missing function body") || strings.Contains(msg, "missing return")
}
