package goiface

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/build/constraint"
	"go/parser"
	"go/token"
	"go/types"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/resgen-go/resgen/generator/internal/diag"
	"github.com/resgen-go/resgen/generator/internal/model"
	"github.com/resgen-go/resgen/generator/internal/source"
)

// read reads one interface. What is wrong is reported; the API is nil where there is nothing to go on with.
func (r *reader) read(req *Request, pkg *packages.Package) *model.API {
	if pkg == nil || pkg.Types == nil || len(pkg.Syntax) == 0 {
		r.noPackage(req, pkg)
		return nil
	}
	object, _ := pkg.Types.Scope().Lookup(req.Type).(*types.TypeName)
	if object == nil {
		r.noType(req, pkg)
		return nil
	}
	iface, ok := object.Type().Underlying().(*types.Interface)
	if !ok {
		r.refuse(r.nameSpan(object), req.Type+" is no interface", "only an interface can have another implementation",
			otherInterface(req, pkg, "name an interface"))
		return nil
	}
	w := &walk{reader: r, pkg: pkg, object: object, into: r.target(req, pkg)}
	if !w.wrappable(iface) {
		return nil
	}
	return w.api(iface)
}

// target is the package that the wrapper goes into.
func (r *reader) target(req *Request, pkg *packages.Package) model.GoPackage {
	into, same := pkg, true
	if req.Out != "" && realPath(req.Out) != realPath(pkg.Dir) {
		into, same = r.inFolder(req.Out), false
	}
	if into == nil || into.Types == nil {
		return model.GoPackage{Path: req.OutPath, Name: req.OutName}
	}
	out := model.GoPackage{Path: into.PkgPath, Name: cmp.Or(into.Name, req.OutName), Same: same}
	for _, name := range into.Types.Scope().Names() {
		out.Names = append(out.Names, name)
		if t, ok := into.Types.Scope().Lookup(name).(*types.TypeName); ok && types.IsInterface(t.Type()) {
			out.Interfaces = append(out.Interfaces, name)
		}
	}
	return out
}

// noPackage reports a package that cannot be read.
func (r *reader) noPackage(req *Request, pkg *packages.Package) {
	what := fmt.Sprintf("the package %s cannot be read", req.pattern())
	pos := source.Span{Pos: req.Pos}
	if pkg == nil && len(r.loaded.packages) > 0 && len(r.in.Requests) == 1 {
		pkg = r.loaded.packages[0]
	}
	if pkg != nil && len(pkg.Errors) > 0 {
		what += ": " + firstLine(pkg.Errors[0].Msg)
		if at := errorPos(r, &pkg.Errors[0]); at.IsValid() {
			pos.Pos = at
		}
	}
	if pkg == nil || len(pkg.Errors) == 0 {
		if said := r.goSays(req); said != "" {
			what += ": " + said
		}
	}
	r.list.Add(diag.Diagnostic{
		Code: diag.UnreadablePackage, Span: pos, What: what, Why: "the interface is read from it by the go command",
		Fix: "name a folder (./store.Store) or an import path (example.com/app/store.Store) that `go list` can read from here",
	})
}

// goSays is what the go command says of a package that it does not list: go/packages keeps some of that to itself.
func (r *reader) goSays(req *Request) string {
	args := []string{"list"}
	if r.in.Tags != "" {
		args = append(args, "-tags="+r.in.Tags)
	}
	cmd := exec.CommandContext(r.ctx, "go", append(args, "--", req.pattern())...) //nolint:gosec // a pattern, behind --
	cmd.Dir = r.in.Dir
	var said strings.Builder
	cmd.Stderr = &said
	if cmd.Run() == nil {
		return ""
	}
	return strings.Join(strings.Fields(said.String()), " ")
}

// noType reports an interface that is not there, and where it is if a build constraint hides it.
func (r *reader) noType(req *Request, pkg *packages.Package) {
	d := diag.Diagnostic{
		Code: diag.NoSuchInterface, Span: source.Span{Pos: cmp.Or(req.Pos, r.pos(pkg.Syntax[0].Name.Pos()))},
		What: fmt.Sprintf("the package %s has no type %s", pkg.PkgPath, req.Type), Why: "a wrapper needs an interface to implement",
		Fix: otherInterface(req, pkg, "name an interface of the package"),
	}
	if name, expr := hidden(pkg, req.Type); name != "" {
		d.What += " in this build; " + r.in.Show(name) + " declares it"
		d.Fix = "the file is not part of this build (tests never are)"
		if expr != "" {
			d.Fix = "the file is built under `//go:build " + expr + "` only: give --tags, or set GOOS and GOARCH"
		}
	}
	r.list.Add(d)
}

