package generator

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode"

	"github.com/resgen-go/resgen/generator/internal/config"
	"github.com/resgen-go/resgen/generator/internal/diag"
	"github.com/resgen-go/resgen/generator/internal/emit"
	"github.com/resgen-go/resgen/generator/internal/goiface"
	"github.com/resgen-go/resgen/generator/internal/model"
	"github.com/resgen-go/resgen/generator/internal/plan"
	"github.com/resgen-go/resgen/generator/internal/source"
)

// found is one interface with the load that it comes from.
type found struct {
	load *goiface.Loaded
	api  *model.API
	dir  string
	// foreign says that it is not of the user's own module.
	foreign bool
	// declared is what all wrappers of the load are checked against beside it.
	declared *emit.Declared
	// bad says that the load reported an error.
	bad bool
}

// splitIface splits [PKG.]TYPE: the type is what follows the last dot behind the last slash.
func splitIface(name string) (pkg, typ string) {
	slash := strings.LastIndexByte(name, '/')
	dot := strings.LastIndexByte(name, '.')
	if dot <= slash {
		if slash < 0 {
			return "", name
		}
		return name, ""
	}
	pkg, typ = name[:dot], name[dot+1:]
	if strings.Trim(pkg, "./") == "" && !strings.HasPrefix(pkg, ".") {
		pkg = ""
	}
	return pkg, typ
}

// loadInterfaces loads the interfaces among the clients, those of equal tags at once.
func (r *run) loadInterfaces(ctx context.Context, todo []Client) error {
	r.ifaces = map[int]*found{}
	byTags := map[string][]int{}
	for i := range todo {
		if todo[i].Iface != "" {
			byTags[todo[i].Tags] = append(byTags[todo[i].Tags], i)
		}
	}
	for _, tags := range slices.Sorted(maps.Keys(byTags)) {
		if err := r.loadTagged(ctx, todo, tags, byTags[tags]); err != nil {
			return err
		}
	}
	return nil
}

// awaitInterfaces loads the interfaces, and gives up when ctx ends.
func (r *run) awaitInterfaces(ctx context.Context, todo []Client) error {
	if !slices.ContainsFunc(todo, func(c Client) bool { return c.Iface != "" }) {
		return nil
	}
	err := r.loadInterfaces(ctx, todo)
	if err != nil && ctx.Err() != nil {
		return stopped(ctx, &todo[slices.IndexFunc(todo, func(c Client) bool { return c.Iface != "" })])
	}
	return err
}

func (r *run) loadTagged(ctx context.Context, todo []Client, tags string, at []int) error {
	in := goiface.Input{Dir: todo[at[0]].dir, Tags: tags, Show: display}
	for _, i := range at {
		r.stage(ctx, &todo[i], "load")
		request, err := ifaceRequest(&todo[i])
		if err != nil {
			return err
		}
		in.Requests = append(in.Requests, request)
	}
	before := r.list.Errors()
	loaded, err := goiface.Load(ctx, in, &r.list)
	if err != nil {
		return fmt.Errorf("%s: %w", todo[at[0]].Iface, err)
	}
	declared, beside := &emit.Declared{}, ifaceNames(todo)
	for j, i := range at {
		if api := loaded.APIs[j]; api != nil {
			api.Interface.Beside = beside
		}
		r.ifaces[i] = &found{load: loaded, api: loaded.APIs[j], dir: loaded.Dirs[j], foreign: loaded.Foreign[j], declared: declared, bad: r.list.Errors() > before}
	}
	return nil
}

// ifaceNames are the names of the interfaces among the clients, without their packages.
func ifaceNames(todo []Client) []string {
	var names []string
	for i := range todo {
		if _, name := splitIface(todo[i].Iface); name != "" {
			names = append(names, name)
		}
	}
	return names
}

// ifaceRequest is what a client asks the loader for.
func ifaceRequest(c *Client) (goiface.Request, error) {
	out := goiface.Request{Pos: c.ifacePos}
	out.Package, out.Type = splitIface(c.Iface)
	if c.dir != "" && (out.Package == "" || strings.HasPrefix(out.Package, ".")) {
		out.Package = cmp.Or(out.Package, ".")
		abs, err := filepath.Abs(filepath.Join(c.dir, filepath.FromSlash(out.Package)))
		if err != nil {
			return out, fmt.Errorf("paths: %w", err)
		}
		out.Package = abs
	}
	if c.Out == "" {
		return out, nil
	}
	dir, err := filepath.Abs(filepath.Dir(c.Out))
	if err != nil {
		return out, fmt.Errorf("paths: %w", err)
	}
	out.Out, out.OutPath = dir, cmp.Or(c.ImportPath, importPath(dir))
	out.OutName = cmp.Or(c.Package, packageName(dir))
	return out, nil
}

