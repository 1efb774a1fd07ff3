package goiface

import (
	"context"
	"errors"
	"fmt"
	"go/build"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/resgen-go/resgen/generator/internal/diag"
	"github.com/resgen-go/resgen/generator/internal/model"
	"github.com/resgen-go/resgen/generator/internal/source"
)

// Input says what one load reads.
type Input struct {
	// Dir is the folder that the go command runs in; empty is the working directory.
	Dir string
	// Tags are build tags, separated by commas.
	Tags string
	// Requests are the interfaces.
	Requests []Request
	// Show is how diagnostics name a file.
	Show func(path string) string
}

// Request names one interface, and where its wrapper goes.
type Request struct {
	// Package is an import path, or a folder that begins with a dot, from Input.Dir; empty is ".".
	Package string
	// Type is the name of the interface.
	Type string
	// Out is the absolute path of the folder that the wrapper goes into; empty is the folder of the interface.
	Out string
	// OutPath and OutName are the import path and the name of that package where it has no Go files yet.
	OutPath, OutName string
	// Pos is where the interface is asked for; the zero value is the command line.
	Pos source.Pos
}

// Loaded is what one load found.
type Loaded struct {
	// APIs are by the index of Input.Requests; nil where an interface could not be read, which was reported. What was reported of others
	// does not keep the planner from finding more.
	APIs []*model.API
	// Dirs are the folders of the interfaces, and Foreign says which are not of the user's own module, by the same index.
	Dirs    []string
	Foreign []bool

	packages []*packages.Package
	byPath   map[string]*types.Package
	fset     *token.FileSet
}

// mode is what is asked of go/packages: the named packages from source, what they import from export data.
const mode = packages.NeedName | packages.NeedFiles | packages.NeedCompiledGoFiles | packages.NeedImports | packages.NeedTypes |
	packages.NeedSyntax | packages.NeedModule

// ErrGo is a go command that did not run.
var ErrGo = errors.New("the go command failed")

// Load reads the interfaces in one load. What is wrong with them goes to list; the error is about the go command.
func Load(ctx context.Context, in Input, list *diag.List) (*Loaded, error) {
	fset := token.NewFileSet()
	cfg := &packages.Config{
		Context: ctx, Mode: mode, Dir: in.Dir, Fset: fset, ParseFile: parseFile,
	}
	if in.Tags != "" {
		cfg.BuildFlags = []string{"-tags=" + in.Tags}
	}
	pkgs, err := packages.Load(cfg, patterns(&in)...)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrGo, err)
	}
	out := &Loaded{packages: pkgs, fset: fset}
	r := &reader{ctx: ctx, in: &in, loaded: out, list: list, files: map[string]*parsedFile{}}
	for i := range in.Requests {
		pkg := r.packageOf(&in.Requests[i])
		api := r.read(&in.Requests[i], pkg)
		out.APIs = append(out.APIs, api)
		if api == nil {
			pkg = &packages.Package{}
		}
		out.Dirs, out.Foreign = append(out.Dirs, pkg.Dir), append(out.Foreign, isForeign(pkg))
	}
	return out, nil
}

// isForeign reports whether a package is of another module than the user's: a dependency, or the standard library.
func isForeign(p *packages.Package) bool {
	if p.Module != nil {
		return !p.Module.Main
	}
	first, _, _ := strings.Cut(p.PkgPath, "/")
	return !strings.Contains(first, ".") && p.Dir != "" && strings.HasPrefix(p.Dir, filepath.Join(build.Default.GOROOT, "src"))
}

// patterns are what the go command is asked for, each once: the packages of the interfaces, and those that wrappers go into.
func patterns(in *Input) []string {
	var out []string
	add := func(p string) {
		if !slices.Contains(out, p) {
			out = append(out, p)
		}
	}
	for i := range in.Requests {
		r := &in.Requests[i]
		add(r.pattern())
		if r.Out != "" && hasSource(r.Out) {
			add(r.Out)
		}
	}
	return out
}

// pattern is the package as the go command takes it.
func (r *Request) pattern() string {
	if r.Package == "" {
		return "."
	}
	return r.Package
}

// hasSource reports whether a folder has Go files that are not tests.
func hasSource(dir string) bool {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return false
	}
	return slices.ContainsFunc(entries, func(e os.DirEntry) bool {
		return strings.HasSuffix(e.Name(), ".go") && !strings.HasSuffix(e.Name(), "_test.go") && e.Type().IsRegular()
	})
}

// reader is the state of one Load.
type reader struct {
	ctx    context.Context //nolint:containedctx // a reader lives as long as one Load
	in     *Input
	loaded *Loaded
	list   *diag.List
	// files are those of dependencies, parsed for the comments of embedded methods; nil for one that could not be.
	files map[string]*parsedFile
	// folders are the loaded packages by the folders that they lie in.
	folders map[string]*packages.Package
}

// packageOf returns the loaded package of a request. go/packages gives no way back from a pattern: a folder is found by its files, an
// import path by itself.
func (r *reader) packageOf(req *Request) *packages.Package {
	pattern := req.pattern()
	if !isFolder(pattern) {
		return r.find(func(p *packages.Package) bool { return p.PkgPath == pattern })
	}
	dir := pattern
	if !filepath.IsAbs(dir) {
		dir = filepath.Join(r.in.Dir, dir)
	}
	return r.inFolder(dir)
}

// isFolder reports whether a pattern is a folder, as the go command takes it.
func isFolder(pattern string) bool {
	return pattern == "." || pattern == ".." || strings.HasPrefix(pattern, "./") || strings.HasPrefix(pattern, "../") || filepath.IsAbs(pattern)
}

// inFolder returns the loaded package whose files lie in a folder.
func (r *reader) inFolder(dir string) *packages.Package {
	if r.folders == nil {
		r.folders = map[string]*packages.Package{}
		for _, p := range r.loaded.packages {
			if p.Dir != "" {
				r.folders[realPath(p.Dir)] = p
			}
		}
	}
	return r.folders[realPath(dir)]
}

func (r *reader) find(is func(*packages.Package) bool) *packages.Package {
	i := slices.IndexFunc(r.loaded.packages, is)
	if i < 0 {
		return nil
	}
	return r.loaded.packages[i]
}

// realPath is a path without links, so that two spellings of one folder are equal.
func realPath(path string) string {
	abs, err := filepath.Abs(path)
	if err != nil {
		return path
	}
	if resolved, err := filepath.EvalSymlinks(abs); err == nil {
		return resolved
	}
	return abs
}

// pos is a position as diagnostics show it.
func (r *reader) pos(p token.Pos) source.Pos { return r.posIn(p, r.loaded.fset) }

// posIn is pos for a position of another file set.
func (r *reader) posIn(p token.Pos, fset *token.FileSet) source.Pos {
	at := fset.Position(p)
	if !at.IsValid() {
		return source.Pos{}
	}
	return source.Pos{File: r.in.Show(at.Filename), Line: at.Line, Column: at.Column}
}