// otherInterface is the fix of a name that is no interface: the one that was most likely meant, else what there is.
func otherInterface(req *Request, pkg *packages.Package, otherwise string) string {
	var names []string
	for _, name := range pkg.Types.Scope().Names() {
		if t, ok := pkg.Types.Scope().Lookup(name).(*types.TypeName); ok && types.IsInterface(t.Type()) {
			names = append(names, name)
		}
	}
	if near := diag.DidYouMean(req.Type, names); near != "" {
		return near
	}
	const few = 10
	if len(names) == 0 || len(names) > few {
		return otherwise
	}
	return otherwise + ": " + strings.Join(names, ", ")
}

// hidden is the file that declares a type and is left out of the build, with its build constraint.
func hidden(pkg *packages.Package, name string) (file, expr string) {
	files := slices.Clone(pkg.IgnoredFiles)
	if tests, err := filepath.Glob(filepath.Join(pkg.Dir, "*_test.go")); err == nil {
		files = append(files, tests...)
	}
	for _, path := range files {
		f, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil || !declares(f, name) {
			continue
		}
		return path, constraintOf(f, path)
	}
	return "", ""
}

func declares(f *ast.File, name string) bool {
	for _, d := range f.Decls {
		g, ok := d.(*ast.GenDecl)
		if !ok {
			continue
		}
		for _, s := range g.Specs {
			if t, ok := s.(*ast.TypeSpec); ok && t.Name.Name == name {
				return true
			}
		}
	}
	return false
}

// constraintOf is the build constraint of a file: that of its //go:build line, and that of its name.
func constraintOf(f *ast.File, path string) string {
	var parts []constraint.Expr
	for _, group := range f.Comments {
		if group.Pos() > f.Package {
			break
		}
		for _, c := range group.List {
			if expr, err := constraint.Parse(c.Text); err == nil && constraint.IsGoBuild(c.Text) {
				parts = append(parts, expr)
			}
		}
	}
	for _, tag := range nameTags(filepath.Base(path)) {
		parts = append(parts, &constraint.TagExpr{Tag: tag})
	}
	if len(parts) == 0 {
		return ""
	}
	whole := parts[0]
	for _, p := range parts[1:] {
		whole = &constraint.AndExpr{X: whole, Y: p}
	}
	return whole.String()
}

// nameTags are the build tags that a file's name stands for: dialer_linux_amd64.go.
func nameTags(name string) []string {
	name, _, _ = strings.Cut(name, ".")
	parts := strings.Split(strings.TrimSuffix(name, "_test"), "_")[1:]
	n := len(parts)
	switch {
	case n >= 2 && knownOS[parts[n-2]] && knownArch[parts[n-1]]:
		return parts[n-2:]
	case n >= 1 && (knownOS[parts[n-1]] || knownArch[parts[n-1]]):
		return parts[n-1:]
	default:
		return nil
	}
}

// The words that the go command takes for operating systems and architectures at the end of a file's name.
var (
	knownOS   = wordSet("aix android darwin dragonfly freebsd hurd illumos ios js linux nacl netbsd openbsd plan9 solaris wasip1 windows zos")
	knownArch = wordSet("386 amd64 amd64p32 arm armbe arm64 arm64be loong64 mips mipsle mips64 mips64le mips64p32 mips64p32le ppc ppc64 " +
		"ppc64le riscv riscv64 s390 s390x sparc sparc64 wasm")
)

func wordSet(words string) map[string]bool {
	set := map[string]bool{}
	for w := range strings.FieldsSeq(words) {
		set[w] = true
	}
	return set
}

func (r *reader) refuse(span source.Span, what, why, fix string) {
	r.list.Add(diag.Diagnostic{Code: diag.NoSuchInterface, Span: span, What: what, Why: why, Fix: fix})
}

// nameSpan is where something is declared.
func (r *reader) nameSpan(o types.Object) source.Span {
	return source.Span{Pos: r.pos(o.Pos()), Len: len(o.Name())}
}

func firstLine(s string) string {
	first, _, _ := strings.Cut(strings.TrimSpace(s), "\n")
	return strings.TrimSpace(first)
}