// packageName is the name of a package that has no files yet: the folder's, as far as that is a Go name.
func packageName(dir string) string {
	name := strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, filepath.Base(dir))
	if !config.ValidPackage(name) {
		return "resilient"
	}
	return name
}

// fileName is the default name of a wrapper's file: store_resilient.gen.go for Store, vector_store_resilient.gen.go for VectorStore.
func fileName(typ string) string {
	var b strings.Builder
	runes := []rune(typ)
	for i, r := range runes {
		begins := unicode.IsUpper(r) && i > 0 && (!unicode.IsUpper(runes[i-1]) || i+1 < len(runes) && unicode.IsLower(runes[i+1]))
		if begins && runes[i-1] != '_' {
			b.WriteByte('_')
		}
		b.WriteRune(unicode.ToLower(r))
	}
	return b.String() + goiface.WrapperSuffix
}

// iface makes the wrapper of one interface, or reports why it cannot.
func (r *run) iface(ctx context.Context, c *Client, f *found) error {
	if f.api == nil { // reported by the loader
		return nil
	}
	in := &inputs{shown: cmp.Or(f.api.Pos.File, c.Iface)}
	defer r.recovered(in)
	before := r.list.Errors()
	policyFile, err := r.policyFile(c)
	if err != nil || r.list.Errors() > before {
		return err
	}
	out := c.Out
	if out == "" {
		out = filepath.Join(f.dir, fileName(f.api.Interface.Name))
	}
	if c.Out == "" && f.foreign && !r.cfg.Mode.onlyReads() {
		return fmt.Errorf("%w: %s is not of this module, so its wrapper goes elsewhere: give --out FILE", ErrUsage, f.api.Source)
	}
	r.stage(ctx, c, "plan")
	resolve := func(policyFile *source.Value, list *diag.List) *plan.Package {
		return plan.ResolveInterface(f.api, plan.Layers{
			PolicyFile: policyFile, Twins: c.Twins, Output: c.Name, Source: f.api.Source, File: filepath.Base(out),
		}, list)
	}
	pkg := resolve(policyFile, &r.list)
	if r.list.Errors() > before || f.bad {
		return nil
	}
	r.result.Outputs = append(r.result.Outputs, Output{
		Name: c.Name, Dir: relativeDir(filepath.Dir(out)), single: true, pkg: pkg, api: f.api, resolve: resolve, foreign: f.foreign,
	})
	if r.cfg.Mode == Lint {
		return nil
	}
	return r.emitIface(ctx, c, in, f, pkg)
}

// policyFile reads the policy file of a client; nil where it has none.
func (r *run) policyFile(c *Client) (*source.Value, error) {
	if c.Policy == "" {
		return nil, nil //nolint:nilnil // there need not be one
	}
	data, err := readFile(c.Policy)
	if err != nil {
		return nil, err
	}
	return r.parse(display(c.Policy), data), nil
}

// emitIface prints the wrapper and type-checks it in the package that it goes into.
func (r *run) emitIface(ctx context.Context, c *Client, in *inputs, f *found, pkg *plan.Package) error {
	r.stage(ctx, c, "emit")
	files, err := emit.Files(pkg)
	if err != nil {
		return r.fault(in, err)
	}
	r.stage(ctx, c, "type-check")
	into := &f.api.Interface.Into
	beside := emit.Beside{Fset: f.load.Fset(), Files: f.load.Files(into), Loaded: f.load.Package, Declared: f.declared}
	loaded, err := emit.LoadBeside(files, into.Path, beside)
	if err != nil {
		return r.fault(in, err)
	}
	r.made(files, loaded)
	return nil
}

// relativeDir is a folder from the working directory where that is shorter to say, as paths that users give are.
func relativeDir(dir string) string {
	wd, err := os.Getwd()
	if err != nil {
		return dir
	}
	rel, err := filepath.Rel(wd, dir)
	if err != nil || strings.HasPrefix(rel, "..") {
		return dir
	}
	return rel
}
